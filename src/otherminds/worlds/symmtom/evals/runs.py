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
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from functools import lru_cache
from pathlib import Path
from typing import Any

from otherminds.core.errors import UserError
from otherminds.core.files import write_whole
from otherminds.core.registry import split_version
from otherminds.worlds.symmtom.metrics import Tally
from otherminds.worlds.symmtom.minds import ACTOR, PAPER_MODELS, RESULT
from otherminds.worlds.symmtom.types import PAPER_SETTINGS, Params

DEFAULT_FOLDERS = (Path("results") / "symmtom", Path("runs") / "symmtom")
_KEPT = re.compile(r"seed\d+\.json")
MADE = "made"  # what a record that is kept says of how it came about: command, seconds, versions
# Values in records that were left to the algorithm, and the defaults of options that no longer exist.
_UNSAID: dict[str, Any] = {
    "episodes": 0, "worlds": 0, "warm_up": 0, "critic_sees_truth": None,
    "carry_every": 1, "stored_action": "mixed", "critic_is_recurrent": False, "validation_episodes": 0,
    "shares_parameters": True,
}  # fmt: skip


@dataclass(frozen=True)
class Record:
    """One trained run."""

    path: Path  # the JSON file
    actor: Path | None  # the weights beside it
    name: str  # "<algorithm>-<belief>"
    params: Params
    seed: int
    config: Mapping[str, Any] = field(repr=False)
    best_step: int
    curve: tuple[float, ...] = field(repr=False)  # training reward per agent, one value a chunk
    chunk_episodes: int
    evaluation: Mapping[str, Any] = field(repr=False)
    evaluation_greedy: Mapping[str, Any] | None = field(repr=False)
    differs: tuple[str, ...] = ()  # from the usual training of that name, as "batch=64"; found by find_records

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
        """How its world differs from the paper's."""
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
        """The command that trains it again."""
        algorithm, _, belief = self.name.partition("-")
        words = ["--algorithm", algorithm, "--belief", belief, "--setting", self.setting, "--seed", str(self.seed)]
        for difference in self.differs:
            name = difference.partition("=")[0]
            flags = {"--option": self.config.get("options", {}), "--network": self.config.get("network", {})}
            words += [next((flag for flag, fields in flags.items() if name in fields), "--set"), difference]
        return shlex.join(["otherminds", "train", "symmtom", *words])

    def score(self, metric: str, *, greedy: bool = False) -> float:
        """The mean of a metric per agent over its evaluation.

        Raises:
            UserError: if the record does not hold it.
        """
        scores = self.evaluation_greedy if greedy else self.evaluation
        if scores is None or metric not in scores:
            raise UserError(f"{self.path} has no {'greedy ' if greedy else ''}evaluation of {metric!r}")
        return float(scores[metric])


def read_record(path: str | Path) -> Record:
    """The record in a JSON file, or of a run directory.

    Raises:
        UserError: if it cannot be read, is damaged, or is not a record of SymmToM training.
    """
    path = Path(path)
    path = path / RESULT if path.is_dir() else path
    try:
        content = json.loads(path.read_text("utf-8"))
    except OSError as error:
        raise UserError(f"cannot read {path}: {error.strerror}; expected the record of a finished run") from error
    except ValueError as error:
        raise UserError(f"{path} is damaged: {error}; train again, or restore the file") from error
    actor = path.with_name(ACTOR) if path.name == RESULT else path.with_suffix(".safetensors")
    try:
        config = content["config"]
        if split_version(config["world"])[0] != "symmtom":
            raise UserError(f"a record of {config['world']}; expected one of symmtom")
        return Record(
            path=path,
            actor=actor if actor.is_file() else None,
            name=str(config["name"]),
            params=Params.from_dict(config["params"]),
            seed=int(config["seed"]),
            config=config,
            best_step=int(content["best_step"]),
            curve=tuple(float(value) for value in content["curve"]),
            chunk_episodes=int(content["chunk_episodes"]),
            evaluation=_scores(content["evaluation"]),
            evaluation_greedy=_scores(content["evaluation_greedy"]) if "evaluation_greedy" in content else None,
        )
    except UserError as error:
        raise UserError(f"{path}: {error}") from error
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        problem = f"{error} is missing" if isinstance(error, KeyError) else str(error)
        raise UserError(f"{path} is not a record of a training run: {problem}; move it elsewhere") from error


def find_records(folders: Iterable[str | Path]) -> list[Record]:
    """All records below some folders, by model, setting and seed.

    Runs that were not trained by the defaults of their algorithm, or in another world, become separate models,
    named after what differs. A run that is found twice counts once, as in the first folder.

    Raises:
        UserError: if a folder does not exist, or a record in it is damaged.
    """
    paths: list[Path] = []
    for folder in map(Path, folders):
        if not folder.is_dir():
            raise UserError(f"{folder} is not a folder; expected one with trained runs, such as runs/symmtom")
        kept = (path for path in folder.rglob("seed*.json") if _KEPT.fullmatch(path.name))
        paths += sorted([*folder.rglob(RESULT), *kept])
    unique: dict[tuple[str, str, int], Record] = {}
    for record in _with_differences([read_record(path) for path in paths]):
        unique.setdefault((record.model, record.setting, record.seed), record)
    return sorted(unique.values(), key=lambda record: (*_rank(record), record.seed))


def default_folders() -> list[Path]:
    """Return those default folders of records that exist."""
    return [folder for folder in DEFAULT_FOLDERS if folder.is_dir()]


def by_cell(records: Iterable[Record]) -> dict[tuple[str, str], list[Record]]:
    """The runs of each model in each setting."""
    cells: dict[tuple[str, str], list[Record]] = {}
    for record in records:
        cells.setdefault((record.model, record.setting), []).append(record)
    return cells


def keep(runs: str | Path | Iterable[str | Path], results: str | Path) -> list[Path]:
    """Copy the records and actors of finished runs into the layout of results, with how they came about.

    Runs that are separate models (see :func:`find_records`) get their own folders, such as
    ``n3_w6_c3,competitive=3``.

    Args:
        runs: a run directory, a folder with some, or several of those.
        results: the folder to keep them in, such as ``results/symmtom``.

    Returns:
        The JSON files written; none for a run that is kept already.

    Raises:
        UserError: if a run's files are damaged, or a different run is kept under the same name.
    """
    from otherminds.run.directory import RunDirectory

    folders = [runs] if isinstance(runs, str | Path) else list(runs)
    records, made, written = [], {}, []
    for path in sorted({path for folder in folders for path in Path(folder).rglob(RESULT)}):
        run = RunDirectory.read(path.parent)
        if not run.is_finished:
            continue
        if changed := run.changed_files():
            raise UserError(f"{path.parent}: {', '.join(changed)} changed after the run; train again, or restore them")
        records.append(read_record(path))
        made[path] = {name: run.manifest[name] for name in ("seconds", "cpu_seconds", "versions")}
    for record in _with_differences(records):
        path = record.path
        if record.actor is None:
            raise UserError(f"{path.parent} has no {ACTOR}; train again, or restore it")
        target = _place(results, record.name, record.setting, record.differs, record.seed)
        result = json.loads(path.read_text("utf-8"))
        if target.exists() and json.loads(target.read_text("utf-8")) | {MADE: {}} != result | {MADE: {}}:
            raise UserError(f"{target} is kept from another run; remove it, or keep {path.parent} elsewhere")
        is_new = not target.exists()
        write_whole(target.with_suffix(".safetensors"), record.actor.read_bytes())  # first: a record has an actor
        write_whole(target, json.dumps(result | {MADE: {"command": record.command, **made[path]}}, indent=1) + "\n")
        if is_new:
            written.append(target)
    return written


def kept_at(config: Mapping[str, Any], results: str | Path) -> Path | None:
    """Return where the record of a run of this configuration is kept, or ``None``.

    Raises:
        UserError: if what is kept under its name is damaged, or another run.
    """
    name, setting, seed = config["name"], config["setting"], config["seed"]
    default = _default_recipe(name, setting) or {}
    target = _place(results, name, setting, _differences(default | _recipe(config), default), seed)
    if not target.exists():
        return None
    record = read_record(target)
    is_same = default | _recipe(record.config) == default | _recipe(config)
    if not is_same or (record.name, record.setting, record.seed) != (name, setting, seed):
        raise UserError(f"{target} is of another run than its name says; move it elsewhere")
    return target


def _place(results: str | Path, name: str, setting: str, differs: Iterable[str], seed: int) -> Path:
    """The file of a record in the layout of results."""
    return Path(results) / name / ",".join([setting, *differs]).replace('"', "") / f"seed{seed}.json"


def _scores(content: Any) -> dict[str, Any]:
    scores = dict(content)
    for name in ("reward", *Tally._fields):
        if not isinstance(scores.get(name), int | float) or not math.isfinite(scores[name]):
            raise ValueError(f"the evaluation has no number for {name!r}")
    return scores


def _rank(record: Record) -> tuple[int, str, int, str]:
    """The paper's models first, in its order, each followed by its variants; settings likewise."""
    names, settings = list(PAPER_MODELS), PAPER_SETTINGS
    model = names.index(record.name) if record.name in names else len(names)
    place = settings.index(record.setting) if record.setting in settings else len(settings)
    return model, record.model, place, record.setting


def _recipe(config: Mapping[str, Any]) -> dict[str, Any]:
    """Return all fields of a training except its setting and seed, flat."""
    chosen = {**config.get("options", {}), **config.get("network", {})}
    named = {name: value for name, value in chosen.items() if name not in _UNSAID or value != _UNSAID[name]}
    world = asdict(Params.from_dict(config["params"]))
    return named | {name: world[name] for name in world if name not in ("num_agents", "width", "num_pieces")}


@lru_cache(maxsize=256)
def _default_recipe(name: str, setting: str) -> dict[str, Any] | None:
    """Return the default recipe of a model; ``None`` if its learner is not installed."""
    try:
        from otherminds.worlds.symmtom.learn.train import resolve

        algorithm, _, belief = name.partition("-")
        return _recipe(json.loads(json.dumps(resolve(setting, algorithm, belief, check=False))))
    except (ImportError, UserError):
        return None


def _with_differences(records: Sequence[Record]) -> list[Record]:
    """Return the records, each with how it differs from the default recipe, or else from the most common one."""
    groups: dict[tuple[str, str], list[Record]] = {}
    for record in records:
        groups.setdefault((record.name, record.setting), []).append(record)
    named = {}
    for cell, group in groups.items():
        default = _default_recipe(*cell)
        recipes = [(default or {}) | _recipe(record.config) for record in group]
        usual = default or max(recipes, key=lambda recipe: (recipes.count(recipe), recipe.get("episodes", 0)))
        for record, recipe in zip(group, recipes, strict=True):
            named[record.path] = replace(record, differs=_differences(recipe, usual))
    return [named[record.path] for record in records]


def _differences(recipe: Mapping[str, Any], usual: Mapping[str, Any]) -> tuple[str, ...]:
    fields = sorted(name for name in {*usual, *recipe} if usual.get(name) != recipe.get(name))
    return tuple(f"{name}={json.dumps(recipe.get(name))}" for name in fields)
