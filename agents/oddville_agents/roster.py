"""From a spec string to an agent: built-in names, classes by module or file, trained models, installed plug-ins."""

import importlib
import importlib.util
import inspect
import sys
from collections.abc import Callable, Iterable, Mapping
from difflib import get_close_matches
from functools import cache, partial
from hashlib import sha256
from importlib.metadata import entry_points
from pathlib import Path
from typing import Annotated, Any, NamedTuple

from oddville_agents.agent import Agent, FunctionAgent, TwoArgumentAgent
from oddville_agents.options import Option, check_options, options_of
from oddville_agents.player import AgentError, faults_of, name_of, words_of
from oddville_env.core.checked.kinds import truth
from oddville_env.core.disk.files import parse_json, read_whole
from oddville_env.core.errors import shown
from oddville_env.core.system.extras import extra_of, how_to_install
from oddville_env.core.system.interrupts import is_ctrl_c

LONGEST_SPEC = 1000
MODELS = (".safetensors", ".zip")
LEVELS = ("beginner", "easy", "medium", "hard", "master")
"""How well an agent plays, in people's words; which agents these are, each game's roster says."""
FIRST_GAME = "oddville"  # whose agents are meant where nobody says which game's
MADE = "when it was made"

EVERY_GAME = {"random": "oddville_agents.policies.uniform:RandomAgent"}
"""The agents that play any game."""
PLUG_INS = "oddville_env.agents"
"""The beginning of the entry-point group of a game that is not this package's; the game's name ends it."""
POLICIES = "oddville_agents.policies.policy"  # what loads them
MODEL_FORMAT = "-model"  # what the format of a model's description ends in, behind the game's name


class AgentSpec(NamedTuple):
    """A spec as values: programs name agents like this, for a text could say something else than was meant.

    where: a name, `package.module:Class`, `./file.py:Class` or a model's file; options: those of its class.
    """

    where: str
    options: Mapping[str, Any] = {}

    def __str__(self) -> str:
        """As a person would write it."""
        options = ",".join(f"{name}={value}" for name, value in self.options.items())
        return f"{self.where}:{options}" if options else self.where


class Roster(NamedTuple):
    """A game's own agents: `ROSTER` of module `roster` in the folder of its agents.

    built_in: names that a spec may begin with, and their classes · plug_ins: the entry-point group of other packages'
    agents · networks: what trained models are made of · ladder: specs, the weaker ones first · measured_against: specs
    that models are held against where nobody names others · trained_against: those that a policy is trained against,
    dealt out to the environments · levels: the specs of LEVELS · self_play: the module of `oddville_training` whose
    `run` learns by playing itself.
    """

    built_in: Mapping[str, str] = {}
    plug_ins: str | None = None
    networks: str = ""
    ladder: tuple[str, ...] = ("random",)
    measured_against: tuple[str, ...] = ("random",)
    trained_against: tuple[str, ...] = ("random",)
    levels: tuple[str, ...] = ()
    self_play: str = ""


@cache
def roster_of(game: str) -> Roster:
    """The roster of a game, by the game's name; a game that has no agents here has those of other packages alone."""
    home = f"oddville_agents.{game}.roster"
    try:
        own: Roster = importlib.import_module(home).ROSTER
    except ModuleNotFoundError as error:
        if error.name is None or not home.startswith(error.name):
            raise
        return Roster(plug_ins=f"{PLUG_INS}.{game}")
    return own


def built_in(game: str = FIRST_GAME) -> dict[str, str]:
    """The names that a spec may begin with, and where each one's class lives; plug-ins come after the built-in ones."""
    roster = roster_of(game)
    plugged = {point.name: point.value for point in entry_points(group=roster.plug_ins)} if roster.plug_ins else {}
    return {**plugged, **own_agents(game)}


def own_agents(game: str) -> dict[str, str]:
    """The built-in agents alone."""
    return {**EVERY_GAME, **roster_of(game).built_in}


def _names(game: str, wanted: str) -> dict[str, str]:
    """The names among which one is looked for: plug-ins, which take milliseconds, come after a game's own."""
    own = own_agents(game)
    return own if wanted in own else built_in(game)


def hint_agent(game: str) -> str:
    """The agent of a game (by its name) that gives people hints."""
    return "greedy" if "greedy" in _names(game, "greedy") else "random"


def make_agent(spec: str | AgentSpec | Agent | Callable[..., int], game: str = FIRST_GAME) -> Agent:
    """The agent of a game (by its name) that a spec names; an Agent is itself, and a function of (observation, mask)
    becomes one.

    A spec is `name`, `package.module:Class`, `./file.py:Class` or `./model.safetensors`, and may end in options:
    `name:key=value,key=value`. Raises AgentError.
    """
    if isinstance(spec, Agent):
        with faults_of(name_of(spec), MADE):
            return _with_one_argument(spec)
    if callable(spec):
        name = getattr(spec, "__name__", repr(spec))
        with faults_of(name, MADE):
            return _build(name, spec, {})
    name = str(spec)
    if not isinstance(spec, AgentSpec):
        if not isinstance(spec, str) or not 0 < len(spec) <= LONGEST_SPEC:
            raise AgentError(f"an agent is named by a text such as greedy, not {shown(spec)}")
        spec = _split(spec)
    with faults_of(name, MADE):
        agent = _build(name, _find(name, spec.where, game), spec.options)
        agent.spec = name
    return agent


def _split(spec: str) -> AgentSpec:
    """The values of a spec that a person wrote."""
    where, _, last = spec.rpartition(":")
    if not where or "=" not in last:
        return AgentSpec(spec)
    options = {}
    for option in last.split(","):
        key, equals, value = option.partition("=")
        if not equals or not key.isidentifier():
            raise AgentError(f"agent {spec!r}: options are written key=value,key=value, not {option!r}")
        options[key] = _value(value)
    return AgentSpec(where, options)


def _value(text: str) -> Any:
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            continue
    return {"true": True, "false": False}.get(text, text)


def _find(spec: str, where: str, game: str) -> Callable[..., Any]:
    """The maker of the agent: a class, a function, or the loader of a model."""
    if where.endswith(MODELS):
        return partial(_load_model, Path(where), game)
    names = _names(game, where)
    home = names.get(where, where)
    module, _, name = home.rpartition(":")
    if not module:
        expected = ", ".join([*names, "module:Class", "./file.py:Class or ./model.safetensors"])
        raise AgentError(f"no agent is called {spec!r}: expected {expected}{_meant(where, names)}")
    found = getattr(_module(spec, module), name, None)
    if not callable(found):
        raise AgentError(f"agent {spec!r}: {module} has no class or function {name!r}")
    make: Callable[..., Any] = found
    return make


Sample = Annotated[bool, Option(truth(), "moves are drawn as likely as the network says, instead of the likeliest one")]


def _load_model(path: Path, game: str, *, sample: Sample = False) -> Any:
    """The agent of a trained model. Raises AgentError, also where the model plays another game."""
    other = game_of_model(path)
    if other not in (None, game):
        raise AgentError(f"it is a model of the game {shown(other)}, not of {game}")
    try:
        return importlib.import_module(POLICIES).load_policy(path, sample, game)
    except ImportError as error:
        extra = extra_of(error, "train")
        if extra is None:
            raise
        raise AgentError(f"a trained model needs the extra {extra}: {how_to_install(extra)} ({error})") from None


def game_of_model(path: Path) -> str | None:
    """The name of the game that a model plays, as the `.json` beside it says; None where that says nothing."""
    try:
        plain = parse_json(read_whole(path.with_suffix(".json")))
    except (OSError, ValueError):
        return None
    kind = plain.get("format") if isinstance(plain, dict) else None
    return kind.removesuffix(MODEL_FORMAT) if isinstance(kind, str) and kind.endswith(MODEL_FORMAT) else None


def _module(spec: str, module: str) -> Any:
    try:
        if module.endswith(".py"):
            return _from_file(Path(module))
        top = module.partition(".")[0]
        if top and importlib.util.find_spec(top) is None:
            sys.path.append(str(Path.cwd()))  # last, so that nothing that lies there takes the name of something else
        return importlib.import_module(module)
    except BaseException as error:
        if isinstance(error, KeyboardInterrupt) and is_ctrl_c():
            raise
        raise AgentError(f"agent {spec!r}: {module} cannot be imported ({words_of(error)})") from error


def _from_file(path: Path) -> Any:
    if not path.is_file():
        raise FileNotFoundError(f"there is no file {path}")
    name = f"oddville_agent_{path.stem}_{sha256(str(path.resolve()).encode()).hexdigest()[:8]}"
    description = importlib.util.spec_from_file_location(name, path)
    assert description is not None
    assert description.loader is not None
    module = importlib.util.module_from_spec(description)
    sys.modules[name] = module
    description.loader.exec_module(module)
    return module


def _build(spec: str, make: Callable[..., Any], options: Mapping[str, Any]) -> Agent:
    if inspect.isfunction(make) and not options and len(inspect.signature(make).parameters) == 2:
        return FunctionAgent(make)
    try:
        check_options(make, options)
        agent = make(**options)
    except TypeError as error:
        raise AgentError(f"agent {spec!r}: it takes other options ({error}){_taken(make, options)}") from None
    except ValueError as error:
        raise AgentError(f"agent {spec!r}: {error}") from None
    if not isinstance(agent, Agent):
        if not callable(agent):
            raise AgentError(f"agent {spec!r}: it is neither an Agent nor a function of (observation, mask)")
        return FunctionAgent(agent)
    if not isinstance(agent.name, str):
        raise AgentError(f"agent {spec!r}: its name must be a text, not {shown(agent.name)}")
    return _with_one_argument(agent)


def _taken(make: Callable[..., Any], options: Mapping[str, Any]) -> str:
    """The names of an agent's options, where one was given that is none of them."""
    names = [option.name for option in options_of(make)]
    wrong = [name for name in options if name not in names]
    if not wrong:
        return ""
    return f": expected {', '.join(names) or 'none'}{_meant(wrong[0], names)}"


def _meant(word: str, words: Iterable[str]) -> str:
    """The known word that somebody may have meant, as a question."""
    near = get_close_matches(word.lower(), words, n=1)
    return f"; did you mean {near[0]}?" if near else ""


def _with_one_argument(agent: Agent) -> Agent:
    """The agent, or where its `act` takes (observation, mask) a coat over it."""
    return agent if _positional(agent.act) == 1 else TwoArgumentAgent(agent)


def _positional(function: Callable[..., Any]) -> int:
    """The number of positional arguments of a function."""
    kinds = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
    return sum(parameter.kind in kinds for parameter in inspect.signature(function).parameters.values())


def is_own_code(spec: str, game: str = FIRST_GAME) -> bool:
    """The spec names an agent whose code is this package's: a built-in one, or a model that is nothing but weights."""
    where, _ = _split(spec)
    return where in own_agents(game) or where.endswith(".safetensors")


def check_spec_from_file(spec: object, file: Path, game: str = FIRST_GAME) -> str:
    """A spec that stands in a file, if making its agent runs no code but this package's; raises AgentError.

    Files come from strangers: a class or a `.zip` in one could run anything. A model that it names is only read.
    """
    if not isinstance(spec, str) or not spec:
        raise AgentError(f"{file}: an agent is named by a text such as greedy, not {shown(spec)}")
    if not is_own_code(spec, game):
        raise AgentError(
            f"{file} names the agent {shown(spec)}, which has code of its own: files may name built-in agents and "
            ".safetensors models only, so name it on the command line too if you trust it"
        )
    return spec


def files_of(spec: str) -> list[Path]:
    """The files that decide how an agent plays, as far as its spec names them: code, a model, those of options."""
    where, options = _split(spec)
    path = where if where.endswith(MODELS) else where.rpartition(":")[0]
    found = [path] if path.endswith((".py", *MODELS)) else []
    found += [value for value in options.values() if isinstance(value, str) and value.endswith(".json")]
    return [Path(each) for each in found]
