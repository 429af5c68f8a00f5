"""Read scenario files. Errors name the line of the mistake."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise
from pathlib import Path
from typing import cast, get_args

from otherminds.core.errors import UserError, nearest
from otherminds.core.files import read_text
from otherminds.core.registry import find
from otherminds.core.yaml_lines import YamlValue, read_lines
from otherminds.worlds.symmtom.scenarios.staging import history_of, play_turns, shown, trial_state
from otherminds.worlds.symmtom.scenarios.types import Case, Cell, Condition, Deed, Horizon, Scenario, Turn, any_holds
from otherminds.worlds.symmtom.types import MOVE_NAMES, MOVES, SILENT, SIZES, Params, State

FOLDER = Path(__file__).parent / "files"
SUFFIX = ".yaml"
TEMPLATE = Path(__file__).parent / f"template{SUFFIX}"  # written by ``otherminds new scenario``
_VERBS = ("near", "knows", "tells", "home")
_REQUIRED = ("about", "order", "setting", "agents", "choices", "cases")
_ALLOWED = (*_REQUIRED, "switches", "trial", "horizon", "limit", "reproduction only", "certificate")


def scenario_names() -> list[str]:
    """The names of the scenarios of the battery."""
    return sorted(path.stem for path in FOLDER.glob(f"*{SUFFIX}"))


def find_scenario(name: str | Path) -> Scenario:
    """A scenario of the battery by name, or from a user's file."""
    if Path(name).suffix == SUFFIX:
        return load_scenario(Path(name))
    scenario: Scenario = find("scenario", str(name), "symmtom").load()
    return scenario


class _Battery(dict[str, Scenario]):
    """The scenarios of the battery by name, each read on first use."""

    def __missing__(self, name: str) -> Scenario:
        self[name] = load_scenario(FOLDER / f"{name}{SUFFIX}")
        return self[name]


SCENARIOS = _Battery()


def load_scenario(path: Path) -> Scenario:
    """Read a scenario file."""
    return parse_scenario(read_text(path, "a scenario; 'otherminds new scenario' makes one"), path.name, path)


def parse_scenario(text: str, source: str, path: Path | None = None) -> Scenario:
    """Read a scenario from text; ``source`` is the name of the file in errors."""
    file = read_lines(text, source)
    top = file.entries(_ALLOWED, _REQUIRED)
    params = _params(top)
    agents = _agents(top["agents"], params)
    names = tuple(agents)
    cells, bases = (
        _apart(top["agents"], tuple(_cell(fields[key], params) for fields in agents.values()), key)
        for key in ("at", "base")
    )
    hands = tuple(
        tuple(sorted({piece.whole(0, params.num_pieces - 1) for piece in fields["pieces"].items()}))
        for fields in agents.values()
    )
    if unowned := set(range(params.num_pieces)) - {piece for hand in hands for piece in hand}:
        listed = ", ".join(map(str, sorted(unowned)))
        top["agents"].fail(f"no agent owns {listed} of the {params.num_pieces} pieces; give each to an agent")
    choices = {name: _conditions(field, names, params) for name, field in top["choices"].entries().items()}
    if not choices:
        top["choices"].fail("choices is empty; expected at least one, such as 'blue: red near blue'")
    horizon = top["horizon"].one_of(get_args(Horizon)) if "horizon" in top else "trial"
    limit = top["limit"].whole(1, 1000) if "limit" in top else params.num_turns
    cases = top["cases"].entries()
    scenario = Scenario(
        name=Path(source).stem,
        about=" ".join(top["about"].text().split()),
        order=top["order"].whole(0, 2),
        params=params,
        agents=names,
        bases=bases,
        hands=hands,
        choices=choices,
        cases=tuple(_case(f, names, cells, choices, limit, params) for f in cases.values()),
        script=_script(top["trial"], names, params) if "trial" in top else (),
        horizon=cast(Horizon, horizon),
        limit=limit,
        reproduction=" ".join(top["reproduction only"].text().split()) if "reproduction only" in top else "",
        certificate=top["certificate"].value() if "certificate" in top else None,
        path=path,
        lines=_lines(top, cases),
    )
    _check_histories(scenario, top["cases"])
    if "trial" in top:
        _check_script(scenario, top["trial"])
    return scenario


def _lines(top: dict[str, YamlValue], cases: dict[str, YamlValue]) -> dict[str, int]:
    """Line numbers of the fields of the file and of each case, for claims that are proved later."""
    fields = {f"{name}.{part}": field for name, case in cases.items() for part, field in case.entries().items()}
    return {name: field.line for name, field in (top | fields).items()}


def _params(top: dict[str, YamlValue]) -> Params:
    try:
        params = Params.from_setting(top["setting"].text())
    except UserError as error:
        return top["setting"].fail(str(error))
    for name, field in (top["switches"].entries() if "switches" in top else {}).items():
        if name in SIZES:
            field.fail(
                f"{name} is not an option here; 'setting' gives the agents, width and pieces, and 'limit' the turns"
            )
        try:
            params = params.replace(**{name: field.value()})
        except UserError as error:
            field.fail(str(error))
    return params


def _agents(field: YamlValue, params: Params) -> dict[str, dict[str, YamlValue]]:
    parts = ("at", "base", "pieces")
    agents = {name: entry.entries(parts, parts) for name, entry in field.entries().items()}
    if len(agents) != params.num_agents:
        field.fail(f"the file has {len(agents)} agents; {params.setting} has {params.num_agents}")
    for name in agents:
        if not name.isidentifier():
            field.fail(f"{name!r} is not a name for an agent; expected one word of letters")
    return agents


def _apart(field: YamlValue, cells: tuple[Cell, ...], key: str) -> tuple[Cell, ...]:
    for cell in cells:
        if cells.count(cell) > 1:
            field.fail(f"two agents have {key} {list(cell)}; expected different cells")
    return cells


def _cell(field: YamlValue, params: Params) -> Cell:
    values = list(field.items())
    if len(values) != 2:
        field.fail(f"{field.name} has {len(values)} numbers; expected a cell [x, y]")
    x, y = (value.whole(0, params.width - 1) for value in values)
    if (x, y) not in params.free_cells:
        field.fail(f"{field.name} [{x}, {y}] is a wall")
    return x, y


def _conditions(field: YamlValue, names: Sequence[str], params: Params) -> tuple[Condition, ...]:
    fields = field.items() if field.is_list() else [field]
    return tuple(_condition(entry, names, params) for entry in fields)


def _condition(field: YamlValue, names: Sequence[str], params: Params) -> Condition:
    """``red near blue``, ``red knows 0 2``, ``red tells blue`` or ``red home``."""
    text, a, b = field.text(), names[0], names[-1]
    who, verb, *what = [*text.split(), "", ""][: max(2, len(text.split()))]
    if verb not in _VERBS or (verb == "home") == bool(what):
        field.fail(
            f"{text!r} is not a condition; expected '{a} near {b}', '{a} knows 0 2', '{a} tells {b}' or '{a} home'"
        )
    for name in (who, *(what if verb != "knows" else ())):
        if name not in names:
            field.fail(f"unknown agent {name!r}{nearest(name, names)}")
    if verb == "knows":
        pieces = [str(piece) for piece in range(params.num_pieces)]
        for piece in what:
            if piece not in pieces:
                field.fail(f"{text!r}: {piece!r} is not a piece; expected 0 to {pieces[-1]}")
        return Condition(names.index(who), verb, tuple(map(int, what)))
    if len(what) > 1:
        field.fail(f"{text!r} names {len(what)} agents; write a condition for each")
    if what == [who]:
        field.fail(f"{text!r} names the same agent twice; name two agents")
    return Condition(names.index(who), verb, tuple(map(names.index, what)))


def _case(
    field: YamlValue,
    names: Sequence[str],
    cells: tuple[Cell, ...],
    choices: dict[str, tuple[Condition, ...]],
    limit: int,
    params: Params,
) -> Case:
    if not re.fullmatch(r"[\w-]+", field.name):
        field.fail(f"{field.name!r} is not a name for a case; expected letters, digits, '_' and '-', for SCENARIO:CASE")
    entries = field.entries(("right", "turns", "weight", "history"), ("right", "turns", "history"))
    case = Case(
        name=field.name,
        cells=cells,
        history=tuple(_turn(turn, names, params) for turn in entries["history"].items()),
        right=entries["right"].one_of(choices),
        turns=entries["turns"].number(),
        weight=entries["weight"].number() if "weight" in entries else 1.0,
    )
    if case.turns > limit:
        entries["turns"].fail(f"turns is {case.turns:g}, but the trial ends after {limit}; see 'limit'")
    if not case.history:
        entries["history"].fail("the history is empty; expected at least one turn, if only '- {}'")
    return case


def _turn(field: YamlValue, names: Sequence[str], params: Params) -> Turn:
    deeds = field.entries(names)
    return tuple(_deed(deeds[name], params) if name in deeds else Deed() for name in names)


def _deed(field: YamlValue, params: Params) -> Deed:
    """``right``, ``say 0``, ``right say 0``, or ``-`` for neither."""
    words, move, piece = field.text().split(), 0, SILENT
    if words and words[0] in MOVE_NAMES:
        move = MOVE_NAMES.index(words.pop(0))
    if words[:1] == ["say"] and len(words) == 2 and words[1].isdecimal() and int(words[1]) < params.num_pieces:
        words, piece = [], int(words[1])
    if words and words != ["-"]:
        moves = ", ".join(MOVE_NAMES)
        field.fail(f"{field.text()!r} is not an act; expected {moves}, 'say 0', or both, as in 'right say 0'")
    return Deed(move, piece)


def _script(field: YamlValue, names: Sequence[str], params: Params) -> tuple[Turn, ...]:
    """The deeds of all agents in the trial, by turn; an agent with fewer deeds repeats its last."""
    deeds = {name: [_deed(d, params) for d in entry.items()] for name, entry in field.entries(names[1:]).items()}
    lengths = [len(done) for done in deeds.values()]
    if not all(lengths):
        field.fail("the script of an agent is empty; leave the agent out if it stays and is silent")

    def at(name: str, turn: int) -> Deed:
        done = deeds.get(name, [Deed()])
        return done[min(turn, len(done) - 1)]

    return tuple(tuple(at(name, turn) for name in names) for turn in range(max(lengths, default=0)))


def _check_histories(scenario: Scenario, field: YamlValue) -> None:
    """Refuse histories that the rules do not allow, and cases whose trials look different to the tested agent."""
    cases = field.entries()
    if not cases:
        field.fail("cases is empty; expected at least one")
    ends = []
    for case in scenario.cases:
        lines = list(cases[case.name].entries()["history"].items())
        states = history_of(scenario, case)
        for number, role, problem in _problems(states, case.history):
            lines[number].fail(f"{scenario.agents[role]} {problem}")
        ends.append(states[-1])
        for name, conditions in scenario.choices.items():
            if any_holds(conditions, states[-1], scenario.params):
                lines[-1].fail(f"{name!r} holds before the trial begins, so there is nothing left to choose")
    for case, end in zip(scenario.cases, ends, strict=True):
        _check_alike(scenario, case.name, len(case.history), (end, ends[0]), cases[case.name])


def _check_alike(scenario: Scenario, name: str, length: int, ends: tuple[State, State], field: YamlValue) -> None:
    """Refuse a case that an agent without memory can distinguish from the first one."""
    first = scenario.cases[0]
    if length != len(first.history):
        field.fail(
            f"{name!r} has {length} turns of history, {first.name!r} has {len(first.history)}; add turns "
            f"without acts: '- {{}}'"
        )
    board, other = (list(zip(state.x.tolist(), state.y.tolist(), strict=True)) for state in ends)
    if board != other:
        field.fail(
            f"{name!r} leads to agents at {board}, {first.name!r} to {other}; "
            f"all cases must start the trial on the same board"
        )
    mine, theirs = (shown(state, scenario.params) for state in ends)
    for fact, value in mine.items():
        if value != theirs[fact]:
            field.fail(
                f"{name!r} differs from {first.name!r} for an agent without memory: when the trial begins, "
                f"{scenario.agents[0]} sees {fact.replace('_', ' ')} {value} of the last turn, not {theirs[fact]}; "
                f"end all histories with the same turn, such as '- {{}}'"
            )


def _check_script(scenario: Scenario, field: YamlValue) -> None:
    """Refuse a script of the trial that the rules do not allow, played against a tested agent that stays silent."""
    written = {name: list(entry.items()) for name, entry in field.entries().items()}
    turns = [scenario.deeds(number) for number in range(scenario.limit)]
    for case in scenario.cases:
        states = play_turns(scenario, trial_state(scenario, case), turns)
        for number, role, problem in _problems(states, turns):
            name = scenario.agents[role]
            if scenario.params.competitive and (states[number].correct_uses >= scenario.params.competitive).any():
                break  # the episode has ended
            state, (dx, dy) = states[number], MOVES[turns[number][role].move]
            # The tested agent, which stands still here, may have left by then.
            is_blocked = (dx, dy) != (0, 0) and (state.x[role] + dx, state.y[role] + dy) == (state.x[0], state.y[0])
            if name in written and not is_blocked:
                line = written[name][min(number, len(written[name]) - 1)]
                again = "" if number < len(written[name]) else ", where its last act is repeated; end with 'stay'"
                line.fail(f"{name} {problem} (turn {number + 1} of the trial{again})")


def _problems(states: Sequence[State], turns: Sequence[Turn]) -> Iterator[tuple[int, int, str]]:
    """What agents could not do of a script: the number of the turn, the role and the problem."""
    for number, ((before, after), turn) in enumerate(zip(pairwise(states), turns, strict=True)):
        for role, deed in enumerate(turn):
            gone = (int(after.x[role] - before.x[role]), int(after.y[role] - before.y[role]))
            if gone != MOVES[deed.move]:
                yield number, role, f"cannot go {MOVE_NAMES[deed.move]}: a wall or another agent is in its way"
            elif deed.piece != SILENT and not int(after.utterance[role]):
                reason = "it does not know the piece, or has learned it too recently"
                yield number, role, f"cannot say {deed.piece} in this turn: {reason}"
