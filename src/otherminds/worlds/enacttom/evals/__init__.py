"""Measures of EnactToM episodes: functional and literal success, their gap, and failures. Start with ``measures``."""
