"""Families of tasks: each draws houses, people and secrets that ask for the same kind of thinking (spec 8)."""
