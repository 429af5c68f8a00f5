"""Our tables of Decrypto: who plays whom. References are figures of spec 3.1 and 9, with other vectors and bank."""

from __future__ import annotations

from otherminds.evals.decrypto.tables import Match, Plan

LEXICA = ("glove", "minilm", "moby")
SPEC_9 = 1000  # first seed of the games that spec 9 reports

# spec 3.1, N = 3,000 with GloVe
_SIZES = {4: 4.10, 8: 4.20, 16: 4.37, 32: 4.63, 64: 5.01, 128: 5.44}


def _sizes() -> Plan:
    rows = {}
    for lexicon in LEXICA:
        for number in (3000, 4900):
            known = _SIZES if (lexicon, number) == ("glove", 3000) else {}
            rows[f"{lexicon}, {number:,} hint words"] = tuple(
                Match(f"embedding:lexicon={lexicon},k={k},vocabulary_size={number}", lexicon, lexicon, known.get(k))
                for k in _SIZES
            )
    # The bar on our own bank: 4.19 turns at K = 16 and N = 4,900.
    bar = list(rows["glove, 4,900 hint words"])
    bar[2] = Match(bar[2].alice, bar[2].bob, bar[2].eve, 4.19)
    rows["glove, 4,900 hint words"] = tuple(bar)
    return Plan("Self-play of the embedding baseline by K and vocabulary", tuple(f"K={k}" for k in _SIZES), rows)


def _competition() -> Plan:
    known = {
        ("glove", "glove"): 4.14,
        ("glove", "minilm"): 5.28,
        ("minilm", "glove"): 5.10,
        ("minilm", "minilm"): 4.19,
    }
    rows = {one: tuple(Match(one, one, eve, known.get((one, eve))) for eve in LEXICA) for one in LEXICA}
    return Plan("Competition: Alice and Bob of one lexicon (rows) against Eve of another", LEXICA, rows)


def _crossplay() -> Plan:
    known = {
        ("glove", "glove"): 4.11,
        ("glove", "minilm"): 3.58,
        ("minilm", "glove"): 4.11,
        ("minilm", "minilm"): 5.12,
    }
    rows = {one: tuple(Match(one, bob, "glove", known.get((one, bob))) for bob in LEXICA) for one in LEXICA}
    return Plan("Cross-play: Alice (rows) with Bob of another lexicon, Eve is GloVe", LEXICA, rows)


def _used_codes() -> Plan:
    rows = {}
    for text, option, known in (("does not", "false", 4.24), ("does", "true", 4.10)):
        eve = "embedding:lexicon={},remembers_codes=" + option
        rows[f"Eve {text} leave out played codes"] = tuple(
            Match(one, one, eve.format(one), known if one == "glove" else None) for one in LEXICA
        )
    first = next(iter(rows))
    return Plan("Leaving out codes that were played", LEXICA, rows, against=first)


def _rsa() -> Plan:
    """Spec 9.2: Alice and Bob share GloVe; the pool that a chooser has is controlled for."""
    eves = ("glove", "bayes", "minilm")
    rows = {
        "baseline, K=16": ("embedding:lexicon=glove,k=16", "glove", (4.30, 3.38, 5.50)),
        "baseline, K=60 (same pool)": ("embedding:lexicon=glove,k=60", "glove", (4.66, 3.85, 6.57)),
        "baseline, K=150 (same pool)": ("embedding:lexicon=glove,k=150", "glove", None),
        "RSA, lambda=0": ("rsa:lam=0", "rsa", (3.92, 3.01, 4.40)),
        "RSA, lambda=4, 60 candidates": ("rsa:lam=4,candidates=60", "rsa", (7.34, 7.53, 7.69)),
        "RSA, lambda=4": ("rsa:lam=4", "rsa", None),
        "RSA, lambda=4, mu=0.1, fears both Eves": ("rsa:lam=4,mu=0.1,fears=bayes+embedding", "rsa", None),
    }
    return Plan(
        "Modelling Eve: Alice and Bob share GloVe",
        ("embedding Eve", "Bayesian Eve", "embedding Eve, MiniLM (held out)"),
        {
            name: tuple(Match(alice, bob, eve, known[at] if known else None) for at, eve in enumerate(eves))
            for name, (alice, bob, known) in rows.items()
        },
        SPEC_9,
        "baseline, K=16",
    )


_EVES = ("minilm", "bayes:lexicon=minilm", "bayes:lexicon=glove")
_Known = tuple[float, float, float] | None


def _unknown_partner(title: str, rows: dict[str, tuple[str, _Known]]) -> Plan:
    """Spec 9.3: Bob and two of the Eves have a lexicon that Alice does not know."""
    base = "baseline glove, K=16"
    every: dict[str, tuple[str, _Known]] = {base: ("embedding:lexicon=glove,k=16", (4.18, 3.85, 3.38)), **rows}
    return Plan(
        title,
        ("embedding Eve, MiniLM", "Bayesian Eve, MiniLM", "Bayesian Eve, GloVe"),
        {
            name: tuple(Match(alice, "minilm", eve, known[at] if known else None) for at, eve in enumerate(_EVES))
            for name, (alice, known) in every.items()
        },
        SPEC_9,
        base,
    )


def _adhoc() -> Plan:
    rows: dict[str, tuple[str, _Known]] = {
        "baseline glove, K=8": ("embedding:lexicon=glove,k=8", None),
        "baseline moby, K=16": ("embedding:lexicon=moby,k=16", None),
        "RSA, glove+moby, lambda=1": ("rsa:lexicon=glove+moby,lam=1,candidates=60", (4.95, 4.86, 5.37)),
        "adaptive, does not adapt": ("adaptive:adapts=false", None),
        "adaptive": ("adaptive", None),
    }
    return _unknown_partner("An unknown partner: Bob is MiniLM, Alice knows GloVe and Moby", rows)


def _ceiling() -> Plan:
    rows: dict[str, tuple[str, _Known]] = {
        "RSA, takes Bob for GloVe": ("rsa:lam=4,candidates=60", (3.89, 3.83, 3.86)),
        "adaptive, Bob's lexicon is one of three": ("adaptive:lexicon=glove+moby+minilm", None),
        "RSA, knows Bob's lexicon": ("rsa:lexicon=minilm,candidates=60", None),
    }
    return _unknown_partner("What it is worth to know the partner: Bob is MiniLM", rows)


PLANS = {
    "sizes": _sizes(),
    "competition": _competition(),
    "crossplay": _crossplay(),
    "used-codes": _used_codes(),
    "rsa": _rsa(),
    "adhoc": _adhoc(),
    "ceiling": _ceiling(),
}
