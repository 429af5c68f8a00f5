"""Trained agents as players: kept in a file, loaded again, and at any table that they fit."""

from __future__ import annotations

import json
import os
from dataclasses import replace
from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest

import otherminds
from otherminds.core.episodes import Episode
from otherminds.core.errors import UserError
from otherminds.core.match import play_one
from otherminds.minds.find import find_mind
from otherminds.run.arrays import read_arrays, write_arrays
from otherminds.worlds.symmtom.minds import ACTOR, scripted
from otherminds.worlds.symmtom.minds.learned import Learned, load_agent, mind_of, save_agent
from otherminds.worlds.symmtom.minds.rollout import rollout
from otherminds.worlds.symmtom.types import Params
from otherminds.worlds.symmtom.world import SymmToM
from tests.worlds.symmtom.learn.making import SMALL, logits_along, make_variables, on_jax, states
from tests.worlds.symmtom.tables import at_table


def play_together(policies: list[Any], params: Params, seed: int) -> Episode:
    """The record of an episode with a policy in each seat."""
    world = SymmToM(params=params)
    return play_one(world.open(seed), at_table(*policies, world=world))


MINDS: dict[str, dict[str, Any]] = {
    "none": {"belief": "none"},
    "situation": {"belief": "attentive", "network": {"kind": "symmetric", "piece_units": 2}},
    "recurrent": {"belief": "recurrent"},
    "estimated": {"belief": "estimated", "network": {"literal_guess": True}},
    "oracle": {"belief": "oracle", "params": SMALL | {"mask_actions": True}},
}
SEEN = states(Params(**SMALL), 1, 30, 2)[-1]


def about(name: str) -> dict[str, Any]:
    given = {"name": f"test-{name}", "params": SMALL, "network": {}, "width": 8}
    return given | MINDS[name]


def make_agent(name: str = "none", sets: int = 3) -> Learned:
    mind = mind_of(about(name))
    return Learned(f"test-{name}", mind, make_variables(mind, sets=sets), about=about(name))


def write_agent(path: Path, name: str = "none") -> Learned:
    agent = make_agent(name)
    save_agent(path, agent.variables, agent.about)
    return agent


# Files


@pytest.mark.parametrize("name", MINDS)
def test_an_agent_loaded_from_its_file_plays_the_same(tmp_path: Path, name: str) -> None:
    agent = write_agent(tmp_path / ACTOR, name)
    loaded = load_agent(tmp_path / ACTOR)
    assert loaded.name.startswith(f"{agent.name}@")
    agent = replace(agent, name=loaded.name)
    assert loaded.mind == agent.mind
    assert loaded.about == agent.about
    assert loaded.sees_truth == (name == "oracle")
    ours, theirs = (play_together([each] * 3, agent.mind.params, 5) for each in (agent, loaded))
    assert ours == theirs


def test_an_agent_is_found_in_its_run_directory(tmp_path: Path) -> None:
    write_agent(tmp_path / ACTOR)
    assert load_agent(tmp_path).name == load_agent(tmp_path / ACTOR).name


def test_agents_of_one_kind_are_told_apart_in_records(tmp_path: Path) -> None:
    """Else a record would take the episodes of one for those of the other."""
    first = write_agent(tmp_path / "first.safetensors")
    save_agent(tmp_path / "second.safetensors", jax.tree.map(lambda leaf: -leaf, first.variables), first.about)
    save_agent(tmp_path / "copy.safetensors", first.variables, first.about)
    agents = [load_agent(tmp_path / f"{name}.safetensors") for name in ("first", "second", "copy")]
    names = [play_together([agent] * 3, agent.mind.params, 0).minds for agent in agents]
    assert names[0] != names[1]
    assert names[0] == names[2]


def test_a_run_directory_or_an_actor_file_names_a_mind(tmp_path: Path) -> None:
    agent, world = write_agent(tmp_path / ACTOR), SymmToM("n3_w4_c3")
    for spec in (tmp_path, tmp_path / ACTOR):
        assert find_mind(str(spec), world).name.startswith(agent.name.partition("@")[0])
    assert find_mind(f"{tmp_path}:greedy=true", world).name.endswith("-greedy")
    assert find_mind(f"{tmp_path}:greedy=false", world).name.endswith("-sampled")
    with pytest.raises(UserError, match="expected true or false"):
        find_mind(f"{tmp_path}:greedy=maybe", world)
    with pytest.raises(UserError, match="there is no mind 'nowhere'"):
        find_mind("nowhere", world)
    with pytest.raises(UserError, match="expected a run directory, an actor file"):
        find_mind(str(tmp_path / "none.safetensors"), world)


def test_a_file_that_changed_is_read_again(tmp_path: Path) -> None:
    first = write_agent(tmp_path / ACTOR)
    before = load_agent(tmp_path)
    save_agent(tmp_path / ACTOR, jax.tree.map(lambda leaf: -leaf, first.variables), first.about)
    os.utime(tmp_path / ACTOR, ns=(1, 1))
    assert load_agent(tmp_path).name != before.name


def test_one_changed_byte_of_the_weights_is_noticed(tmp_path: Path) -> None:
    write_agent(tmp_path / ACTOR)
    content = bytearray((tmp_path / ACTOR).read_bytes())
    content[-3] ^= 1
    (tmp_path / ACTOR).write_bytes(content)
    with pytest.raises(UserError, match="is damaged: its weights do not match its checksum"):
        load_agent(tmp_path)


def test_weights_that_are_no_numbers_are_refused(tmp_path: Path) -> None:
    agent = make_agent()
    save_agent(tmp_path / ACTOR, jax.tree.map(lambda leaf: leaf * jnp.nan, agent.variables), agent.about)
    with pytest.raises(UserError, match="weights that are not finite"):
        load_agent(tmp_path)


@pytest.mark.parametrize("wrong", [{"belief": None}, {"name": ["a"]}, {"params": 3}])
def test_a_description_of_the_wrong_kind_is_refused(tmp_path: Path, wrong: dict[str, Any]) -> None:
    agent = make_agent()
    save_agent(tmp_path / ACTOR, agent.variables, {**agent.about, **wrong})
    with pytest.raises(UserError, match="is not an actor file of otherminds"):
        load_agent(tmp_path)


# PettingZoo


def played_in_pettingzoo(agent: Learned, seed: int | None) -> list[Any]:
    env = otherminds.make("symmtom-v0", **SMALL).parallel_env()
    env.reset(seed=0)
    memory, found = None, []
    while env.agents:
        actions, memory = agent.act_in(env, memory, seed)
        found.append(np.stack(list(actions.values())))
        env.step(actions)
    return found


def test_an_agent_in_pettingzoo_acts_by_the_seed_it_is_given_or_else_by_chance() -> None:
    agent = make_agent()
    one, again, other, any_one, any_other = (played_in_pettingzoo(agent, seed) for seed in (0, 0, 1, None, None))
    assert np.array_equal(one, again)
    assert not np.array_equal(one, other)
    assert not np.array_equal(any_one, any_other)


def test_an_environment_without_a_state_is_refused() -> None:
    env = otherminds.make("symmtom-v0", **SMALL).parallel_env()
    with pytest.raises(UserError, match=r"call env.reset\(\) first"):
        make_agent().act_in(env)
    env.reset(seed=0)
    with pytest.raises(UserError, match="the memory is a str; expected the memory that act_in returned"):
        make_agent().act_in(env, "memory")
    with pytest.raises(UserError, match="object is not an environment of SymmToM"):
        make_agent().act_in(object())


def test_equal_agents_give_equal_files(tmp_path: Path) -> None:
    for file in ("a", "b"):
        write_agent(tmp_path / file)
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()


@pytest.mark.parametrize("missing", ["nowhere", "."])
def test_where_there_is_no_agent_the_message_says_what_was_expected(tmp_path: Path, missing: str) -> None:
    with pytest.raises(UserError, match=r"holds no trained agent; expected actor\.safetensors"):
        load_agent(tmp_path / missing)


def test_a_damaged_file_is_named(tmp_path: Path) -> None:
    write_agent(tmp_path / ACTOR)
    content = (tmp_path / ACTOR).read_bytes()
    (tmp_path / ACTOR).write_bytes(content[: len(content) // 2])
    with pytest.raises(UserError, match=r"actor\.safetensors is not a safetensors file, or is damaged"):
        load_agent(tmp_path)


def spoil(path: Path, change: str) -> None:
    """Make an actor file into something else."""
    arrays, metadata = read_arrays(path)
    config = json.loads(metadata["about"])
    if change == "no about":
        metadata = {}
    elif change == "other about":
        metadata = {"about": "[]"}
    elif change == "unknown belief":
        metadata = {"about": json.dumps(config | {"belief": "telepathic"})}
    elif change == "missing array":
        arrays.pop(next(iter(arrays)))
    elif change == "other width":
        metadata = {"about": json.dumps(config | {"width": 9})}
    else:
        arrays = {name: array[:2] for name, array in arrays.items()}
    write_arrays(path, arrays, metadata)


@pytest.mark.parametrize(
    "change", ["no about", "other about", "unknown belief", "missing array", "other width", "two agents"]
)
def test_a_file_of_something_else_is_no_actor_file(tmp_path: Path, change: str) -> None:
    write_agent(tmp_path / ACTOR)
    spoil(tmp_path / ACTOR, change)
    with pytest.raises(UserError, match=r"actor\.safetensors is not an actor file of otherminds"):
        load_agent(tmp_path)


# At the table


def test_learned_and_scripted_agents_share_a_table() -> None:
    agent = make_agent("estimated")
    episode = play_together([agent, scripted.BELIEF, agent], agent.mind.params, 3)
    assert list(episode.minds.values()) == ["test-estimated", "belief", "test-estimated"]
    assert len(episode.turns) == agent.mind.params.num_turns
    assert episode == play_together([agent, scripted.BELIEF, agent], agent.mind.params, 3)


def test_every_seat_acts_by_its_own_variables() -> None:
    """Greedily, in the first turn: whoever sits at seat 1 acts by the second set."""
    agent = make_agent().taking(greedy=True)
    state = states(agent.mind.params, 0, 50, 1)[0]

    def first_actions(variables: Any) -> Any:
        other = Learned("other", agent.mind, variables, samples=False)
        sight = other.look(state, agent.mind.params)
        action, _ = other.act(other.begin(sight, agent.mind.params), sight, agent.mind.params, jax.random.key(0))
        return np.asarray(action)

    changed = jax.tree.map(lambda leaf: leaf.at[1].multiply(-1.0), agent.variables)
    differs = np.any(first_actions(agent.variables) != first_actions(changed), axis=(0, 2))
    assert differs.tolist() == [False, True, False]


@pytest.mark.parametrize("engine", ["jax", pytest.param("numpy", marks=pytest.mark.slow)])
def test_a_learned_agent_plays_many_worlds_on_both_engines(engine: str) -> None:
    """On the NumPy engine the world is NumPy's; the network itself always runs on JAX."""
    agent = make_agent("situation", sets=1)
    params = agent.mind.params
    tally = rollout(params, agent, 0, 20, engine, batch=10)
    assert tally.reward.shape == (3, 20)
    assert np.isfinite(tally.reward).all()
    again = rollout(params, agent, 0, 20, engine, batch=10)
    assert np.array_equal(tally.reward, again.reward)


def test_a_learned_agent_plays_in_larger_worlds_and_under_other_rules() -> None:
    agent = make_agent("situation")
    params = Params(num_agents=3, width=7, num_pieces=3, num_turns=5, interference=True, swaps=False)
    assert len(play_together([agent] * 3, params, 0).turns) == 5


@pytest.mark.parametrize("switches", [{"num_pieces": 4}, {"num_agents": 4}])
def test_a_learned_agent_refuses_worlds_of_other_sizes(switches: dict[str, Any]) -> None:
    agent = make_agent()
    params = Params(**(SMALL | switches))
    message = f"this agent was trained in n3_w4_c3 and cannot play in {params.setting}"
    with pytest.raises(UserError, match=message):
        play_together([agent] * params.num_agents, params, 0)
    with pytest.raises(UserError, match=message):
        rollout(params, agent, 0, 4, "jax")


def acted(agent: Learned, keys: list[Any]) -> list[Any]:
    params = agent.mind.params
    sight = agent.look(on_jax(SEEN), params)
    memory = agent.begin(sight, params)
    return [np.asarray(agent.act(memory, sight, params, key)[0]) for key in keys]


def test_a_greedy_agent_takes_its_most_likely_actions_whatever_chance_says() -> None:
    agent = make_agent("situation")
    greedy = agent.taking(greedy=True)
    assert (greedy.name, greedy.samples, agent.samples) == ("test-situation-greedy", False, True)
    logits = logits_along(agent.mind, agent.variables, [SEEN])[0]
    for action in acted(greedy, [jax.random.key(0), jax.random.key(1), np.random.default_rng(2)]):
        assert np.array_equal(action[0], logits[..., :5].argmax(-1))
        assert np.array_equal(action[1], logits[..., 5:].argmax(-1))


def test_a_sampling_agent_acts_by_its_key() -> None:
    one, again, other = acted(make_agent("situation"), [jax.random.key(k) for k in (0, 0, 1)])
    assert np.array_equal(one, again)
    assert not np.array_equal(one, other)
