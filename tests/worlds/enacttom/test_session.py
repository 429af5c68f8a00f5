"""A house on the one interface: the same episode again, records that replay, forms, seeds and views that hide."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from otherminds.core.episodes import Episode, EpisodeWriter, read_episodes
from otherminds.core.errors import UserError
from otherminds.core.form import Unreadable
from otherminds.core.match import play_one
from otherminds.core.mind import BaseMind, Briefing, Reply
from otherminds.core.registry import entries
from otherminds.core.seeds import Draw, child_seed
from otherminds.core.world import Ask
from otherminds.minds.find import find_mind, minds_for
from otherminds.worlds.enacttom.act_form import ActForm
from otherminds.worlds.enacttom.messages import Message
from otherminds.worlds.enacttom.rules import DONE, WAIT
from otherminds.worlds.enacttom.tasks.read import find_task, suites, task_names
from otherminds.worlds.enacttom.world import EnactToM
from tests.worlds.enacttom.houses import chain, fetch, memo
from tests.worlds.enacttom.playing import opened, play, seated

MINDS = ("oracle", "tracker:depth=1", "greedy", "decoupled", "random", "silent")
HOUSES = [pytest.param(task, id=task.id) for task in (fetch(), memo(), chain())]
WISHES: list[dict[str, Any]] = [{"chain": ["ann", "ben"], "about": "target"}, {"chain": ["ben"], "about": "target"}]


def content(episode: Episode) -> tuple[Any, ...]:
    return episode.id, episode.config, episode.seed, episode.start, episode.turns, episode.end, episode.validity


@pytest.mark.parametrize("mind", MINDS)
def test_the_same_seed_gives_the_same_episode_and_it_replays(mind: str, tmp_path: Path) -> None:
    house = EnactToM(fetch(wishes=WISHES), probes=True)
    seats = minds_for(house, dict.fromkeys(house.seats, mind))
    first, again, other = (play_one(house.open(seed), seats) for seed in (3, 3, 4))
    assert content(first) == content(again) != content(other)
    with EpisodeWriter(tmp_path / "one.jsonl") as writer:
        writer.whole(first)
    (read,) = house.recorded(tmp_path / "one.jsonl")
    assert len(house.replay(read).states) == len(first.turns) + 1


@pytest.mark.parametrize("mind", MINDS)
def test_recorded_replies_give_the_same_episode(mind: str, tmp_path: Path) -> None:
    house = EnactToM(fetch(wishes=WISHES), probes=True)
    path = tmp_path / "one.jsonl"
    first = play_one(house.open(5), minds_for(house, dict.fromkeys(house.seats, mind)))
    with EpisodeWriter(path) as writer:
        writer.whole(first)
    (read,) = read_episodes(path)
    replies = house.replies(read)
    lines = [*first.turns, first.end or {}]
    asked = [one["id"] for line in lines for name in ("probes", "wishes") for one in line.get(name, ())]
    assert {*asked, *(f"{turn['turn']}/{name}" for turn in first.turns for name in house.seats)} <= set(replies)
    session = house.open(read.seed, house.item_of(read))
    again = play_one(session, minds_for(house, dict.fromkeys(house.seats, f"recorded:{path}")))
    assert (again.start, again.turns, again.end) == (first.start, first.turns, first.end)


@pytest.mark.parametrize("task", HOUSES)
def test_a_form_takes_whatever_it_samples_and_whatever_is_recorded(task: Any) -> None:
    session = opened(task, task.worlds[0])
    for ask in session.asks():
        for seed in range(200):
            act = ask.form.sample(Draw(seed, "test"))
            assert ask.form.take(act) == act
        names = {type(ask.form.sample(Draw(seed, "test"))) for seed in range(200)}
        assert str in names
    house = EnactToM(task)
    for one in (play(task, world, "random", 2) for world in task.worlds):
        forms = {ask.seat: ask.form for ask in session.asks()}
        for ask_id, value in house.replies(one).items():
            forms[ask_id.partition("/")[2]].take(value)


@pytest.mark.parametrize(
    ("value", "problem"),
    [
        ("fly(away)", "there is no act"),
        (3, "expected the name of an act"),
        ({"action": 3}, "no 'action'"),
        ({"tell": [9], "atoms": ["value(target, table1)"]}, "has an unknown listener"),
        (Message(1, (0,), (("value", "target", "table1"),)), "of person 1"),
        (Message(0, (7,), (("value", "target", "table1"),)), "expected numbers from 0 to 1"),
        (Message(0, (1,), (("value", "target", "table9"),)), "'table9'"),
        (Message(0, (1,), (("gossip", "target"),)), "cannot be said"),
    ],
)
def test_what_is_no_act_is_refused_before_it_reaches_the_house(value: Any, problem: str) -> None:
    form = opened(fetch(), (0,)).asks()[0].form
    assert isinstance(form, ActForm)
    with pytest.raises(Unreadable, match=problem.replace("(", r"\(").replace(")", r"\)")):
        form.take(value)


class Faulty(BaseMind):
    """Raises, or replies nonsense."""

    name = "faulty"

    def reply(self, ask: Ask) -> Reply:
        if ask.turn % 2:
            raise RuntimeError("out of order")
        return Reply(Message(0, (99,), ()))


def test_a_faulty_mind_waits_and_the_others_go_on() -> None:
    episode = play(fetch(), (1,), [Faulty(), "oracle"], probes=True)
    assert {turn["acts"][0] for turn in episode.turns} == {WAIT}
    assert episode.validity["ann"]["failures"] == episode.validity["ann"]["asks"]
    assert episode.validity["ben"]["failures"] == 0


class Noting(BaseMind):
    """Waits, answers nothing right, and keeps all that it is given."""

    name = "noting"

    def __init__(self) -> None:
        self.given: list[Any] = []

    def begin(self, seat: str, briefing: Briefing, seed: int) -> None:
        self.given += [seat, briefing.seat, briefing.setting, seed]

    def reply(self, ask: Ask) -> Reply:
        self.given.append((ask.id, ask.view.text(), ask.view.data, ask.view.log, ask.truth))
        return Reply(WAIT if ask.probe is None else "cannot tell")


def test_no_mind_is_given_the_seed_or_what_it_cannot_perceive() -> None:
    """Two worlds that look alike to Ben are the same to him, whatever he is asked; nobody gets the episode's seed."""
    seen = []
    for world in ((0,), (1,)):
        ben = Noting()
        play(fetch(), world, ["silent", ben], seed=77)
        assert 77 not in ben.given
        seen.append(ben.given)
    assert seen[0] == seen[1]


def test_seeds_are_those_of_the_mind_and_its_seat() -> None:
    session = opened(fetch(), (0,), seed=5)
    assert session.mind_seed("ben", "greedy") == child_seed(5, "enacttom/greedy/1")
    assert session.mind_seed("ben", "decoupled") == session.mind_seed("ben", "greedy")
    assert session.mind_seed("ann", "random") != session.mind_seed("ben", "random")


class Proxy(BaseMind):
    """Acts as another mind, and wipes its memory of everything but the log before a probe."""

    def __init__(self, spec: str, seat: str) -> None:
        self.spec, self.seat, self.name = spec, seat, spec
        self.mind: Any = find_mind(spec, EnactToM(memo()), seat)

    def begin(self, seat: str, briefing: Briefing, seed: int) -> None:
        self.started = (seat, briefing, seed)
        self.mind.begin(*self.started)

    def reply(self, ask: Ask) -> Reply:
        if ask.probe is None:
            return self.mind.reply(ask)  # type: ignore[no-any-return]
        fresh: Any = find_mind(self.spec, EnactToM(memo()), self.seat)
        fresh.begin(*self.started)
        return fresh.reply(ask)  # type: ignore[no-any-return]


@pytest.mark.parametrize("mind", MINDS[:-1])
def test_answers_depend_on_the_log_and_the_question_alone(mind: str) -> None:
    task = memo()
    for seed, world in enumerate(task.worlds[:4]):
        usual = play(task, world, mind, seed, probes=True)
        fresh = play(task, world, [Proxy(mind, seat) for seat in task.names], seed, probes=True)
        assert (usual.turns, usual.end) == (fresh.turns, fresh.end)


@pytest.mark.parametrize("mind", MINDS)
def test_being_asked_changes_no_act(mind: str) -> None:
    task = memo()
    for seed, world in enumerate(task.worlds):
        asked, not_asked = (play(task, world, mind, seed, probes=probes) for probes in (True, False))
        assert [turn["acts"] for turn in asked.turns] == [turn["acts"] for turn in not_asked.turns]


def test_acts_are_held_while_probes_are_asked() -> None:
    """Whoever is about to decide is asked with the view from before its act, and the house has not moved."""
    session = opened(fetch(), (1,), probes=True)
    for ask, act in zip(session.asks(), ("wait()", "pick(cup)"), strict=True):
        session.reply(ask.id, Reply(act))
    before = session.truth().state
    tells = Message(0, (1,), (("value", "target", "table1"),))
    acts = session.asks()
    session.reply(acts[0].id, Reply(tells))
    session.reply(acts[1].id, Reply(WAIT))
    probes = session.asks()
    assert {ask.seat for ask in probes} == {"ann"}  # her only message
    assert all(ask.id.startswith("2/ann/") and ask.view.log == acts[0].view.log for ask in probes)
    assert session.truth().state == before
    assert len(session.episode.turns) == 1
    for ask in probes:
        session.reply(ask.id, Reply("cannot tell"))
    assert session.episode.turns[-1]["acts"][0] == {"tell": [1], "atoms": ["value(target, table1)"]}
    assert [one["id"] for one in session.episode.turns[-1]["probes"]] == [ask.id for ask in probes]


def test_the_answer_of_another_is_what_is_predicted() -> None:
    """Who is to know what another knows is right if it says what the other says, right or wrong."""
    session = opened(fetch(wishes=WISHES), (1,), probes=True)
    ids = []
    while asks := session.asks():
        for ask in asks:
            ids.append(ask.id)
            goal = "/goal-" in ask.id
            value = WAIT if ask.probe is None else "table3" if goal else "cannot tell"
            session.reply(ask.id, Reply(value))
    first, second = (session.episode.end or {})["wishes"]
    assert (first["expected"], first["given"]) == ("table3", "table3")
    assert (second["expected"], second["given"]) == ("table2", "table3")
    assert ids.count("end/ben/goal-value-target") == 1


def test_an_episode_ends_early_when_all_are_done() -> None:
    session = opened(fetch(), (1,))
    for ask in session.asks():
        session.reply(ask.id, Reply(DONE))
    assert session.asks() == ()
    assert (session.episode.end or {})["outcome"] == {"success": False, "score": {"ann": 0.0, "ben": 0.0}}


@pytest.mark.parametrize(
    ("options", "problem"),
    [
        ({"world": "target=table9"}, "target cannot be 'table9'"),
        ({"world": "goal=red_table"}, "'goal' is not a secret of this task"),
        ({"task": "cpu"}, "did you mean 'cup'"),
        ({"probes": 3}, "probes is 3; expected true or false"),
    ],
)
def test_bad_options_are_refused(options: dict[str, Any], problem: str) -> None:
    with pytest.raises(UserError, match=problem):
        EnactToM(**{"task": "cup", **options})


def test_the_hidden_can_be_fixed_and_is_drawn_else() -> None:
    fixed = EnactToM("cup", world="target=blue_table")
    assert len({tuple(fixed.open(seed).world) for seed in range(20)}) == 1
    assert len({tuple(EnactToM("cup").open(seed).world) for seed in range(20)}) == 3


def test_suites_are_tasks_in_their_contrast_worlds_with_the_proved_order() -> None:
    house = EnactToM("cup")
    items = list(house.suite("task"))
    assert [item.id for item in items] == ["cup-run0", "cup-run1", "cup-run2"]
    assert {(item.group, item.order) for item in items} == {("cup", 1)}
    assert len({item.data.world for item in items}) == 2
    with pytest.raises(UserError, match="'tasks' is neither a suite"):
        house.suite("tasks")
    every = list(house.suite("classic"))
    assert {item.group for item in every} == set(task_names())
    assert all(house.seats_of(item) == item.data.task.names for item in every)
    other = next(item for item in every if item.group == "two_links-1")
    session = house.open(0, other)
    minds = {seat: find_mind("random", house, seat) for seat in house.seats_of(other)}
    assert play_one(session, minds).notes["depth"] == other.order


def test_what_is_registered_is_what_is_shipped() -> None:
    assert sorted(entry.name for entry in entries("task", "enacttom")) == task_names("classic")
    assert {entry.name for entry in entries("suite", "enacttom")} >= {*suites(), "task"}
    assert EnactToM("stale-2").task.id == "stale-2"


def test_the_summary_has_what_all_worlds_have_and_the_measures_of_this_one() -> None:
    house = EnactToM("cup")
    seats = minds_for(house, dict.fromkeys(house.seats, "decoupled"))
    found = house.summary([play_one(house.open(0, item), seats) for item in house.suite("task")])
    assert (found["success"], found["literal"], found["whole_literal"]) == (0.0, 1.0, 1.0)
    assert (found["gap"], found["sweep"], found["functional^3"]) == (1.0, 0.0, 0.0)
    assert (found["depth_1_functional"], found["validity_rate"]) == (0.0, 1.0)
    assert house.summary([])["episodes"] == 0


def test_the_ledger_is_that_of_the_whole_episode() -> None:
    house = EnactToM(fetch(), world="target=table2")
    episode = play_one(house.open(0), seated(fetch(), "oracle"))
    ledger = house.ledger(episode)
    assert ledger.belief((1,))[0] == 1
    assert 0 not in house.ledger(episode, 0).belief((1,))


def test_a_folder_of_task_files_is_a_suite(tmp_path: Path) -> None:
    for name in ("cup", "one_link-1"):
        (tmp_path / f"{name}.yaml").write_text(find_task(name).read_text("utf-8"), "utf-8")
    found = [item.data.task.id for item in EnactToM().suite(str(tmp_path))]
    assert set(found) == {"cup", "one_link-1"}
    with pytest.raises(UserError, match="nor a folder of task files"):
        EnactToM().suite(str(tmp_path / "none"))
