"""A mind whose words and acts come apart: a control for tables that show both."""

from __future__ import annotations

from otherminds.minds.policy import PolicyMind
from otherminds.minds.simple import DecoupledMind
from otherminds.players.symmtom.planner import PLANNER
from otherminds.players.symmtom.scripted import HEURISTIC


def decoupled() -> DecoupledMind:
    """Says what the planner believes of others, and acts as the paper's heuristic, which goes by nobody's belief."""
    return DecoupledMind(PolicyMind(HEURISTIC), PolicyMind(PLANNER))
