"""Minds for any world: ``random``, ``human``, ``recorded``, ``silent``, language models, and policies at a table.

Start with :mod:`otherminds.minds.find`: it turns names such as ``rsa:lam=4`` into minds. Importing this package
registers the minds and imports none of them.
"""

from __future__ import annotations

from otherminds.core.registry import Entry, register

_MINDS = {
    "random": ("simple:RandomMind", "gives any reply that fits the form"),
    "silent": ("simple:SilentMind", "never answers: the world's default stands for every reply"),
    "human": ("human:HumanMind", "a person at the terminal, shown what the seat perceives"),
    "recorded": ("recorded:recorded", "gives the replies of a recorded file: recorded:FILE"),
}
for _name, (_target, _summary) in _MINDS.items():
    register(Entry("mind", _name, f"otherminds.minds.{_target}", _summary))
register(
    Entry(
        "mind",
        "likelihood",
        "otherminds.llm.likelihood:likelihood",
        "a language model that is weighed: the option that it finds likeliest",
        extra="llm",
    )
)
