"""The policy network of Old Town without torch: its inputs and tensors, its scores in numpy, its ONNX graph."""

from dataclasses import dataclass

import numpy as np

from oddville_agents.policies.graph import ILLEGAL, Graph, dense, layer, tensors_of
from oddville_agents.policies.models import LayerSizes, ScoreFunction, Weights
from oddville_env.core.parts.pieces import FULL, Encoder
from oddville_env.oldtown.cards.words import A_CARDS, B_CARDS, BUILDINGS, C_CARDS, LOTS
from oddville_env.oldtown.rules.actions import ACTIONS, Kind, Layout

OF_EVERY_BUILDING = ("supply", "unknown", "tokens", "standing")
OF_EVERY_SEAT = "mine"
UNREAD = "clues"  # the own cards by what they do: with one deck their numbers, which are read, say as much

TAKE, PLAY_B, REMOVE, PLAY_C, NAMED_BY_C = np.cumsum([0, 1, B_CARDS, LOTS, C_CARDS]).tolist()
COLUMNS = NAMED_BY_C + C_CARDS
"""The questions to a building: take it, play each B card on it, remove its token from each lot, play each C card on it
as an own building, and as the one that the card names."""
PLAY_A = BUILDINGS * COLUMNS
NONE = PLAY_A + A_CARDS  # behind what is asked of all buildings: what each A card brings, and a zero


@dataclass(frozen=True)
class Sizes(LayerSizes):
    """The widths of the layers that describe a building and the whole situation."""

    building: int = 32
    hidden: int = 128


def terms_of(layout: Layout) -> np.ndarray:
    """Which two of the answers, NONE for nothing, are added to the score of each move: int64 [2, A]."""
    terms = np.full((2, ACTIONS), NONE)
    for action, (kind, first, second) in enumerate(Layout.parts):
        if kind == Kind.TAKE:
            terms[0, action] = first * COLUMNS + TAKE
        elif kind == Kind.PLAY_A:
            terms[0, action] = PLAY_A + first
        elif kind == Kind.PLAY_B:
            terms[0, action] = second * COLUMNS + PLAY_B + first
        elif kind == Kind.REMOVE:
            terms[0, action] = first * COLUMNS + REMOVE + second
        elif kind == Kind.PLAY_C:
            named = layout.named[first]
            own = second + (second >= named)
            terms[:, action] = own * COLUMNS + PLAY_C + first, named * COLUMNS + NAMED_BY_C + first
    return terms


def numbers_read(encoder: Encoder) -> np.ndarray:
    """Which numbers of an observation are read as they stand: bool [N]."""
    return np.concatenate([np.full(piece.size, piece.name != UNREAD) for piece in encoder.pieces])


def building_numbers(encoder: Encoder) -> np.ndarray:
    """The indices of each building's numbers in an observation: int64 [BUILDINGS, numbers]."""
    indices = encoder.views(np.arange(encoder.size))
    own = [indices[name].reshape(BUILDINGS, -1) for name in OF_EVERY_BUILDING]
    return np.concatenate([*own, indices[OF_EVERY_SEAT].T], axis=1)


def shapes_of(encoder: Encoder, sizes: Sizes) -> dict[str, tuple[int, ...]]:
    """The network's tensors, by their names."""
    numbers, hidden, building = int(numbers_read(encoder).sum()), sizes.hidden, sizes.building
    known = building_numbers(encoder).shape[1]
    layers = {
        "building.0": (building, known), "building.2": (building, building),
        "body.0": (hidden, numbers), "body.2": (hidden, hidden),
        "asked": (COLUMNS, building), "cards": (A_CARDS, BUILDINGS * building),
        "moves": (ACTIONS, hidden), "value": (1, hidden),
    }  # fmt: skip
    weights = {f"{name}.weight": shape for name, shape in layers.items()}
    return weights | {f"{name}.bias": shape[:1] for name, shape in layers.items()}


ROOTS = np.sqrt(np.arange(FULL + 1.0))  # of every number that an observation can hold


def play(encoder: Encoder, sizes: Sizes, weights: Weights) -> ScoreFunction:
    """The scores by the weights of a `policy.BuildingsNetwork`."""
    precise = {name: weight.astype(np.float64) for name, weight in weights.items()}
    read, known, (first, second) = numbers_read(encoder), building_numbers(encoder), terms_of(encoder.layout)

    def layer(name: str, numbers: np.ndarray) -> np.ndarray:
        product: np.ndarray = numbers @ precise[f"{name}.weight"].T + precise[f"{name}.bias"]
        return product

    def two_layers(name: str, numbers: np.ndarray) -> np.ndarray:
        hidden = np.maximum(layer(f"{name}.0", numbers), 0)
        found: np.ndarray = np.maximum(layer(f"{name}.2", hidden), 0)
        return found

    def scores(observations: np.ndarray) -> np.ndarray:
        numbers, games = ROOTS[observations], len(observations)
        buildings = two_layers("building", numbers[:, known])
        asked = layer("asked", buildings).reshape(games, -1)
        cards = layer("cards", buildings.reshape(games, -1))
        answers = np.concatenate([asked, cards, np.zeros((games, 1))], axis=1)
        moves = layer("moves", two_layers("body", numbers[:, read]))
        moves += answers[:, first] + answers[:, second]
        return moves

    return scores


OPERATIONS = f"""
    all = Cast <to = 1> (observation)
    numbers = Sqrt(all)
    known = Gather <axis = 1> (numbers, building_numbers)
    {dense("building_1", "known", "building_0")}
    {dense("buildings", "building_1", "building_2")}
    {layer("asked", "buildings", "asked")}
    asked_flat = Flatten <axis = 1> (asked)
    buildings_flat = Flatten <axis = 1> (buildings)
    {layer("cards", "buildings_flat", "cards")}
    answers_all = Concat <axis = 1> (asked_flat, cards)
    answers = Pad(answers_all, one_more)
    first = Gather <axis = 1> (answers, first_terms)
    second = Gather <axis = 1> (answers, second_terms)
    read = Gather <axis = 1> (numbers, numbers_read)
    {dense("body_1", "read", "body_0")}
    {dense("situation", "body_1", "body_2")}
    {layer("moves", "situation", "moves")}
    of_first = Add(moves, first)
    scores = Add(of_first, second)
    logits = Where(mask, scores, illegal)
    {layer("values", "situation", "value")}
    value = Squeeze(values, last)
"""


def graph_of(encoder: Encoder, sizes: Sizes, weights: Weights) -> Graph:
    """The graph of a network with these weights."""
    first, second = terms_of(encoder.layout)
    indices = {
        "building_numbers": building_numbers(encoder),
        "numbers_read": np.flatnonzero(numbers_read(encoder)),
        "first_terms": first,
        "second_terms": second,
        "one_more": np.array([0, 0, 0, 1]),
        "last": np.array([1]),
    }
    moves = encoder.layout.size
    text = f"""policy (uint8[B, {encoder.size}] observation, bool[B, {moves}] mask)
        => (float[B, {moves}] logits, float[B] value) {{{OPERATIONS}}}"""
    tensors = tensors_of(weights) | {name: numbers.astype(np.int64) for name, numbers in indices.items()}
    return Graph(text, tensors | {"illegal": ILLEGAL}, {"layout_digest": encoder.layout.digest})
