"""Old Town's agents: what they play, the heuristic's features, the race, and agents for puzzles."""

from itertools import islice
from pathlib import Path

import numpy as np
import pytest

from oddville_agents import Agent, AgentError, make_agent
from oddville_agents.oldtown import race
from oddville_agents.oldtown.heuristic.choice import expected_lead, weight_set, write_weights
from oddville_agents.oldtown.heuristic.features import COUNTS, FEATURES, NUMBERS, best_card_value, look
from oddville_agents.oldtown.solo import LEARNED, beliefs, played, read_clues, weights_of
from oddville_env.core.compiled.jit import kernel
from oddville_env.oldtown.cards.words import NOBODY
from oddville_env.oldtown.deduction.puzzle import printed_puzzles
from oddville_env.oldtown.deduction.solver import unary_sets
from oddville_env.oldtown.game import OldTown
from oddville_env.oldtown.rules import worlds
from oddville_env.oldtown.settings import make_box
from oddville_env.oldtown.solo.game import OldTownSolo, observe
from oddville_env.oldtown.solo.generator import generate
from support.helpers import walk


def middle(players: int, seed: int, moves: int) -> OldTown:
    """A random game after so many moves, where there is something to choose."""
    games = walk(OldTown(players, seed), seed)
    return next(game for game in games if game.is_over or (len(game.moves) >= moves and game.mask.sum() > 1))


def middles() -> list[OldTown]:
    found = [middle(players, seed, 8 * seed) for players in (2, 3, 4) for seed in (1, 2, 3, 4)]
    return [game for game in found if not game.is_over]


def made(spec: str, players: int = 2) -> Agent:
    agent = make_agent(spec, "oldtown")
    agent.reset(0, players, 1)
    return agent


def test_greedy_plays_the_most_points_at_once_and_takes_the_building_with_the_most_tokens() -> None:
    checked = 0
    for game in middles():
        words = game.legal_moves.words()
        if not all(word.startswith("play:") for word in words):
            continue
        gains = {word: gain(game, word) for word in words}
        assert gains[game.view().word(made("greedy").act(game.view()))] == max(gains.values())
        checked += 1
    assert checked > 0
    games = (middle(3, seed, 16) for seed in range(40))
    game = next(game for game in games if not game.is_over and game.legal_moves.words()[0].startswith("take:"))
    sizes = {key: len(lots or ()) for key, lots in game.position()["buildings"].items()}
    taken = game.view().word(made("greedy").act(game.view())).removeprefix("take:")
    assert sizes[taken] == max(sizes[word.removeprefix("take:")] for word in game.legal_moves.words())


def test_card_value_is_a_lower_bound_of_its_points() -> None:
    """A card's value is a lower bound of its points, and no card that may be played counts for a pair."""
    board = np.zeros(1, worlds.WORLD)
    for game in middles():
        seat = game.to_move
        for word in game.legal_moves.words():
            card = card_of(word)
            if card >= 0:
                value = card_value_at(game.box.record, game.state, board, card, seat)
                best = max(gain(game, other) for other in game.legal_moves.words() if card_of(other) == card)
                assert value != COUNTS
                assert 0 <= value <= best


def card_of(word: str) -> int:
    kind, _, rest = word.partition(":")
    return int(rest.split(":")[0]) - 1 if kind == "play" else -1


def gain(game: OldTown, word: str) -> int:
    other, seat = game.copy(), game.to_move
    other.push(word)
    return int(other.scores[seat] - game.scores[seat])


@kernel
def card_value_at(boxes, games, board, card, seat):
    worlds.look(games[0], board[0])
    return best_card_value(boxes[0], games[0], board[0], card, seat)


@kernel
def features_at(boxes, games, seat, board, out):
    return look(boxes[0], games[0], seat, board, out)


@kernel
def expected_lead_at(boxes, games, seat, weights, board, out):
    return expected_lead(boxes[0], games[0], seat, weights[0], board, out)


def test_features_match_the_position() -> None:
    board, names = np.zeros(1, worlds.WORLD), [feature.name for feature in FEATURES]
    for game in middles():
        for seat in range(game.players):
            out = np.zeros(NUMBERS)
            left = features_at(game.box.record, game.state, seat, board, out)
            seen, told = dict(zip(names, out.tolist(), strict=True)), game.position()
            others = [score for other, score in enumerate(game.scores) if other != seat]
            assert seen["lead"] == game.scores[seat] - max(others)
            assert seen["ahead"] == pytest.approx(game.scores[seat] - sum(others) / len(others))
            assert seen["hand"] == len(told["seats"][seat]["hand"])
            assert seen["mine"] == len(told["seats"][seat]["mine"])
            assert seen["tokens"] == sum(len(lots) for lots in told["buildings"].values() if lots and len(lots) > 1)
            assert seen["first"] >= seen["second"] >= seen["third"] >= 0
            assert seen["to_move"] == (game.to_move == seat)
            assert left == pytest.approx((90 - sum(game.scores)) / 90)


def test_neurons_correct_the_sum(tmp_path: Path) -> None:
    plain, game, board = weight_set("tuned", 2), middle(2, 1, 10), np.zeros(1, worlds.WORLD)
    weights, out = plain.copy(), np.zeros(NUMBERS)
    weights["neurons"], weights["bias"][0, 0], weights["outer"][0, 0] = 1, 2.0, 1.5
    write_weights(tmp_path / "one.json", weights, {})
    found = weight_set(str(tmp_path / "one.json"), 2)
    worths = [expected_lead_at(game.box.record, game.state, 0, each, board, out) for each in (plain, found)]
    assert worths[1] == pytest.approx(worths[0] + 3.0)


def test_move_significantly_behind_drops_out_after_some_samples() -> None:
    found = race.Race(
        np.arange(3), np.ones(3, np.bool_), np.full(3, 20), np.zeros((3, 4)), np.zeros((3, 3)), np.full(3, 0.5),
        np.zeros((3, 4)),
    )  # fmt: skip
    found.totals[:, 1] = 12.0, 11.0, 2.0
    found.gaps[:] = 20 * np.array([[0, 0.16, 0.26], [0.16, 0, 0.25], [0.26, 0.25, 0]])
    race.drop(1, found)
    assert found.runs.tolist() == [True, True, False]
    found.deals[2] = 19
    assert race.best_first(found, 1).tolist() == [0, 1, 2]
    found.runs[:], found.deals[:] = True, race.FIRST - 1
    race.drop(1, found)
    assert found.runs.all(), "no move drops out so early"


@pytest.mark.parametrize(("players", "turns", "played"), [(2, None, 4), (3, None, 4), (4, None, 6), (4, 4, 4)])
def test_play_outs_are_longer_with_four_players(players: int, turns: int | None, played: int) -> None:
    agent, game = race.ChampionAgent(turns=turns), middle(players, 1, 8)
    agent.act(game.view())
    end = agent._scratch.games[race.NOW]
    assert end["to_move"] != NOBODY
    assert end["turn"] == game.state["turn"][0] + played


def test_search_sees_a_win_one_move_away() -> None:
    """Of two plays that bring equally much, one ends the game while it is ahead."""
    rng, checked = np.random.default_rng(3), 0
    for seed in range(40):
        game = OldTown(2, seed)
        while not game.is_over:
            ending = [word for word in game.legal_moves.words() if ends_as_winner(game, word)]
            if ending and len(game.legal_moves) > len(ending):
                best = made("search:sims=64").opinion(game.view()).candidates[0]
                assert best.values[game.to_move or 0] > 0.9
                checked += 1
                break
            game.push(int(rng.choice(np.flatnonzero(game.mask))))
        if checked == 3:
            return
    assert checked > 0


def ends_as_winner(game: OldTown, word: str) -> bool:
    if word.startswith("show:"):
        return False
    other, seat = game.copy(), game.to_move
    other.push(word)
    end = other.outcome
    return end is not None and end.ranks[seat or 0] == 1 and len(set(end.ranks)) == 2


def test_the_solver_makes_no_mistake_the_policy_solves_unseen_puzzles_and_others_play_none() -> None:
    puzzles = [*printed_puzzles(), *islice(generate("hard", 3), 5), next(generate("medium", 4, hide_mine=True))]
    for game in played(make_agent("solver", "oldtown.solo"), puzzles, mistakes=0):
        assert (game.is_solved, game.score) == (True, 16)
    for level, share in (("easy", 0.9), ("hard", 0.4)):
        games = list(played(make_agent("policy", "oldtown.solo"), islice(generate(level, 77), 12)))
        assert np.mean([game.is_solved for game in games]) > share
    with pytest.raises(AgentError, match="cannot play puzzles"):
        next(played(make_agent("greedy", "oldtown"), printed_puzzles()))


def test_clues_match_the_puzzle_and_what_stands_or_was_wrong_leaves_other_sets() -> None:
    for puzzle in printed_puzzles():
        game = OldTownSolo(puzzle)
        clues = read_clues(observe(game))
        assert (clues.sets @ (1 << np.arange(16)) == unary_sets(puzzle, game.deck)).all()
        assert (clues.cards + 1).tolist() == sorted(puzzle.c)
        mine = [game.deck.keys[each] for each in np.flatnonzero(clues.mine)]
        assert mine == sorted(puzzle.mine or (), key=game.deck.index)
        assert clues.mine_count == puzzle.mine_count
    game = OldTownSolo(1)
    assert (game.push("build:hotel@1"), game.push("build:hotel@11")) == (-1, 1)
    clues, hotel = read_clues(observe(game)), game.deck.index("hotel")
    assert (clues.sets[hotel].nonzero()[0].tolist(), clues.sets[:, 10].sum()) == ([10], 1)


def test_beliefs_keep_to_the_sets_sum_to_one_and_follow_the_numbers_of_buildings_not_their_names() -> None:
    weights, box = weights_of(LEARNED), make_box(2)
    for puzzle in (*printed_puzzles(), next(generate("medium", 4, hide_mine=True))):
        clues = read_clues(observe(OldTownSolo(puzzle)))
        found = beliefs(weights, clues, box)
        assert (found[~clues.sets] == 0).all()
        assert np.allclose(found[clues.town].sum(1), 1)
        assert (found[~clues.town] == 0).all()
    # what a card says of a building moves the beliefs about this building and the own one first
    weights, box, puzzle = weights_of(LEARNED), make_box(2), printed_puzzles()[0]
    clues = read_clues(observe(OldTownSolo(puzzle)))
    fewer, named = clues._replace(cards=clues.cards[1:]), int(box.record[0].named[clues.cards[0]])
    assert np.abs(beliefs(weights, clues, box) - beliefs(weights, fewer, box)).sum(1)[named] > 0.1


def test_malformed_policy_file_is_refused(tmp_path: Path) -> None:
    for weights in ('{"crowd": 1}', '{"crowd": "much", "vacancy": 1, "named": 1, "own": 1, "inertia": 0}', "3"):
        (tmp_path / "bad.json").write_text(f'{{"format": "oldtown-solo-policy", "version": 1, "weights": {weights}}}')
        with pytest.raises(AgentError):
            make_agent(f"policy:weights={tmp_path / 'bad.json'}", "oldtown.solo")
