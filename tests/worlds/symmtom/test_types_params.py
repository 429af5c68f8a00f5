"""Which worlds there can be, and why others are refused."""

from __future__ import annotations

from dataclasses import FrozenInstanceError, fields
from typing import Any

import numpy as np
import pytest

from otherminds.core.errors import UserError
from otherminds.worlds.symmtom.types import PAPER_SETTINGS, Params
from tests.reference.pairing import random_params

REFUSED: list[tuple[dict[str, Any], str]] = [
    ({"hearing": 1, "width": 3}, "hearing is 1; expected at most 0 on a board of width 3"),
    ({"hearing": 3, "width": 7}, r".* expected at most 2 on a board"),
    ({"hearing": -1}, "hearing is -1; a radius cannot be negative"),
    ({"num_agents": 1}, "num_agents is 1; expected 2 to 10"),
    ({"num_agents": 11}, "num_agents is 11; expected 2 to 10"),
    ({"num_pieces": 0}, "num_pieces is 0; expected 1 to 32"),
    ({"num_pieces": 33}, "num_pieces is 33; expected 1 to 32"),
    ({"width": 65}, "width is 65; expected 2 to 64"),
    ({"width": 1, "hearing": 0}, "width is 1"),
    ({"num_turns": -1}, "num_turns is -1; an episode needs at least one turn"),
    ({"speech_delay": 0}, "speech_delay is 0; expected 1 or 2"),
    ({"speech_delay": 3}, "speech_delay is 3; expected 1 or 2"),
    ({"vision": 0}, "vision is 0; expected at least the hearing range, 1 \\(agents must see what they hear\\)"),
    ({"owners": 3}, "owners is 3 with 3 agents; expected 1 to 2"),
    ({"owners": 0}, "owners is 0"),
    ({"decay": 0}, "decay is 0; expected at least one turn"),
    ({"competitive": 1}, "competitive is 1; expected at least 2"),
    ({"num_agents": 5, "width": 2, "hearing": 0}, "5 agents need 5 cells, but only 4 are free"),
    (
        {"num_agents": 9, "width": 4, "start_on_base": False},
        "9 agents and their separate bases need 18 cells, but only 16 are free",
    ),
    ({"num_agents": 7, "width": 4, "middle_block": True, "start_on_base": False}, ".* 14 cells, but only 12 are free"),
    ({"base": "proportionate"}, "base is 'proportionate'; did you mean 'proportional'"),
    ({"positions": "here"}, "positions is 'here'; expected one of relative, absolute"),
    ({"width": "6"}, "width is '6'; expected a whole number"),
    ({"width": 6.0}, "width is 6.0; expected a whole number"),
    ({"num_agents": True}, "num_agents is True; expected a whole number"),
    ({"swaps": 1}, "swaps is 1; expected true or false"),
    ({"swaps": None}, "swaps is None; expected true or false"),
    ({"move_cost": "0.1"}, "move_cost is '0.1'; expected a number"),
    ({"move_cost": True}, "move_cost is True"),
    ({"move_cost": float("nan")}, "move_cost is nan"),
    ({"base_reward": float("inf")}, "base_reward is inf"),
]


@pytest.mark.parametrize(("values", "reason"), REFUSED, ids=lambda v: str(v) if isinstance(v, dict) else "")
def test_a_world_that_breaks_a_rule_is_refused_with_the_reason(values: dict[str, Any], reason: str) -> None:
    with pytest.raises(UserError, match=f"symmtom: {reason}"):
        Params(**values)


@pytest.mark.parametrize(
    "values",
    [
        {"num_agents": 2, "num_pieces": 1, "width": 4},
        {"num_agents": 10, "num_pieces": 32, "width": 64, "hearing": 31},
        {"num_agents": 4, "width": 2, "hearing": 0},
        {"num_agents": 8, "width": 4, "start_on_base": False},
        {"num_agents": 6, "width": 4, "start_on_base": False, "middle_block": True},
        {"vision": 1},
        {"owners": 2},
        {"move_cost": 1},
        {"base_reward": 0},
    ],
)
def test_a_world_at_the_edge_of_a_rule_is_allowed(values: dict[str, Any]) -> None:
    assert Params(**values).to_dict().items() >= values.items()


def test_the_papers_settings_are_twelve_with_five_turns_a_column() -> None:
    assert len(PAPER_SETTINGS) == 12
    for setting in PAPER_SETTINGS:
        params = Params.from_setting(setting)
        assert params.setting == setting
        assert params.num_turns == 5 * params.width
        assert params.full_base_reward == (params.num_agents - 1) * params.num_pieces


@pytest.mark.parametrize("setting", ["n3w6c3", "n3_w6", "", "n3_w6_c3 ", "n-3_w6_c3"])
def test_a_setting_of_another_form_is_refused(setting: str) -> None:
    with pytest.raises(UserError, match="is not of the form n<agents>_w<width>_c<pieces>"):
        Params.from_setting(setting)


def test_an_unknown_parameter_suggests_the_nearest() -> None:
    with pytest.raises(UserError, match=r"no option 'visoin'; did you mean 'vision'\?"):
        Params.from_setting("n3_w6_c3", visoin=2)


def test_params_survive_the_way_through_plain_values() -> None:
    rng = np.random.default_rng(0)
    for _ in range(100):
        params = random_params(rng)
        assert Params.from_dict(params.to_dict()) == params


def test_plain_values_hold_what_differs_from_the_defaults() -> None:
    values = Params(swaps=False).to_dict()
    assert values == {"num_agents": 3, "width": 6, "num_pieces": 3, "num_turns": 30, "swaps": False}


def test_params_cannot_be_changed() -> None:
    with pytest.raises(FrozenInstanceError):
        Params().width = 7  # type: ignore[misc]


def test_another_width_brings_its_own_number_of_turns_unless_that_was_set() -> None:
    assert Params().replace(width=8).num_turns == 40
    assert Params(num_turns=9).replace(width=8).num_turns == 9
    assert Params().replace(width=8, num_turns=3).num_turns == 3


def test_equal_params_are_one_key() -> None:
    assert len({Params(), Params(num_turns=30), Params.from_setting("n3_w6_c3")}) == 1
    assert len({Params.from_dict({f.name: not f.default}) for f in fields(Params) if isinstance(f.default, bool)}) == 20


@pytest.mark.parametrize(("width", "block"), [(4, (1, 3)), (6, (1, 4)), (8, (2, 6)), (12, (3, 9))])
def test_the_middle_block_is_central(width: int, block: tuple[int, int]) -> None:
    params = Params(width=width, middle_block=True)
    assert params.block == block
    side = block[1] - block[0]
    assert side == round(width / 2)
    assert len(params.free_cells) == width**2 - side**2
