"""Household tasks that evolve: changed skeletons, furnished anew in houses drawn by seed, proved and judged.

A task is made from its *genes*: a skeleton, the number of values of its secret, and what was added to it. A change is
made to the genes, goal first; house, notes, lines and text follow from them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Any

from otherminds.core.errors import UserError
from otherminds.core.seeds import Draw
from otherminds.core.world import Item
from otherminds.run.breeder import Refused
from otherminds.worlds.enacttom.grounding import ground
from otherminds.worlds.enacttom.houses.catalogue import catalogue
from otherminds.worlds.enacttom.tasks.canonical import canonical
from otherminds.worlds.enacttom.tasks.generate import DEPTHS, judge, prove
from otherminds.worlds.enacttom.tasks.read import parse_task, read_task
from otherminds.worlds.enacttom.tasks.skeletons.bars import HOURS
from otherminds.worlds.enacttom.tasks.skeletons.furnish import MOST_PEOPLE, furnished, with_turns
from otherminds.worlds.enacttom.tasks.skeletons.plots import Blueprint, blueprint, blueprints
from otherminds.worlds.enacttom.tasks.suite import Sitting, contrast_of
from otherminds.worlds.enacttom.tasks.write import task_content, task_text
from otherminds.worlds.enacttom.text.names import common_noun
from otherminds.worlds.enacttom.types import VERBS, Task
from otherminds.worlds.enacttom.verify.certify import digest_of, stored_certificate
from otherminds.worlds.enacttom.verify.errands import two_parts
from otherminds.worlds.enacttom.verify.slice import slice_of
from otherminds.worlds.enacttom.world import EnactToM

Content = dict[str, Any]  # a task as in its file
SECONDS = 20.0  # the time limit of each query to the solver; what takes longer is refused
_HOUSES = 20  # the most that are drawn for one task
_PILED = 2  # additions that are made at once
_MOST_WORLDS = 12
_MOST_WITH_RUMOUR = 8  # of these, half differ in nothing that matters
_LARGEST = 32_000  # pairs of worlds x turns x deeds of what has to be proved; more would cost a minute and more
_VALUES = (2, 3)  # how many values the secret of a job may have
# The largest shares of a pool (spec 8): a third of the tasks for each depth, and one third with private goals.
_A_DEPTH, _A_SKELETON, _COOPERATIVE, _EMPTY_HANDED = 1 / 3, 0.02, 0.62, 0.15
# Few skeletons have these mechanics. A few tasks with each of them have to be found.
_RARE_BARS = ("mirror", "inverse")
_RARE, _WITHOUT_RARE, _A_RARE = ("state_mirroring", "inverse_state", "commit"), 0.97, 0.01
_LAST_USED = "last_used_"  # begins the name of a secret that does not matter
_FIELDS = [field.name for field in fields(Blueprint)]


@dataclass(frozen=True)
class Genes:
    """What a task is made from, beside chance: a skeleton, a number of values, and additions by name."""

    skeleton: Blueprint
    values: int
    additions: tuple[str, ...] = ()


# Additions to the content of a task.


def add_relay(content: Content, draw: Draw) -> None:
    """A line leads over one more person, who has no use for what it hands on."""
    people, talk = content["people"], content["talk"]
    lines = [(speaker, listener) for speaker, heard in talk["channels"].items() for listener in heard]
    if not lines or any(mechanic["kind"] == "restricted_communication" for mechanic in content.get("mechanics", [])):
        raise Refused("there is no line that could lead over one more person")
    name, (speaker, listener) = _newcomer(content, draw), draw.pick(lines)
    people[name] = {"room": draw.pick(list(content["house"]["rooms"])), "verbs": ["tell", "wait"]}
    heard = talk["channels"][speaker]
    heard[heard.index(listener)] = name
    talk["channels"][name], talk["budgets"][name] = [listener], 1


def close_door(content: Content, draw: Draw) -> None:
    """An open door is closed, so that nobody sees through it and it takes a turn to open."""
    doors = [door for door in content["house"]["doors"].values() if door["open"] and not door["locked"]]
    if not doors:
        raise Refused("there is no open door")
    draw.pick(doors)["open"] = False


def private_wish(content: Content, draw: Draw) -> None:
    """Somebody who walks through the house would like its job to be done in one way, whatever is right."""
    furniture = content["house"]["furniture"]
    # Whoever has a job is thought about by somebody else. Others run errands, and proofs count on them.
    thought_of = {name for wish in content["wishes"] for name in wish["chain"]}
    walking = [
        name for name in content["people"] if name in thought_of and "navigate" in content["people"][name]["verbs"]
    ]
    jobs = [
        (secret.removeprefix("place_of_"), part["values"])
        for secret, part in content["secrets"].items()
        if secret in {wish["about"] for wish in content["wishes"]}
        and all(value in furniture for value in part["values"])
        and not secret.startswith("switch_of_")  # right or not, a switch is no end in itself
    ]
    if not walking or not jobs or content.get("private"):
        raise Refused("nobody could want anything else")
    (thing, values), who = draw.pick(jobs), draw.pick(walking)
    place = draw.pick(values)
    wishes = {"switch": f"powered({place})", "surface": f"on({thing}, {place})", "container": f"in({thing}, {place})"}
    content["private"] = {who: wishes[furniture[place]["kind"]]}
    content["category"] = "mixed"


def rumour(content: Content, draw: Draw) -> None:
    """A person who can send messages is told a secret that looks decisive and is not: which piece was used last."""
    jobs = [part["values"] for part in content["secrets"].values() if part["sort"] == "objective"]
    speakers = [name for name, number in content["talk"]["budgets"].items() if number]
    if not jobs or not speakers or any(name.startswith(_LAST_USED) for name in content["secrets"]):
        raise Refused("there is nothing to spread a rumour about")
    values = draw.pick(jobs)[:2]
    secret = _LAST_USED + (common_noun(values).rpartition(" ")[2] or "place")
    content["secrets"][secret] = {"values": values, "sort": "informational"}
    # It is the first that they are told.
    content.setdefault("mechanics", []).insert(0, {"kind": "memo", "to": draw.pick(speakers), "about": secret})


def decoy_listener(content: Content, draw: Draw) -> None:
    """Somebody can send its messages to one more person, who can do nothing about them."""
    people, channels = content["people"], content["talk"]["channels"]
    idle = [name for name, person in people.items() if set(person.get("verbs", VERBS)) <= {"navigate", "wait"}]
    if any(mechanic["kind"] == "restricted_communication" for mechanic in content.get("mechanics", [])):
        raise Refused("the rules of the house say who can speak with whom")
    if not idle:
        name = _newcomer(content, draw)
        people[name] = {"room": draw.pick(list(content["house"]["rooms"])), "verbs": ["navigate", "wait"]}
        idle = [name]
    listener = draw.pick(idle)
    speakers = [name for name, heard in channels.items() if listener not in heard]
    if not speakers:
        raise Refused("everybody can already write to somebody who does not matter")
    channels[draw.pick(speakers)].insert(0, listener)


def late(content: Content, draw: Draw) -> None:
    """The furniture of a job cannot be used in the first turns, so that what was heard must be kept in mind."""
    furniture, mechanics = content["house"]["furniture"], content.setdefault("mechanics", [])
    jobs = [
        part["values"]
        for name, part in content["secrets"].items()
        if part["sort"] == "objective" and not name.startswith("switch_of_") and furniture.keys() >= set(part["values"])
    ]
    if not jobs or any(mechanic["kind"] == "time_window" for mechanic in mechanics):
        raise Refused("there is no job that could have to wait")
    mechanics.append({"kind": "time_window", "furniture": draw.pick(jobs), "turns": list(HOURS)})


def _newcomer(content: Content, draw: Draw) -> str:
    """The name of one more person."""
    taken = {name[0] for name in content["people"]}
    names = [name for name in catalogue().people if name[0] not in taken]
    if len(content["people"]) == MOST_PEOPLE or not names:
        raise Refused("there is no place for one more person")
    return draw.pick(names)


_WISH, _RUMOUR = "private-wish", "rumour"
ADDITIONS: dict[str, Callable[[Content, Draw], None]] = {
    "add-relay": add_relay,
    "close-door": close_door,
    _WISH: private_wish,
    _RUMOUR: rumour,
    "decoy-listener": decoy_listener,
    "late": late,
}
_CUT, _PILE, _UNUSUAL, _VALUES_CHANGE = "cut", "pile", "unusual", "values"


class TaskBreeder:
    """Breeds household tasks.

    Changes to a skeleton are named after the part that becomes another: ``plot`` (who relies on whom), ``source``
    (how people come to know), ``job`` and ``bar`` (what stands in the way). ``pile`` makes two additions at once,
    and ``unusual`` takes a skeleton with mechanics that few have.

    Args:
        world: EnactToM; its task does not matter.
        seconds: time limit of each query to the solver.
    """

    operators = (*_FIELDS, _VALUES_CHANGE, *ADDITIONS, _PILE, _UNUSUAL, _CUT)
    suffix = ".yaml"

    def __init__(self, world: EnactToM, seconds: float = SECONDS) -> None:
        self._seconds = seconds

    def fresh(self, draw: Draw) -> Task:
        """A task of any skeleton in a house of its own; every depth is equally likely."""
        depth = draw.pick(DEPTHS)
        skeleton = draw.pick([plan for plan in blueprints() if plan.depth == depth])
        wishes = (_WISH,) if draw.happens(1 - _COOPERATIVE) else ()
        return self._built(Genes(skeleton, draw.pick(_VALUES), wishes), draw)

    def mutate(self, parent: Task, operator: str, draw: Draw) -> Task:
        genes = genes_of(parent)
        if operator in ADDITIONS:
            if operator in genes.additions:
                raise Refused(f"{operator} was already added")
            changed = replace(genes, additions=(*genes.additions, operator))
        elif operator == _PILE:
            left = [name for name in ADDITIONS if name not in genes.additions]
            if len(left) < _PILED:
                raise Refused("there are too few additions left")
            changed = replace(genes, additions=(*genes.additions, *draw.some(left, _PILED)))
        elif operator == _UNUSUAL:
            changed = replace(genes, skeleton=_unusual(genes.skeleton, draw))
        elif operator == _CUT:
            if not genes.additions:
                raise Refused("there is no addition to cut")
            cut = draw.pick(genes.additions)
            changed = replace(genes, additions=tuple(name for name in genes.additions if name != cut))
        elif operator == _VALUES_CHANGE:
            changed = replace(genes, values=draw.pick([value for value in _VALUES if value != genes.values]))
        else:
            changed = replace(genes, skeleton=_neighbour(genes.skeleton, operator, draw))
        return self._built(changed, draw)

    def cross(self, first: Task, second: Task, draw: Draw) -> Task:
        """A skeleton with parts of both, and the additions of both."""
        mine, theirs = genes_of(first), genes_of(second)
        mixed = [
            plan
            for plan in blueprints()
            if plan not in (mine.skeleton, theirs.skeleton)
            and all(
                getattr(plan, name) in (getattr(mine.skeleton, name), getattr(theirs.skeleton, name))
                for name in _FIELDS
            )
        ]
        additions = tuple(dict.fromkeys((*mine.additions, *theirs.additions)))
        if not mixed:
            raise Refused("no other skeleton combines both")
        return self._built(Genes(draw.pick(mixed), draw.pick((mine.values, theirs.values)), additions), draw)

    def _built(self, genes: Genes, draw: Draw) -> Task:
        """The task of its genes, in the first house drawn that has a place for it; turns are set by ``check``."""
        for left in reversed(range(_HOUSES)):
            try:
                content = task_content(furnished(genes.skeleton, draw, values=genes.values), is_bare=True)
                for name in genes.additions:
                    ADDITIONS[name](content, draw)
                task = parse_task(content)
                if len(task.worlds) > (_MOST_WITH_RUMOUR if _RUMOUR in genes.additions else _MOST_WORLDS):
                    raise Refused(f"{len(task.worlds)} worlds, which would take long to prove and to play")
                break
            except UserError as error:
                if not left:
                    raise Refused(str(error)) from error
        about = {"skeleton": genes.skeleton.name, "values": genes.values, "additions": list(genes.additions)}
        return replace(task, provenance=about)

    def niches(self, candidate: Task) -> Mapping[str, float]:
        genes = genes_of(candidate)
        shares = {f"tasks of depth {genes.skeleton.depth}": _A_DEPTH, f"skeleton {genes.skeleton.name}": _A_SKELETON}
        if not candidate.private:
            shares["tasks without private goals"] = _COOPERATIVE
        if not slice_of(ground(candidate)).ground.task.things:
            shares["tasks without things to carry"] = _EMPTY_HANDED
        rare = {mechanic.kind for mechanic in candidate.mechanics}.intersection(_RARE)
        shares |= {f"tasks with {kind}": _A_RARE for kind in rare} or {"tasks without rare mechanics": _WITHOUT_RARE}
        return shares

    def check(self, candidate: Task) -> Task:
        """The task with its turns and its certificate.

        Raises:
            Refused: if it takes too many turns, is too large, or does not have the depth of its skeleton.
        """
        try:
            task = with_turns(candidate)
        except UserError as error:
            raise Refused(str(error)) from error
        parts = two_parts(task)
        core = slice_of(ground(parts.core if parts else task)).ground
        size = len(core.task.worlds) ** 2 * core.task.horizon * len(core.deeds)
        if size > _LARGEST:
            raise Refused(f"a core of size {size}, which would take long to prove")
        return _unless_refused(prove(task, genes_of(task).skeleton.depth, self._seconds))

    def confirm(self, candidate: Task) -> Task:
        """The task with the verdicts of the judge.

        Raises:
            Refused: if a part of it does not matter.
        """
        try:
            return _unless_refused(judge(candidate, self._seconds))
        except UserError as error:
            raise Refused(str(error)) from error

    def key(self, candidate: Task) -> str:
        """The canonical form of what can matter in the task; names, order and decoys do not count."""
        return canonical(slice_of(ground(candidate)).ground.task)

    def items(self, candidate: Task, run: int) -> Sequence[Item]:
        """One episode: the contrast worlds take turns."""
        proof = stored_certificate(candidate)
        if proof is None:
            raise UserError(f"task {candidate.id!r} has no valid certificate; restore its file or start another pool")
        worlds = list(contrast_of(candidate, proof))
        Draw(0, f"enacttom/evolve/{digest_of(candidate)}").shuffle(worlds)
        data = Sitting(candidate, worlds[run % len(worlds)], probes=False, number=run)
        return [Item(f"{candidate.id}-run{run}", data, candidate.id, proof.depth)]

    def text(self, candidate: Task, name: str, lineage: Mapping[str, Any]) -> str:
        return task_text(replace(candidate, id=name, provenance={**candidate.provenance, "lineage": dict(lineage)}))

    def read(self, path: Path) -> Task:
        return read_task(path)


def _unless_refused(result: tuple[Task, str]) -> Task:
    task, against = result
    if against:
        raise Refused(against)
    return task


def genes_of(task: Task) -> Genes:
    """What a task was made from.

    Raises:
        UserError: if its file does not say so.
    """
    about = task.provenance
    try:
        return Genes(blueprint(about["skeleton"]), int(about["values"]), tuple(about["additions"]))
    except (KeyError, TypeError, ValueError) as error:
        raise UserError(f"task {task.id!r} has no readable lineage ({error}); expected a task of a pool") from None


def _unusual(skeleton: Blueprint, draw: Draw) -> Blueprint:
    """A skeleton of the same depth with a mechanic that few skeletons have."""
    rare = [plan for plan in blueprints() if plan.bar in _RARE_BARS or plan.job == "code"]
    return draw.pick([plan for plan in rare if plan.depth == skeleton.depth and plan != skeleton])


def _neighbour(skeleton: Blueprint, part: str, draw: Draw) -> Blueprint:
    """Another skeleton that differs in a part, and in as little else as possible."""

    def shared(plan: Blueprint) -> int:
        return sum(getattr(plan, name) == getattr(skeleton, name) for name in _FIELDS)

    others = [plan for plan in blueprints() if getattr(plan, part) != getattr(skeleton, part)]
    if not others:
        raise Refused(f"there is no skeleton with another {part}")
    most = max(map(shared, others))
    return draw.pick([plan for plan in others if shared(plan) == most])
