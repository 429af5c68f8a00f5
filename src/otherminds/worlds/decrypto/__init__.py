"""Decrypto: Alice hints a secret code to Bob, and Eve listens.

Read ``types``, ``rules`` and ``observe`` first; ``session`` plays an episode, ``world`` opens it, ``duel`` lets two
teams play against each other. Importing this package registers the parts of the world without importing them.
"""

from __future__ import annotations

from otherminds.core.registry import register_all

_DUEL = "two teams play Decrypto against each other; each team's Eve listens to the other team"
_WORLDS = {
    "decrypto-v0": ("world:Decrypto", "Alice gives Bob hints for a code while Eve listens"),
    "decrypto-duel-v0": ("duel:DecryptoDuel", _DUEL),
}
register_all("world", _WORLDS, "otherminds.worlds.decrypto.{}")
_MINDS = {
    "embedding": ("embedding:embedding", "the paper's baseline: matches words by cosine similarity; any seat"),
    "glove": ("embedding:LEXICA[glove]", "embedding with GloVe vectors"),
    "minilm": ("embedding:LEXICA[minilm]", "embedding with the vectors of a sentence encoder"),
    "moby": ("embedding:LEXICA[moby]", "embedding with the vectors of a thesaurus"),
    "bayes": ("bayes:bayes", "Eve: infers the keywords from past hints; Bob: a literal listener"),
    "rsa": ("rsa:rsa", "Alice: models what Bob understands and what Eve believes; Bob: reasons to order 0, 1 or 2"),
    "adaptive": ("adaptive:adaptive", "Alice: learns from past guesses which words Bob and Eve associate"),
    "uniform": ("controls:Uniform", "Bob or Eve: guesses at random"),
    "perfect": ("controls:Perfect", "Bob or Eve: is shown the code; for reference only"),
    "reality-biased": ("controls:reality_biased", "Eve: repeats the words she is shown; the floor in Smarties"),
    "simulating": (
        "controls:simulating",
        "Eve: ignores what she is shown; Alice: simulates Eve; the ceiling in Smarties and Three Mountains",
    ),
    "leaky": ("controls:leaky", "Eve: with probability q, replaces each of her words with the word shown"),
    "resampling": ("controls:resampling", "Eve: samples a new answer from her belief for each probe"),
    "egocentric": ("controls:egocentric", "Alice: predicts that Eve guesses the code; the floor in Three Mountains"),
    "decoupled": (
        "controls:decoupled",
        "acts like the baseline, but answers probes like a mind that models the others",
    ),
}
for _world in ("decrypto", "decrypto-duel"):
    register_all("mind", _MINDS, "otherminds.worlds.decrypto.minds.{}", _world)
_EXPERIMENTS = {  # the files of decrypto/evals/experiments
    "smarties": "does Eve recall what she thought before she was shown the keywords?",
    "three_mountains": "does Alice know what Eve will guess?",
    "hide": "past hints are hidden from Eve: does Alice use this when she is told?",
    "falsify": "Eve is shown false past hints: does Alice use this when she is told?",
    "reveal": "Eve is shown a keyword: does Alice protect it when she is told?",
    "self_play": "each mind plays all three seats",
    "competition": "one mind as Alice and Bob against another as Eve",
    "cross_play": "one mind as Alice with another as Bob",
    "prompt_robustness": "does the phrasing of the prompts matter?",
    "lexicon_x_alice": "effect of the difference between lexica, by Alice's order of reasoning",
    "lexicon_x_bob": "effect of the difference between lexica, by Bob's order of reasoning",
}
register_all("experiment", _EXPERIMENTS, "otherminds.worlds.decrypto.evals.experiment_file:EXPERIMENTS[{}]", "decrypto")
_SUITES = {"standard": "seeded games, without probes", **_EXPERIMENTS}  # every experiment is a suite as well
register_all("suite", _SUITES, "otherminds.worlds.decrypto.world:Decrypto", "decrypto")
_TABLES = {
    "sizes": "the embedding baseline in self-play, by k and vocabulary",
    "competition": "Alice and Bob with one lexicon against Eve with another",
    "crossplay": "Alice with one lexicon and Bob with another",
    "used-codes": "the value of ruling out codes that were already played",
    "rsa": "the value of modelling Eve",
    "adhoc": "playing with an unknown partner",
    "ceiling": "the value of knowing the partner's lexicon",
    "small": "Bob at each order of reasoning, in a game small enough to enumerate",
}
register_all("table", _TABLES, "otherminds.worlds.decrypto.cli:table", "decrypto")
_COMMANDS = {
    "new experiment": ("new_experiment", "write an experiment file to start from"),
    "sweep decrypto": ("sweep", "run an experiment with every combination of minds"),
    "table decrypto": ("table", "compute a table from scripted minds"),
    "figure decrypto": ("figure", "draw the match-ups of an experiment"),
}
register_all("command", _COMMANDS, "otherminds.worlds.decrypto.cli:{}", "decrypto")
