"""[O8] Random towns with all that is true in them, compiled: most towns make no good puzzle, so many are drawn."""

import numpy as np

from oddville_env.core.compiled.jit import kernel
from oddville_env.core.parts.chance import draw
from oddville_env.oldtown.cards.words import BUILDINGS, CARDS, LOTS, NOTHING, CardType
from oddville_env.oldtown.deduction.search import all_meant, all_named
from oddville_env.oldtown.rules import worlds
from oddville_env.oldtown.rules.state import EVERY_LOT, Stream, event_of

GENERATOR = np.dtype([("seed", "u8"), ("event", "u8"), ("draws", "u8")])
"""The state of an attempt's generator: seed and event of its draws, and how many there were."""


@kernel
def number_below(generator, most):
    """A random number in 0..most-1."""
    number = draw(generator.seed, generator.event, generator.draws, most)
    generator.draws += np.uint64(1)
    return number


@kernel
def shuffled(generator, size):
    """The numbers 0..size-1 in random order."""
    numbers = np.arange(size)
    for last in range(size - 1, 0, -1):
        other = number_below(generator, last + 1)
        numbers[last], numbers[other] = numbers[other], numbers[last]
    return numbers


@kernel
def draw_town(box, generator, mine_count, fewest, most, at, mine):
    """[O8] 16 buildings in a placement in which some A cards are true: at [BUILDINGS], NOTHING outside the town.

    False where these A cards cannot be true together.
    """
    at[:], mine[:] = NOTHING, False
    sets, town = np.zeros(BUILDINGS, np.int64), shuffled(generator, BUILDINGS)[:LOTS]
    for building in town:
        sets[building] = EVERY_LOT
    wanted = fewest + number_below(generator, most - fewest + 1)
    for card in shuffled(generator, CARDS):
        if wanted > 0 and box.card_type[card] == CardType.A and sets[box.named[card]] != 0:
            sets[box.named[card]] &= box.lots[card]
            wanted -= 1
    for number in shuffled(generator, LOTS)[:mine_count]:
        mine[town[number]] = True
    return place_town(generator, town, sets, np.zeros(1, worlds.WORLD), at)


@kernel
def place_town(generator, town, sets, board, at):
    """[O8] A random placement within the sets: a world of buildings in random order over lots in random order."""
    world, names = board[0], shuffled(generator, LOTS)
    world.members, world.used, world.lots = 0, 0, EVERY_LOT
    for building in town:
        renamed = 0
        for lot in range(LOTS):
            if sets[building] >> lot & 1:
                renamed |= 1 << names[lot]
        worlds.add(world, building, renamed)
    if not worlds.find_world(world):
        return False
    for member in range(world.members):
        for lot in range(LOTS):
            if world.at[member] == 1 << names[lot]:
                at[world.who[member]] = lot
    return True


@kernel
def true_clues(box, generator, at, mine, clues, means):
    """[O8] Every A and C card that is true, and every B card with a random building for which it is true.

    clues [CARDS, 3] get card, building and lots (0 for C), means [CARDS, BUILDINGS] the own buildings that make a C
    card true; returns how many clues there are.
    """
    number = 0
    for card in range(CARDS):
        means[number] = False
        building = np.int64(box.named[card])
        if box.card_type[card] == CardType.B:
            building = fitting_building(box, generator, at, card)
        if building == NOTHING or at[building] == NOTHING:
            continue
        lots = np.int64(box.lots[card])
        if box.card_type[card] == CardType.C:
            lots = 0
            mark_meant(box, card, at, mine, means[number])
            if not means[number].any():
                continue
        elif not lots >> at[building] & 1:
            continue
        clues[number, 0], clues[number, 1], clues[number, 2] = card, building, lots
        number += 1
    return number


@kernel
def fitting_building(box, generator, at, card):
    """[O8] A random building of the town for which a B card is true, NOTHING where there is none."""
    for building in shuffled(generator, BUILDINGS):
        if at[building] != NOTHING and box.lots[card] >> at[building] & 1:
            return building
    return NOTHING


@kernel
def mark_meant(box, card, at, mine, meant):
    """[O3] The own buildings for which a C card is true."""
    named = box.named[card]
    for own in range(BUILDINGS):
        meant[own] = mine[own] and own != named and box.pairs[card, 0, at[named]] >> at[own] & 1


@kernel
def find_draft(boxes, seed, attempt, level, show_mine, at, mine, clues, means):
    """[O8] The next town, from an attempt on, whose clues name all 16 and mean every own building.

    level [3] is the number of own buildings, and the fewest and most A cards; returns the attempt and the number of
    clues.
    """
    box, generators = boxes[0], np.zeros(1, GENERATOR)
    while True:
        generator = generators[0]
        generator.seed, generator.event, generator.draws = seed, event_of(Stream.SAMPLE, attempt), 0
        if draw_town(box, generator, level[0], level[1], level[2], at, mine):
            number = true_clues(box, generator, at, mine, clues, means)
            kept, listed = np.ones(number, np.bool_), mine & show_mine
            if all_meant(means[:number], kept, mine) and all_named(at != NOTHING, clues[:number, 1], kept, listed):
                return attempt, number
        attempt += 1
