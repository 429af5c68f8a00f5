"""A good scenario file to spoil, and what is said of it then."""

from __future__ import annotations

import pytest

from otherminds.core.errors import UserError
from otherminds.worlds.symmtom.scenarios.read import parse_scenario
from otherminds.worlds.symmtom.scenarios.types import Scenario

GOOD = """\
about: Green meets blue, or does not.
order: 1
setting: n3_w6_c3
agents:
  red: {at: [2, 1], base: [2, 0], pieces: [0]}
  blue: {at: [1, 2], base: [0, 2], pieces: [1]}
  green: {at: [1, 4], base: [4, 4], pieces: [2]}
choices:
  blue: red near blue
  green: red near green
cases:
  met:
    right: blue
    turns: 2
    history:
      - {red: say 0, blue: say 1}
      - {red: right}
      - {red: right, green: down say 2}
      - {green: up}
      - {red: stay}
  apart:
    right: green
    turns: 3
    history:
      - {red: say 0, blue: say 1}
      - {red: right}
      - {red: right}
      - {}
      - {red: stay}
"""


def parse(text: str = GOOD) -> Scenario:
    return parse_scenario(text, "mine.yaml")


def changed(old: str, new: str) -> str:
    """The good file with the first appearance of some words replaced."""
    assert old in GOOD
    return GOOD.replace(old, new, 1)


def refusal(text: str) -> str:
    with pytest.raises(UserError) as error:
        parse(text)
    return str(error.value)


def check_refused(old: str, new: str, line: int, message: str) -> None:
    found = refusal(changed(old, new))
    assert found.startswith(f"mine.yaml, line {line}: "), found
    assert message in found
