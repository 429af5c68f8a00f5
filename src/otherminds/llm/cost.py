"""An estimate of the cost of an evaluation, from a rehearsal without models.

Some episodes are played with random replies in the models' seats, so that the messages are the real ones. The counts
are extrapolated to the last turn, because good minds last longer than random ones. Failed attempts are not counted.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from otherminds.core.match import play_one
from otherminds.core.mind import Briefing, Mind, Reply
from otherminds.core.seeds import Draw
from otherminds.core.world import Ask, Item, World
from otherminds.llm.options import ModelOptions, split_model
from otherminds.llm.prompts import load_prompts, words_of
from otherminds.llm.samples import is_model
from otherminds.minds.baselines import RandomMind
from otherminds.minds.find import find_mind, seated_for
from otherminds.minds.language import LanguageMind
from otherminds.minds.play_all import situations

LETTERS_A_TOKEN = 4  # of English, roughly
_FREE, _STRUCTURED, _THOUGHT = 120, 30, 200  # tokens of a reply that thinks briefly, of a bare one, of 150 words
_REHEARSED = 12  # episodes, spread over all


class CostEstimate(NamedTuple):
    """What an evaluation takes if no reply must be repeated."""

    episodes: int
    requests: int
    tokens_in: int
    tokens_out: int

    def price(self, price_in: float | None, price_out: float | None) -> float | None:
        """The price at these prices of a million tokens read and written; ``None`` without any."""
        if price_in is None and price_out is None:
            return None
        return ((price_in or 0.0) * self.tokens_in + (price_out or 0.0) * self.tokens_out) / 1e6


def estimate(
    world: World,
    seats: Mapping[str, str],
    *,
    items: Sequence[Item] | None = None,
    episodes: int = 1,
    seed: int = 0,
    **options: Any,
) -> CostEstimate:
    """Estimate the requests and tokens of the language models at a table.

    Args:
        world: World to play.
        seats: Mind for each seat; only language models cost anything.
        items: Items to play, each once. Without them, the episodes of a recorded file or by seed.
        episodes: Number of episodes by seed.
        seed: Seed of the first episode, or of the suite.
        options: Options of :class:`otherminds.llm.options.ModelOptions`.
    """
    usual = ModelOptions(**options)
    recorded = [find_mind(spec, world, seat) for seat, spec in seats.items() if spec.startswith("recorded:")]
    every = list(situations(world, recorded, items, episodes, seed))
    tried = range(0, len(every), max(len(every) // _REHEARSED, 1))[:_REHEARSED]
    taken = [_rehearsed(world, seats, usual, *every[at]) for at in tried]
    scale = len(every) / max(len(tried), 1)
    requests, tokens_in, tokens_out = (round(scale * sum(episode[part] for episode in taken)) for part in range(3))
    return CostEstimate(len(every), requests, tokens_in, tokens_out)


@dataclass
class _Rehearsing(LanguageMind):
    """Builds every message, replies at random, and counts."""

    reply_tokens: int = 0
    thoughts: int = 0
    acts: int = 0
    letters: list[int] = field(default_factory=list)  # of each last message, without rules and past

    def begin(self, seat: str, briefing: Briefing, seed: int) -> None:
        super().begin(seat, briefing, seed)
        self._draw = Draw(seed, "rehearsal")

    def reply(self, ask: Ask) -> Reply:
        steps = self.exchanges_of(ask)
        conversation = next(steps)
        while conversation.ask is None:
            self.thoughts += 1
            self.letters.append(len(conversation[-1].text))
            conversation = steps.send("x" * _THOUGHT * LETTERS_A_TOKEN)
        steps.close()
        self.letters.append(len(conversation[-1].text))
        self.rules = len(conversation[0].text)
        self.acts += ask.probe is None
        return Reply(ask.form.sample(self._draw))


def _rehearsed(
    world: World, seats: Mapping[str, str], usual: ModelOptions, seed: int, item: Item | None
) -> tuple[float, float, float]:
    """Requests, tokens read and tokens written of one episode, to its last turn."""
    minds: dict[str, Mind] = {}
    spoken: dict[str, _Rehearsing] = {}
    for seat, spec in seated_for(seats, world, item).items():
        if not is_model(spec, world):
            minds[seat] = RandomMind()
            continue
        name, how = split_model(spec, world, usual)
        is_bare = how.form == "structured" or (how.form == "auto" and name.startswith("local"))
        tokens = min(_STRUCTURED if is_bare else _FREE, how.max_tokens or _FREE)
        words = words_of(load_prompts(world, how.prompts, how.phrasing))
        spoken[seat] = _Rehearsing(spec, _silent, words, how.method, is_bare, how.memory, reply_tokens=tokens)
        minds[seat] = spoken[seat]
    session = world.open(seed, item)
    played = max(len(play_one(session, minds).turns), 1)
    last = max(played, session.num_turns)
    requests = tokens_in = tokens_out = 0.0
    for mind in spoken.values():
        if not mind.letters:
            continue
        number = len(mind.letters) / played  # requests in a turn
        message = sum(mind.letters) / len(mind.letters)
        past = mind.acts / played * (message + mind.reply_tokens * LETTERS_A_TOKEN)  # what a turn adds
        kept = [turn if mind.memory is None else min(turn, mind.memory) for turn in range(last)]
        requests += number * last
        tokens_in += number * sum(mind.rules + message + before * past for before in kept) / LETTERS_A_TOKEN
        thinking = mind.thoughts / len(mind.letters)
        tokens_out += number * last * (thinking * _THOUGHT + (1 - thinking) * mind.reply_tokens)
    return requests, tokens_in, tokens_out


def _silent(_conversation: Any) -> str:
    raise AssertionError("a rehearsal asks nobody")
