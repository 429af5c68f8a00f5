"""The session and the world: turns of acts, a probe to everybody, then a bet on what the neighbour knows."""

from collections.abc import Mapping
from typing import Any

from coin_in_the_box.observe import Knowers, ledger_of, view
from coin_in_the_box.rules import PEOPLE, SIDES, Event, State, actor, acts, neighbour, step
from otherminds import api as om

YES, NO = "yes", "no"
ANSWER = om.Form.of(om.Choice("answer", (YES, NO)))
ACTS = {who: om.Form.of(om.Choice("act", acts(who))) for who in PEOPLE}
_RULES = (
    "You are {seat}, one of {people}. In the box lies a coin. In turn, each of you may wait, peek into the box, peek "
    "secretly, distract somebody, who then misses the next turn without noticing, or tell somebody how the coin lies. "
    "After {turns} turns you bet whether {neighbour} knows how the coin lies, as far as your evidence goes."
)


class CoinSession(om.Session):
    """One episode."""

    def __init__(self, state: State, turns: int, episode: om.Episode) -> None:
        self.state, self.turns, self.events, self.right = state, turns, list[Event](), dict[str, bool]()
        super().__init__(episode)

    def script(self) -> om.Script:
        while self.state.turn < self.turns:
            who, number = actor(self.state), self.state.turn + 1
            ask = om.Ask(f"{number}/{who}", who, number, view(self.state, self.events, who), ACTS[who])
            replies = yield [ask]
            self.state, event = step(self.state, replies[ask.id].value)
            self.events.append(event)
            self.episode.turns.append({"turn": number, "replies": {ask.id: replies[ask.id].value}})
        probes = [self._last(who, om.Probe("knows", (neighbour(who),), neighbour(neighbour(who)))) for who in PEOPLE]
        answers = yield probes
        given = yield (bets := [self._last(who) for who in PEOPLE])
        self.right = {ask.seat: given[ask.id].value == self.expected(ask) for ask in bets}
        values = {ask: reply.value for ask, reply in {**answers, **given}.items()}
        asked = [self.probe_line(ask, values[ask.id], self.expected(ask)) for ask in probes]
        self.episode.turns.append({"turn": self.turns + 1, "replies": values, "probes": asked})
        self.episode.end = {"outcome": self.outcome()._asdict()}

    def _last(self, who: str, probe: om.Probe | None = None) -> om.Ask:
        seen = view(self.state, self.events, who)
        return om.Ask(f"{'probe' if probe else 'bet'}/{who}", who, self.turns + 1, seen, ANSWER, probe)

    def expected(self, ask: om.Ask) -> str:
        """What the evidence of a seat supports."""
        chain, about = (ask.probe.chain, ask.probe.about) if ask.probe else ((), neighbour(ask.seat))
        return YES if about in ledger_of(self.events).belief((ask.seat, *chain)) else NO

    def briefing(self, seat: str) -> om.Briefing:
        fields = {"seat": seat, "people": ", ".join(PEOPLE), "turns": self.turns, "neighbour": neighbour(seat)}
        return om.Briefing(Coin.id, seat, PEOPLE, {"turns": self.turns}, lambda: _RULES.format(**fields))

    def default(self, ask: om.Ask) -> str:
        return "wait" if ask.form is not ANSWER else NO if self.expected(ask) == YES else YES

    def outcome(self) -> om.Outcome:
        return om.Outcome(all(self.right.values()), {who: float(self.right.get(who, 0)) for who in PEOPLE})

    def truth(self) -> State:
        return self.state


class Coin(om.World):
    """People around a box with a coin; everybody bets after so many turns."""

    id = "coin-v0"
    anchors = om.Anchors("tracker", ceiling=1.0, chance=0.5)
    seats = PEOPLE

    def __init__(self, turns: int = 6) -> None:
        self.turns = turns
        if type(turns) is not int or turns < 1:
            raise om.UserError(f"turns is {turns!r}; expected a whole number of at least 1")

    def open(self, seed: int, item: om.Item | None = None, repeat: int = 0, side: str = "") -> CoinSession:
        coin, name = side or om.Draw(seed, "coin").pick(SIDES), f"coin-{self.turns}-{seed}-{repeat}"
        episode = om.Episode(name, self.id, {"turns": self.turns}, {}, seed, {"coin": coin})
        return CoinSession(State(coin), self.turns, episode)

    def alike(self, seed: int, seat: str) -> tuple[om.Session, om.Session]:
        return self.open(seed, side="heads"), self.open(seed, side="tails")

    def ledger(self, episode: om.Episode, upto: int | None = None) -> om.Ledger[Event, Knowers]:
        state, events = State(episode.start["coin"]), list[Event]()
        for turn in episode.turns[: min(self.turns, len(episode.turns) if upto is None else upto)]:
            state, event = step(state, next(iter(turn["replies"].values())))
            events.append(event)
        return ledger_of(events)

    def expected(self, episode: om.Episode, probe: Mapping[str, Any]) -> str:
        return YES if probe["about"] in self.ledger(episode).belief((probe["seat"], *probe["chain"])) else NO
