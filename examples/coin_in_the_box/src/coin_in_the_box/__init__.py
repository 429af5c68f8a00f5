"""The coin in the box: a world in one small package. Read types, rules, observe, ledger, world, minds, in this order."""

from __future__ import annotations

from otherminds.core.registry import Entry, register


def register_all() -> None:
    """Tell otherminds what there is. Its entry point is in pyproject.toml."""
    register(
        Entry("world", "coin-v0", "coin_in_the_box.world:Coin", "people around a box: who knows how the coin lies?")
    )
    for name, summary in (
        ("tracker", "bets by the ledger of what it has perceived: always right"),
        ("egocentric", "takes everybody to know what it knows itself"),
    ):
        register(Entry("mind", name, f"coin_in_the_box.minds:{name}", summary, world="coin"))
