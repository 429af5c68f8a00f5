"""Proofs: can a task be solved, and how deep must a mind look?"""
