"""Trained models of both games as agents, and the files that they are read from."""

import shutil
import subprocess
import sys
import warnings
import zipfile
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import gymnasium
import numpy as np
import pytest

pytest.importorskip("sb3_contrib", reason="models need the extra train")

import torch
from safetensors.torch import load_file, save_file
from sb3_contrib import MaskablePPO
from stable_baselines3.common.vec_env import DummyVecEnv

from oddville_agents import AgentError, make_agent
from oddville_agents.oldtown.policy_model import COLUMNS, NONE, PLAY_A, Sizes, shapes_of, terms_of
from oddville_agents.oldtown.policy_model import play as play_by_numpy
from oddville_agents.policies.models import ModelError, describe, networks_of, save_model
from oddville_agents.policies.policy import PolicyAgent, load_policy
from oddville_agents.policies.torch_network import scores_of, weights_of
from oddville_env import Game, OddVilleEnv, OddVilleSeatVectorEnv, OldTown, OldTownEnv
from oddville_env.core.game.game_type import GameType
from oddville_env.core.game.view import BatchView
from oddville_env.envs.game_batch import GameBatch
from oddville_env.envs.live_game import LiveGame
from oddville_env.oddville.cards.words import NOBODY
from oddville_env.oddville.game_type import ODDVILLE
from oddville_env.oldtown.cards import BASE
from oddville_env.oldtown.game_type import OLDTOWN
from oddville_env.oldtown.rules.actions import Kind, Layout
from support.helpers import random_game
from support.training.small_runs import TINY, rewrite


class Trained(NamedTuple):
    """A game, the sizes of its network and its last layers; settings: of games that an untrained network ends."""

    game: GameType
    make: Any
    sizes: Any
    layers: tuple[str, ...]
    settings: dict[str, int]


TRAINED = {
    "oddville": Trained(ODDVILLE, Game, TINY.network, ("moves", "ask"), {"max_rounds": 6}),
    "oldtown": Trained(OLDTOWN, OldTown, Sizes(6, 12), ("asked", "cards", "moves"), {}),
}
every_game = pytest.mark.parametrize("name", TRAINED)


def opinionated(name: str) -> Any:
    """An untrained network that has clear opinions."""
    game, _, sizes, layers, _ = TRAINED[name]
    torch.manual_seed(0)
    form = networks_of(name).architectures[networks_of(name).default]
    network = form.network(game.make_encoder(game.box(game.settings(2)), "features"), sizes)
    for layer in layers:
        torch.nn.init.orthogonal_(getattr(network, layer).weight)
    return network


@pytest.fixture(scope="module")
def models(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """A model for each game, not to be changed."""
    found = {}
    for name, trained in TRAINED.items():
        network, networks = opinionated(name), networks_of(name)
        found[name] = tmp_path_factory.mktemp(name) / "model.safetensors"
        box = trained.game.box(trained.game.settings(2))
        about = describe(networks, box, network.encoder, networks.default, trained.sizes)
        save_model(found[name], networks, weights_of(network), about)
    return found


def moves(agent: Any, seed: int, players: int = 2, name: str = "oddville") -> list[int]:
    """All moves of a game that an agent plays alone, every one of them legal."""
    game, settings = TRAINED[name].game, TRAINED[name].settings
    live, played = LiveGame(game, game.box(game.settings(players, **settings))), []
    live.deal(seed)
    agent.reset(0, players, seed)
    while live.to_move != NOBODY:
        move = agent.act(live.view())
        assert live.mask[move]
        played.append(move)
        live.play(move)
    return played


@every_game
@pytest.mark.parametrize("players", [2, 3, 4])
def test_model_plays_with_any_players_and_samples_by_its_seed(models: dict[str, Path], name: str, players: int) -> None:
    agent = make_agent(f"{models[name]}:sample=true", name)
    first, again, other = (moves(agent, seed, players, name) for seed in (1, 1, 2))
    assert first == again != other


def test_a_model_for_another_table_deck_or_game_says_so(models: dict[str, Path], tmp_path: Path) -> None:
    box = ODDVILLE.box(ODDVILLE.settings(2, (9, 17)))  # as many moves and numbers, other places
    live, batch = LiveGame(ODDVILLE, box), GameBatch(ODDVILLE, box, ODDVILLE.make_encoder(box, "features"), 2)
    live.deal(0)
    batch.deal(0)
    policy = load_policy(models["oddville"])
    with pytest.raises(ModelError, match="another table"):
        policy.act(live.view())
    with pytest.raises(ModelError, match="another table"):
        policy.batch_agent(2).act(batch.view(np.arange(2)), np.zeros(2, np.int64))
    plain = BASE.read_text().replace('"stage_coach_office"', '"wells_fargo"')
    (tmp_path / "deck.json").write_text(plain)
    game = OldTown(2, 1, deck=tmp_path / "deck.json")
    with pytest.raises(AgentError, match="was trained for another deck, this one needs a model with the layout_digest"):
        make_agent(str(models["oldtown"]), "oldtown").act(game.view())
    for other, name in (("oldtown", "oddville"), ("oddville", "oldtown")):
        with pytest.raises(AgentError, match=f"it is a model of the game '{other}', not of {name}"):
            make_agent(str(models[other]), name)


def test_a_model_plays_where_torch_is_not_installed(models: dict[str, Path]) -> None:
    code = (
        "import sys\n"
        "sys.modules.update(dict.fromkeys(('torch', 'stable_baselines3', 'sb3_contrib')))\n"
        "from oddville_agents import make_agent\n"
        "from oddville_env.oldtown.game import OldTown\n"
        f"agent, game = make_agent({str(models['oldtown'])!r}, 'oldtown'), OldTown(2, 1)\n"
        "game.push(agent.act(game.view()))\n"
        "print(len(game.moves))\n"
    )
    said = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (said.stdout, said.returncode) == ("1\n", 0), said.stderr


def save_zip(path: Path, env: Callable[[], gymnasium.Env[Any, Any]]) -> Path:
    MaskablePPO("MlpPolicy", DummyVecEnv([env]), policy_kwargs={"net_arch": [4]}).save(path)
    return path


@pytest.fixture
def pickled(tmp_path: Path) -> Path:
    return save_zip(tmp_path / "model.zip", lambda: OddVilleEnv("random"))


@pytest.mark.filterwarnings("ignore:.*any code")
@pytest.mark.parametrize(("name", "env"), [("oddville", OddVilleEnv), ("oldtown", OldTownEnv)])
def test_a_zip_plays_by_the_encoding_that_it_was_trained_with(name: str, env: Any, tmp_path: Path) -> None:
    for encoding in TRAINED[name].game.encodings:
        path = save_zip(tmp_path / "model.zip", partial(env, "random", encoding=encoding))
        policy, view, actions = load_policy(path, game=name), TRAINED[name].make(2, 3).view(), np.zeros(1, np.int64)
        policy.batch_agent(1).act(view.batch(), actions)
        assert policy.encoding(view.box) == encoding
        assert actions[0] == policy.act(view) in view.actions
    other = "oldtown" if name == "oddville" else "oddville"
    with pytest.raises(ModelError, match="expected those of an encoding of this table"):
        load_policy(path, game=other).act(TRAINED[other].make(2, 3).view())


def test_a_pickled_zip_is_opened_with_a_warning_and_nothing_else_is_unpickled(
    pickled: Path, models: dict[str, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.warns(UserWarning, match="run any code") as warned:
        agent = make_agent(str(pickled))
    assert warned[0].filename == __file__
    assert moves(agent, seed=0)
    for name in ("pickle.load", "pickle.loads", "torch.load"):
        monkeypatch.setattr(name, None)  # a call is an error
    with warnings.catch_warnings(action="error"):
        make_agent(str(models["oddville"]))


def damaged(pickled: Path, how: str) -> Path:
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


def edit(model: Path, old: str, new: str) -> None:
    path = model.with_suffix(".json")
    path.write_text(path.read_text().replace(old, new))


def reweigh(model: Path, change: Any) -> None:
    weights = load_file(model)
    save_file(weights | {"body.0.weight": change(weights["body.0.weight"]).contiguous()}, model)


@pytest.mark.parametrize(("name", "breaking", "message"), [
    ("oddville", lambda model: model.unlink(), "there is no model"),
    ("oddville", lambda model: model.write_bytes(b"no weights"), "not a safetensors file"),
    ("oddville", lambda model: model.with_suffix(".json").unlink(), "expected the description of a model"),
    ("oddville", lambda model: model.with_suffix(".json").write_text("{"), "not JSON"),
    ("oddville", lambda model: rewrite(model, layout_digest="0"), "another layout"),
    ("oddville", lambda model: rewrite(model, observation_digest="0"), "another observation"),
    ("oddville", lambda model: rewrite(model, table=[10**9, 10**9]), "damaged"),
    ("oddville", lambda model: rewrite(model, architecture="os:system"), "must be one of projects, not 'os:sy"),
    ("oddville", lambda model: rewrite(model, network={"card": 4, "cell": 4, "hidden": 16}), "should be float32"),
    ("oddville", lambda model: edit(model, '"slots": 4', '"slots": 4, "slots": 5'), "slots"),
    ("oddville", lambda model: reweigh(model, lambda weight: weight * np.nan), "finite numbers, not NaN"),
    ("oddville", lambda model: reweigh(model, lambda weight: weight[:1]), "should be"),
    ("oldtown", lambda model: rewrite(model, keys=["bank"]), "keys must be a list of 18 values"),
    ("oldtown", lambda model: rewrite(model, named=[18] * 18), "named must be a list of 18 values"),
    ("oldtown", lambda model: rewrite(model, network={"building": 0, "hidden": 12}), "from 1 to 1024"),
])  # fmt: skip
def test_a_broken_model_is_refused_in_a_sentence_that_names_it(
    models: dict[str, Path], tmp_path: Path, name: str, breaking: Any, message: str
) -> None:
    model = Path(shutil.copytree(models[name].parent, tmp_path / "copy"), "model.safetensors")
    breaking(model)
    with pytest.raises(AgentError, match=message) as error:
        make_agent(str(model), name)
    assert str(model.with_suffix("")) in str(error.value)
    assert len(str(error.value)) < 1000


def test_opinion_of_a_policy_gives_chances_of_moves_and_wrong_scores_a_legal_one(models: dict[str, Path]) -> None:
    agent, view = load_policy(models["oddville"]), Game(2, 3).view()
    candidates = agent.opinion(view).candidates
    assert sorted(each.action for each in candidates) == view.actions.tolist()
    assert sum(each.share for each in candidates) == pytest.approx(1)
    assert candidates[0].share > candidates[-1].share
    assert candidates[0].action == agent.act(view)
    for wrong in (-np.inf, np.nan):
        scores = np.full((1, Game(2).mask.size), wrong)
        assert moves(PolicyAgent(lambda _, same=scores: same, lambda _: "features", Path("wrong")), seed=0)


@pytest.mark.parametrize(
    ("name", "players", "sample"), [("oddville", 2, False), ("oddville", 3, True), ("oldtown", 3, False)]
)
def test_a_network_plays_the_same_moves_at_many_tables_as_at_one_from_what_each_seat_sees(
    models: dict[str, Path], name: str, players: int, sample: bool
) -> None:
    games = [random_game(players, seed, 4 * seed, TRAINED[name].make) for seed in range(6)]
    agent, actions = make_agent(f"{models[name]}:sample={str(sample).lower()}", name), np.zeros(len(games), np.int64)
    batch = agent.batch_agent(len(games))
    batch.reset_all(np.zeros(len(games), np.int64), players, np.arange(len(games), dtype=np.uint64))
    states, masks = np.concatenate([game.state for game in games]), np.stack([game.mask for game in games])
    batch.act(BatchView(TRAINED[name].game, games[0].box, states, np.arange(len(games)), masks), actions)
    for seed, game in enumerate(games):
        for seen in (game, game.sample_unseen(game.to_move, np.random.default_rng(1))):
            agent.reset(0, players, seed)
            assert agent.act(seen.view()) == actions[seed]


def test_network_scores_all_tables_of_a_step_at_once(models: dict[str, Path]) -> None:
    agent, passes = load_policy(models["oddville"]), list[int]()

    def count(observations: np.ndarray, score: Any = agent.scores) -> Any:
        passes.append(len(observations))
        return score(observations)

    agent.scores = count
    OddVilleSeatVectorEnv(16, agent, seat=1).reset(seed=0)
    assert len(passes) < sum(passes) <= 16


def test_numpy_scores_moves_as_the_network_that_learned_with_the_tensors_that_files_hold() -> None:
    network, sizes = opinionated("oldtown"), TRAINED["oldtown"].sizes
    shapes = {name: tuple(each.shape) for name, each in network.state_dict().items()}
    assert shapes == shapes_of(network.encoder, sizes)
    games = [random_game(players, seed, 6 * seed, OldTown) for players in (2, 3, 4) for seed in range(6)]
    seen = np.stack([game.view().observation() for game in games])
    mine = play_by_numpy(network.encoder, sizes, weights_of(network))(seen)
    theirs = scores_of(network)(seen)
    assert mine.shape == theirs.shape == (len(seen), games[0].mask.size)
    assert np.abs(mine - theirs).max() < 1e-9
    assert np.ptp(mine, axis=1).min() > 0.1


def test_a_move_is_scored_by_the_buildings_that_its_word_names() -> None:
    layout = OldTown(2).box.layout
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
