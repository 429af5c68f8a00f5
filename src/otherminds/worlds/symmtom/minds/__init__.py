"""Minds of SymmToM: scripted policies, the planner, and trained agents."""

# Names that training and evaluation share, kept free of JAX.
ACTOR, RESULT = "actor.safetensors", "result.json"  # files of a finished run
EVALUATION_SEED = 1_000_003  # far from training seeds, so that evaluation episodes are new
RENAMED = {  # former names of registered minds, as records still have them
    "planner-1": "planner:order=1",
    "planner-0": "planner:order=0",
    "planner-none": "planner:order=none",
    "planner-evidence": "planner:order=evidence",
    "belief-zeroth": "belief:rule=zeroth",
    "belief-greedy": "belief:rule=greedy",
}
PAPER_MODELS = {  # the paper's names of the trained models
    "maddpg-none": "MADDPG",
    "maddpg-oracle": "MADDPG-Oracle",
    "maddpg-recurrent": "RMADDPG",
    "maddpg-conservative": "MADDPG-CE",
    "maddpg-greedy": "MADDPG-GE",
    "maddpg-estimated": "MADDPG-EE",
}
