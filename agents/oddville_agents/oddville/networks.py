"""The policy networks of OddVille, and their ONNX graphs."""

from collections.abc import Mapping

import numpy as np

from oddville_agents.oddville.policy import CARDS, ProjectNetwork, Sizes
from oddville_agents.policies.graph import ILLEGAL, Graph, dense, layer, tensors_of
from oddville_agents.policies.models import Networks
from oddville_agents.policies.torch_network import by_torch
from oddville_env.core.checked import several, whole
from oddville_env.oddville.observation import encoder_of
from oddville_env.oddville.rules.actions import Layout
from oddville_env.oddville.rules.state import MOST_HELD
from oddville_env.oddville.settings import LONGEST_SIDE

OPERATIONS = f"""
    all = Cast <to = 1> (observation)
    {{pieces}} = Split <axis = 1> (all, piece_sizes)
    numbers_seen = Sqrt(numbers)
    slots_flat = Concat <axis = 1> ({", ".join(CARDS)})
    slots = Reshape(slots_flat, slots_shape)
    {dense("cards", "slots", "card_0")}
    cards_flat = Flatten <axis = 1> (cards)
    own = Gather <axis = 1> (cards, own_slots)
    city_cells = Reshape(city, cells_shape)
    sides_cells = Reshape(sides, cells_shape)
    sides_most = ReduceMax(sides_cells, last)
    relevant = Sign(sides_most)
    cells_all = Concat <axis = 2> (city_cells, sides_cells)
    cells = Mul(cells_all, relevant)
    with_nothing = Pad(cells, one_row)
    around = Gather <axis = 1> (with_nothing, neighbours)
    around_flat = Reshape(around, cells_shape)
    city_most = ReduceMax(city_cells, last)
    has_card = Sign(city_most)
    taken_all = Mul(has_card, relevant)
    taken = Reshape(taken_all, map_shape)
    of_line = ReduceSum(taken, columns)
    of_column = ReduceSum(taken, lines)
    nothing = Sub(taken, taken)
    in_line = Add(nothing, of_line)
    in_column = Add(nothing, of_column)
    line_cells = Reshape(in_line, cells_shape)
    column_cells = Reshape(in_column, cells_shape)
    looked = Concat <axis = 2> (around_flat, line_cells, column_cells)
    {dense("offer_1", "looked", "city_cell_0")}
    {dense("offer_2", "offer_1", "city_cell_2")}
    offer = Mul(offer_2, relevant)
    offer_total = ReduceSum <keepdims = 0> (offer, seats)
    relevant_total = ReduceSum <keepdims = 0> (relevant, seats)
    relevant_some = Max(relevant_total, one)
    offer_mean = Div(offer_total, relevant_some)
    offer_most = ReduceMax <keepdims = 0> (offer, seats)
    situation_seen = Concat <axis = 1> (numbers_seen, cards_flat, offer_mean, offer_most)
    {dense("hidden", "situation_seen", "body_0")}
    situation_all = Concat <axis = 1> (numbers_seen, hidden)
    {layer("needs_flat", "situation_all", "needs")}
    needs_each = Unsqueeze(needs_flat, seats)
    offers_each = MatMul(own, offers_weight)
    met_sum = Add(offers_each, needs_each)
    met = Relu(met_sum)
    {dense("project", "met", "project_1")}
    own_slots_seen = Gather <axis = 1> (slots, own_slots)
    own_slots_most = ReduceMax(own_slots_seen, last)
    there = Sign(own_slots_most)
    read = Mul(project, there)
    held_read, row_read = Split <axis = 1> (read, held_and_row)
    held_total = ReduceSum <keepdims = 0> (held_read, seats)
    held_most = ReduceMax <keepdims = 0> (held_read, seats)
    row_total = ReduceSum <keepdims = 0> (row_read, seats)
    row_most = ReduceMax <keepdims = 0> (row_read, seats)
    beside = Concat <axis = 1> (hidden, held_total, held_most, row_total, row_most)
    {layer("buys_each", "row_read", "buys")}
    buys_turned = Transpose <perm = [0, 2, 1]> (buys_each)
    buys = Flatten <axis = 1> (buys_turned)
    buys_placed = Pad(buys, around_buys)
    {dense("situation", "beside", "body_2")}
    {layer("moves_plain", "situation", "moves")}
    moves_all = Add(moves_plain, buys_placed)
    before, after = Split <axis = 1> (moves_all, before_and_after)
    held_cards = Slice(read, first_slot, past_held, seats)
    situation_each = Unsqueeze(situation, seats)
    situation_held = Expand(situation_each, held_shape)
    asking = Concat <axis = 2> (held_cards, situation_held)
    {layer("asked", "asking", "ask")}
    offer_turned = Transpose <perm = [0, 2, 1]> (offer)
    builds_each = MatMul(asked, offer_turned)
    builds = Flatten <axis = 1> (builds_each)
    scores = Concat <axis = 1> (before, builds, after)
    logits = Where(mask, scores, illegal)
    {layer("values", "situation", "value")}
    value = Squeeze(values, seats)
"""


def policy_graph(network: ProjectNetwork, weights: Mapping[str, np.ndarray]) -> Graph:
    """Return the graph of a network with these weights."""
    encoder = network.encoder
    operations = OPERATIONS.format(pieces=", ".join(network.counts))
    text = f"""policy (uint8[B, {encoder.size}] observation, bool[B, {encoder.layout.size}] mask)
        => (float[B, {encoder.layout.size}] logits, float[B] value) {{{operations}}}"""
    return Graph(text, tensors_of(weights) | _constants(network), {"layout_digest": encoder.layout.digest})


def _constants(network: ProjectNetwork) -> dict[str, np.ndarray]:
    """Sizes, shapes and indices that the operations name."""
    city, (low, high) = network.city, network.buy
    found: dict[str, object] = {
        "piece_sizes": list(network.counts.values()),
        "slots_shape": [0, -1, network.card_size],
        "own_slots": network.own_slots(),
        "cells_shape": [0, city.lines * city.columns, -1],
        "map_shape": [0, city.lines, city.columns],
        "neighbours": city.around.flatten().numpy(),
        "one_row": [0, 0, 0, 0, 1, 0],
        "before_and_after": [network.before, network.after],
        "held_shape": [1, MOST_HELD, network.sizes.hidden],
        "held_and_row": [MOST_HELD, len(network.own_slots()) - MOST_HELD],
        "around_buys": [0, low, 0, network.before + network.after - high],
        "first_slot": [0],
        "past_held": [MOST_HELD],
        "seats": [1],
        "lines": [1],
        "columns": [2],
        "last": [2],
    }
    arrays = {name: np.asarray(value, np.int64) for name, value in found.items()}
    return {**arrays, "one": np.ones(1, np.float32), "illegal": ILLEGAL}


NETWORKS = Networks(
    game="oddville",
    architectures={"projects": by_torch(Sizes, ProjectNetwork, policy_graph)},
    layout_kinds={"table": several(whole(1, LONGEST_SIDE), 2, 2), "slots": whole(1, LONGEST_SIDE)},
    plain_layout=lambda layout: {"table": [layout.columns, layout.lines], "slots": layout.slots},
    layout=lambda plain: Layout(plain["table"][0], plain["table"][1], plain["slots"]),
    encoder_of=encoder_of,
    misfit=lambda layout: (
        f"another table, this one needs a model for {layout.columns} columns, {layout.lines} lines and {layout.slots} "
        "slots a resource"
    ),
    score_index=-1,
)
