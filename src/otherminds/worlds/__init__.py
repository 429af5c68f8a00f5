"""The worlds, by name. Importing this registers them and imports none."""

from __future__ import annotations

from otherminds.core.registry import Entry, register

_SCENARIOS = {  # the files of symmtom/scenarios/files
    "order0_w6": "zeroth order: has red heard the piece?",
    "order0_w12": "the same on the larger board",
    "order1and2_w6": "first and second order: what a pair told each other (reproduction only)",
    "order1and2_w12": "the same on the larger board (reproduction only)",
    "order2_w12": "second order: where will blue go? (reproduction only)",
    "probabilistic_w6": "what red cannot know: one of two pieces was told",
    "probabilistic_w12": "the same on the larger board",
    "graded_10_w6": "the same where the first piece is told in 10 of 100 trials",
    "graded_25_w6": "the same in 25 of 100",
    "graded_75_w6": "the same in 75 of 100",
    "graded_90_w6": "the same in 90 of 100",
    "retroactive_heard_w6": "later speech says what was told before",
    "retroactive_heard_w12": "the same on the larger board",
    "retroactive_rewarded_w6": "the own reward says what was told before",
    "retroactive_rewarded_w12": "the same on the larger board",
    "contact_w6": "first order: what must blue have heard, out of red's hearing?",
    "staleness_w6": "first order: what must blue have forgotten, unseen?",
    "silence_w6": "first order: what can blue not have, since it said nothing?",
    "rival_w6": "first order, competitive: whom not to tell",
    "hearsay_w6": "second order: what did blue say, by what it thought that green lacked?",
}

register(
    Entry(
        kind="world",
        name="symmtom-v0",
        target="otherminds.worlds.symmtom.world:SymmToM",
        summary="alike agents move, speak, hear and forget; who knows what?",
    )
)
register(
    Entry(
        kind="world",
        name="tomi-v0",
        target="otherminds.worlds.tomi.world:ToMi",
        summary="stories of people, rooms and containers; who believes what?",
    )
)
register(
    Entry(
        kind="world",
        name="decrypto-v0",
        target="otherminds.worlds.decrypto.world:Decrypto",
        summary="Alice hints a code to Bob while Eve listens; who can tell what Eve knows?",
    )
)
register(
    Entry(
        kind="world",
        name="decrypto-duel-v0",
        target="otherminds.worlds.decrypto.duel:DecryptoDuel",
        summary="two teams of Decrypto against each other: both hint, and the Eve of each hears the other",
    )
)
register(
    Entry(
        kind="world",
        name="enacttom-v0",
        target="otherminds.worlds.enacttom.world:EnactToM",
        summary="household tasks with private information and scarce messages; how deep must a mind look?",
    )
)
_TASKS = {  # the files of enacttom/tasks: how many of each kind, and what they are about
    "able": (5, "delegation: who of two can act on the one message?"),
    "handed_on": (5, "a relay: through whom does word reach who needs it?"),
    "informed": (2, "delegation: who of two has read what the message leaves out?"),
    "lock": (2, "put something away that is locked behind a board that another reads"),
    "message": (8, "one message for two who need it: which of them has read a note already?"),
    "mirror": (2, "put something where only another can read that it belongs; two things change together"),
    "mixed_1": (3, "a wish of one's own beside the common goal, depth 1"),
    "mixed_2": (3, "a wish of one's own beside the common goal, depth 2"),
    "mixed_3": (3, "a wish of one's own beside the common goal, depth 3"),
    "one_link": (4, "a chain of two acts: does the other know enough to follow?"),
    "placement": (5, "put something where only another can read that it belongs"),
    "stale": (5, "something was put away after the others had left"),
    "trusted": (3, "a relay: who can be trusted to hand it on?"),
    "two_links": (11, "a chain of three acts: does the next know that the last will follow?"),
}
_NAMES = {f"{_kind}-{_at + 1}": _about for _kind, (_many, _about) in _TASKS.items() for _at in range(_many)}
for _name, _summary in {"cup": "Ann can read where the cup belongs, Ben has it", **_NAMES}.items():
    _target = f"otherminds.worlds.enacttom.read:SHIPPED[{_name}]"
    register(Entry("task", _name, _target, _summary, world="enacttom"))
for _name, _summary in _SCENARIOS.items():
    _target = f"otherminds.worlds.symmtom.scenarios:SCENARIOS[{_name}]"
    register(Entry("scenario", _name, _target, _summary, world="symmtom"))
for _name, _module, _summary in (
    ("enacttom", "enacttom", "proves how deep a mind must look for each task"),
    ("symmtom", "symmtom_scenarios", "proves what each scenario claims"),
    ("tomi", "tomi", "compares both solvers on fresh stories"),
):
    register(Entry("verifier", _name, f"otherminds.cli.{_module}:VERIFIER", _summary, world=_name))
_SUITES = {
    "battery": "every scenario, each case as it is written (more stagings: --set ways=N)",
    "twins": "the scenarios whose cases look alike and ask for different acts",
    "paper": "the paper's six tests",
}
for _name, _summary in _SUITES.items():
    _target = f"otherminds.worlds.symmtom.scenarios.items:SUITES[{_name}]"
    register(Entry("suite", _name, _target, _summary, world="symmtom"))
_MORE_SUITES = {
    "tomi": {
        "standard": "families of stories of the world's preset",
        "notes": "to whom is a note worth giving? Acts on what people believe, of order 1 and 2",
        "notes-1": "the same of order 1",
        "notes-2": "the same of order 2",
        **dict.fromkeys(("classic", "easy", "medium", "hard", "deep", "long", "asymmetric"), "stories of that preset"),
    },
    "decrypto": {"standard": "games by seed, without probes"},  # and every experiment
    "enacttom": {"standard": "every shipped task in its contrast worlds", "task": "the world's task alone"},
}
_WORLDS = {"tomi": "tomi.world:ToMi", "decrypto": "decrypto.world:Decrypto", "enacttom": "enacttom.world:EnactToM"}
for _world, _names in _MORE_SUITES.items():
    for _name, _summary in _names.items():
        register(Entry("suite", _name, f"otherminds.worlds.{_WORLDS[_world]}", _summary, world=_world))
_TABLES = {
    "symmtom": ("symmtom_table", {"1": "reward", "2": "scenarios", "3": "scenarios", "4": "recharges", "5": "speech",
                                   "6": "moves", "7": "distance", "battery": "twins", "beliefs": "errors of beliefs",
                                   "claims": "the paper's claims"}),
    "tomi": ("tomi", {"1": "accuracy", "2": "shortcuts", "3": "labels"}),
    "decrypto": ("decrypto", dict.fromkeys(
        ("sizes", "competition", "crossplay", "used-codes", "rsa", "adhoc", "ceiling", "small"), "games by cast")),
    "enacttom": ("enacttom_results", {"published": "the published table", "minds": "every measure of records"}),
}  # fmt: skip
for _world, (_module, _names) in _TABLES.items():
    for _name, _summary in _names.items():
        register(Entry("table", _name, f"otherminds.cli.{_module}:table", _summary, world=_world))
