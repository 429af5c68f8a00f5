"""Decrypto: Alice hints a secret code to Bob, and Eve listens.

Read ``types``, ``rules`` and ``observe`` first; ``session`` plays an episode, ``world`` opens it. In ``duel`` two
teams play against each other. Importing this package registers what belongs to the world and imports none of it.
"""

from __future__ import annotations

from otherminds.core.registry import Entry, register, register_all

register(
    Entry(
        "world",
        "decrypto-v0",
        "otherminds.worlds.decrypto.world:Decrypto",
        "Alice hints a code to Bob while Eve listens; who can tell what Eve knows?",
    )
)
register(
    Entry(
        "world",
        "decrypto-duel-v0",
        "otherminds.worlds.decrypto.duel:DecryptoDuel",
        "two teams of Decrypto against each other: both hint, and the Eve of each hears the other",
    )
)
_MINDS = {
    "embedding": ("embedding:embedding", "the paper's baseline: cosine similarity and nothing else, in any seat"),
    "glove": ("embedding:LEXICA[glove]", "the baseline with GloVe vectors"),
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
for _world in ("decrypto", "decrypto-duel"):
    register_all("mind", _MINDS, "otherminds.players.decrypto.{}", _world)
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
register_all("experiment", _EXPERIMENTS, "otherminds.evals.decrypto.read:EXPERIMENTS[{}]", "decrypto")
# Every experiment is a suite as well.
_SUITES = {"standard": "games by seed, without probes"}
register_all("suite", _SUITES, "otherminds.worlds.decrypto.world:Decrypto", "decrypto")
_CASTS = ("sizes", "competition", "crossplay", "used-codes", "rsa", "adhoc", "ceiling", "small")
register_all("table", dict.fromkeys(_CASTS, "games by cast"), "otherminds.cli.decrypto:table", "decrypto")
_COMMANDS = {
    "new experiment": ("decrypto_experiment:new_experiment", "write an experiment file to start from"),
    "sweep decrypto": ("decrypto_experiment:sweep", "run an experiment"),
    "table decrypto": ("decrypto:table", "the paper's tables"),
    "figure decrypto": ("decrypto_experiment:figure", "figures of an experiment"),
}
register_all("command", _COMMANDS, "otherminds.cli.{}", "decrypto")
