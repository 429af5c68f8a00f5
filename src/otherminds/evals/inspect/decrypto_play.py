"""Games of Decrypto with language models in any roles, and what each game scores."""

from __future__ import annotations

from collections.abc import Mapping
from math import nan
from pathlib import Path
from typing import Any, cast

from inspect_ai.model import Model, ModelOutput, get_model
from inspect_ai.scorer import Score, Scorer, Target, mean, scorer, stderr
from inspect_ai.solver import Generate, Solver, TaskState, solver

from otherminds.core.episodes import Episode
from otherminds.evals.inspect import decrypto_metrics as metrics
from otherminds.evals.inspect.calls import caller, in_thread
from otherminds.evals.inspect.decrypto_schema import response_schema
from otherminds.evals.inspect.local import MODEL
from otherminds.evals.inspect.records import episode_of, record_lines
from otherminds.players.decrypto.find import find_seat
from otherminds.players.decrypto.language import LanguagePlayer
from otherminds.players.decrypto.match import Study, play
from otherminds.players.decrypto.seats import Seat
from otherminds.players.decrypto.stored import RECORDED, Recorded, read_games
from otherminds.worlds.decrypto.types import ROLES, Game, Role, Rules
from otherminds.worlds.decrypto.world import Decrypto

LANGUAGE = "model"  # the seat of a language model
FORMS = ("auto", "free", "schema")
_VALUES = ("turns", "won", "ended_by_miscommunication", "ended_by_interception")


@solver
def play_game(words: dict[str, str], attempts: int, timeout: int | None, form: str) -> Solver:
    """Play the sample's game to its end, and keep its record in the store."""

    async def solve(state: TaskState, generate: Generate) -> TaskState:  # noqa: ARG001 the protocol names it
        about = state.metadata
        speaking: dict[Role, Model] = {r: get_model(role=r) for r in ROLES if about["seats"][r] == LANGUAGE}

        def seat(role: Role) -> Seat:
            if role not in speaking:
                return _seat(about, role)
            model = speaking[role]
            is_bare = form == "schema" or (form == "auto" and str(model) == MODEL)
            return LanguagePlayer(
                str(model), caller(model, timeout, response_schema if is_bare else None), words, is_bare
            )

        def whole_game() -> Episode:
            seats = {role: seat(role) for role in ROLES}
            return _played(about, seats, attempts)

        episode = await in_thread(whole_game)
        state.store.set("record", record_lines(episode))
        state.output = ModelOutput.from_content("otherminds/decrypto", str((episode.end or {})["ending"]))
        return state

    return solve


def _played(about: Mapping[str, Any], seats: dict[Role, Seat], attempts: int) -> Episode:
    game = _dealt(about)
    _, episode = play(game, seats, _study(about), attempts)
    episode.id = str(about["id"])
    episode.notes = {
        "keyword_kinds": about["keyword_kinds"],
        **({"experiment": Path(about["experiment"]).stem, "arm": about["arm"]} if about["experiment"] else {}),
        **({"replayed": Path(about["replay"]).name, "stored_turns": len(game.codes)} if about["replay"] else {}),
        "exchanges": [one for s in seats.values() if isinstance(s, LanguagePlayer) for one in s.notes()],
    }
    return episode


def _dealt(about: Mapping[str, Any]) -> Game:
    if about["replay"]:
        return read_games(about["replay"])[int(about["game"])].game
    return Decrypto(about["bank"], about["kind"], **about["rules"]).deal(about["seed"])


def _study(about: Mapping[str, Any]) -> Study | None:
    if not about["experiment"]:
        return None
    from otherminds.evals.decrypto.studies import find_study

    bank = Decrypto(about["bank"], about["kind"]).words
    return find_study(about["experiment"], about["arm"], bank)(about["seed"])


def _seat(about: Mapping[str, Any], role: Role) -> Seat:
    if about["seats"][role] == RECORDED:
        return Recorded(read_games(about["replay"])[int(about["game"])].turns)
    return find_seat(about["seats"][role], role)


@scorer(
    metrics=[
        metrics.per_turn(),
        metrics.validity(),
        metrics.by_kind(),
        metrics.measured(),
        {name: [mean(), stderr()] for name in _VALUES},
    ]
)
def game_score() -> Scorer:
    """How long the game lasted and how it ended; who was right how often, and who failed to answer, beside it."""

    async def score(state: TaskState, target: Target) -> Score:  # noqa: ARG001 the protocol names it
        record = cast(list[dict[str, Any]], state.store.get("record", []))
        if not record:  # a limit of Inspect's was reached
            return Score(value=dict.fromkeys(_VALUES, nan), explanation="the game was not played to its end")
        episode, about = episode_of(record), state.metadata
        turns, ended = episode.turns, str((episode.end or {})["ending"])
        won = ended == "survived" and len(turns) >= Rules(**about["rules"]).turns
        values = (len(turns), won, ended in ("miscomm", "both"), ended in ("intercept", "both"))
        counted = {
            metrics.COUNTS: metrics.counts_of(turns, about["keyword_kinds"]),
            metrics.MEASURES: _measures(about, episode),
        }
        return Score(value=dict(zip(_VALUES, map(float, values), strict=True)), answer=ended, metadata=counted)

    return score


def _measures(about: Mapping[str, Any], episode: Episode) -> dict[str, float]:
    """What an experiment measures, averaged over the game; nothing where the game has no value."""
    if not about["experiment"]:
        return {}
    from otherminds.evals.decrypto.measures import values
    from otherminds.evals.decrypto.read import find_experiment

    found = {call.label: values(call, episode) for call in find_experiment(about["experiment"]).measures}
    return {name: sum(some) / len(some) for name, some in found.items() if some}
