"""Household tasks as PDDL: written for planners, and read from problems whose goals speak of knowledge."""
