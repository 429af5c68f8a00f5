"""Probes: questions to a person about what it knows, and what it knows of others' knowledge (spec 6.3)."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from otherminds.core.ledger import Ledger
from otherminds.worlds.enacttom.grounded_task import Ground
from otherminds.worlds.enacttom.ledger import BeliefState, Shown, believed
from otherminds.worlds.enacttom.observe import opening
from otherminds.worlds.enacttom.seat_view import SeatView, about, chances, is_known, knows_at_first, possible_worlds
from otherminds.worlds.enacttom.types import Task, World

Kind = Literal["value", "knows", "thinks"]
CANNOT_TELL, YES, NO = "cannot tell", "yes", "no"
_ABOUT_ONE: tuple[Kind, ...] = ("knows", "thinks")


@dataclass(frozen=True, slots=True)
class ProbeQuestion:
    """A question to one person.

    Attributes:
        asked: the person who is asked.
        kind: ``value`` for the value of a secret, ``knows`` for whether the chain knows it, ``thinks`` for the value
            that the person of the chain believes.
        chain: other people: none for ``value``; one for ``thinks``; one or more for ``knows`` (whether the first knows
            that the second knows …).
        secret: the number of the secret.
    """

    asked: int
    kind: Kind
    chain: tuple[int, ...]
    secret: int


def options(task: Task, probe: ProbeQuestion) -> tuple[str, ...]:
    """The answers to choose from, *cannot tell* among them."""
    return (*((YES, NO) if probe.kind == "knows" else task.secrets[probe.secret].values), CANNOT_TELL)


def answer(view: SeatView, probe: ProbeQuestion, ledger: Ledger[Shown, BeliefState] | None = None) -> str:
    """The right answer to a probe, by what the person asked has perceived.

    Others know a secret if the ledger or the task says so. They do not know it if there is no way in which they could
    have learned it. In all other cases nobody in the person's place could tell.

    Args:
        view: the view of the person asked.
        probe: the question.
        ledger: the ledger of the whole episode. [default: the ledger of the view]
    """
    me, secret, values = probe.asked, probe.secret, view.ground.task.secrets[probe.secret].values
    events = about(view.ledger if ledger is None else ledger, secret)
    own = believed(events, (me,)).get(secret)
    if probe.kind == "value":
        return CANNOT_TELL if own is None else values[own]
    worlds = possible_worlds(view)
    is_given = all(knows_at_first(view.ground, world, probe.chain, secret) for world in worlds)
    is_so = is_given or is_known(events, (me, *probe.chain), secret)
    if probe.kind == "thinks":
        theirs = believed(events, (me, *probe.chain)).get(secret)
        theirs = own if theirs is None and is_so else theirs  # a person who is said to know it believes the true value
        return CANNOT_TELL if theirs is None else values[theirs]
    if is_so:
        return YES
    possible = chances(view, secret, worlds)
    may_be = probe.chain[0] in possible.knowers if len(probe.chain) == 1 else probe.chain in possible.pairs
    return CANNOT_TELL if may_be else NO


def depth(probe: ProbeQuestion) -> int:
    """The depth that an answer requires: 1 for a value, 2 for another's mind, 3 for what another knows of a third."""
    return 1 + len(probe.chain)


def candidates(ground: Ground, asked: int) -> tuple[ProbeQuestion, ...]:
    """All probes for a person, about the secrets that can be learned only by seeing or being told them."""
    people = [person for person in range(len(ground.task.people)) if person != asked]
    pairs = [(a, b) for a in people for b in range(len(ground.task.people)) if a != b]
    return tuple(
        probe
        for secret in askable(ground)
        for probe in (
            ProbeQuestion(asked, "value", (), secret),
            *(ProbeQuestion(asked, kind, (person,), secret) for kind in _ABOUT_ONE for person in people),
            *(ProbeQuestion(asked, "knows", pair, secret) for pair in pairs),
        )
    )


def goal_probes(chain: tuple[int, ...], secret: int) -> tuple[ProbeQuestion, ProbeQuestion | None]:
    """The probe for a K-goal, and the probe to another person whose answer it predicts, if any."""
    first, *others = chain
    if not others:
        return ProbeQuestion(first, "value", (), secret), None
    second, *rest = others
    kinds: tuple[Kind, Kind] = ("knows", "knows") if rest else ("thinks", "value")
    return ProbeQuestion(first, kinds[0], tuple(others), secret), ProbeQuestion(second, kinds[1], tuple(rest), secret)


@lru_cache(maxsize=256)
def askable(ground: Ground) -> tuple[int, ...]:
    """The secrets that cannot be inferred from anything else, so that the ledger accounts for all knowledge of them.

    Excluded are secrets that other secrets, notes about other things or a first look give away, and secrets that show
    in the effects of deeds.
    """
    return tuple(
        secret
        for secret in range(len(ground.task.secrets))
        if not _shows(ground, secret) and all(_is_free(ground, secret, world) for world in ground.task.worlds)
    )


def _is_free(ground: Ground, secret: int, world: World) -> bool:
    """Whether another world differs in the secret alone, and looks the same to everybody who is not shown it."""
    name = ground.task.secrets[secret].name
    people = range(len(ground.task.people))

    def seen(start: World, agent: int) -> tuple[object, ...]:
        read, first = opening(ground, start, agent)
        return [note for note in read if note[0] != name], [pair for pair in first.seen if pair[0] != secret]

    return any(
        other != world
        and all(a == b for at, (a, b) in enumerate(zip(world, other, strict=True)) if at != secret)
        and all(seen(world, agent) == seen(other, agent) for agent in people)
        for other in ground.task.worlds
    )


def _shows(ground: Ground, secret: int) -> bool:
    """Whether deeds have effects that reveal the secret. A flag that only the goal tests reveals nothing."""
    tested = {t.variable for deed in ground.deeds for way in deed.ways for t in way.tests}
    tested |= {test.variable for _, test in ground.audible}
    effects = [*ground.ticks, *(effect for deed in ground.deeds for effect in deed.effects)]
    return secret in tested or any(
        any(test.variable == secret for test in effect.tests)
        and (effect.variable in tested or not ground.variables[effect.variable].startswith("flag "))
        for effect in effects
    )
