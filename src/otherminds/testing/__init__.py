"""Checks for worlds: ours and yours."""

from __future__ import annotations

from otherminds.testing.check import Check, Report, check_world

__all__ = ["Check", "Report", "check_world"]
