"""SymmToM: alike agents gather, tell and forget pieces of information.

Read ``types``, ``rules`` and ``observe`` first; ``session`` plays an episode, ``world`` opens it. ``scenarios`` holds
the theory-of-mind tests. Importing this package registers everything that belongs to the world and imports none of it.
"""

from __future__ import annotations

from otherminds.core.registry import Entry, register, register_all

register(
    Entry(
        "world",
        "symmtom-v0",
        "otherminds.worlds.symmtom.world:SymmToM",
        "alike agents move, speak, hear and forget; who knows what?",
    )
)
_MINDS = {
    "random": ("scripted:RANDOM", "moves and pieces drawn evenly"),
    "still": ("scripted:STILL", "never moves, never speaks"),
    "heuristic": ("scripted:HEURISTIC", "the paper's heuristic: meet in the centre, say everything in turn"),
    "belief": ("scripted:BELIEF", "meets between the bases, says what others are thought to lack"),
    "belief-zeroth": ("scripted:BELIEF_ZEROTH", "the same without any belief about others"),
    "belief-greedy": ("scripted:BELIEF_GREEDY", "the same with greedy guesses at what it did not hear"),
    "oracle": ("scripted:ORACLE", "the same told what others know: a reference, not a contender"),
    "planner": ("planner:PLANNER", "plans tours by what it believes, of the second order of theory of mind"),
    "planner-1": ("planner:PLANNER_1", "the same of the first order"),
    "planner-evidence": ("planner:PLANNER_EVIDENCE", "the first order without inference: only what was heard"),
    "planner-0": ("planner:PLANNER_0", "the same of the zeroth order: remembers, but makes nothing of others"),
    "planner-none": ("planner:PLANNER_NONE", "the same without memory"),
    "nearest": ("scripted:NEAREST", "walks to the nearest agent; no theory of mind"),
    "farthest": ("scripted:FARTHEST", "walks to the farthest agent; no theory of mind"),
    "chase": ("scripted:CHASE", "walks after one agent; no theory of mind"),
    "centre": ("scripted:CENTRE", "walks to the centre; no theory of mind"),
    "decoupled": ("planner:decoupled", "says what the planner believes and does what the heuristic does"),
}
register_all("mind", _MINDS, "otherminds.players.symmtom.{}", "symmtom")
_BELIEFS = {
    "none": "no memory at all (MADDPG)",
    "zeroth": "own knowledge only, nothing about others",
    "oracle": "shown what everyone knows (Oracle)",
    "conservative": "what was witnessed, nothing about what was not (CE)",
    "attentive": "conservative, and who says a piece knows it",
    "greedy": "unheard speakers said what fewest around them knew (GE)",
    "estimated": "a network guesses what unheard speakers said (EE)",
    "recurrent": "whatever a recurrent network keeps (RMADDPG)",
    "bayesian": "likelihoods over all that unheard speakers may have said",
    "deductive": "likelihoods by the second order: others said what they thought that their listeners lacked",
    "wary": "deductive with four times as many possible worlds, and whose next recharge would win",
    "second-order": "attentive, and what others think that others know",
}
register_all("belief", _BELIEFS, "otherminds.players.symmtom.believing:BELIEFS[{}]", "symmtom", extra="jax")
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
register_all("scenario", _SCENARIOS, "otherminds.worlds.symmtom.scenarios:SCENARIOS[{}]", "symmtom")
_SUITES = {
    "battery": "every scenario, each case as it is written (more stagings: --set ways=N)",
    "twins": "the scenarios whose cases look alike and ask for different acts",
    "paper": "the paper's six tests",
}
register_all("suite", _SUITES, "otherminds.worlds.symmtom.scenarios.items:SUITES[{}]", "symmtom")
_TABLES = {
    "1": "reward",
    "2": "scenarios, mean over runs",
    "3": "scenarios, best run",
    "4": "recharges",
    "5": "speech",
    "6": "moves",
    "7": "distance",
    "battery": "twins",
    "beliefs": "errors of beliefs",
    "claims": "the paper's claims",
}
register_all("table", _TABLES, "otherminds.cli.symmtom_table:table", "symmtom")
_COMMANDS = {
    "new scenario": ("symmtom_scenarios:new_scenario", "write a scenario file to start from"),
    "train symmtom": ("symmtom_learn:train", "train agents"),
    "sweep symmtom": ("symmtom_learn:sweep", "train many agents"),
    "table symmtom": ("symmtom_table:table", "the paper's tables"),
    "figure symmtom": ("symmtom_results:figure", "the paper's figures"),
}
register_all("command", _COMMANDS, "otherminds.cli.{}", "symmtom")
_PROOFS = "proves what each scenario claims"
register(Entry("verifier", "symmtom", "otherminds.cli.symmtom_scenarios:VERIFIER", _PROOFS, world="symmtom"))
