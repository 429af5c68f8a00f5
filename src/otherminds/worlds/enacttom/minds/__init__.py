"""Minds for EnactToM. Start with ``base``: each mind works from its own log."""
