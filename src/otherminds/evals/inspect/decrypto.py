"""Decrypto as an Inspect task: every game one sample, a model or a player of ours in each role.

Models take the roles ``alice``, ``bob`` and ``eve`` of Inspect (``--model-role eve=…``); a role without a model of its
own has the model that is evaluated. The record of each game is in the sample's store, line by line as in a file.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, replace
from hashlib import sha256
from pathlib import Path
from typing import Any

from inspect_ai import Task, task
from inspect_ai.dataset import MemoryDataset, Sample

from otherminds.core.errors import UserError
from otherminds.evals.inspect.decrypto_play import FORMS, LANGUAGE, game_score, play_game
from otherminds.evals.inspect.decrypto_words import PLAIN, VERSION, load_words
from otherminds.evals.inspect.templates import Prompt, hashes
from otherminds.players.decrypto.find import find_seat
from otherminds.players.decrypto.match import ATTEMPTS
from otherminds.players.decrypto.stored import RECORDED, read_games
from otherminds.worlds.decrypto.types import ROLES, Rules
from otherminds.worlds.decrypto.world import Decrypto

GAMES, TIMEOUT = 32, 120
MIXED = "mixed"


@task
def decrypto(
    alice: str = LANGUAGE,
    bob: str = LANGUAGE,
    eve: str = LANGUAGE,
    games: int = GAMES,
    seed: int = 0,
    kind: str = "all",
    bank: str | None = None,
    experiment: str = "",
    arm: str = "",
    replay: str | None = None,
    phrasing: str = PLAIN,
    prompts: str = VERSION,
    form: str = "auto",
    attempts: int = ATTEMPTS,
    timeout: int = TIMEOUT,
    hints: str = "report",
    guesses: str = "strict",
) -> Task:
    """Hints that a partner understands and a listener does not: does a model know what each of them knows?

    Args:
        alice: who gives hints: ``model`` for the language model of that role, or a player of ours by name.
        bob: who guesses with the keywords before him.
        eve: who listens.
        games: how many; the same seeds give the same keywords and codes to whoever plays.
        seed: of the first game; each further one has the next.
        kind: of the keywords: all, concrete, abstract, or several by commas, each with all the games.
        bank: a file of keywords instead of ours.
        experiment: asks questions on the side and intervenes, such as smarties, three_mountains or hide; or a file.
        arm: of the experiment; all of them if it is not said.
        replay: a file of games that were played; roles called ``recorded`` do what was done.
        phrasing: of the rules and of Alice's and Bob's roles; Eve's never changes.
        prompts: version of the prompts.
        form: free for replies in words, schema for structured output, auto for what suits the model.
        attempts: before a default stands for an answer.
        timeout: seconds after which a call costs an attempt; 0 for none.
        hints: off, report or strict.
        guesses: lenient or strict.
    """
    _check(games, attempts, timeout, form)
    seats = {"alice": alice, "bob": bob, "eve": eve}
    words = load_words(phrasing, prompts)
    rules = Rules(hints=hints, guesses=guesses)  # type: ignore[arg-type]  # it checks them
    if replay:
        samples = _replays(replay, seats, experiment)
    else:
        _check_seats(seats, (LANGUAGE,))
        played, arms = _experiment(experiment, arm, rules)
        kinds = list(dict.fromkeys(name.strip() for name in kind.split(",") if name.strip()))
        if not kinds:
            raise UserError(f"kind is {kind!r}; expected all, concrete, abstract, or several by commas")
        samples = [
            _game(
                Decrypto(bank, one, **asdict(played)), bank, one, seed + number, seats, experiment, name, len(arms) > 1
            )
            for one in kinds
            for number in range(games)
            for name in arms
        ]
    told = {name: prompt.text for name, prompt in words.items()}
    return Task(
        dataset=MemoryDataset(samples, name="decrypto"),
        solver=play_game(told, attempts, timeout or None, form),
        scorer=game_score(),
        version=_digest(samples, words, experiment),
        metadata={"prompts": hashes(words.values()), "seats": seats, "experiment": experiment},
    )


def _game(
    world: Decrypto,
    bank: str | None,
    kind: str,
    seed: int,
    seats: dict[str, str],
    experiment: str,
    arm: str,
    has_arms: bool,
) -> Sample:
    game = world.deal(seed)
    keywords = game.keywords
    kinds = [world.bank.kinds.get(word, "") for word in keywords]
    name = "-".join(filter(None, ["decrypto", kind if kind != "all" else "", str(seed), arm if has_arms else ""]))
    about: dict[str, Any] = {
        "id": name,
        "seed": seed,
        "kind": kind,
        "bank": str(Path(bank).resolve()) if bank else None,
        "rules": asdict(world.rules),
        "seats": seats,
        "experiment": experiment,
        "arm": arm,
        "has_arms": has_arms,
        "replay": None,
        "content": _content(keywords, game.codes),  # a bank that was edited deals other games
        "keyword_kinds": kinds,
        "keyword_kind": kinds[0] if len(set(kinds)) == 1 else MIXED,
    }
    return Sample(id=name, input=f"A game of Decrypto with seed {seed}: {_who(seats)}.", metadata=about)


def _replays(path: str, seats: dict[str, str], experiment: str) -> list[Sample]:
    _check_seats(seats, (LANGUAGE, RECORDED))
    if experiment:
        raise UserError("games that were played cannot be changed by an experiment; leave out replay or experiment")
    samples = []
    for number, stored in enumerate(read_games(path)):
        about: dict[str, Any] = {
            "id": f"replay-{stored.id}",
            "seed": stored.game.seed,
            "rules": asdict(stored.game.rules) | {"turns": Rules().turns},  # who only ran out of turns has not won
            "seats": seats,
            "experiment": "",
            "arm": "",
            "replay": str(Path(path).resolve()),
            "game": number,
            "content": _content(stored.game.keywords, stored.turns),
            "keyword_kinds": [],
            "keyword_kind": "",
        }
        told = f"The game {stored.id}, replayed: {_who(seats)}."
        samples.append(Sample(id=f"replay-{stored.id}", input=told, metadata=about))
    return samples


def _content(*parts: object) -> str:
    """What a game holds, in a word that gives nothing of it away."""
    return sha256(repr(parts).encode()).hexdigest()[:12]


def _who(seats: dict[str, str]) -> str:
    return ", ".join(f"{player} as {role}" for role, player in seats.items())


def _experiment(name: str, arm: str, rules: Rules) -> tuple[Rules, list[str]]:
    """The rules of an experiment, with what was asked for besides, and the arms to play."""
    if not name:
        if arm:
            raise UserError(f"arm {arm!r} belongs to no experiment; name one")
        return rules, [""]
    from otherminds.evals.decrypto.read import find_experiment
    from otherminds.evals.decrypto.studies import find_study

    found = find_experiment(name)
    if arm:
        find_study(name, arm)
    usual = Rules()
    asked = {field: getattr(rules, field) for field in ("hints", "guesses")}
    changed = {field: value for field, value in asked.items() if value != getattr(usual, field)}
    return replace(found.rules, **changed), [arm] if arm else list(found.arms)


def _check(games: int, attempts: int, timeout: int, form: str) -> None:
    if form not in FORMS:
        raise UserError(f"form {form!r} is not known; expected {', '.join(FORMS)}")
    for name, value, least in (("games", games, 1), ("attempts", attempts, 1), ("timeout", timeout, 0)):
        if value < least:
            raise UserError(f"{name} is {value}; expected at least {least}")


def _check_seats(seats: dict[str, str], also: Sequence[str]) -> None:
    """Refuse who cannot play before anybody does."""
    for role in ROLES:
        if seats[role] == "human":
            raise UserError("a person plays in the terminal: otherminds play decrypto")
        if seats[role] not in also:
            find_seat(seats[role], role)


def _digest(samples: Sequence[Sample], words: dict[str, Prompt], experiment: str) -> str:
    """What is played, in a word: a run is resumed only if nothing of it has changed."""
    text = ""
    if experiment:
        from otherminds.evals.decrypto.read import find_experiment

        text = find_experiment(experiment).text
    whole = [[(sample.id, sample.metadata) for sample in samples], hashes(words.values()), text]
    return sha256(repr(whole).encode()).hexdigest()[:12]
