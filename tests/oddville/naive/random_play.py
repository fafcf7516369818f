"""How random players like legal words."""

from .engine import NaiveGame
from .words import BUILDERS_FEE

LIKED = ("lily", "rooster")  # the guilds of builder, traveller and cheater: the rare phases come from them
EAGER = {"build": 60.0, "buy": 1.0, "coins": 1.0, "take": 4.0, "done": 0.5, "return": 0.3, "recover": 0.3}


def even(game: NaiveGame, word: str) -> float:
    """Every legal word alike."""
    return 1.0


def eager(game: NaiveGame, word: str) -> float:
    """Prefer building, and lily and rooster cards; take what a held building still needs; the builder saves its fee.

    So the rare phases (the Builder's window, extra, square, flip) come up often.
    """
    kind, *rest = word.split(":")
    weight = EAGER.get(kind, 2.0)
    seat = game.active if game.to_move is None else game.to_move
    held = game.seats[seat].held
    builder_saves = "builder" in game.seats[seat].characters and len(game.seats[seat].coins) < BUILDERS_FEE
    if kind == "build":
        weight *= 3.0 if game.cards.buildings[held[int(rest[0]) - 1]].suit in LIKED else 1.0
    if kind in ("take", "extra", "any", "double", "bonus"):
        costs = [game.cards.buildings[card].cost for card in held]
        missing = any(cost.count(rest[-1]) > game.board.own_workers(rest[-1], seat) for cost in costs)
        weight *= 4.0 if missing else 0.5
    if kind == "coins" and builder_saves:
        weight *= 20.0
    if kind == "buy":
        weight *= 3.0 if len(held) < 2 else 0.1
    return weight
