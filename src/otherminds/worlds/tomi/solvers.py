"""Both solvers on random stories: the ledger and the perspectives must agree."""

from __future__ import annotations

from itertools import permutations

from otherminds.core.seeds import Draw
from otherminds.worlds.tomi import perspective
from otherminds.worlds.tomi.knobs import Knobs
from otherminds.worlds.tomi.rules import simulate
from otherminds.worlds.tomi.sample import skeleton

# Everything that stories can have: secret watchers, the distracted, words, several objects and rooms, four orders.
_RICH = (
    Knobs(agents=4, order=4, changes=24, peeks=0.4, distractions=0.4, tells=0.2),
    Knobs(
        agents=4, rooms=3, containers=6, objects=2, moves=4, order=4, changes=24, peeks=0.3, distractions=0.3, tells=0.2
    ),
    Knobs(agents=3, distractors=1, order=3, changes=12, peeks=0.5, distractions=0.5, is_open=False),
)


def disagreements(first: int, number: int) -> int:
    """How often ledger and perspectives differ on numbered random stories, over a chain of each order and object."""
    found = 0
    for index in range(first, first + number):
        knobs, draw = _RICH[index % len(_RICH)], Draw(index, "tomi/solvers")
        story, _, _ = skeleton(knobs, draw, index % (knobs.order + 1))
        history = simulate(story)
        for order in range(1, 5):
            chain = draw.pick(list(permutations(range(story.num_agents), order)))
            for thing in range(story.num_objects):
                found += history.beliefs.belief(chain, thing) != perspective.believed(story, chain, thing)
    return found
