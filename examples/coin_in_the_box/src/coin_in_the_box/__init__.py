"""The coin in the box: a world in one small package. Read rules, observe, world and minds, in this order."""

from otherminds.api import Entry, register


def register_all() -> None:
    """Tell otherminds what there is. Its entry point is in pyproject.toml."""
    register(Entry("world", "coin-v0", "coin_in_the_box.world:Coin", "a coin in a box; who knows how it lies?"))
    minds = {
        "tracker": ("Tracker", "bets by the ledger of what it has perceived: always right"),
        "egocentric": ("Egocentric", "takes everybody to know what it knows itself"),
        "decoupled": ("decoupled", "says what the tracker says, bets like the egocentric"),
    }
    for name, (target, summary) in minds.items():
        register(Entry("mind", name, f"coin_in_the_box.minds:{target}", summary, world="coin"))
