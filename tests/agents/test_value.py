"""The learned value: it begins as the formula, its twin gives the same bits, and damaged files are refused."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from oddville_agents import Agent, make_agent
from oddville_agents.oddville.champion import ChampionAgent
from oddville_agents.oddville.value import evaluator as evaluators
from oddville_agents.oddville.value import network as networks
from oddville_agents.oddville.value.evaluator import TRIED, chances_after_moves, make_scratch
from oddville_agents.oddville.value.formula.values import values as formula_values
from oddville_agents.oddville.value.formula.weights import weight_set, write_weights
from oddville_agents.oddville.value.network import DIGEST, Architecture, read_network, write_network
from oddville_agents.tensors import LENGTH, LINE, NetworkError, ValueFiles, write_tensors
from oddville_env import Game
from oddville_env.oddville.rules import hidden
from oddville_env.oddville.rules.actions import Kind
from oddville_env.oddville.rules.state import SEATS
from support.helpers import every_number, many_states, random_game
from support.value_twins import corrections

WIDE, TINY = networks.ARCHITECTURES[networks.USUAL], Architecture(8, 4)
TENSORS = WIDE.tensors


def tensors(seed: int = 0, size: float = 0.1, of: Architecture = WIDE) -> dict[str, np.ndarray]:
    rng = np.random.default_rng(seed)
    return {name: (size * rng.normal(size=shape)).astype(np.float32) for name, shape in of.tensors.items()}


def evaluator(players: int, network: dict[str, np.ndarray]) -> np.ndarray:
    return evaluators.make_evaluator(weight_set("search", players), network)


def chances(game: Game, evaluator: np.ndarray) -> np.ndarray:
    found = np.zeros(SEATS)
    evaluators.values(game.box.record[0], game.state[0], evaluator[0], found)
    return found[: game.players]


def corrected(game: Game, evaluator: np.ndarray) -> np.ndarray:
    """The corrected log odds, by what the usual evaluator sees: nothing but the network is compiled for its widths."""
    usual = evaluators.make_evaluator(weight_set("search", game.players), tensors())
    chances(game, usual)
    evaluator["own"], evaluator["shared"] = usual["own"], usual["shared"]
    odds: np.ndarray = usual["odds"][0, : game.players].copy()
    networks.clear_base(evaluator[0])
    networks.correct(game.box.record[0], evaluator[0], odds)
    return odds


def choice(agent: Agent, game: Game) -> int:
    agent.reset(game.to_move, game.players, 0)
    return agent.act(game.view())


@every_number
def test_chances_are_the_softmax_of_corrected_log_odds_and_zeros_leave_the_formula(players: int) -> None:
    nothing = evaluator(players, {**tensors(), "third": np.zeros(TENSORS["third"], np.float32)})
    for game in many_states(60, players):
        formula = np.zeros(SEATS)
        formula_values(game.box.record[0], game.state[0], nothing[0].weights, formula)
        assert chances(game, nothing) == pytest.approx(formula[:players], abs=1e-6)
    learned = evaluator(players, tensors())
    for game in many_states(12, players):
        if not game.is_over:
            odds = np.exp(corrected(game, learned))
            assert chances(game, learned) == pytest.approx(odds / odds.sum(), rel=1e-14)
    learned, game = evaluator(players, tensors()), random_game(players)
    assert chances(next(many_states(1, players)), learned).sum() == pytest.approx(1)
    assert chances(game, learned)[game.outcome.winner] == 1


@pytest.mark.parametrize(("players", "of"), [(2, WIDE), (3, WIDE), (4, WIDE), (4, TINY)], ids=str)
def test_compiled_network_gives_the_same_bits_as_plain_numpy(players: int, of: Architecture) -> None:
    network = tensors(of=of)
    learned, usual = evaluator(players, network), evaluator(players, tensors())
    for game in many_states(12, players):
        if not game.is_over:
            odds = corrected(game, learned)
            chances(game, usual)
            own, shared = usual["own"][0, :players], usual["shared"][0]
            assert odds.tobytes() == (usual["odds"][0, :players] + corrections(network, own, shared)).tobytes()


def test_padding_a_network_changes_no_bit_and_one_that_cannot_be_padded_is_refused() -> None:
    alone = evaluator(4, tensors(of=TINY))
    beside = evaluators.make_evaluators(weight_set("search", 4), [tensors(), tensors(of=TINY)])[1:]
    for game in many_states(12, 4):
        assert corrected(game, beside).tobytes() == corrected(game, alone).tobytes()
    assert beside["net_own"].ctypes.data % LINE == 0
    with pytest.raises(AssertionError, match="must be a multiple of 4"):
        evaluators.evaluator_record(Architecture(10, 4))


@every_number
def test_values_beside_a_base_are_close_to_full_values(players: int) -> None:
    learned, found = evaluator(players, tensors()), np.zeros(SEATS)
    for game in many_states(20, players):
        evaluators.start_group(learned[0])
        for action in np.flatnonzero(game.mask):
            game.push(int(action))
            evaluators.values_beside(game.box.record[0], game.state[0], learned[0], found)
            assert found[:players] == pytest.approx(chances(game, evaluator(players, tensors())), abs=1e-5)
            game.pop()


@every_number
@pytest.mark.rule("K1, K2")
def test_learned_value_reads_nothing_hidden_and_nothing_of_earlier_positions(players: int) -> None:
    rng, learned = np.random.default_rng(1), evaluator(players, tensors())
    states = [Game.from_state(game.box, game.state.copy()) for game in many_states(30, players)]
    forth = [chances(game, learned).tobytes() for game in states]
    back = [chances(game.sample_unseen(None, rng), learned).tobytes() for game in reversed(states)]
    assert forth == back[::-1]


def test_a_file_names_its_architecture_and_one_that_names_none_is_of_the_first(tmp_path: Path) -> None:
    path, known = tmp_path / "mine.safetensors", {"usual": TENSORS, "tiny": TINY.tensors}
    files = ValueFiles("oddville-value", DIGEST, known, networks.LEARNED)
    files.write(path, tensors(of=TINY), {})
    assert (files.read(path)["third"] == tensors(of=TINY)["third"]).all()
    with pytest.raises(NetworkError, match="holds a network of the architecture 'tiny', expected 64-32"):
        networks.network_of(str(path))
    assert networks.network_of("formula") is None
    write_tensors(path, tensors(), {"format": "oddville-value", "layout": DIGEST})
    assert (files.read(path)["third"] == tensors()["third"]).all()


def with_header(plain: bytes, **changes: object) -> bytes:
    """A safetensors file with other fields of the tensor `first_bias`."""
    (length,) = LENGTH.unpack_from(plain)
    header = json.loads(plain[LENGTH.size : LENGTH.size + length])
    header["first_bias"] |= changes
    written = json.dumps(header).replace("Infinity", "1e999").encode()
    return LENGTH.pack(len(written)) + written + plain[LENGTH.size + length :]


def of_header(header: bytes) -> bytes:
    return LENGTH.pack(len(header)) + header


NO_TENSORS = "is damaged or not a safetensors file"


@pytest.mark.parametrize(("damage", "sentence"), [
    (lambda plain: plain[:-4], NO_TENSORS),
    (lambda plain: b"\xff" * 8 + plain[8:], NO_TENSORS),
    (lambda plain: plain[:-4] + np.float32(np.nan).tobytes(), "must be of finite numbers"),
    (lambda plain: plain[:-4] + np.float32(1e37).tobytes(), "is not within"),
    (lambda plain: plain.replace(b'"oddville-value"', b'"oddville-model"'), "holds no value network of this layout"),
    (lambda plain: with_header(plain, shape=[float("inf")]), NO_TENSORS),
    (lambda plain: with_header(plain, shape=[2**32, 2**32], data_offsets=[0, 0]), NO_TENSORS),
    (lambda plain: with_header(plain, data_offsets=[-256, 0]), NO_TENSORS),
    (lambda plain: of_header(b"[" * 3000 + b"]" * 3000), NO_TENSORS),
    (lambda plain: of_header(b'{"__metadata__": {"format": 1}}'), NO_TENSORS),
])  # fmt: skip
def test_damaged_file_is_refused_in_one_sentence(tmp_path: Path, damage: Any, sentence: str) -> None:
    path = tmp_path / "2.safetensors"
    write_network(path, tensors(), {})
    path.write_bytes(damage(path.read_bytes()))
    with pytest.raises(NetworkError, match=sentence) as refused:
        read_network(path)
    assert str(path) in str(refused.value)
    assert "\n" not in str(refused.value)


def test_a_file_that_was_replaced_is_read_again(tmp_path: Path) -> None:
    network, weights = tmp_path / "mine.safetensors", tmp_path / "mine.json"
    for seed, name in enumerate(("simple", "search")):
        write_network(network, tensors(seed), {})
        assert (read_network(network)["third"] == tensors(seed)["third"]).all()
        write_weights(weights, weight_set(name, 2), {})
        assert weight_set(str(weights), 2) == weight_set(name, 2)
    assert read_network(network) is read_network(network)


def test_search_plays_by_a_network_file(tmp_path: Path) -> None:
    mine = tmp_path / "mine.safetensors"
    write_network(mine, tensors(2, 0.3), {})
    for players in (2, 3, 4):
        game, agent = random_game(players, 5, 20), make_agent(f"search:sims=60,value={mine}")
        assert choice(agent, game) == choice(agent, game)
        assert game.mask[choice(ChampionAgent(network=str(mine)), game)]


def likes(game: Game, judge: np.ndarray) -> dict[int, float]:
    """The mover's chances behind every legal move, one look ahead."""
    chances = np.zeros((game.mask.size, game.players))
    chances_after_moves(game.box.record, game.view().state, 0, game.mask, judge, make_scratch(game.box), chances)
    return {int(action): float(chances[action, game.to_move]) for action in np.flatnonzero(game.mask)}


@every_number
def test_champion_without_replies_plays_its_best_moves_to_the_end_of_the_turn(players: int) -> None:
    """Against the same, played on by a game's own moves; where something comes to light, its last look counts."""
    judge, champion, longer = evaluator(players, tensors(3, 0.3)), ChampionAgent(reply=False), 0
    champion._tensors = tensors(3, 0.3)
    for length in range(0, 80, 3):
        game = random_game(players, 7, length)
        if game.is_over:
            break
        values, ends = likes(game, judge), {}
        for action in sorted(values, key=lambda action: (-values[action], action))[:TRIED]:
            ends[action] = values[action]
            then, last = game.copy(), action
            while game.box.record[0].kind[last] != Kind.FLIP:
                seen = then.state.copy()
                then.push(last)
                if then.is_over or then.to_move != game.to_move or hidden.is_revealing(seen[0], then.state[0]):
                    break
                following = likes(then, judge)
                last = max(following, key=lambda action: (following[action], -action))
                ends[action], longer = following[last], longer + 1
        best = max(ends.values())
        assert ends[choice(champion, game)] == pytest.approx(best, abs=1e-6)
    assert longer > 5
