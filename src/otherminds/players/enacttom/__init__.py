"""Minds for EnactToM. Start with ``resident``: each mind works from its own log."""
