"""The SymmToM world: opens and replays episodes, and binds its parameters to the batch functions."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from otherminds.core.episodes import Episode
from otherminds.core.errors import UserError
from otherminds.core.ledger import Ledger
from otherminds.core.seeds import child_seed, generator
from otherminds.core.world import Anchors, Item, World
from otherminds.worlds.symmtom import chance, draw, rules
from otherminds.worlds.symmtom import ledger as evidence
from otherminds.worlds.symmtom.envs import env
from otherminds.worlds.symmtom.envs.check_hooks import Checkable
from otherminds.worlds.symmtom.evals import agents, batch_play
from otherminds.worlds.symmtom.observe import observation_size, observe
from otherminds.worlds.symmtom.record import WORLD, Played, play_again, start_line, start_state
from otherminds.worlds.symmtom.scenarios.items import Trial, suite_items, trial_of
from otherminds.worlds.symmtom.seat_view import agents_of, in_reply, piece_of, seat_names
from otherminds.worlds.symmtom.session import SymmToMSession
from otherminds.worlds.symmtom.summary import measures
from otherminds.worlds.symmtom.types import Action, Array, Params, State

if TYPE_CHECKING:
    from otherminds.view.shapes import Scene
    from otherminds.worlds.symmtom.envs.pettingzoo import SymmToMParallel

HALF = "half"


class SymmToM(Checkable, World):
    """A SymmToM world.

    Args:
        setting: numbers of agents, cells along a side and pieces, such as ``"n3_w6_c3"``.
        params: all parameters at once, instead of a setting.
        probes: turns, counted from 0, before which every seat is asked who knows what: numbers, separated by commas in
            a string, or ``half`` for half-way. Trials of scenarios are probed when they begin.
        ways: number of stagings (turned, mirrored, seats swapped) of each case of a scenario in suites.
        switches: any parameter by name.
    """

    id = WORLD
    default_mind = "belief"
    anchors = Anchors("planner", ceiling=1.0, chance=0.0, measure="pair_joint", suite="twins")
    prompts = Path(__file__).parent / "prompts"

    def __init__(
        self,
        setting: str | None = None,
        params: Params | None = None,
        probes: int | str | Sequence[int] | None = None,
        ways: int = 1,
        **switches: Any,
    ) -> None:
        self.params, self.ways = Params.from_setting(setting, params, **switches), ways
        self.is_usual = self.params == Params() and setting is None  # nothing was set
        self.probes, self.probe_turns = probes, _turns(probes, self.params)

    @property
    def seats(self) -> tuple[str, ...]:
        return seat_names(self.params)

    def open(self, seed: int, item: Item | None = None, repeat: int = 0) -> SymmToMSession:
        """Open a new episode.

        Args:
            seed: seed of all random draws.
            item: a trial of a scenario, see :meth:`suite`; or a start line (cells, bases, first-hand pieces) as data.
            repeat: number of a further episode of the same item and seed, which derives another seed from both.
        """
        seed = child_seed(seed, f"repeat/{repeat}") if repeat else seed
        rng, data = generator(seed, "world"), None if item is None else item.data
        if isinstance(data, Trial):
            start, config, notes = start_line(data.staged.start), data.params.to_dict(), data.notes()
            episode = Episode(f"{data.id}-seed{seed}", WORLD, config, {}, seed, start, notes=notes)
            return SymmToMSession(episode, data.scenario.params, data.staged.start, rng, trial=data)
        if not (data is None or isinstance(data, Mapping)):
            raise UserError(f"item {item.id if item else ''!r} does not belong to {WORLD}; expected a trial or a start")
        params = self.params
        state = start_state(params, data) if data else rules.deal(chance.draw_deal(rng, params), params)
        notes = {"probes": list(self.probe_turns)} if self.probe_turns else {}
        start, config = start_line(state), params.to_dict()
        content = json.dumps([WORLD, config, start, notes], sort_keys=True)
        name = f"{params.setting}-seed{seed}-{hashlib.blake2b(content.encode(), digest_size=4).hexdigest()}"
        episode = Episode(name, WORLD, config, {}, seed, start, notes=notes)
        return SymmToMSession(episode, params, state, rng, self.probe_turns)

    def suite(self, name: str = "standard", seed: int = 0) -> list[Item]:
        """The trials of ``battery`` (all scenarios), ``twins``, ``paper``, or of scenarios by name or file.

        Separate names by commas; ``contact_w6:apart`` is one case. The cases of a scenario in one staging form a
        group.
        """
        return suite_items(name, self.ways, len(self.seats))

    def probing(self) -> SymmToM:
        return SymmToM(params=self.params, probes="half")

    def expected(self, episode: Episode, probe: Mapping[str, Any]) -> list[str] | None:
        """The agents that know a piece by the seat's evidence; ``None`` for trials, which use the truth."""
        if "scenario" in episode.notes:
            return None
        played, turn = self.replay(episode), int(probe["id"].partition("/")[0])
        (agent,) = agents_of([probe["seat"]], played.params)
        return evidence.supported(played.params, played.states, agent, piece_of(probe["about"]), turn - 1)

    # Records.

    def replay(self, episode: Episode) -> Played:
        return play_again(episode)

    def replies(self, episode: Episode) -> dict[str, Any]:
        replies: dict[str, Any] = {}
        for line in episode.turns:
            answered = (probe for probe in line.get("probes", ()) if probe["said"] is not None)
            replies |= {probe["id"]: probe["said"] for probe in answered}
            replies |= {f"{line['turn']}/agent_{i}": in_reply(*action) for i, action in enumerate(line["actions"])}
        return replies

    def reopen(self, episode: Episode) -> SymmToMSession:
        world = SymmToM(params=Params.from_dict(episode.config), probes=episode.notes.get("probes"))
        return world.open(episode.seed, self.item_of(episode))

    def item_of(self, episode: Episode) -> Item | None:
        """The trial of a scenario, or a start that does not follow from the seed; otherwise ``None``."""
        if "scenario" in episode.notes:
            return trial_of(episode.notes).item()
        params = Params.from_dict(episode.config)
        deal = rules.deal(chance.draw_deal(generator(episode.seed, "world"), params), params)
        return None if start_line(deal) == episode.start else Item(episode.id, episode.start)

    def ledger(self, episode: Episode, upto: int | None = None) -> Ledger[evidence.Event, evidence.Believed]:
        """The ledger of an episode, up to a turn. Chains name seats; a heard speaker knows the piece it says."""
        played = self.replay(episode)
        states = played.states if upto is None else played.states[: upto + 1]
        ledger = evidence.open_ledger(played.params, states, credit_speaker=True)
        ledger.appears = lambda event, seat: evidence.appears(event, agents_of([str(seat)], played.params)[0])
        return ledger

    def seen(self, played: Any, chain: Sequence[str], turn: int) -> dict[str, str]:
        """The pieces that each agent knows after a turn according to the evidence along a chain of seats."""
        params: Params = played.params
        known = evidence.probe(params, played.states, agents_of(chain, params), turn)
        names = seat_names(params)
        return {name: " ".join(map(str, sorted(pieces))) or "-" for name, pieces in zip(names, known, strict=True)}

    def summary(self, episodes: Sequence[Episode]) -> dict[str, float | None]:
        """The measures of all worlds and every metric; see :mod:`otherminds.worlds.symmtom.summary`."""
        return {**super().summary(episodes), **measures(episodes)}

    def terminal(self, state: State, params: Params) -> str:
        return draw.terminal(state, params)

    def scene(self, state: State, params: Params) -> Scene:
        return draw.scene(state, params)

    def page(self, episode: Episode, *beside: Episode) -> str:
        from otherminds.worlds.symmtom.page import episode_page

        return episode_page(episode)

    # Trained agents as minds, and evaluation by the batch engines.

    def mind(self, spec: str, seat: str | None = None) -> Any:
        """A trained agent from a run directory or actor file; ``RUN:greedy=true`` takes its most likely actions."""
        return agents.trained_policy(spec)

    def suited(self, minds: Sequence[str]) -> SymmToM:
        policies = agents.all_policies([*dict.fromkeys(minds)])
        return self if policies is None else batch_play.suited(self, policies)

    def batch(self, minds: Mapping[str, str], episodes: int, seed: int) -> dict[str, float | None] | None:
        return batch_play.batch(self, minds, episodes, seed)

    def cross(self, minds: Sequence[str], episodes: int, seed: int, **options: Any) -> dict[str, Any] | None:
        return batch_play.cross(self, minds, episodes, seed, **options)

    # The batch engines.

    @property
    def observation_shape(self) -> tuple[int, ...]:
        return (observation_size(self.params),)

    @property
    def num_turns(self) -> int:
        return self.params.num_turns

    def reset(self, key: Any, worlds: int | tuple[int, ...] = ()) -> tuple[Array, State]:
        """See :func:`otherminds.worlds.symmtom.envs.env.reset`."""
        return env.reset(key, self.params, worlds)

    def step(self, key: Any, state: State, actions: Action) -> env.Step:
        """See :func:`otherminds.worlds.symmtom.envs.env.step`."""
        return env.step(key, state, actions, self.params)

    def observe(self, state: State) -> Array:
        """See :func:`otherminds.worlds.symmtom.observe.observe`."""
        return observe(state, self.params)

    def action_mask(self, state: State) -> dict[str, Array]:
        """See :func:`otherminds.worlds.symmtom.envs.env.action_mask`."""
        return env.action_mask(state, self.params)

    def parallel_env(self, engine: str = "numpy", render_mode: str | None = None) -> SymmToMParallel:
        """The world as a PettingZoo ``ParallelEnv``."""
        from otherminds.worlds.symmtom.envs.pettingzoo import SymmToMParallel

        return SymmToMParallel(params=self.params, engine=engine, render_mode=render_mode)


def _turns(probes: int | str | Sequence[int] | None, params: Params) -> tuple[int, ...]:
    """The turns before which to probe."""
    if probes is None:
        return ()
    if probes == HALF:
        return (params.num_turns // 2,)
    words = probes.split(",") if isinstance(probes, str) else [probes] if isinstance(probes, int) else probes
    try:
        turns = [int(word) for word in words if str(word).strip()]
    except ValueError:
        raise UserError(f"probes is {probes!r}; expected turns separated by commas, such as 5,10, or {HALF}") from None
    for turn in turns:
        if not 0 <= turn < params.num_turns:
            raise UserError(f"turn {turn} cannot be probed; expected 0 to {params.num_turns - 1}")
    return tuple(dict.fromkeys(turns))
