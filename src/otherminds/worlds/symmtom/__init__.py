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
    "oracle": ("scripted:ORACLE", "like belief, but shown what others know; a reference, not a contender"),
    "planner": (
        "planner:planner",
        "plans tours over its belief; order=2, 1, 0, none or evidence (order of theory of mind)",
    ),
    "nearest": ("scripted:NEAREST", "walks to the nearest agent; no theory of mind"),
    "farthest": ("scripted:FARTHEST", "walks to the farthest agent; no theory of mind"),
    "chase": ("scripted:CHASE", "follows one agent; no theory of mind"),
    "centre": ("scripted:CENTRE", "walks to the centre; no theory of mind"),
    "decoupled": ("planner:decoupled", "reports what the planner believes, but acts like the heuristic"),
}
register_all("mind", _MINDS, "otherminds.worlds.symmtom.minds.{}", "symmtom")
_BELIEFS = {
    "none": "no memory (MADDPG)",
    "zeroth": "own knowledge only, nothing about others",
    "oracle": "shown what everyone knows (Oracle)",
    "conservative": "only what was witnessed (CE)",
    "attentive": "conservative, and takes an agent heard saying a piece to know it",
    "greedy": "assumes that unheard speakers say what the fewest agents around them know (GE)",
    "estimated": "a network that guesses what unheard speakers said (EE)",
    "recurrent": "the state of a recurrent network (RMADDPG)",
    "bayesian": "probabilities over everything unheard speakers may have said",
    "deductive": "second-order probabilities: assumes that others say what they think their listeners lack",
    "wary": "deductive with four times the particles; also tracks whose next recharge would win",
    "second-order": "attentive, and also tracks what others think others know",
}
register_all("belief", _BELIEFS, "otherminds.worlds.symmtom.minds.belief_parts:BELIEFS[{}]", "symmtom", extra="jax")
_SCENARIOS = {  # named after the files in symmtom/scenarios/files
    "order0_w6": "zeroth order: has red itself heard the piece?",
    "order0_w12": "the same on the larger board",
    "order1and2_w6": "first and second order: what have two agents told each other? (reproduction only)",
    "order1and2_w12": "the same on the larger board (reproduction only)",
    "order2_w12": "second order: where will blue go? (reproduction only)",
    "probabilistic_w6": "uncertainty: one of two pieces was said, and red cannot know which",
    "probabilistic_w12": "the same on the larger board",
    "graded_10_w6": "the same, with the first piece said in 10 of 100 trials",
    "graded_25_w6": "the same, in 25 of 100 trials",
    "graded_75_w6": "the same, in 75 of 100 trials",
    "graded_90_w6": "the same, in 90 of 100 trials",
    "retroactive_heard_w6": "what another agent says later reveals what was said before",
    "retroactive_heard_w12": "the same on the larger board",
    "retroactive_rewarded_w6": "red's own reward reveals what was said before",
    "retroactive_rewarded_w12": "the same on the larger board",
    "contact_w6": "first order: what must blue have heard outside red's hearing?",
    "staleness_w6": "first order: what must blue have forgotten out of sight?",
    "silence_w6": "first order: which piece does blue lack, given that it said nothing?",
    "rival_w6": "first order, competitive: which agent must not be told?",
    "hearsay_w6": "second order: what did blue say, given what it thought green lacked?",
}
register_all("scenario", _SCENARIOS, "otherminds.worlds.symmtom.scenarios:SCENARIOS[{}]", "symmtom")
_SUITES = {
    "battery": "every scenario, each case as written (for more stagings: --set ways=N)",
    "twins": "scenarios whose cases look alike but require different acts",
    "paper": "the paper's six tests",
}
register_all("suite", _SUITES, "otherminds.worlds.symmtom.scenarios.items:SUITES[{}]", "symmtom")
_TABLES = {
    "1": "reward",
    "2": "success in the scenarios, mean over runs",
    "3": "success in the scenarios, best run",
    "4": "unsuccessful base uses",
    "5": "wrong pieces",
    "6": "useless pieces",
    "7": "useless moves",
    "battery": "theory-of-mind battery",
    "beliefs": "accuracy of belief rules",
    "claims": "the paper's claims about its tables",
}
register_all("table", _TABLES, "otherminds.worlds.symmtom.cli.table:table", "symmtom")
_COMMANDS = {
    "new scenario": ("scenarios:new_scenario", "write a template for a scenario file"),
    "train symmtom": ("train:train", "train agents"),
    "sweep symmtom": ("train:sweep", "train every combination of models, settings and seeds"),
    "table symmtom": ("table:table", "reproduce a table of the paper"),
    "figure symmtom": ("figure:figure", "draw a figure of the paper"),
}
register_all("command", _COMMANDS, "otherminds.worlds.symmtom.cli.{}", "symmtom")
_PROOFS = "proves the claims of each scenario"
register(Entry("verifier", "symmtom", "otherminds.worlds.symmtom.cli.scenarios:VERIFIER", _PROOFS, world="symmtom"))
