"""The prompts of a world by name: one file each, in a folder for each version, and in it a folder for each phrasing.

A phrasing holds the files whose words it changes. What a world has no words for is taken from those that serve any.
"""

from __future__ import annotations

from pathlib import Path

from otherminds.core.errors import UserError, nearest

ANY = Path(__file__).parent / "prompts" / "any" / "v1"
PLAIN = "plain"  # the phrasing that changes nothing


def versions(folder: Path) -> list[str]:
    """The versions of a world's prompts, oldest first."""
    return sorted(path.name for path in folder.iterdir() if path.is_dir())


def phrasings(folder: Path, version: str = "") -> list[str]:
    """The phrasings of a version, the plain one first."""
    return [
        PLAIN,
        *sorted(path.name for path in (folder / (version or versions(folder)[-1])).iterdir() if path.is_dir()),
    ]


def load_words(folder: Path | None, version: str = "", phrasing: str = PLAIN) -> dict[str, str]:
    """The words of every prompt by its name.

    Args:
        folder: of the world's prompts; ``None`` if it has none.
        version: the newest if it is not said.
        phrasing: one of :func:`phrasings`.

    Raises:
        UserError: if there is no such version or phrasing.
    """
    found = _read(ANY)
    if folder is None:
        return found
    known = versions(folder)
    if version and version not in known:
        raise UserError(f"there are no prompts of version {version!r}{nearest(version, known)}")
    chosen = version or known[-1]
    if phrasing and phrasing not in phrasings(folder, chosen):
        raise UserError(f"there is no phrasing {phrasing!r}{nearest(phrasing, phrasings(folder, chosen))}")
    found |= _read(folder / chosen)
    return found if phrasing in ("", PLAIN) else found | _read(folder / chosen / phrasing)


def _read(folder: Path) -> dict[str, str]:
    return {path.stem: path.read_text(encoding="utf-8") for path in sorted(folder.glob("*.txt"))}
