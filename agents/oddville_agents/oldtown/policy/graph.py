"""The network as an ONNX graph: what `scores.py` says, an operation a line."""

import numpy as np

from oddville_agents.networks.graph import ILLEGAL, Graph, dense, layer, tensors_of
from oddville_agents.oldtown.policy.buildings import Sizes, building_numbers, numbers_read, terms_of
from oddville_agents.policies.networks import Weights
from oddville_env.core.parts.pieces import Encoder

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
    places = {
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
    tensors = tensors_of(weights) | {name: place.astype(np.int64) for name, place in places.items()}
    return Graph(text, tensors | {"illegal": ILLEGAL}, {"layout_digest": encoder.layout.digest})
