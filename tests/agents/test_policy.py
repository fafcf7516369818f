"""Trained models as agents, and the files that they are read from."""

import shutil
import warnings
import zipfile
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("sb3_contrib", reason="models need the extra train")

import torch
from safetensors.torch import load_file, save_file
from sb3_contrib import MaskablePPO
from stable_baselines3.common.vec_env import DummyVecEnv

from oddville_agents import AgentError, make_agent
from oddville_agents.oddville.networks import NETWORKS
from oddville_agents.policies.models import ModelError, describe, save_model
from oddville_agents.policies.policy import PolicyAgent, load_policy
from oddville_agents.policies.torch_network import weights_of
from oddville_env import OddVilleEnv, OddVilleSeatVectorEnv
from oddville_env.core.game.view import BatchView
from oddville_env.envs.game_batch import GameBatch
from oddville_env.envs.live_game import LiveGame
from oddville_env.oddville.cards.words import NOBODY
from oddville_env.oddville.game_type import ODDVILLE
from oddville_env.oddville.observation import make_encoder
from oddville_env.oddville.settings import make_box
from support.helpers import random_game
from support.training.small_runs import TINY, rewrite

ROUNDS = 6
"""Of a game: untrained networks dawdle."""


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the model of an untrained network that has clear opinions; read only."""
    folder = tmp_path_factory.mktemp("models")
    model, box = folder / "model.safetensors", make_box(2)
    encoder = make_encoder(box, "features")
    torch.manual_seed(0)
    network = NETWORKS.architectures[NETWORKS.default].network(encoder, TINY.network)
    for layer in (network.moves, network.ask):
        torch.nn.init.orthogonal_(layer.weight)
    about = describe(NETWORKS, box, encoder, NETWORKS.default, TINY.network)
    save_model(model, NETWORKS, weights_of(network), about)
    return folder


@pytest.fixture
def copy(run: Path, tmp_path: Path) -> Path:
    """A copy of the folder, to be changed."""
    return Path(shutil.copytree(run, tmp_path / "copy"))


def moves(agent, seed: int, players: int = 2) -> list[int]:
    """All moves of a game that an agent plays alone, every one of them legal."""
    live, played = LiveGame(ODDVILLE, make_box(players, max_rounds=ROUNDS)), []
    live.deal(seed)
    agent.reset(0, players, seed)
    while live.to_move != NOBODY:
        move = agent.act(live.view())
        assert live.mask[move]
        played.append(move)
        live.play(move)
    return played


@pytest.mark.parametrize("players", [2, 3, 4])
def test_a_model_plays_with_any_number_of_players_and_keeps_to_the_mask(run: Path, players: int) -> None:
    for seed in range(2):
        assert moves(make_agent(f"{run}/model.safetensors:sample=true"), seed, players)


def test_sampled_moves_follow_from_the_seed(run: Path) -> None:
    agent = load_policy(run / "model.safetensors", sample=True)
    assert moves(agent, seed=1) == moves(agent, seed=1)
    assert moves(agent, seed=1) != moves(agent, seed=2)


def test_a_model_for_another_table_says_so(run: Path) -> None:
    live = LiveGame(ODDVILLE, make_box(2, (9, 17)))  # as many moves and numbers, other places
    live.deal(0)
    with pytest.raises(ModelError, match="another table"):
        load_policy(run / "model.safetensors").act(live.view())


@pytest.fixture
def pickled(tmp_path: Path) -> Path:
    """A model that Stable-Baselines3 saved."""
    learner = MaskablePPO("MlpPolicy", DummyVecEnv([lambda: OddVilleEnv("random")]), policy_kwargs={"net_arch": [4]})
    learner.save(tmp_path / "model.zip")
    return tmp_path / "model.zip"


def test_a_pickled_zip_is_opened_with_a_warning(pickled: Path) -> None:
    with pytest.warns(UserWarning, match="run any code"):
        agent = make_agent(str(pickled))
    assert moves(agent, seed=0)


def test_nothing_but_a_named_zip_is_unpickled(run: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise AssertionError("something was unpickled")

    monkeypatch.setattr("pickle.load", refuse)
    monkeypatch.setattr("pickle.loads", refuse)
    monkeypatch.setattr("torch.load", refuse)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        make_agent(str(run / "model.safetensors"))


def edit(model: Path, old: str, new: str) -> None:
    path = model.with_suffix(".json")
    path.write_text(path.read_text().replace(old, new))


def reweigh(model: Path, change: Callable[[torch.Tensor], torch.Tensor]) -> None:
    weights = load_file(model)
    save_file(weights | {"body.0.weight": change(weights["body.0.weight"]).contiguous()}, model)


@pytest.mark.parametrize(
    ("breaking", "message"),
    [
        (lambda model: model.unlink(), "there is no model"),
        (lambda model: model.write_bytes(b"no weights"), "no safetensors file"),
        (lambda model: model.with_suffix(".json").unlink(), "expected the description of a model"),
        (lambda model: model.with_suffix(".json").write_text("{"), "no JSON"),
        (lambda model: rewrite(model, layout_digest="0"), "another layout"),
        (lambda model: rewrite(model, observation_digest="0"), "another observation"),
        (lambda model: rewrite(model, table=[10**9, 10**9]), "damaged"),
        (lambda model: rewrite(model, encoding="ids"), "damaged"),
        (lambda model: rewrite(model, architecture="os:system"), "must be one of projects, not 'os:system'"),
        (lambda model: rewrite(model, network={"card": 4, "cell": 4, "hidden": 16}), r"should be \[4, 20\]"),
        (lambda model: rewrite(model, network={"card": 4, "cell": 4, "hidden": 10**9}), "damaged"),
        (lambda model: edit(model, '"slots": 4', '"slots": 4, "slots": 5'), "slots"),
        (lambda model: reweigh(model, lambda weight: weight * np.nan), "finite numbers, not NaN"),
        (lambda model: reweigh(model, lambda weight: weight.long()), "float32 numbers, not int64"),
        (lambda model: reweigh(model, lambda weight: weight[:1]), "should be"),
    ],
)
def test_a_broken_model_is_refused_in_a_sentence_that_names_it(copy: Path, breaking, message: str) -> None:
    model = copy / "model.safetensors"
    breaking(model)
    with pytest.raises(AgentError, match=message) as error:
        make_agent(str(model))
    assert str(copy / "model.") in str(error.value)
    assert len(str(error.value)) < 1000


def damaged(pickled: Path, how: str) -> Path:
    """A file beside a pickled model, damaged in some way."""
    path, content = pickled.with_name("damaged.zip"), bytearray(pickled.read_bytes())
    start = content.rindex(b"PK\x01\x02")
    content[start : start + 4] = b"XXXX"
    path.write_bytes({"empty": b"", "no zip": b"PK\x03\x04 no zip"}.get(how, bytes(content)))
    if how == "cut parts":
        with zipfile.ZipFile(pickled) as whole, zipfile.ZipFile(path, "w") as file:
            for name in whole.namelist():
                file.writestr(name, whole.read(name)[:100])
    return path


@pytest.mark.filterwarnings("ignore:.*any code")
@pytest.mark.parametrize("how", ["empty", "no zip", "list of files", "cut parts"])
def test_damaged_zip_is_refused_in_a_sentence_that_names_it(pickled: Path, how: str) -> None:
    reason = "cannot be opened" if how == "cut parts" else "was not saved by Stable-Baselines3"
    with pytest.raises(AgentError, match=rf"damaged\.zip {reason}"):
        make_agent(str(damaged(pickled, how)))


def test_policy_opinion_gives_move_probabilities(run: Path) -> None:
    agent, live = load_policy(run / "model.safetensors"), LiveGame(ODDVILLE, make_box(2))
    live.deal(3)
    view = live.view()
    candidates = agent.opinion(view).candidates
    assert sorted(each.action for each in candidates) == view.actions.tolist()
    assert sum(each.share for each in candidates) == pytest.approx(1)
    assert candidates[0].share > candidates[-1].share
    assert candidates[0].action == agent.act(view)


def test_scores_that_are_no_numbers_still_give_a_legal_move() -> None:
    for wrong in (-np.inf, np.nan):
        scores = np.full((1, make_box(2).layout.size), wrong)
        assert moves(PolicyAgent(lambda _, same=scores: same, lambda _: True, Path("wrong")), seed=0)


# Many tables


@pytest.mark.parametrize(("players", "sample"), [(2, False), (3, True)])
def test_a_network_plays_the_same_moves_at_many_tables_as_at_one(run: Path, players: int, sample: bool) -> None:
    games = [random_game(players, seed, 4 * seed) for seed in range(6)]
    agent, actions = load_policy(run / "model.safetensors", sample), np.zeros(len(games), np.int64)
    batch = agent.batch_agent(len(games))
    batch.reset_all(np.zeros(len(games), np.int64), players, np.arange(len(games), dtype=np.uint64))
    states, masks = np.concatenate([game.state for game in games]), np.stack([game.mask for game in games])
    batch.act(BatchView(ODDVILLE, games[0].box, states, np.arange(len(games)), masks), actions)
    for seed, game in enumerate(games):
        agent.reset(0, players, seed)
        assert agent.act(game.view()) == actions[seed]


def test_a_network_scores_all_tables_of_a_vector_environment_in_one_pass(
    run: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    passes: list[int] = []
    score = PolicyAgent.scores

    def count(policy: PolicyAgent, box: object, observations: np.ndarray) -> np.ndarray:
        passes.append(len(observations))
        return score(policy, box, observations)

    monkeypatch.setattr(PolicyAgent, "scores", count)
    environments = OddVilleSeatVectorEnv(16, f"{run}/model.safetensors", seat=1)
    environments.reset(seed=0)
    tables, begun = 16, sum(passes)
    assert begun <= tables
    assert len(passes) < begun


def test_a_batch_says_that_a_model_is_for_another_table(run: Path) -> None:
    box = make_box(2, (9, 17))
    batch = GameBatch(ODDVILLE, box, make_encoder(box, "features"), 2)
    batch.deal(0)
    policy = load_policy(run / "model.safetensors").batch_agent(2)
    with pytest.raises(ModelError, match="another table"):
        policy.act(batch.view(np.arange(2)), np.zeros(2, np.int64))
