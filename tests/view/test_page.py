"""The replay page: generic, and with a SymmToM episode in it."""

from __future__ import annotations

import json
import re
from html.parser import HTMLParser
from typing import Any

import numpy as np
import pytest

from otherminds.view.page import Entry, Frame, Page, Panel, render
from otherminds.worlds.symmtom.chance import draw_coins, draw_deal
from otherminds.worlds.symmtom.page import played_page, wrong_beliefs
from otherminds.worlds.symmtom.record import Played
from otherminds.worlds.symmtom.rules import deal, step
from otherminds.worlds.symmtom.types import SILENT, Action, Params, State

NASTY = "</script><script>alert('&')</script><!-- {{episode}} \u2028"
PARAMS = Params(num_agents=3, width=5, num_pieces=6)


class Elements(HTMLParser):
    """Counts start tags and keeps the text of each script."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.scripts: list[str] = []
        self.attributes: list[tuple[str, str | None]] = []
        self.feed(html)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes += attrs
        if tag == "script":
            self.scripts.append("")

    def handle_data(self, data: str) -> None:
        if self.lasttag == "script" and self.scripts:
            self.scripts[-1] += data


def episode_in(html: str) -> Any:
    return json.loads(Elements(html).scripts[0])


def states_of(params: Params = PARAMS, turns: int = 4) -> tuple[tuple[State, ...], tuple[Action, ...]]:
    rng = np.random.default_rng(0)
    states, actions = [deal(draw_deal(rng, params), params)], []
    for _ in range(turns):
        move = rng.integers(0, 5, params.num_agents).astype(np.int32)
        piece = rng.integers(SILENT, params.num_pieces, params.num_agents).astype(np.int32)
        actions.append(Action(move, piece))
        states.append(step(states[-1], actions[-1], draw_coins(rng, params), params)[0])
    return tuple(states), tuple(actions)


def page_of(params: Params = PARAMS, turns: int = 4, **changes: Any) -> str:
    states, actions = states_of(params, turns)
    states, actions = changes.pop("states", states), changes.pop("actions", actions)
    players = tuple(f"player {i}" for i in range(params.num_agents))
    believed = changes.pop("beliefs", {"conservative": truth_of(states)})
    return played_page(Played(params, list(states), list(actions), []), players, believed, {"seed": "0"})


def truth_of(states: tuple[State, ...]) -> list[list[list[int]]]:
    """What everyone would believe who knew all."""
    return [[[int(k) for k in state.knowledge] for _ in state.knowledge] for state in states]


def test_hostile_text_neither_breaks_the_page_nor_gets_lost() -> None:
    frame = Frame("<svg></svg>", NASTY, (Entry(NASTY, 0),), data={"text": NASTY})
    page = Page(NASTY, [frame], NASTY, {NASTY: NASTY}, minds=(NASTY,), data=NASTY)
    html = render(page)
    plain = render(Page("t", [Frame("<svg></svg>")], "s", {"f": "f"}, minds=("p",)))
    assert Elements(html).tags == Elements(plain).tags
    embedded = episode_in(html)
    assert embedded["data"] == embedded["minds"][0] == NASTY
    assert embedded["frames"][0]["log"] == [[0, NASTY]]
    assert embedded["frames"][0]["data"] == {"text": NASTY}


def test_the_page_asks_for_nothing_from_elsewhere() -> None:
    html = page_of()
    addresses = set(re.findall(r"https?://[^\"'\s\\]*", html))
    assert addresses == {"http://www.w3.org/2000/svg"}
    loading = {"src", "srcset", "data", "action", "background", "poster"}
    assert not [name for name, _ in Elements(html).attributes if name in loading]
    assert "@import" not in html
    assert "url(" not in html


def test_every_placeholder_is_filled() -> None:
    assert "{{" not in render(Page("t", [Frame("<svg></svg>")]))


def test_controls_have_names_for_screen_readers() -> None:
    html = render(Page("t", [Frame("<svg></svg>")] * 8))
    assert html.count("<button") == len(re.findall(r"<button[^>]* aria-label=", html)) == 5
    assert re.search(r'<input type="range"[^>]* max="7"[^>]* aria-label="Turn"', html)


def test_panels_of_a_world_are_on_the_page() -> None:
    html = render(
        Page("t", [Frame("<svg></svg>", panels={"story": "<p>Sally</p>"})], panels=(Panel("story", "A & B"),))
    )
    assert 'id="panel-story"' in html
    assert "A &amp; B" in html
    assert episode_in(html)["frames"][0]["panels"] == {"story": "<p>Sally</p>"}


def test_a_page_without_frames_is_refused() -> None:
    with pytest.raises(ValueError, match="at least one frame"):
        render(Page("t", []))


def test_scores_are_rewards_summed_over_turns() -> None:
    rewards = ((1.0, 0.0, 2.5), (0.0, 1.0, 0.0), (0.0, 0.0, 0.5), (3.0, 0.0, 0.0))
    start, *later = states_of()[0]
    paid = [s._replace(last_reward=np.array(r, np.float32)) for s, r in zip(later, rewards, strict=True)]
    frames = episode_in(page_of(states=(start, *paid)))["frames"]
    assert [frame["scores"] for frame in frames] == [[0, 0, 0], [1, 0, 2.5], [1, 1, 2.5], [1, 1, 3.0], [4, 1, 3.0]]
    assert [frame["rewards"] for frame in frames] == [[0, 0, 0], *map(list, rewards)]


def test_right_beliefs_are_counted_as_no_errors() -> None:
    embedded = episode_in(page_of())["data"]
    assert embedded["wrong"] == {"conservative": [[0, 0]] * 5}


def test_wrong_beliefs_are_counted_by_kind_and_the_own_mind_is_left_out() -> None:
    states, _ = states_of()
    truth, belief = truth_of(states)[0][0], truth_of(states)
    unknown = ~truth[1] & int(PARAMS.all_pieces)
    belief[0][0][1] |= unknown & -unknown
    belief[0][2][0] = 0
    belief[0][1][1] = 0
    assert wrong_beliefs(states, belief)[0] == (1, truth[0].bit_count())
    html = page_of(beliefs={"conservative": truth_of(states), "off": belief})
    embedded = episode_in(html)["data"]
    assert embedded["wrong"]["off"][0] == [1, truth[0].bit_count()]
    assert embedded["beliefs"]["off"] == belief


def test_the_log_tells_what_was_said_and_who_heard_it() -> None:
    start = states_of(turns=0)[0][0]._replace(
        x=np.array([0, 1, 4], dtype=np.int32),
        y=np.array([0, 0, 4], dtype=np.int32),
        base_x=np.array([4, 4, 4], dtype=np.int32),
        base_y=np.array([0, 1, 4], dtype=np.int32),
        first_hand=np.array([0b000011, 0b001100, 0b110000], dtype=np.uint32),
        knowledge=np.array([0b000011, 0b001100, 0b111111], dtype=np.uint32),
        previous_knowledge=np.array([0b000011, 0b001110, 0b111111], dtype=np.uint32),
    )
    action = Action(np.array([2, 3, 0], dtype=np.int32), np.array([1, 1, 0], dtype=np.int32))
    after, _ = step(start, action, draw_coins(np.random.default_rng(0), PARAMS), PARAMS)
    nothing = ((0,) * 3,) * 3
    html = page_of(states=(start, after), actions=(action,), beliefs={"none": (nothing, nothing)})
    log = [text for _, text in episode_in(html)["frames"][1]["log"]]
    assert log == [
        "Tried to go left but was blocked, said 1: news to 1.",
        "Moved up, said 1: known to 0. Learned 1.",
        "Stayed, said 0: nobody was near. Recharged with complete knowledge. Forgot 0, 1, 2 and 3.",
    ]


def test_a_piece_that_cannot_be_said_and_a_jammed_listener_are_told() -> None:
    params = PARAMS.replace(interference=True)
    start = states_of(params, turns=0)[0][0]._replace(
        x=np.array([1, 2, 3], dtype=np.int32),
        y=np.array([1, 1, 1], dtype=np.int32),
        base_x=np.array([4, 4, 4], dtype=np.int32),
        base_y=np.array([0, 1, 4], dtype=np.int32),
        first_hand=np.array([0b000011, 0b001100, 0b110000], dtype=np.uint32),
        knowledge=np.array([0b000011, 0b001100, 0b110000], dtype=np.uint32),
        previous_knowledge=np.array([0b000011, 0b001100, 0b110000], dtype=np.uint32),
    )
    action = Action(np.array([0, 0, 0], dtype=np.int32), np.array([1, 0, 5], dtype=np.int32))
    after, _ = step(start, action, draw_coins(np.random.default_rng(0), params), params)
    html = page_of(params, states=(start, after), actions=(action,), beliefs={})
    log = [text for _, text in episode_in(html)["frames"][1]["log"]]
    assert log == [
        "Stayed, said 1: drowned out for 1.",
        "Stayed, could not say 0, so was silent.",
        "Stayed, said 5: drowned out for 1.",
    ]


def test_an_episode_without_beliefs_has_no_belief_panel() -> None:
    assert 'id="panel-beliefs"' in page_of()
    assert 'id="panel-beliefs"' not in page_of(beliefs={})


def test_pages_stay_small_enough_to_mail() -> None:
    html = page_of(Params(num_agents=4, width=12, num_pieces=12), turns=60)
    assert len(html.encode()) < 2_000_000
