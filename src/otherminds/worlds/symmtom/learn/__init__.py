"""Learners of SymmToM: MADDPG, PPO and imitation of the planner, over any belief. Start with ``train.py``."""
