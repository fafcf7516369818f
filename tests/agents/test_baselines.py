"""Baselines: pretrained networks by name, and files of their form."""

import json
import shutil
from copy import deepcopy
from pathlib import Path

import numpy as np
import pytest

from oddville_agents import AgentError, make_agent
from oddville_agents.oddville.champion import ChampionAgent
from oddville_agents.play import play
from oddville_agents.policies import afterstates
from oddville_agents.policies.afterstates import AfterstatesAgent
from oddville_agents.roster import listed, options_of_baseline, roster_of
from oddville_agents.spec import is_own_code
from oddville_agents.tensors import read_tensors
from oddville_env.core.game.game_type import game_type
from oddville_env.core.game.view import BatchView
from oddville_env.envs.live_game import LiveGame
from support.helpers import many_states

MEGABYTE = 2**20
CARD = {"game", "learner", "players", "cpu_minutes", "command", "version", "date", "machine", "against"}
BASELINES = [(game, name) for game in ("oddville", "oldtown") for name in roster_of(game).baselines]


@pytest.mark.parametrize(("game", "name"), BASELINES)
def test_baseline_plays_and_its_model_card_is_whole(game: str, name: str) -> None:
    spec = f"baseline:{name}"
    path = Path(options_of_baseline(game, spec)["network"])
    assert path.stat().st_size < MEGABYTE
    card = json.loads(read_tensors(path)[1]["card"])
    assert card.keys() == CARD
    assert (card["game"], f"{card['learner']}-{card['cpu_minutes']:g}") == (game, name)
    assert all(0 <= each["low"] <= each["wins"] <= each["high"] <= 1 for each in card["against"].values())
    agent, kind = make_agent(spec, game), game_type(game)
    live, chosen = LiveGame(kind, kind.box(kind.settings(2))), np.zeros(1, np.int64)

    def same_in_a_batch(live: LiveGame, action: int) -> None:
        if live.to_move == 0:
            view = BatchView(kind, live.box, live.state, np.arange(1), live.mask[None])
            agent.batch_agent(1).act(view, chosen)
            assert chosen[0] == action

    assert sorted(play(live, [agent, make_agent("random", game)], 1, same_in_a_batch).ranks) == [1, 2]
    assert is_own_code(spec, game)
    assert next(each for each in listed(game) if each.name == spec).what.startswith("Pretrained. ")


def test_oddvilles_self_play_plays_by_the_version_of_champion_that_its_card_measured() -> None:
    network = options_of_baseline("oddville", "baseline:selfplay-5")["network"]
    agent, later, measured = make_agent("baseline:selfplay-5"), ChampionAgent(network), ChampionAgent(network, False)
    views = (game.view() for game in many_states(300, seed=7) if not game.is_over)
    moves = [(deepcopy(agent).act(view), measured.act(view), later.act(view)) for view in views]
    assert all(mine == its for mine, its, _ in moves)
    assert any(its != other for _, its, other in moves)


def test_file_that_does_not_fit_is_refused(tmp_path: Path) -> None:
    with pytest.raises(AgentError, match="a baseline takes no options"):
        make_agent("baseline:afterstates-5:network=mine.safetensors", "oldtown")
    path, shapes = tmp_path / "mine.safetensors", [(3, 4), (4,), (4, 2), (2,), (2, 1), (1,)]
    tensors = {name: np.zeros(shape, np.float32) for name, shape in zip(afterstates.KINDS, shapes, strict=True)}
    afterstates.save(path, "oddville", tensors, {})
    kind = game_type("oddville")
    live = LiveGame(kind, kind.box(kind.settings(2)))
    live.deal(1)
    with pytest.raises(AgentError, match="values oddville with 3 numbers, not oddville with"):
        AfterstatesAgent(str(path)).act(live.view())
    afterstates.save(path, "oddville", {**tensors, "third": tensors["second"]}, {})
    with pytest.raises(AgentError, match="'third' should be float32"):
        AfterstatesAgent(str(path))
    with pytest.raises(AgentError, match="holds no network of afterstates: its format is 'oddville-value'"):
        AfterstatesAgent(str(Path(afterstates.__file__).parents[1] / "oddville/value/learned.safetensors"))


@pytest.mark.parametrize("game", ["oddville", "oldtown"])
@pytest.mark.parametrize(("name", "plays"), [
    ("selfplay-5", "champion"), ("afterstates-5", "oddville_agents.policies.afterstates:AfterstatesAgent"),
])  # fmt: skip
def test_file_of_values_is_no_spec_but_the_sentence_names_one(game: str, name: str, plays: str, tmp_path: Path) -> None:
    file = tmp_path / "mine.safetensors"
    shutil.copy(options_of_baseline(game, f"baseline:{name}")["network"], file)
    with pytest.raises(AgentError) as refused:
        make_agent(str(file), game)
    told = f"it is no policy but a network that values positions: name it as {plays}:network={file}"
    assert str(refused.value) == f"agent {str(file)!r}: {told}"
    assert make_agent(f"{plays}:network={file}", game).spec
