"""F7, mixed motives: a task of another family, in which people also want something for themselves.

What somebody wants is at odds with the shared goal in some worlds, so that others cannot take for granted that it will
do its part. A run passes by the shared goal alone; what each got for itself is reported beside it (spec 1.7).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from otherminds.core.seeds import Draw
from otherminds.worlds.enacttom.families.chain import one_link, two_links
from otherminds.worlds.enacttom.families.delegation import able, informed
from otherminds.worlds.enacttom.families.parts import Content
from otherminds.worlds.enacttom.families.placement import placement
from otherminds.worlds.enacttom.families.relay import trusted

BASES: dict[str, Callable[..., Content]] = {
    "placement": placement,
    "able": able,
    "informed": informed,
    "trusted": trusted,
    "one_link": one_link,
    "two_links": two_links,
}


def mixed(draw: Draw, base: str = "placement", **parameters: Any) -> Content:
    """A task of another family with private goals: everyone who acts has a favourite of what it can act on."""
    content = BASES[base](draw, **parameters)
    private = {who: wish for who in content["people"] if (wish := _favourite(draw, content, who))}
    return {**content, "title": f"{content['title']}, and what each wants", "category": "mixed", "private": private}


def _favourite(draw: Draw, content: Content, who: str) -> Any:
    """A switch of its room, or a place for the thing: what one who acts would have if the others did not matter."""
    verbs = content["people"][who].get("verbs", ["place"])
    furniture = content["house"]["furniture"]
    if "toggle" in verbs:
        room = content["people"][who]["room"]
        mine = [name for name, one in furniture.items() if one["kind"] == "switch" and one["room"] == room]
        return f"powered({draw.pick(mine)})"
    barred = [
        r for m in content["mechanics"] if m["kind"] == "room_restriction" and who in m["agents"] for r in m["rooms"]
    ]
    if "place" not in verbs or not content["house"].get("things"):
        return None
    start = content["people"][who]["room"]
    reach = [start] if "navigate" not in verbs and "verbs" in content["people"][who] else None
    places = [
        name
        for name, one in furniture.items()
        if one["kind"] == "surface" and name != "shelf" and one["room"] not in barred
        if (reach is None or one["room"] in reach) and not name.endswith("_desk")
    ]
    return f"on({next(iter(content['house']['things']))}, {draw.pick(places)})" if places else None
