"""Agents for puzzles: the solver, and the network that reads clues."""

from itertools import islice
from pathlib import Path

import numpy as np
import pytest

from oddville_agents import make_agent
from oddville_agents.oldtown.solo.clues import read
from oddville_agents.oldtown.solo.network import forward, inputs_of, table
from oddville_agents.oldtown.solo.play import played
from oddville_agents.oldtown.solo.policy import LEARNED, read_network
from oddville_agents.player import AgentError
from oddville_agents.tensors import NetworkError, write_tensors
from oddville_env.oldtown.solo.game import OldTownSolo
from oddville_env.oldtown.solo.generator import generate
from oddville_env.oldtown.solo.observation import observe
from oddville_env.oldtown.solo.puzzle import printed_puzzles
from oddville_env.oldtown.solo.solver import unary_sets


def test_the_solver_makes_no_mistake() -> None:
    puzzles = [*printed_puzzles(), *islice(generate("hard", 3), 5), next(generate("medium", 4, hide_mine=True))]
    for game in played(make_agent("solver", "oldtown.solo"), puzzles, mistakes=0):
        assert (game.is_solved, game.score) == (True, 16)


def test_an_observation_is_read_as_the_puzzle_says_it() -> None:
    for puzzle in printed_puzzles():
        game = OldTownSolo(puzzle)
        clues = read(observe(game))
        assert (clues.sets @ (1 << np.arange(16)) == unary_sets(puzzle, game.deck)).all()
        assert (clues.cards + 1).tolist() == sorted(puzzle.c)
        assert [game.deck.keys[each] for each in np.flatnonzero(clues.mine)] == sorted(
            puzzle.mine or (), key=game.deck.index
        )
        assert clues.mine_count == puzzle.mine_count


def test_what_stands_and_what_was_wrong_is_left_out_of_other_sets() -> None:
    game = OldTownSolo(1)
    assert game.push("build:hotel@1") == -1
    assert game.push("build:hotel@11") == 1
    clues, hotel = read(observe(game)), game.deck.index("hotel")
    assert clues.sets[hotel].nonzero()[0].tolist() == [10]
    assert clues.sets[:, 10].sum() == 1


def test_the_policy_solves_puzzles_that_it_has_not_seen() -> None:
    for level, share in (("easy", 0.6), ("hard", 0.1)):
        games = list(played(make_agent("policy", "oldtown.solo"), islice(generate(level, 77), 60)))
        assert np.mean([game.is_solved for game in games]) > share


def test_a_network_says_the_same_in_numpy_and_in_torch() -> None:
    torch = pytest.importorskip("torch")
    from oddville_training.learning.puzzles import Network

    network, tensors = Network(), read_network(LEARNED)
    for name, tensor in tensors.items():
        network.tensors[name].data = torch.tensor(tensor.copy())
    for puzzle in (*printed_puzzles()[:3], *islice(generate("hard", 5), 3)):
        clues = read(observe(OldTownSolo(puzzle)))
        cells, cards, mine = (torch.tensor(part)[None] for part in inputs_of(clues))
        found = network(cells, cards, mine)[-1][0].detach().numpy()
        assert np.allclose(forward(tensors, clues, table()), found, atol=1e-4)


def test_an_agent_of_a_game_for_several_plays_no_puzzles() -> None:
    with pytest.raises(AgentError, match="plays games of several"):
        next(played(make_agent("greedy", "oldtown"), printed_puzzles()))


def test_a_file_with_other_tensors_is_no_policy(tmp_path: Path) -> None:
    write_tensors(tmp_path / "other.safetensors", {"first": np.zeros((2, 2))}, {"format": "oldtown-solo-policy"})
    with pytest.raises(NetworkError, match="no policy for puzzles"):
        read_network(tmp_path / "other.safetensors")
