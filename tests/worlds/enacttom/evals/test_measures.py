"""Numbers from runs: identities, intervals, the gap between saying and doing, and weaknesses of the original."""

from math import comb
from typing import Any

import pytest

from otherminds.core.errors import UserError
from otherminds.results.statistics import wilson
from otherminds.worlds.enacttom.evals.episode_analysis import EpisodeAnalysis, analyse
from otherminds.worlds.enacttom.evals.failures import failures
from otherminds.worlds.enacttom.evals.measures import balanced_accuracy, pass_all, pass_at, share
from otherminds.worlds.enacttom.evals.published import Figures, published
from otherminds.worlds.enacttom.evals.scores import TaskRuns, by_group, raw_gap, shares, summary
from otherminds.worlds.enacttom.messages import Act
from otherminds.worlds.enacttom.probes.questions import CANNOT_TELL, NO, YES
from otherminds.worlds.enacttom.rules import WAIT
from otherminds.worlds.enacttom.tasks.suite import Entry
from otherminds.worlds.enacttom.types import Task
from otherminds.worlds.enacttom.verify.certify import Certificate
from tests.worlds.enacttom.evals.making import ANN, BEN, CLEO, Told, placing, played, says
from tests.worlds.enacttom.houses import chain, fetch, memo

WORLD = (1,)  # the cup belongs on table2
TELLS = says(ANN, BEN, "value", "target", "table2")
VALUE = ("value", (), 0)


def of(task: Task, *runs: EpisodeAnalysis, worlds: int = 1, depth: int = 1) -> TaskRuns:
    return TaskRuns(Entry(task, Certificate("solvable", depth=depth), task.worlds[-1 - worlds : -1]), runs)


def good(task: Task | None = None, world: int = 1) -> EpisodeAnalysis:
    table = f"table{world + 1}"
    tells = says(ANN, BEN, "value", "target", table)
    return analyse(played(task or fetch(), (world,), ["navigate(study)", tells], placing(table)))


def bad(task: Task | None = None, world: int = 1) -> EpisodeAnalysis:
    return analyse(played(task or fetch(), (world,), [], placing(f"table{(world + 1) % 3 + 1}")))


# --- success over three runs ---


@pytest.mark.parametrize("runs", range(3, 8))
def test_all_of_three_is_at_most_the_average_and_one_of_three_at_least(runs: int) -> None:
    for successes in range(runs + 1):
        assert pass_all(successes, runs) <= successes / runs <= pass_at(successes, runs)
        assert pass_all(successes, runs) == comb(successes, 3) / comb(runs, 3)
    assert (pass_at(0, runs), pass_all(runs, runs)) == (0, 1)


def test_one_success_of_three_is_no_pass_of_three() -> None:
    """The original's code has (c/n)^k, which makes 3.7 % of it (1.14)."""
    assert pass_all(1, 3) == 0


def counts_of(cell: Figures) -> tuple[int, int, int, int]:
    """How many of 40 tasks succeeded never, once, twice and three times."""
    thrice, some, successes = (round(share * 40 / 100) for share in (cell["all3"], cell["at3"], 3 * cell["average"]))
    twice = successes - some - 2 * thrice
    return 40 - some, some - twice - thrice, twice, thrice


@pytest.mark.parametrize(("model", "column"), [(m, c) for m, cells in published().items() for c in cells])
def test_published_cells_follow_from_counts_of_tasks(model: str, column: str) -> None:
    """Required test 8: all 28, errors included."""
    cell = published()[model][column]
    counts = counts_of(cell)
    assert sum(counts) == 40
    assert min(counts) >= 0
    average = sum(times * number for times, number in enumerate(counts)) / 120
    at3, all3 = (sum(n * share(k, 3) for k, n in enumerate(counts)) / 40 for share in (pass_at, pass_all))
    error = (average * (1 - average) / 120) ** 0.5
    assert [round(100 * value, 1) for value in (average, error, at3, all3)] == list(cell.values())
    assert cell["all3"] <= cell["average"] <= cell["at3"]


def test_what_the_published_table_is_known_to_say() -> None:
    table = published()
    assert len([cell for cells in table.values() for cell in cells.values()]) == 28
    assert counts_of(table["Gemini-Pro"]["standard functional"]) == (15, 8, 12, 5)
    assert counts_of(table["Gemini-Pro"]["hard functional"]) == (32, 8, 0, 0)
    assert sum(cells["hard literal"]["average"] for cells in table.values()) / 7 == pytest.approx(45.0, abs=0.05)
    assert all(cells["hard functional"]["all3"] == 0 for cells in table.values())


def test_a_share_has_the_published_error_and_an_interval_over_tasks() -> None:
    found = share([[1, 1, 1], [0, 0, 0]] * 3)
    assert found is not None
    assert (found.value, found.cases, found.tasks) == (0.5, 18, 6)
    assert found.error == pytest.approx((0.25 / 18) ** 0.5)
    assert found.low is not None
    assert found.high is not None
    # Runs of one task are all alike here: the interval is wider than two errors of 18 cases would be (W20).
    assert found.high - found.low > 4 * found.error
    assert share([]) is None


def test_fewer_than_five_tasks_have_no_interval() -> None:
    few, enough = (share([[1, 1, 0]] * tasks) for tasks in (4, 5))
    assert few is not None
    assert enough is not None
    assert (few.low, few.high) == (None, None)
    assert None not in (enough.low, enough.high)


def test_a_count_of_zero_still_has_an_upper_bound() -> None:
    found = share([[0, 0, 0]] * 40)
    assert found is not None
    assert (found.value, found.error, found.low) == (0, 0, 0)
    assert found.high == pytest.approx(wilson(0, 40)[1]) == pytest.approx(0.0876, abs=1e-3)
    full = share([[1]] * 40)
    assert full is not None
    assert full.low == pytest.approx(1 - 0.0876, abs=1e-3)
    assert full.high == 1


# --- what is summed up ---


def test_a_team_is_summed_up() -> None:
    task = fetch(wishes=[{"chain": ["ben"], "about": "target"}], private={"ann": "at(ann, study)"})
    found = shares([of(task, good(task), good(task), bad(task))])
    values = {name: one.value if one else None for name, one in found.items()}
    assert values["functional"] == pytest.approx(2 / 3)
    assert (values["functional@3"], values["functional^3"], values["sweep"]) == (1, 0, 1)
    assert values["epistemic"] == pytest.approx(2 / 3)
    assert values["private"] == values["private_undamaged"] == pytest.approx(2 / 3)


def test_a_private_goal_reached_at_the_cost_of_the_shared_one_is_told_apart() -> None:
    task = fetch(category="mixed", private={"ben": "held(cup, ben)"})
    run = analyse(played(task, WORLD, ["navigate(study)", TELLS], [*placing("table2"), "pick(cup)"]))
    found = shares([of(task, run)])
    assert found["private"] is not None
    assert found["private_undamaged"] is not None
    assert (found["private"].value, found["private_undamaged"].value) == (1, 0)
    assert failures(run) == ("sabotage",)


def test_a_sweep_needs_every_contrast_world() -> None:
    assert of(fetch(), good(world=0), good(world=1), worlds=2).has_swept is True
    assert of(fetch(), good(world=1), good(world=0), bad(world=1), worlds=2).has_swept is True  # the first time counts
    assert of(fetch(), good(world=0), good(world=0), bad(world=1), worlds=2).has_swept is False
    assert of(fetch(), bad(world=0), good(world=0), good(world=1), worlds=2).has_swept is False
    unplayed = of(fetch(), good(world=0), good(world=0), worlds=2)
    assert unplayed.has_swept is None
    assert shares([unplayed])["sweep"] is None


def test_tasks_are_broken_down() -> None:
    mixed = fetch(id="other", category="mixed", private={"ann": "on(cup, shelf)"})
    tasks = [of(fetch(), good(), depth=1), of(mixed, bad(), depth=2)]
    groups = by_group(tasks)
    assert {value: len(mine) for value, mine in groups["depth"].items()} == {"1": 1, "2": 1}
    assert set(groups["category"]) == {"cooperative", "mixed"}
    assert set(groups["mechanic"]) == {"limited_bandwidth", "restricted_communication", "room_restriction"}
    found = summary("told", tasks)
    assert found["by"]["depth"]["2"]["functional"]["value"] == 0
    assert found["failures"]["guess"] == 0.5
    assert [one["successes"] for one in found["per_task"]] == [1, 0]


def test_a_run_that_has_not_ended_is_not_scored() -> None:
    run = played(fetch(), WORLD)
    run.end = None
    with pytest.raises(UserError, match="has not ended"):
        analyse(run)


# --- saying and doing ---


def test_who_says_it_cannot_tell_and_acts_does_not_act_on_what_it_says() -> None:
    honest = Told(placing("table1"), {("knows", (ANN, BEN), 0): NO})
    run = analyse(played(fetch(), WORLD, [], honest))
    assert run.is_consistent == [False]
    assert run.is_said_rightly is True  # he could not tell, said so, and put the cup somewhere


def test_who_acts_on_a_false_report_is_consistent() -> None:
    said = Told(placing("table1"), {VALUE: "table1"})
    run = analyse(played(fetch(), WORLD, [], said))
    assert run.is_consistent == [True]
    assert run.is_said_rightly is False
    against = Told(placing("table1"), {VALUE: "table2"})
    assert analyse(played(fetch(), WORLD, [], against)).is_consistent == [False]


def test_who_says_that_the_others_know_may_rely_on_them() -> None:
    """Ann's only message would leave Cleo in the dark, unless Cleo knows already."""
    tells: list[Act] = [WAIT, says(ANN, BEN, "value", "for_ben", "ben1")]
    trusting = Told(tells, {("knows", (2,), 1): YES})
    assert analyse(played(memo(), (0, 0, 1), trusting)).is_consistent == [True]
    doubting = Told(tells, {("knows", (2,), 1): CANNOT_TELL})
    assert analyse(played(memo(), (0, 0, 1), doubting)).is_consistent == [False]


def test_gaps_are_differences_of_the_same_runs() -> None:
    tasks = [of(fetch(), good(), bad(), bad())]
    found = shares(tasks)
    literal, functional = found["literal"], found["functional"]
    assert literal is not None
    assert functional is not None
    assert raw_gap(found) == literal.value - functional.value
    assert -1 <= (raw_gap(found) or 0) <= 1
    gap = found["conditional_gap"]
    assert gap is not None
    assert gap.cases == 2  # failed runs in which somebody decided without knowing what it takes


# --- weaknesses of the original, each with a task on which it goes wrong ---


def asked(expected: str, given: str, kind: str = "knows", options: tuple[str, ...] = (YES, NO, CANNOT_TELL)) -> Any:
    return {"kind": kind, "expected": expected, "given": given, "options": list(options)}


def test_w13_who_always_says_yes_gains_nothing() -> None:
    """In the original facts are goals, so that "true" is the best answer wherever teams succeed."""
    task = fetch(wishes=[{"chain": ["ann", "ben"], "about": "target"}])
    yes = Told(["navigate(study)", TELLS], otherwise=YES), Told(placing("table2"), otherwise=YES)
    run = analyse(played(task, WORLD, *yes))
    assert run.is_success
    assert run.is_literal is False
    assert balanced_accuracy([probe for probe in run.probes if probe["kind"] == "knows"]) == 0
    expected = {probe["expected"] for probe in run.probes if probe["kind"] == "knows"}
    assert expected == {YES, NO}  # no answer can be told from the goal


def test_w14_to_agree_in_knowing_nothing_passes_no_probe() -> None:
    """In the original, nested probes reward agreement: two who answer "unknown" pass."""
    task = fetch(wishes=[{"chain": ["ann", "ben"], "about": "target"}])
    blank = Told(["navigate(study)", TELLS], otherwise=""), Told([], otherwise="")
    run = analyse(played(task, WORLD, *blank))
    assert run.original == [True]  # both malformed, and so alike
    assert run.is_literal is False
    unknown = analyse(played(task, WORLD, Told(["navigate(study)", TELLS]), Told([])))
    assert unknown.original == [True]
    assert unknown.is_literal is False


def test_w15_saying_does_not_depend_on_doing() -> None:
    """In the original, a probe of depth 1 needs the goal fact to be true in the end."""
    knows = {VALUE: "table2", ("thinks", (0,), 0): "table2", ("thinks", (1,), 0): "table2"}
    knowing = Told(["navigate(study)", TELLS], knows), Told([], knows)
    run = analyse(played(fetch(wishes=[{"chain": ["ben"], "about": "target"}]), WORLD, *knowing))
    assert not run.is_success
    assert run.original == [True]
    mine = [probe for probe in run.probes if probe["kind"] == "value"]
    assert mine
    assert all(probe["given"] == probe["expected"] for probe in mine if probe["expected"] != CANNOT_TELL)


def test_w16_what_did_not_last_does_not_count() -> None:
    """In the original, goals latch: the cup was on the table once."""
    task = fetch(private={"ann": "at(ann, porch)"})
    left: list[Act] = ["navigate(study)", TELLS]
    run = analyse(played(task, WORLD, left, [*placing("table2"), "pick(cup)"]))
    assert not run.is_success
    assert run.episode.end
    assert run.episode.end["progress"] == 0
    assert run.private == {"ann": False}  # it held at the start, and she went away


def test_w17_a_lucky_guess_is_no_sweep() -> None:
    """In the original a task is one fixed world, in which who always takes the same table may always be right."""
    fixed = [analyse(played(fetch(), WORLD, [], placing("table2"))) for _ in range(3)]
    assert all(run.is_success for run in fixed)
    over_worlds = [analyse(played(fetch(), world, [], placing("table2"))) for world in ((1,), (0,), (1,))]
    found = of(fetch(), *over_worlds, worlds=2)
    assert not found.has_swept
    assert all("guess" in failures(run) for run in over_worlds)


def test_the_questions_of_the_paper_go_as_deep_as_the_wishes() -> None:
    """A value is asked for; of what another knows, the other's own answer is predicted (1.13)."""
    people = ("ann", "ben", "cleo")
    task = chain(wishes=[{"chain": list(people[at:]), "about": "right"} for at in (2, 1, 0)])
    lamp, knows = {VALUE: "lamp1", ("thinks", (CLEO,), 0): "lamp1"}, {("knows", (CLEO,), 0): YES}
    seats = Told([], {("knows", (BEN, CLEO), 0): YES}), Told([], {**lamp, **knows}), Told([], lamp)
    world = next(one for one in task.worlds if task.value(one, "known") == "ann" and one[0] == 0)
    run = analyse(played(task, world, *seats))
    assert run.original == [True, True, True]
    assert all(run.wishes)
    doubting = analyse(played(task, world, Told([]), *seats[1:]))
    assert doubting.original == [True, True, False]


# --- accuracy ---


def test_accuracy_has_chance_at_0_and_all_right_at_1() -> None:
    answers = (YES, NO, CANNOT_TELL)
    assert balanced_accuracy([asked(answer, answer) for answer in answers]) == 1
    for constant in answers:
        assert balanced_accuracy([asked(answer, constant) for answer in answers]) == pytest.approx(0)
    # However many of them there are of each.
    many = [asked(YES, YES)] * 8 + [asked(NO, YES), asked(CANNOT_TELL, YES)]
    assert balanced_accuracy(many) == pytest.approx(0)
    assert balanced_accuracy([asked(YES, YES)]) is None
    assert balanced_accuracy([]) is None


def test_answers_that_are_never_right_give_nobody_an_edge() -> None:
    """Where nobody can tell, or not, only two answers are ever right, and to know that is worth nothing."""
    assert balanced_accuracy([asked(YES, YES), asked(NO, YES)]) == pytest.approx(0)
    assert balanced_accuracy([asked(YES, CANNOT_TELL), asked(NO, CANNOT_TELL)]) == pytest.approx(-1)
    lamps = ("lamp1", "lamp2", CANNOT_TELL)
    mixed = [asked("lamp1", "lamp1", "value", lamps), asked("lamp2", "lamp1", "value", lamps)]
    assert balanced_accuracy(mixed) == pytest.approx(0)
