"""Players of SymmToM."""

# Here, where neither learners nor JAX are needed, is what all who make or read trained agents must agree on.
ACTOR, RESULT = "actor.safetensors", "result.json"  # files that a finished run leaves
EVALUATION_SEED = 1_000_003  # far from the seeds of trainings: evaluation episodes are fresh
PAPER_MODELS = {  # what the paper calls the models we train
    "maddpg-none": "MADDPG",
    "maddpg-oracle": "MADDPG-Oracle",
    "maddpg-recurrent": "RMADDPG",
    "maddpg-conservative": "MADDPG-CE",
    "maddpg-greedy": "MADDPG-GE",
    "maddpg-estimated": "MADDPG-EE",
}
