"""Prompts are files: ``prompts/WORLD/VERSION/NAME.txt`` with named fields, and the hash of each goes into the log.

The words of a version never change once results have been published with it; other words make a new version.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from string import Formatter

from otherminds.core.errors import UserError, nearest

FOLDER = Path(__file__).parent / "prompts"
SUFFIX = ".txt"


@dataclass(frozen=True)
class Prompt:
    """The words of one prompt, with fields such as ``{story}`` to fill."""

    name: str  # "tomi/v1/plain", or the path of a user's file
    text: str

    @property
    def sha256(self) -> str:
        """The hash of its words before they are filled."""
        return sha256(self.text.encode()).hexdigest()

    @property
    def fields(self) -> set[str]:
        """The names to be filled."""
        return {name for _, name, _, _ in Formatter().parse(self.text) if name is not None}

    def fill(self, **fields: object) -> str:
        """The prompt with all fields filled; where a field is empty, no gap is left."""
        return re.sub(r"\n{3,}", "\n\n", self.text.format(**fields)).strip()


def load_prompt(world: str, version: str, name: str, may: Iterable[str] = (), must: Iterable[str] = ()) -> Prompt:
    """A prompt of a world by name, or a user's own file where the name ends in ``.txt``.

    Args:
        world: tomi or symmtom.
        version: such as v1.
        name: of the prompt.
        may: fields that it can have.
        must: fields that it cannot do without.

    Raises:
        UserError: if there is none, or its fields are not those that will be filled.
    """
    is_own = name.endswith(SUFFIX)
    if not is_own and name not in prompt_names(world, version):
        raise UserError(
            f"{world} has no prompt {name!r} in version {version}{nearest(name, prompt_names(world, version))} "
            f"(or name a file of your own that ends in {SUFFIX})"
        )
    path = Path(name) if is_own else FOLDER / world / version / f"{name}{SUFFIX}"
    try:
        prompt = Prompt(name if is_own else f"{world}/{version}/{name}", path.read_text(encoding="utf-8"))
        found = prompt.fields
    except OSError as error:
        raise UserError(f"cannot read the prompt {path}: {error.strerror}") from error
    except ValueError as error:
        raise UserError(f"{path}: {error}; write {{{{ and }}}} for braces that are no fields") from None
    known, needed = {*may, *must}, set(must)
    for _, field, form, turned in Formatter().parse(prompt.text):
        if form or turned:
            raise UserError(f"{path}: {{{field}}} asks for a form of its own; write the plain {{{field}}}")
    for odd in sorted(found - known):
        raise UserError(f"{path}: nothing is known for {{{odd}}}{nearest(odd, sorted(known))}")
    for absent in sorted(needed - found):
        raise UserError(f"{path}: {{{absent}}} is missing; expected {', '.join(f'{{{n}}}' for n in sorted(needed))}")
    return prompt


def prompt_names(world: str, version: str) -> list[str]:
    """The prompts of a version.

    Raises:
        UserError: if there is no such version.
    """
    folder = FOLDER / world / version
    if not version or not folder.is_dir():
        known = sorted(path.name for path in (FOLDER / world).iterdir())
        raise UserError(f"{world} has no prompts of version {version!r}{nearest(version, known)}")
    return sorted(path.stem for path in folder.glob(f"*{SUFFIX}"))


def hashes(prompts: Iterable[Prompt]) -> dict[str, str]:
    """The hash of each prompt by its name, for the log."""
    return {prompt.name: prompt.sha256 for prompt in prompts}
