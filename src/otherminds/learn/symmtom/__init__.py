"""Learners of SymmToM: MADDPG and PPO over any belief."""
