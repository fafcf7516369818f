"""Both games against their naive twins: at every decision the same words, positions of every seat and scores."""

from itertools import product
from pathlib import Path
from random import Random
from typing import Any

import pytest

from oddville import naive as oddville
from oddville_env import MINI, Game, OldTown
from oddville_env.oddville.cards import load_cards, write_cards
from oldtown import naive as oldtown
from support.games import every_game

QUICK, LONG = {Game: 40, OldTown: 16}, {Game: 3000, OldTown: 750}
TABLES = [(17, 9), (7, 5), (5, 9), (1, 3)]
SETTINGS: dict[Any, dict[str, list[Any]]] = {
    Game: {"table": TABLES, "max_rounds": [100, 9]},
    OldTown: {"lone_confirm": [False, True]},
}
TWINS: dict[Any, Any] = {Game: oddville.NaiveGame, OldTown: lambda record: oldtown.NaiveGame(oldtown.DECK, record)}
LIKED = ("lily", "rooster")  # the guilds of builder, traveller and cheater: the rare phases come from them
EAGER = {"build": 60.0, "buy": 1.0, "coins": 1.0, "take": 4.0, "done": 0.5, "return": 0.3, "recover": 0.3}


def even(game: Any, word: str) -> float:
    return 1.0


def busy(game: Any, word: str) -> float:
    """Rather pairs than plays, so that chains after a removed token come up often."""
    return 5.0 if word.startswith("show:") else 1.0


def eager(game: Any, word: str) -> float:
    """Prefer building, and lily and rooster cards; take what a held building still needs; the builder saves its fee.

    So the rare phases (the Builder's window, extra, square, flip) come up often.
    """
    kind, *rest = word.split(":")
    weight, seat = EAGER.get(kind, 2.0), game.active if game.to_move is None else game.to_move
    held = game.seats[seat].held
    if kind == "build":
        weight *= 3.0 if game.cards.buildings[held[int(rest[0]) - 1]].suit in LIKED else 1.0
    if kind in ("take", "extra", "any", "double", "bonus"):
        costs = [game.cards.buildings[card].cost for card in held]
        missing = any(cost.count(rest[-1]) > game.board.own_workers(rest[-1], seat) for cost in costs)
        weight *= 4.0 if missing else 0.5
    if kind == "coins" and "builder" in game.seats[seat].characters and len(game.seats[seat].coins) < 2:
        weight *= 20.0
    if kind == "buy":
        weight *= 3.0 if len(held) < 2 else 0.1
    return weight


STRIDE = 7  # between the kinds of games of two seeds: games in a row differ in all, and every kind comes up
RARE = {Game: eager, OldTown: busy}


def play_both(make: Any, seed: int) -> None:
    """One random game, half of them by a player who makes what is rare common."""
    rng, kinds = Random(seed), list(product((2, 3, 4), (even, RARE[make]), *SETTINGS[make].values()))
    players, weigh, *values = kinds[STRIDE * seed % len(kinds)]
    game = make(players, seed, **dict(zip(SETTINGS[make], values, strict=True)))
    play_twins(game, TWINS[make](game.record()), rng, weigh)


def play_twins(game: Any, twin: Any, rng: Random, weigh: Any) -> None:
    """One random game on both engines."""
    known = 0
    while True:
        words = game.legal_moves.words()
        assert words == twin.legal()
        for view in (None, *range(game.players)):
            assert game.position(view) == twin.position(view)
        if game.is_over:
            break
        word = rng.choices(words, [weigh(twin, word) for word in words])[0]
        game.push(word)
        if isinstance(game, Game):
            piles = game.record()["reshuffles"]
            twin.reshuffles.extend(piles[known:])
            known = len(piles)
        twin.play(word)
    outcome = game.outcome
    assert (list(outcome.scores), list(outcome.ranks)) == (twin.scores(), twin.ranks())
    for name in ("trigger", "truncated") if isinstance(game, Game) else ("end",):
        assert getattr(outcome, name) == getattr(twin, name)


@pytest.mark.parametrize(("make", "seed"), [(make, seed) for make in QUICK for seed in range(QUICK[make])])
def test_the_compiled_rules_play_as_the_naive_twin_does(make: Any, seed: int) -> None:
    play_both(make, seed)


def test_mini_is_played_as_the_naive_twin_does(tmp_path: Path) -> None:
    write_cards(load_cards("mini"), tmp_path)
    built = 0
    for seed in range(20):
        game = Game(seed=seed, **MINI)
        twin = oddville.NaiveGame(game.record(), tmp_path)
        play_twins(game, twin, Random(seed), (even, eager)[seed % 2])
        built += len(game.position()["city"])
        assert (game.players, twin.table, twin.max_rounds) == (2, (5, 3), MINI["max_rounds"])
    assert built > 20


@pytest.mark.slow
@every_game
def test_the_compiled_rules_play_as_the_naive_twin_does_for_a_long_time(make: Any) -> None:
    for seed in range(QUICK[make], LONG[make]):
        play_both(make, seed)
