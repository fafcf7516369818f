"""The compiled game and the naive twin agree in every position, view, legal word and score."""

import os
from random import Random

import pytest

from oddville_env.oldtown.deduction.puzzle import printed_puzzles
from oddville_env.oldtown.deduction.solver import solve
from oddville_env.oldtown.game import OldTown
from oddville_env.oldtown.solo.game import OldTownSolo
from oddville_env.oldtown.solo.generator import LEVELS, generate
from oldtown.naive import DECK, NaiveGame, NaiveSolo, Puzzle, busy, clues_too_many, even, random_game

FEW, MANY = 1, int(os.environ.get("TWIN_GAMES", "60"))
every_game = pytest.mark.parametrize("players", [2, 3, 4])
every_setting = pytest.mark.parametrize("lone_confirm", [False, True])
every_way = pytest.mark.parametrize("weight", [even, busy])


def compare(players: int, lone_confirm: bool, weight: object, seeds: range) -> None:
    for seed in seeds:
        games: list[OldTown] = []

        def follow(naive: NaiveGame, games: list[OldTown] = games) -> None:
            """Say the word that the twin has just said, and look at both."""
            if naive.moves:
                games[0].push(naive.moves[-1])
            else:
                games.append(OldTown(seed=0, **naive.dealt))
            for view in [None, *range(players)]:
                assert games[0].position(view) == naive.position(view)
            assert games[0].legal_moves.words() == naive.legal()

        twin = random_game(DECK, players, Random(seed), lone_confirm, weight, follow)  # type: ignore[arg-type]
        (game,) = games
        assert game.record() == {**twin, **game.record()}
        assert OldTown.from_record({**game.record(), "scores": twin["scores"], "ranks": twin["ranks"]}) == game


@every_game
@every_setting
@every_way
def test_random_games_agree_at_every_decision(players: int, lone_confirm: bool, weight: object) -> None:
    compare(players, lone_confirm, weight, range(FEW))


@pytest.mark.slow
@every_game
@every_setting
@every_way
def test_many_random_games_agree_at_every_decision(players: int, lone_confirm: bool, weight: object) -> None:
    compare(players, lone_confirm, weight, range(FEW, FEW + MANY))


@pytest.mark.parametrize("puzzle", printed_puzzles(), ids=lambda puzzle: puzzle.name)
def test_both_solvers_find_the_same_placements(puzzle) -> None:  # type: ignore[no-untyped-def]
    naive = Puzzle(DECK, puzzle.plain()).placements()
    ours = {solution.placement for solution in solve(puzzle)}
    assert {tuple(sorted(world, key=world.__getitem__)) for world in naive} == ours


@pytest.mark.parametrize("level", LEVELS)
def test_the_naive_solver_finds_generated_puzzles_unique_and_no_clue_too_many(level: str) -> None:
    puzzles = generate(level, 11)
    for _ in range(FEW):
        plain = next(puzzles).plain()
        assert Puzzle(DECK, plain).is_unique()
        assert clues_too_many(DECK, plain) == []


def test_solo_games_agree_at_every_word() -> None:
    for puzzle in printed_puzzles()[:6]:
        game, naive, rng = OldTownSolo(puzzle), NaiveSolo(DECK, puzzle.plain()), Random(1)
        while not game.is_over:
            assert game.legal_moves == naive.legal()
            assert game.position() == naive.position()
            right = [f"build:{key}@{lot}" for lot, key in enumerate(puzzle.solution or (), 1)]
            words = [word for word in right if word in game.legal_moves] if rng.random() < 0.9 else game.legal_moves
            word = rng.choice(words)
            assert game.push(word) == naive.play(word)
        assert naive.over
        assert game.record() == naive.record()
