"""Families of tasks that require the same kind of reasoning (spec 8). Start with ``placement``."""
