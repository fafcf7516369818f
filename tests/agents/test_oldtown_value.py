"""Old Town's learned value: what it sees is what lies on the table, and compiled code says what its twin says."""

from pathlib import Path

import numpy as np
import pytest

from agents.test_oldtown_agents import card_value_at, middles
from oddville_agents.oldtown.greedy import try_move
from oddville_agents.oldtown.heuristic.features import COUNTS
from oddville_agents.oldtown.value import evaluator, network
from oddville_agents.oldtown.value import network as networks
from oddville_agents.oldtown.value.network import CARD_VALUES, SEAT, network_of, read_network, write_network
from oddville_agents.tensors import NetworkError
from oddville_env.core.compiled.jit import kernel
from oddville_env.oldtown.cards.words import CARDS, CardType
from oddville_env.oldtown.game import OldTown
from oddville_env.oldtown.rules import worlds
from oddville_env.oldtown.rules.state import STATE
from support.value_twins import odds_of


@kernel
def look_at(boxes, games, seat, evaluators):
    network.look(boxes[0], games[0], seat, evaluators[0])


@kernel
def try_at(boxes, games, action, copies):
    try_move(boxes[0], games[0], action, copies)


@kernel
def odds_at(evaluators):
    return network.odds(evaluators[0])


@kernel
def values_at(boxes, games, evaluators, out):
    evaluator.values(boxes[0], games[0], evaluators[0], out)


def seen_by(game: OldTown, seat: int, found: np.ndarray) -> np.ndarray:
    look_at(game.box.record, game.state, seat, found)
    numbers: np.ndarray = found["seen"][0].copy()
    return numbers


def named(seen: np.ndarray, groups: tuple[object, ...], at: int) -> dict[str, np.ndarray]:
    found = {}
    for group in groups:
        name, size, _ = group
        found[name] = seen[at : at + size]
        at += size
    return found


@pytest.fixture(scope="module")
def learned() -> np.ndarray:
    return evaluator.make_evaluator(network_of("learned"))


def values_of_cards(game: OldTown, cards: list[int], seat: int) -> np.ndarray:
    """Cards by pool and value, counted one by one."""
    found, board = np.zeros((2, CARD_VALUES)), np.zeros(1, worlds.WORLD)
    for card in cards:
        value = card_value_at(game.box.record, game.state, board, card, seat)
        found[int(game.box.record[0].card_type[card] == CardType.B), value - COUNTS] += 1
    return found


def test_table_inputs_match_the_position(learned: np.ndarray) -> None:
    for game in middles():
        told = game.position()
        for seat in range(game.players):
            table = named(seen_by(game, seat, learned), networks.TABLE, networks.RANGES * networks.SEAT_SIZE)
            rivals = [score for other, score in enumerate(game.scores) if other != seat]
            left = 1 - sum(game.scores) / 90
            lead, ahead = game.scores[seat] - max(rivals), game.scores[seat] - sum(rivals) / len(rivals)
            steep = 1 + 20 * left
            points = [lead, ahead, lead / steep, ahead / steep, lead * left, left]
            assert table["points"].tolist() == pytest.approx(points, abs=1e-5)
            assert table["players"].tolist() == [players == game.players for players in (2, 3, 4)]
            common = told["common"]
            assert table["stack"].tolist() == [common if isinstance(common, int) else len(common), told["passes"]]
            lots = {key: where or [] for key, where in told["buildings"].items()}
            sizes = [sum(len(where) == size for where in lots.values()) for size in range(networks.SIZES)]
            assert table["sizes"].tolist() == sizes
            supply = [sum(len(lots[key]) == size for key in told["supply"]) for size in range(networks.SIZES)]
            assert table["supply"].tolist() == supply
            tokens = [sum(lot in where for where in lots.values() if len(where) > 1) for lot in range(1, 17)]
            assert table["tokens"].tolist() == tokens
            assert table["standing"].tolist() == [[lot] in lots.values() for lot in range(1, 17)]
            assert table["crowds"].tolist() == [sum(min(number, 3) == crowd for number in tokens) for crowd in range(4)]


def test_inputs_show_the_own_hand_and_expected_hands_of_rivals(learned: np.ndarray) -> None:
    for game in middles():
        told, seat = game.position(), game.to_move
        seen = seen_by(game, seat, learned)
        own, following = named(seen, SEAT, 0), named(seen, SEAT, networks.SEAT_SIZE)
        hand = [card - 1 for card in told["seats"][seat]["hand"]]
        mine = values_of_cards(game, hand, seat)
        assert own["hand"].tolist() == pytest.approx(mine.ravel().tolist())
        best = [value for value in range(1, CARD_VALUES + COUNTS) if mine[:, value - COUNTS].any()]
        assert own["best"][0] == max(best, default=0)
        unseen = [card for card in range(CARDS) if card not in hand and card + 1 not in told["played"]]
        rival = (seat + 1) % game.players
        draws = values_of_cards(game, unseen, rival)
        draws /= np.maximum(draws.sum(1, keepdims=True), 1)
        assert following["draws"].tolist() == pytest.approx(draws.ravel().tolist(), abs=1e-6)
        assert following["hand"].sum() == pytest.approx(len(told["seats"][rival]["hand"]), abs=1e-4)
        for group, of in ((own, seat), (following, rival)):
            stack = told["seats"][of]["own"]
            size = stack if isinstance(stack, int) else len(stack)
            assert group["cards"].tolist() == [len(told["seats"][of]["hand"]), size]
            assert (group["mine"].sum(), group["turn"][0]) == (len(told["seats"][of]["mine"]), of == seat)


def test_card_drawn_in_an_imagined_game_is_expected_to_be_one_that_it_can_be(learned: np.ndarray) -> None:
    checked = 0
    for game in middles():
        view, seat, sums = game.view(), game.to_move, {}
        draws = {view.word(int(action)): int(action) for action in view.actions}
        if set(draws) != {"draw:common", "draw:own"}:
            continue
        for word, action in draws.items():
            copies = np.zeros(1, STATE)
            try_at(game.box.record, view.state, action, copies)
            look_at(game.box.record, copies, seat, learned)
            hand = named(learned["seen"][0].copy(), SEAT, 0)["hand"].reshape(2, CARD_VALUES).sum(1)
            before = named(seen_by(game, seat, learned), SEAT, 0)["hand"].reshape(2, CARD_VALUES).sum(1)
            sums[word] = (hand - before).tolist()
        assert sums["draw:own"] == pytest.approx([1, 0], abs=1e-4)
        assert sums["draw:common"] == pytest.approx([0, 1], abs=1e-4)
        checked += 1
    assert checked > 0


def test_compiled_network_agrees_with_plain_numpy(learned: np.ndarray) -> None:
    tensors = network_of("learned")
    for game in middles():
        for seat in range(game.players):
            seen = seen_by(game, seat, learned)
            assert seen.shape == (networks.SIZE,)
            assert odds_at(learned) == pytest.approx(float(odds_of(tensors, seen)), abs=1e-4)


def test_chances_sum_to_one_and_show_the_winner_at_the_end(learned: np.ndarray) -> None:
    for game in middles():
        out = np.zeros(4)
        values_at(game.box.record, game.state, learned, out)
        assert out[: game.players].sum() == pytest.approx(1)
        rng = np.random.default_rng(1)
        while not game.is_over:
            game.push(int(rng.choice(np.flatnonzero(game.mask))))
        values_at(game.box.record, game.state, learned, out)
        winners = list(game.outcome.winners)
        assert out[winners] == pytest.approx(np.full(len(winners), 1 / len(winners)))


def test_one_move_ahead_a_show_is_worth_its_best_removal(learned: np.ndarray) -> None:
    """The second card of a pair is worth as much as the best token that goes after it."""
    checked = 0
    for seed in range(30):
        game, rng = OldTown(2, seed), np.random.default_rng(seed)
        while not game.is_over and checked < 5:
            if game.position()["phase"] == "show":
                odds, copies = np.zeros(game.mask.size), np.zeros(3, STATE)
                evaluator.odds_after_moves(game.box.record, game.view().state, 0, game.mask, learned, copies, odds)
                action = int(np.flatnonzero(game.mask)[0])
                after = game.copy()
                after.push(action)
                if not after.is_over and after.position()["phase"] == "remove":
                    then, states = np.full(game.mask.size, -np.inf), after.view().state
                    evaluator.odds_after_moves(game.box.record, states, 0, after.mask, learned, copies, then)
                    assert odds[action] == pytest.approx(then.max(), abs=1e-4)
                    checked += 1
            game.push(int(rng.choice(np.flatnonzero(game.mask))))
    assert checked == 5


def test_a_network_is_read_back_and_one_for_something_else_is_refused(tmp_path: Path) -> None:
    tensors = network_of("learned")
    write_network(tmp_path / "same.safetensors", tensors, {"stage": 1})
    again = read_network(tmp_path / "same.safetensors")
    assert all(np.array_equal(again[name], tensor) for name, tensor in tensors.items())
    write_network(tmp_path / "less.safetensors", {**tensors, "bias": np.zeros(2, np.float32)}, {})
    with pytest.raises(NetworkError, match="should be float32"):
        read_network(tmp_path / "less.safetensors")
    other = networks.LEARNED.parents[2] / "oddville" / "value" / "learned.safetensors"
    with pytest.raises(NetworkError, match="holds no value network of this layout"):
        read_network(other)
