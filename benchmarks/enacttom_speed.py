"""How fast the household is played and its certificates are checked, against a plain program in the same run.

Three people do random things. The plain program has the same rules by names: a dictionary, copied every turn, in which
every deed and sight is looked up, as one would write it from the paper. Certificates are proved anew, task by task.
"""

from __future__ import annotations

import argparse
import copy
import json
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from otherminds.core.match import Lineup
from otherminds.core.match import play as play_tables
from otherminds.core.seeds import Draw
from otherminds.minds.find import minds_for
from otherminds.minds.play_all import play_all
from otherminds.worlds.enacttom.evals.scores import score_records, summary
from otherminds.worlds.enacttom.grounded_task import Ground, Tests
from otherminds.worlds.enacttom.grounding import ground
from otherminds.worlds.enacttom.ledger import Labeller, chains_of
from otherminds.worlds.enacttom.messages import Act, Message
from otherminds.worlds.enacttom.observe import perceive
from otherminds.worlds.enacttom.rules import WAIT, begin, is_over, possible, step
from otherminds.worlds.enacttom.tasks.read import find_task, parse_task, read_task, task_names
from otherminds.worlds.enacttom.tasks.suite import enter, items_of
from otherminds.worlds.enacttom.types import Task
from otherminds.worlds.enacttom.verify.certify import certify
from otherminds.worlds.enacttom.world import EnactToM

MINDS = ("oracle", "tracker:depth=1", "tracker:depth=2", "tracker:depth=3", "greedy", "decoupled", "random")
BARS = {"turns": 20_000.0, "floor": 5_000.0, "certificate": 120.0, "benchmark": 900.0}  # turns a second; seconds
Script = list[tuple[tuple[int, ...], list[tuple[Act, ...]]]]  # a world and what is done in it


def house() -> Task:
    """Three people, four rooms, three things, a sign, a box, a lamp and a message each."""
    people = ("ann", "ben", "cleo")
    tables = ["red", "blue", "green"]
    return parse_task(
        {
            "id": "bench", "title": "Bench", "category": "cooperative", "horizon": 40,
            "house": {
                "rooms": {"porch": {}, "study": {}, "hall": {}, "kitchen": {}},
                "doors": {
                    "d1": {"rooms": ["porch", "study"]}, "d2": {"rooms": ["porch", "hall"]},
                    "d3": {"rooms": ["hall", "kitchen"]},
                },
                "furniture": {
                    "board": {"kind": "sign", "room": "study", "shows": "target"},
                    "box": {"kind": "container", "room": "hall"}, "lamp": {"kind": "switch", "room": "porch"},
                    **{name: {"kind": "surface", "room": "kitchen"} for name in tables},
                },
                "things": {"cup": {"place": "in box"}, "pen": {"place": "on red"}, "key": {"place": "floor porch"}},
            },
            "people": {name: {"room": "porch"} for name in people},
            "secrets": {"target": {"values": tables}},
            "mechanics": [{"kind": "room_restriction", "agents": ["ann"], "rooms": ["kitchen"]}],
            "talk": {
                "channels": {a: [b for b in people if b != a] for a in people}, "budgets": dict.fromkeys(people, 3),
            },
            "goal": "on(cup, $target)",
        }
    )  # fmt: skip


def scripts(place: Ground, runs: int) -> Script:
    """What people do, drawn beforehand so that drawing is not timed: mostly what they can, and messages."""
    found: Script = []
    for seed in range(runs):
        draw = Draw(seed, "enacttom/bench")
        world = draw.pick(place.task.worlds)
        state, turns = begin(place, world), []
        while not is_over(place, state):
            acts: list[Act] = []
            for agent in range(len(place.task.people)):
                to = (agent + 1 + draw.below(2)) % 3
                atom = ("value", "target", place.task.value(world, "target"))
                acts.append(
                    Message(agent, (to,), (atom,)) if draw.happens(0.1) else draw.pick(possible(place, state, agent))
                )
            turns.append(tuple(acts))
            state, _ = step(place, state, acts)
        found.append((world, turns))
    return found


def ours(place: Ground, script: Script, *, has_percepts: bool = True, has_labels: bool = False) -> int:
    """Turns played."""
    people, turns = range(len(place.task.people)), 0
    for world, acts in script:
        state = begin(place, world)
        labels = Labeller(place, world) if has_labels else None
        for joint in acts:
            after, outcome = step(place, state, joint)
            if has_percepts:
                for agent in people:
                    perceive(place, state, after, outcome, agent)
            if labels:
                labels.follow(after, outcome)
            state = after
            turns += 1
        if labels:
            for chain in chains_of(len(place.task.people)):
                labels.knows(chain, 0)
    return turns


def plain(place: Ground, script: Script) -> int:
    """The same by names: every variable and value is looked up, and the state is copied whole."""
    names, domains, turns = place.variables, place.domains, 0

    def holds(state: dict[str, str], tests: Tests) -> bool:
        return all((state[names[t.variable]] == domains[t.variable][t.value]) == t.is_equal for t in tests)

    def seen(state: dict[str, str], who: str) -> Iterator[tuple[str, str]]:
        for sight in place.sights:
            if place.task.rooms[sight.room].name == state[f"at {who}"] and holds(state, sight.tests):
                value = domains[sight.variable][sight.value]
                if state[names[sight.variable]] == value:
                    yield names[sight.variable], value

    for world, acts in script:
        state = {
            name: domains[at][value] for at, (name, value) in enumerate(zip(names, place.starts[world], strict=True))
        }
        for turn, joint in enumerate(acts, 1):
            wanted: dict[str, set[str]] = {}
            for agent, act in enumerate(joint):
                for deed in place.deeds:
                    if deed.agent == agent and deed.name == act and act != WAIT:
                        ways = (way for way in deed.ways if way.first <= turn <= way.last and holds(state, way.tests))
                        for effect in deed.effects if any(True for _ in ways) else ():
                            if holds(state, effect.tests):
                                value = domains[effect.variable][effect.value]
                                wanted.setdefault(names[effect.variable], set()).add(value)
            state = copy.deepcopy(state)
            state.update({name: min(values) for name, values in wanted.items() if len(values) == 1})
            for who in place.task.names:
                list(seen(state, who))
            turns += 1
    return turns


def episodes(task: Task, number: int, mind: str = "random") -> int:
    """Turns played by one mind in all seats, through the match loop."""
    world = EnactToM(task)
    minds = minds_for(world, dict.fromkeys(world.seats, mind))
    tables = (Lineup(world.open(seed), minds) for seed in range(number))
    return sum(len(episode.turns) for episode in play_tables(tables))


def rate(work: Callable[[], int], repeats: int = 3) -> float:
    """Turns a second of one core's time, the best of some repeats: others use the machine too."""
    found = []
    for _ in range(repeats):
        started = time.process_time()
        turns = work()
        found.append(turns / (time.process_time() - started))
    return max(found)


def certificates(most: int | None) -> dict[str, float]:
    """Seconds of one core's time to prove each shipped task anew; its stored certificate must say the same."""
    found: dict[str, float] = {}
    for name in task_names()[:most]:
        task = read_task(find_task(name))
        started = time.process_time()
        proof = certify(task)
        found[name] = time.process_time() - started
        stored = task.certificate
        if stored and (stored["depth"], stored["depth_any"]) != (proof.depth, proof.depth_any):
            raise SystemExit(
                f"{name}: proved {proof.depth}/{proof.depth_any}, stored is {stored['depth']}/{stored['depth_any']}"
            )
    return found


def benchmark(most: int | None) -> float:
    """Seconds of one core's time for all minds but language models to play the shipped tasks and be scored."""
    started = time.process_time()
    entries = [enter(read_task(find_task(name))) for name in task_names()[:most]]
    for mind in MINDS:
        episodes = []
        for entry in entries:
            world = EnactToM(entry.task)
            episodes += play_all(world, dict.fromkeys(world.seats, mind), list(items_of(entry)))
        for team, tasks in score_records(episodes).items():
            summary(team, tasks)
    return time.process_time() - started


def main() -> None:
    """Print the rates, and keep them with ``--record``."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=100, help="of 40 turns each")
    parser.add_argument("--tasks", type=int, help="how many shipped tasks to prove; all by default")
    parser.add_argument("--record", type=Path)
    given = parser.parse_args()
    place = ground(house())
    script = scripts(place, given.runs)
    few = script[: max(1, given.runs // 10)]
    reference = rate(lambda: plain(place, few))
    rows = {
        "rules alone": rate(lambda: ours(place, script, has_percepts=False)),
        "with percepts": rate(lambda: ours(place, script)),
        "and labels": rate(lambda: ours(place, few, has_labels=True)),
        "match loop": rate(lambda: episodes(place.task, given.runs)),
    }
    print(f"{'plain program':16} {reference:10,.0f} turns a second")
    for name, found in rows.items():
        print(f"{name:16} {found:10,.0f} turns a second, {found / reference:6.1f} times the plain")
    turns = rows["with percepts"]
    verdict = "met" if turns >= BARS["turns"] else "missed" if turns < BARS["floor"] else "missed, above the floor"
    print(f"turns a second with the labeller off: {turns:,.0f}, bar {BARS['turns']:,.0f}: {verdict}")
    proofs = certificates(given.tasks)
    slowest = max(proofs, key=lambda name: proofs[name])
    verdict = "met" if proofs[slowest] <= BARS["certificate"] else "missed"
    print(f"certificates of {len(proofs)} tasks: {sum(proofs.values()):.1f} s in all")
    print(f"the slowest, {slowest}: {proofs[slowest]:.1f} s, bar {BARS['certificate']:.0f}: {verdict}")
    whole = benchmark(given.tasks)
    verdict = "met" if whole <= BARS["benchmark"] else "missed"
    print(f"all teams on all tasks, scored: {whole:.0f} s, bar {BARS['benchmark']:.0f}: {verdict}")
    if given.record:
        record = {
            "benchmark": round(whole, 1),
            "plain": reference,
            "ours": rows,
            "certificates": {name: round(seconds, 2) for name, seconds in proofs.items()},
            "bars": BARS,
            "command": f"benchmarks/enacttom_speed.py --runs {given.runs}",
        }
        given.record.write_text(json.dumps(record, indent=1) + "\n")


if __name__ == "__main__":
    main()
