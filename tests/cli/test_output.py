"""Progress of commands."""

from __future__ import annotations

import pytest

from otherminds.cli import output


def test_progress_is_a_line_now_and_then_where_there_is_no_terminal(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    now = iter([0.0, 4.0, 11.0, 11.0, 12.0, 22.0, 22.0])
    monkeypatch.setattr(output, "monotonic", lambda: next(now))
    with output.progress("playing", 4) as advance:
        for name in ("a", "b", "c", "d"):
            advance(name)
    shown = capsys.readouterr()
    assert shown.err == "playing b (2 of 4)\nplaying d (4 of 4)\n"
    assert not shown.out


def test_hidden_progress_prints_nothing(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    now = iter(range(0, 1000, 100))
    monkeypatch.setattr(output, "monotonic", lambda: next(now))
    with output.progress("playing", 1, hidden=True) as advance:
        advance()
    assert not capsys.readouterr().err
