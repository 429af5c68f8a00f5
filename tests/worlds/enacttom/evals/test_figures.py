"""Figures of household teams show the shares that the scores give."""

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from otherminds.cli.main import make_app
from otherminds.core.episodes import Episode
from otherminds.core.errors import UserError
from otherminds.worlds.enacttom.evals.figures import by_depth, functional_literal
from otherminds.worlds.enacttom.evals.scores import score_records, shares
from otherminds.worlds.enacttom.tasks.suite import Entry
from otherminds.worlds.enacttom.verify.certify import Certificate
from tests.worlds.enacttom.evals.making import run_minds
from tests.worlds.enacttom.houses import fetch

pytest.importorskip("matplotlib")
ENTRY = Entry(fetch(), Certificate("solvable", depth=1), fetch().worlds)


def runs(folder: Path | None = None) -> list[Episode]:
    return [one for mind in ("greedy", "random") for mine in run_minds(ENTRY, mind, folder).values() for one in mine]


def test_what_is_drawn_are_the_scores(tmp_path: Path) -> None:
    teams = score_records(runs())
    for draw in (functional_literal, by_depth):
        path = tmp_path / f"{draw.__name__}.svg"
        drawn = draw(teams, path)
        assert set(drawn) == {"greedy", "random"}
        assert path.read_text().lstrip().startswith("<?xml")
    assert by_depth(teams, tmp_path / "a.png")["greedy"]["1"]["sweep"] == shares(teams["greedy"])["sweep"]._asdict()  # type: ignore[union-attr]
    literal = functional_literal(teams, tmp_path / "b.png")["greedy"]["literal"]
    assert literal == shares(teams["greedy"])["literal"]._asdict()  # type: ignore[union-attr]


def test_runs_in_which_nobody_was_asked_have_no_such_figure(tmp_path: Path) -> None:
    silent = [
        Episode(
            **{
                **vars(one),
                "end": {**one.end, "probes": []},
                "turns": [{**turn, "probes": []} for turn in one.turns],
            }
        )
        for one in runs()
        if one.end
    ]
    with pytest.raises(UserError, match="have no probes"):
        functional_literal(score_records(silent), tmp_path / "a.png")


def test_episodes_outside_a_suite_have_no_figure_by_depth(tmp_path: Path) -> None:
    for episode in (episodes := runs()):
        episode.notes.pop("depth")
    with pytest.raises(UserError, match=r"do not record the proved depth .* --suite standard"):
        by_depth(score_records(episodes), tmp_path / "a.png")


def test_the_command_draws_from_records(tmp_path: Path) -> None:
    runs(tmp_path)
    out = tmp_path / "depth.png"
    done = CliRunner().invoke(make_app(), ["figure", "enacttom", "depth", str(tmp_path), "--out", str(out), "--json"])
    assert json.loads(done.output)["drawn"]["greedy"]["1"]["functional"]["cases"] == 3
    assert out.stat().st_size > 1000
    wrong = CliRunner().invoke(make_app(), ["figure", "enacttom", "width", str(tmp_path)])
    assert "EnactToM has no figure 'width'" in str(wrong.exception)
