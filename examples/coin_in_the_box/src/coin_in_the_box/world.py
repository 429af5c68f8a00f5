"""The session and the world: turns of acts, a probe to everybody, then a bet on what the neighbour knows."""

from __future__ import annotations

from dataclasses import asdict

from coin_in_the_box.observe import Knowers, ledger_of, neighbour, view
from coin_in_the_box.rules import PEOPLE, SIDES, Event, State, actor, acts, step
from otherminds.core.episodes import Episode
from otherminds.core.errors import UserError
from otherminds.core.form import Choice, Form
from otherminds.core.ledger import Ledger
from otherminds.core.mind import Briefing
from otherminds.core.seeds import Draw
from otherminds.core.world import Anchors, Ask, Item, Outcome, Probe, Script, Session, World

YES, NO = "yes", "no"
ANSWER = Form.of(Choice("answer", (YES, NO)))
_RULES = (
    "You are {seat}, one of {people}. In the box lies a coin. In turn, each of you may wait, peek into the box, peek "
    "secretly, distract somebody, who then misses the next turn without noticing, or tell somebody how the coin lies. "
    "After {turns} turns you bet whether {neighbour} knows how the coin lies, as far as your evidence goes."
)


class CoinSession(Session):
    """One episode."""

    def __init__(self, seed: int, turns: int, episode: Episode) -> None:
        self.state, self.turns = State(Draw(seed, "coin").pick(SIDES)), turns
        self.events: list[Event] = []
        self.right: dict[str, bool] = {}
        super().__init__(episode)

    def script(self) -> Script:
        while self.state.turn < self.turns:
            who = actor(self.state)
            form = Form.of(Choice("act", acts(who)))
            ask = Ask(
                f"{self.state.turn + 1}/{who}", who, self.state.turn + 1, view(self.state, self.events, who), form
            )
            replies = yield [ask]
            self.state, event = step(self.state, replies[ask.id].value)
            self.events.append(event)
            self.episode.turns.append({"turn": self.state.turn, "replies": {ask.id: replies[ask.id].value}})
        probes = [self._last(who, Probe("knows", (neighbour(who),), neighbour(neighbour(who)))) for who in PEOPLE]
        answers = yield probes
        bets = [self._last(who) for who in PEOPLE]
        given = yield bets
        self.right = {ask.seat: given[ask.id].value == self.expected(ask.seat, (), neighbour(ask.seat)) for ask in bets}
        asked = [
            {"id": ask.id, "seat": ask.seat, "kind": "knows", "chain": list(ask.probe.chain), "about": ask.probe.about}
            | {"expected": self.expected(ask.seat, ask.probe.chain, ask.probe.about), "given": answers[ask.id].value}
            for ask in probes
            if ask.probe is not None
        ]
        values = {
            ask.id: reply.value for asks in (answers, given) for ask in (*probes, *bets) if (reply := asks.get(ask.id))
        }
        self.episode.turns.append({"turn": self.turns + 1, "replies": values, "probes": asked})
        self.episode.end = {"outcome": {"success": all(self.right.values()), "score": dict(self.outcome().score)}}

    def _last(self, who: str, probe: Probe | None = None) -> Ask:
        kind = "probe" if probe else "bet"
        return Ask(f"{kind}/{who}", who, self.turns + 1, view(self.state, self.events, who), ANSWER, probe)

    def expected(self, who: str, chain: tuple[str, ...], about: str) -> str:
        """What the evidence of a person supports."""
        return YES if about in ledger_of(self.events).belief((who, *chain)) else NO

    def briefing(self, seat: str) -> Briefing:
        def rules() -> str:
            people = ", ".join(PEOPLE)
            return _RULES.format(seat=seat, people=people, turns=self.turns, neighbour=neighbour(seat))

        return Briefing(Coin.id, seat, PEOPLE, {"turns": self.turns}, rules)

    def default(self, ask: Ask) -> str:
        wrong = {YES: NO, NO: YES}
        if ask.form is not ANSWER:
            return "wait"
        chain, about = (ask.probe.chain, ask.probe.about) if ask.probe else ((), neighbour(ask.seat))
        return wrong[self.expected(ask.seat, chain, about)]

    def outcome(self) -> Outcome:
        return Outcome(all(self.right.values()), {who: float(self.right.get(who, 0)) for who in PEOPLE})

    def truth(self) -> State:
        return self.state


class Coin(World):
    """People around a box with a coin.

    Args:
        turns: acts before everybody bets.
    """

    id = "coin-v0"
    anchors = Anchors("tracker", ceiling=1.0, chance=0.5)
    seats = PEOPLE

    def __init__(self, turns: int = 6) -> None:
        if turns < 1:
            raise UserError(f"turns is {turns}; expected at least 1")
        self.turns = turns

    def open(self, seed: int, item: Item | None = None, repeat: int = 0) -> CoinSession:
        start = {"coin": Draw(seed, "coin").pick(SIDES)}
        episode = Episode(f"coin-{self.turns}-{seed}-{repeat}", self.id, {"turns": self.turns}, [], seed, start)
        return CoinSession(seed, self.turns, episode)

    def ledger(self, episode: Episode, upto: int | None = None) -> Ledger[Event, Knowers]:
        state, events = State(episode.start["coin"]), list[Event]()
        for turn in episode.turns[: min(self.turns, len(episode.turns) if upto is None else upto)]:
            state, event = step(state, next(iter(turn["replies"].values())))
            events.append(event)
        return ledger_of(events)

    def terminal(self, state: State, params: object) -> str:
        return "\n".join(f"{name}: {value}" for name, value in asdict(state).items())
