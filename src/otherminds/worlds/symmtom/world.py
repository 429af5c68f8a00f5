"""SymmToM as one object: parameters bound to the functions of the world, with what checks and adapters need."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from otherminds.core.episodes import Episode
from otherminds.core.errors import UserError
from otherminds.core.ledger import Ledger
from otherminds.core.seeds import child_seed, generator
from otherminds.core.world import Item, World
from otherminds.worlds.symmtom import chance, env, evidence, rules
from otherminds.worlds.symmtom.observe import observation_size, observe, perceive
from otherminds.worlds.symmtom.record import WORLD, Played, play_again, start_line, start_state
from otherminds.worlds.symmtom.scenarios.items import Trial, suite_items, trial_of
from otherminds.worlds.symmtom.session import SymmToMSession
from otherminds.worlds.symmtom.types import Action, Array, Params, State
from otherminds.worlds.symmtom.views import agents_of, in_reply, seat_names

if TYPE_CHECKING:
    from otherminds.view.shapes import Scene
    from otherminds.worlds.symmtom.parallel import SymmToMParallel

HALF = "half"


class SymmToM(World):
    """A SymmToM world.

    Args:
        setting: agents, width and pieces, such as ``"n3_w6_c3"``.
        params: all parameters at once, instead of a setting.
        probes: before which turns, from 0, every seat is asked who knows what: numbers, also by commas, or ``half`` for
            half-way. Trials of scenarios are probed when they begin.
        ways: in how many stagings (turned, mirrored, seats swapped) suites have each case of a scenario.
        switches: any parameter by name.
    """

    id = WORLD
    default_mind = "belief"
    prompts = Path(__file__).parents[2] / "evals" / "inspect" / "prompts" / "symmtom"

    def __init__(
        self,
        setting: str | None = None,
        params: Params | None = None,
        probes: int | str | Sequence[int] | None = None,
        ways: int = 1,
        **switches: Any,
    ) -> None:
        if params is not None and setting is not None:
            raise UserError("give either a setting or params, not both")
        if params is None:
            params = Params.from_setting(setting, **switches)
        elif switches:
            params = params.replace(**switches)
        self.params, self.ways = params, ways
        self.is_usual = params == Params() and setting is None  # nothing was set
        self.probe_turns = _turns(probes, params)

    @property
    def seats(self) -> tuple[str, ...]:
        return seat_names(self.params)

    @property
    def agents(self) -> tuple[str, ...]:
        """The seats, as PettingZoo calls them."""
        return self.seats

    def open(self, seed: int, item: Item | None = None, repeat: int = 0) -> SymmToMSession:
        """A new episode.

        Args:
            seed: decides everything that is left to chance.
            item: a trial of a scenario, see :meth:`suite`; or a start line (cells, bases, first-hand pieces) as data.
            repeat: a further episode of the same item and seed has a seed of its own, derived from both.

        Raises:
            UserError: if the item is neither, or its start does not fit the world.
        """
        seed = child_seed(seed, f"repeat/{repeat}") if repeat else seed
        rng, given = generator(seed, "world"), None if item is None else item.data
        if isinstance(given, Trial):
            name = f"{given.id}-seed{seed}"
            episode = Episode(
                name, WORLD, given.params.to_dict(), [], seed, start_line(given.acts.start), notes=given.notes()
            )
            return SymmToMSession(episode, given.scenario.params, given.acts.start, rng, trial=given)
        if not (given is None or isinstance(given, Mapping)):
            raise UserError(f"item {item.id if item else ''!r} is not of {WORLD}; expected a trial or a start")
        params = self.params
        state = start_state(params, given) if given else rules.deal(chance.draw_deal(rng, params), params)
        notes: dict[str, Any] = {"probes": list(self.probe_turns)} if self.probe_turns else {}
        start, config = start_line(state), params.to_dict()
        what = json.dumps([WORLD, config, start, notes], sort_keys=True)
        name = f"{params.setting}-seed{seed}-{hashlib.blake2b(what.encode(), digest_size=4).hexdigest()}"
        episode = Episode(name, WORLD, config, [], seed, start, notes=notes)
        return SymmToMSession(episode, params, state, rng, self.probe_turns)

    def suite(self, name: str = "standard", seed: int = 0) -> list[Item]:
        """Trials: ``battery`` (all scenarios), ``twins``, ``paper``, or a scenario's name or file; several by commas.

        A case is named as in ``contact_w6:apart``. The cases of a scenario in one staging are a group.
        """
        return suite_items(name, self.ways, len(self.seats))

    # Everything about an episode from its record.

    def replay(self, episode: Episode) -> Played:
        """See :func:`otherminds.worlds.symmtom.record.play_again`."""
        return play_again(episode)

    def replies(self, episode: Episode) -> dict[str, Any]:
        found: dict[str, Any] = {}
        for line in episode.turns:
            asked = (probe for probe in line.get("probes", ()) if probe["said"] is not None)
            found |= {probe["id"]: probe["said"] for probe in asked}
            found |= {f"{line['turn']}/agent_{i}": in_reply(*action) for i, action in enumerate(line["actions"])}
        return found

    def item_of(self, episode: Episode) -> Item | None:
        """The trial of a scenario; a start that does not follow from the seed; else nothing."""
        if "scenario" in episode.notes:
            return trial_of(episode.notes).item()
        params = Params.from_dict(episode.config)
        deal = rules.deal(chance.draw_deal(generator(episode.seed, "world"), params), params)
        return None if start_line(deal) == episode.start else Item(episode.id, episode.start)

    def ledger(self, episode: Episode, upto: int | None = None) -> Ledger[evidence.Event, evidence.Believed]:
        """The ledger of an episode, up to a turn. Chains name seats; whoever is heard saying a piece knows it."""
        played = self.replay(episode)
        states = played.states if upto is None else played.states[: upto + 1]
        ledger = evidence.open_ledger(played.params, states, credit_speaker=True)
        ledger.appears = partial(_appears, played.params)
        return ledger

    def seen(self, played: Any, chain: Sequence[str], turn: int) -> dict[str, str]:
        """The pieces that each agent knows after a turn, as far as the evidence along a chain of seats supports it."""
        params: Params = played.params
        held = evidence.probe(params, played.states, agents_of(chain, params), turn)
        names = seat_names(params)
        return {name: " ".join(map(str, sorted(pieces))) or "-" for name, pieces in zip(names, held, strict=True)}

    def summary(self, episodes: Sequence[Episode]) -> dict[str, float | None]:
        """The numbers of all worlds, and every metric; see :mod:`otherminds.worlds.symmtom.summary`."""
        from otherminds.worlds.symmtom.summary import measures

        return {**super().summary(episodes), **measures(episodes)}

    def terminal(self, state: State, params: Params) -> str:
        from otherminds.worlds.symmtom import draw

        return draw.terminal(state, params)

    def scene(self, state: State, params: Params) -> Scene:
        from otherminds.worlds.symmtom import draw

        return draw.scene(state, params)

    def page(self, episode: Episode, *beside: Episode) -> str:
        """The replay page of an episode; a trial of a scenario is shown beside the best play."""
        if "scenario" in episode.notes:
            from otherminds.worlds.symmtom.scenarios.replay import trial_page

            return trial_page(episode)
        from otherminds.worlds.symmtom.page import replay_of, replay_page

        return replay_page(replay_of(episode))

    # Who plays: trained runs as minds, and policies by the batch engines.

    def mind(self, spec: str, seat: str | None = None) -> Any:
        """A trained agent by run directory or actor file; ``RUN:greedy=true`` takes its most likely actions."""
        from otherminds.evals.symmtom_batch import trained_policy

        return trained_policy(spec)

    def batch(self, minds: Mapping[str, str], episodes: int, seed: int) -> dict[str, float | None] | None:
        """See :func:`otherminds.evals.symmtom_batch.batch`."""
        from otherminds.evals.symmtom_batch import batch

        return batch(self, minds, episodes, seed)

    def cross(self, specs: Sequence[str], episodes: int, seed: int, **options: Any) -> dict[str, Any] | None:
        """Everyone with everyone, by the batch engines; see :func:`otherminds.evals.symmtom_batch.cross`."""
        from otherminds.evals.symmtom_batch import cross

        return cross(self, specs, episodes, seed, **options)

    # The batch engines.

    @property
    def observation_shape(self) -> tuple[int, ...]:
        return (observation_size(self.params),)

    @property
    def action_sizes(self) -> tuple[int, int]:
        """Values of a move and of a piece."""
        return 5, self.params.num_pieces

    @property
    def num_turns(self) -> int:
        return self.params.num_turns

    def reset(self, key: Any, worlds: int | tuple[int, ...] = ()) -> tuple[Array, State]:
        """See :func:`otherminds.worlds.symmtom.env.reset`."""
        return env.reset(key, self.params, worlds)

    def step(self, key: Any, state: State, actions: Action) -> env.Step:
        """See :func:`otherminds.worlds.symmtom.env.step`."""
        return env.step(key, state, actions, self.params)

    def step_auto_reset(self, key: Any, state: State, actions: Action) -> env.Step:
        """See :func:`otherminds.worlds.symmtom.env.step_auto_reset`."""
        return env.step_auto_reset(key, state, actions, self.params)

    def observe(self, state: State) -> Array:
        """See :func:`otherminds.worlds.symmtom.observe.observe`."""
        return observe(state, self.params)

    def action_mask(self, state: State) -> dict[str, Array]:
        """See :func:`otherminds.worlds.symmtom.env.action_mask`."""
        return env.action_mask(state, self.params)

    def parallel_env(self, engine: str = "numpy", render_mode: str | None = None) -> SymmToMParallel:
        """The world as a PettingZoo ``ParallelEnv``."""
        from otherminds.worlds.symmtom.parallel import SymmToMParallel

        return SymmToMParallel(params=self.params, engine=engine, render_mode=render_mode)

    # What checks need (otherminds.testing): chance apart from rules, and controlled changes of a state.

    def draw_actions(self, rng: np.random.Generator, state: State) -> Action:
        """Random actions that mostly have an effect."""
        shape = state.x.shape
        mask = rules.legal_pieces(state, self.params)
        moves = rng.integers(0, 5, shape, dtype=np.int32)
        wished = np.argmax(np.asarray(mask) * rng.random(mask.shape), axis=1).astype(np.int32)
        return Action(moves, np.where(rng.random(shape) < 0.9, wished, np.int32(-1)))

    def draw_reset(self, rng: np.random.Generator) -> chance.Deal:
        """The chance of a reset."""
        return chance.draw_deal(rng, self.params)

    def draw_step(self, rng: np.random.Generator) -> Array:
        """The chance of a turn. Coins follow a ranking of agents, and so mean the same after a change of places."""
        rank = rng.permutation(self.params.num_agents)
        return self._coins(rank)

    def permute_step(self, coins: Array, order: Sequence[int]) -> Array:
        """The chance of a turn for agents that have changed places; for coins drawn by :meth:`draw_step`."""
        n = self.params.num_agents
        beats = np.zeros((n, n), dtype=bool)
        for q, (a, b) in enumerate(self.params.pairs):
            beats[a, b] = int(coins[q // 32]) >> (q % 32) & 1
            beats[b, a] = not beats[a, b]
        return self._coins(beats.sum(axis=1)[list(order)])

    def reset_with(self, deal: chance.Deal) -> tuple[Array, State]:
        """A reset with its chance given."""
        state = rules.deal(deal, self.params)
        return self.observe(state), state

    def step_with(self, coins: Array, state: State, actions: Action) -> env.Step:
        """A turn with its chance given."""
        return env.step_with(coins, state, actions, self.params)

    def permute(self, state: State, order: Sequence[int]) -> State:
        """The same world with agent ``order[i]`` in the place of agent i."""
        place = {old: new for new, old in enumerate(order)}
        moved = State(*(a if name == "turn" else a[list(order)] for name, a in state._asdict().items()))
        earshot = [sum(1 << place[j] for j in range(len(order)) if int(e) >> j & 1) for e in moved.earshot]
        return moved._replace(earshot=np.asarray(earshot, dtype=np.uint32))

    def permute_actions(self, actions: Action, order: Sequence[int]) -> Action:
        """The actions of agents that have changed places."""
        return Action(*(a[list(order)] for a in actions))

    def hide(self, rng: np.random.Generator, state: State, agent: int) -> State:
        """The state with everything changed that an agent cannot perceive, and nothing else.

        That is what others know, earn and once heard; speech out of its range; first-hand pieces, if they are private;
        and of agents out of its sight, their direction, place and base.
        """
        p, n = self.params, self.params.num_agents
        others = np.arange(n) != agent
        in_range = np.asarray([int(state.earshot[agent]) >> j & 1 for j in range(n)], dtype=bool)
        sees = perceive(state, p).sees
        unseen = np.asarray([not int(sees[agent]) >> j & 1 for j in range(n)], dtype=bool)

        def scrambled(sets: Array, where: Array) -> Array:
            noise = rng.integers(0, 1 << 32, n, dtype=np.uint32) & p.all_pieces
            return np.where(where, sets ^ noise, sets)

        spoken = np.uint32(1) << rng.integers(0, p.num_pieces, n).astype(np.uint32)
        hidden_mind = others & ~np.asarray([p.oracle] * n)
        x, y = self._elsewhere(rng, state, agent, unseen)
        bases = np.asarray(p.free_cells, dtype=np.int32)[rng.integers(0, len(p.free_cells), n)]
        return state._replace(
            x=x,
            y=y,
            base_x=np.where(unseen, bases[:, 0], state.base_x),
            base_y=np.where(unseen, bases[:, 1], state.base_y),
            direction_x=np.where(unseen, -state.direction_x + 1, state.direction_x),
            chosen_move=np.where(unseen, (state.chosen_move + 1) % 5, state.chosen_move),
            first_hand=scrambled(state.first_hand, others & p.private_first_hand),
            knowledge=scrambled(state.knowledge, hidden_mind),
            previous_knowledge=scrambled(state.previous_knowledge, hidden_mind),
            utterance=np.where(others & ~in_range, spoken, state.utterance),
            correct_uses=np.where(others, state.correct_uses + 1, state.correct_uses),
            last_reward=np.where(others, state.last_reward + 1, state.last_reward),
            heard_turn=np.where(others[:, None], state.heard_turn + 1, state.heard_turn),
        )

    def _elsewhere(self, rng: np.random.Generator, state: State, agent: int, unseen: Array) -> tuple[Array, Array]:
        """Other places for the unseen agents, as far from the agent's sight as before."""
        x, y = state.x.copy(), state.y.copy()
        sight = self.params.vision or 0
        for j in np.flatnonzero(unseen):
            taken = set(zip(x.tolist(), y.tolist(), strict=True))
            far = [
                cell
                for cell in self.params.free_cells
                if cell not in taken and max(abs(cell[0] - x[agent]), abs(cell[1] - y[agent])) > sight
            ]
            if far:
                x[j], y[j] = far[int(rng.integers(len(far)))]
        return x, y

    def disturb(self, rng: np.random.Generator, state: State, agent: int) -> State:
        """The state with an agent on another cell, as everyone in sight can see."""
        taken = {(int(x), int(y)) for x, y in zip(state.x, state.y, strict=True)}
        empty = [cell for cell in self.params.free_cells if cell not in taken]
        x, y = empty[int(rng.integers(len(empty)))]
        moved_x, moved_y = state.x.copy(), state.y.copy()
        moved_x[agent], moved_y[agent] = x, y
        return state._replace(x=moved_x, y=moved_y)

    def state_to_dict(self, state: State) -> dict[str, Any]:
        """A state of one world as plain numbers."""
        return {name: np.asarray(values).tolist() for name, values in state._asdict().items()}

    def state_from_dict(self, values: dict[str, Any]) -> State:
        """The inverse of :meth:`state_to_dict`."""
        template = rules.deal(chance.draw_deal(np.random.default_rng(0), self.params), self.params)
        arrays = {
            name: np.asarray(values[name], dtype=like.dtype).reshape(like.shape)
            for name, like in template._asdict().items()
        }
        return State(**arrays)

    def _coins(self, strength: Any) -> Any:
        words = np.zeros(self.params.num_coin_words, dtype=np.uint32)
        for q, (a, b) in enumerate(self.params.pairs):
            if strength[a] > strength[b]:
                words[q // 32] |= np.uint32(1 << (q % 32))
        return words


def _appears(params: Params, event: evidence.Event, seat: Any) -> evidence.Event:
    return evidence.appears(event, agents_of([seat], params)[0])


def _turns(given: int | str | Sequence[int] | None, params: Params) -> tuple[int, ...]:
    """Before which turns to probe.

    Raises:
        UserError: if one is not a turn of the world.
    """
    if given is None:
        return ()
    if given == HALF:
        return (params.num_turns // 2,)
    words = given.split(",") if isinstance(given, str) else [given] if isinstance(given, int) else given
    try:
        turns = [int(word) for word in words if str(word).strip()]
    except ValueError:
        raise UserError(f"probes is {given!r}; expected turns by commas, such as 5,10, or {HALF}") from None
    for turn in turns:
        if not 0 <= turn < params.num_turns:
            raise UserError(f"turn {turn} cannot be probed; expected 0 to {params.num_turns - 1}")
    return tuple(dict.fromkeys(turns))
