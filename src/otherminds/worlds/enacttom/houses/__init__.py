"""Households by seed: rooms on a floor plan, doors, furniture, and things where such things are kept.

Start with ``sample``, which draws a ``House``; ``house`` says what can be asked of one, and ``additions`` what can be
added to it. ``catalogue.json`` has all kinds of rooms, furniture and things; ``check`` lists the faults of a house.
"""
