"""What Inspect finds once the package is installed, such as ``inspect eval otherminds/tomi``.

Importing this module makes one task for every registered world, and loads the tasks that worlds register besides.
"""

from otherminds.core.registry import entries
from otherminds.llm.task import TASKS, world

globals().update(TASKS)
globals().update({entry.name: entry.load() for entry in entries("inspect task")})
__all__ = ["TASKS", "world"]
