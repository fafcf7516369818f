"""What may be said: for each phase a function `_words_<phase>`, for each rule the words that it allows."""

from collections.abc import Iterator

from support.phases import Phased

from .cards import RESOURCES
from .table import ROW, Table

BUILDERS_FEE = 2  # C11
GHOSTS_COINS = 3  # C7


class Words(Table, Phased):
    """The legal words of a game, and the prices and numbers that decide them."""

    def _words_setup(self) -> Iterator[str]:
        """[S6] Resources that nobody chose before."""
        for resource in RESOURCES:
            if not any(self.board.slots[resource]):
                yield f"setup:{resource}"

    def _words_main(self) -> Iterator[str]:
        """[T1, T2] Play a worker card or build; recover before playing, and then no building."""
        for card in self._mover().hand:
            yield from self._worker_words(card)
        if not self.recovered:
            yield from self._recover_words()
            yield from self._build_words()
        yield from self._return_words()
        yield from self._ability_words()

    def _words_extra(self) -> Iterator[str]:
        """[C3] A second resource, by the same worker card."""
        assert self.worker is not None, "the extra resource comes from a worker card"
        for resource in self._takeable(self.worker):
            yield f"extra:{resource}"
        yield from self._return_words()
        yield from self._ability_words()
        yield "done"

    def _words_bonus(self) -> Iterator[str]:
        """[N6] Any of the pending bonuses, or stop."""
        for bonus in self.pending:
            yield from self._pending_words(bonus)
        yield from self._return_words()
        yield from self._ability_words()
        yield "done"

    def _words_end(self) -> Iterator[str]:
        """[T4] The abilities alone."""
        yield from self._ability_words()
        yield "done"

    def _words_builder(self) -> Iterator[str]:
        """[C11] Build for 2 coins, or not."""
        if len(self._mover().coins) >= BUILDERS_FEE:
            yield from self._build_words()
        yield "done"

    def _words_discard(self) -> Iterator[str]:
        """[L2] One of the three held buildings."""
        for number in range(1, len(self._mover().held) + 1):
            yield f"drop:{number}"

    # By rule

    def _worker_words(self, card: int) -> Iterator[str]:
        """[W1, W2, W3, W4] The uses of one worker card."""
        if self._coins_shown(card) > 0:
            yield f"coins:{card}"
        for resource in self._takeable(card):
            yield f"take:{card}:{resource}"
        for place, price in enumerate(self.cards.workers[card].prices, start=1):
            if price <= len(self._mover().coins):
                yield f"buy:{card}:{place}"

    def _coins_shown(self, card: int) -> int:
        """[W2, C7] The card's coins; with the ghost at least 3."""
        shown = self.cards.workers[card].coins
        return max(shown, GHOSTS_COINS) if self._has("ghost") else shown

    def _takeable(self, card: int) -> list[str]:
        """[W3, C1, C3] The resources that the card shows (or any) and that the seat has a worker and coins for."""
        shown = RESOURCES if self._has("human_resources_manager") else self.cards.workers[card].resources
        if self._mover().supply == 0:
            return []
        return [resource for resource in shown if self._resource_price(resource) <= len(self._mover().coins)]

    def _resource_price(self, resource: str) -> int:
        """[W3, C2, P4] The price of the cheapest available slot, 1 less for the landowner, never below 0."""
        price = self.board.prices[self.board.free_slot(resource) - 1]
        return max(0, price - 1) if self._has("landowner") else price

    def _recover_words(self) -> Iterator[str]:
        """[T2] Only with 1-3 cards in hand, for that the coins suffice."""
        hand = self._mover().hand
        if 1 <= len(hand) < len(self.cards.workers) and self._recovery_price() <= len(self._mover().coins):
            yield "recover"

    def _recovery_price(self) -> int:
        """[T2, C5, P4] 1 coin for each card still in hand, 1 less for the mistress, never below 0."""
        price = len(self._mover().hand)
        return max(0, price - 1) if self._has("mistress") else price

    def _build_words(self) -> Iterator[str]:
        """[B1, B2, B3, B7] Every held building that can be paid, on every cell where it fits."""
        for number, card in enumerate(self._mover().held, start=1):
            if not self._payable(card):
                continue
            for column, line in self.city.empty_cells():
                if self.city.fits(card, (column, line)):
                    yield f"build:{number}:{column},{line}"

    def _payable(self, card: int) -> bool:
        """[B1, B2] An own worker on the board for each resource of the cost, and after paying one in supply."""
        cost = self.cards.buildings[card].cost
        paid = all(self.board.own_workers(each, self._number()) >= cost.count(each) for each in cost)
        return paid and self._mover().supply + len(cost) >= 1

    def _pending_words(self, bonus: str) -> Iterator[str]:
        """[N2, N3, N4, N5] The ways to take one pending bonus; a new worker on the board comes from supply."""
        own = [resource for resource in RESOURCES if self.board.own_workers(resource, self._number())]
        if bonus == "transform":
            yield from self._move_words()
        elif self._mover().supply == 0:
            return
        elif bonus == "any":
            yield from (f"any:{resource}" for resource in RESOURCES)
        elif bonus == "double":
            yield from (f"double:{resource}" for resource in own)
        else:
            yield f"bonus:{bonus}"

    def _move_words(self) -> Iterator[str]:
        """[N5] Any own worker on the board to another resource."""
        for resource in RESOURCES:
            for slot in self.board.own_slots(resource, self._number()):
                for other in RESOURCES:
                    if other != resource:
                        yield f"move:{resource}@{slot}>{other}"

    def _return_words(self) -> Iterator[str]:
        """[T5] With an empty supply, any own worker off the board."""
        if self._mover().supply == 0:
            for resource in RESOURCES:
                for slot in self.board.own_slots(resource, self._number()):
                    yield f"return:{resource}@{slot}"

    def _ability_words(self) -> Iterator[str]:
        """[T4, C4, C6, C12] Flip, swap and square, in the seat's own turn only."""
        seat = self._mover()
        if self._in_window():
            return
        if self._has("cheater") and "flip" not in self.used and seat.coins:
            yield "flip"
        if self._has("bookkeeper") and "swap" not in self.used:
            for number in range(1, len(seat.held) + 1):
                yield from (f"swap:{number}:{place}" for place in range(1, ROW + 1))
        if self._has("traveller") and not self.city.on_square(self._number()):
            for resource in RESOURCES:
                if self.city.fields[resource] is None and self.board.own_workers(resource, self._number()):
                    yield f"square:{resource}"
