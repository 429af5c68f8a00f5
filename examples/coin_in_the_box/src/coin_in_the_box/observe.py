"""What a seat perceives, and the ledger of who could know what. The one file to review for leaks."""

from dataclasses import replace

from coin_in_the_box.rules import Event, State
from otherminds.api import Ledger, Probe, View

Knowers = frozenset[str]


def appears(event: Event, observer: object) -> Event | None:
    """An event as somebody perceives it. Within anyone's view, others perceive what they are taken to perceive."""
    return replace(event, really=event.apparently) if observer in event.really else None


def update(knowers: Knowers, event: Event) -> Knowers:
    """Who knows how the coin lies, after an event."""
    verb, _, other = event.act.partition(" ")
    if verb == "peek":
        return knowers | {event.actor}
    return knowers | {event.actor, other} if verb == "tell" else knowers


def ledger_of(events: list[Event]) -> Ledger[Event, Knowers]:
    """The ledger of an episode."""
    return Ledger(appears, update, frozenset(), list(events))


class CoinView(View):
    """The events that a person perceived, and the coin if it knows how it lies."""

    __slots__ = ()

    def text(self) -> str:
        told = [f"{event.actor} does this: {event.act}." for event in self.log] or ["Nothing has happened yet."]
        return "\n".join([*told, f"The coin shows {self.data}." if self.data else "You do not know how the coin lies."])

    def question(self, probe: Probe) -> str:
        if not probe.chain:
            return f"Does {probe.about} know how the coin lies, as far as you can tell?"
        return f"Does {probe.chain[0]} think that {probe.about} knows how the coin lies, as far as you can tell?"


def view(state: State, events: list[Event], who: str) -> CoinView:
    """What a person has perceived so far."""
    seen = tuple(seen for event in events if (seen := appears(event, who)) is not None)
    return CoinView(state.coin if who in state.knowers else "", seen)
