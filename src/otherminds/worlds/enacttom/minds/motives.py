"""Minds that put something else before the shared goal: their private goal, or talking about it (spec 1.15, 3.8)."""

from __future__ import annotations

from typing import Any

from otherminds.worlds.enacttom.formulas import holds, literals, normal
from otherminds.worlds.enacttom.grounded_task import Deed, Values
from otherminds.worlds.enacttom.messages import Act, Atom, Message
from otherminds.worlds.enacttom.minds.planning.knowledge import Situation
from otherminds.worlds.enacttom.minds.tracker import DEEPEST, Tracker
from otherminds.worlds.enacttom.observe import Percept
from otherminds.worlds.enacttom.rules import WAIT, State, step
from otherminds.worlds.enacttom.session import Opening

_TRIED = 5000  # acts that are tried in the search for a way to a private goal


class Selfish(Tracker):
    """Pursues its private goal first, right or wrong, and then does its part as a tracker if that does not undo it.

    Without a private goal it is a tracker.
    """

    def __init__(self, depth: int = DEEPEST) -> None:
        super().__init__(depth, f"selfish:depth={depth}")

    def start(self, opening: Opening) -> None:
        super().start(opening)
        self._wish = self._ground.task.private.get(self._ground.task.names[self._agent])

    def act(self, turn: int) -> Act:
        planned = super().act(turn)
        supposed = [self._situations[world] for world in self._possible()]
        if self._wish is None or not supposed:
            return planned
        if all(self._has(situation) for situation in supposed):
            return planned if all(self._has(self._alone(s, planned)) for s in supposed) else WAIT
        way = self._way(next(s for s in supposed if not self._has(s)).state)
        if way == WAIT:
            return planned if isinstance(planned, Message) else WAIT
        return planned if way is None else way

    def _has(self, situation: Situation) -> bool:
        return holds(self._ground, self._wish, situation.state.values)

    def _joint(self, act: Act) -> list[Act]:
        return [act if person == self._agent else WAIT for person in range(len(self._ground.task.people))]

    def _alone(self, situation: Situation, act: Act) -> Situation:
        return self._knowledge.after(situation, self._joint(act))[0]

    def _way(self, start: State) -> Act | None:
        """The first act of a shortest way to its private goal without help; ``None`` if there is none."""
        deeds, tried = self._useful(), 0
        seen: set[tuple[int, Values]] = set()
        queue: list[tuple[State, Act | None]] = [(start, None)]
        for state, first in queue:
            if state.turn >= self._ground.task.horizon:
                continue
            for act in (*(d.name for d in deeds if d.is_possible(state.values, state.turn + 1)), WAIT):
                tried += 1
                after, _ = step(self._ground, state, self._joint(act))
                if holds(self._ground, self._wish, after.values):
                    return act if first is None else first
                if (after.turn, after.values) not in seen and tried < _TRIED:
                    seen.add((after.turn, after.values))
                    queue.append((after, act if first is None else first))
        return None

    def _useful(self) -> list[Deed]:
        """Its deeds that set something of its goal, or something that such a deed requires."""
        wanted = {self._ground.index[variable] for variable, _ in literals(normal(self._wish, self._ground.task))}
        mine = self._ground.by_name[self._agent].values()
        while True:
            useful = [deed for deed in mine if any(effect.variable in wanted for effect in deed.effects)]
            tests = {test for deed in useful for way in deed.ways for test in way.tests if test.is_equal}
            more = {test.variable for test in tests} - wanted
            if not more:
                return useful
            wanted |= more


class Discloser(Tracker):
    """Tells its private goal, and then what it knows, as early as it can to whomever it can reach.

    Otherwise it is a tracker.
    """

    def __init__(self, depth: int = DEEPEST) -> None:
        super().__init__(depth, f"discloser:depth={depth}")

    def start(self, opening: Opening) -> None:
        super().start(opening)
        self._told: set[Message] = set()

    def act(self, turn: int) -> Act:
        task, me = self._ground.task, self._agent
        for atom in (*self._intents(), *self._values()):
            for listener in task.numbers(task.talk.channels.get(task.names[me], ())):
                message = Message(me, (listener,), (atom,))
                if message not in self._told and self.can_send(message, turn):
                    return message
        return super().act(turn)

    def follow(self, own: Act, percept: Percept) -> None:
        super().follow(own, percept)
        if isinstance(own, Message) and not percept.refused:
            self._told.add(own)

    def _intents(self) -> list[Atom]:
        """Its deeds that bring about a part of its private goal, as intentions."""
        wish: Any = self._ground.task.private.get(self._ground.task.names[self._agent])
        if wish is None:
            return []
        wanted = {self._ground.test(*literal) for literal in literals(normal(wish, self._ground.task))}
        states = {(test.variable, test.value) for test in wanted}
        return [
            ("intent", name)
            for name, deed in self._ground.by_name[self._agent].items()
            if any((effect.variable, effect.value) in states for effect in deed.effects)
        ]

    def _values(self) -> list[Atom]:
        known = zip(self._ground.task.secrets, self._key.values, strict=True)
        return [("value", secret.name, secret.values[value]) for secret, value in known if value is not None]
