"""Runs of the household with language models in any seats, and what each run scores."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import nan
from typing import Any, cast

from inspect_ai.model import ModelOutput, get_model
from inspect_ai.scorer import Score, Scorer, Target, mean, scorer, stderr
from inspect_ai.solver import Generate, Solver, TaskState, solver

from otherminds.core.episodes import Episode
from otherminds.evals.enacttom.bench import Entry, schedule
from otherminds.evals.inspect import enacttom_metrics as metrics
from otherminds.evals.inspect.calls import Schema, caller, in_thread
from otherminds.evals.inspect.held import held_to
from otherminds.evals.inspect.local import MODEL
from otherminds.evals.inspect.records import episode_of, record_lines
from otherminds.players.enacttom.find import find_seat
from otherminds.players.enacttom.language import LanguagePlayer
from otherminds.players.enacttom.match import play
from otherminds.players.enacttom.replies import Wanted
from otherminds.players.enacttom.seats import Seat
from otherminds.worlds.enacttom.build import ground
from otherminds.worlds.enacttom.read import parse_task
from otherminds.worlds.enacttom.verify.certify import Certificate

LANGUAGE = "model"  # the seat of a language model
FORMS = ("auto", "free", "schema")
_VALUES = ("functional", "progress")


def role_of(seat: int) -> str:
    """What Inspect calls the model of a seat, counted from 0 here and from 1 there."""
    return f"seat{seat + 1}"


def is_held(form: str, model: object) -> bool:
    """Whether a model's replies are held to a schema."""
    return form == "schema" or (form == "auto" and str(model) == MODEL)


def schema_of(is_bare: bool) -> Schema | None:
    """What replies are held to, if they are."""

    def held(wanted: Wanted) -> Any:
        return held_to(wanted.fields)

    return held if is_bare else None


@solver
def play_run(words: dict[str, str], attempts: int, timeout: int | None, form: str) -> Solver:
    """Play the sample's run to its end, and keep its record in the store."""

    async def solve(state: TaskState, generate: Generate) -> TaskState:  # noqa: ARG001 the protocol names it
        about = state.metadata
        models = [get_model(role=role_of(at)) if one == LANGUAGE else None for at, one in enumerate(about["seats"])]

        def seat(at: int) -> Seat:
            model = models[at]
            if model is None:
                return find_seat(about["seats"][at])
            is_bare = is_held(form, model)
            return LanguagePlayer(str(model), caller(model, timeout, schema_of(is_bare)), words, is_bare, attempts)

        def whole_run() -> Episode:
            return _played(about, [seat(at) for at in range(len(models))], state.epoch)

        episode = await in_thread(whole_run)
        state.store.set("record", record_lines(episode))
        reached = "reached" if (episode.end or {})["success"] else "not reached"
        state.output = ModelOutput.from_content("otherminds/enacttom", f"the goal was {reached}")
        return state

    return solve


def _played(about: Mapping[str, Any], seats: Sequence[Seat], epoch: int) -> Episode:
    number = about["run"] + about["runs"] * (epoch - 1)
    house = ground(parse_task(about["content"]))
    entry = Entry(house.task, Certificate(about["grade"]), tuple(tuple(world) for world in about["worlds"]))
    world, seed = schedule(entry, number + 1, about["seed"])[number]
    _, episode = play(house, world, seats, seed, has_probes=about["probes"])
    episode.id = f"{about['id']}-{epoch}" if epoch > 1 else str(about["id"])
    episode.notes = {
        **{name: about[name] for name in ("grade", "depth", "split", "worlds", "tries") if name in about},
        "run": number,
        "counts": {
            name: one.counts
            for name, one in zip(house.task.names, seats, strict=True)
            if isinstance(one, LanguagePlayer)
        },
        "exchanges": [note for one in seats if isinstance(one, LanguagePlayer) for note in one.notes()],
    }
    return episode


@scorer(
    metrics=[
        metrics.repeated(),
        metrics.by_depth(),
        metrics.validity(),
        metrics.literal(),
        {name: [mean(), stderr(cluster="task")] for name in _VALUES},
    ]
)
def run_score() -> Scorer:
    """Whether the goal was reached and how much of it; what was answered, and what could not be read, beside it."""

    async def score(state: TaskState, target: Target) -> Score:  # noqa: ARG001 the protocol names it
        record = cast(list[dict[str, Any]], state.store.get("record", []))
        if not record:  # a limit of Inspect's was reached
            return Score(value=dict.fromkeys(_VALUES, nan), explanation="the run was not played to its end")
        found = metrics.run_of(episode_of(record))
        value = {name: float(found[name]) for name in _VALUES}
        return Score(value=value, answer=str(bool(found["functional"])), metadata={metrics.RUNS: [found]})

    return score
