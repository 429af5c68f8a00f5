"""SymmToM without JAX: everything works on NumPy but the engine that needs it."""

from __future__ import annotations

import subprocess
import sys


def test_everything_but_the_jax_engine_works_without_jax() -> None:
    code = """
import sys
for name in ("jax", "jaxlib", "gymnasium", "pettingzoo"):
    sys.modules[name] = None
import numpy as np
from otherminds.worlds.symmtom import ledger, metrics, record, text
from otherminds.worlds.symmtom.beliefs import belief_rules
from otherminds.worlds.symmtom.envs import env
from otherminds.worlds.symmtom.observe import perceive
from otherminds.worlds.symmtom.types import Action, Params
params, rng = Params(decay=2), np.random.default_rng(0)
observations, state = env.reset(rng, params)
belief = belief_rules.begin(perceive(state, params), params, belief_rules.GREEDY)
states = [state]
for _ in range(35):
    action = Action(*(rng.integers(0, high, 3, dtype=np.int32) for high in (5, 3)))
    observations, state, *_ = env.step_auto_reset(rng, state, action, params)
    belief = belief_rules.update(belief, perceive(state, params), params, belief_rules.GREEDY)
    states.append(state)
ledger.probe(params, states[:10], (0, 1))
text.describe(observations[0], params, 0)
from otherminds.core.errors import MissingExtra
from otherminds.worlds.symmtom.envs.engines import Engine
try:
    Engine("jax", params)
except MissingExtra as error:
    print(error)
"""
    done = subprocess.run([sys.executable, "-W", "error", "-c", code], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert "install otherminds[jax]" in done.stdout
