"""Seats three players at a game, and keeps its record.

Whatever a player does (an exception, nonsense, a broken rule) costs its own turn at most: after some attempts a
default stands for the answer, which is never right, and is counted as a failure apart from skill (spec 2.3).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import Any, Protocol, TypeVar, cast

from otherminds.core.episodes import Episode
from otherminds.players.decrypto.seats import Answering, Seat, Thinking
from otherminds.worlds.decrypto.duel import Duel, is_over, winner
from otherminds.worlds.decrypto.hints import guess_problem, hint_problems
from otherminds.worlds.decrypto.observe import View, view
from otherminds.worlds.decrypto.questions import Answer, Question, answer_problem, no_answer
from otherminds.worlds.decrypto.record import WORLD
from otherminds.worlds.decrypto.rules import ending, reveal
from otherminds.worlds.decrypto.types import NO_DIGIT, NO_HINT, ROLES, Game, Hints, Intervention, Role

ATTEMPTS = 10  # as the original has (spec 2.3)
Found = TypeVar("Found")


@dataclass(frozen=True, slots=True)
class Asked:
    """A question on the side, with the name that its answer is kept by."""

    name: str
    role: Role
    question: Question


class Study(Protocol):
    """What an experiment does to a game while it is played."""

    def interventions(self, game: Game) -> Sequence[Intervention]:
        """Changes to what Eve has seen, before the turn to be played."""

    def before_hints(self, game: Game) -> Sequence[Asked]:
        """What to ask before Alice speaks."""

    def after_hints(self, game: Game, hints: Hints) -> Sequence[Asked]:
        """What to ask when Alice has spoken and nobody has guessed."""


@dataclass
class Tally:
    """How an answer came about."""

    attempts: int = 0
    failed: bool = False
    complaints: list[str] = field(default_factory=list)


def play(
    game: Game,
    seats: Mapping[Role, Seat],
    study: Study | None = None,
    attempts: int = ATTEMPTS,
    on_turn: Callable[[dict[str, Any]], None] | None = None,
) -> tuple[Game, Episode]:
    """Play a game to its end.

    Args:
        game: dealt, with no turn played or some.
        seats: a player for each role; one object may fill several.
        study: asks questions and intervenes.
        attempts: before a default stands for an answer.
        on_turn: is given each turn's record when it is played.
    """
    episode = new_episode(game, seats)
    _begin(game, seats)
    while ending(game) is None:
        if study:
            game = replace(game, interventions=tuple(study.interventions(game)))
        game, turn = _turn(game, seats, study, attempts)
        episode.turns.append(turn)
        if on_turn:
            on_turn(turn)
    episode.end = {"ending": ending(game), "turns": len(game.turns)}
    return game, episode


def play_duel(
    duel: Duel, teams: tuple[Mapping[Role, Seat], Mapping[Role, Seat]], attempts: int = ATTEMPTS
) -> tuple[Duel, tuple[Episode, Episode]]:
    """Play two teams against each other: the Eve of each listens to the other's game.

    Args:
        duel: dealt.
        teams: three players each, none of whom plays for both.
        attempts: before a default stands for an answer.
    """
    tables: list[Mapping[Role, Seat]] = [{**teams[side], "eve": teams[1 - side]["eve"]} for side in (0, 1)]
    games = list(duel.games)
    episodes = [
        replace(new_episode(game, seats), id=f"decrypto-{game.seed}-{side}")
        for game, seats, side in zip(games, tables, ("first", "second"), strict=True)
    ]
    for game, seats in zip(games, tables, strict=True):
        _begin(game, seats)
    while not is_over(Duel((games[0], games[1]))):
        for side in (0, 1):
            games[side], turn = _turn(games[side], tables[side], None, attempts)
            episodes[side].turns.append(turn)
    played = Duel((games[0], games[1]))
    for game, episode in zip(games, episodes, strict=True):
        episode.end = {"ending": ending(game), "turns": len(game.turns), "winner": winner(played)}
    return played, (episodes[0], episodes[1])


def new_episode(game: Game, seats: Mapping[Role, Seat]) -> Episode:
    """The record of a game that is about to begin."""
    return Episode(
        id=f"decrypto-{game.seed}",
        world=WORLD,
        config=asdict(game.rules),
        players=[seats[role].name for role in ROLES],
        seed=game.seed,
        start={"keywords": list(game.keywords), "codes": [list(code) for code in game.codes]},
    )


def _begin(game: Game, seats: Mapping[Role, Seat]) -> None:
    for role in ROLES:
        _safely(lambda role=role: seats[role].begin(role, game.rules, game.seed))  # type: ignore[misc]


def _turn(game: Game, seats: Mapping[Role, Seat], study: Study | None, attempts: int) -> tuple[Game, dict[str, Any]]:
    tallies = {role: Tally() for role in ROLES}
    thoughts: dict[str, Any] = {}
    answers = _ask_all(study.before_hints(game), game, None, seats, attempts) if study else []
    hints = _hints(game, seats["alice"], tallies["alice"], attempts)
    _note(thoughts, "alice", seats["alice"])
    if study:
        answers += _ask_all(study.after_hints(game, hints), game, hints, seats, attempts)
    guesses = {}
    for role in ROLES[1:]:
        guesses[role] = _until(
            lambda seen, role=role: tuple(int(digit) for digit in seats[role].guess(seen)),  # type: ignore[misc]
            view(game, role, hints),
            lambda guess: guess_problem(guess, game.rules),
            (NO_DIGIT,) * game.rules.length,
            tallies[role],
            attempts,
        )
        _note(thoughts, role, seats[role])
    used = [hint for turn in game.turns for hint in turn.hints]
    was_silent = tallies["alice"].failed  # the default that stands for her hints breaks no rule
    broken = [] if game.rules.hints == "off" or was_silent else hint_problems(hints, game.keywords, used)
    changes = game.interventions
    game = reveal(game, hints, guesses["bob"], guesses["eve"])
    turn = game.turns[-1]
    record: dict[str, Any] = {
        "turn": len(game.turns),
        "code": list(turn.code),
        "hints": list(turn.hints),
        "bob": list(turn.bob),
        "eve": list(turn.eve),
        "attempts": {role: tally.attempts for role, tally in tallies.items()},
        "failures": [role for role, tally in tallies.items() if tally.failed],
    }
    complaints = {role: tally.complaints for role, tally in tallies.items() if tally.complaints}
    for name, found in (("problems", broken), ("complaints", complaints), ("answers", answers), ("thoughts", thoughts)):
        if found:
            record[name] = found
    if changes:
        record["interventions"] = [asdict(one) for one in changes]
    return game, record


def _hints(game: Game, alice: Seat, tally: Tally, attempts: int) -> Hints:
    used = [hint for turn in game.turns for hint in turn.hints]

    def wrong(hints: Hints) -> str:
        if len(hints) != game.rules.length or not all(hint.strip() for hint in hints):
            return f"{len(hints)} hints; expected {game.rules.length}, none of them empty"
        return "; ".join(hint_problems(hints, game.keywords, used)) if game.rules.hints == "strict" else ""

    default = (NO_HINT,) * game.rules.length
    return _until(lambda seen: _words(alice.hint(seen)), view(game, "alice"), wrong, default, tally, attempts)


def _words(hints: Any) -> Hints:
    if isinstance(hints, str) or not all(isinstance(hint, str) for hint in hints):
        raise TypeError(f"hints are {hints!r}; expected several words")
    return tuple(hints)


def _until(
    act: Callable[[View], Found],
    seen: View,
    wrong: Callable[[Found], str],
    default: Found,
    tally: Tally,
    attempts: int,
) -> Found:
    """An act that is within the rules, asked for again with the complaint; the default if there is none in the end."""
    while tally.attempts < attempts:
        tally.attempts += 1
        found, complaint = _safely(lambda seen=seen: act(seen))  # type: ignore[misc]
        if found is not None:
            complaint = wrong(found)
            if not complaint:
                return found
        tally.complaints.append(complaint)
        seen = replace(seen, complaint=complaint)
    tally.failed = True
    return default


def _safely(act: Callable[[], Found]) -> tuple[Found | None, str]:
    """What came of it, or what went wrong: a fault of one player must not end a game, let alone a run."""
    try:
        return act(), "there was no answer"
    except Exception as error:
        return None, f"{type(error).__name__}: {error}"


def _ask_all(
    asked: Sequence[Asked], game: Game, hints: Hints | None, seats: Mapping[Role, Seat], attempts: int
) -> list[dict[str, Any]]:
    return [_ask(one, view(game, one.role, hints), seats[one.role], attempts) for one in asked]


def _ask(one: Asked, seen: View, seat: Seat, attempts: int) -> dict[str, Any]:
    """The answer to a question, checked as acts are. Who cannot be asked at all has failed at once."""
    tally, question = Tally(), one.question
    default = no_answer(question, seen.rules)
    if hasattr(seat, "answer"):
        answering = cast(Answering, seat)
        answer = _until(
            lambda now: _plain(answering.answer(now, question)),
            seen,
            lambda found: answer_problem(found, question, seen.rules),
            default,
            tally,
            attempts,
        )
    else:
        answer, tally.failed = default, True
    said = list(answer) if isinstance(answer, tuple) else answer
    kept = {"name": one.name, "role": one.role, "answer": said, "attempts": tally.attempts, "failed": tally.failed}
    shown = {"shown": list(question.shown)} if question.shown else {}
    complaints = {"complaints": tally.complaints} if tally.complaints else {}
    return {**kept, "about": question.about, "whose": question.whose, **shown, **complaints}


def _plain(answer: Any) -> Answer:
    found: Answer = tuple(answer) if isinstance(answer, list | tuple) else answer
    return found


def _note(thoughts: dict[str, Any], role: Role, seat: Seat) -> None:
    if hasattr(seat, "thoughts"):  # asking the protocol itself is slow
        found, _ = _safely(cast(Thinking, seat).thoughts)
        if found:
            thoughts[role] = found


def failures(episodes: Sequence[Episode]) -> dict[str, Counter[str]]:
    """How often each role was asked, failed and broke a rule of hints, over some games: validity, apart from skill.

    In records of others that say nothing of it, every answer was the first.
    """
    found: dict[str, Counter[str]] = {role: Counter() for role in ROLES}
    for episode in episodes:
        for turn in episode.turns:
            for role in ROLES:
                attempts = turn["attempts"][role] if "attempts" in turn else 1
                found[role].update(acts=1, attempts=attempts, failures=role in turn.get("failures", ()))
            found["alice"].update(problems=len(turn.get("problems", ())))
    return found
