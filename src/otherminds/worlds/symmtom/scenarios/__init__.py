"""Theory-of-mind tests of SymmToM as data files, one per scenario (docs/howto/add_a_scenario.md)."""

from otherminds.worlds.symmtom.scenarios.read import SCENARIOS, find_scenario, load_scenario, scenario_names
from otherminds.worlds.symmtom.scenarios.types import Case, Scenario

__all__ = ["SCENARIOS", "Case", "Scenario", "find_scenario", "load_scenario", "scenario_names"]
