"""A planner for people who act on what they know, to a depth. Start with ``knowledge``, then read ``joint``.

It uses the task alone: the rules of the house, the possible worlds, and what follows from the goal for each act.
"""
