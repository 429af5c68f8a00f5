"""ToMi as a world like the others: sessions, records, ledger, minds of any kind."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from otherminds.core.episodes import Episode, EpisodeWriter, read_episodes
from otherminds.core.errors import UserError
from otherminds.core.form_fields import Unreadable
from otherminds.core.match import Lineup, play, play_one
from otherminds.core.mind import BaseMind, Briefing, Reply
from otherminds.core.seeds import Draw
from otherminds.core.world import Ask, Item
from otherminds.minds.find import find_mind
from otherminds.minds.human import HumanMind, Terminal
from otherminds.minds.language import LanguageMind
from otherminds.worlds.tomi.evals.audit import audited
from otherminds.worlds.tomi.files.items import dump_items
from otherminds.worlds.tomi.observe import READER, answer_form, answers_of
from otherminds.worlds.tomi.scores import score_answers
from otherminds.worlds.tomi.stories.generate import make_items
from otherminds.worlds.tomi.world import ToMi

ASYMMETRIC = ToMi("asymmetric", size=6, has_probes=True, ambiguous=True)


@pytest.fixture(scope="module")
def world() -> ToMi:
    return ToMi(size=4)


@pytest.fixture(scope="module")
def items(world: ToMi) -> list[Item]:
    return list(world.suite())


def played(world: ToMi, mind: Any, items: list[Item], at_once: int = 1) -> list[Episode]:
    return list(play([Lineup(world.open(0, item), {READER: mind}) for item in items], at_once=at_once))


def written(episodes: list[Episode], path: Path) -> list[Episode]:
    with EpisodeWriter(path) as writer:
        for episode in episodes:
            writer.whole(episode)
    return read_episodes(path)


def test_the_suite_is_the_generated_set_story_by_story(items: list[Item]) -> None:
    assert [line for item in items for line in item.data] == make_items("medium", 4)
    assert len(items) == 16
    assert [len({item.group for item in items[i : i + 4]}) for i in range(0, 16, 4)] == [1] * 4
    assert {item.order for item in items} == {2}
    assert next(iter(ToMi().suite("classic"))).data[0].preset == "classic"


def test_an_episode_by_seed_is_the_base_of_that_family(world: ToMi, items: list[Item]) -> None:
    for number in range(4):
        assert world.open(number).items == items[4 * number].data
    assert world.open(1).items != world.open(2).items


@pytest.mark.parametrize("name", ["original/released", "original/code", "tom-easy"])
def test_the_papers_sets_are_suites_and_episodes(name: str) -> None:
    world = ToMi(name, size=3, ambiguous=True)
    assert sum(len(item.data) for item in world.suite()) in (18, 36)
    assert play_one(world.open(5), {READER: find_mind("tracker", world)}).end


def test_questions_come_from_files_too(tmp_path: Path, items: list[Item]) -> None:
    """Those of a story may stand apart in a file."""
    path = tmp_path / "mine.jsonl"
    lines = [line for item in items[:2] for line in item.data]
    path.write_text("".join(dump_items(lines[::-1])))
    world = ToMi(items=str(path))
    found = list(world.suite())
    assert {item.id for item in found} == {items[0].id, items[1].id}
    assert world.open(0).items == world.open(2).items == found[0].data


@pytest.mark.parametrize("name", ["tracker", "always-reality", "random", "silent", "decoupled", "exit"])
def test_an_episode_is_the_same_each_time_and_replays_from_its_file(
    name: str, items: list[Item], tmp_path: Path
) -> None:
    world = ToMi()
    one, other = (played(world, find_mind(name, world), items) for _ in range(2))
    assert one == other
    read = written(one, tmp_path / "episodes.jsonl")
    for episode, again in zip(one, read, strict=True):
        assert (episode.start, episode.turns) == (again.start, again.turns)
        steps = ToMi.of(again).replay(again).states
        assert len(steps) == len({*range(len(steps))}) > 5
        assert ToMi.of(again).item_of(again).data == world.open(0, items[one.index(episode)]).items


def test_a_record_that_was_tampered_with_is_refused(world: ToMi, items: list[Item]) -> None:
    (episode,) = played(world, find_mind("tracker", world), items[:1])
    ask, value = next(iter(episode.turns[0]["replies"].items()))
    for wrong in ("moon", next(box for box in items[0].data[0].choices if box != value)):
        changed = replace(episode, turns=[{**episode.turns[0], "replies": {**episode.turns[0]["replies"], ask: wrong}}])
        with pytest.raises(UserError, match=r"according to its replies it is|expected the name of a container"):
            world.check(changed)


def test_many_tables_at_once_give_the_same_records(world: ToMi, items: list[Item]) -> None:
    for name in ("tracker", "exit", "always-before"):
        mind = find_mind(name, world)
        assert played(world, mind, items, at_once=7) == played(world, mind, items)


def test_a_summary_is_the_score_of_the_answers(world: ToMi, items: list[Item]) -> None:
    lines = [line for item in items for line in item.data]
    mind = find_mind("algorithm-1", world)
    found = world.summary(played(world, mind, items))
    rates = score_answers(lines, answers_of(mind, lines)).rates()
    expected = {name: None if rate is None else rate.value for name, rate in rates.items()}
    assert {name: found[name] for name in expected} == expected
    assert found["success"] == found["story_joint"]
    assert found["literal"] == found["accuracy"]
    assert found["family_joint"] == 0


def test_a_perfect_mind_passes_all_and_silence_nothing(world: ToMi, items: list[Item]) -> None:
    perfect, silent = (world.summary(played(world, find_mind(n, world), items)) for n in ("tracker", "silent"))
    assert perfect["family_joint"] == perfect["validity_rate"] == perfect["validity"] == 1
    assert silent["accuracy"] == silent["validity_rate"] == silent["validity"] == 0
    assert silent["accuracy_of_valid"] is None


@pytest.mark.parametrize(("order", "right"), [(0, 0), (1, 1), (2, 2)])
def test_trackers_of_limited_order_are_right_up_to_it(order: int, right: int, items: list[Item]) -> None:
    world = ToMi()
    found = world.summary(played(world, find_mind(f"tracker:order={order}", world), items))
    for asked in range(3):
        share = found[f"literal_order_{asked}"]
        assert share is not None
        assert (share == 1) == (asked <= right)


def test_ambiguous_questions_and_orders_are_asked_when_wanted() -> None:
    every, plain, first = (ToMi("hard", size=8, **more) for more in ({"ambiguous": True}, {}, {"asked_order": 1}))
    asked = [[len(world.open(0, item).asks()) for item in world.suite()] for world in (every, plain, first)]
    assert sum(asked[0]) > sum(asked[1]) > sum(asked[2]) > 0


class _Watching(BaseMind):
    """Notes all that it is given."""

    name = "watching"

    def __init__(self) -> None:
        self.seeds: list[int] = []
        self.asks: list[Ask] = []

    def begin(self, seat: str, briefing: Briefing, seed: int) -> None:
        self.seeds.append(seed)
        self.briefing = briefing

    def reply(self, ask: Ask) -> Reply:
        self.asks.append(ask)
        return Reply(ask.view.data.choices[0] if ask.view.data.choices else "nobody")


def test_no_mind_is_given_the_episodes_seed_or_the_answers() -> None:
    mind = _Watching()
    item = next(iter(ASYMMETRIC.suite()))
    for seed in (0, 7):
        play_one(ASYMMETRIC.open(seed, item), {READER: mind})
    assert not {0, 7} & set(mind.seeds)
    assert len(set(mind.seeds)) == 2
    for ask in mind.asks:
        assert ask.truth is None
        assert ask.view.log == item.data[0].story
        assert set(ask.view.data._fields) == {"id", "story", "question", "choices", "is_open", "errands", "about"}
        assert ask.view.text() == "\n".join(item.data[0].story)
        assert ask.probe is not None
        assert ask.view.question(ask.probe) in {line.question for line in item.data}
    assert {ask.id for ask in mind.asks} == {f"1/reader/{n}-{line.qtype}" for n, line in enumerate(item.data)}


@pytest.mark.parametrize("name", [*audited(), "decoupled"])
def test_answering_leaves_no_trace(name: str) -> None:
    """Alone, together or in another order: the same question gets the same answer."""
    mind: Any = find_mind(name, ASYMMETRIC)
    items = list(ASYMMETRIC.suite())
    if hasattr(mind, "fit"):
        mind = mind.fit([line for item in items[4:] for line in item.data])
    sessions = [ASYMMETRIC.open(0, item) for item in items[:4]]
    mind.begin(READER, sessions[0].briefing(READER), 0)
    asks = [ask for session in sessions for ask in session.asks()]
    together = [mind.reply(ask).value for ask in asks]
    assert [mind.reply(ask).value for ask in asks[::-1]][::-1] == together
    assert [mind.reply(ask).value for ask in asks] == together


def test_forms_take_every_sample_and_are_closed_where_there_are_choices() -> None:
    for item in ASYMMETRIC.suite():
        for ask, line in zip(ASYMMETRIC.open(0, item).asks(), item.data, strict=True):
            assert ask.form.closed() == (line.choices or None)
            for number in range(5):
                value = ask.form.sample(Draw(number, ask.id))
                assert ask.form.check(value) == ""
                assert ask.form.parse(f"I think.\nAnswer: {value}") == value


@pytest.mark.parametrize(
    "given", ["green box", "The green_box.", "Green boxes", "**green_box**", '{"answer": "green_box"}']
)
def test_answers_are_read_with_tolerance(given: str) -> None:
    form = answer_form("belief", ("green_box", "red_crate"))
    assert form.parse(f"She left.\nAnswer: {given}") == form.parse(given) == "green_box"
    with pytest.raises(Unreadable, match="answer is 'box'; expected the name of a container"):
        form.take("box")


def test_the_ledger_is_the_fast_path_by_names() -> None:
    """Every belief question, along the reader too, with secret watchers, distraction and words."""
    compared = 0
    for item in ToMi("asymmetric", size=8, ambiguous=True).suite():
        episode = ASYMMETRIC.open(0, item).episode
        ledger = ASYMMETRIC.ledger(episode)
        for line in item.data:
            ask = next(iter(ASYMMETRIC.open(0, item).asks()))
            assert ask.probe is not None
            if line.qtype in ("belief", "reality"):
                for chain in (line.chain, (READER, *line.chain)):
                    assert ledger.belief(chain)[ask.probe.about] == line.answer
                    compared += 1
    assert compared > 300


def test_what_a_chain_can_tell_is_asked_by_name(world: ToMi, items: list[Item]) -> None:
    (episode,) = played(world, find_mind("tracker", world), items[:1])
    again = world.replay(episode)
    thing = episode.turns[0]["probes"][0]["about"]
    for line in items[0].data:
        if line.qtype == "belief":
            assert world.seen(again, line.chain, len(again.states) - 1) == {thing: line.answer}
    assert world.seen(again, (), 0) == {}
    with pytest.raises(UserError, match="--chain names 'Nobody', who is not in the story"):
        world.seen(again, ("Nobody",), 0)


def test_a_story_is_shown_as_text_picture_and_page(world: ToMi, items: list[Item]) -> None:
    episodes = played(world, find_mind("always-reality", world), items[:5])
    again = world.replay(episodes[0])
    assert items[0].data[0].story[0] in world.terminal(again.states[1], again.params)
    assert world.scene(again.states[0], again.params).width < world.scene(again.states[-1], again.params).width
    page = world.page(episodes[0])
    assert items[0].data[0].story[-1] in page
    assert "mark right" in page


def test_a_person_answers_by_hand(world: ToMi, items: list[Item]) -> None:
    lines = items[0].data
    typed = iter(["help", "the moon", *(f"The {line.answer.replace('_', ' ')}." for line in lines)])
    shown: list[str] = []
    human = HumanMind(terminal=Terminal(ask=lambda _: next(typed), show=shown.append))
    episode = play_one(world.open(0, items[0]), {READER: human})
    assert episode.end is not None
    assert episode.end["outcome"] == {"success": True, "score": {READER: 1.0}}
    said = "\n".join(shown)
    assert "Containers stand open" in said.replace("\n", " ")
    assert lines[0].question in said
    assert "Not accepted" in said
    assert f"Possible answers: {', '.join(lines[0].choices)}." in said.replace("\n", " ")


def test_recorded_answers_are_given_again(world: ToMi, items: list[Item], tmp_path: Path) -> None:
    before = played(world, find_mind("exit", world), items[:1])
    written(before, tmp_path / "exit.jsonl")
    mind = find_mind(f"recorded:{tmp_path / 'exit.jsonl'}", world)
    (again,) = played(world, mind, items[:1])
    assert again.turns == before[0].turns


@pytest.mark.parametrize(("containers", "words"), [("", "stand open"), ("closed", "are shut")])
def test_the_reader_is_told_the_conventions(containers: str, words: str) -> None:
    assert words in ToMi(containers=containers).open(0).briefing(READER).rules()
    assert words not in ToMi(containers=containers, conventions=False).open(0).briefing(READER).rules()


@pytest.mark.parametrize(
    ("options", "why"),
    [
        ({"preset": "mediun"}, "no preset 'mediun'; did you mean 'medium'"),
        ({"agent": 3}, "no parameter 'agent'; did you mean 'agents'"),
        ({"preset": "tom", "agents": 3}, "tom has no parameter 'agents'"),
        ({"items": "nothing.jsonl"}, "there is no file or folder 'nothing.jsonl'; check the path, or name a preset"),
        ({"split": "tests"}, "no split 'tests'; did you mean 'test'"),
        ({"containers": "ajar"}, "containers is 'ajar'; expected open or closed"),
        ({"size": 0}, "size is 0"),
    ],
)
def test_options_that_there_are_not_are_refused(options: dict[str, Any], why: str) -> None:
    with pytest.raises(UserError, match=why):
        ToMi(**options)


def test_suites_that_there_are_not_are_refused() -> None:
    with pytest.raises(UserError, match="no suite 'clasic'; did you mean 'classic'"):
        ToMi().suite("clasic")


@pytest.mark.parametrize("phrasing", ["plain", "reader", "stepwise", "choices"])
def test_a_language_model_is_told_story_question_and_conventions(phrasing: str, items: list[Item]) -> None:
    folder = ToMi.prompts / "v1"
    files = [*folder.glob("*.txt"), *(folder / phrasing).glob("*.txt")]
    words = {"rules": "{rules}", **{path.stem: path.read_text() for path in files}}
    sent: list[list[str]] = []

    def call(conversation: Any) -> str:
        sent.append([message.text for message in conversation])
        return (
            "I cannot say.\nReally." if len(sent) == 1 else "So it is.\nAnswer: the moon or " * (len(sent) == 2) + "x"
        )

    world, lines = ToMi(), items[0].data
    note = next(iter(world.suite("notes")))
    mind = LanguageMind("fake", call, words)
    episode = play_one(world.open(0, items[0]), {READER: mind})
    assert episode.validity[READER]["failures"] == len(lines)
    assert "Containers stand open" in sent[0][0]
    assert "\n".join(lines[0].story) in sent[0][1]
    assert lines[0].question in sent[0][1]
    assert "the name of a container" in sent[0][1]
    assert (", ".join(lines[0].choices) in sent[0][1]) == (phrasing == "choices")
    assert sent[1][-1].startswith("I could not read an answer in that")
    play_one(world.open(0, note), {READER: mind})
    assert any(note.data.question in texts[1] for texts in sent)
