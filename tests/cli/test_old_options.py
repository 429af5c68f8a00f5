"""Options under their old names: the error says what the command at hand calls them now."""

from __future__ import annotations

import sys

import pytest

from otherminds.cli.main import main
from otherminds.cli.old_options import new_names, new_spelling

ADVICE = {
    "generate tomi --preset hard": "; pass it as the argument SOURCE instead",
    "play tomi --preset hard": "; it is now --set preset=NAME",
    "train tomi --reader x": "; it is now --model NAME",
    "evaluate tomi --reader x": "; pass minds as arguments instead: otherminds evaluate WORLD MIND…",
    "audit tomi --items x": "; pass it as the argument SOURCE instead",
    "play enacttom --team greedy": "; it is now --mind NAME",
    "play enacttom --task cup": "; it is now --set task=NAME",
    "play decrypto --players glove": "; it is now --mind NAME for all seats and --seat SEAT=NAME for one",
    "evaluate tomi x --contamination": "; it is now otherminds audit contamination MODEL",
    "figure decrypto --bank x": "",
}


@pytest.mark.parametrize(("words", "advice"), ADVICE.items())
def test_an_old_option_is_answered_with_what_the_command_accepts(
    words: str, advice: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "argv", ["otherminds", *words.split()])
    with pytest.raises(SystemExit):
        main()
    option = next(word for word in words.split() if word.startswith("--"))
    assert capsys.readouterr().err.strip() == f"error: there is no option {option!r}{advice}"


@pytest.mark.parametrize("option", list(new_names()))
def test_nothing_is_advised_that_is_not_accepted(option: str) -> None:
    assert new_spelling(option, None, ["--json"]) in ("", f"; it is now {new_names()[option]}")
    assert "--" not in new_spelling(option, None, ["--json"]).partition("FILE")[0]


def test_an_option_that_never_was_is_answered_with_the_nearest() -> None:
    assert "--seed" in new_spelling("--sed", ["--seed", "--out"], ["--seed", "--out"])
    assert "it is now" not in new_spelling("--size-of-set", ["--seed"], ["--seed"])
