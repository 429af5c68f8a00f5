"""Minds that show what the world measures."""

from coin_in_the_box.observe import ledger_of
from coin_in_the_box.rules import neighbour
from otherminds.api import Ask, BaseMind, DecoupledMind, Reply


class Egocentric(BaseMind):
    """Peeks secretly, and takes everybody to know what it knows itself."""

    name = "egocentric"

    def reply(self, ask: Ask) -> Reply:
        if "wait" in (ask.form.closed() or ()):
            return Reply("wait" if ask.view.data else "peek secretly")
        chain, about = (ask.probe.chain, ask.probe.about) if ask.probe else ((), neighbour(ask.seat))
        return Reply("yes" if self.believes(ask, chain, about) else "no")

    def believes(self, ask: Ask, chain: tuple[str, ...], about: str) -> bool:
        return bool(ask.view.data)


class Tracker(Egocentric):
    """Does the same, and bets by the ledger of what it has perceived."""

    name = "tracker"

    def believes(self, ask: Ask, chain: tuple[str, ...], about: str) -> bool:
        return about in ledger_of(list(ask.view.log)).belief(chain)


def decoupled() -> DecoupledMind:
    """Says what the tracker says, and bets like the egocentric."""
    return DecoupledMind(Egocentric(), Tracker())
