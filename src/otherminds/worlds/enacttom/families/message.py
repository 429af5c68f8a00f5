"""F3, one message for two who need it: one of them has read a note already. Which?

The teller must know who knows: depth 2. Whoever has read the note may say so, and that is what such messages are for.
"""

from __future__ import annotations

from otherminds.core.seeds import Draw
from otherminds.worlds.enacttom.families import parts
from otherminds.worlds.enacttom.families.parts import Content


def message(draw: Draw, values: tuple[int, ...] = (2, 2), says_so: bool = True) -> Content:
    """A task.

    Args:
        draw: for names.
        values: of the secret of each person who needs one.
        says_so: whoever has read the note can say so; otherwise the teller was told who has.
    """
    needy = len(values)
    teller, *others = draw.some(parts.PEOPLE, needy + 1)
    office, *places = draw.some(parts.ROOMS, needy + 1)
    homes = dict(zip(others, places, strict=True))
    wanted = parts.colours(draw, max(values))
    lamps = {who: parts.labels(who, wanted[:number]) for who, number in zip(others, values, strict=True)}
    first = 2 if says_so else 1  # turn of the teller's first message
    last = first + needy - 1  # when the lamps can be switched
    return {
        "title": "One has read it" if needy == 2 else "One of three has read it",
        "category": "cooperative",
        "horizon": last,
        "house": {
            "rooms": parts.rooms([office, *places], 2),
            "furniture": {lamp: {"kind": "switch", "room": homes[w]} for w in others for lamp in lamps[w].values()},
        },
        "people": {
            teller: parts.stays(office, "tell"),
            **{who: parts.stays(homes[who], "toggle", *(["tell"] if says_so else [])) for who in others},
        },
        "secrets": {
            **{f"for_{who}": {"values": list(lamps[who])} for who in others},
            "reader": {"values": others, "sort": "informational"},
        },
        "mechanics": [
            {"kind": "time_window", "turns": [last, last]},
            *(parts.memo(teller, f"for_{who}") for who in others),
            *(parts.memo(who, f"for_{who}", when={"reader": who}) for who in others),
            *(parts.memo(teller, f"for_{who}", who, when={"reader": who}) for who in others if not says_so),
        ],
        "talk": {
            "channels": {teller: others, **({who: [teller] for who in others} if says_so else {})},
            "budgets": {teller: needy - 1, **(dict.fromkeys(others, 1) if says_so else {})},
            **({"windows": {teller: [2, last - 1], **{who: [1, 1] for who in others}}} if says_so else {}),
        },
        "goal": {"and": [parts.only(f"for_{who}", lamps[who]) for who in others]},
        "wishes": [{"chain": chain, "about": f"for_{who}"} for who in others for chain in ([who], [teller, who])],
    }
