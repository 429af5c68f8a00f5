"""SymmToM: identical agents gather, tell and forget pieces of information.

Read ``types``, ``rules`` and ``observe`` first. ``world`` opens an episode and ``session`` plays it; ``scenarios``
holds the theory-of-mind tests. Importing this package registers the parts of the world without importing them.
"""

from __future__ import annotations

from otherminds.core.registry import Entry, register, register_all

register(
    Entry(
        "world",
        "symmtom-v0",
        "otherminds.worlds.symmtom.world:SymmToM",
        "identical agents move, speak, hear and forget; who knows what?",
    )
)
_MINDS = {
    "random": ("scripted:RANDOM", "draws moves and pieces uniformly"),
    "still": ("scripted:STILL", "never moves or speaks"),
    "heuristic": ("scripted:HEURISTIC", "the paper's heuristic: meets in the centre and says its pieces in turn"),
    "belief": ("scripted:belief", "says what it believes others lack; rule=attentive, zeroth or greedy"),
    "oracle": ("scripted:ORACLE", "like belief, but told what others know: a reference, not a contender"),
    "planner": ("planner:planner", "plans tours by its beliefs; order=2, 1, 0, none or evidence (of theory of mind)"),
    "nearest": ("scripted:NEAREST", "walks to the nearest agent; no theory of mind"),
    "farthest": ("scripted:FARTHEST", "walks to the farthest agent; no theory of mind"),
    "chase": ("scripted:CHASE", "follows one agent; no theory of mind"),
    "centre": ("scripted:CENTRE", "walks to the centre; no theory of mind"),
    "decoupled": ("planner:decoupled", "says what the planner believes and acts like the heuristic"),
}
register_all("mind", _MINDS, "otherminds.worlds.symmtom.minds.{}", "symmtom")
_BELIEFS = {
    "none": "no memory (MADDPG)",
    "zeroth": "own knowledge only, nothing about others",
    "oracle": "shown what everyone knows (Oracle)",
    "conservative": "only what was witnessed (CE)",
    "attentive": "conservative, and a heard speaker knows the piece it says",
    "greedy": "unheard speakers said the piece that fewest around them knew (GE)",
    "estimated": "a network guesses what unheard speakers said (EE)",
    "recurrent": "the state of a recurrent network (RMADDPG)",
    "bayesian": "probabilities over everything unheard speakers may have said",
    "deductive": "second-order probabilities: others said what they thought their listeners lacked",
    "wary": "deductive with four times as many particles, and whose next recharge would win",
    "second-order": "attentive, and what others think others know",
}
register_all("belief", _BELIEFS, "otherminds.worlds.symmtom.minds.belief_parts:BELIEFS[{}]", "symmtom", extra="jax")
_SCENARIOS = {  # named after the files in symmtom/scenarios/files
    "order0_w6": "zeroth order: has red heard the piece?",
    "order0_w12": "the same on the larger board",
    "order1and2_w6": "first and second order: what a pair told each other (reproduction only)",
    "order1and2_w12": "the same on the larger board (reproduction only)",
    "order2_w12": "second order: where will blue go? (reproduction only)",
    "probabilistic_w6": "uncertainty: one of two pieces was told, and red cannot know which",
    "probabilistic_w12": "the same on the larger board",
    "graded_10_w6": "the same, with the first piece told in 10 of 100 trials",
    "graded_25_w6": "the same in 25 of 100",
    "graded_75_w6": "the same in 75 of 100",
    "graded_90_w6": "the same in 90 of 100",
    "retroactive_heard_w6": "later speech reveals what was told before",
    "retroactive_heard_w12": "the same on the larger board",
    "retroactive_rewarded_w6": "red's own reward reveals what was told before",
    "retroactive_rewarded_w12": "the same on the larger board",
    "contact_w6": "first order: what must blue have heard outside red's hearing?",
    "staleness_w6": "first order: what must blue have forgotten unseen?",
    "silence_w6": "first order: which piece does blue lack, given that it said nothing?",
    "rival_w6": "first order, competitive: whom not to tell",
    "hearsay_w6": "second order: what did blue say, given what it thought green lacked?",
}
register_all("scenario", _SCENARIOS, "otherminds.worlds.symmtom.scenarios:SCENARIOS[{}]", "symmtom")
_SUITES = {
    "battery": "every scenario, each case as written (for more stagings: --set ways=N)",
    "twins": "scenarios whose cases look alike and call for different acts",
    "paper": "the paper's six tests",
}
register_all("suite", _SUITES, "otherminds.worlds.symmtom.scenarios.items:SUITES[{}]", "symmtom")
_TABLES = {
    "1": "reward",
    "2": "scenarios, mean over runs",
    "3": "scenarios, best run",
    "4": "recharges",
    "5": "speech",
    "6": "useless pieces",
    "7": "useless moves",
    "battery": "twins",
    "beliefs": "errors of beliefs",
    "claims": "the paper's claims",
}
register_all("table", _TABLES, "otherminds.worlds.symmtom.cli.table:table", "symmtom")
_COMMANDS = {
    "new scenario": ("scenarios:new_scenario", "write a template for a scenario file"),
    "train symmtom": ("train:train", "train agents"),
    "sweep symmtom": ("train:sweep", "train many agents"),
    "table symmtom": ("table:table", "the paper's tables"),
    "figure symmtom": ("figure:figure", "the paper's figures"),
}
register_all("command", _COMMANDS, "otherminds.worlds.symmtom.cli.{}", "symmtom")
_PROOFS = "proves the claims of each scenario"
register(Entry("verifier", "symmtom", "otherminds.worlds.symmtom.cli.scenarios:VERIFIER", _PROOFS, world="symmtom"))
