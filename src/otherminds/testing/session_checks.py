"""Checks of every world: determinism, replay, forms, no leaks, and probes that leave no trace."""

from __future__ import annotations

import json
from typing import Any

from otherminds.core.episodes import Episode
from otherminds.core.errors import UserError
from otherminds.core.match import Referee, play_one
from otherminds.core.mind import Reply
from otherminds.core.seeds import Draw
from otherminds.core.summary import probes_of
from otherminds.core.world import Ask, Session, World, first_groups
from otherminds.minds.baselines import DecoupledMind, RandomMind
from otherminds.minds.find import minds_for
from otherminds.minds.play_all import play_all
from otherminds.testing.skip import Skip

SAMPLES = 20  # replies drawn from each form
ANCHOR_EPISODES, ANCHOR_GROUPS = 40, 6
SLACK = 0.15  # how far a random mind may be from chance, over so few episodes


def determinism(world: World, seed: int, episodes: int) -> str:
    """Every episode twice; then with other seeds."""
    turns, records = 0, set()
    for first, second in zip(*(_random(world, seed, episodes) for _ in range(2)), strict=True):
        assert _text(first.lines()) == _text(second.lines()), (
            f"with seed {first.seed}, the episode differs when it is repeated"
        )
        turns += len(first.turns)
        records.add(_text([{**line, "seed": 0, "episode": ""} for line in first.lines()]))
    assert len(records) > 1 or episodes == 1, f"seeds {seed} to {seed + episodes - 1} give the same episode"
    return f"{turns} turns, each played twice"


def replays(world: World, seed: int, episodes: int) -> str:
    """Written, read, and played again from the record."""
    turns = 0
    for played in _random(world, seed, episodes):
        episode = Episode.from_lines(json.loads(json.dumps(played.lines())))
        again = world.of(episode)
        again.check(episode)
        assert again.replies(episode) == json.loads(_text(world.replies(played))), (
            f"the record of {episode.id!r} does not contain the replies that were given"
        )
        turns += len(episode.turns)
    return f"{turns} turns"


def forms(world: World, seed: int, episodes: int) -> str:
    """Replies drawn from every form that is met."""
    met: dict[int, Ask] = {}

    class Noting(RandomMind):
        def reply(self, ask: Ask) -> Reply:
            met.setdefault(hash((id(ask.form), ask.probe is None)), ask)
            return super().reply(ask)

    for number in range(seed, seed + episodes):
        play_one(world.open(number), {seat: Noting() for seat in world.seats})
    draw = Draw(seed, "forms")
    for ask in met.values():
        for _ in range(SAMPLES):
            value = ask.form.sample(draw)
            problem = ask.form.check(value)
            assert not problem, f"{ask.id}: the form rejects its own sample {value!r}: {problem}"
            taken = ask.form.take(value)
            again = ask.form.take(json.loads(json.dumps(ask.form.plain(taken))))
            assert again == taken, f"{ask.id}: {taken!r} comes back from JSON as {again!r}"
        for bad in (None, object(), [[]], {"no such field": 1}):
            assert ask.form.check(bad), f"{ask.id}: the form accepts {bad!r}"
        assert ask.form.json_schema()["type"] == "object", f"{ask.id}: the schema is not an object"
    return f"{len(met)} forms"


def no_leak(world: World, seed: int, episodes: int) -> str:
    """Two episodes that a seat cannot distinguish look the same to it from beginning to end."""
    compared = 0
    for number in range(seed, seed + episodes):
        for seat in world.seats:
            pair = world.alike(number, seat)
            if pair is None:
                continue
            views, other_views = (_views(session, seat) for session in pair)
            assert views == other_views, f"with seed {number}, what {seat} is shown depends on what it cannot perceive"
            compared += len(views)
    if not compared:
        raise Skip("the world has no pair of episodes that a seat cannot distinguish (World.alike)")
    return f"{compared} asks"


def no_trace(world: World, seed: int, episodes: int) -> str:
    """Acts are the same whether a mind is asked about its beliefs or somebody else answers for it."""
    asked, world = 0, world.probing()
    perfect_by_seed = world.anchors is not None and not world.anchors.suite
    for specs in _anchored(world)[: 1 + perfect_by_seed]:
        for number in range(seed, seed + episodes):
            plain = play_one(world.open(number), minds_for(world, specs))
            shielded = {
                seat: DecoupledMind(mind, RandomMind(), mind.name) for seat, mind in minds_for(world, specs).items()
            }
            other = play_one(world.open(number), shielded)
            acts, without = _acts(world, plain), _acts(world, other)
            who = " and ".join(dict.fromkeys(specs.values()))
            assert acts == without, f"with seed {number}, {who} acts differently after it has been asked a probe"
            asked += sum(1 for _ in probes_of(plain))
    if not asked:
        raise Skip("no probe was asked; set the world's option that enables probes")
    return f"{asked} probes"


def own_seeds(world: World, seed: int, episodes: int) -> str:
    """What minds are given at the start."""
    for number in range(seed, seed + episodes):
        session = world.open(number)
        for seat in world.seats:
            mind_seed = session.mind_seed(seat, "random")
            assert mind_seed != number, f"the mind in {seat} is given the seed of the episode"
    return f"{episodes * len(world.seats)} seeds"


def ledger_agrees(world: World, seed: int, episodes: int) -> str:
    """Every recorded expected answer, worked out anew; a record with another one must be refused."""
    compared, world = 0, world.probing()
    for episode in _random(world, seed, episodes):
        for probe in list(probes_of(episode))[:10]:
            expected = world.expected(episode, probe)
            if expected is not None:
                assert expected == probe["expected"], (
                    f"{probe['id']}: recorded {probe['expected']!r}, but the ledger gives {expected!r}"
                )
                compared += 1
            elif probe["expected"] is not None:
                compared += _is_refused(world, episode, probe)
    if not compared:
        raise Skip("this world does not take expected answers from the ledger")
    return f"{compared} probes"


def _is_refused(world: World, episode: Episode, probe: dict[str, Any]) -> bool:
    """Whether a record is refused once it expects another answer to a probe."""
    right, probe["expected"] = probe["expected"], "something else"
    try:
        world.check(episode)
    except UserError:
        return True
    finally:
        probe["expected"] = right
    return False


def anchors(world: World, seed: int, episodes: int) -> str:  # noqa: ARG001  # checks are called alike
    """The scores that everything else is read against."""
    if world.anchors is None:
        raise Skip("the world names no perfect mind (World.anchors)")
    perfect, ceiling, chance, measure, suite, _ = world.anchors
    items = list(first_groups(world.suite(suite, seed), ANCHOR_GROUPS)) if suite else None
    played = [play_all(world, specs, items, ANCHOR_EPISODES, seed) for specs in _anchored(world)]
    worst, best = (world.summary(episodes)[measure] or 0.0 for episodes in played)
    assert best >= ceiling - 1e-9, f"{perfect} has {measure} {best:.3f}; the ceiling is {ceiling:g}"
    assert abs(worst - chance) <= SLACK * (ceiling - chance), f"random has {measure} {worst:.3f}; chance is {chance:g}"
    return f"{measure}: {best:.3f} for {perfect}, {worst:.3f} for random"


def _anchored(world: World) -> list[dict[str, str]]:
    """Minds by seat: random ones, and the perfect one of the world if it names one."""
    best = [world.anchors.minds(world.seats)] if world.anchors else []
    return [dict.fromkeys(world.seats, "random"), *best]


def _random(world: World, seed: int, episodes: int) -> list[Episode]:
    return play_all(world, dict.fromkeys(world.seats, "random"), episodes=episodes, seed=seed)


def _text(value: Any) -> str:
    return json.dumps(value, sort_keys=True)


def _acts(world: World, episode: Episode) -> dict[str, Any]:
    probes = {probe.get("id") for probe in probes_of(episode)}
    return {ask: value for ask, value in world.replies(episode).items() if ask not in probes}


def _views(session: Session, seat: str) -> list[tuple[str, str, str, str]]:
    """All that a seat is shown while everybody gives the defaults."""
    briefing = session.briefing(seat)
    shown = [("", briefing.rules(), repr(sorted(map(str, briefing.fields().items()))), "")]
    while asks := session.asks():
        for ask in asks:
            if ask.seat == seat:
                question = ask.view.question(ask.probe) if ask.probe else ""
                shown.append((ask.id, ask.view.text(), ask.view.picture(), question))
                shown.append(("fields", repr(sorted(map(str, ask.view.fields().items()))), repr(ask.form.offer()), ""))
        referee = Referee(session)
        for ask in asks:
            referee.let_default_stand(ask)
    return shown
