"""The table: what lies where (S), and the small deeds that every word is made of (P, B1, C12, G)."""

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from .board import Board
from .cards import BASE, GUILDS, load_cards
from .city import Cell, City

WORKERS = 9  # S1, L3
ROW = 6  # S5
MOST_COINS = 5  # P2
LAST_WORKER = 6  # E1


@dataclass
class Seat:
    """[S1] What lies before a seat. `coins` and `held` hold building ids: last gained last, oldest first."""

    hand: list[int]
    supply: int = WORKERS
    coins: list[int] = field(default_factory=list)
    held: list[int] = field(default_factory=list)
    characters: list[str] = field(default_factory=list)


class Table:
    """Everything that a game consists of, and who has what."""

    def __init__(self, record: dict[str, Any], folder: Path = BASE) -> None:
        """[S1, S2, S3, S4, S5] Set up the table; `moves` and the result of the record are not looked at."""
        self.cards = load_cards(folder)
        self.players: int = record["players"]
        self.first: int = record["first"]
        self.table = (record["table"][0], record["table"][1])
        self.max_rounds: int = record["max_rounds"]
        self.seats = [Seat(hand=sorted(self.cards.workers)) for _ in range(self.players)]
        self.board = Board(self.cards.slots[self.players])
        self.city = City(self.cards, self.table)
        self.piles: dict[str, list[str]] = {guild: list(record["piles"][guild]) for guild in GUILDS}
        self.reshuffles: list[list[str]] = [list(pile) for pile in record["reshuffles"]]
        self.deck: list[int] = list(record["deck"])
        assert sorted(self.deck) == sorted(self.cards.buildings), "S5: the deck of a record lists every card once"
        self.row = [self.deck.pop(0) for _ in range(ROW)]
        self.round = 0
        self.trigger: int | None = None
        self.truncated = False
        self.moves: list[str] = []
        self._forget_turn()
        self._begin_setup()

    def _forget_turn(self) -> None:
        self.recovered = False
        self.used: list[str] = []
        self.built = False
        self.worker: int | None = None
        self.resume: str | None = None
        self.pending: list[str] = []

    def _begin_setup(self) -> None:
        """[S6] The last seat is the first to choose a resource."""
        self.phase = "setup"
        self.active = (self.first - 1) % self.players
        self.to_move: int | None = self.active

    # Who is who

    def _number(self) -> int:
        assert self.to_move is not None, "in phase over nobody is to move"
        return self.to_move

    def _mover(self) -> Seat:
        assert self.to_move is not None, "in phase over nobody is to move"
        return self.seats[self.to_move]

    def _owner(self, character: str) -> int | None:
        """[G4] The seat that has the character now."""
        return next((number for number, seat in enumerate(self.seats) if character in seat.characters), None)

    def _has(self, character: str) -> bool:
        """[G1] Whether the seat to move may use the character."""
        return character in self._mover().characters

    def _in_window(self) -> bool:
        """[C11] In the Builder's window the seat to move is not the one whose turn it is."""
        return self.to_move != self.active

    # Coins (P)

    def _draw(self) -> int:
        """[P1, P5] The top card of the deck, which never runs out."""
        assert self.deck, "P5: the deck ran out"
        return self.deck.pop(0)

    def _gain_coins(self, seat: int, number: int) -> None:
        """[P1, P2, L1] Coins from the deck, only as many as the seat can keep."""
        for _ in range(number):
            if len(self.seats[seat].coins) < MOST_COINS:
                self.seats[seat].coins.append(self._draw())

    def _pay_coins(self, price: int) -> None:
        """[P3, P4, C8] The last gained coin goes on top of the deck first; then the tax collector takes its coin."""
        if price == 0:
            return
        for _ in range(price):
            self.deck.insert(0, self._mover().coins.pop())
        collector = self._owner("tax_collector")
        if collector is not None and collector != self.to_move:
            self._gain_coins(collector, 1)

    # Workers (S3, B1) and the city (E1)

    def _place_worker(self, resource: str, slot: int) -> None:
        self._mover().supply -= 1
        self.board.put(resource, slot, self._number())

    def _lift_worker(self, start: str) -> None:
        resource, slot = start.split("@")
        self.board.take_off(resource, int(slot), self._number())
        self._mover().supply += 1

    def _pay_resource(self, resource: str) -> None:
        """[B1, C12] An own worker comes off the resource, from the cheapest own slot, to supply."""
        slot = self.board.own_slots(resource, self._number())[0]
        self._lift_worker(f"{resource}@{slot}")

    def _place_building(self, card: int, cell: Cell) -> None:
        """[B1, B4] The card and its owner's worker stay where they are for good."""
        self._mover().supply -= 1
        self.city.built[cell] = (card, self._number())
        self._count_city()

    def _count_city(self) -> None:
        """[E1] The first seat with 6 workers in the city is the trigger."""
        if self.trigger is None and self.city.workers(self._number()) >= LAST_WORKER:
            self.trigger = self.to_move

    # Guilds (G)

    def _guild_favour(self) -> None:
        """[B6, G1, G2, G3] The card just placed, if it is a guild's, wins the top character of the guild's pile."""
        card, _ = list(self.city.built.values())[-1]
        guild = self.cards.buildings[card].suit
        if guild not in GUILDS:
            return
        if not self.piles[guild]:
            self.piles[guild] = self._new_pile(guild, self._give_back(guild))
        self._mover().characters.append(self.piles[guild].pop(0))

    def _give_back(self, guild: str) -> list[str]:
        """[G2] Every seat gives its characters of the guild back."""
        returned: list[str] = []
        for seat in self.seats:
            mine = [character for character in seat.characters if self.cards.characters[character].guild == guild]
            seat.characters = [character for character in seat.characters if character not in mine]
            returned += mine
        return returned

    def _new_pile(self, guild: str, returned: list[str]) -> list[str]:
        """[G2] The next reshuffle of the record, top first, which must be of the returned characters."""
        pile = self.reshuffles.pop(0)
        assert sorted(pile) == sorted(returned), (
            f"G2: the record reshuffles {pile}, but of {guild} {returned} came back"
        )
        return pile
