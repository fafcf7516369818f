"""Old Town's trained models as agents: numpy plays what torch learned, and what does not fit is refused."""

import json
import subprocess
import sys
from itertools import islice
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("torch", reason="networks learn by the extra train")

import torch

from frozen.ask import MODEL
from oddville_agents import AgentError, make_agent
from oddville_agents.oldtown.networks import NETWORKS
from oddville_agents.oldtown.policy import BuildingsNetwork
from oddville_agents.oldtown.policy_model import COLUMNS, NONE, PLAY_A, Sizes, shapes_of, terms_of
from oddville_agents.oldtown.policy_model import play as play_by_numpy
from oddville_agents.play import play
from oddville_agents.policies.models import describe, save_model
from oddville_agents.policies.torch_network import scores_of, weights_of
from oddville_env.core.game.view import BatchView
from oddville_env.envs.live_game import LiveGame
from oddville_env.oldtown.cards.deck import BASE
from oddville_env.oldtown.game import OldTown
from oddville_env.oldtown.game_type import OLDTOWN
from oddville_env.oldtown.observation import make_encoder
from oddville_env.oldtown.rules.actions import Kind, Layout
from oddville_env.oldtown.settings import OldTownSettings, make_box
from support.helpers import walk

SMALL = Sizes(6, 12)


def opinionated(sizes: Sizes = SMALL) -> BuildingsNetwork:
    """An untrained network that has clear opinions."""
    torch.manual_seed(0)
    network = BuildingsNetwork(make_encoder(make_box(2), "features"), sizes)
    for layer in (network.asked, network.cards, network.moves):
        torch.nn.init.orthogonal_(layer.weight)
    return network


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A model, not to be changed."""
    return saved(tmp_path_factory.mktemp("models") / "model.safetensors")


def saved(path: Path, **changes: object) -> Path:
    """A model whose description says some things otherwise."""
    box, network = make_box(2), opinionated()
    about = describe(NETWORKS, box, network.encoder, NETWORKS.default, SMALL) | changes
    save_model(path, NETWORKS, weights_of(network), about)
    return path


def positions(players: int, number: int = 6) -> list[OldTown]:
    """Games that are not over, as they lie after some random moves."""
    return [next(islice(walk(OldTown(players, seed), seed), 6 * seed, None)) for seed in range(number)]


def observations() -> np.ndarray:
    return np.stack([game.view().observation() for players in (2, 3, 4) for game in positions(players)])


# The network and its twin


def test_numpy_scores_moves_as_the_network_that_learned() -> None:
    network = opinionated()
    mine = play_by_numpy(network.encoder, SMALL, weights_of(network))(observations())
    theirs = scores_of(network)(observations())
    assert mine.shape == theirs.shape == (len(observations()), OLDTOWN.box(OldTownSettings(2)).layout.size)
    assert np.abs(mine - theirs).max() < 1e-9
    assert np.ptp(mine, axis=1).min() > 0.1


def test_the_tensors_of_a_network_are_those_that_files_must_hold() -> None:
    network = opinionated()
    assert {name: tuple(each.shape) for name, each in network.state_dict().items()} == shapes_of(network.encoder, SMALL)


def test_a_move_is_scored_by_the_buildings_that_its_word_names() -> None:
    layout = make_box(2).layout
    words, (first, second) = OLDTOWN.words(layout), terms_of(layout)
    assert np.unique(first[first < NONE]).size == (first < NONE).sum()  # no two moves ask for the same
    for action, (kind, number, _) in enumerate(Layout.parts):
        building = words[action].replace("@", ":").split(":")[2 if kind in (Kind.PLAY_B, Kind.PLAY_C) else 1 :]
        if kind == Kind.PLAY_A:
            assert first[action] == PLAY_A + number
        elif kind in (Kind.SHOW, Kind.DRAW, Kind.PASS):
            assert first[action] == NONE
        else:
            assert layout.keys[first[action] // COLUMNS] == building[0]
        assert (second[action] // COLUMNS == layout.named[number]) if kind == Kind.PLAY_C else second[action] == NONE


# As an agent


@pytest.mark.parametrize("players", [2, 3, 4])
def test_a_model_plays_with_any_number_of_players(model: Path, players: int) -> None:
    live = LiveGame(OLDTOWN, make_box(players))
    specs = [f"{model}:sample=true"] * players
    outcomes = [play(live, [make_agent(spec, "oldtown") for spec in specs], seed) for seed in (1, 1, 2)]
    assert outcomes[0] == outcomes[1]
    assert outcomes[0] != outcomes[2]


def test_batch_plays_the_moves_of_single_agents_from_what_each_seat_sees(model: Path) -> None:
    games = positions(3)
    agent, actions = make_agent(str(model), "oldtown"), np.zeros(len(games), np.int64)
    states, masks = np.concatenate([game.state for game in games]), np.stack([game.mask for game in games])
    view = BatchView(OLDTOWN, games[0].box, states, np.arange(len(games)), masks)
    agent.batch_agent(len(games)).act(view, actions)
    for game, action in zip(games, actions, strict=True):
        other = game.sample_unseen(game.to_move, np.random.default_rng(1))
        assert agent.act(game.view()) == agent.act(other.view()) == action


def test_a_model_plays_where_torch_is_not_installed(model: Path) -> None:
    code = (
        "import sys\n"
        "sys.modules.update(dict.fromkeys(('torch', 'stable_baselines3', 'sb3_contrib')))\n"
        "from oddville_agents import make_agent\n"
        "from oddville_env.oldtown.game import OldTown\n"
        f"agent, game = make_agent({str(model)!r}, 'oldtown'), OldTown(2, 1)\n"
        "game.push(agent.act(game.view()))\n"
        "print(len(game.moves))\n"
    )
    said = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (said.stdout, said.returncode) == ("1\n", 0), said.stderr


# What does not fit


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"keys": ["bank"]}, "keys must be a list of 18 values"),
        ({"named": [18] * 18}, "named must be a list of 18 values"),
        ({"network": {"building": 6, "hidden": 13}}, r"should be \[13"),
        ({"network": {"building": 0, "hidden": 12}}, "building must be a whole number from 1 to 1024"),
    ],
)
def test_a_model_of_another_layout_is_refused_in_a_sentence_that_names_it(
    tmp_path: Path, changes: dict[str, object], sentence: str
) -> None:
    path = saved(tmp_path / "model.safetensors", **changes)
    with pytest.raises(AgentError, match=sentence) as refused:
        make_agent(str(path), "oldtown")
    assert str(tmp_path / "model.") in str(refused.value)


def test_a_model_for_another_deck_says_so(model: Path, tmp_path: Path) -> None:
    plain = json.loads(BASE.read_text())
    plain["buildings"][0]["key"] = "wells_fargo"
    for card in plain["cards"]:
        if card.get("building") == "stage_coach_office":
            card["building"] = "wells_fargo"
    (tmp_path / "deck.json").write_text(json.dumps(plain))
    game = OldTown(2, 1, deck=tmp_path / "deck.json")
    with pytest.raises(AgentError, match="was trained for another deck, this one needs a model with the layout_digest"):
        make_agent(str(model), "oldtown").act(game.view())


def test_each_game_refuses_the_models_of_the_other(model: Path) -> None:
    with pytest.raises(AgentError, match="it is a model of the game 'oldtown', not of oddville"):
        make_agent(str(model))
    with pytest.raises(AgentError, match="it is a model of the game 'oddville', not of oldtown"):
        make_agent(str(MODEL), "oldtown")
