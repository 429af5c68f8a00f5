"""ToMi: stories of people, rooms and containers, with questions about who believes what.

Read ``types``, ``rules`` and ``observe`` first; ``session`` asks the questions of a story, ``world`` opens it.
Importing this package registers everything that belongs to the world without importing it.
"""

from __future__ import annotations

from otherminds.core.registry import Entry, register, register_all

_WORLD = ("world:ToMi", "stories of people, rooms and containers; who believes what?")
register_all("world", {"tomi-v0": _WORLD}, "otherminds.worlds.tomi.{}")
_MINDS = {
    "always-reality": ("rules:AlwaysReality", "answers where the object is; for memory questions, where it was first"),
    "always-first": ("rules:AlwaysFirst", "answers where the object was first; for reality questions, where it is"),
    "always-before": (
        "rules:AlwaysBefore",
        "answers where the object was before its last move; answers memory and reality questions correctly",
    ),
    "question-only": ("rules:QuestionOnly", "learns from questions and choices only, without the stories"),
    "algorithm-1": ("rules:Algorithm1", "the paper's rules, which do not distinguish people"),
    "algorithm-1-first": (
        "rules:Algorithm1First",
        "algorithm-1 using anybody's first exit; without one, the first place",
    ),
    "algorithm-1-last": (
        "rules:Algorithm1Last",
        "algorithm-1 with the last place as fallback; mistakes noise for evidence",
    ),
    "exit": ("rules:ExitRule", "answers where the object was when the first person asked about left"),
    "tracker": (
        "rules:Tracker",
        "tracks who sees what and is always right; tracker:order=1 tracks first-order beliefs only",
    ),
    "decoupled": ("rules:decoupled", "answers like the tracker, but acts as if everybody knew the truth"),
    "bag-of-words": ("order_blind:BagOfWords", "learns from word counts, without order or names"),
    "bag-of-events": ("order_blind:BagOfEvents", "learns from event counts (who does what where), without order"),
}
register_all("mind", _MINDS, "otherminds.worlds.tomi.minds.{}", "tomi")
_SUITES = {
    "standard": "families of stories from the preset chosen with --set preset=NAME",
    "notes": "who should get a note? Acts that depend on beliefs of order 1 and 2",
    "notes-1": "like notes, with beliefs of order 1 only",
    "notes-2": "like notes, with beliefs of order 2 only",
    **dict.fromkeys(
        ("classic", "easy", "medium", "hard", "deep", "long", "asymmetric"),
        "story families from the preset of the same name",
    ),
}
register_all("suite", _SUITES, "otherminds.worlds.tomi.world:ToMi", "tomi")
_TABLES = {
    "1": "accuracy by dataset",
    "2": "accuracy of MemNN by kind of question",
    "3": "accuracy on ToMi by kind of question",
}
register_all("table", _TABLES, "otherminds.worlds.tomi.cli.stories:table", "tomi")
_COMMANDS = {
    "generate tomi": ("stories:generate", "generate a set of stories"),
    "audit tomi": ("stories:audit", "test a set for shortcuts"),
    "audit contamination": ("stories:contamination", "test whether a model has memorised a set"),
    "train tomi": ("train:train", "train a model to answer questions"),
    "sweep tomi": ("train:sweep", "train every combination of models, data and seeds"),
    "table tomi": ("stories:table", "reproduce a table of the paper"),
    "relabel": ("stories:relabel", "correct the labels of a set"),
    "score-answers": ("stories:score_answers_file", "score a file of answers"),
}
register_all("command", _COMMANDS, "otherminds.worlds.tomi.cli.{}", "tomi")
_PROOFS = "compares the two solvers on fresh stories"
register(Entry("verifier", "tomi", "otherminds.worlds.tomi.cli.stories:VERIFIER", _PROOFS, world="tomi"))
_FAMILIES = "evolves families of stories; each answer is proved"
register(Entry("breeder", "tomi", "otherminds.worlds.tomi.evolve:StoryBreeder", _FAMILIES, world="tomi"))
_CONTAMINATION = (
    "otherminds.worlds.tomi.evals.contamination:tomi_contamination",
    "test whether a model has memorised a set",
)
register(Entry("inspect task", "tomi_contamination", *_CONTAMINATION, world="tomi", extra="llm"))
