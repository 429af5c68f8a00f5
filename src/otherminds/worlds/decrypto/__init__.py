"""Decrypto: Alice hints a secret code to Bob, and Eve listens.

Read ``types``, ``rules`` and ``observe`` first; ``session`` plays an episode, ``world`` opens it, ``duel`` lets two
teams play against each other. Importing this package registers the parts of the world without importing them.
"""

from __future__ import annotations

from otherminds.core.registry import register_all

_DUEL = "two teams of Decrypto play against each other; the Eve of each hears the other"
_WORLDS = {
    "decrypto-v0": ("world:Decrypto", "Alice hints a code to Bob while Eve listens"),
    "decrypto-duel-v0": ("duel:DecryptoDuel", _DUEL),
}
register_all("world", _WORLDS, "otherminds.worlds.decrypto.{}")
_MINDS = {
    "embedding": ("embedding:embedding", "the paper's baseline, by cosine similarity; any seat"),
    "glove": ("embedding:LEXICA[glove]", "the baseline with GloVe vectors"),
    "minilm": ("embedding:LEXICA[minilm]", "the baseline with vectors of a sentence encoder"),
    "moby": ("embedding:LEXICA[moby]", "the baseline with vectors of a thesaurus"),
    "bayes": ("bayes:bayes", "Eve who infers the keywords from past hints; as Bob, a literal listener"),
    "rsa": ("rsa:rsa", "Alice who models Bob and Eve's beliefs; Bob of order 0, 1 or 2"),
    "adaptive": ("adaptive:adaptive", "Alice who learns from guesses about her partner and her opponent"),
    "uniform": ("controls:Uniform", "Bob or Eve who guesses at random"),
    "perfect": ("controls:Perfect", "Bob or Eve who is shown the code: a reference, not a contender"),
    "reality-biased": ("controls:reality_biased", "Eve who says what she is shown: the floor of Smarties"),
    "simulating": ("controls:simulating", "the ceiling: Eve who ignores what she is shown, or Alice who simulates Eve"),
    "leaky": ("controls:leaky", "Eve who lets each word that she is shown replace her own with probability q"),
    "resampling": ("controls:resampling", "Eve who draws from her belief for each probe"),
    "egocentric": ("controls:egocentric", "Alice who predicts that Eve guesses the code: the floor of three mountains"),
    "decoupled": ("controls:decoupled", "acts as the baseline, answers probes as a mind that models the others"),
    "likelihood": ("likelihood:likelihood", "Bob or Eve by the likelihoods of a language model"),
}
for _world in ("decrypto", "decrypto-duel"):
    register_all("mind", _MINDS, "otherminds.worlds.decrypto.minds.{}", _world)
_EXPERIMENTS = {  # the files of decrypto/evals/experiments
    "smarties": "does Eve recall what she thought before the keywords were shown to her?",
    "three_mountains": "does Alice know what Eve will guess?",
    "hide": "hints are blotted out for Eve: does Alice act on it when told?",
    "falsify": "hints are replaced for Eve: does Alice act on it when told?",
    "reveal": "a keyword is shown to Eve: does Alice avoid it when told?",
    "self_play": "every mind in all three seats",
    "competition": "Alice and Bob of one mind against Eve of another",
    "cross_play": "Alice of one mind with Bob of another",
    "prompt_robustness": "does the phrasing of the prompts matter?",
    "lexicon_x_alice": "distance of lexica by depth of Alice",
    "lexicon_x_bob": "distance of lexica by depth of Bob",
}
register_all("experiment", _EXPERIMENTS, "otherminds.worlds.decrypto.evals.experiment_file:EXPERIMENTS[{}]", "decrypto")
_SUITES = {"standard": "episodes by seed, without probes", **_EXPERIMENTS}  # every experiment is a suite as well
register_all("suite", _SUITES, "otherminds.worlds.decrypto.world:Decrypto", "decrypto")
_TABLES = ("sizes", "competition", "crossplay", "used-codes", "rsa", "adhoc", "ceiling", "small")
register_all("table", dict.fromkeys(_TABLES, "mean turns by minds"), "otherminds.worlds.decrypto.cli:table", "decrypto")
_COMMANDS = {
    "new experiment": ("new_experiment", "write an experiment file to start from"),
    "sweep decrypto": ("sweep", "run an experiment"),
    "table decrypto": ("table", "the paper's tables"),
    "figure decrypto": ("figure", "figures of an experiment"),
}
register_all("command", _COMMANDS, "otherminds.worlds.decrypto.cli:{}", "decrypto")
