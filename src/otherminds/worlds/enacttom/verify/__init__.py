"""Proofs that a task can be solved, and of the depth that it requires. Start with ``certify``."""
