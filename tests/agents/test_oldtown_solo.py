"""Agents for puzzles: the solver, and the network that reads clues."""

from itertools import islice
from pathlib import Path

import numpy as np
import pytest

from oddville_agents import make_agent
from oddville_agents.oldtown.solo import LEARNED, beliefs, played, read_clues, weights_of
from oddville_agents.player import AgentError
from oddville_env.oldtown.deduction.puzzle import printed_puzzles
from oddville_env.oldtown.deduction.solver import unary_sets
from oddville_env.oldtown.settings import make_box
from oddville_env.oldtown.solo.game import OldTownSolo
from oddville_env.oldtown.solo.generator import generate
from oddville_env.oldtown.solo.observation import observe


def test_the_solver_makes_no_mistake() -> None:
    puzzles = [*printed_puzzles(), *islice(generate("hard", 3), 5), next(generate("medium", 4, hide_mine=True))]
    for game in played(make_agent("solver", "oldtown.solo"), puzzles, mistakes=0):
        assert (game.is_solved, game.score) == (True, 16)


def test_clues_match_the_puzzle() -> None:
    for puzzle in printed_puzzles():
        game = OldTownSolo(puzzle)
        clues = read_clues(observe(game))
        assert (clues.sets @ (1 << np.arange(16)) == unary_sets(puzzle, game.deck)).all()
        assert (clues.cards + 1).tolist() == sorted(puzzle.c)
        assert [game.deck.keys[each] for each in np.flatnonzero(clues.mine)] == sorted(
            puzzle.mine or (), key=game.deck.index
        )
        assert clues.mine_count == puzzle.mine_count


def test_standing_and_wrong_buildings_leave_other_sets() -> None:
    game = OldTownSolo(1)
    assert (game.push("build:hotel@1"), game.push("build:hotel@11")) == (-1, 1)
    clues, hotel = read_clues(observe(game)), game.deck.index("hotel")
    assert (clues.sets[hotel].nonzero()[0].tolist(), clues.sets[:, 10].sum()) == ([10], 1)


def test_policy_solves_unseen_puzzles() -> None:
    for level, share in (("easy", 0.9), ("hard", 0.4)):
        games = list(played(make_agent("policy", "oldtown.solo"), islice(generate(level, 77), 12)))
        assert np.mean([game.is_solved for game in games]) > share


def test_beliefs_keep_to_the_sets_and_sum_to_one() -> None:
    weights, box = weights_of(LEARNED), make_box(2)
    for puzzle in (*printed_puzzles(), next(generate("medium", 4, hide_mine=True))):
        clues = read_clues(observe(OldTownSolo(puzzle)))
        found = beliefs(weights, clues, box)
        assert (found[~clues.sets] == 0).all()
        assert np.allclose(found[clues.town].sum(1), 1)
        assert (found[~clues.town] == 0).all()


def test_beliefs_follow_the_numbers_of_buildings_and_not_their_names() -> None:
    """What a card says of a building moves the beliefs about this building and the own one first."""
    weights, box, puzzle = weights_of(LEARNED), make_box(2), printed_puzzles()[0]
    clues = read_clues(observe(OldTownSolo(puzzle)))
    fewer = clues._replace(cards=clues.cards[1:])
    named = int(box.record[0].named[clues.cards[0]])
    moved = np.abs(beliefs(weights, clues, box) - beliefs(weights, fewer, box)).sum(1)
    assert moved[named] > 0.1


def test_agent_for_several_seats_plays_no_puzzles() -> None:
    with pytest.raises(AgentError, match="plays games of several"):
        next(played(make_agent("greedy", "oldtown"), printed_puzzles()))


def test_malformed_policy_file_is_refused(tmp_path: Path) -> None:
    for weights in ('{"crowd": 1}', '{"crowd": "much", "vacancy": 1, "named": 1, "own": 1, "inertia": 0}', "3"):
        (tmp_path / "bad.json").write_text(f'{{"format": "oldtown-solo-policy", "version": 1, "weights": {weights}}}')
        with pytest.raises(AgentError):
            make_agent(f"policy:weights={tmp_path / 'bad.json'}", "oldtown.solo")
