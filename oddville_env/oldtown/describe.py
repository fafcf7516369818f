"""The game in words: clues, prompts, ranking. Pictures, texts and pages share them."""

from collections.abc import Mapping, Sequence
from typing import Any

from oddville_env.core.svg.palette import SEAT_NAMES
from oddville_env.oldtown.cards import Deck
from oddville_env.oldtown.cards.words import NOTHING, CardType

PROMPTS = {
    "setup": "setup: take two buildings",
    "take": "take a building of your own",
    "main": "play a card or show a pair, else draw or pass",
    "show": "show the second card of the pair",
    "remove": "remove a token",
    "draw": "draw a card",
    "over": "game over",
}


def clue(deck: Deck, number: int) -> str:
    """The clue of a card, as a sentence."""
    card = deck.cards[number - 1]
    if card.type == CardType.C:
        return f"The {deck.buildings[card.building].name} and my building: {card.text}."
    who = "My building" if card.building == NOTHING else f"The {deck.buildings[card.building].name}"
    return f"{who} stood on lot {one_of(card.lots)}."


def clue_of(deck: Deck, number: int, building: int) -> str:
    """[O1] The clue of a puzzle's B card about its building, as a sentence."""
    card = deck.cards[number - 1]
    return f"The {deck.buildings[building].name} ({card.text}) stood on lot {one_of(card.lots)}."


def pairs_of(deck: Deck, number: int) -> str:
    """The pairs of lots of a C card, so that its words cannot be misread."""
    card = deck.cards[number - 1]
    pairs = ", ".join(f"{lot + 1}-{other + 1}" for lot, other in card.pairs)
    return f"the lots of the {deck.buildings[card.building].name} and of my building are one of {pairs}."


def one_of(lots: Sequence[int], word: str = "or") -> str:
    """Lots, counted from 0, as a sentence says them: `4, 8, 12 or 16`."""
    return joined([str(lot + 1) for lot in lots], word)


def joined(parts: Sequence[str], word: str) -> str:
    """`a, b and c`."""
    return f" {word} ".join(filter(None, (", ".join(parts[:-1]), parts[-1]))) if parts else "none"


def prompt(position: Mapping[str, Any]) -> str:
    """[T5] The prompt of the phase for the seat to move."""
    shown = f" to follow card {position['shown']}" if position["shown"] else ""
    return PROMPTS[position["phase"]] + shown


def ranking(position: Mapping[str, Any]) -> list[int]:
    """[E4] The seats by their points, most first."""
    return sorted(range(position["players"]), key=lambda seat: -position["seats"][seat]["score"])


def winners(position: Mapping[str, Any]) -> list[int]:
    """The seats that win if the game ends now."""
    points = [seat["score"] for seat in position["seats"]]
    return [seat for seat in ranking(position) if points[seat] == max(points)]


def headline(position: Mapping[str, Any]) -> str:
    """The seat to move, or the winner."""
    if position["to_move"] is not None:
        return f"{SEAT_NAMES[position['to_move']]} to move"
    points = [seat["score"] for seat in position["seats"]]
    best = [SEAT_NAMES[seat] for seat in winners(position)]
    ranked = ", ".join(f"{SEAT_NAMES[seat]} {points[seat]}" for seat in ranking(position))
    verb = "wins" if len(best) == 1 else "share the win"
    return f"{' and '.join(best)} {verb} ({ranked})"


def roles(position: Mapping[str, Any], seat: int) -> list[str]:
    """The roles of a seat at the moment: to move, first, the viewer's."""
    held = {"to move": position["to_move"] == seat, "first": position["first"] == seat, "you": position["view"] == seat}
    return [role for role, holds in held.items() if holds]


def size(cards: int | Sequence[int]) -> int:
    """The number of cards of a stack or a hand, open or not."""
    return cards if isinstance(cards, int) else len(cards)
