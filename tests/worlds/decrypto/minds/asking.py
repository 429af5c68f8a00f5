"""Minds of Decrypto by name, seated and asked one thing at a time, and whole episodes with any minds."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from otherminds.core.episodes import Episode
from otherminds.core.match import play_one
from otherminds.core.mind import Briefing
from otherminds.core.world import Ask
from otherminds.minds.find import find_mind
from otherminds.worlds.decrypto.observe import RoleView
from otherminds.worlds.decrypto.probes import answer_form, question
from otherminds.worlds.decrypto.session import DecryptoSession
from otherminds.worlds.decrypto.text import DecryptoView
from otherminds.worlds.decrypto.types import ROLES, Game, Rules
from otherminds.worlds.decrypto.world import Decrypto, Situation

WORLD = Decrypto()


def named(spec: str, seat: str) -> Any:
    return find_mind(spec, WORLD, seat)


def seated(mind: Any, seat: str = "eve", rules: Rules | None = None, seed: int = 0) -> Any:
    """The mind at the beginning of an episode."""
    mind.begin(seat, Briefing("decrypto-v0", seat, ROLES, rules or Rules()), seed)
    return mind


def probe_of(
    view: RoleView, about: Any, whose: Any = "now", shown: Any = None, hints: Any = None, name: str = "q"
) -> Ask:
    probe = question(about, whose, shown)
    known = DecryptoView(view._replace(hints=hints or view.hints), probe)
    return Ask(f"{view.turn}/{view.role}/{name}", view.role, view.turn, known, answer_form(about, view.rules), probe)


def asked(mind: Any, view: RoleView, *about: Any, **more: Any) -> Any:
    """The answer to a probe."""
    return mind.reply(probe_of(view, *about, **more)).value


def opened(game: Game, study: Any = None) -> DecryptoSession:
    from otherminds.core.world import Item

    return WORLD.open(0, Item(f"decrypto-{game.seed}", Situation(game, study)))


def minds(**given: Any) -> dict[str, Any]:
    """Minds by seat: objects, or names; glove where none is given."""
    found = {seat: given.get(seat, "glove") for seat in ROLES}
    return {seat: named(mind, seat) if isinstance(mind, str) else mind for seat, mind in found.items()}


def played(game: Game, seats: dict[str, Any], study: Any = None, attempts: int | None = None) -> tuple[Game, Episode]:
    session = opened(game, study)
    episode = play_one(session, seats, attempts)
    return session.game, episode


def turns_of(episodes: Sequence[Episode]) -> list[Any]:
    return [episode.turns for episode in episodes]
