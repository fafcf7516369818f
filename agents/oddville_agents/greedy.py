"""`greedy`: plays each legal move in its head and keeps the one after which its prospects are best.

Prospects are the score as it stands, what the held buildings promise (their value where they would fit best, less for
every turn that they are away), and small worths of coins, cards in hand, resources, characters and pending bonuses.
It looks at nothing hidden: reshuffles are imagined, and what a move would reveal is not counted.
"""

import numpy as np

from oddville_agents._jit import kernel
from oddville_agents.agent import Agent, Crowd
from oddville_env.cards.words import NOBODY, NOTHING, NOWHERE, Bonus, Counts
from oddville_env.rules import building, scoring, turn
from oddville_env.rules.actions import Kind
from oddville_env.rules.box import Box
from oddville_env.rules.state import (
    BONUSES,
    CHARACTERS,
    LAST_WORKER,
    MOST_HELD,
    RESOURCES,
    SIDES,
    SUITS,
    WORKER_CARDS,
    Phase,
)

WEIGHTS = {
    "turn": 0.72,  # a promise is worth this much of itself for each turn that it is away
    "second": 0.4,  # the second held building waits for the first
    "unplaced": 2.0,  # points promised by a building that fits nowhere yet
    "growth": 0.6,  # further cards that a formula will count, for each that its owner may still build
    "bonus": 0.9,  # points for a resource, any or double bonus, pending or promised
    "transform": 0.3,
    "coin": 0.45,  # the first coin; every further one is worth less
    "saving": 0.8,  # how much less
    "card": 0.25,  # a worker card in hand
    "power": 0.6,  # a character's use, beside its points
    "spare": -0.35,  # a resource that no held building needs, beside its point
    "rivals": 0.35,  # the best rival's score counts against one's own
    "win": 1000.0,
}
WEIGHT_RECORD = np.dtype((np.record, np.dtype([(name, "f8") for name in WEIGHTS])))


class GreedyAgent(Agent):
    """Looks one move ahead."""

    name = "greedy"

    def __init__(self) -> None:
        self._weights = np.array([tuple(WEIGHTS.values())], WEIGHT_RECORD)
        self._head = Head()

    def act(self, observation: np.ndarray, mask: np.ndarray) -> int:
        """An observation does not tell what a move leads to."""
        raise TypeError("greedy plays from the state, not from an observation: call act_on")

    def act_on(self, box: Box, games: np.ndarray, index: int, mask: np.ndarray) -> int:
        """The move with the best prospects, the first of equals."""
        return int(best_move(box.record, games, index, mask, self._weights, *self._head.room(box)))

    def crowd(self, tables: int) -> "GreedyCrowd":
        """The same agent at every table: it remembers nothing."""
        return GreedyCrowd(self._weights)


class GreedyCrowd(Crowd):
    """`greedy` at many tables, in one compiled loop."""

    def __init__(self, weights: np.ndarray) -> None:
        self._weights, self._head = weights, Head()

    def reset(self, table: int, seat: int, players: int, seed: int) -> None:
        """Greedy remembers nothing."""

    def act_on(self, box: Box, games: np.ndarray, tables: np.ndarray, masks: np.ndarray, actions: np.ndarray) -> None:
        """Write the moves with the best prospects."""
        best_moves(box.record, games, tables, masks, self._weights, *self._head.room(box), actions)


class Head:
    """Where moves are played in the head: a game [1] and its mask [A], made once for a box."""

    def __init__(self) -> None:
        self._box: Box | None = None

    def room(self, box: Box) -> tuple[np.ndarray, np.ndarray]:
        """The imagined game and its scratch mask; whoever plays in them overwrites them."""
        if box is not self._box:
            self._box, self._game, self._mask = box, np.zeros(1, box.games), np.zeros(box.layout.size, np.bool_)
        return self._game, self._mask


@kernel
def best_moves(boxes, games, tables, masks, weights, imagined, scratch, actions):
    """`best_move` at each of the tables [T]."""
    for table in tables:
        actions[table] = best_move(boxes, games, table, masks[table], weights, imagined, scratch)


@kernel
def best_move(boxes, games, index, mask, weights, imagined, scratch):
    """The id after which the seat to move has the best prospects; imagined [1] and scratch [A] are overwritten."""
    box, me = boxes[0], games[index].to_move
    best, best_worth = NOTHING, -np.inf
    for action in range(mask.size):
        if mask[action]:
            imagined[0] = games[index]
            worth = worth_of_move(box, imagined[0], action, me, weights[0], scratch)
            if worth > best_worth:
                best, best_worth = action, worth
    return best


@kernel
def worth_of_move(box, game, action, me, weights, scratch):
    """Play a move in an imagined game and look at the seat's prospects."""
    game.seed = 0
    if box.kind[action] == Kind.FLIP:
        return worth_of_flip(box, game, me, weights)
    turn.step(box, game, action, scratch)
    return prospects(box, game, me, weights)


@kernel
def worth_of_flip(box, game, me, weights):
    """A coin becomes a building that nobody knows: worth it with room for one."""
    worth = prospects(box, game, me, weights)
    return worth + weights.unplaced * weights.turn - weights.coin if game.holding[me] < MOST_HELD else -np.inf


@kernel
def prospects(box, game, me, weights):
    """What a seat may hope for, in points."""
    rival = best_rival(box, game, me)
    score = scoring.score(box, game, me)
    if game.phase == Phase.OVER:
        return score - weights.rivals * rival + (weights.win if score > rival else -weights.win)
    worth = score - weights.rivals * rival
    worth += promises(box, game, me, weights)
    worth += worth_of_coins(game.coins[me], weights)
    for worker in range(WORKER_CARDS):
        worth += weights.card * game.hand[me, worker]
    for character in range(CHARACTERS):
        if game.owner[character] == me:
            worth += weights.power
    if game.to_move == me and game.phase == Phase.BONUS:
        worth += worth_of_pending(game, weights)
    return worth


@kernel
def best_rival(box, game, me):
    """The best score among the others."""
    best = -1
    for seat in range(box.players):
        if seat != me:
            best = max(best, scoring.score(box, game, seat))
    return best


@kernel
def worth_of_coins(coins, weights):
    """Each further coin helps less."""
    worth, next_coin = 0.0, weights.coin
    for _ in range(coins):
        worth += next_coin
        next_coin *= weights.saving
    return worth


@kernel
def worth_of_pending(game, weights):
    """Bonuses still to be resolved."""
    worth = 0.0
    for bonus in range(BONUSES):
        worth += game.pending[bonus] * worth_of_bonus(bonus, weights)
    return worth


@kernel
def worth_of_bonus(bonus, weights):
    """A bonus in points."""
    if bonus == Bonus.TRANSFORM:
        return weights.transform
    return weights.coin if bonus == Bonus.COIN else weights.bonus


@kernel
def promises(box, game, me, weights):
    """The held buildings, the more promising one first, and the resources that none of them needs."""
    first, second = 0.0, 0.0
    for index in range(game.holding[me]):
        promise = worth_of_project(box, game, me, game.held[me, index], weights)
        if promise > first:
            first, second = promise, first
        elif promise > second:
            second = promise
    return first + weights.second * second + weights.spare * spare_workers(box, game, me)


@kernel
def spare_workers(box, game, me):
    """Workers on the board beyond what the held buildings cost together."""
    spare = 0
    for resource in range(RESOURCES):
        needed = 0
        for index in range(game.holding[me]):
            needed += box.cost[game.held[me, index], resource]
        spare += max(game.stock[me, resource] - needed, 0)
    return spare


@kernel
def worth_of_project(box, game, me, card, weights):
    """A held building's value where it would fit best, less its workers' points, sooner being better."""
    missing, cost = 0, 0
    for resource in range(RESOURCES):
        missing += max(box.cost[card, resource] - game.stock[me, resource], 0)
        cost += box.cost[card, resource]
    worth = weights.unplaced
    for place in range(game.frontier_size):
        cell = game.frontier[place]
        if building.fits(box, game, card, cell):
            worth = max(worth, worth_of_place(box, game, me, card, cell, weights))
    return max(worth - cost, 0.0) * weights.turn ** (missing + 1)


@kernel
def worth_of_place(box, game, me, card, cell, weights):
    """Value, bonuses, and what the card adds to the seat's buildings around it."""
    worth = box.base_value[card] + box.per[card] * likely_count(box, game, me, card, cell, weights)
    worth += worth_of_bonus(box.bonus[card], weights)
    for side in range(SIDES):
        beside = box.neighbour[cell, side]
        if beside != NOWHERE and game.ground[beside] != NOWHERE:
            entry = game.ground[beside]
            if box.streets[card, side]:
                worth += worth_of_bonus(box.bonus[game.city_card[entry]], weights)
            worth += added_to_neighbour(box, card, game.city_card[entry], side_of(game.city_owner[entry], me))
    return worth


@kernel
def side_of(owner, me):
    """+1 for an own card, -1 for a rival's, 0 for the square."""
    if owner == NOBODY:
        return 0
    return 1 if owner == me else -1


@kernel
def added_to_neighbour(box, card, neighbour, side):
    """What a card adds to a neighbour that counts its neighbours or their shields."""
    if box.counts[neighbour] == Counts.ADJACENT:
        return side * box.per[neighbour]
    if box.counts[neighbour] == Counts.SHIELDS:
        return side * box.per[neighbour] * box.shield[card]
    return 0


@kernel
def likely_count(box, game, me, card, cell, weights):
    """[V1] What the formula would count on this cell, with some growth until the end."""
    counts = box.counts[card]
    if counts == NOTHING:
        return 0.0
    later = weights.growth * growth(counts) * max(LAST_WORKER - 1 - game.settled[me], 0)
    if counts < SUITS:
        return (box.suit[card] == counts) + scoring.of_suit(box, game, counts) + later
    if counts == Counts.ROW:
        return 1 + scoring.same(box, game, cell, box.line) + later
    if counts == Counts.COLUMN:
        return 1 + scoring.same(box, game, cell, box.column) + later
    total = later
    for side in range(SIDES):
        beside = box.neighbour[cell, side]
        if beside != NOWHERE and game.ground[beside] != NOWHERE:
            entry = game.ground[beside]
            total += box.shield[game.city_card[entry]] if counts == Counts.SHIELDS else 1
    return total


@kernel
def growth(counts):
    """How likely one further building is counted, roughly: suits and lines grow everywhere, neighbours fill up."""
    return 0.35 if counts < SUITS or counts == Counts.ROW else 0.2
