"""Records of trained SymmToM agents: finding, reading and keeping them.

Two layouts hold the same record: a run directory ``…/<model>/<setting>/seed<k>/`` with ``result.json`` and
``actor.safetensors``, as training leaves it, and ``…/<model>/<setting>/seed<k>.json`` with ``seed<k>.safetensors``
beside it, as results are kept. What a run is, is read from its record; folders may have any name.
"""

from __future__ import annotations

import json
import math
import re
import shlex
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from otherminds.core.errors import UserError
from otherminds.core.files import unreadable, write_whole
from otherminds.core.json_lines import to_json
from otherminds.core.registry import split_version
from otherminds.worlds.symmtom.metrics import Tally
from otherminds.worlds.symmtom.minds import ACTOR, PAPER_MODELS, RESULT
from otherminds.worlds.symmtom.types import PAPER_SETTINGS, Params

DEFAULT_FOLDERS = (Path("results") / "symmtom", Path("runs") / "symmtom")
_KEPT = re.compile(r"seed\d+\.json")
MADE = "made"  # field of kept records with the command, duration and versions of the run


@dataclass(frozen=True)
class Record:
    """One trained run."""

    path: Path  # the JSON file
    actor: Path | None  # the weights beside it
    name: str  # "<algorithm>-<belief>"
    params: Params
    seed: int
    config: Mapping[str, Any] = field(repr=False)
    curve: tuple[float, ...] = field(repr=False)  # training reward per agent, one value a chunk
    chunk_episodes: int
    evaluation: Mapping[str, Any] = field(repr=False)
    evaluation_greedy: Mapping[str, Any] | None = field(repr=False)
    differs: tuple[str, ...]  # from the usual training of that name, as "batch=64"

    @property
    def model(self) -> str:
        """Its name, and how it differs from the usual training of that name."""
        return " ".join([self.name, *self.differs])

    @property
    def setting(self) -> str:
        return self.params.setting

    @property
    def is_paper_world(self) -> bool:
        """Whether it was trained with the paper's rules; masking actions without effect does not change them."""
        return not self.switches.keys() - {"mask_actions"}

    @property
    def switches(self) -> dict[str, Any]:
        usual = Params.from_setting(self.setting).to_dict()
        return {name: value for name, value in self.params.to_dict().items() if usual.get(name) != value}

    @property
    def training_episodes(self) -> int:
        return len(self.curve) * self.chunk_episodes

    @property
    def paper_model(self) -> str | None:
        """The paper's name of the same model in the same world, if there is one."""
        return None if self.switches else PAPER_MODELS.get(self.model)

    @property
    def command(self) -> str:
        algorithm, _, belief = self.name.partition("-")
        words = ["--algorithm", algorithm, "--belief", belief, "--setting", self.setting, "--seed", str(self.seed)]
        flags = dict.fromkeys(self.config["options"], "--option") | dict.fromkeys(self.config["network"], "--network")
        words += [word for change in self.differs for word in (flags.get(change.partition("=")[0], "--set"), change)]
        return shlex.join(["otherminds", "train", "symmtom", *words])

    def score(self, metric: str, *, greedy: bool = False) -> float:
        """The mean of a metric per agent over its evaluation."""
        scores = self.evaluation_greedy if greedy else self.evaluation
        if scores is None or metric not in scores:
            raise UserError(f"{self.path} has no {'greedy ' if greedy else ''}evaluation of {metric!r}")
        return float(scores[metric])


def read_record(path: str | Path) -> Record:
    """The record in a JSON file, or of a run directory."""
    path = Path(path)
    path = path / RESULT if path.is_dir() else path
    try:
        content = json.loads(path.read_text("utf-8"))
    except OSError as error:
        raise unreadable(path, error) from error
    except ValueError as error:
        raise UserError(f"{path} is damaged: {error}; train again, or restore the file") from error
    actor = path.with_name(ACTOR) if path.name == RESULT else path.with_suffix(".safetensors")
    try:
        config = content["config"]
        if split_version(config["world"])[0] != "symmtom":
            raise UserError(f"the record belongs to {config['world']}; expected symmtom")
        fields = {**config["params"], **config["options"], **config["network"]}
        changed = [part.partition("=")[0] for part in config.get("variant", "").split(",") if part]
        return Record(
            path=path,
            actor=actor if actor.is_file() else None,
            name=str(config["name"]),
            params=Params.from_dict(config["params"]),
            seed=int(config["seed"]),
            config=config,
            curve=tuple(float(value) for value in content["curve"]),
            chunk_episodes=int(content["chunk_episodes"]),
            evaluation=_scores(content["evaluation"]),
            evaluation_greedy=_scores(content["evaluation_greedy"]) if "evaluation_greedy" in content else None,
            differs=tuple(f"{name}={json.dumps(fields[name])}" for name in changed),
        )
    except UserError as error:
        raise UserError(f"{path}: {error}") from error
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        problem = f"{error} is missing" if isinstance(error, KeyError) else str(error)
        raise UserError(f"{path} is not a record of a training run: {problem}; move it elsewhere") from error


def find_records(folders: Iterable[str | Path]) -> list[Record]:
    """All records below some folders, by model, setting and seed.

    A run that was not trained by the defaults, or in another world, is a model of its own, named after what differs.
    A run that is found twice counts once, as in the first folder.
    """
    paths: list[Path] = []
    for folder in map(Path, folders):
        if not folder.is_dir():
            raise UserError(f"{folder} is not a folder; expected one with trained runs, such as runs/symmtom")
        kept = (path for path in folder.rglob("seed*.json") if _KEPT.fullmatch(path.name))
        paths += sorted([*folder.rglob(RESULT), *kept])
    unique: dict[tuple[str, str, int], Record] = {}
    for record in map(read_record, paths):
        unique.setdefault((record.model, record.setting, record.seed), record)
    names, settings = list(PAPER_MODELS), PAPER_SETTINGS

    def rank(record: Record) -> tuple[int, str, int, str, int]:
        """The paper's models first, in its order, each followed by its variants; settings likewise."""
        model = names.index(record.name) if record.name in names else len(names)
        place = settings.index(record.setting) if record.setting in settings else len(settings)
        return model, record.model, place, record.setting, record.seed

    return sorted(unique.values(), key=rank)


def default_folders() -> list[Path]:
    """The default folders of records that exist."""
    return [folder for folder in DEFAULT_FOLDERS if folder.is_dir()]


def by_cell(records: Iterable[Record]) -> dict[tuple[str, str], list[Record]]:
    """The runs of each model in each setting."""
    cells: dict[tuple[str, str], list[Record]] = {}
    for record in records:
        cells.setdefault((record.model, record.setting), []).append(record)
    return cells


def keep(runs: str | Path | Iterable[str | Path], results: str | Path) -> list[Path]:
    """Copy the records and actors of finished runs into the layout of results, with command, duration and versions.

    Runs that are separate models (see :func:`find_records`) get their own folders, such as
    ``n3_w6_c3,competitive=3``.

    Returns:
        The JSON files written; none for a run that is kept already.
    """
    from otherminds.run.directory import RunDirectory

    folders = [runs] if isinstance(runs, str | Path) else list(runs)
    written = []
    for path in sorted({path for folder in folders for path in Path(folder).rglob(RESULT)}):
        run = RunDirectory.read(path.parent)
        if not run.is_finished:
            continue
        if changed := run.changed_files():
            raise UserError(f"{path.parent}: {', '.join(changed)} changed after the run; train again, or restore them")
        record = read_record(path)
        if record.actor is None:
            raise UserError(f"{path.parent} has no {ACTOR}; train again, or restore it")
        target = Path(results) / f"{place_of(record.config)}.json"
        result = json.loads(path.read_text("utf-8"))
        if target.exists() and json.loads(target.read_text("utf-8")) | {MADE: {}} != result | {MADE: {}}:
            raise UserError(
                f"{target} holds the results of another run; remove it, or keep {path.parent} in another folder"
            )
        is_new = not target.exists()
        write_whole(target.with_suffix(".safetensors"), record.actor.read_bytes())  # first: a record has an actor
        made = {name: run.manifest[name] for name in ("seconds", "cpu_seconds", "versions")}
        write_whole(target, to_json(result | {MADE: {"command": record.command, **made}}, indent=1) + "\n")
        if is_new:
            written.append(target)
    return written


def kept_at(config: Mapping[str, Any], results: str | Path) -> Path | None:
    """Return where the record of a run of this configuration is kept, or ``None``."""
    target = Path(results) / f"{place_of(config)}.json"
    if not target.exists():
        return None
    if place_of(read_record(target).config) != place_of(config):
        raise UserError(f"{target} holds a different run from the one that its name says; move it elsewhere")
    return target


def place_of(config: Mapping[str, Any]) -> Path:
    """The place of a run within a folder of runs: model, setting with what differs from the default, seed."""
    world = ",".join(filter(None, (config["setting"], config.get("variant"))))
    return Path(config["name"], world, f"seed{config['seed']}")


def _scores(content: Any) -> dict[str, Any]:
    scores = dict(content)
    for name in ("reward", *Tally._fields):
        if not isinstance(scores.get(name), int | float) or not math.isfinite(scores[name]):
            raise ValueError(f"the evaluation has no number for {name!r}")
    return scores
