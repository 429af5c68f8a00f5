"""All policies, one by one: what the solver is held to. Shares the simulator with it, and nothing else."""

from collections.abc import Iterator
from typing import Any

from otherminds.core.seeds import Draw
from otherminds.worlds.enacttom.formulas import is_reached
from otherminds.worlds.enacttom.grounded_task import Ground
from otherminds.worlds.enacttom.messages import Act, Message, forbids
from otherminds.worlds.enacttom.observe import first_look, notes, perceive
from otherminds.worlds.enacttom.rules import WAIT, State, begin, step
from otherminds.worlds.enacttom.types import World

MOST = 30_000  # choices that are looked at before it is given up
Histories = dict[tuple[int, World], tuple[Any, ...]]  # of a person in a world


class TooMany(Exception):
    """There are more policies than there is patience for."""


def exists(ground: Ground, depth: int | None) -> bool:
    """Whether some policy reaches the goal in every world, if each may look so deep.

    Raises:
        TooMany: if that takes too long to find out.
    """
    people, worlds = range(len(ground.task.people)), ground.task.worlds
    states = {world: begin(ground, world) for world in worlds}
    full: Histories = {(i, w): (notes(ground, w, i), first_look(ground, states[w], i)) for i in people for w in worlds}
    own: Histories = {(i, w): (states[w].values[ground.rooms_of[i]],) for i in people for w in worlds}
    return _try(ground, depth, states, full, own, [MOST])


def _try(
    ground: Ground, depth: int | None, states: dict[World, State], full: Histories, own: Histories, left: list[int]
) -> bool:
    people, worlds = range(len(ground.task.people)), ground.task.worlds
    turn = states[worlds[0]].turn
    if turn == ground.task.horizon:
        return all(is_reached(ground, state.values) for state in states.values())
    cells = {(i, w): [u for u in worlds if full[i, u] == full[i, w]] for i in people for w in worlds}
    theories = _theories(ground, states, cells, depth or 0)
    groups: dict[tuple[int, Any], list[World]] = {}
    for i in people:
        for w in worlds:
            key = full[i, w] if depth is None else (own[i, w], theories[i, w])
            groups.setdefault((i, key), []).append(w)
    chosen: dict[tuple[int, World], Any] = {}
    waiting = [(i, many, list(_options(ground, i, many, states, cells))) for (i, _), many in groups.items()]

    def assign(at: int) -> bool:
        if at == len(waiting):
            return _follow(ground, depth, states, full, own, chosen, left)
        agent, many, options = waiting[at]
        for act in options:
            left[0] -= 1
            if left[0] < 0:
                raise TooMany
            chosen.update({(agent, w): act for w in many})
            # In the last turn a world whose people have all chosen is decided already.
            is_last = turn == ground.task.horizon - 1
            done = [w for w in many if is_last and all((i, w) in chosen for i in people)]
            if all(_is_won(ground, states[w], w, chosen) for w in done) and assign(at + 1):
                return True
            for w in many:
                del chosen[agent, w]
        return False

    return assign(0)


def _is_won(ground: Ground, state: State, world: World, acts: dict[tuple[int, World], Any]) -> bool:
    joint = [_said(ground, i, world, acts[i, world]) for i in range(len(ground.task.people))]
    return is_reached(ground, step(ground, state, joint)[0].values)


def _follow(
    ground: Ground,
    depth: int | None,
    states: dict[World, State],
    full: Histories,
    own: Histories,
    acts: dict[tuple[int, World], Any],
    left: list[int],
) -> bool:
    people = range(len(ground.task.people))
    after, new_full, new_own = {}, dict(full), dict(own)
    for w, state in states.items():
        joint: list[Act] = [_said(ground, i, w, acts[i, w]) for i in people]
        after[w], outcome = step(ground, state, joint)
        for i in people:
            percept = perceive(ground, state, after[w], outcome, i)
            new_full[i, w] = (*full[i, w], acts[i, w], percept)
            new_own[i, w] = (*own[i, w], acts[i, w], percept.room, percept.refused)
    return _try(ground, depth, after, new_full, new_own, left)


def _theories(
    ground: Ground, states: dict[World, State], cells: dict[tuple[int, World], list[World]], depth: int
) -> Any:
    """To a depth: the set of ways things may be, with the theories of others there."""
    people, worlds = range(len(ground.task.people)), ground.task.worlds
    known = [at for at, secret in enumerate(ground.task.secrets) if secret.sort == "objective"]

    def things(world: World) -> Any:
        values = states[world].values
        return tuple(values[at] for at in known), values[len(ground.task.secrets) :]

    found: Any = {(i, w): () for i in people for w in worlds}
    for level in range(depth):
        found = {
            (i, w): frozenset(
                (things(u), tuple(found[j, u] for j in people if j != i) if level else ()) for u in cells[i, w]
            )
            for i in people
            for w in worlds
        }
    return found


def _options(
    ground: Ground,
    agent: int,
    worlds: list[World],
    states: dict[World, State],
    cells: dict[tuple[int, World], list[World]],
) -> Iterator[Any]:
    """What can be chosen in all worlds of a group; only what is known in each can be told."""
    task = ground.task
    yield WAIT
    yield from ground.by_name[agent]
    for other in task.talk.channels.get(task.names[agent], ()):
        listener = task.names.index(other)
        for secret, one in enumerate(task.secrets):
            value = ("tell", listener, ("value", secret))
            if "value" in task.talk.kinds and all(
                _can_send(ground, agent, listener, states[w], ("value", one.name, one.values[w[secret]]))
                and len({u[secret] for u in cells[agent, w]}) == 1
                for w in worlds
            ):
                yield value
            for knower, name in enumerate(task.names):
                if "knows" in task.talk.kinds and all(
                    _can_send(ground, agent, listener, states[w], ("knows", name, one.name))
                    and all(len({z[secret] for z in cells[knower, u]}) == 1 for u in cells[agent, w])
                    for w in worlds
                ):
                    yield "tell", listener, ("knows", knower, secret)


def _can_send(ground: Ground, agent: int, listener: int, state: State, atom: tuple[str, ...]) -> bool:
    message = Message(agent, (listener,), (atom,))
    return not forbids(ground.task, agent, message, state.budgets[agent], state.turn + 1)


def _said(ground: Ground, agent: int, world: World, act: Any) -> Act:
    if isinstance(act, str):
        return act
    _, listener, (kind, *about) = act
    secret = ground.task.secrets[about[-1]]
    if kind == "value":
        return Message(agent, (listener,), (("value", secret.name, secret.values[world[about[-1]]]),))
    return Message(agent, (listener,), (("knows", ground.task.names[about[0]], secret.name),))


def climb(ground: Ground, depth: int, wanted: tuple[World, ...], steps: int, seed: int) -> int:
    """The most of some worlds that a policy of a depth solves, of those that a search by small changes comes across."""
    draw = Draw(seed, "enacttom/climb")
    best: dict[Any, Any] = {}
    most = -1
    for _ in range(steps):
        table = dict(best)
        for key in draw.some(list(table), min(len(table), 1 + draw.below(3))):
            del table[key]  # drawn anew where it comes up
        solved = sum(world in wanted for world in _played(ground, depth, table, draw))
        if solved >= most:
            best, most = table, solved
    return most


def _played(ground: Ground, depth: int, table: dict[Any, Any], draw: Draw) -> list[World]:
    """The worlds that a policy solves; what it does not say yet is drawn and added to it."""
    people, worlds = range(len(ground.task.people)), ground.task.worlds
    states = {world: begin(ground, world) for world in worlds}
    full: Histories = {(i, w): (notes(ground, w, i), first_look(ground, states[w], i)) for i in people for w in worlds}
    own: Histories = {(i, w): (states[w].values[ground.rooms_of[i]],) for i in people for w in worlds}
    for turn in range(ground.task.horizon):
        cells = {(i, w): [u for u in worlds if full[i, u] == full[i, w]] for i in people for w in worlds}
        theories = _theories(ground, states, cells, depth)
        groups: dict[Any, list[World]] = {}
        for i in people:
            for w in worlds:
                groups.setdefault((i, turn, own[i, w], theories[i, w]), []).append(w)
        acts: dict[tuple[int, World], Any] = {}
        for key, many in groups.items():
            options = list(_options(ground, key[0], many, states, cells))
            if table.get(key) not in options:
                table[key] = draw.pick(options)
            acts.update({(key[0], w): table[key] for w in many})
        for w in worlds:
            before = states[w]
            states[w], outcome = step(ground, before, [_said(ground, i, w, acts[i, w]) for i in people])
            for i in people:
                percept = perceive(ground, before, states[w], outcome, i)
                full[i, w] = (*full[i, w], acts[i, w], percept)
                own[i, w] = (*own[i, w], acts[i, w], percept.room, percept.refused)
    return [world for world in worlds if is_reached(ground, states[world].values)]
