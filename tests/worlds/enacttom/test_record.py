"""Records are not trusted: what is damaged is refused in a line, and what was tampered with is noticed."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from otherminds.core.episodes import Episode, EpisodeWriter, read_episodes
from otherminds.core.errors import UserError
from otherminds.core.seeds import Draw
from otherminds.worlds.enacttom.evals.scores import score_records, summary
from otherminds.worlds.enacttom.view.page import episode_page
from otherminds.worlds.enacttom.world import EnactToM
from tests.worlds.enacttom.houses import fetch
from tests.worlds.enacttom.playing import play


@pytest.fixture(scope="module")
def lines(tmp_path_factory: pytest.TempPathFactory) -> list[dict[str, Any]]:
    task = fetch(wishes=[{"chain": ["ben"], "about": "target"}])
    episode = play(task, (1,), "oracle", probes=True)
    episode.notes = {"team": "oracle", "run": 0, "tries": 1, "depth": 1, "grade": "solvable", "split": "other"}
    path = tmp_path_factory.mktemp("runs") / "run.jsonl"
    writer = EpisodeWriter(path)
    writer.whole(episode)
    writer.close()
    return [json.loads(line) for line in path.read_text().splitlines()]


def spoilt(lines: list[dict[str, Any]], path: Path, spoil: Callable[[Any], Any]) -> Path:
    changed = json.loads(json.dumps(lines))
    spoil(changed)
    path.write_text("\n".join(map(json.dumps, changed)) + "\n")
    return path


def _probe(lines: Any) -> Any:
    return next(line["probes"][0] for line in lines if line.get("probes"))


def _other(lines: Any) -> None:
    probe = _probe(lines)
    probe["expected"] = next(option for option in probe["options"] if option != probe["expected"])


@pytest.mark.parametrize(
    ("spoil", "message"),
    [
        (
            lambda x: x[1].update(refused=["no", ""]),
            "turn 1: refused is ['no', '']; according to its replies it is ['', '']",
        ),
        (lambda x: x[1].update(turn=7), "turn 1: turn is 7; according to its replies it is 1"),
        (lambda x: x[-1].update(progress=0.25), "end: progress is 0.25; according to its replies it is 1"),
        (_other, "expected is"),
        (lambda x: _probe(x).update(is_needed=not _probe(x)["is_needed"]), "is_needed is"),
        (lambda x: _probe(x).update(is_scored=False), "is_scored is False; according to its replies it is True"),
        (lambda x: x[-1]["wishes"][0].update(is_reached=False), "wishes[0].is_reached is False"),
        (lambda x: x[-1]["wishes"][0].update(expected="x"), "wishes[0].expected is 'x'"),
        (lambda x: x[-1]["wishes"].clear(), "has no reply to end/ben/goal-value-target"),
        (lambda x: _probe(x).update(chain=["zoe"]), "chain is ['zoe']"),
        (lambda x: _probe(x).update(seat="zoe"), "seat is 'zoe'"),
        (lambda x: x[-1]["outcome"].update(success=False), "end: outcome.success is"),
        (lambda x: _probe(x).update(asked=9), "asked is 9; according to its replies it is 0"),
        (lambda x: _probe(x).update(options=["yes"]), "options is ['yes']"),
        (lambda x: x[-1].update(probes=3), "probes is 3; expected a list"),
        (lambda x: x[0]["minds"].pop("ben"), "minds is ['oracle']; expected one for each of 2 people"),
        (lambda x: x[0]["notes"].update(run="x"), "notes.run is 'x'; expected a whole number"),
    ],
)
def test_what_does_not_follow_from_the_rules_is_noticed(
    lines: list[dict[str, Any]], tmp_path: Path, spoil: Callable[[Any], Any], message: str
) -> None:
    (episode,) = read_episodes(spoilt(lines, tmp_path / "bad.jsonl", spoil))
    with pytest.raises(UserError) as found:
        EnactToM().replay(episode)
    assert message in str(found.value)


def test_what_follows_is_taken(lines: list[dict[str, Any]], tmp_path: Path) -> None:
    (episode,) = read_episodes(spoilt(lines, tmp_path / "good.jsonl", lambda _: None))
    assert len(EnactToM().replay(episode).states) == len(episode.turns) + 1


def _places(content: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    inner = content.items() if isinstance(content, dict) else enumerate(content) if isinstance(content, list) else ()
    return [path, *(place for key, value in inner for place in _places(value, (*path, key)))]


ODD: list[Any] = [None, [], {}, "", -1, 99, "x", True, 3.5, ["x"], {"x": 1}, [None], [[]]]


def test_damaged_records_are_shown_and_scored_or_refused(lines: list[dict[str, Any]], tmp_path: Path) -> None:
    places = [place for place in _places(lines) if place and "task" not in place]
    cases = [(place, value) for place in places for value in ODD]
    said = []
    for place, value in Draw(0, "damaged records").some(cases, 150):

        def spoil(content: Any, place: tuple[Any, ...] = place, value: Any = value) -> None:
            for key in place[:-1]:
                content = content[key]
            content[place[-1]] = value

        path = spoilt(lines, tmp_path / "bad.jsonl", spoil)
        for use in (_score, episode_page):
            try:
                use(read_episodes(path)[0])
            except UserError as error:
                said.append(str(error))
    assert len(said) > 150
    assert all("\n" not in line for line in said)


def _score(episode: Episode) -> None:
    for team, runs in score_records([episode]).items():
        json.dumps(summary(team, runs))
