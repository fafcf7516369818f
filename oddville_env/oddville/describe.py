"""The game in words: cards, characters, prompts. Pictures, texts and pages share them."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from oddville_env.core.svg.palette import SEAT_NAMES as SEAT_NAMES
from oddville_env.oddville.cards import NOBODY, NOTHING, Bonus, CardSet, Character, Counts, Resource, Side, Suit
from oddville_env.oddville.rules import batch
from oddville_env.oddville.settings import make_box

LETTERS = "WCSX"
"""One letter for each resource; crystal is X, because clay has the C."""

COUNT_NAMES = {
    Counts.MASK: "mask card",
    Counts.ROOSTER: "rooster card",
    Counts.BELLS: "bells card",
    Counts.LILY: "lily card",
    Counts.DIAMOND: "diamond card",
    Counts.ADJACENT: "adjacent card",
    Counts.SHIELDS: "adjacent shield",
    Counts.ROW: "card in its line",
    Counts.COLUMN: "card in its column",
}

BONUS_NAMES = {
    Bonus.WOOD: "wood",
    Bonus.CLAY: "clay",
    Bonus.STONE: "stone",
    Bonus.CRYSTAL: "crystal",
    Bonus.ANY: "any resource",
    Bonus.DOUBLE: "a resource where it has a worker",
    Bonus.TRANSFORM: "move a worker to another resource",
    Bonus.COIN: "a coin",
}

POWERS = {  # C1-C12
    Character.HUMAN_RESOURCES_MANAGER: "any card, any resource",
    Character.LANDOWNER: "resources cost 1 coin less",
    Character.SEIGNIOR: "a second resource per card",
    Character.CHEATER: "turns a coin into a building",
    Character.MISTRESS: "recovering costs 1 less",
    Character.BOOKKEEPER: "swaps a building with the row",
    Character.GHOST: "every card shows 3 coins",
    Character.TAX_COLLECTOR: "1 coin when another pays",
    Character.BENEFACTOR: "1 coin at each turn's start",
    Character.LAMPLIGHTER: "all neighbours' bonuses",
    Character.BUILDER: "may build after others' builds",
    Character.TRAVELLER: "once a worker on the square",
}


def formula(cards: CardSet, card: int) -> str:
    """[V1] The formula of a building's value, in words: `2 + 1 per card in its line`."""
    base, per, counts = int(cards.base[card]), int(cards.per[card]), int(cards.counts[card])
    return str(base) if counts == NOTHING else f"{base} + {per} per {COUNT_NAMES[Counts(counts)]}"


def cost(cards: CardSet, card: int) -> str:
    """[B1] The resources that a building costs, a letter each: `WCS`; `-` for none."""
    return "".join(LETTERS[kind] * int(cards.cost[card, kind]) for kind in Resource) or "-"


def streets(cards: CardSet, card: int) -> str:
    """[B3] The sides of a building that have a street: `NES`; `-` for none."""
    return "".join(side.name for side in Side if cards.streets[card, side]) or "-"


def building(cards: CardSet, card: int) -> str:
    """A building in one sentence."""
    return (
        f"{card} {Suit(int(cards.suit[card])).word}: worth {formula(cards, card)}, shield {cards.shield[card]}, "
        f"costs {cost(cards, card)}, bonus {BONUS_NAMES[Bonus(int(cards.bonus[card]))]}, streets {streets(cards, card)}"
    )


def named(word: str) -> Character:
    """The character that a position names by its word."""
    return Character[word.upper()]


def title(character: Character) -> str:
    """A character's name as people write it: `Tax Collector`."""
    return character.word.replace("_", " ").title()


def prompt(position: Mapping[str, Any]) -> str:
    """[T6] The prompt of the phase for the seat to move."""
    phase = position["phase"]
    if phase == "main":
        return "main action: play a worker card" + ("" if position["recovered"] else " or build")
    return {
        "setup": "setup: choose a resource for the first worker",
        "extra": f"Seignior: a second resource with worker card {position['worker']}",
        "bonus": "bonuses: take them one by one",
        "discard": "three buildings held: discard one",
        "end": "end of the turn: an ability may still be used",
        "builder": "Builder's window: may build too",
        "over": "game over",
    }[phase]


def ranking(position: Mapping[str, Any]) -> list[int]:
    """[E3] The seats, best first, as if the game ended now."""
    trigger = NOBODY if position["trigger"] is None else position["trigger"]
    points, ranks = np.array(position["scores"]), np.zeros(position["players"], np.int64)
    batch.ranks(position["first"], trigger, points, ranks)
    return [int(seat) for seat in np.argsort(ranks)]


def winners(position: Mapping[str, Any]) -> list[int]:
    """The seat that wins if the game ends now."""
    return ranking(position)[:1]


def row_prices(cards: CardSet, place: int) -> list[int]:
    """[W4] The prices of a place of the row, counted from 0, with each worker card, in coins."""
    prices = np.zeros(len(cards.worker_coins), np.int64)
    batch.row_prices(make_box(cards=cards).record, place, prices)
    return prices.tolist()


def headline(position: Mapping[str, Any]) -> str:
    """The seat to move, or the winner."""
    if position["to_move"] is not None:
        return f"{SEAT_NAMES[position['to_move']]} to move"
    ranked = ", ".join(f"{SEAT_NAMES[seat]} {position['scores'][seat]}" for seat in ranking(position))
    return f"{SEAT_NAMES[ranking(position)[0]]} wins ({ranked})"


def notice(position: Mapping[str, Any]) -> str:
    """[E1, E4] How the end came about, or that it is near; empty before."""
    if position["trigger"] is not None:
        return f"{SEAT_NAMES[position['trigger']]} has set off the end"
    return "cut off by the limit of rounds" if position["phase"] == "over" else ""


def happened(position: Mapping[str, Any]) -> str:
    """The actions that the current turn has seen: `this turn: recovered, flip`; empty before."""
    done = [word for word in ("recovered", "built") if position[word]] + position["used"]
    return f"this turn: {', '.join(done)}" if done else ""


def roles(position: Mapping[str, Any], seat: int) -> list[str]:
    """The roles of a seat at the moment: to move, or the one whose turn it is; the first."""
    turn = "to move" if position["to_move"] == seat else "turn"
    acts = position["to_move"] is not None and seat in (position["to_move"], position["active"])
    return [turn] * acts + ["first"] * (position["first"] == seat)


def settled(position: Mapping[str, Any], seat: int) -> int:
    """[E1] A seat's workers in the city: on buildings and on the square."""
    owners = [card["owner"] for card in position["city"]]
    return [*owners, *position["square"].values()].count(seat)
