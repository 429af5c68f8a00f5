"""Everything that a mind or a world of your own needs, in one import."""

from __future__ import annotations

from otherminds.core.episodes import Episode, EpisodeWriter, read_episodes
from otherminds.core.errors import UserError
from otherminds.core.form import Choice, Form, Number, Several, Unreadable, Words
from otherminds.core.ledger import Ledger
from otherminds.core.match import Lineup, Referee, play, play_one
from otherminds.core.mind import BaseMind, Briefing, CannotAnswer, Mind, Policy, Reply
from otherminds.core.registry import Entry, register
from otherminds.core.seeds import Draw
from otherminds.core.world import Anchors, Ask, Item, Outcome, Played, Probe, Script, Session, View, World
from otherminds.minds.baselines import DecoupledMind
from otherminds.minds.find import find_mind, minds_for
from otherminds.minds.play_all import play_all

__all__ = [
    "Anchors", "Ask", "BaseMind", "Briefing", "CannotAnswer", "Choice", "DecoupledMind", "Draw", "Entry", "Episode",
    "EpisodeWriter", "Form", "Item", "Ledger", "Lineup", "Mind", "Number", "Outcome", "Played", "Policy", "Probe",
    "Referee", "Reply", "Script", "Session", "Several", "Unreadable", "UserError", "View", "Words", "World",
    "find_mind", "minds_for", "play", "play_all", "play_one", "read_episodes", "register",
]  # fmt: skip
