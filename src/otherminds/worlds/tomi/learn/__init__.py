"""Learners of ToMi: networks that read a story and a question and name a container."""
