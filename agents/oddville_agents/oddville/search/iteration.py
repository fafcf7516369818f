"""An iteration of `search`: PUCT down a tree of public positions, and backup of a value for every seat. Compiled.

    move     argmax of: Q + C_PUCT x (1 + ln(1 + N / PATIENCE)) x prior x sqrt(N) / (1 + n)
    Q        (sum of the mover's values + VIRTUAL_VISITS x prior value) / (n + VIRTUAL_VISITS)
    prior    (1 - FAIRNESS) x softmax of (SHARPNESS x log odds of the prior value) + FAIRNESS / moves
    outcome  a new sample while a revealing move has fewer than 1 + WIDENING x sqrt(n), else the one furthest behind
    value    of the new position, or the mean of that and of the value some turns later

N are the visits of a node, n those of a move; the prior value is the mover's chance to win one move ahead. PUCT: Rosin
2011, Silver et al. 2017; c that grows with N: Silver et al. 2018; widening of chance nodes: Couetoux et al. 2011.
"""

import numpy as np

from oddville_agents.oddville.search.tree import DEPTH, has_room, node_of
from oddville_agents.oddville.value.evaluator import best_move, start_group, values, values_beside
from oddville_agents.oddville.value.formula.values import step_covered
from oddville_env.core.compiled.arrays import overwrite
from oddville_env.core.compiled.jit import kernel
from oddville_env.core.parts import chance
from oddville_env.oddville.cards.words import NOBODY, NOTHING, NOWHERE
from oddville_env.oddville.rules import hidden, turn
from oddville_env.oddville.rules.actions import Kind
from oddville_env.oddville.rules.state import SEATS

C_PUCT = 0.5  # weight of exploration
VIRTUAL_VISITS = 2.0  # visits that the prior value counts as
SHARPNESS = 2.0  # power of the prior values' odds in the priors
FAIRNESS = 0.25  # uniform part of the priors
WIDENING = 1.0  # outcomes of a revealing move: 1 + this x the root of its visits
PATIENCE = 1000  # visits of a node after which exploration grows
SURE = 1e-4  # chances are clipped to SURE..1 - SURE


@kernel
def expand(box, tree, node, evaluator):
    """Give a node its edges, one for each legal move; False where there is no room."""
    turn.legal(box, tree.states[node], tree.mask)
    first, last = tree.used[1], tree.used[1] + tree.states[node].legal_count
    if last > tree.edges.size:
        return False
    at = first
    for action in range(box.actions):
        if tree.mask[action]:
            edge = tree.edges[at]
            edge.action, edge.outcome = action, NOTHING
            edge.visits = edge.outcomes = 0
            for seat in range(SEATS):
                edge.total[seat] = 0.0
            at += 1
    start_group(evaluator)
    for at in range(first, last):
        look_ahead(box, tree, node, tree.edges[at], evaluator)
    set_priors(tree.edges[first:last])
    tree.nodes[node].edge, tree.nodes[node].edges = first, last - first
    tree.used[1] = last
    return True


@kernel
def look_ahead(box, tree, node, edge, evaluator):
    """Set the prior value of an edge: the mover's chance to win one move ahead, for a flip the present one."""
    now, then = tree.states[node], tree.after[0]
    if box.kind[edge.action] == Kind.FLIP:
        edge.reveals = True
        edge.prior_value = tree.nodes[node].values[now.to_move]
        return
    tree.after[0] = now
    step_covered(box, then, edge.action, tree.mask)
    edge.reveals = hidden.is_revealing(now, then)
    values_beside(box, then, evaluator, tree.values)
    edge.prior_value = tree.values[now.to_move]


@kernel
def log_odds(share):
    """Return the log odds of a clipped chance to win."""
    share = min(max(share, SURE), 1 - SURE)
    return np.log(share / (1 - share))


@kernel
def set_priors(edges):
    """Set the priors of all edges."""
    best, total = -np.inf, 0.0
    for edge in edges:
        best = max(best, log_odds(edge.prior_value))
    for edge in edges:
        edge.prior = np.exp(SHARPNESS * (log_odds(edge.prior_value) - best))
        total += edge.prior
    for edge in edges:
        edge.prior = (1 - FAIRNESS) * edge.prior / total + FAIRNESS / edges.size


@kernel
def select(tree, node, me):
    """Return the edge to follow by PUCT (Silver et al. 2017)."""
    here = tree.nodes[node]
    best, best_score = here.edge, -np.inf
    exploration = C_PUCT * (1 + np.log(1 + here.visits / PATIENCE)) * np.sqrt(here.visits)
    for at in range(here.edge, here.edge + here.edges):
        edge = tree.edges[at]
        value = (edge.total[me] + VIRTUAL_VISITS * edge.prior_value) / (edge.visits + VIRTUAL_VISITS)
        score = value + exploration * edge.prior / (1 + edge.visits)
        if score > best_score:
            best, best_score = at, score
    return best


@kernel
def follow(box, tree, node, at, evaluator, seed):
    """Return an outcome of an edge: a new one, the one furthest behind, or NOTHING if there is no room."""
    edge = tree.edges[at]
    wanted = 1 + WIDENING * np.sqrt(edge.visits) if edge.reveals else 1
    if edge.outcomes < wanted and has_room(tree):
        step_behind(box, tree, node, edge, seed)
        return outcome_of(tree, edge, node_of(box, tree, tree.after[0], evaluator))
    return furthest_behind(tree, edge)


@kernel
def step_behind(box, tree, node, edge, seed):
    """Write the position after a move into tree.after[0], with what it reveals sampled."""
    tree.after[0] = tree.states[node]
    if edge.reveals:
        hidden.sample_unseen(box, tree.after[0], seed)
    turn.step(box, tree.after[0], edge.action, tree.mask)


@kernel
def outcome_of(tree, edge, node):
    """Return the outcome of an edge that leads to a node, and count it as drawn."""
    at = edge.outcome
    while at != NOTHING and tree.outcomes[at].node != node:
        at = tree.outcomes[at].older
    if at == NOTHING:
        at = np.int32(tree.used[2])
        tree.used[2] += 1
        outcome = tree.outcomes[at]
        outcome.node, outcome.older, outcome.drawn, outcome.visits = node, edge.outcome, 0, 0
        edge.outcome = at
        edge.outcomes += 1
    tree.outcomes[at].drawn += 1
    return at


@kernel
def furthest_behind(tree, edge):
    """Return the outcome with the fewest visits per draw, or NOTHING."""
    best, best_share = np.int32(NOTHING), np.inf
    at = edge.outcome
    while at != NOTHING:
        share = tree.outcomes[at].visits / tree.outcomes[at].drawn
        if share < best_share:
            best, best_share = at, share
        at = tree.outcomes[at].older
    return best


@kernel
def iterate(boxes, tree, root, evaluators, seed, turns):
    """Run one iteration: down to a new or finished position, and back with its values. A full tree adds none."""
    box, evaluator = boxes[0], evaluators[0]
    node, depth = root, 0
    while depth < DEPTH and tree.nodes[node].visits > 0 and tree.states[node].to_move != NOBODY:
        if tree.nodes[node].edges == 0 and not expand(box, tree, node, evaluator):
            break
        at = select(tree, node, tree.states[node].to_move)
        seed_here = chance.scatter(seed + np.uint64(depth))
        outcome = follow(box, tree, node, at, evaluator, seed_here)
        tree.path[depth, 0], tree.path[depth, 1] = at, outcome
        tree.nodes[node].visits += 1
        depth += 1
        if outcome == NOTHING:
            step_behind(box, tree, node, tree.edges[at], seed_here)
            values(box, tree.after[0], evaluator, tree.values)
            look_further(boxes, tree, evaluators, seed, turns)
            backpropagate(box, tree, depth)
            return
        node = np.int64(tree.outcomes[outcome].node)
    tree.nodes[node].visits += 1
    tree.after[0] = tree.states[node]
    overwrite(tree.values, tree.nodes[node].values)
    look_further(boxes, tree, evaluators, seed, turns)
    backpropagate(box, tree, depth)


@kernel
def look_further(boxes, tree, evaluators, seed, turns):
    """Average the values of tree.after[0] with those some turns later (AlphaGo, Silver et al. 2016)."""
    if turns > 0 and tree.after[0].to_move != NOBODY:
        play_on(boxes, tree, evaluators, seed, turns)
        for seat in range(boxes[0].players):
            tree.values[seat] = (tree.values[seat] + tree.later[seat]) / 2


@kernel
def play_on(boxes, tree, evaluators, seed, turns):
    """Play tree.after[0] on for some turns by best moves, and write the values there into tree.later.

    Hidden cards are sampled first (truncated rollouts, Tesauro and Galperin 1996). A choice of the setup is a turn.
    """
    box, game = boxes[0], tree.after[0]
    hidden.sample_unseen(box, game, chance.scatter(seed ^ chance.INCREMENT))
    turn.legal(box, game, tree.mask)
    while turns > 0 and game.to_move != NOBODY:
        active, action = game.active, tree.mask.argmax()
        if game.legal_count > 1:
            action = best_move(boxes, tree.after, 0, tree.mask, evaluators, tree.scratch)
        turn.step(box, game, action, tree.mask)
        turns -= game.active != active
    values(box, game, evaluators[0], tree.later)


@kernel
def backpropagate(box, tree, depth):
    """Add the values along the path."""
    for step in range(depth):
        edge = tree.edges[tree.path[step, 0]]
        edge.visits += 1
        if tree.path[step, 1] != NOTHING:
            tree.outcomes[tree.path[step, 1]].visits += 1
        for seat in range(box.players):
            edge.total[seat] += tree.values[seat]


@kernel
def grow(boxes, tree, root, games, index, evaluators, seed, begun, iterations, turns):
    """Run so many iterations from a root, where `begun` were made before; returns the root.

    root: NOWHERE for the node of the game's position. turns: of a rollout from a new position.
    """
    if root == NOWHERE:
        root = node_of(boxes[0], tree, games[index], evaluators[0])
        if tree.nodes[root].edges == 0:
            expand(boxes[0], tree, root, evaluators[0])
            tree.nodes[root].visits = max(tree.nodes[root].visits, 1)
    for number in range(begun, begun + iterations):
        seed_here = chance.scatter(seed + np.uint64(number) * chance.INCREMENT)
        iterate(boxes, tree, root, evaluators, seed_here, turns)
    return root
