"""The household as an Inspect task: every run of a task one sample, a model or a player of ours in each seat.

Models take the roles ``seat1``, ``seat2`` … of Inspect (``--model-role seat2=…``); a seat without a model of its own
has the model that is evaluated. More epochs go on through the contrast worlds. The record of each run is in the
sample's store, line by line as in a file. Nothing runs in a sandbox: the house is all there is.
"""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import sha256
from typing import Any

from inspect_ai import Epochs, Task, task
from inspect_ai.dataset import MemoryDataset, Sample

from otherminds.core.errors import UserError
from otherminds.evals.enacttom.bench import STANDARD, Entry, contrast_of, schedule
from otherminds.evals.enacttom.measures import TRIES
from otherminds.evals.inspect.enacttom_metrics import pooled
from otherminds.evals.inspect.enacttom_play import FORMS, LANGUAGE, play_run, run_score
from otherminds.evals.inspect.enacttom_words import VERSION, load_words
from otherminds.evals.inspect.templates import Prompt, hashes
from otherminds.players.enacttom.find import find_seat
from otherminds.players.enacttom.language import ATTEMPTS
from otherminds.players.enacttom.seating import who_plays
from otherminds.worlds.enacttom import types
from otherminds.worlds.enacttom.read import find_task, read_task, task_names
from otherminds.worlds.enacttom.verify.certify import Certificate, digest_of, stored_certificate
from otherminds.worlds.enacttom.write import task_content

ALL, TIMEOUT = "all", 120
HUMAN = "human"


@task
def enacttom(
    tasks: str = ALL,
    depth: int | None = None,
    seats: str = LANGUAGE,
    runs: int = TRIES,
    epochs: int = 1,
    sweep: bool = False,
    seed: int = 0,
    probes: bool = True,
    prompts: str = VERSION,
    form: str = "auto",
    attempts: int = ATTEMPTS,
    timeout: int = TIMEOUT,
) -> Task:
    """People of a house must act on what the others know: does a model, and can it say what it acts on?

    Args:
        tasks: by name or file, several by commas; all that come with the package by default.
        depth: only those whose proof says that a mind must look so deep.
        seats: who plays: ``model`` for the language model of that seat, or a player of ours by name; one for all, one
            for each by commas, or by person as in ``ann=greedy,model``.
        runs: of each task, in worlds of its contrast set in a seeded order, over and over if there are fewer (6.1).
        epochs: how often all that is repeated, in further worlds of that order.
        sweep: also play the contrast worlds that the runs leave out, so that whole sweeps can be told.
        seed: of the order, and of players that draw.
        probes: ask in passing what they know.
        prompts: version of the prompts.
        form: free for replies in words, schema for structured output, auto for what suits the model.
        attempts: before waiting stands for an act.
        timeout: seconds after which a call costs an attempt; 0 for none.
    """
    if form not in FORMS:
        raise UserError(f"form {form!r} is not known; expected {', '.join(FORMS)}")
    least = (("runs", runs, 1), ("epochs", epochs, 1), ("attempts", attempts, 1), ("timeout", timeout, 0))
    for name, value, lowest in least:
        if value < lowest:
            raise UserError(f"{name} is {value}; expected at least {lowest}")
    words = load_words(prompts)
    how = {"seed": seed, "probes": probes, **({"tries": runs} if sweep else {})}
    samples = []
    for one in find_tasks(tasks, depth):
        entry, who = entered(one), seats_of(seats, one)
        number = len(schedule(entry, runs, seed)) if sweep else runs
        samples += [_sample(entry, {"run": run, "runs": number, "seats": who, **how}) for run in range(number)]
    told = {name: prompt.text for name, prompt in words.items()}
    return Task(
        dataset=MemoryDataset(samples, name="enacttom"),
        solver=play_run(told, attempts, timeout or None, form),
        scorer=run_score(),
        epochs=Epochs(epochs, pooled()),
        version=_digest(samples, words),
        metadata={"prompts": hashes(words.values()), "seats": seats},
    )


def find_tasks(names: str = ALL, depth: int | None = None) -> list[types.Task]:
    """Tasks by name or file, several by commas; with a depth, those that a proof gives that depth.

    Raises:
        UserError: if there is none.
    """
    wanted = list(dict.fromkeys(name.strip() for name in names.split(",") if name.strip()))
    found = [read_task(find_task(name)) for name in (task_names() if wanted == [ALL] else wanted)]
    found = [one for one in found if depth is None or entered(one).proof.depth == depth]
    if not found:
        raise UserError(f"there is no task {names!r}{f' of depth {depth}' if depth is not None else ''}")
    twice = {one.id for one in found if [other.id for other in found].count(one.id) > 1}
    if twice:
        raise UserError(f"several tasks are called {', '.join(sorted(twice))}; runs are told apart by the task's id")
    return found


def seats_of(seats: str, one: types.Task) -> list[str]:
    """Who plays each person of a task.

    Raises:
        UserError: if somebody has no player, or one cannot play.
    """
    try:
        names = who_plays(seats, one.names)
    except UserError as error:
        raise UserError(f"task {one.id!r}: {error}") from error
    for name in names:
        if name == HUMAN:
            raise UserError("a person plays in the terminal: otherminds play enacttom")
        if name != LANGUAGE:
            find_seat(name)
    return names


def entered(one: types.Task) -> Entry:
    """A task with the proof that it carries, if it does; none is looked for here."""
    proof = stored_certificate(one) or Certificate("unknown")
    return Entry(one, proof, contrast_of(one, proof), str(one.provenance.get("split", STANDARD)))


def _sample(entry: Entry, how: dict[str, Any]) -> Sample:
    one, run = entry.task, how["run"] + 1
    about: dict[str, Any] = {
        "id": f"{one.id}-{run}",
        "task": one.id,
        "content": task_content(one, is_bare=True),
        "digest": digest_of(one),
        "grade": entry.proof.grade,
        "depth": entry.proof.depth,
        "split": entry.split,
        "worlds": [list(world) for world in entry.worlds],
        **how,
    }
    who = ", ".join(f"{player} as {name}" for name, player in zip(one.names, how["seats"], strict=True))
    return Sample(id=about["id"], input=f"Run {run} of the household task {one.id}: {who}.", metadata=about)


def _digest(samples: Sequence[Sample], words: dict[str, Prompt]) -> str:
    """What is played, in a word: a run is resumed only if nothing of it has changed."""
    whole = [[(sample.id, sample.metadata) for sample in samples], hashes(words.values())]
    return sha256(repr(whole).encode()).hexdigest()[:12]
