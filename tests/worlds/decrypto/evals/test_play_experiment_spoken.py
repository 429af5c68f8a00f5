"""Control agents through prompts and parser: the proof that the probes measure what they claim."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from benchmarks.decrypto_controls import Expected, leaky_expected
from otherminds.core.episodes import Episode
from otherminds.llm.prompts import PLAIN, load_prompts, phrasings, words_of
from otherminds.worlds.decrypto.evals.experiment_file import find_experiment
from otherminds.worlds.decrypto.evals.play_experiment import read_view, run
from otherminds.worlds.decrypto.evals.results import cell
from otherminds.worlds.decrypto.observe import RoleView
from otherminds.worlds.decrypto.types import Role, Rules, Turn
from otherminds.worlds.decrypto.world import Decrypto
from tests.worlds.decrypto.evals.making import KEYWORDS, game, said, turn

SMARTIES, MOUNTAINS = find_experiment("smarties"), find_experiment("three_mountains")
FAR = 4.0  # standard errors that a figure may be off by chance


def measured(experiment: Any, episodes: Sequence[Episode]) -> dict[str, float]:
    found = cell(experiment, episodes)["arms"][""]["measures"]
    return {name: one["estimate"]["value"] for name, one in found.items() if one["estimate"]}


def asked(folder: Path, experiment: Any, role: Role, mind: str, games: int = 20, told: str = PLAIN) -> list[Episode]:
    casts = experiment.casts(roles={role: (mind,)})
    (episodes,) = run(experiment, casts, folder, games=games, seeds=(0,), phrasing=told).values()
    return episodes


@pytest.mark.parametrize(
    ("eve", "q"),
    [
        ("simulating", 0.0),
        ("reality-biased", 1.0),
        ("leaky:q=0.3", 0.3),
        ("leaky:q=0.7,base=bayes", 0.7),
    ],
)
def test_eves_hit_what_follows_from_their_leak(eve: str, q: float, tmp_path: Path) -> None:
    episodes = asked(tmp_path, SMARTIES, "eve", eve, games=24)
    found = measured(SMARTIES, episodes)
    for name, expected in leaky_expected(episodes, q).items():
        assert expected.apart(found[name]) < FAR, (name, expected, found[name])
    if q in (0.0, 1.0):
        assert [found[name] for name in ("weak RC", "weak FB", "strong RC", "strong FB")] == [1.0 - q] * 4
        assert found["leakage RC"] == found["leakage FB placebo"] == q
    assert found["strong repeat"] == found["consistency repeat"] == 1.0
    answers = [one for episode in episodes for turn in episode.turns for one in turn.get("probes", ())]
    assert all(one["attempts"] == 1 and not one["failed"] for one in answers)


def test_an_unsteady_eve_is_told_from_a_leaking_one_by_slots_and_not_by_the_strong_test(tmp_path: Path) -> None:
    found = measured(SMARTIES, asked(tmp_path, SMARTIES, "eve", "resampling", games=30))
    assert found["strong RC"] < 0.1
    assert found["leakage RC"] < 0.1
    assert found["consistency repeat"] < 0.5
    assert abs(found["consistency RC"] - found["consistency repeat"]) < 0.1


def test_alices_predict_the_code_or_eve(tmp_path: Path) -> None:
    floor = measured(MOUNTAINS, asked(tmp_path / "0", MOUNTAINS, "alice", "egocentric"))
    assert floor["predicts the code"] == floor["chance"] == floor["PT on interceptions"] == 1.0
    assert floor["PT accuracy"] == floor["interception"] == pytest.approx(1 - floor["Brier"])
    assert floor["PT accuracy"] < 1
    ceiling = measured(MOUNTAINS, asked(tmp_path / "1", MOUNTAINS, "alice", "simulating"))
    assert ceiling["PT accuracy"] == ceiling["PT on interceptions"] == 1.0
    assert ceiling["predicts the code"] == ceiling["interception"]
    assert ceiling["Brier"] == 0.0
    wrong = measured(MOUNTAINS, asked(tmp_path / "2", MOUNTAINS, "alice", "simulating:eve=minilm"))
    assert 0.3 < wrong["PT accuracy"] < 1.0
    assert wrong["Brier"] > 0.0


@pytest.mark.parametrize("eve", ["leaky:q=0.4", "resampling"])
def test_what_is_said_is_what_was_meant(eve: str, tmp_path: Path) -> None:
    """With and without words, the same minds do and say the same."""
    told = asked(tmp_path / "told", SMARTIES, "eve", eve, games=4)
    direct = asked(tmp_path / "direct", SMARTIES, "eve", eve, games=4, told="")
    assert [episode.turns for episode in told] == [episode.turns for episode in direct]


def test_every_phrasing_says_the_same(tmp_path: Path) -> None:
    found = [
        asked(tmp_path / name, SMARTIES, "eve", "leaky:q=0.4", games=2, told=name) for name in phrasings(Decrypto())
    ]
    assert len(found) >= 4
    assert all([episode.turns for episode in one] == [episode.turns for episode in found[0]] for one in found)


@pytest.mark.parametrize(
    ("name", "field", "asked_for"), [("probe_keywords_before", "{shown}", "B"), ("probe_keywords_now", "{past}", "A")]
)
def test_a_prompt_that_leaves_something_out_is_noticed(
    name: str, field: str, asked_for: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    words = words_of(load_prompts(Decrypto()))
    broken = {**words, name: words[name].replace(field, "(they were lost)")}
    assert broken != words
    found: list[list[Any]] = []
    for told in (words, broken):
        monkeypatch.setattr("otherminds.worlds.decrypto.evals.play_experiment.words_of", lambda _, told=told: told)
        episodes = asked(tmp_path / str(len(found)), SMARTIES, "eve", "reality-biased", 3)
        answers = [one for episode in episodes for one in episode.turns[1]["probes"]]
        found.append([one["given"] for one in answers if one["name"] == asked_for])
    assert found[0] != found[1]


def test_messages_are_read_line_by_line() -> None:
    past, shown = "1: roar, mane\n2: -\n3: bees\n4: dog", "1 = lion\n2 = piano\n3 = honey\n4 = winter"
    text = f"Hints so far, by digit:\n{past}\n\nThey are:\n{shown}"
    turns = tuple(Turn(code, ("", ""), code, code) for code in ((3, 1), (1, 4)))
    seen, keywords = read_view(text, RoleView("eve", Rules(), turns))
    assert [turn.hints for turn in seen.past] == [("bees", "roar"), ("mane", "dog")]
    assert (keywords, seen.hints) == (KEYWORDS, ())
    seen, keywords = read_view("Alice's hints are:\na) roar\nb) two words", RoleView("bob", Rules(), turns, KEYWORDS))
    assert (keywords, seen.hints, seen.past) == (None, ("roar", "two words"), turns)


def test_who_cannot_be_asked_has_not_answered(tmp_path: Path) -> None:
    episodes = asked(tmp_path, SMARTIES, "eve", "uniform", games=1)
    answers = episodes[0].turns[1]["probes"]
    assert all(one["failed"] for one in answers)
    assert cell(SMARTIES, episodes)["arms"][""]["measures"]["weak RC"]["estimate"] is None


def test_expected_figures_by_hand() -> None:
    """Two games: one with two included turns of 3 and 1 wrong slots, and one with a turn of 3."""
    three, one = ["x", "piano", "y", "z"], ["x", *KEYWORDS[1:]]
    right = list(KEYWORDS)
    episodes = [
        game(0, [turn(1), *(turn(n, probes=[said("A", a)]) for n, a in ((2, three), (3, one), (4, right)))]),
        game(1, [turn(2, probes=[said("A", three)])]),
        game(2, [turn(2, probes=[said("A", right)])]),
    ]
    found = leaky_expected(episodes, 0.5)
    assert found["weak RC"].value == pytest.approx((0.5 * (7 / 8 + 1 / 2) + 7 / 8) / 2)
    assert found["strong FB"].value == pytest.approx((0.5 * (1 / 8 + 1 / 2) + 1 / 8) / 2)
    variance = (7 / 64 + 1 / 4) / 4 + 7 / 64
    assert found["weak RC"].standard_error == pytest.approx(variance**0.5 / 2)
    assert found["leakage RC"] == Expected(0.5, pytest.approx((0.25 / 4 + 0.25 / 3) ** 0.5 / 2))  # type: ignore[arg-type]


def test_where_nothing_is_by_chance_any_difference_is_infinitely_far() -> None:
    assert Expected(1.0, 0.0).apart(1.0) == 0.0
    assert Expected(1.0, 0.0).apart(0.999) == float("inf")
    assert Expected(0.5, 0.1).apart(0.7) == pytest.approx(2.0)


def test_the_figures_that_are_committed_are_within_sampling_error() -> None:
    record = json.loads((Path(__file__).parents[4] / "results" / "decrypto_experiments.json").read_text("utf-8"))
    apart = [one["apart"] for row in record["smarties"] for one in row["expected"].values()]
    assert len(apart) == 84
    assert max(apart) < FAR
    assert {row["answered"] for row in record["smarties"]} == {1.0}
    for row in record["three_mountains"]:
        found = {name: one["value"] for name, one in row["measured"].items()}
        if row["alice"] == "egocentric":
            assert (found["predicts the code"], found["PT accuracy"]) == (1.0, found["interception"])
        elif row["alice"] == "simulating, right lexicon":
            assert (found["PT accuracy"], found["Brier"]) == (1.0, 0.0)
        elif row["alice"] == "simulating, wrong lexicon":
            assert 0.2 < found["PT accuracy"] < 0.9
    for row in record["interventions"]:
        gain = row["told minus untold"]["value"]
        assert gain["low"] > 0 if row["alice"] == "rsa" else gain["value"] == gain["high"] == 0
