"""Agents by their specs: what names one, what its options may be, what is said of a name that is none."""

import sys
from importlib.metadata import EntryPoint
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from oddville_agents import Agent, AgentError, built_in, make_agent, roster
from oddville_agents.agent import FunctionAgent
from oddville_agents.oddville.greedy import GreedyAgent
from oddville_agents.play import play
from oddville_agents.policies.baselines import RandomAgent
from oddville_agents.roster import listed
from oddville_agents.spec import AgentSpec
from oddville_env import Game, GameError
from oddville_env.envs.live_game import LiveGame
from oddville_env.oddville.game_type import ODDVILLE
from oddville_env.oddville.settings import make_box

FILE = """
from oddville_agents import Agent

NUMBER = 5

class Mine(Agent):
    name = "mine"

    def __init__(self, depth=1, rate=0.5, wild=False, style="calm"):
        self.options = (depth, rate, wild, style)

    def act(self, view):
        return int(view.actions[0])

class Strict(Agent):
    def __init__(self, depth):
        if depth > 3:
            raise ValueError("depth must be at most 3")

    def act(self, view):
        return 0

class Unfinished(Agent):
    pass

def last(observation, mask):
    return int(mask.nonzero()[0][-1])

def make(depth=2):
    return Mine(depth)

def five():
    return 5
"""


@pytest.fixture
def here(workdir: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A working folder with agents in files."""
    (workdir / "mine.py").write_text(FILE)
    (workdir / "broken.py").write_text("class Mine(:")
    (workdir / "crash.py").write_text("1 / 0")
    monkeypatch.syspath_prepend(workdir)
    monkeypatch.delitem(sys.modules, "mine", raising=False)
    return workdir


def first(observation: np.ndarray, mask: np.ndarray) -> int:
    return int(mask.argmax())


@pytest.mark.usefixtures("here")
@pytest.mark.parametrize(("spec", "kind", "name"), [
    ("random", RandomAgent, "random"),
    ("greedy", GreedyAgent, "greedy"),
    ("oddville_agents.policies.baselines:RandomAgent", RandomAgent, "random"),
    ("./mine.py:Mine", Agent, "mine"),
    ("mine.py:Mine", Agent, "mine"),
    ("mine:Mine", Agent, "mine"),
    ("./mine.py:last", FunctionAgent, "last"),
    ("./mine.py:make", Agent, "mine"),
    ("./mine.py:make:depth=4", Agent, "mine"),
])  # fmt: skip
def test_a_spec_names_an_agent(spec: str, kind: type[Agent], name: str) -> None:
    agent = make_agent(spec)
    assert isinstance(agent, kind)
    assert (agent.name, agent.spec) == (name, spec)
    assert 0 <= agent.act(Game(2, 0).view()) < 4


@pytest.mark.usefixtures("here")
@pytest.mark.parametrize(("options", "expected"), [
    ("depth=3", (3, 0.5, False, "calm")),
    ("rate=2,wild=true", (1, 2, True, "calm")),
    ("style=a b,wild=false,depth=-1", (-1, 0.5, False, "a b")),
    ("rate=1e-3,style=", (1, 0.001, False, "")),
    ("style=x=y", (1, 0.5, False, "x=y")),
    ("style=http://a:1/b,depth=2", (2, 0.5, False, "http://a:1/b")),
])  # fmt: skip
def test_options_are_numbers_truths_or_texts(options: str, expected: tuple[Any, ...]) -> None:
    for home in ("./mine.py:Mine", "mine:Mine"):
        assert make_agent(f"{home}:{options}").options == expected


def test_a_plug_in_may_have_options_but_no_built_in_name(monkeypatch: pytest.MonkeyPatch, here: Path) -> None:
    point = EntryPoint("mine", "mine:Mine", roster.PLUG_INS)
    monkeypatch.setattr(roster, "entry_points", lambda group: [point] if group == roster.PLUG_INS else [])
    agent = make_agent("mine:depth=7,wild=true")
    assert (agent.options, built_in()["mine"]) == ((7, 0.5, True, "calm"), "mine:Mine")
    monkeypatch.setattr(roster, "entry_points", lambda group: [EntryPoint("greedy", "mine:Mine", group)])
    assert isinstance(make_agent("greedy"), GreedyAgent)
    monkeypatch.setattr(roster, "entry_points", None)
    assert make_agent("random").name == "random"


def test_an_agent_is_itself_a_function_becomes_one_and_values_of_a_spec_are_not_parsed() -> None:
    agent = RandomAgent()
    assert make_agent(agent) is agent
    assert (make_agent(GreedyAgent).name, make_agent(first).name) == ("greedy", "first")
    assert make_agent(lambda observation, mask: 0).name == "<lambda>"
    assert make_agent(first).act(Game(2, 0).view()) == 0
    assert str(AgentSpec("greedy", {"weights": "simple"})) == make_agent("greedy:weights=simple").spec
    for network in ("evil.py:Bot:x=1", "7", "a,b=c"):
        with pytest.raises(AgentError, match=f"{network} cannot be read"):
            make_agent(AgentSpec("champion", {"network": network}))


@pytest.mark.usefixtures("here")
@pytest.mark.parametrize(("spec", "sentence"), [
    ("", "an agent is named by a text such as greedy, not ''"),
    (None, "an agent is named by a text such as greedy, not None"),
    (["greedy"], "an agent is named by a text such as greedy, not ['greedy']"),
    ("nobody", "no agent is called 'nobody': expected random, greedy, casual, search, champion, "
     "baseline:afterstates-5, baseline:afterstates-20, baseline:selfplay-5, baseline:selfplay-20, chat, module:Class"),
    (":Mine", "no agent is called ':Mine': expected "),
    ("baseline:mine-5", "no agent is called 'baseline:mine-5': expected random, greedy, casual, search, champion"),
    ("random:depth=3", "agent 'random:depth=3': it takes other options ("),
    ("greedy:", "agent 'greedy:': greedy cannot be imported (ModuleNotFoundError: "),
    ("greedy:depth=3,4", "agent 'greedy:depth=3,4': options are written key=value,key=value, not '4'"),
    ("no.such:Mine", "agent 'no.such:Mine': no.such cannot be imported (ModuleNotFoundError: No module named 'no'"),
    (".mine:Mine", "agent '.mine:Mine': .mine cannot be imported (TypeError: "),
    ("mine:Nobody", "agent 'mine:Nobody': mine has no class or function 'Nobody'"),
    ("./gone.py:Mine", "agent './gone.py:Mine': ./gone.py cannot be imported (FileNotFoundError: there is no file"),
    ("./broken.py:Mine", "agent './broken.py:Mine': ./broken.py cannot be imported (SyntaxError: "),
    ("mine:Mine:speed=3", "agent 'mine:Mine:speed=3': it takes other options ("),
    ("mine:Strict:depth=9", "agent 'mine:Strict:depth=9': "),
    ("mine:Unfinished", "agent 'mine:Unfinished': "),
    ("mine:five", "agent 'mine:five': it is neither an Agent nor a function of (observation, mask)"),
], ids=lambda value: str(value)[:20])  # fmt: skip
def test_wrong_spec_is_refused_with_a_reason(spec: Any, sentence: str) -> None:
    with pytest.raises(AgentError) as refused:
        make_agent(spec)
    assert str(refused.value).startswith(sentence)


@pytest.mark.parametrize(("asked", "end"), {
    "oddville greddy": "; did you mean greedy?",
    "oddville Search:ms=5": "; did you mean search?",
    "oldtown heuristics": "; did you mean heuristic?",
    "oddville baseline:selfplay": "; did you mean baseline:selfplay-5?",
    "oddville search:mss=5": ": expected ms, sims, threads, weights, value, turns; did you mean ms?",
    "oddville greedy:wieghts=simple": ": expected weights; did you mean weights?",
    "oldtown random:depth=3": ": expected none",
}.items())  # fmt: skip
def test_misspelt_spec_gets_a_suggestion(asked: str, end: str) -> None:
    game, spec = asked.split()
    with pytest.raises(AgentError) as refused:
        make_agent(spec, game)
    assert str(refused.value).endswith(end)


TINY, CHAT = "chat:model=tiny,url=http://host", "it needs model=NAME,url=URL"


@pytest.mark.usefixtures("here")
@pytest.mark.parametrize(("asked", "sentence"), {
    "oddville search:ms=inf": "ms must be a number above 0, not inf",
    "oddville search:sims=0": "sims must be a whole number from 1 to 1000000000000, not 0",
    "oddville search:turns=-1": "turns must be a whole number from 0 to 100, not -1",
    "oddville search:ms=5,sims=5": "it takes ms (milliseconds) or sims (iterations), not both",
    "oddville search:value=gone.safetensors": "gone.safetensors cannot be read",
    "oddville champion:network=gone": "gone cannot be read",
    "oddville champion:network=7": "network must be a text, not 7",
    "oddville greedy:weights=": "there are no weights '': expected tuned, search, simple or a .json file",
    "oddville greedy:weights=gone.json": "there is no file gone.json, expected the weights of ",
    "oddville casual:temperature=0": "temperature must be a number above 0 and at most 1000, not 0",
    "oddville chat": CHAT,
    "oddville chat:model=tiny": CHAT,
    **{
        f"oddville chat:model=tiny,url={url}": "url must be http://HOST or https://HOST"
        for url in ("localhost", "file:///etc/passwd", "http://me:word@host", "http://host?key=1")
    },
    f"oddville {TINY},tries=0": "tries must be a whole number from 1 to 100, not 0",
    f"oddville {TINY},fallback=greedy": "fallback must be one of random, forfeit, not 'greedy'",
    f"oddville {TINY},temperature=3": "temperature must be a number from 0 to 2, not 3",
    f"oddville {TINY},seconds=0": "seconds must be a number above 0 and at most 3600, not 0",
    "oddville ./gone.safetensors:sample=1": "sample must be true or false, not 1",
    "oddville ./gone.safetensors": "there is no model gone.safetensors",
    "oddville ./gone.zip": "there is no model gone.zip",
    "oldtown heuristic:weights=nothing": "there are no weights 'nothing': expected tuned, champion or a .json file",
    "oldtown heuristic:weights=gone.json": "there is no file gone.json, expected the weights of a value",
    "oldtown heuristic:weights=bad.json": "bad.json: weights must name exactly one, lead, ",
    "oldtown search:network=gone.safetensors": "gone.safetensors cannot be read",
}.items())  # fmt: skip
def test_option_out_of_range_is_refused_with_the_expected_values(here: Path, asked: str, sentence: str) -> None:
    (here / "bad.json").write_text('{"format": "oldtown-weights", "version": 1, "weights": {"lead": 1}}')
    game, spec = asked.split()
    if spec.startswith("./gone"):
        pytest.importorskip("torch")
    with pytest.raises(GameError) as refused:
        make_agent(spec, game)
    assert str(refused.value).removeprefix(f"agent {spec!r}: ").startswith(sentence)


@pytest.mark.parametrize(("game", "options"), [("oddville", 18), ("oldtown", 17), ("oldtown.solo", 1)])
def test_every_option_of_a_built_in_agent_says_what_it_does(game: str, options: int) -> None:
    found = [option for agent in listed(game) for option in agent.options]
    assert len(found) == options
    assert all(option.text and option.kind.expected != "anything" for option in found)


@pytest.mark.usefixtures("here")
def test_options_of_plug_ins_are_listed(monkeypatch: pytest.MonkeyPatch) -> None:
    points = [EntryPoint(name, home, "agents") for name, home in (("mine", "mine:Mine"), ("gone", "gone:Gone"))]
    monkeypatch.setattr(roster, "entry_points", lambda group: points)
    found = {agent.name: agent for agent in listed("oddville")}
    names = {option.name: option.default for option in found["mine"].options}
    assert names == {"depth": 1, "rate": 0.5, "wild": False, "style": "calm"}
    assert found["gone"].what.startswith("cannot be loaded (")


def test_the_recipe_of_the_readme_wins_against_random(here: Path) -> None:
    readme = (Path(__file__).resolve().parents[2] / "agents" / "README.md").read_text()
    (here / "recipe.py").write_text(readme.split("```python\n")[1].split("```")[0])
    live, agents = LiveGame(ODDVILLE, make_box(2)), [make_agent("./recipe.py:Wishful"), make_agent("random")]
    assert sum(play(live, agents, seed).winner == 0 for seed in range(20)) >= 15
