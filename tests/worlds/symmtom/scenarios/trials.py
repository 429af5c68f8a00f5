"""Trials of scenarios, played by whatever the tests need."""

from __future__ import annotations

from typing import Any

from otherminds.core.episodes import Episode
from otherminds.core.match import play_one
from otherminds.core.mind import Policy
from otherminds.minds.policy import PolicyMind
from otherminds.worlds.symmtom.scenarios.items import AS_WRITTEN, Trial
from otherminds.worlds.symmtom.scenarios.staging import Staging
from otherminds.worlds.symmtom.scenarios.types import Case, Scenario
from otherminds.worlds.symmtom.world import SymmToM


def trial_episode(scenario: Scenario, case: Case, mind: Any, seed: int = 0, staging: Staging = AS_WRITTEN) -> Episode:
    """The record of a trial with a policy or a mind in the tested seat."""
    trial = Trial(scenario, case, staging)
    seated = PolicyMind(mind) if isinstance(mind, Policy) else mind
    return play_one(SymmToM(params=scenario.params).open(seed, trial.item()), {f"agent_{trial.seats[0]}": seated})
