"""Task files: every mistake is refused with the field that it is in."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml

from otherminds.core.errors import UserError
from otherminds.core.seeds import Draw
from otherminds.worlds.enacttom.formulas import is_reached
from otherminds.worlds.enacttom.grounding import ground
from otherminds.worlds.enacttom.observe import opening
from otherminds.worlds.enacttom.rules import begin, step
from otherminds.worlds.enacttom.tasks.read import find_task, parse_task, read_task
from otherminds.worlds.enacttom.world import EnactToM


def good() -> dict[str, Any]:
    return {
        "id": "lamp",
        "title": "The lamp",
        "category": "cooperative",
        "horizon": 4,
        "house": {
            "rooms": {"hall": {"box": [0, 0, 4, 3]}, "den": {}},
            "doors": {"arch": {"rooms": ["hall", "den"]}},
            "furniture": {
                "lamp": {"kind": "switch", "room": "den"},
                "chest": {"kind": "container", "room": "hall"},
                "board": {"kind": "sign", "room": "hall", "shows": "where"},
            },
            "things": {"key": {"place": ["floor hall", "in chest"], "depends_on": "where"}},
        },
        "people": {"ann": {"room": "hall"}, "ben": {"room": "den", "verbs": ["toggle", "wait", "tell"]}},
        "secrets": {"where": {"values": ["floor", "chest"]}},
        "talk": {"channels": {"ann": ["ben"]}, "budgets": {"ann": 2}},
        "goal": {"and": ["powered(lamp)", {"or": ["is(where, chest)", "held(key, ann)"]}]},
    }


def _rule(**fields: Any) -> Callable[[dict[str, Any]], None]:
    return lambda task: task.update(mechanics=[fields])


@pytest.mark.parametrize("name", ["task.yaml", "task.json"])
def test_a_task_is_read_from_yaml_or_json(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    path.write_text(json.dumps(good()) if name.endswith("json") else yaml.safe_dump(good(), sort_keys=False))
    task = read_task(path)
    assert task == parse_task(good())
    assert task.names == ("ann", "ben")
    assert task.worlds == ((0,), (1,))
    world = EnactToM(path)
    assert len(opening(world.ground, (0,), 0)[1].seen) == 4  # the sign, the chest's two states and the key
    state, _ = step(world.ground, begin(world.ground, (0,)), ("pick(key)", "toggle(lamp)"))
    assert is_reached(world.ground, state.values)


@pytest.mark.parametrize(
    ("spoil", "message"),
    [
        (_rule(kind="room_restriction", agents=["bob"], rooms=["den"]), "mechanics[0].agents[0] is 'bob'"),
        (_rule(kind="room_restriction", agents=["ben"], rooms=["attic"]), "mechanics[0].rooms[0] is 'attic'"),
        (_rule(kind="inverse_state", furniture="chset"), "mechanics[0].furniture is 'chset'; did you mean 'chest'"),
        (_rule(kind="state_mirroring", between=["chest", "cup"]), "mechanics[0].between[1] is 'cup'"),
        (_rule(kind="time_window", turns=[1], furniture="lamp"), "mechanics[0].turns is [1]; expected the first"),
        (_rule(kind="time_window", turns=[1, 2], verbs=["eat"]), "mechanics[0].verbs[0] is 'eat'"),
        (
            lambda t: t.update(notes=[{"to": "ann", "about": "where", "knower": "ben"}]),
            "notes[0] tells ann that ben knows 'where', which is false where where = floor",
        ),
        (
            lambda t: t.update(wishes=[{"chain": ["ben"], "about": "where", "when": {"who": "x"}}]),
            "when: unknown field 'who'",
        ),
        (lambda t: t.pop("goal"), "field 'goal' is missing"),
        (lambda t: t.update(gaol=1), "unknown field 'gaol'; did you mean 'goal'"),
        (lambda t: t.update(title=" "), "title is ' '; expected some text"),
        (lambda t: t.update(title="The lamp\nYou are told"), "expected some text on one line"),
        (
            lambda t: t["house"]["rooms"].update({"at\ntic": {}}),
            "house.rooms: a name is 'at\\ntic'; expected a name on one",
        ),
        (
            lambda t: t["people"].update({"cleo\n": {"room": "den"}}),
            "people: a name is 'cleo\\n'; expected a name on one",
        ),
        (
            lambda t: t["secrets"]["where"].update(values=["fl\noor", "x"]),
            "values[0] is 'fl\\noor'; expected a name on",
        ),
        (lambda t: t.update(category="mixed"), "category is 'mixed', but nobody has a private goal"),
        (lambda t: t["talk"].update(channels={"ann": ["ben", "ann"]}), "talk.channels.ann names ann itself"),
        (_rule(kind="restricted_communication", channels={"ben": ["ben"]}), "talk.channels.ben names ben itself"),
        (lambda t: t["house"]["rooms"]["den"].update(box=[3, 2, 4, 4]), "the boxes of hall and den overlap"),
        (lambda t: t["house"]["rooms"]["den"].update(box=[0, 0, 4, 3]), "the boxes of hall and den overlap"),
        (lambda t: t.update(category="solo"), "category is 'solo'"),
        (lambda t: t.update(horizon=0), "horizon is 0; expected a whole number of at least 1"),
        (lambda t: t.update(people={"ann": {"room": "hall"}}, talk={}), "people: there are 1; expected 2 to 5"),
        (lambda t: t["people"]["ann"].update(room="attic"), "people.ann.room is 'attic'; expected one of hall, den"),
        (lambda t: t["people"]["ann"].update(verbs=["fly"]), "people.ann.verbs[0] is 'fly'"),
        (lambda t: t["house"]["furniture"]["lamp"].update(kind="light"), "house.furniture.lamp.kind is 'light'"),
        (lambda t: t["house"]["furniture"]["board"].pop("shows"), "a sign needs the field 'shows', naming a secret"),
        (
            lambda t: t["house"]["furniture"]["board"].update(shows="when"),
            "shows is 'when'; did you mean 'where'",
        ),
        (
            lambda t: t["house"]["doors"]["arch"].update(rooms=["hall"]),
            "house.doors.arch.rooms is ['hall']; expected two",
        ),
        (
            lambda t: t["house"]["things"]["key"].update(place=["floor hall"]),
            "has 1 places; expected one for each value",
        ),
        (
            lambda t: t["house"]["things"]["key"].update(place=["on lamp"] * 2),
            "house.things.key.place is 'on lamp'; expected a place such as",
        ),
        (lambda t: t["house"]["rooms"].update(lamp={}), "lamp is the name of several things"),
        (lambda t: t["house"]["rooms"]["hall"].update(box=[1, 2]), "house.rooms.hall.box is [1, 2]"),
        (lambda t: t["secrets"]["where"].update(values=["floor"]), "secrets.where.values is ['floor']"),
        (lambda t: t.update(worlds=[{"where": "roof"}]), "worlds[0].where is 'roof'"),
        (lambda t: t.update(worlds=[{"where": "floor"}] * 2), "all different"),
        (lambda t: t.update(notes=[{"to": "cleo", "about": "where"}]), "notes[0].to is 'cleo'"),
        (lambda t: t.update(mechanics=[{"kind": "magic"}]), "mechanics[0]: unknown kind 'magic'"),
        (lambda t: t.update(mechanics=[{"kind": "interlock", "furniture": "lamp"}]), "field 'while' is missing"),
        (
            lambda t: t.update(
                mechanics=[
                    {"kind": "remote_control", "trigger": "lamp", "when": "lit", "target": "chest", "set": "open"}
                ]
            ),
            "mechanics[0].when is 'lit'",
        ),
        (
            lambda t: t.update(mechanics=[{"kind": "state_mirroring", "between": ["board", "lamp"]}]),
            "neither opened nor",
        ),
        (
            lambda t: t.update(
                mechanics=[
                    {"kind": "remote_control", "trigger": "lamp", "when": "on", "target": "chest", "set": "open"},
                    {"kind": "remote_control", "trigger": "chest", "when": "open", "target": "lamp", "set": "on"},
                ]
            ),
            "form a cycle: power lamp -> open chest -> power lamp",
        ),
        (lambda t: t["talk"].update(budgets={"ann": -1}), "talk.budgets.ann is -1"),
        (lambda t: t["talk"].update(windows={"ann": [1]}), "talk.windows.ann is [1]"),
        (lambda t: t["talk"].update(kinds=["songs"]), "talk.kinds[0] is 'songs'"),
        (lambda t: t["talk"].update(channels={"ann": ["dan"]}), "channels.ann[0] is 'dan'"),
        (lambda t: t.update(goal="powered(lamp"), "cannot read 'powered(lamp'; expected a condition"),
        (lambda t: t.update(goal="shines(lamp)"), "unknown predicate 'shines'"),
        (lambda t: t.update(goal="on(lamp)"), "has 1 arguments; expected 2"),
        (lambda t: t.update(goal="powered(stove)"), "power stove"),
        (lambda t: t.update(goal="on(key, $when)"), "names the secret 'when'"),
        (lambda t: t.update(goal={"xor": []}), "is not a formula"),
        (lambda t: t.update(wishes=[{"chain": ["ann", "dan"], "about": "where"}]), "wishes[0].chain[1] is 'dan'"),
        (lambda t: t.update(wishes=[{"chain": [], "about": "where"}]), "wishes[0].chain is []; expected people"),
        (lambda t: t.update(wishes=[{"chain": ["ann", "ann"], "about": "where"}]), "nobody twice in a row"),
        (
            lambda t: t.update(wishes=[{"chain": ["ben"], "about": "where", "when": {"where": "roof"}}]),
            "wishes[0].when.where is 'roof'; expected one of floor, chest",
        ),
        (
            lambda t: t.update(notes=[{"to": "ann", "about": "where", "when": {"where": "roof"}}]),
            "notes[0].when.where is 'roof'",
        ),
        (_rule(kind="memo", to="ann", about="where", when={"where": "roof"}), "when.where is 'roof'"),
        (lambda t: t["secrets"]["where"].update(values="floor"), "secrets.where.values is 'floor'; expected a list"),
        (lambda t: t["secrets"]["where"].update(values=[True, False]), "quote the word"),
        (lambda t: t["house"]["furniture"]["lamp"].update({True: True}), "unknown field True; YAML reads"),
        (lambda t: t["house"]["furniture"]["chest"].update(open="no"), "chest.open is 'no'; expected true or false"),
        (lambda t: t["house"]["rooms"]["hall"].update(box=["a", 0, 1, 1]), "box is ['a', 0, 1, 1]; expected x, y"),
        (
            lambda t: t["house"]["things"].update(pen={"place": "held ann"}, cup={"place": "held ann"}),
            "pen and cup are both 'held ann' at the start",
        ),
        (lambda t: t["talk"].update(windows={"ann": [5, 1]}), "talk.windows.ann is [5, 1]; expected the first"),
        (lambda t: t["talk"].update(windows={"ann": [0, -3]}), "talk.windows.ann is [0, -3]"),
        (lambda t: t["talk"].update(windows={"dan": [1, 2]}), "talk.windows: a name is 'dan'"),
        (lambda t: t.update(id="../lamp"), "id is '../lamp'; expected a word"),
        (lambda t: t.update(private={"ann": "on(key, nowhere)"}), "private.ann: 'place key' cannot have the value"),
        (lambda t: t.update(private={"ann": 3}), "private.ann: 3 is not a formula"),
        (lambda t: t.update(goal={"and": []}), "goal: it is empty"),
        (lambda t: t.update(never=["burnt"]), "field 'never' lists flag 'burnt', but no mechanic raises it"),
        (lambda t: t.update(mechanics=5), "mechanics is 5; expected a list"),
        (lambda t: t.update(notes=None), "notes is None; expected a list"),
        (_rule(kind="limited_bandwidth", limits=["ann"]), "mechanics[0].limits is ['ann']; expected names with values"),
        (_rule(kind="commit", furniture="lamp", when=3), "mechanics[0].when is 3; expected a list of names"),
        (_rule(kind="remote_control", trigger="lamp", when=True, target="chest", set="open"), "quote the word"),
    ],
)
def test_a_mistake_is_named_by_its_field(spoil: Callable[[Any], Any], message: str) -> None:
    task = good()
    spoil(task)
    with pytest.raises(UserError) as error:
        parse_task(task, "mine.yaml")
    assert str(error.value).startswith("mine.yaml")
    assert message in str(error.value)


def test_too_many_worlds_are_refused() -> None:
    many = {f"s{n}": {"values": ["a", "b", "c"]} for n in range(3)}
    with pytest.raises(UserError, match="there are 54; expected 1 to 24"):
        parse_task({**good(), "secrets": {**good()["secrets"], **many}})


def test_what_is_no_file_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="cannot read"):
        read_task(tmp_path / "none.yaml")
    (tmp_path / "bad.yaml").write_text("a: [")
    with pytest.raises(UserError, match="line 1: not valid YAML"):
        read_task(tmp_path / "bad.yaml")
    (tmp_path / "bad.json").write_text('{"a":\n [}')
    with pytest.raises(UserError, match="line 2: not valid JSON"):
        read_task(tmp_path / "bad.json")
    (tmp_path / "bad.yaml").write_bytes(b"a: \xff")
    with pytest.raises(UserError, match="is not a text file; expected a task file"):
        read_task(tmp_path / "bad.yaml")
    (tmp_path / "list.yaml").write_text("- 1")
    with pytest.raises(UserError, match="expected fields id"):
        read_task(tmp_path / "list.yaml")


@pytest.mark.parametrize(
    ("old", "new", "line", "name"),
    [
        ("horizon: 5\n", "horizon: 5\nhorizon: 9\n", 6, "horizon"),
        ("  ben: {room: hall}", "  ann: {room: hall}", 26, "ann"),
        ("budgets: {ann: 1}", "budgets: {ann: 1, ann: 2}", 32, "ann"),
        ("{kind: sign, room: study,", "{kind: sign, room: hall, room: study,", 17, "room"),
    ],
)
def test_a_name_that_is_given_twice_is_refused_with_its_line(
    tmp_path: Path, old: str, new: str, line: int, name: str
) -> None:
    text, mine = find_task("cup").read_text("utf-8"), tmp_path / "mine.yaml"
    assert old in text
    mine.write_text(text.replace(old, new), "utf-8")
    with pytest.raises(UserError, match=rf"mine.yaml, line {line}: '{name}' is given twice, first on line"):
        read_task(mine)


def test_a_name_that_json_gives_twice_is_refused(tmp_path: Path) -> None:
    (tmp_path / "mine.json").write_text(json.dumps(good()).replace('"horizon": 4', '"horizon": 4, "horizon": 9'))
    with pytest.raises(UserError, match=r"mine.json: 'horizon' is given twice in one object"):
        read_task(tmp_path / "mine.json")


def test_a_note_about_knowing_is_true_if_a_note_or_a_sign_backs_it() -> None:
    by_sign = {"to": "ben", "about": "where", "knower": "ann"}
    assert parse_task({**good(), "notes": [by_sign]}).notes  # Ann stands before the board
    told = {"to": "ben", "about": "where", "when": {"where": "chest"}}
    of_it = {"to": "ann", "about": "where", "knower": "ben", "when": {"where": "chest"}}
    assert parse_task({**good(), "notes": [told, of_it]}).notes
    nested = {"to": "ben", "about": "where", "knower": ["ann", "ben"], "when": {"where": "chest"}}
    assert parse_task({**good(), "notes": [told, of_it, nested]}).notes
    with pytest.raises(UserError, match=r"notes\[1\] tells ben that ann knows that ben knows"):
        parse_task({**good(), "notes": [told, nested]})


def test_one_name_stands_for_a_list_of_one() -> None:
    """As a string it would bar nobody, for no room is called by a letter of its name."""
    one = parse_task({**good(), "mechanics": [{"kind": "room_restriction", "agents": "ann", "rooms": "den"}]})
    many = parse_task({**good(), "mechanics": [{"kind": "room_restriction", "agents": ["ann"], "rooms": ["den"]}]})
    assert one == many
    assert "navigate(den)" not in ground(one).by_name[0]


def _places(content: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    inner = content.items() if isinstance(content, dict) else enumerate(content) if isinstance(content, list) else ()
    return [path, *(place for key, value in inner for place in _places(value, (*path, key)))]


ODD: list[Any] = [
    None, [], {}, "", 0, -1, 5, "5", True, 3.5, float("nan"), ["x"], {"x": 1}, "x", "$x(", "a" * 3000, [None], [1, 2],
    {"a": None}, [["x"]], {"and": []}, {"not": None}, [{"kind": "memo"}], {1: 2}, {None: 1},
]  # fmt: skip


def test_whatever_stands_in_a_field_it_is_read_or_refused_in_a_line() -> None:
    base = yaml.safe_load(find_task("cup").read_text())
    base.pop("certificate")
    base |= {"worlds": [], "notes": [], "private": {}, "never": [], "wishes": [], "audible": [], "provenance": {}}
    base["talk"] = {"channels": {}, "budgets": {}, "windows": {}, "kinds": ["value"], "atoms": 1, "fanout": 1}
    cases = [(place, value) for place in _places(base) if place for value in ODD]
    said = []
    for place, value in Draw(0, "odd fields").some(cases, 600):
        task = json.loads(json.dumps({**base, "worlds": None}))
        inner = task
        for key in place[:-1]:
            inner = inner[key]
        inner[place[-1]] = value
        try:
            parse_task(task, "mine.yaml")
        except UserError as error:
            said.append(str(error))
    assert len(said) > 300
    assert all(line.startswith("mine.yaml") and "\n" not in line and len(line) < 600 for line in said)


def test_a_folder_that_is_called_like_a_task_does_not_take_its_place(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "cup").mkdir()
    assert read_task(find_task("cup")).id == "cup"
    assert find_task("./cup") == Path("cup")
    assert find_task("cup.yaml") == Path("cup.yaml")
