"""Two minds that show what the world measures."""

from __future__ import annotations

from coin_in_the_box.observe import ledger_of, neighbour
from otherminds.core.mind import BaseMind, Reply
from otherminds.core.world import Ask


class _Bettor(BaseMind):
    def reply(self, ask: Ask) -> Reply:
        if ask.probe is None and "wait" in (ask.form.closed() or ()):
            return Reply("peek" if not ask.view.data else "wait")
        chain, about = (ask.probe.chain, ask.probe.about) if ask.probe else ((), neighbour(ask.seat))
        return Reply("yes" if self.believes(ask, chain, about) else "no")

    def believes(self, ask: Ask, chain: tuple[str, ...], about: str) -> bool:
        raise NotImplementedError


class tracker(_Bettor):  # its name as a mind
    """Bets by the ledger of what it has perceived."""

    def believes(self, ask: Ask, chain: tuple[str, ...], about: str) -> bool:
        return about in ledger_of(list(ask.view.log)).belief(chain)


class egocentric(_Bettor):
    """Takes everybody to know what it knows itself."""

    def believes(self, ask: Ask, chain: tuple[str, ...], about: str) -> bool:
        return bool(ask.view.data)
