"""What goes wrong has a name: one small run for each label, and one without any."""

from collections.abc import Callable
from typing import Any

import pytest

from otherminds.core.episodes import Episode
from otherminds.worlds.enacttom.evals.episode_analysis import analyse
from otherminds.worlds.enacttom.evals.failures import LABELS, failures
from otherminds.worlds.enacttom.messages import Act
from otherminds.worlds.enacttom.rules import WAIT
from otherminds.worlds.enacttom.tasks.read import find_task, read_task
from tests.worlds.enacttom.evals.making import ANN, BEN, placing, played, says
from tests.worlds.enacttom.houses import chain, fetch, memo

TELLS = says(ANN, BEN, "value", "target", "table2")
WORLD = (1,)  # the cup belongs on table2


def talking(*kinds: str, budget: int = 2) -> dict[str, Any]:
    return {"budget": budget, "talk": {"kinds": ["value", *kinds]}}


def known(who: str) -> tuple[int, int]:
    """The world of the chain in which the first lamp is right and that is known so far."""
    return (0, ["none", "cleo", "ben", "ann"].index(who))


RUNS: dict[str, Callable[[], Episode]] = {
    "none": lambda: played(fetch(), WORLD, ["navigate(study)", TELLS], placing("table2")),
    "guess": lambda: played(fetch(), WORLD, [], placing("table2")),
    "withholding": lambda: played(fetch(), WORLD, ["navigate(study)"], placing("table1", wait=1)),
    "withholding, told late": lambda: played(
        fetch(), WORLD, ["navigate(study)", WAIT, WAIT, TELLS], placing("table1", wait=1)
    ),
    "withholding, nobody acts": lambda: played(fetch(), WORLD, ["navigate(study)"], []),
    "misallocated message": lambda: played(
        memo(), (0, 0, 0), [WAIT, says(ANN, BEN, "value", "for_ben", "ben1")], [WAIT, WAIT, "toggle(ben1)"]
    ),
    "chain breakdown": lambda: played(chain(), known("none"), ["toggle(lever_a)"]),
    "ignored constraint": lambda: played(fetch(), WORLD, [], [says(BEN, ANN, "value", "target", "table1")]),
    "ignored constraint, barred": lambda: played(
        fetch(**talking("request")), WORLD, [says(ANN, BEN, "request", "ben", "navigate(study)")]
    ),
    "ignored constraint, full hands": lambda: played(
        fetch(**talking("request"), people={"ann": {"room": "hall"}, "ben": {"room": "hall"}}),
        WORLD,
        [WAIT, says(ANN, BEN, "request", "ben", "pick(cup)")],
        ["pick(cup)"],
    ),
    "sabotage": lambda: played(
        fetch(category="mixed", private={"ben": "held(cup, ben)"}),
        WORLD,
        ["navigate(study)", TELLS],
        [*placing("table2"), "pick(cup)"],
    ),
    "disclosure": lambda: played(
        fetch(**talking("intent"), private={"ann": "at(ann, study)"}),
        WORLD,
        [says(ANN, BEN, "intent", "navigate(study)")],
    ),
    "disclosure, by a request": lambda: played(
        fetch(**talking("request"), private={"ann": "held(cup, ben)"}),
        WORLD,
        [says(ANN, BEN, "request", "ben", "pick(cup)")],
    ),
    "disclosure, as a fact": lambda: played(  # only what the shared goal speaks of can be told as one
        fetch(**talking("fact"), private={"ann": "on(cup, table1)"}), WORLD, [says(ANN, BEN, "fact", "on(cup, table1)")]
    ),
    "spiral": lambda: played(fetch(**talking("ack")), WORLD, [says(ANN, BEN, "ack", "ben")] * 2),
    "deadlock": lambda: played(fetch(**talking("ack", budget=1)), WORLD, [says(ANN, BEN, "ack", "ben")]),
    "repetition": lambda: played(fetch(), WORLD, [], ["place(cup, on, table1)"] * 3),
    "decoupling": lambda: played(
        fetch(wishes=[{"chain": ["ben"], "about": "target"}]), WORLD, ["navigate(study)", TELLS]
    ),
}


def labels(name: str) -> tuple[str, ...]:
    return failures(analyse(RUNS[name]()))


@pytest.mark.parametrize("name", [name for name in RUNS if name != "none"])
def test_each_label_has_its_run(name: str) -> None:
    assert name.partition(",")[0] in labels(name)


def test_every_label_is_tried() -> None:
    assert {name.partition(",")[0] for name in RUNS} == {*LABELS, "none"}


def test_a_run_in_which_all_goes_well_has_no_label() -> None:
    assert labels("none") == ()


def test_labels_are_apart() -> None:
    """What is wrong with a run is that, and not everything."""
    assert labels("guess") == ("guess",)
    assert labels("withholding, nobody acts") == ("withholding",)
    assert labels("chain breakdown") == ("chain breakdown", "guess")
    assert labels("misallocated message") == ("misallocated message", "guess")
    assert labels("sabotage") == ("sabotage",)
    assert labels("decoupling") == ("deadlock", "decoupling")
    assert labels("repetition") == ("repetition",)


def test_a_message_that_is_not_spared_is_not_withheld() -> None:
    """Ann tells the one who lacks it, in time: nothing is withheld, though he does something else."""
    run = played(fetch(), WORLD, ["navigate(study)", TELLS], placing("table1", wait=1))
    assert "withholding" not in failures(analyse(run))


@pytest.mark.parametrize(("turn", "is_withheld"), [(1, True), (2, False)])
def test_what_would_have_come_too_late_was_not_withheld(turn: int, is_withheld: bool) -> None:
    """Ben decides in turn 3, the last. What Ann reads in turn 1 she can tell in time; what she reads in turn 2, not."""
    reads: list[Act] = [*[WAIT] * (turn - 1), "navigate(study)"]
    run = played(fetch(horizon=3), WORLD, reads, placing("table1"))
    assert ("withholding" in failures(analyse(run))) is is_withheld
    spoken = played(fetch(horizon=3), WORLD, [*reads, TELLS], placing("table1"))
    assert "withholding" not in failures(analyse(spoken))


def test_a_message_is_misallocated_only_if_who_lacks_it_could_be_told() -> None:
    """Ann spends her message on Ben, who knows it already. Cleo lacks hers, and is within Ann's reach or is not."""
    tells = says(ANN, BEN, "value", "for_ben", "ben1")
    for reach, is_wasted in ((["ben", "cleo"], True), (["ben"], False)):
        talk = {"channels": {"ann": reach}, "budgets": {"ann": 1}}
        run = played(memo(talk=talk), (0, 0, 0), [WAIT, tells], [WAIT, WAIT, "toggle(ben1)"])
        assert ("misallocated message" in failures(analyse(run))) is is_wasted


def test_who_cannot_be_told_is_not_withheld_from() -> None:
    run = played(fetch(budget=0), WORLD, ["navigate(study)"], placing("table1", wait=1))
    assert "withholding" not in failures(analyse(run))


def test_a_lever_pulled_by_who_knows_that_the_others_know_breaks_no_chain() -> None:
    run = played(chain(), known("ann"), ["toggle(lever_a)"], ["toggle(lever_b)"], ["toggle(lamp1)"])
    assert failures(analyse(run)) == ()
    hoped = played(chain(), known("ben"), ["toggle(lever_a)"], ["toggle(lever_b)"], ["toggle(lamp1)"])
    assert failures(analyse(hoped)) == ("guess",)  # it went well, by luck


def test_a_goal_of_ones_own_that_breaks_nothing_is_no_sabotage() -> None:
    task = fetch(category="mixed", private={"ben": "at(ben, hall)"})
    run = played(task, WORLD, ["navigate(study)", TELLS], [*placing("table1"), "navigate(hall)"])
    assert "sabotage" in failures(analyse(run))  # he put it on the wrong table
    waits = played(task, WORLD, ["navigate(study)", TELLS], [])
    assert "sabotage" not in failures(analyse(waits))


def linked(*seats: list[Act], world: tuple[str, str] = ("yellow", "witnessed")) -> tuple[str, ...]:
    """Leo's lever calls for Vik's, and Vik's for Hana's right switch, of which no message tells."""
    task = read_task(find_task("two_links-1"))
    values = zip(task.secrets, world, strict=True)
    return failures(analyse(played(task, tuple(secret.values.index(value) for secret, value in values), *seats)))


def test_that_somebody_knows_a_secret_can_be_withheld() -> None:
    """Leo relies on Vik only if he hears that Vik knows that Hana knows."""
    tells = says(1, 0, "knows", "hana", "right")
    assert "withholding" in linked()
    assert "withholding" not in linked([], [tells])


def test_a_message_spared_until_it_is_too_late_is_withheld_whatever_becomes_of_it() -> None:
    task = fetch(talk={"kinds": ["value", "knows"]})
    other = says(ANN, BEN, "knows", "ann", "target")
    late = played(task, WORLD, ["navigate(study)", WAIT, WAIT, WAIT, other], placing("table1", wait=1))
    assert "withholding" in failures(analyse(late))


def test_a_lie_is_neither_withheld_nor_told_late_but_a_guess() -> None:
    lie = says(ANN, BEN, "value", "target", "table1")
    found = failures(analyse(played(fetch(), WORLD, ["navigate(study)", WAIT, lie], placing("table1", wait=1))))
    assert "withholding" not in found
    assert "guess" in found


def test_who_pulls_a_lever_relies_on_what_must_follow_even_if_nothing_had_to_before() -> None:
    """Before the lever is pulled any of Hana's switches will do; after it, only the right one."""
    pulls: list[Act] = [WAIT, "toggle(vik_lever)"]
    assert {"chain breakdown", "guess"} <= set(linked([], pulls, world=("yellow", "delivered")))
    assert not {"chain breakdown", "guess"} & set(linked([], pulls))  # he knows that she knows


def test_who_errs_relies_on_nobody() -> None:
    task = read_task(find_task("informed-1"))
    world = (0, 1, 0)  # white, two, Otto
    found = failures(analyse(played(task, world, [], [WAIT, "toggle(otto_black_two)"])))
    assert "guess" in found
    assert "chain breakdown" not in found


@pytest.mark.parametrize(
    ("name", "world", "secret", "useless", "useful"),
    [
        ("informed-2", (2, 0, 1), "colour", 1, 2),  # June lacks the code, which Tess knows
        ("trusted-1", (0, 1, 2), "colour", 1, 2),  # Leo does not know that Vik knows the code, and Zoe does
        ("able-2", (2, 0), "colour", 2, 3),  # June never gets hold of the candle, and Sam does
    ],
)
def test_a_value_is_wasted_on_who_lacks_something_else(
    name: str, world: tuple[int, ...], secret: str, useless: int, useful: int
) -> None:
    task = read_task(find_task(name))
    value = task.secrets[task.secret(secret)].values[world[task.secret(secret)]]
    for to, is_wasted in ((useless, True), (useful, False)):
        found = failures(analyse(played(task, world, [says(0, to, "value", secret, value)])))
        assert {label in found for label in ("misallocated message", "guess")} == {is_wasted}


def test_a_lie_gives_no_value_away() -> None:
    """Ben, who would like to hold the cup, lacks nothing but the value, which he is not told."""
    task = fetch(category="mixed", private={"ben": "held(cup, ben)"})
    told = played(task, WORLD, [says(ANN, BEN, "value", "target", "table1")])
    assert "disclosure" not in failures(analyse(told))
