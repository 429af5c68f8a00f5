"""The page of a story: what it says, and what it marks."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from html import escape
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

from otherminds.worlds.tomi.files.items import LabelledQuestion, by_story
from otherminds.worlds.tomi.files.sources import load_items
from otherminds.worlds.tomi.page import story_page
from otherminds.worlds.tomi.stories.generate import make_items
from tests.worlds.tomi.evals.trained_runs import BOX, make_item, make_story
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
def story() -> list[LabelledQuestion]:
    return next(by_story(make_items("asymmetric", 1, first=4)))


def test_the_page_is_whole_and_needs_nothing_else(story: list[LabelledQuestion]) -> None:
    html = story_page(story, {item.id: item.choices[0] for item in story})
    page = Checked(html)
    assert page.links == []
    assert not re.findall(r"https?://(?!www\.w3\.org/2000/svg)", html)
    assert "@import" not in html
    assert "url(" not in html
    assert "NaN" not in page.data


def test_the_page_has_every_sentence_and_question(story: list[LabelledQuestion]) -> None:
    html = story_page(story, {})
    for sentence in story[0].story:
        assert f'<button type="button">{escape(sentence)}</button>' in html
    for item in story:
        assert f"{escape(item.question)}<small>" in html


def test_beliefs_in_the_page_are_those_found_by_hand() -> None:
    item = make_item("one", story=STORY, question="Where will Ann look for the fig?", answer="tin", choices=())
    data = data_of(story_page([item], {}))
    assert data["agents"] == ["Ann", "Bob", "Cat"]
    names = [container["name"] for container in data["containers"]]
    (thing,) = data["things"]

    def believed(step: int) -> list[list[str | None]]:
        return [[names[c] if c >= 0 else None for c in row] for row in thing["beliefs"][step]]

    assert believed(0) == [[None] * 3] * 3
    assert believed(4) == [["jar", "jar", None], ["jar", "jar", None], [None] * 3]
    assert believed(6) == [["tin", "jar", None], ["jar", "jar", None], ["tin", None, "tin"]]
    assert believed(7) == [["tin", "tin", None], ["tin", "tin", None], ["tin", None, "tin"]]
    assert believed(12)[1] == ["tin", "pot", "pot"]
    assert [names[c] if c >= 0 else None for c in thing["at"]] == [None] * 4 + ["jar"] * 2 + ["tin"] * 3 + ["pot"] * 4
    assert data["seen"][6] == ["seen by Ann", "in secret also by Cat"]
    assert data["seen"][7] == ["seen by Ann, Bob", "which shows where to find the fig"]
    assert data["seen"][12] == ["heard by Bob, Cat"]
    assert len(data["boxes"]) == 12


def test_last_beliefs_in_the_page_are_the_answers(story: list[LabelledQuestion]) -> None:
    data = data_of(story_page(story, {}))
    for item in story:
        if item.qtype == "belief" and item.order <= 2:
            who = [data["agents"].index(name) for name in item.chain]
            found = data["things"][0]["beliefs"][-1][who[0]][who[-1]]
            assert data["containers"][found]["name"] == item.answer


def test_answers_are_marked() -> None:
    html = story_page(make_story("a"), {"a-memory": f"the {BOX}", "a-reality": BOX, "a-second": "study"})
    rows = rows_of(html)
    assert "mark right" in rows["Where was the lemon at the beginning?"][0]
    assert "mark wrong" in rows["Where is the lemon really?"][0]
    assert "mark missing" in rows["Where will Omar look for the lemon?"][0]
    assert "wrong: <q>study</q>" in rows["Where does Nora think that Omar searches for the lemon?"][0]
    assert "<dt>answers right</dt><dd>1 of 4</dd>" in html


def test_a_label_that_the_rules_contradict_is_shown_as_such(tmp_path: Path) -> None:
    labels = ("jar", "tin", "tin", "tin", "jar", "tin")
    path = write_story(tmp_path / "old.txt", tell("X M"), labels)
    html = story_page(load_items(str(path), "test", 0), {})
    assert html.count("the label; by the rules") == 2
    assert data_of(html)["agents"] == ["Ann", "Bob"]


@pytest.mark.parametrize("source", ["original/code", "tom", "deep", "hard"])
def test_every_kind_of_story_has_a_page(source: str) -> None:
    story = next(by_story(load_items(source, "test", 3)))
    assert data_of(story_page(story, {}))["told"][-1].endswith(story[0].story[-1])


def test_what_strings_say_stays_text() -> None:
    nasty = "<b>&'\"</b>"
    items = [replace(item, preset=nasty) for item in make_story("a")]
    html = story_page(items, {"a-first": nasty})
    assert nasty not in html
    assert html.count(escape(nasty)) >= 2
