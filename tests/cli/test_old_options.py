"""Options under their old names: the error says what they are called now."""

from __future__ import annotations

import pytest

from otherminds.cli.old_options import _NEW, new_spelling

GONE = {
    "--contamination": "audit contamination MODEL",
    "--limit": "--episodes",
    "--order": "--set asked_order=",
    "--probe-turns": "--set probes=",
    "--reader": "--mind",
    "--sampled": "RUN:greedy=false",
    "--greedy": "RUN:greedy=true",
    "--ways": "--set ways=",
    "--conventions": "--set conventions=",
    "--no-conventions": "--set conventions=false",
    "--items": "--set items=",
    "--split": "--set split=",
    "--containers": "--set containers=",
    "--first": "--seed",
    "--players": "--mind",
}


@pytest.mark.parametrize("option", list(_NEW))
def test_every_old_option_is_answered_with_the_new_spelling(option: str) -> None:
    assert new_spelling(option, ["--seed"]) == f"; it is now {_NEW[option]}"


@pytest.mark.parametrize(("option", "now"), GONE.items())
def test_the_new_spelling_is_the_one_that_works(option: str, now: str) -> None:
    assert now in new_spelling(option, None)


def test_an_option_that_never_was_is_answered_with_the_nearest() -> None:
    assert "--seed" in new_spelling("--sed", ["--seed", "--out"])
    assert "it is now" not in new_spelling("--size-of-set", ["--seed"])
