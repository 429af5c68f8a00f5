"""How the original calls things: roles, skeletons, types, traces and labels, its defects included (spec 2 to 4, 12).

What is true of a story is found elsewhere, by the ledger; here is what ToMi's files say of it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from otherminds.worlds.tomi.items import order_name
from otherminds.worlds.tomi.rules import History, container
from otherminds.worlds.tomi.types import NOWHERE, Announce, Enter, Exit, Move, Question, Story

Mode = Literal["released", "code"]
MODES: tuple[Mode, ...] = ("released", "code")
TRUE_BELIEF, FALSE_BELIEF, SECOND_ORDER = TYPES = ("true_belief", "false_belief", "second_order_false_belief")


@dataclass(frozen=True, slots=True)
class Cast:
    """Who plays what: the mover is role 0, the observer 1, anybody else a third (spec 2.1)."""

    mover: int
    observer: int
    main: int  # the room of the object
    thing: int
    start: int  # its first container
    end: int  # its last

    @property
    def pair(self) -> tuple[int, int]:
        """The two whose beliefs are asked for."""
        return self.mover, self.observer


# The twelve orders of the move M, the observer's exit X and entry into the main room R or another r, and the mover's
# exit Y (spec 2.3).
SKELETONS = (
    *("M X", "M X R", "M X r", "X R M", "X r M", "X M"),
    *("X M R", "X M r", "M X Y R", "M X Y r", "X M Y R", "X M Y r"),
)


def skeleton(story: Story, cast: Cast) -> str:
    """What the two do after the announcement, in order; one of ``SKELETONS`` in a story of the original's making."""
    done: list[str] = []
    entered: set[int] = set()
    for event in story.events:
        match event:
            case Move():
                done.append("M")
            case Exit(agent, _) if agent in cast.pair:
                done.append("X" if agent == cast.observer else "Y")
            case Enter(agent, room) if agent in cast.pair:
                if agent in entered:
                    done.append("R" if room == cast.main else "r")
                entered.add(agent)
    return " ".join(done)


def type_by_order(skeleton: str) -> str:
    """The story type that the original gives: by the order of what is done, whatever anybody believes (spec 3)."""
    done = skeleton.split()
    if "Y" in done:
        return SECOND_ORDER
    return FALSE_BELIEF if done.index("M") == 1 else TRUE_BELIEF


def type_by_belief(order: int) -> str:
    """The name of a story's true type: by the least depth at which somebody is wrong."""
    return TYPES[order] if order < len(TYPES) else f"order_{order}_false_belief"


def trace(story: Story, roles: Sequence[int], main: int) -> list[str]:
    """The events of a story as a trace names them, in their true order; the first two roles are the main agents."""
    return [token for token, _ in _tokens(story, roles, main) if token]


def original_trace(story: Story, cast: Cast) -> list[str]:
    """The trace as the original has it: a third agent's places are those it has in the story, in which the announcement
    counts, although the trace leaves the announcement out (defect D6).
    """
    third = tuple(agent for agent in range(story.num_agents) if agent not in cast.pair)
    tokens, inserted = [], []
    for place, (token, role) in enumerate(_tokens(story, (*cast.pair, *third), cast.main)):
        if role > 1:
            inserted.append((place, token))
        elif token:
            tokens.append(token)
    for place, token in inserted:
        tokens.insert(place, token)
    return tokens


def _tokens(story: Story, roles: Sequence[int], main: int) -> Iterator[tuple[str, int]]:
    """Token and role of every event but noise; an announcement is nobody's and has an empty one."""
    entered: set[int] = set()
    for event in story.events:
        match event:
            case Announce():
                yield "", NOWHERE
            case Move(agent):
                yield f"agent_{roles.index(agent)}_moves_obj", roles.index(agent)
            case Exit(agent):
                yield f"agent_{roles.index(agent)}_exits", roles.index(agent)
            case Enter(agent, room):
                role = roles.index(agent)
                if role > 1:
                    yield f"agent_{role}_enters", role
                elif agent in entered:
                    yield f"agent_{role}_reenters_{'loc' if room == main else 'alt_loc'}", role
                else:
                    yield f"enter_agent_{role}", role
                entered.add(agent)


def questions(cast: Cast) -> tuple[Question, ...]:
    """The six that the original asks, in its order (spec 4)."""
    mover, observer = cast.pair
    return (
        Question("memory", cast.thing),
        Question("belief", cast.thing, (mover,)),
        Question("belief", cast.thing, (mover, observer)),
        Question("reality", cast.thing),
        Question("belief", cast.thing, (observer,)),
        Question("belief", cast.thing, (observer, mover)),
    )


def question_class(question: Question, role: int, is_tom: bool) -> str:
    """What a trace calls a question: by its order, who is asked about, and whether the label differs from reality."""
    if question.kind != "belief":
        return question.kind
    return f"{order_name(question.order).replace(' ', '_')}_{role}_{'tom' if is_tom else 'no_tom'}"


def original_label(question: Question, story: Story, cast: Cast, history: History, mode: Mode) -> int:
    """The container that the original gives as the answer (spec 2.3; verified on every label of the released files).

    The released files take the final container for every second-order question if a third agent ever enters the main
    room or the observer comes back to it (defects D1 and D2); the published code if a third agent does and the mover
    stays (D2). The few labels that a container's second home changes (D4) are not reproduced.
    """
    truth = container(question, history)
    assert truth is not None, "in a story of the original's making both are there at the announcement"
    if question.order != 2:
        return truth
    entered = {event.room for event in story.events if isinstance(event, Enter) and event.agent not in cast.pair}
    done = skeleton(story, cast).split()
    meets_third = cast.main in entered
    is_final = meets_third or "R" in done if mode == "released" else meets_third and "Y" not in done
    return cast.end if is_final else truth
