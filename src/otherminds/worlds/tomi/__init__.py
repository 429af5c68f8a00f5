"""ToMi: stories of people, rooms and containers, with questions about who believes what.

Read ``types``, ``rules`` and ``observe`` first; ``session`` asks the questions of a story, ``world`` opens it.
Importing this package registers everything that belongs to the world without importing it.
"""

from __future__ import annotations

from otherminds.core.registry import Entry, register, register_all

_WORLD = ("world:ToMi", "stories of people, rooms and containers; who believes what?")
register_all("world", {"tomi-v0": _WORLD}, "otherminds.worlds.tomi.{}")
_MINDS = {
    "always-reality": ("rules:AlwaysReality", "where the object is, except for the beginning"),
    "always-first": ("rules:AlwaysFirst", "where the object was first, except for reality"),
    "always-before": ("rules:AlwaysBefore", "where the object was before its last move, except for those two"),
    "question-only": ("rules:QuestionOnly", "learned from questions and choices alone, without stories"),
    "algorithm-1": ("rules:Algorithm1", "the paper's rules, which do not distinguish agents"),
    "algorithm-1-first": ("rules:Algorithm1First", "the same, with the first exit anywhere, else the beginning"),
    "algorithm-1-last": ("rules:Algorithm1Last", "the same, else the end, and with noise taken for evidence"),
    "exit": ("rules:ExitRule", "where the object was when somebody asked about first left"),
    "tracker": ("rules:Tracker", "follows who sees what: always right; tracker:order=1 keeps one mind apart"),
    "decoupled": ("rules:decoupled", "says what the tracker says, and acts as if everybody knew the truth"),
    "bag-of-words": ("order_blind:BagOfWords", "learned from how often words occur, without order or names"),
    "bag-of-events": ("order_blind:BagOfEvents", "learned from how often who does what where, without order"),
}
register_all("mind", _MINDS, "otherminds.worlds.tomi.minds.{}", "tomi")
_SUITES = {
    "standard": "families of stories of the world's preset",
    "notes": "to whom is a note worth giving? Acts on what people believe, of order 1 and 2",
    "notes-1": "the same of order 1",
    "notes-2": "the same of order 2",
    **dict.fromkeys(("classic", "easy", "medium", "hard", "deep", "long", "asymmetric"), "stories of that preset"),
}
register_all("suite", _SUITES, "otherminds.worlds.tomi.world:ToMi", "tomi")
_TABLES = {"1": "accuracy", "2": "shortcuts", "3": "labels"}
register_all("table", _TABLES, "otherminds.worlds.tomi.cli.stories:table", "tomi")
_COMMANDS = {
    "generate tomi": ("stories:generate", "make a set of stories"),
    "audit tomi": ("stories:audit", "look for shortcuts"),
    "audit contamination": ("stories:contamination", "has a model memorised a set?"),
    "train tomi": ("train:train", "train a reader"),
    "sweep tomi": ("train:sweep", "train many readers"),
    "table tomi": ("stories:table", "the paper's tables"),
    "relabel": ("stories:relabel", "correct the labels of a set"),
    "score-answers": ("stories:score_answers_file", "score answers to a set"),
}
register_all("command", _COMMANDS, "otherminds.worlds.tomi.cli.{}", "tomi")
_PROOFS = "compares both solvers on fresh stories"
register(Entry("verifier", "tomi", "otherminds.worlds.tomi.cli.stories:VERIFIER", _PROOFS, world="tomi"))
_FAMILIES = "families of stories whose answers stay proved"
register(Entry("breeder", "tomi", "otherminds.worlds.tomi.evolve:StoryBreeder", _FAMILIES, world="tomi"))
_CONTAMINATION = ("otherminds.worlds.tomi.evals.contamination:tomi_contamination", "has a model memorised a set?")
register(Entry("inspect task", "tomi_contamination", *_CONTAMINATION, world="tomi", extra="llm"))
