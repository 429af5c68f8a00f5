"""Keys stay out of what is written, and nothing else is touched."""

from __future__ import annotations

import pytest

from otherminds.core.secrets import HIDDEN, redact


def test_keys_are_hidden_wherever_they_stand(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SOME_API_KEY", "sk-1234567890")
    monkeypatch.setenv("HF_TOKEN", "hf_AbCdEfGh")
    found = redact({"text": "refused sk-1234567890", "parts": ["hf_AbCdEfGh", 7, ("x",)]})
    assert found == {"text": f"refused {HIDDEN}", "parts": [HIDDEN, 7, ("x",)]}


@pytest.mark.parametrize(
    ("name", "value"),
    [("KEYMAP", "household-7"), ("MONKEY", "bananas-12"), ("MY_TOKEN", "container"), ("A_KEY", "short")],
)
def test_ordinary_words_and_names_are_left_alone(name: str, value: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(name, value)
    record = {value: [f"the {value}"]}
    assert redact(record) == record
