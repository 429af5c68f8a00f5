"""Where a field stands in a file, found from the path that an error names."""

from __future__ import annotations

import pytest

from otherminds.core.yaml_lines import line_of, read_lines

FILE = read_lines(
    """title: The cup
house:
  rooms:
    hall: {box: [0, 0, 1, 1]}
    hall.way:
      box: no
notes:
  - {to: ann}
  - to: ben
    abuot: target
""",
    "a file",
)


@pytest.mark.parametrize(
    ("path", "line"),
    [
        ("title", 1),
        ("house.rooms.hall.box has a hole", 4),
        ("house.rooms.hall.way.box is 'no'", 6),
        ("house.rooms: there are 2; expected 3", 3),
        ("notes[0].to", 8),
        ("notes[1]: field 'abuot' is not known", 10),
        ("notes[7] tells ann nothing", 7),
        ("house.doors: expected some", 2),
        ("horizon is missing", None),
        ("ann, title is the name of several things", None),
    ],
)
def test_the_line_is_that_of_the_last_known_step(path: str, line: int | None) -> None:
    assert line_of(FILE, path) == line
