"""OddVille, slowly and obviously: a twin of the compiled engine, written from RULES.md alone.

Read it in this order: cards, board and city (the components), table (what lies where), words (what may be said), turns
(what follows by itself), and here what each word does, in the function of its name: `_do_build` for `build:1:-2,3`.
"""

from typing import Any

from .turns import Turns
from .words import BUILDERS_FEE


class NaiveGame(Turns):
    """One game, set up from the hidden order of a record and moved on by words.

    To be read: `over`, `truncated`, `trigger`, `moves`, and everything that `Table` holds.
    """

    def position(self, view: int | None = None) -> dict[str, Any]:
        """Give the public state as RULES.md's JSON; every seat sees the same."""
        return {
            "players": self.players,
            "round": self.round,
            "phase": self.phase,
            "active": self.active,
            "to_move": self.to_move,
            "trigger": self.trigger,
            "row": list(self.row),
            "deck": len(self.deck),
            "piles": {
                guild: {"top": pile[0] if pile else None, "size": len(pile)} for guild, pile in self.piles.items()
            },
            "board": self.board.listing(),
            "square": dict(self.city.fields),
            "city": [
                {"card": card, "column": column, "line": line, "owner": owner}
                for (column, line), (card, owner) in self.city.built.items()
            ],
            "seats": [
                {
                    "coins": len(seat.coins),
                    "supply": seat.supply,
                    "hand": sorted(seat.hand),
                    "held": list(seat.held),
                    "characters": sorted(seat.characters),
                }
                for seat in self.seats
            ],
            "first": self.first,
            "table": list(self.table),
            "max_rounds": self.max_rounds,
            "recovered": self.recovered,
            "used": sorted(self.used),
            "built": self.built,
            "worker": self.worker,
            "resume": self.resume,
            "pending": sorted(self.pending),
            "scores": self.scores(),
        }

    def scores(self) -> list[int]:
        """[E2] Each seat's score, as if the game ended now."""
        return [self._score(seat) for seat in range(self.players)]

    def ranks(self) -> list[int]:
        """[E3, E4] Each seat's place: by score, then by the way clockwise from the trigger (or its stand-in)."""
        scores = self.scores()
        start = (self.first - 1) % self.players if self.trigger is None else self.trigger
        order = sorted(range(self.players), key=lambda seat: (-scores[seat], (seat - start) % self.players))
        return [order.index(seat) + 1 for seat in range(self.players)]

    def _score(self, seat: int) -> int:
        """[E2, V1, V2] City cards, characters, and 1 for each worker on the board."""
        characters = sum(self._character_points(seat, character) for character in self.seats[seat].characters)
        return self.city.points(seat) + characters + self.board.all_workers(seat)

    def _character_points(self, seat: int, character: str) -> int:
        """[E2, C12] The traveller is worth nothing to a seat with a worker on the square."""
        spent = character == "traveller" and self.city.on_square(seat)
        return 0 if spent else self.cards.characters[character].points

    # The words, in the order of RULES.md's notation

    def _do_setup(self, resource: str) -> None:
        """[S6] A worker on the upper slot, for nothing; anticlockwise until the first seat has chosen."""
        self._place_worker(resource, self.board.upper)
        if self.to_move == self.first:
            self._begin_turn(self.first)
        else:
            self.active = self.to_move = (self.active - 1) % self.players

    def _do_recover(self) -> None:
        """[T2] All played cards come back to hand."""
        self._pay_coins(self._recovery_price())
        self._mover().hand = sorted(self.cards.workers)
        self.recovered = True

    def _do_coins(self, card: str) -> None:
        """[W1, W2] As many coins as the card shows, as far as P2 lets it."""
        self._play_card(int(card))
        self._gain_coins(self._number(), self._coins_shown(int(card)))
        self._end_action()

    def _do_take(self, card: str, resource: str) -> None:
        """[W1, W3, C3] One resource; the seignior may then take a second one."""
        self._play_card(int(card))
        self._take_resource(resource)
        if self._has("seignior"):
            self.worker = int(card)
            self.phase = "extra"
        else:
            self._end_action()

    def _take_resource(self, resource: str) -> None:
        """[W3] Pay the price of the cheapest available slot and put a worker there."""
        slot = self.board.free_slot(resource)
        self._pay_coins(self._resource_price(resource))
        self._place_worker(resource, slot)

    def _do_buy(self, card: str, place: str) -> None:
        """[W1, W4] Pay, take the building, move the row up, fill position 6 from the deck."""
        self._play_card(int(card))
        self._pay_coins(self.cards.workers[int(card)].prices[int(place) - 1])
        self._mover().held.append(self.row.pop(int(place) - 1))
        self.row.append(self._draw())
        self._end_action()

    def _play_card(self, card: int) -> None:
        """[W1, T3] The card leaves the hand; after the last one all four return."""
        self._mover().hand.remove(card)
        if not self._mover().hand:
            self._mover().hand = sorted(self.cards.workers)

    def _do_build(self, number: str, cell: str) -> None:
        """[B1, B5, C10, C11, N1] Pay, place, own; coins of the bonuses come at once, the others are pending."""
        if self._in_window():
            self._pay_coins(BUILDERS_FEE)
        else:
            self.built = True
        column, line = (int(part) for part in cell.split(","))
        card = self._mover().held.pop(int(number) - 1)
        for resource in self.cards.buildings[card].cost:
            self._pay_resource(resource)
        self._place_building(card, (column, line))
        bonuses = self.city.bonuses((column, line), self._has("lamplighter"))
        self._gain_coins(self._number(), bonuses.count("coin"))
        self.pending = [bonus for bonus in bonuses if bonus != "coin"]
        self.phase = "bonus"

    def _do_extra(self, resource: str) -> None:
        """[C3, C2] The second resource, paid like the first."""
        self._take_resource(resource)
        self._end_action()

    def _do_bonus(self, resource: str) -> None:
        """[N2] The resource that the bonus names."""
        self.pending.remove(resource)
        self._place_worker(resource, self.board.free_slot(resource))

    def _do_any(self, resource: str) -> None:
        """[N3] A resource of choice."""
        self.pending.remove("any")
        self._place_worker(resource, self.board.free_slot(resource))

    def _do_double(self, resource: str) -> None:
        """[N4] A resource where the seat already has a worker."""
        self.pending.remove("double")
        self._place_worker(resource, self.board.free_slot(resource))

    def _do_move(self, way: str) -> None:
        """[N5] A worker to the cheapest available slot of another resource."""
        self.pending.remove("transform")
        start, resource = way.split(">")
        self._lift_worker(start)
        self._place_worker(resource, self.board.free_slot(resource))

    def _do_flip(self) -> None:
        """[C4] The coin gained last becomes a held building; the discard (L2) follows in `_settle`."""
        self.used.append("flip")
        self._mover().held.append(self._mover().coins.pop())

    def _do_swap(self, number: str, place: str) -> None:
        """[C6] The held one takes the other's place in the row, which becomes the last of held."""
        self.used.append("swap")
        mine = self._mover().held.pop(int(number) - 1)
        self._mover().held.append(self.row[int(place) - 1])
        self.row[int(place) - 1] = mine

    def _do_square(self, resource: str) -> None:
        """[C12] Pay the resource; a worker from supply stays on its field for good."""
        self._pay_resource(resource)
        self._mover().supply -= 1
        self.city.fields[resource] = self._number()
        self._count_city()

    def _do_drop(self, number: str) -> None:
        """[L2] To the bottom of the deck; the interrupted phase goes on."""
        self.deck.append(self._mover().held.pop(int(number) - 1))
        assert self.resume is not None, "a discard interrupts a phase"
        self.phase, self.resume = self.resume, None

    def _do_return(self, start: str) -> None:
        """[T5] A worker off the board, back to supply."""
        self._lift_worker(start)

    def _do_done(self) -> None:
        """[T6] No more in this phase."""
        self._end_phase()
