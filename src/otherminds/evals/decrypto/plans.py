"""Our tables of Decrypto: who plays whom. References are figures of spec 3.1 and 9, with other vectors and bank."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from otherminds.evals.decrypto.tables import Match, Plan

LEXICA = ("glove", "minilm", "moby")
SPEC_9 = 1000  # first seed of the games that spec 9 reports
_K = (4, 8, 16, 32, 64, 128)  # nearest words that Alice chooses from
_SELF_PLAY = {  # spec 3.1 with GloVe, by hint words; the last on our own bank
    3000: {4: 4.10, 8: 4.20, 16: 4.37, 32: 4.63, 64: 5.01, 128: 5.44},
    4900: {16: 4.19},
}
_COMPETITION = {"glove": {"glove": 4.14, "minilm": 5.28}, "minilm": {"glove": 5.10, "minilm": 4.19}}
_CROSS_PLAY = {"glove": {"glove": 4.11, "minilm": 3.58}, "minilm": {"glove": 4.11, "minilm": 5.12}}
_Row = tuple[str, str, Sequence[float]]  # Alice, Bob, and the average turns against each Eve that were measured before


def _baseline(lexicon: str, k: int, number: int) -> Match:
    known = _SELF_PLAY[number].get(k) if lexicon == "glove" else None
    return Match(f"embedding:lexicon={lexicon},k={k},vocabulary_size={number}", lexicon, lexicon, known)


def _leaving_out(option: str, known: float) -> list[Match]:
    eve = "embedding:lexicon={},remembers_codes=" + option
    return [Match(one, one, eve.format(one), known if one == "glove" else None) for one in LEXICA]


def _against(title: str, eves: Mapping[str, str], rows: Mapping[str, _Row]) -> Plan:
    """Teams against several Eves, compared with the first team."""
    matches = {
        name: [Match(alice, bob, eve, known[at] if known else None) for at, eve in enumerate(eves.values())]
        for name, (alice, bob, known) in rows.items()
    }
    return Plan(title, tuple(eves), matches, SPEC_9, is_compared=True)


# Spec 9.3: Bob and two of the Eves have a lexicon that Alice does not know.
_STRANGERS = {
    "embedding Eve, MiniLM": "minilm",
    "Bayesian Eve, MiniLM": "bayes:lexicon=minilm",
    "Bayesian Eve, GloVe": "bayes:lexicon=glove",
}
_BASE: _Row = ("embedding:lexicon=glove,k=16", "minilm", (4.18, 3.85, 3.38))
PLANS = {
    "sizes": Plan(
        "Self-play of the embedding baseline by K and vocabulary",
        tuple(f"K={k}" for k in _K),
        {f"{one}, {n:,} hint words": [_baseline(one, k, n) for k in _K] for one in LEXICA for n in _SELF_PLAY},
    ),
    "competition": Plan(
        "Competition: Alice and Bob of one lexicon (rows) against Eve of another",
        LEXICA,
        {one: [Match(one, one, eve, _COMPETITION.get(one, {}).get(eve)) for eve in LEXICA] for one in LEXICA},
    ),
    "crossplay": Plan(
        "Cross-play: Alice (rows) with Bob of another lexicon, Eve is GloVe",
        LEXICA,
        {one: [Match(one, bob, "glove", _CROSS_PLAY.get(one, {}).get(bob)) for bob in LEXICA] for one in LEXICA},
    ),
    "used-codes": Plan(
        "Leaving out codes that were played",
        LEXICA,
        {
            "Eve does not leave out played codes": _leaving_out("false", 4.24),
            "Eve does leave out played codes": _leaving_out("true", 4.10),
        },
        is_compared=True,
    ),
    "rsa": _against(  # spec 9.2; the pool that a chooser has is controlled for
        "Modelling Eve: Alice and Bob share GloVe",
        {"embedding Eve": "glove", "Bayesian Eve": "bayes", "embedding Eve, MiniLM (held out)": "minilm"},
        {
            "baseline, K=16": ("embedding:lexicon=glove,k=16", "glove", (4.30, 3.38, 5.50)),
            "baseline, K=60 (same pool)": ("embedding:lexicon=glove,k=60", "glove", (4.66, 3.85, 6.57)),
            "baseline, K=150 (same pool)": ("embedding:lexicon=glove,k=150", "glove", ()),
            "RSA, lambda=0": ("rsa:lam=0", "rsa", (3.92, 3.01, 4.40)),
            "RSA, lambda=4, 60 candidates": ("rsa:lam=4,candidates=60", "rsa", (7.34, 7.53, 7.69)),
            "RSA, lambda=4": ("rsa:lam=4", "rsa", ()),
            "RSA, lambda=4, mu=0.1, fears both Eves": ("rsa:lam=4,mu=0.1,fears=bayes+embedding", "rsa", ()),
        },
    ),
    "adhoc": _against(
        "An unknown partner: Bob is MiniLM, Alice knows GloVe and Moby",
        _STRANGERS,
        {
            "baseline glove, K=16": _BASE,
            "baseline glove, K=8": ("embedding:lexicon=glove,k=8", "minilm", ()),
            "baseline moby, K=16": ("embedding:lexicon=moby,k=16", "minilm", ()),
            "RSA, glove+moby, lambda=1": ("rsa:lexicon=glove+moby,lam=1,candidates=60", "minilm", (4.95, 4.86, 5.37)),
            "adaptive, does not adapt": ("adaptive:adapts=false", "minilm", ()),
            "adaptive": ("adaptive", "minilm", ()),
        },
    ),
    "ceiling": _against(
        "What it is worth to know the partner: Bob is MiniLM",
        _STRANGERS,
        {
            "baseline glove, K=16": _BASE,
            "RSA, takes Bob for GloVe": ("rsa:lam=4,candidates=60", "minilm", (3.89, 3.83, 3.86)),
            "adaptive, Bob's lexicon is one of three": ("adaptive:lexicon=glove+moby+minilm", "minilm", ()),
            "RSA, knows Bob's lexicon": ("rsa:lexicon=minilm,candidates=60", "minilm", ()),
        },
    ),
}
