"""F7, mixed motives: a task of another family in which people also have private goals.

A private goal conflicts with the shared goal in some worlds, so others cannot take for granted that its owner plays its
part. An episode passes by the shared goal alone; private outcomes are reported beside it (spec 1.7).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from otherminds.core.seeds import Draw
from tests.worlds.enacttom.families.chain import one_link, two_links
from tests.worlds.enacttom.families.delegation import able, informed
from tests.worlds.enacttom.families.parts import Content
from tests.worlds.enacttom.families.placement import placement
from tests.worlds.enacttom.families.relay import trusted

BASES: dict[str, Callable[..., Content]] = {
    "placement": placement,
    "able": able,
    "informed": informed,
    "trusted": trusted,
    "one_link": one_link,
    "two_links": two_links,
}


def mixed(draw: Draw, base: str = "placement", **parameters: Any) -> Content:
    """A task of another family in which everyone who can act has a private goal."""
    content = BASES[base](draw, **parameters)
    private = {name: goal for name in content["people"] if (goal := _private_goal(draw, content, name))}
    return {**content, "title": f"{content['title']}, and what each wants", "category": "mixed", "private": private}


def _private_goal(draw: Draw, content: Content, person: str) -> str:
    """A drawn switch of the person's room is on, or the thing is in a drawn place within reach; empty if neither."""
    room, verbs = content["people"][person]["room"], content["people"][person].get("verbs", ["navigate", "place"])
    things, furniture = content["house"]["things"], content["house"]["furniture"].items()
    if "toggle" in verbs:
        switches = [name for name, part in furniture if part["kind"] == "switch" and part["room"] == room]
        return f"powered({draw.pick(switches)})"
    if "place" not in verbs or not things:
        return ""
    barred = [
        r for m in content["mechanics"] if m["kind"] == "room_restriction" and person in m["agents"] for r in m["rooms"]
    ]
    places = [
        name
        for name, part in furniture
        if part["kind"] == "surface" and name != "shelf" and not name.endswith("_desk")
        if part["room"] not in barred and ("navigate" in verbs or part["room"] == room)
    ]
    return f"on({next(iter(things))}, {draw.pick(places)})" if places else ""
