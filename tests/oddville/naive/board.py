"""The resources board: whose workers stand on which slot. Slots are numbered from 1; the last is the upper one."""

from .cards import RESOURCES


class Board:
    """[S3] For each resource a list of slots, each a list of seats: one worker at most, save on the upper slot."""

    def __init__(self, prices: list[int]) -> None:
        """Set up empty slots at these prices."""
        self.prices = prices
        self.slots: dict[str, list[list[int]]] = {resource: [[] for _ in prices] for resource in RESOURCES}

    @property
    def upper(self) -> int:
        """[S3] The number of the upper slot."""
        return len(self.prices)

    def free_slot(self, resource: str) -> int:
        """[S3, L3] The cheapest available slot: the lowest number with nobody on it, or else the upper one."""
        for slot in range(1, self.upper):
            if not self.slots[resource][slot - 1]:
                return slot
        return self.upper

    def own_slots(self, resource: str, seat: int) -> list[int]:
        """Slots of the resource where the seat has a worker, cheapest first."""
        return [slot for slot in range(1, self.upper + 1) if seat in self.slots[resource][slot - 1]]

    def own_workers(self, resource: str, seat: int) -> int:
        """How many workers the seat has on the resource."""
        return sum(slot.count(seat) for slot in self.slots[resource])

    def all_workers(self, seat: int) -> int:
        """How many workers the seat has on the whole board."""
        return sum(self.own_workers(resource, seat) for resource in RESOURCES)

    def put(self, resource: str, slot: int, seat: int) -> None:
        """[L3] Stand a worker on the slot; only the upper slot takes a second one."""
        workers = self.slots[resource][slot - 1]
        assert slot == self.upper or not workers, f"L3: {resource}@{slot} is taken"
        workers.append(seat)

    def take_off(self, resource: str, slot: int, seat: int) -> None:
        """Take one of the seat's workers off the slot."""
        self.slots[resource][slot - 1].remove(seat)

    def listing(self) -> dict[str, list[list[int]]]:
        """Give the board as a position lists it: the seats of each slot in ascending order."""
        return {resource: [sorted(slot) for slot in slots] for resource, slots in self.slots.items()}
