"""What somebody can still do when its partners have left the policy that it follows: its own part, as far as it knows.

It does the next deed of its part of the shortest plan if that is the same in every world that it holds possible, and
tells what it knows to who needs it. It commits itself to nothing whose guard it does not know to hold (spec 4.3).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import replace

from otherminds.players.enacttom.scripted import plan_for
from otherminds.worlds.enacttom.chances import possible_worlds
from otherminds.worlds.enacttom.decisions import guard, stakes_by_name
from otherminds.worlds.enacttom.messages import Message, cost, forbids
from otherminds.worlds.enacttom.observe import Percept
from otherminds.worlds.enacttom.probes import YES, Probe
from otherminds.worlds.enacttom.rules import WAIT, Act, begin
from otherminds.worlds.enacttom.views import People, View


class Improviser:
    """Finds an act that is right by what somebody has perceived.

    Args:
        view: what it has perceived; whoever made it keeps it up to date.
        report: what it says when it is asked, to the depth that it looks.
    """

    def __init__(self, view: View, report: Callable[[Probe], str]) -> None:
        self._view, self._report = view, report
        self._ground, self._agent = view.ground, view.agent
        self._done: Counter[Act] = Counter()
        self._budget = view.ground.task.talk.budgets.get(view.ground.task.names[view.agent], 0)

    def follow(self, own: Act, percept: Percept) -> None:
        """Take in a turn."""
        if not percept.refused:
            self._done[own] += 1
            self._budget -= cost(self._ground.task, own) if isinstance(own, Message) else 0

    def act(self, turn: int) -> Act:
        """A message that somebody needs, else the next deed; waiting if neither is known to be right."""
        for act in (*self._messages(turn), self._deed()):
            if self._is_right(act):
                return act
        return WAIT

    def value(self, secret: int) -> int | None:
        """What it takes a secret to be."""
        values = self._ground.task.secrets[secret].values
        said = self._report(Probe(self._agent, "value", (), secret))
        return values.index(said) if said in values else None

    def knows(self, chain: People, secret: int) -> bool:
        """Whether it can tell that the chain knows a secret."""
        return self._report(Probe(self._agent, "knows", chain, secret)) == YES

    def _is_right(self, act: Act) -> bool:
        """Whether its guard holds wherever it may be. Of the house it takes nothing to be settled."""
        for world in possible_worlds(self._view):
            state = begin(self._ground, world)
            left = tuple(self._budget if at == self._agent else b for at, b in enumerate(state.budgets))
            state = replace(state, budgets=left)
            if not guard(self._ground, world, state, self._agent, act, self, {}).is_met:
                return False
        return True

    def _messages(self, turn: int) -> Iterator[Message]:
        """Values that it knows, to those who have a deed that takes them and may lack them."""
        task = self._ground.task
        for listener in map(task.names.index, task.talk.channels.get(task.names[self._agent], ())):
            needed = {s for stake in stakes_by_name(self._ground)[listener].values() for s in stake.needs}
            for secret in sorted(needed):
                value = self.value(secret)
                if value is None or self.knows((listener,), secret):
                    continue
                atom = ("value", task.secrets[secret].name, task.secrets[secret].values[value])
                message = Message(self._agent, (listener,), (atom,))
                if not self._done[message] and not forbids(task, self._agent, message, self._budget, turn):
                    yield message

    def _deed(self) -> Act:
        """The first of its part that it has not done, if it is the same in all worlds that it holds possible."""
        found = set()
        for world in possible_worlds(self._view):
            done = self._done.copy()
            part = [acts[self._agent] for acts in plan_for(self._ground, world) or ()]
            todo: Act = WAIT
            for act in part:
                if act != WAIT and not done[act]:
                    todo = act
                    break
                done[act] -= 1
            found.add(todo)
        return found.pop() if len(found) == 1 else WAIT
