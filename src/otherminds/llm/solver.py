"""The solver: plays the episode of a sample in the match loop and keeps its record in the store."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from inspect_ai.model import Model, ModelOutput, get_model
from inspect_ai.solver import Generate, Solver, TaskState, solver

from otherminds.core.episodes import Episode
from otherminds.core.match import play_one
from otherminds.core.mind import Mind
from otherminds.core.secrets import redact
from otherminds.core.world import World
from otherminds.llm.model_calls import in_thread, language_mind
from otherminds.llm.options import MODEL, RECORD, ModelOptions, split_model
from otherminds.llm.samples import is_model, open_sample
from otherminds.minds.baselines import RecordedMind
from otherminds.minds.find import minds_for


@solver
def play_table(attempts: int | None = None, options: dict[str, Any] | None = None) -> Solver:
    """Play the sample's episode.

    Args:
        attempts: Attempts at each ask before the world's default is used; the world's own number by default.
        options: Options of language models; see :class:`otherminds.llm.options.ModelOptions`.
    """
    usual = ModelOptions(**(options or {}))

    async def solve(state: TaskState, generate: Generate) -> TaskState:  # noqa: ARG001 the protocol names it
        about = state.metadata
        world, session = open_sample(about, state.epoch)
        models = {seat: _model(seat, spec, world) for seat, spec in about["seats"].items() if is_model(spec, world)}

        def whole_episode() -> Episode:
            return play_one(session, _minds(about, world, models, usual), attempts)

        episode = await in_thread(whole_episode)
        state.store.set(RECORD, redact(episode.lines()))
        outcome = (episode.end or {}).get("outcome", {})
        state.output = ModelOutput.from_content(f"otherminds/{world.id}", f"success: {outcome.get('success')}")
        return state

    return solve


def _model(seat: str, spec: str, world: World) -> Model:
    """The model of a seat: that of its role, or the evaluated one where nobody in particular is named."""
    name = split_model(spec, world, ModelOptions())[0]
    return get_model(role=seat) if name == MODEL else get_model(role=seat, required=True)


def _minds(about: Mapping[str, Any], world: World, models: Mapping[str, Model], usual: ModelOptions) -> dict[str, Mind]:
    seats: dict[str, str] = about["seats"]
    minds = minds_for(world, {seat: spec for seat, spec in seats.items() if seat not in models})
    for mind in minds.values():
        if isinstance(mind, RecordedMind):
            mind.turn_to(about["recorded"][1])
    minds |= {seat: language_mind(seats[seat], model, world, usual) for seat, model in models.items()}
    return {seat: minds[seat] for seat in seats}
