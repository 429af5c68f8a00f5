"""Whether the answers that a record expects are those that could be given: worked out again from what was done."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from otherminds.core.episodes import Episode
from otherminds.core.errors import UserError
from otherminds.worlds.enacttom.carried import DEEPER, probe_of, wanted_of
from otherminds.worlds.enacttom.check import applies
from otherminds.worlds.enacttom.decisions import guard_probes
from otherminds.worlds.enacttom.labels import Labeller
from otherminds.worlds.enacttom.observe import first_look, notes, perceive
from otherminds.worlds.enacttom.probes import answer, askable
from otherminds.worlds.enacttom.record import Played
from otherminds.worlds.enacttom.views import View


def check_answers(played: Played, episode: Episode) -> None:
    """Refuse a record with an expected answer, a mark or a reached K-goal that does not follow from its turns.

    Raises:
        UserError: names the turn and the question.
    """
    where, house = f"episode {episode.id!r}", played.params
    if not any(line.get("probes") or line.get("wishes") for line in (*episode.turns, episode.end or {})):
        return
    ground, world, task = house.ground, house.world, house.ground.task
    people, before = range(len(task.people)), played.states[0].state
    labels = Labeller(ground, world)
    views = [View.begin(ground, i, notes(ground, world, i), first_look(ground, before, i)) for i in people]

    def check(line: Mapping[str, Any], here: str, acts: tuple[Any, ...] | None) -> None:
        for at, one in enumerate(line.get("probes", ())):
            probe = probe_of(task, one, f"{here}: probes[{at}]")
            needed = guard_probes(ground, world, before, probe.asked, acts[probe.asked]) if acts else ()
            for field, right in {
                "expected": answer(views[probe.asked], probe, labels.ledger),
                "is_needed": probe in needed,
                "is_scored": probe.secret in askable(ground),
            }.items():
                _same(one[field], right, f"{here}: probes[{at}].{field}")

    for number, moment in enumerate(played.states[1:], 1):
        outcome = moment.outcome
        assert outcome is not None  # only the first has none
        check(moment.line, f"{where}, turn {number}", outcome.acts)
        labels.follow(moment.state, outcome)
        for i, view in enumerate(views):
            view.follow(outcome.acts[i], perceive(ground, before, moment.state, outcome, i))
        before = moment.state
    end = episode.end or {}
    check(end, f"{where}, end", None)
    if "wishes" not in end:
        return
    asked = [wish for wish in task.wishes if applies(task, wish, world)]
    _same(len(end["wishes"]), len(asked), f"{where}, end: the number of wishes")
    for at, (one, wish) in enumerate(zip(end["wishes"], asked, strict=True)):
        here, secret = f"{where}, end: wishes[{at}]", task.secret(wish.about)
        chain = tuple(task.names.index(name) for name in wish.chain)
        probe = probe_of(task, one, here, DEEPER)
        _same((probe.asked, *probe.chain, probe.secret), (*chain, secret), here)
        _same(one["is_reached"], labels.knows(chain, secret), f"{here}.is_reached")
        if len(chain) == 1:
            _same(wanted_of(one), task.value(world, wish.about), f"{here}.expected")


def _same(found: Any, right: Any, where: str) -> None:
    if found != right:
        raise UserError(f"{where} is {found!r}; by what was done it is {right!r}")
