"""Minds by name: what is listed can be used, options come from signatures, and mistakes are named."""

from __future__ import annotations

import sys
from contextlib import suppress
from pathlib import Path

import pytest

import otherminds
from otherminds.core.errors import UserError
from otherminds.core.mind import BaseMind, Reply
from otherminds.core.registry import Entry, entries, register
from otherminds.core.world import Ask
from otherminds.minds.find import find_mind, is_spoken, minds_for
from otherminds.minds.specs import split_spec

WORLDS = ("symmtom-v0", "tomi-v0", "decrypto-v0", "enacttom-v0")


class Patient(BaseMind):
    """A mind with options of every kind."""

    name = "patient"

    def __init__(self, turns: int = 1, share: float = 0.5, is_loud: bool = False, word: str = "") -> None:
        self.options = (turns, share, is_loud, word)

    def reply(self, ask: Ask) -> Reply:
        return Reply(ask.form.example())


@pytest.fixture(autouse=True)
def _patient() -> None:
    register(Entry("mind", "patient", f"{__name__}:Patient", "for tests", world="decrypto"))
    sys.modules.setdefault(__name__, sys.modules[Patient.__module__])


@pytest.mark.parametrize("name", WORLDS)
def test_every_mind_that_is_listed_can_be_made(name: str) -> None:
    world = otherminds.make(name)
    for entry in entries("mind", name):
        if entry.name in ("recorded", "likelihood"):  # they need a file, or a model
            continue
        made = 0
        for seat in world.seats:
            with suppress(UserError):  # some can fill certain seats only
                find_mind(entry.name, world, seat)
                made += 1
        assert made, f"{entry.name} can fill no seat of {name}"


def test_options_come_from_the_signature() -> None:
    world = otherminds.make("decrypto-v0")
    mind = find_mind("patient:turns=3,share=0.25,is_loud=true,word=a", world, "bob")
    assert mind.options == (3, 0.25, True, "a")  # type: ignore[attr-defined]
    assert mind.name == "patient:turns=3,share=0.25,is_loud=true,word=a"


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("patiant", "there is no mind 'patiant' in decrypto; did you mean 'patient'?"),
        ("patient:turn=3", "mind 'patient' has no option 'turn'; did you mean 'turns'?"),
        ("patient:turns=many", "option 'turns' of mind 'patient' is 'many'; expected a whole number"),
        ("patient:share=nan", "expected a number"),
        ("patient:is_loud=yes", "expected true or false"),
        ("patient:turns=3,loud", "option 'loud' of mind 'patient' has no value; write it as name=value"),
        ("recorded", "'recorded' needs a file; write recorded:FILE"),
        ("recorded:nowhere.jsonl", "cannot read"),
    ],
)
def test_mistakes_say_what_was_found_and_expected(spec: str, message: str) -> None:
    with pytest.raises(UserError) as refused:
        find_mind(spec, otherminds.make("decrypto-v0"), "bob")
    assert message in str(refused.value)


def test_known_minds_are_listed_once() -> None:
    with pytest.raises(UserError, match="expected one of random, ") as refused:
        find_mind("xyzzy", otherminds.make("symmtom-v0"))
    known = str(refused.value).partition("expected one of ")[2].split(", ")
    assert len(known) == len(set(known))


def test_names_of_language_models_may_hold_colons() -> None:
    world = otherminds.make("decrypto-v0")
    assert split_spec("ollama/llama3:8b", world) == ("ollama/llama3:8b", "")
    assert split_spec("ollama/llama3:8b:method=notes", world) == ("ollama/llama3:8b", "method=notes")
    assert split_spec("local:model.gguf", world) == ("local:model.gguf", "")
    assert split_spec("rsa:lam=4", world) == ("rsa", "lam=4")
    assert is_spoken("openai/gpt-5:method=notes", world)
    assert is_spoken("local", world)
    assert not is_spoken("rsa:lam=4", world)


def test_seats_share_a_policy_and_nothing_else(tmp_path: Path) -> None:
    world = otherminds.make("symmtom-v0")
    shared = minds_for(world, dict.fromkeys(world.seats, "heuristic"))
    assert len(set(map(id, shared.values()))) == 1
    apart = minds_for(world, dict.fromkeys(world.seats, "random"))
    assert len(set(map(id, apart.values()))) in (1, len(world.seats))
