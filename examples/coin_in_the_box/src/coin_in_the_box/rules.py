"""What is (State), what can be done (acts), and what happens (step). Pure: no chance, no I/O."""

from dataclasses import dataclass, replace

PEOPLE = ("ann", "ben", "cas")
SIDES = ("heads", "tails")


@dataclass(frozen=True)
class State:
    """A box with a coin in it, and the people around it."""

    coin: str
    turn: int = 0  # turns played
    knowers: frozenset[str] = frozenset()  # who has seen the coin or was told
    distracted: frozenset[str] = frozenset()  # who will miss the next turn, without noticing


@dataclass(frozen=True)
class Event:
    """What happened in a turn: who did what, and who really perceived it; nobody sees that others are distracted."""

    actor: str
    act: str
    really: frozenset[str]
    apparently: frozenset[str]  # who is taken to have perceived it, by those who did


def actor(state: State) -> str:
    """Whose turn it is."""
    return PEOPLE[state.turn % len(PEOPLE)]


def neighbour(who: str) -> str:
    """Whom a person bets on."""
    return PEOPLE[(PEOPLE.index(who) + 1) % len(PEOPLE)]


def acts(who: str) -> tuple[str, ...]:
    """Everything that a person can ever do."""
    others = [other for other in PEOPLE if other != who]
    return ("wait", "peek", "peek secretly", *(f"{verb} {other}" for verb in ("distract", "tell") for other in others))


def step(state: State, act: str) -> tuple[State, Event]:
    """The box a turn later, and what happened. Whoever tells without knowing says nothing."""
    who, everybody, (verb, _, other) = actor(state), frozenset(PEOPLE), act.partition(" ")
    after = replace(state, turn=state.turn + 1, distracted=frozenset())
    really = everybody - state.distracted | {who}
    if act == "peek":
        return replace(after, knowers=state.knowers | {who}), Event(who, act, really, everybody)
    if act == "peek secretly":
        return replace(after, knowers=state.knowers | {who}), Event(who, act, frozenset({who}), frozenset({who}))
    if verb == "tell" and who in state.knowers and other not in state.distracted:
        heard = frozenset({who, other})
        return replace(after, knowers=state.knowers | {other}), Event(who, act, heard, heard)
    if verb == "distract":
        return replace(after, distracted=frozenset({other})), Event(who, act, frozenset({who}), frozenset({who}))
    return after, Event(who, "wait", really, everybody)
