"""Prompts are files: ``FOLDER/VERSION/NAME.txt`` with named fields, and the hash of each goes into the log.

A world's own prompts are laid over those for any world, which suffice where it has none. A *phrasing* is a sub-folder
of a version, ``FOLDER/VERSION/PHRASING/NAME.txt``, whose files replace those of the same name; what is not in a
sub-folder is the phrasing ``plain``.

A published version never changes; new wording needs a new version.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from string import Formatter

from otherminds.core.errors import UserError, nearest
from otherminds.core.registry import split_version
from otherminds.core.world import World
from otherminds.minds.language import METHODS, Method

PLAIN = "plain"
SUFFIX = ".txt"
ANY = METHODS.parents[1] / "any" / "v1"


@dataclass(frozen=True)
class Prompt:
    """The words of one prompt, with fields such as ``{story}`` to fill."""

    name: str  # "tomi/v1/probe", or the path of a user's file
    text: str
    sha256: str  # of the file


def load_prompts(world: World, version: str = "", phrasing: str = "") -> dict[str, Prompt]:
    """The prompts of a world by name.

    Args:
        world: World of the prompts.
        version: Version of the prompts, the newest by default; or a folder or file of the user, whose prompts replace
            those of the same name.
        phrasing: Phrasing of the prompts; ``plain`` by default.

    Raises:
        UserError: if there is no such version or phrasing, or a file cannot be filled.
    """
    own = _own(version)
    base = _version(world, "" if own else version)
    known = phrasings(world, base.name)
    if (phrasing or PLAIN) not in known:
        raise UserError(f"{world.id} has no phrasing {phrasing!r} in version {base.name}{nearest(phrasing, known)}")
    name = f"{split_version(world.id)[0]}/{base.name}"
    prompts = _read(ANY, "any/v1") | (_read(base, name) if world.prompts else {})
    if phrasing and phrasing != PLAIN:
        prompts |= _read(base / phrasing, f"{name}/{phrasing}")
    return prompts | own


def load_folder(folder: Path, name: str, version: str = "") -> dict[str, Prompt]:
    """The prompts of a folder of versions, by name: those for a purpose other than playing.

    Args:
        folder: Folder with a sub-folder for each version.
        name: Name of the folder in the log, such as ``enacttom/author``.
        version: Version of the prompts, the newest by default; or a folder or file of the user, whose prompts replace
            those of the same name.

    Raises:
        UserError: if there is no such version, or a file cannot be filled.
    """
    own = _own(version)
    base = _in_folder(folder, "" if own else version, name)
    return _read(base, f"{name}/{base.name}") | own


def phrasings(world: World, version: str = "") -> list[str]:
    """The phrasings of a version, the plain one first."""
    return [PLAIN, *sorted(path.name for path in _version(world, version).iterdir() if path.is_dir())]


def words_of(prompts: Mapping[str, Prompt]) -> dict[str, str]:
    """The texts alone, as a mind takes them."""
    return {name: prompt.text for name, prompt in prompts.items()}


def hashes(prompts: Iterable[Prompt], methods: Iterable[Method] = ()) -> dict[str, str]:
    """The hash of each file by its name, for the log; those of methods too."""
    by_name = {prompt.name: prompt.sha256 for prompt in prompts}
    led = {f"methods/{METHODS.name}/{name}": METHODS / f"{name}{SUFFIX}" for name in methods if name != "plain"}
    return by_name | {name: sha256(path.read_bytes()).hexdigest() for name, path in led.items()}


def _own(version: str) -> dict[str, Prompt]:
    """The user's prompts, if the version is a folder or file of theirs."""
    is_own = version.endswith(SUFFIX) or (version and Path(version).is_dir())
    return _read(Path(version), "") if is_own else {}


def _version(world: World, version: str) -> Path:
    """The folder of a version of a world's prompts; that of the prompts for any world if it has none."""
    return _in_folder(world.prompts or ANY.parent, version, world.id)


def _in_folder(folder: Path, version: str, name: str) -> Path:
    """The sub-folder of a version, the newest by default. Other folders there hold prompts for other purposes."""
    known = sorted(path.name for path in folder.iterdir() if re.fullmatch(r"v\d+", path.name))
    if version and version not in known:
        raise UserError(f"{name} has no prompts of version {version!r}{nearest(version, known)}")
    return folder / (version or known[-1])


def _read(path: Path, name: str) -> dict[str, Prompt]:
    """The prompts of a folder, or of one file."""
    files = sorted(path.glob(f"*{SUFFIX}")) if path.is_dir() else [path]
    prompts = {}
    for file in files:
        try:
            content = file.read_bytes()
            text = content.decode()
        except (OSError, UnicodeDecodeError) as error:
            raise UserError(
                f"cannot read the prompt {file}: {getattr(error, 'strerror', error)}; check the path"
            ) from error
        _check(text, file)
        prompts[file.stem] = Prompt(f"{name}/{file.stem}" if name else str(file), text, sha256(content).hexdigest())
    return prompts


def _check(text: str, file: Path) -> None:
    try:
        parts = list(Formatter().parse(text))
    except ValueError as error:
        raise UserError(f"{file}: {error}; write {{{{ and }}}} for braces that are not fields") from None
    for _, field, form, turned in parts:
        if form or turned:
            raise UserError(f"{file}: {{{field}}} has a format specification; write the plain {{{field}}}")
