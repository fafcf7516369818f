"""The built-in agents of both games: what they may know, what they change, their opinions, and how strong they are."""

import json
import time
from collections import Counter
from typing import Any

import numpy as np
import pytest

from oddville_agents import GameAgent, Player, make_agent
from oddville_agents.oddville.search import iteration
from oddville_agents.play import agent_seed, analyse, opinion_of, picture, play, table
from oddville_agents.policies.baselines import RandomAgent
from oddville_agents.roster import LEVELS, roster_of
from oddville_env import Game, SettingError
from oddville_env.core.game.game_type import game_type
from oddville_env.core.game.view import BatchView
from oddville_env.envs.live_game import LiveGame
from oddville_env.oddville.game_type import ODDVILLE
from oddville_env.oddville.moves import words
from oddville_env.oddville.settings import make_box
from oddville_training.tournament.evaluate import evaluate
from support.helpers import every_number, many_states, random_game, told

OWN = {
    "oddville": ("greedy", "casual", "champion", "search:sims=60", "search:sims=20,turns=4"),
    "oldtown": ("greedy", "casual", "champion", "search:sims=40", "heuristic"),
}
each_agent = pytest.mark.parametrize(("name", "spec"), [(name, spec) for name in OWN for spec in OWN[name]])


def choices(name: str, number: int = 4, players: tuple[int, ...] = (2, 3, 4)) -> Any:
    """Random games early and late, where there is something to choose."""
    for each in players:
        games = many_states(10 * number, each, make=game_type(name).game)
        yield from (game.copy() for at, game in enumerate(games) if at % 10 == 3 and game.mask.sum() > 2)


@each_agent
def test_opinion_weighs_every_legal_move_changes_nothing_and_is_that_of_equal_views(name: str, spec: str) -> None:
    for game in choices(name, 2):
        before, found = told(game), opinion_of(spec, game.view(), 1)[1]
        assert told(game) == before
        shares = [each.share for each in found.candidates]
        if (name, spec) != ("oldtown", "greedy"):  # it has no opinion but its move
            assert sorted(each.action for each in found.candidates) == np.flatnonzero(game.mask).tolist()
        assert (shares[0], sum(shares)) == (max(shares), pytest.approx(1))
        assert found.iterations == sum(each.visits for each in found.candidates)
        assert all(sum(each.values) == pytest.approx(1, abs=1e-6) for each in found.candidates if each.values)
        if not spec.startswith("casual"):
            player = Player(make_agent(spec, name))
            player.begin(game.to_move, game.players, 1)
            assert player.move(game.view()) == found.candidates[0].action
        for seed in range(2):
            other = game.sample_unseen(game.to_move, np.random.default_rng(seed))
            assert opinion_of(spec, other.view(), 1)[1].candidates == found.candidates


@pytest.mark.parametrize(
    ("name", "spec"), [(name, spec) for name in OWN for spec in (*OWN[name], "random") if "search" not in spec]
)
def test_batch_plays_the_moves_of_single_agents(name: str, spec: str) -> None:
    games = list(choices(name, 6, (2,)))
    agent, actions = make_agent(spec, name), np.zeros(len(games), np.int64)
    batch = agent.batch_agent(len(games))
    batch.reset_all(np.zeros(len(games), np.int64), 2, np.arange(len(games), dtype=np.uint64))
    states, masks = np.concatenate([game.state for game in games]), np.stack([game.mask for game in games])
    batch.act(BatchView(game_type(name), games[0].box, states, np.arange(len(games)), masks), actions)
    for seed, (game, action) in enumerate(zip(games, actions, strict=True)):
        if spec == "casual":
            assert game.mask[action]
        else:
            agent.reset(0, 2, seed)
            assert agent.act(game.view()) == action


@pytest.mark.parametrize(
    ("name", "spec"), [("oddville", "search:sims=60"), ("oldtown", "search:sims=60"), ("oldtown", "champion")]
)
def test_single_legal_move_has_the_whole_share(name: str, spec: str) -> None:
    game = next(game for game in many_states(2000, 4, make=game_type(name).game) if game.mask.sum() == 1)
    (only,) = opinion_of(spec, game.view())[1].candidates
    assert only.share == 1


@pytest.mark.parametrize(("name", "players", "spec", "against", "games", "share"), [
    ("oddville", 2, "greedy", "random", 120, 0.97),
    ("oddville", 4, "greedy", "random", 80, 0.9),
    ("oddville", 2, "greedy", "greedy:weights=simple", 80, 0.8),
    ("oddville", 3, "greedy", "greedy:weights=simple", 120, 0.65),
    ("oddville", 4, "greedy", "greedy:weights=simple", 160, 0.55),
    ("oddville", 2, "search:sims=100", "greedy:weights=simple", 4, 0.7),
    ("oddville", 4, "search:sims=100", "greedy:weights=simple", 8, 0.7),
    ("oddville", 2, "level 1", "level 0", 40, 0.6),
    ("oldtown", 2, "greedy", "random", 200, 0.75),
    ("oldtown", 2, "heuristic", "greedy", 200, 0.65),
    ("oldtown", 2, "level 1", "level 0", 40, 0.6),
])  # fmt: skip
def test_stronger_agent_wins(name: str, players: int, spec: str, against: str, games: int, share: float) -> None:
    levels = {f"level {at}": level for at, level in enumerate(roster_of(name).levels)}
    one, other = levels.get(spec, spec), levels.get(against, against)
    (found,) = evaluate(one, [other], games, players, game=game_type(name), progress=False).against
    assert found.wins > share


@pytest.mark.parametrize("name", OWN)
def test_every_level_has_an_agent(name: str) -> None:
    levels = roster_of(name).levels
    assert len(levels) == len(LEVELS)
    assert all(make_agent(spec, name).name for spec in levels)


@pytest.mark.parametrize(("name", "judge"), [("oddville", "greedy"), ("oldtown", "heuristic")])
@pytest.mark.parametrize("temperature", ["0.5", "0.0000001", "1e-310"])
def test_casual_plays_better_moves_more_often_the_colder_the_surer(name: str, judge: str, temperature: str) -> None:
    game = next(game for game in choices(name) if game.mask.sum() > 2)
    best = opinion_of(judge, game.view())[1].candidates[0].action
    found = opinion_of(f"casual:temperature={temperature}", game.view())[1].candidates
    shares = [candidate.share for candidate in found]
    assert (found[0].action, shares) == (best, sorted(shares, reverse=True))
    assert np.isfinite(shares).all()
    assert (shares[0] == pytest.approx(1)) == (float(temperature) < 0.1)


def test_random_follows_its_seed_and_plays_every_legal_move_equally_often() -> None:
    def moves(deal: int) -> list[str]:
        play(live, [RandomAgent(), RandomAgent()], deal)
        return live.game.record()["moves"]

    live = LiveGame(ODDVILLE, make_box(2))
    assert moves(1) == moves(1)
    assert moves(1) != moves(2)
    assert len({agent_seed(deal, seat, name) for deal in range(9) for seat in range(4) for name in ("a", "b")}) == 72
    agent, mask = RandomAgent(), np.zeros(100, np.bool_)
    mask[[0, 3, 50, 51, 99]] = True
    agent.reset(0, 2, 7)
    view = Game(2, seed=1).view()
    view.mask = mask
    times = Counter(agent.act(view) for _ in range(10_000))
    assert set(times) == {0, 3, 50, 51, 99}
    assert max(times.values()) - min(times.values()) < 250
    for wrong in (mask.astype(np.uint8), np.repeat(mask, 2)[::2]):
        view.mask = wrong
        with pytest.raises(SettingError, match="a mask must be a contiguous array of bool or int8, not array"):
            agent.act(view)


def test_watcher_is_called_before_every_move() -> None:
    live = LiveGame(ODDVILLE, make_box(3))
    seen: list[tuple[int, int]] = []
    play(live, [RandomAgent()] * 3, 4, lambda at, action: seen.append((at.to_move, action)))
    game = Game(3, 4)
    for seat, action in seen:
        assert game.to_move == seat
        game.push(action)
    assert game.record() == live.game.record()


@every_number
def test_function_gets_the_observation_of_its_own_seat(players: int) -> None:
    seen: list[tuple[np.ndarray, np.ndarray]] = []

    def look(observation: np.ndarray, mask: np.ndarray) -> int:
        seen.append((observation.copy(), mask.copy()))
        return int(mask.argmax())

    for game in choices("oddville", 3, (players,)):
        make_agent(look).act(game.view())
        encoder = ODDVILLE.make_encoder(game.box, "features")
        assert np.array_equal(seen[-1][0], encoder.observation(game.box.record, game.state, 0, game.to_move))
        assert np.array_equal(seen[-1][1], game.mask)


class Thinker(GameAgent):
    def think(self, game: Game) -> int:
        self.shown = game
        return int(game.mask.argmax())


def test_thinking_agent_gets_a_game_of_its_own_in_the_same_position() -> None:
    agent: Any = Thinker()
    player = Player(agent)
    player.begin(0, 3, 5)
    for game in choices("oddville", 4, (3,)):
        before = told(game)
        player.move(game.view())
        assert agent.shown.position() == game.position()
        assert agent.shown.legal_moves.words() == game.legal_moves.words()
        agent.shown.push(next(iter(agent.shown.legal_moves)))
        agent.shown.pop()
        assert told(game) == before


def test_analysis_has_visits_chances_of_visited_moves_and_lines_and_needs_a_seed() -> None:
    game = next(g for g in many_states(500, 2) if any(move.word.startswith("build") for move in g.legal_moves))
    played = next(move.word for move in game.legal_moves if move.word.startswith("build"))
    found = analyse(game, "search:sims=3000", played=played)
    assert [thought.word for thought in found.candidates if thought.played] == [played]
    assert table(found, "a title").row_count == len(game.legal_moves)
    assert json.loads(json.dumps(found.as_json()))["candidates"][0]["visits"] == found.candidates[0].visits
    drawn = picture(found, game)
    assert "Candidates" in drawn
    assert (drawn.count(">played<"), drawn) == (1, picture(found, game))
    few = analyse(random_game(2, 5, 30), "search:sims=3").as_json()["candidates"]
    assert {each["values"] is None for each in few if not each["visits"]} == {True}
    for seed in (-1, 0.5):
        with pytest.raises(SettingError, match="seed must be a whole number of at least 0"):
            analyse(Game(2, 0), "search:sims=10", seed)


def test_default_opinion_is_the_move() -> None:
    game = random_game(2, 5, 30)
    found = game.opinion(lambda observation, mask: int(mask.argmax()))
    first = words(game.box.layout)[int(game.mask.argmax())]
    assert [(candidate.word, candidate.share) for candidate in found.candidates] == [(first, 1.0)]
    assert table(found, "a title").row_count == 1
    assert picture(found, game)


def test_loading_code_does_not_count_as_thinking_time(monkeypatch: pytest.MonkeyPatch) -> None:
    grow, loaded = iteration.grow, []

    def load_first(*arguments: object) -> int:
        if not loaded:
            time.sleep(0.5)
            loaded.append(True)
        return int(grow(*arguments))

    monkeypatch.setattr(iteration, "grow", load_first)
    assert analyse(Game(2, seed=4), "search:ms=20").seconds < 0.5
