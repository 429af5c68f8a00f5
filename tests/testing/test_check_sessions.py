"""``check_world`` holds for every world, and catches each kind of broken session."""

from __future__ import annotations

import sys
from dataclasses import replace
from typing import Any

import pytest

import otherminds
from otherminds.core.episodes import Episode
from otherminds.core.form import Choice, Form
from otherminds.core.mind import BaseMind, Briefing, Reply
from otherminds.core.world import Anchors, Ask, Item
from otherminds.testing import check_world, session_checks
from otherminds.testing.check import _run
from otherminds.worlds.decrypto import duel
from otherminds.worlds.decrypto.duel import DecryptoDuel
from otherminds.worlds.decrypto.session import DecryptoSession
from otherminds.worlds.decrypto.world import Decrypto
from otherminds.worlds.symmtom.scenarios.items import Trial
from otherminds.worlds.symmtom.world import SymmToM
from tests.plugin import COIN

sys.path.insert(0, str(COIN / "src"))

import coin_in_the_box
from coin_in_the_box import observe
from coin_in_the_box import world as coin

MAY_SKIP = {
    "tomi-v0": {"no seat is shown what it cannot perceive"},  # the reader perceives everything
    "decrypto-v0": {"expected answers agree with the ledger"},  # what is right is another reply
    "decrypto-duel-v0": {  # a duel asks no probe
        "no seat is shown what it cannot perceive",
        "probes leave no trace",
        "expected answers agree with the ledger",
    },
}


@pytest.fixture(autouse=True)
def _registered() -> None:
    coin_in_the_box.register_all()


@pytest.mark.parametrize("name", ["tomi-v0", "decrypto-v0", "decrypto-duel-v0", "enacttom-v0", "coin-v0"])
def test_every_world_keeps_every_promise(name: str) -> None:
    report = check_world(otherminds.make(name), raises=True)
    skipped = {check.name for check in report.checks if check.result == "skipped"}
    assert skipped <= MAY_SKIP.get(name, set())


def failed(world: Any) -> list[str]:
    return [check.name for check in check_world(world, raises=False).checks if check.result == "failed"]


def test_sound_sessions_fail_nothing() -> None:
    assert failed(coin.Coin()) == []


def test_chance_outside_the_seed_is_caught() -> None:
    class Drifts(coin.Coin):
        count = 0

        def open(self, seed: int, item: Item | None = None, repeat: int = 0, side: str = "") -> coin.CoinSession:
            self.count += 1
            return super().open(seed, item, repeat, side or ("heads", "tails")[self.count % 2])

    assert any("repeat exactly" in name for name in failed(Drifts()))


def test_a_seed_that_is_ignored_is_caught() -> None:
    class Ignores(coin.Coin):
        def open(self, seed: int, item: Item | None = None, repeat: int = 0, side: str = "") -> coin.CoinSession:
            session = super().open(0, item, repeat, side)
            session.mind_seed = lambda seat, name: 7  # type: ignore[method-assign]
            return session

    assert any("seed matters" in name for name in failed(Ignores()))


def test_a_record_that_lies_about_its_end_is_caught() -> None:
    class Lies(coin.Coin):
        def replies(self, episode: Episode) -> dict[str, Any]:
            return {ask: "wait" if "/" in ask else value for ask, value in super().replies(episode).items()}

    assert any("replays" in name for name in failed(Lies()))


def test_a_form_that_refuses_its_own_sample_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    class Sly(Form):
        def sample(self, draw: Any) -> str:
            return "perhaps" if draw.happens(0.5) else "yes"

    monkeypatch.setattr(coin, "ANSWER", Sly(((Choice("answer", ("yes", "no")),),)))
    assert any("forms" in name for name in failed(coin.Coin()))


def test_a_leak_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    def leaking(state: Any, events: Any, who: str) -> observe.CoinView:
        return observe.CoinView(state.coin, observe.view(state, events, who).log)

    monkeypatch.setattr(coin, "view", leaking)
    assert any("cannot perceive" in name for name in failed(coin.Coin()))


def test_a_probe_that_leaves_a_trace_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    class Wavers(BaseMind):
        """Bets otherwise once it has been asked."""

        name = "wavers"

        def begin(self, seat: str, briefing: Briefing, seed: int) -> None:
            self.was_asked = False

        def reply(self, ask: Ask) -> Reply:
            self.was_asked |= ask.probe is not None
            options = ask.form.closed() or ()
            return Reply(options[0] if ask.probe is not None or not self.was_asked else options[-1])

    monkeypatch.setattr("coin_in_the_box.minds.Tracker", Wavers)
    assert any("trace" in name for name in failed(coin.Coin()))


def test_a_mind_that_is_given_the_seed_of_the_episode_is_caught() -> None:
    class Tells(coin.Coin):
        def open(self, seed: int, item: Item | None = None, repeat: int = 0, side: str = "") -> coin.CoinSession:
            session = super().open(seed, item, repeat, side)
            session.mind_seed = lambda seat, name: seed  # type: ignore[method-assign]
            return session

    assert any("seed" in name for name in failed(Tells()))


def test_a_wrong_expected_answer_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(coin.CoinSession, "expected", lambda self, ask: "yes")
    assert any("ledger" in name for name in failed(coin.Coin()))


def test_a_ceiling_that_nobody_reaches_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    from coin_in_the_box.minds import Egocentric

    monkeypatch.setattr("coin_in_the_box.minds.Tracker", Egocentric)
    assert any("ceiling" in name for name in failed(coin.Coin()))


def test_a_random_mind_above_chance_is_caught() -> None:
    class Generous(coin.Coin):
        anchors = Anchors("tracker", ceiling=1.0, chance=0.1)

    assert any("ceiling" in name for name in failed(Generous()))


def anchored(world: Any) -> str:
    return _run("", session_checks.anchors, world, 0, 1).result


def test_a_game_that_keeps_the_code_from_those_who_may_see_it_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    assert anchored(Decrypto()) == "passed"
    stale = DecryptoSession.truth
    monkeypatch.setattr(DecryptoSession, "truth", lambda self: replace(stale(self), codes=stale(self).codes[1:]))
    assert anchored(Decrypto()) == "failed"


def test_a_duel_that_the_better_team_does_not_win_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    assert anchored(DecryptoDuel()) == "passed"
    right = duel.winner
    monkeypatch.setattr(duel, "winner", lambda state: {"first": "second"}.get(str(right(state)), right(state)))
    assert anchored(DecryptoDuel()) == "failed"


def test_scenarios_scored_by_the_other_twin_are_caught() -> None:
    class Swapped(Trial):
        def verdict(self, state: Any) -> Any:
            (other,) = [case for case in self.scenario.cases if case != self.case][:1]
            return Trial(self.scenario, other, self.staging).verdict(state)

    class Careless(SymmToM):
        def suite(self, name: str = "standard", seed: int = 0) -> list[Item]:
            trials = [item.data for item in super().suite(name, seed)]
            return [Swapped(trial.scenario, trial.case, trial.staging).item() for trial in trials]

    assert anchored(SymmToM()) == "passed"
    assert anchored(Careless()) == "failed"
