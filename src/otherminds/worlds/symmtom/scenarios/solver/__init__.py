"""Proofs of scenarios: search and dynamic programming on the real rules."""
