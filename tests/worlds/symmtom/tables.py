"""A small world of SymmToM, and tables of it with any minds."""

from __future__ import annotations

from otherminds.core.episodes import Episode
from otherminds.core.match import play_one
from otherminds.core.mind import Mind, Policy
from otherminds.core.world import Item
from otherminds.minds.policy import PolicyMind
from otherminds.worlds.symmtom.types import Params
from otherminds.worlds.symmtom.world import SymmToM

PARAMS = Params(num_agents=3, width=5, num_pieces=3, num_turns=6)
WORLD = SymmToM(params=PARAMS)


def at_table(*minds: Mind | Policy, world: SymmToM = WORLD) -> dict[str, Mind]:
    policies = {id(mind): PolicyMind(mind) for mind in minds if isinstance(mind, Policy)}
    return {seat: policies.get(id(mind), mind) for seat, mind in zip(world.seats, minds, strict=True)}  # type: ignore[arg-type]


def played(*minds: Mind | Policy, seed: int = 0, world: SymmToM = WORLD, item: Item | None = None) -> Episode:
    return play_one(world.open(seed, item), at_table(*minds, world=world))
