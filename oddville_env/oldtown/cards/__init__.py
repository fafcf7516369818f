"""Decks: what is printed on the components, read from `deck.json` and checked."""

from oddville_env.oldtown.cards.deck import Building, Card, Deck, DeckError, base_deck, deck_of, load_deck

__all__ = ["Building", "Card", "Deck", "DeckError", "base_deck", "deck_of", "load_deck"]
