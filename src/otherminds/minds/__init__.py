"""Minds for any world: ``random``, ``human``, ``recorded``, ``silent``, language models, and policies at a table.

Start with :mod:`otherminds.minds.find`: it turns names such as ``rsa:lam=4`` into minds. Importing this package
registers the minds and imports none of them.
"""

from __future__ import annotations

from otherminds.core.registry import register_all

_MINDS = {
    "random": ("minds.baselines:RandomMind", "gives a random valid reply"),
    "silent": ("minds.baselines:SilentMind", "never replies; the world's default reply is used each time"),
    "human": ("minds.human:HumanMind", "a person at the terminal, shown what the seat perceives"),
    "recorded": ("minds.baselines:recorded", "repeats the replies recorded in a file, as in recorded:FILE"),
}
register_all("mind", _MINDS, "otherminds.{}")
_LIKELIHOOD = {
    "likelihood": ("likelihood", "picks the option to which a language model assigns the highest probability")
}
register_all("mind", _LIKELIHOOD, "otherminds.llm.likelihood:{}", extra="llm")
