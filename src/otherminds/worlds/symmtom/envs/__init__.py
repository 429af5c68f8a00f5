"""SymmToM for reinforcement learning: pure functions, engines on NumPy and JAX, and PettingZoo."""
