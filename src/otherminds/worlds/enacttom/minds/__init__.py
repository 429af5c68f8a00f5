"""Minds for EnactToM. Start with ``base``: each mind works from its own log.

``tracker`` plans by itself, with the planner in ``planning``; ``bounded`` and ``motives`` are variants of it.
``oracle`` follows a proved policy.
"""
