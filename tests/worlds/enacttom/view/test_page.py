"""The replay page of a household run, its floor plan, and the way back from a record."""

import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from otherminds.core.episodes import Episode
from otherminds.core.errors import UserError
from otherminds.core.mind import BaseMind, CannotAnswer, Reply
from otherminds.core.world import Ask
from otherminds.view.shapes import to_svg
from otherminds.worlds.enacttom.ledger import chains_of
from otherminds.worlds.enacttom.messages import Act, Message
from otherminds.worlds.enacttom.record import play_again
from otherminds.worlds.enacttom.rules import WAIT
from otherminds.worlds.enacttom.tasks.read import parse_task
from otherminds.worlds.enacttom.tasks.write import task_content
from otherminds.worlds.enacttom.types import Task
from otherminds.worlds.enacttom.view.belief_view import beliefs_by_turn, key_variables
from otherminds.worlds.enacttom.view.floor_plan import plan_of
from otherminds.worlds.enacttom.view.page import episode_page
from otherminds.worlds.enacttom.world import EnactToM
from tests.view.test_page import Elements, episode_in
from tests.worlds.enacttom.houses import fetch, letter, memo
from tests.worlds.enacttom.playing import play

TELL = Message(0, (1,), (("value", "target", "table2"),))
ANN: tuple[Act, ...] = ("navigate(study)", TELL, "pick(cup)", WAIT, WAIT)
BEN: tuple[Act, ...] = ("pick(cup)", WAIT, "navigate(kitchen)", "place(cup, on, table2)", WAIT)


class Scripted(BaseMind):
    """Does what it was given, whatever happens, and answers nothing."""

    name = "scripted"

    def __init__(self, acts: tuple[Act, ...]) -> None:
        self._acts = acts

    def reply(self, ask: Ask) -> Reply:
        if ask.probe is not None:
            raise CannotAnswer
        return Reply(self._acts[ask.turn - 1] if ask.turn <= len(self._acts) else WAIT)


def run(task: Task | None = None, world: tuple[int, ...] = (1,), acts: Any = (ANN, BEN)) -> Episode:
    return play(task or fetch(), world, [Scripted(mine) for mine in acts])


def frames(*episodes: Episode) -> Any:
    return episode_in(episode_page(*(episodes or (run(),))))


def views(page: Any, turn: int) -> list[str]:
    """The boards as all, Ann and Ben have them."""
    return [page["data"]["boards"][at] for at in page["frames"][turn]["data"]["boards"]]


def cells(page: Any, turn: int) -> dict[tuple[int, ...], list[list[Any]]]:
    data = page["frames"][turn]["data"]["cells"]
    return {tuple(chain): row for chain, row in zip(page["data"]["chains"], data, strict=True)}


def test_the_page_has_a_board_for_each_turn_and_each_pair_of_eyes() -> None:
    page = frames()
    assert [frame["label"] for frame in page["frames"]] == [f"turn {turn} of 5" for turn in range(6)]
    assert all(len(views(page, turn)) == 3 for turn in range(6))


def test_nobody_sees_what_is_elsewhere() -> None:
    page = frames()
    everybody, ann, ben = views(page, 0)
    assert "= table2" in everybody
    assert "= table2" not in ann + ben
    assert ">ben<" not in ann  # he is in another room, and was never seen
    everybody, ann, ben = views(page, 1)
    assert "= table2" in ann
    assert "= table2" not in ben


def test_what_was_seen_before_is_dimmed() -> None:
    acts = (("navigate(hall)", "navigate(porch)"), ("wait()", "pick(cup)"))
    _, ann, _ = views(frames(run(acts=acts)), 2)
    chip = re.findall(r"<text[^>]*>cup</text>", ann)
    assert len(chip) == 1  # on the shelf, where she saw it, though Ben has it by now
    assert "opacity" in chip[0]
    everybody = views(frames(run(acts=acts)), 2)[0]
    assert "opacity" not in re.findall(r"<text[^>]*>cup</text>", everybody)[0]


def test_rooms_are_barred_for_whom_they_are() -> None:
    everybody, ann, ben = views(frames(), 0)
    assert [board.count(">barred<") for board in (everybody, ann, ben)] == [0, 1, 1]


def test_a_message_is_on_the_board_of_those_it_concerns_with_what_is_left() -> None:
    page = frames()
    for board in views(page, 2):
        assert "target = table2" in board
    assert "target = table2" not in "".join(views(page, 3))
    assert [frame["data"]["budgets"] for frame in page["frames"]] == [[1, 0], [1, 0], *([[0, 0]] * 4)]


def test_the_matrix_says_who_knows_that_who_knows() -> None:
    page = frames()
    assert page["data"]["columns"] == ["target", "where cup is"]
    unknown, knows = [0, ""], 2
    assert {chain: row[0] for chain, row in cells(page, 0).items() if row[0] != unknown} == {}
    assert {chain for chain, row in cells(page, 1).items() if row[0][0] == knows} == {(0,)}
    after = cells(page, 2)
    assert after[0,][0] == after[1,][0] == [knows, "table2"]
    assert all(row[0][0] == knows for row in after.values())  # who told and who was told know all about it


def test_what_the_task_says_is_known_to_all_until_it_changes_unseen() -> None:
    """The cup is on the shelf at first, which everybody has read; then Ben takes it while Ann is elsewhere."""
    page, knows, wrong = frames(), 2, 1
    assert all(row[1] == [knows, "on shelf"] for row in cells(page, 0).values())
    after = cells(page, 1)
    assert after[0,][1] == [wrong, "on shelf"]
    assert after[1,][1] == [knows, "held ben"]
    assert after[0, 1][1] == [wrong, "on shelf"]
    assert after[1, 0][1] == [0, ""]  # Ben knows that Ann has not seen it


def test_what_follows_from_the_possible_worlds_is_known() -> None:
    """The worlds go together: whoever sees one secret knows the other; and the note is read in every world."""
    secrets = {"target": {"values": ["table1", "table2", "table3"]}, "hint": {"values": ["h1", "h2", "h3"]}}
    worlds = [{"target": f"table{n}", "hint": f"h{n}"} for n in (1, 2, 3)]
    task = fetch(secrets=secrets, worlds=worlds, notes=[{"to": "ben", "about": "hint"}])
    found = cells(frames(run(task, task.worlds[1])), 0)
    knows = 2
    assert found[1,][:2] == [[knows, "table2"], [knows, "h2"]]  # he read the hint, and infers the target
    assert found[0,][:2] == [[0, ""], [0, ""]]
    assert [found[0, 1][column][0] for column in (0, 1)] == [knows, knows]  # Ann knows that he does, not what it is
    assert [found[1, 0][column][0] for column in (0, 1)] == [0, 0]
    assert found[0, 1, 0][0] == [0, ""]  # for Ann does not know it
    assert found[1, 0, 1][0][0] == knows


def test_an_outdated_belief_is_wrong() -> None:
    acts = (("navigate(hall)", "navigate(porch)"), ("wait()", "pick(cup)"))
    assert cells(frames(run(acts=acts)), 2)[0,][1] == [1, "on shelf"]


def test_the_log_tells_what_was_done_and_why_it_was_refused() -> None:
    page = frames()
    log = [text for _, text in page["frames"][3]["log"]]
    assert log[0] == "ann did pick(cup): refused, pick(cup) is not possible now."
    assert "Your act navigate(kitchen) was done." in page["frames"][3]["data"]["perceived"][1]
    assert page["frames"][5]["log"][-1][1] == "The goal is reached."


def test_parts_of_the_goal_are_ticked_while_they_hold() -> None:
    page = frames()
    assert ["✓" in frame["panels"]["goal"] for frame in page["frames"]] == [False] * 4 + [True] * 2


def test_runs_in_other_worlds_can_be_switched_to() -> None:
    page = frames(run(), run(world=(0,)), run(world=(2,)))
    assert [name.split(" ", 3)[2:] for name in page["data"]["worlds"]] == [
        ["table2", "(reached)"],
        ["table1", "(not reached)"],
        ["table3", "(not reached)"],
    ]
    assert [len(other) for other in page["data"]["others"]] == [6, 6]
    assert "= table3" in page["data"]["boards"][page["data"]["others"][1][0]["data"]["boards"][0]]


def test_the_same_team_in_other_worlds_is_beside_it_once_for_each_world() -> None:
    first, second, third = run(), run(world=(0,)), run(world=(0,))
    other = run(acts=((), ()))
    other.minds = dict(zip(other.minds, ("somebody", "else"), strict=True))
    assert EnactToM.beside(first, [first, other, second, third]) == [second]


def test_what_was_asked_in_passing_is_shown_with_the_answer_expected() -> None:
    seats = [Scripted(ANN), Scripted(BEN)]
    episode = play(fetch(), (1,), seats, probes=True)
    page = frames(episode)
    html = [frame["panels"]["probes"] for frame in page["frames"]]
    assert "No questions were asked" in html[0]
    assert "<td>no answer</td>" in html[-1]
    assert "What is the secret target?" in "".join(html)
    assert "probes" not in frames()["frames"][0]["panels"]


def test_the_proved_depth_is_said_where_the_record_has_it() -> None:
    episode = run()
    assert "proved depth" not in episode_page(episode)
    episode.notes["depth"] = 1
    assert "<dt>proved depth</dt><dd>1</dd>" in episode_page(episode)


def test_each_picture_is_in_the_page_once() -> None:
    page = frames(run(), run(world=(0,)))
    boards = page["data"]["boards"]
    assert len(set(boards)) == len(boards) < 2 * 6 * 3


def test_a_run_that_ended_early_waits_for_the_others() -> None:
    early = run(acts=(("done()",), ("done()",)))
    page = frames(early, run(world=(0,)))
    assert len(page["frames"]) == len(page["data"]["others"][0]) == 6


def test_the_page_needs_nothing_from_elsewhere_and_survives_hostile_names() -> None:
    people = {"<i>ann": {"room": "porch"}, "ben": {"room": "hall"}}
    task = fetch(title="</script><script>alert(1)</script>", people=people, mechanics=[])
    html = episode_page(run(task, acts=((), ())))
    assert Elements(html).tags.count("script") == Elements(episode_page(run())).tags.count("script")
    assert set(re.findall(r"https?://[^\"'\s\\]*", html)) == {"http://www.w3.org/2000/svg"}
    assert "<i>" not in html


@pytest.mark.parametrize("task", [fetch(), memo(), letter(), EnactToM("cup").task])
def test_rooms_lie_beside_each_other_and_doors_between_them(task: Task) -> None:
    plan = plan_of(task)
    boxes = list(plan.rooms.values())
    for at, (ax, ay, aw, ah) in enumerate(boxes):
        assert ax >= 0 <= ay
        assert ax + aw <= plan.width
        assert ay + ah <= plan.height
        for bx, by, bw, bh in boxes[:at]:
            assert ax + aw <= bx + 0.5 or bx + bw <= ax + 0.5 or ay + ah <= by + 0.5 or by + bh <= ay + 0.5
    assert all(opening.is_gap for opening in plan.openings)


def test_minds_have_a_row_for_every_chain_and_a_cell_for_every_key() -> None:
    played = play_again(run())
    found = beliefs_by_turn(played)
    assert len(found.cells) == len(found.looks) == 6
    assert tuple(found.cells[0]) == chains_of(2)
    assert {len(row) for row in found.cells[0].values()} == {len(key_variables(played.params.ground))}


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda e: e.turns[1].update(values=e.turns[0]["values"]) or e.turns[0]["values"].reverse(), "values is"),
        (lambda e: e.turns[0].update(acts=["wait()"]), "has no reply to 1/ben"),
        (lambda e: e.turns[0].update(acts=["wait()", {"tell": [7], "atoms": []}]), "has an unknown listener"),
        (lambda e: e.turns[0].update(acts=["wait()", 3]), "ask 1/ben: the act is 3"),
        (lambda e: e.end.update(success=False), "success is False; according to its replies it is True"),
        (lambda e: e.start.update(world=[9]), "expected a world of task"),
        (lambda e: e.start.pop("task"), "neither in the record nor in the package"),
    ],
)
def test_a_record_that_does_not_follow_from_its_acts_is_refused(change: Any, message: str) -> None:
    episode = run()
    change(episode)
    with pytest.raises(UserError, match=message):
        play_again(episode)


def test_an_episode_is_shown_as_page_text_and_picture() -> None:
    house = EnactToM(fetch())
    episode, other = run(), run(world=(0,))
    played = house.replay(episode)
    told = "\n".join(house.terminal(moment, played.params) for moment in played.states)
    assert "ann told ben: the target is the table2." in told
    assert "turn 5 of 5" in told
    assert len(episode_in(house.page(episode, other))["data"]["worlds"]) == 2
    assert to_svg(house.scene(played.states[-1], played.params)).startswith("<svg")
    assert house.seen(played, ["ben", "ann"], 2)["secret target"] == "table2"
    assert house.seen(played, [], 2)["secret target"] == "table2"
    with pytest.raises(UserError, match="--chain names 'eve', who is not in this house"):
        house.seen(played, ["eve"], 2)


def test_five_people_fit_on_a_page() -> None:
    content = task_content(fetch(), is_bare=True)
    content["people"] |= {name: {"room": "hall"} for name in ("cleo", "dan", "eve")}
    task = parse_task(content)
    assert len(task.people) == 5
    episode = run(task, acts=(ANN, BEN, (), (), ()))
    assert len(set(frames(episode)["colours"])) == 5
    assert "eve" in episode_page(episode)


_MEASURE = """<script>
const widths = [...document.querySelectorAll(".scroll, .panel, body")].map((box) => [box.scrollWidth, box.clientWidth]);
document.title = `cut ${widths.filter(([whole, shown]) => whole > shown).length} of ${widths.length}`;
</script>"""


@pytest.mark.skipif(not shutil.which("chromium"), reason="needs the browser Chromium")
@pytest.mark.parametrize("task", ["cup", "message-7", "informed-1"])  # 2, 9 and 15 columns
def test_no_column_of_the_matrix_is_cut_off(tmp_path: Path, task: str) -> None:
    world = EnactToM(task)
    html = world.page(play(world.task, world.task.worlds[0], "random"))
    path = tmp_path / "page.html"
    path.write_text(html.replace("</body>", _MEASURE + "</body>"), "utf-8")
    words = ["chromium", "--headless", "--no-sandbox", "--disable-gpu", f"--user-data-dir={tmp_path / 'profile'}"]
    words += ["--window-size=1280,900", "--virtual-time-budget=2000", "--dump-dom", path.as_uri()]
    shown = subprocess.run(words, capture_output=True, text=True, timeout=120, check=True).stdout
    assert re.findall(r"<title>(.*?)</title>", shown)[0].startswith("cut 0 of")
