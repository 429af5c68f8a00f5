"""The page of a story or a family: what it says, and what it marks."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from html import escape
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

from otherminds.core.errors import UserError
from otherminds.worlds.tomi.generate import make_items
from otherminds.worlds.tomi.items import Item, by_story
from otherminds.worlds.tomi.page import right_about, story_page
from otherminds.worlds.tomi.sets import load_items
from otherminds.worlds.tomi.timeline import follow
from otherminds.worlds.tomi.types import Question
from tests.evals.tomi_making import BASKET, BOX, make_item, make_story
from tests.worlds.tomi.telling import tell, write_story
from tests.worlds.tomi.test_draw import STORY

VOID = {"meta", "input", "br", "hr", "img", "link", "rect", "circle", "line", "polygon", "path"}


class Checked(HTMLParser):
    """Fails on a tag that is not closed where it should be; keeps the text, links and the data."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.text: list[str] = []
        self.links: list[str] = []
        self.data = ""
        self.feed(html)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        found = dict(attrs)
        self.links += [value or "" for name, value in attrs if name in ("href", "src", "action", "xlink:href")]
        if tag not in VOID:
            self.open.append(f"{tag}:{found.get('type', '')}" if tag == "script" else tag)

    def handle_endtag(self, tag: str) -> None:
        if tag not in VOID:
            assert self.open.pop().partition(":")[0] == tag

    def handle_data(self, data: str) -> None:
        if self.open and self.open[-1] == "script:application/json":
            self.data += data
        elif self.open and not self.open[-1].startswith(("script", "style")):
            self.text.append(data)


def data_of(html: str) -> Any:
    return json.loads(Checked(html).data)["data"]


def rows_of(html: str) -> dict[str, list[str]]:
    """The cells of the table of questions, by question."""
    table = html[html.index('id="panel-questions"') :]
    rows = re.findall(r'<tr><th scope="row">([^<]*)<small>[^<]*</small></th>(.*?)</tr>', table)
    return {question: re.findall(r"<td[^>]*>(.*?)</td>", cells) for question, cells in rows}


@pytest.fixture(scope="module")
def family() -> list[Item]:
    return make_items("asymmetric", 1, first=4)


def test_the_page_is_whole_and_needs_nothing_else(family: list[Item]) -> None:
    html = story_page(family, {item.id: item.choices[0] for item in family})
    page = Checked(html)
    assert page.links == []
    assert not re.findall(r"https?://(?!www\.w3\.org/2000/svg)", html)
    assert "@import" not in html
    assert "url(" not in html
    assert "NaN" not in page.data


def test_the_page_has_every_sentence_and_question_of_every_twin(family: list[Item]) -> None:
    html = story_page(family)
    for asked in by_story(family):
        for sentence in asked[0].story:
            assert f'<button type="button">{escape(sentence)}</button>' in html
        assert f"{escape(asked[0].question)}<small>" in html
    assert html.count('class="pane"') == 2 * 4
    assert [tab for tab in ("base story", "order twin", "agent twin", "room twin") if tab not in html] == []
    assert 'class="mark' not in html


def test_beliefs_in_the_page_are_those_found_by_hand() -> None:
    item = make_item("one", story=STORY, question="Where will Ann look for the fig?", answer="tin", choices=())
    data = data_of(story_page([item]))
    (member,) = data["members"]
    assert member["agents"] == ["Ann", "Bob", "Cat"]
    names = [container["name"] for container in data["containers"]]
    (thing,) = member["things"]

    def believed(step: int) -> list[list[str | None]]:
        return [[names[c] if c >= 0 else None for c in row] for row in thing["beliefs"][step]]

    assert believed(0) == [[None] * 3] * 3
    assert believed(4) == [["jar", "jar", None], ["jar", "jar", None], [None] * 3]
    assert believed(6) == [["tin", "jar", None], ["jar", "jar", None], ["tin", None, "tin"]]
    assert believed(7) == [["tin", "tin", None], ["tin", "tin", None], ["tin", None, "tin"]]
    assert believed(12)[1] == ["tin", "pot", "pot"]
    assert [names[c] if c >= 0 else None for c in thing["at"]] == [None] * 4 + ["jar"] * 2 + ["tin"] * 3 + ["pot"] * 4
    assert member["seen"][6] == ["seen by Ann", "in secret also by Cat"]
    assert member["seen"][7] == ["seen by Ann, Bob", "which shows where to find the fig"]
    assert member["seen"][12] == ["heard by Bob, Cat"]
    assert member["labels"][6] == "after 6-7 of 13"
    assert len(member["boxes"]) == 12


def test_last_beliefs_in_the_page_are_the_answers(family: list[Item]) -> None:
    data = data_of(story_page(family))
    for member, asked in zip(data["members"], by_story(family), strict=True):
        for item in asked:
            if item.qtype == "belief" and item.order <= 2:
                who = [member["agents"].index(name) for name in item.chain]
                found = member["things"][0]["beliefs"][-1][who[0]][who[-1]]
                assert data["containers"][found]["name"] == item.answer


def test_what_a_twin_tells_otherwise_is_marked() -> None:
    base, twin = make_story("a", "f"), make_story("b", "f", "order")
    html = story_page([*twin, *base])
    lines = re.findall(r'<li( class="changed")? data-step="(\d+)"><button[^>]*>([^<]*)</button>', html)
    assert [step for changed, step, _ in lines if changed] == ["4", "5"]
    assert [words for changed, _, words in lines if changed] == list(twin[0].story[3:])
    assert f"<small>base: {base[0].story[3]}</small>" in html
    cells = rows_of(html)["Where will Omar look for the lemon?"]
    assert 'class="other"' not in cells[0]
    assert 'class="other"' in cells[1]


def test_wrong_answers_are_marked_with_what_they_would_be_right_about() -> None:
    items = [*make_story("a", "f"), *make_story("b", "f", "order")]
    answers = {"a-memory": f"the {BOX}", "a-reality": BOX, "a-first": BASKET, "a-second": "study", "b-first": BOX}
    html = story_page(items, answers)
    rows = rows_of(html)
    assert "mark right" in rows["Where was the lemon at the beginning?"][0]
    assert "mark missing" in rows["Where was the lemon at the beginning?"][1]
    assert "where it was at the beginning" in rows["Where is the lemon really?"][0]
    first = rows["Where will Omar look for the lemon?"]
    assert "mark wrong" in first[0]
    assert "where it really is; right in the order twin" in first[0]
    assert "right in the base story" in first[1]
    second = rows["Where does Nora think that Omar searches for the lemon?"][0]
    assert "not one of the candidates; the room, not the container" in second
    assert "<dt>answers right</dt><dd>1 of 8</dd>" in html
    assert "3 wrong" in html
    assert "1 wrong" in html


def test_an_answer_may_be_true_of_another_mind() -> None:
    timeline = follow(STORY[:7])
    found = right_about("tin", Question("belief", 0, (1, 0)), timeline.moments[-1], timeline.names)
    assert found == ["where it really is", "what Ann thinks"]
    found = right_about("jar", Question("belief", 0, (0,)), timeline.moments[-1], timeline.names)
    assert found == ["where it was at the beginning"]
    assert right_about("Ann", Question("present", 0), timeline.moments[-1], timeline.names) == []


def test_a_label_that_the_rules_contradict_is_shown_as_such(tmp_path: Path) -> None:
    labels = ("jar", "tin", "tin", "tin", "jar", "tin")
    path = write_story(tmp_path / "old.txt", tell("X M"), labels)
    html = story_page(load_items(str(path), "test", 0))
    assert html.count("the label; by the rules") == 2
    assert "Stories of the family" not in html
    assert data_of(html)["members"][0]["agents"] == ["Ann", "Bob"]


@pytest.mark.parametrize("source", ["original/code", "tom", "deep", "hard"])
def test_every_kind_of_story_has_a_page(source: str) -> None:
    items = load_items(source, "test", 3)
    first = [item for item in items if item.family_id == items[0].family_id]
    assert len(data_of(story_page(first))["members"]) == len({item.story_id for item in first})


def test_what_strings_say_stays_text() -> None:
    nasty = "<b>&'\"</b>"
    items = [replace(item, preset=nasty) for item in make_story("a")]
    html = story_page(items, {"a-first": nasty})
    assert nasty not in html
    assert html.count(escape(nasty)) >= 2


def test_what_is_not_one_family_is_refused() -> None:
    with pytest.raises(UserError, match="no question"):
        story_page([])
    with pytest.raises(UserError, match="2 families"):
        story_page([*make_story("a"), *make_story("b")])
