"""Specs, the texts that name agents, such as `search:ms=500`: parsed, checked, and made into agents."""

import importlib
import importlib.util
import inspect
import re
import sys
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from difflib import get_close_matches
from functools import partial
from hashlib import sha256
from pathlib import Path
from typing import Annotated, Any, NamedTuple, cast

from oddville_agents.agent import Agent, FunctionAgent
from oddville_agents.player import AgentError, faults_of, words_of
from oddville_agents.roster import (
    AFTERSTATES,
    BASELINE,
    FIRST_GAME,
    Option,
    known_agents,
    options_of,
    options_of_baseline,
    own_agents,
)
from oddville_env.core.checked import truth
from oddville_env.core.disk.reading import parse_json, read_whole
from oddville_env.core.errors import located, shown
from oddville_env.core.system.extras import extra_of, how_to_install
from oddville_env.core.system.interrupts import is_ctrl_c

LONGEST_SPEC = 1000
OPTIONS = re.compile(":([^:=]*=.*)", re.DOTALL)  # the end of a spec; values may hold colons
MODELS = (".safetensors", ".zip")
MODEL_FORMAT = "-model"  # the format of a model's description is the game's name and this


class AgentSpec(NamedTuple):
    """A spec as values. Programs use it where a text could be misread.

    where: a name, `package.module:Class`, `./file.py:Class` or a model's file; options: those of the agent's class.
    """

    where: str
    options: Mapping[str, Any] = {}

    def __str__(self) -> str:
        """Return the spec as a text."""
        options = ",".join(f"{name}={value}" for name, value in self.options.items())
        return f"{self.where}:{options}" if options else self.where


def parse_spec(spec: object) -> AgentSpec:
    """Return the values of a spec. Raises AgentError for what is no text, or for options that cannot be read."""
    if isinstance(spec, AgentSpec):
        return spec
    if not isinstance(spec, str) or not 0 < len(spec) <= LONGEST_SPEC:
        raise AgentError(f"an agent is named by a text such as greedy, not {shown(spec)}")
    found = OPTIONS.search(spec)
    if found is None or not found.start():
        return AgentSpec(spec)
    options = {}
    for option in found[1].split(","):
        key, equals, value = option.partition("=")
        if not equals or not key.isidentifier():
            raise AgentError(f"agent {spec!r}: options are written key=value,key=value, not {option!r}")
        options[key] = _value(value)
    return AgentSpec(spec[: found.start()], options)


def _value(text: str) -> Any:
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            continue
    return {"true": True, "false": False}.get(text, text)


def is_own_code(spec: str, game: str = FIRST_GAME) -> bool:
    """Return whether a spec names code of this package only: a built-in agent, or a model that holds only weights."""
    where, _ = parse_spec(spec)
    return where in own_agents(game) or where.endswith(".safetensors")


def check_spec_from_file(spec: object, file: Path, game: str = FIRST_GAME) -> str:
    """Return a spec that a file names if making its agent runs code of this package only.

    Raises AgentError otherwise: untrusted files could name a class or a `.zip`, which can run any code.
    """
    if not isinstance(spec, str) or not spec:
        raise AgentError(f"{file}: an agent is named by a text such as greedy, not {shown(spec)}")
    with located(file, AgentError):
        own = is_own_code(spec, game)
    if not own:
        raise AgentError(
            f"{file} names the agent {shown(spec)}, which has code of its own: files may name built-in agents and "
            ".safetensors models only, so name it on the command line too if you trust it"
        )
    return spec


def files_of(spec: str) -> list[Path]:
    """Return the files that a spec names and that decide how its agent plays: code, a model, files in options."""
    where, options = parse_spec(spec)
    path = where if where.endswith(MODELS) else where.rpartition(":")[0]
    found = [path] if path.endswith((".py", *MODELS)) else []
    found += [value for value in options.values() if isinstance(value, str) and value.endswith(".json")]
    return [Path(each) for each in found]


MADE = "when it was made"


def make_agent(spec: str | AgentSpec | Agent | Callable[..., int], game: str = FIRST_GAME) -> Agent:
    """Return the agent that a spec names.

    Args:
        spec: `name`, `package.module:Class`, `./file.py:Class` or `./model.safetensors`, with options at the end if any
            (`name:key=value,key=value`); or an `Agent`, which is returned; or a function of (observation, mask).
        game: the game's name.

    Raises:
        AgentError: if the spec names no agent, or the agent cannot be made.
    """
    if isinstance(spec, Agent):
        return spec
    if callable(spec):
        name = getattr(spec, "__name__", repr(spec))
        with faults_of(name, MADE):
            return _build(name, spec, {})
    name, values = str(spec), parse_spec(spec)
    with faults_of(name, MADE):
        pretrained = options_of_baseline(game, values.where)
        if pretrained and values.options:
            raise AgentError(f"agent {name!r}: a baseline takes no options")
        agent = _build(name, _find(name, values.where, game), pretrained or values.options)
        agent.spec = name
    return agent


def _find(spec: str, where: str, game: str) -> Callable[..., Any]:
    """Return a class, a function, or the loader of a model."""
    if where.endswith(MODELS):
        return partial(_load_model, Path(where), game)
    names = known_agents(game, where)
    home = names.get(where, where)
    module, _, name = home.rpartition(":")
    if not module or (where.startswith(BASELINE) and where not in names):
        expected = ", ".join([*names, "module:Class", "./file.py:Class or ./model.safetensors"])
        raise AgentError(f"no agent is called {spec!r}: expected {expected}{_meant(where, names)}")
    found = getattr(_module(spec, module, _meant(where, names)), name, None)
    if not callable(found):
        raise AgentError(f"agent {spec!r}: {module} has no class or function {name!r}")
    return cast(Callable[..., Any], found)


Sample = Annotated[bool, Option(truth(), "draw moves with the network's probabilities instead of the likeliest move")]


def _load_model(path: Path, game: str, *, sample: Sample = False) -> Any:
    """Return the agent of a trained model. Raises AgentError, also for a model of another game."""
    if (plays := _agent_of_values(path, game)) is not None:
        raise AgentError(f"it is no policy but a network that values positions: name it as {plays}:network={path}")
    other = game_of_model(path)
    if other not in (None, game):
        raise AgentError(f"it is a model of the game {shown(other)}, not of {game}")
    try:
        return importlib.import_module("oddville_agents.policies.policy").load_policy(path, sample, game)
    except ImportError as error:
        extra = extra_of(error, "train")
        if extra is None:
            raise
        raise AgentError(f"a trained model needs the extra {extra}: {how_to_install(extra)} ({error})") from None


def _agent_of_values(path: Path, game: str) -> str | None:
    """The agent that plays by a file of values of positions, None for other files."""
    if path.suffix != ".safetensors" or path.with_suffix(".json").exists():
        return None
    with suppress(AgentError):
        form = importlib.import_module("oddville_agents.tensors").read_arrays(path, AgentError)[1].get("format")
        return {f"{game}-value": "champion", "afterstates": AFTERSTATES}.get(form)
    return None


def game_of_model(path: Path) -> str | None:
    """Return the name of the game in the `.json` beside a model, None where it names none."""
    try:
        plain = parse_json(read_whole(path.with_suffix(".json")))
    except (OSError, ValueError):
        return None
    kind = plain.get("format") if isinstance(plain, dict) else None
    return kind.removesuffix(MODEL_FORMAT) if isinstance(kind, str) and kind.endswith(MODEL_FORMAT) else None


def _module(spec: str, module: str, meant: str) -> Any:
    try:
        if module.endswith(".py"):
            return _from_file(Path(module))
        top = module.partition(".")[0]
        if top and importlib.util.find_spec(top) is None:
            sys.path.append(str(Path.cwd()))  # last, so that no file there hides an installed module
        return importlib.import_module(module)
    except BaseException as error:
        if isinstance(error, KeyboardInterrupt) and is_ctrl_c():
            raise
        raise AgentError(f"agent {spec!r}: {module} cannot be imported ({words_of(error)}){meant}") from error


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
        for option in options_of(make):
            value = options.get(option.name, option.default)
            if value is not option.default and not option.kind.holds(value):
                raise AgentError(f"{option.name} must be {option.kind.expected}, not {shown(value)}")
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
    return agent


def _taken(make: Callable[..., Any], options: Mapping[str, Any]) -> str:
    """Return the end of a sentence with the names of an agent's options, empty where all given ones are known."""
    names = [option.name for option in options_of(make)]
    wrong = [name for name in options if name not in names]
    if not wrong:
        return ""
    return f": expected {', '.join(names) or 'none'}{_meant(wrong[0], names)}"


def _meant(word: str, words: Iterable[str]) -> str:
    """Return a question with the nearest known word, empty where none is near."""
    near = get_close_matches(word.lower(), words, n=1)
    return f"; did you mean {near[0]}?" if near else ""
