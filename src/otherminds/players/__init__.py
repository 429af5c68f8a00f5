"""Players, by name. Importing this registers them and imports none."""

from __future__ import annotations

from otherminds.core.registry import Entry, register

_SYMMTOM = {
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
    "nearest": ("walkers:NEAREST", "walks to the nearest agent; no theory of mind"),
    "farthest": ("walkers:FARTHEST", "walks to the farthest agent; no theory of mind"),
    "chase": ("walkers:CHASE", "walks after one agent; no theory of mind"),
    "centre": ("walkers:CENTRE", "walks to the centre; no theory of mind"),
    "decoupled": ("decoupled:decoupled", "says what the planner believes and does what the heuristic does"),
}
for _name, (_target, _summary) in _SYMMTOM.items():
    register(Entry("mind", _name, f"otherminds.players.symmtom.{_target}", _summary, world="symmtom"))
_TOMI = {
    "always-reality": ("rules:AlwaysReality", "where the object is, except for the beginning"),
    "always-first": ("rules:AlwaysFirst", "where the object was first, except for reality"),
    "always-before": ("rules:AlwaysBefore", "where the object was before its last move, except for those two"),
    "random": ("rules:RandomCandidate", "any of the choices"),
    "question-only": ("rules:QuestionOnly", "learned from questions and choices alone, without stories"),
    "algorithm-1": ("rules:Algorithm1", "the paper's rules, which tell no agents apart"),
    "algorithm-1-first": ("rules:Algorithm1First", "the same, with the first exit anywhere, else the beginning"),
    "algorithm-1-last": ("rules:Algorithm1Last", "the same, else the end, and with noise taken for evidence"),
    "exit": ("rules:ExitRule", "where the object was when somebody asked about first left"),
    "tracker": ("rules:Tracker", "follows who sees what: always right; tracker:order=1 keeps one mind apart"),
    "decoupled": ("rules:decoupled", "says what the tracker says, and acts as if everybody knew the truth"),
    "bag-of-words": ("bags:BagOfWords", "learned from how often words occur, without order or names"),
    "bag-of-events": ("bags:BagOfEvents", "learned from how often who does what where, without order"),
}
for _name, (_target, _summary) in _TOMI.items():
    register(Entry("mind", _name, f"otherminds.players.tomi.{_target}", _summary, world="tomi"))
_DECRYPTO = {
    "embedding": ("embedding:embedding", "the paper's baseline: cosine similarity and nothing else, in any seat"),
    "glove": ("embedding:LEXICA[glove]", "the baseline with GloVe vectors; glove~0.5 adds noise to them"),
    "minilm": ("embedding:LEXICA[minilm]", "the baseline with vectors of a sentence encoder"),
    "moby": ("embedding:LEXICA[moby]", "the baseline with vectors of a thesaurus"),
    "bayes": ("bayes:bayes", "Eve who infers the keywords from the hints; as Bob, a literal listener"),
    "rsa": ("rsa:rsa", "Alice who models Bob and what Eve believes; Bob of order 0, 1 or 2"),
    "adaptive": ("adaptive:adaptive", "Alice who learns from guesses whom she plays with and against"),
    "uniform": ("uniform:Uniform", "Bob or Eve who guesses evenly"),
    "perfect": ("uniform:Perfect", "Bob or Eve who is shown the code, from a turn on: a reference, not a contender"),
    "reality-biased": ("controls:reality_biased", "Eve says what she is shown: the floor of Smarties"),
    "simulating": ("controls:simulating", "Eve answers as if she had not been shown it, Alice asks an Eve in her mind"),
    "leaky": ("controls:leaky", "Eve lets each word that she is shown take her own's place with probability q"),
    "resampling": ("controls:resampling", "Eve draws from her belief each time she is asked"),
    "egocentric": ("controls:egocentric", "Alice predicts that Eve says the code: the floor of three mountains"),
    "decoupled": ("controls:decoupled", "acts as the baseline, answers as a mind that models the others"),
    "likelihood": ("likelihood:likelihood", "a language model that is weighed: which hints does it find likely?"),
}
for _name, (_target, _summary) in _DECRYPTO.items():
    for _world in ("decrypto", "decrypto-duel"):
        register(Entry("mind", _name, f"otherminds.players.decrypto.{_target}", _summary, world=_world))
_EXPERIMENTS = {  # the files of evals/decrypto/experiments
    "smarties": "does Eve recall what she thought before the keywords were shown to her?",
    "three_mountains": "does Alice know what Eve will guess?",
    "hide": "hints are blotted out for Eve: does an Alice who is told make use of it?",
    "falsify": "hints are replaced for Eve: does an Alice who is told make use of it?",
    "reveal": "a keyword is shown to Eve: does an Alice who is told avoid it?",
    "self_play": "every mind in all three seats",
    "competition": "Alice and Bob of one mind against Eve of another",
    "cross_play": "Alice of one mind with Bob of another",
    "prompt_robustness": "do the words of the prompts matter?",
    "lexicon_x_alice": "distance of lexica by how deep Alice thinks",
    "lexicon_x_bob": "distance of lexica by how deep Bob thinks",
}
for _name, _summary in _EXPERIMENTS.items():
    _target = f"otherminds.evals.decrypto.read:EXPERIMENTS[{_name}]"
    register(Entry("experiment", _name, _target, _summary, world="decrypto"))
_ENACTTOM = {
    "oracle": ("policies:oracle", "looks as deep as anybody can: the ceiling"),
    "tracker": ("policies:tracker", "keeps track of who knows what to a depth, and commits itself to what it knows"),
    "greedy": ("scripted:Greedy", "supposes that all know what it knows, and guesses the rest"),
    "decoupled": ("scripted:decoupled", "says what a deep tracker says, and acts as the greedy does"),
}
for _name, (_target, _summary) in _ENACTTOM.items():
    register(Entry("mind", _name, f"otherminds.players.enacttom.{_target}", _summary, world="enacttom"))
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
for _name, _summary in _BELIEFS.items():
    _part = f"otherminds.players.symmtom.believing:BELIEFS[{_name}]"
    register(Entry("belief", _name, _part, _summary, world="symmtom", extra="jax"))
