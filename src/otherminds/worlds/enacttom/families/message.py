"""F3, one message for two who need it: one of them has read a note already. Which?

The teller must know who knows: depth 2. Whoever has read the note may say so, and that is what such messages are for.
"""

from __future__ import annotations

from otherminds.core.seeds import Draw
from otherminds.worlds.enacttom.families.parts import (
    PEOPLE,
    ROOMS,
    Content,
    colours,
    labels,
    only,
    rooms,
    stays,
    switches,
)


def message(draw: Draw, values: int | None = None, needy: int | None = None) -> Content:
    """A task with so many values for each secret, and so many people who need one."""
    needy = needy or draw.pick((2, 2, 3))
    values = values or (2 if needy == 3 else draw.pick((2, 3)))
    teller, *others = draw.some(PEOPLE, needy + 1)
    office, *places = draw.some(ROOMS, needy + 1)
    wanted = colours(draw, values)
    lamps = {who: labels(who, wanted) for who in others}
    told = needy - 1  # messages that the teller has, in as many turns
    return {
        "title": "One has read it" if needy == 2 else "One of three has read it",
        "category": "cooperative",
        "horizon": told + 2,
        "house": {
            "rooms": rooms([office, *places], 2),
            "furniture": {
                name: one
                for who, room in zip(others, places, strict=True)
                for name, one in switches(list(lamps[who].values()), room).items()
            },
        },
        "people": {
            teller: stays(office, "tell"),
            **{who: stays(room, "toggle", "tell") for who, room in zip(others, places, strict=True)},
        },
        "secrets": {
            **{f"for_{who}": {"values": wanted} for who in others},
            "reader": {"values": others, "sort": "informational"},
        },
        "mechanics": [
            {"kind": "time_window", "turns": [told + 2, told + 2]},
            *({"kind": "memo", "to": teller, "about": f"for_{who}"} for who in others),
            *({"kind": "memo", "to": who, "about": f"for_{who}", "when": {"reader": who}} for who in others),
        ],
        "talk": {
            "channels": {teller: others, **{who: [teller] for who in others}},
            "budgets": {teller: told, **dict.fromkeys(others, 1)},
            "windows": {teller: [2, told + 1], **{who: [1, 1] for who in others}},
        },
        "goal": {"and": [only(f"for_{who}", lamps[who]) for who in others]},
    }
