"""Minds of EnactToM that only make sense in a house. Start with ``resident``: each works from its own log."""
