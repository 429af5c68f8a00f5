"""What can be asked of a person during a run, besides acting: what it knows, and what it knows of others (spec 6.3)."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from otherminds.core.ledger import Ledger
from otherminds.worlds.enacttom.ground import Ground
from otherminds.worlds.enacttom.labels import Mind, Shown, believed
from otherminds.worlds.enacttom.observe import opening
from otherminds.worlds.enacttom.types import Task, World
from otherminds.worlds.enacttom.views import View, about, chances, is_known, knows_at_first, possible_worlds

Kind = Literal["value", "knows", "thinks"]
CANNOT_TELL, YES, NO = "cannot tell", "yes", "no"
_ABOUT_ONE: tuple[Kind, ...] = ("knows", "thinks")


@dataclass(frozen=True, slots=True)
class Probe:
    """A question to one person.

    Attributes:
        asked: who is asked.
        kind: ``value``, what a secret is; ``knows``, whether the chain knows it; ``thinks``, what the chain's one
            person takes it to be.
        chain: of whom: nobody for ``value``; one for ``thinks``; one or two for ``knows`` (whether the first knows
            that the second knows).
        secret: its number.
    """

    asked: int
    kind: Kind
    chain: tuple[int, ...]
    secret: int


def options(task: Task, probe: Probe) -> tuple[str, ...]:
    """The answers to choose from; that one cannot tell is always one."""
    return (*((YES, NO) if probe.kind == "knows" else task.secrets[probe.secret].values), CANNOT_TELL)


def answer(view: View, probe: Probe, ledger: Ledger[Shown, Mind] | None = None) -> str:
    """What who is asked can rightly say, by what it has perceived.

    Its own value is what it takes a secret to be. Others know what the ledger or the task says that they do; they do
    not where there is no way in which they could have come to; else nobody in its place could tell.

    Args:
        view: of who is asked.
        probe: the question.
        ledger: of the whole run, for the truth; its own by default.
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
        theirs = own if theirs is None and is_so else theirs  # who is said to know it takes it to be what it is
        return CANNOT_TELL if theirs is None else values[theirs]
    if is_so:
        return YES
    found = chances(view, secret, worlds)
    may_be = probe.chain[0] in found.one if len(probe.chain) == 1 else probe.chain in found.two
    return CANNOT_TELL if may_be else NO


def depth(probe: Probe) -> int:
    """How deep one must look to answer: 1 for a value, 2 for another's mind, 3 for what another knows of a third."""
    return 1 + len(probe.chain)


def candidates(ground: Ground, asked: int) -> tuple[Probe, ...]:
    """All that can be asked of a person, about the secrets that can be learned only by being shown or told them."""
    people = [person for person in range(len(ground.task.people)) if person != asked]
    pairs = [(a, b) for a in people for b in range(len(ground.task.people)) if a != b]
    return tuple(
        probe
        for secret in askable(ground)
        for probe in (
            Probe(asked, "value", (), secret),
            *(Probe(asked, kind, (person,), secret) for kind in _ABOUT_ONE for person in people),
            *(Probe(asked, "knows", pair, secret) for pair in pairs),
        )
    )


def goal_probes(chain: tuple[int, ...], secret: int) -> tuple[Probe, Probe | None]:
    """The question for a K-goal, and the one to another person whose answer is to be predicted, if there is one."""
    first, *others = chain
    if not others:
        return Probe(first, "value", (), secret), None
    second, *rest = others
    kinds: tuple[Kind, Kind] = ("knows", "knows") if rest else ("thinks", "value")
    return Probe(first, kinds[0], tuple(others), secret), Probe(second, kinds[1], tuple(rest), secret)


@lru_cache(maxsize=256)
def askable(ground: Ground) -> tuple[int, ...]:
    """Secrets that cannot be worked out from anything else, so that the ledger says all there is to know of them.

    Left out are those that a world's other secrets, notes about other things or a first look give away, and those that
    show in what deeds do.
    """
    return tuple(
        secret
        for secret in range(len(ground.task.secrets))
        if not _shows(ground, secret) and all(_is_free(ground, secret, world) for world in ground.task.worlds)
    )


def _is_free(ground: Ground, secret: int, world: World) -> bool:
    """Whether another world differs in the secret alone, and looks the same to all who are not shown it."""
    name = ground.task.secrets[secret].name
    people = range(len(ground.task.people))

    def seen(one: World, agent: int) -> tuple[object, ...]:
        read, first = opening(ground, one, agent)
        return [note for note in read if note[0] != name], [pair for pair in first.seen if pair[0] != secret]

    return any(
        other != world
        and all(a == b for at, (a, b) in enumerate(zip(world, other, strict=True)) if at != secret)
        and all(seen(world, agent) == seen(other, agent) for agent in people)
        for other in ground.task.worlds
    )


def _shows(ground: Ground, secret: int) -> bool:
    """Whether what deeds do depends on it where that can be noticed; a flag that only the goal looks at cannot."""
    tested = {t.variable for deed in ground.deeds for way in deed.ways for t in way.tests}
    tested |= {test.variable for _, test in ground.audible}
    effects = [*ground.ticks, *(effect for deed in ground.deeds for effect in deed.effects)]
    return secret in tested or any(
        any(test.variable == secret for test in effect.tests)
        and (effect.variable in tested or not ground.variables[effect.variable].startswith("flag "))
        for effect in effects
    )
