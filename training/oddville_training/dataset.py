"""The command `dataset`: records in, one data set out, as Parquet, npz, or a folder of Minari.

Games are written one by one, and the result is atomic. Letters of shapes: D decisions of a game, N numbers of an
observation, A actions, P seats.
"""

import errno
import os
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from functools import partial
from importlib import import_module
from itertools import chain, count
from pathlib import Path
from typing import Any, NamedTuple
from warnings import catch_warnings

import numpy as np

from oddville_env.core.disk.files import atomic_write, folder_of_parts
from oddville_env.core.errors import RecordError, SettingError, located, shown
from oddville_env.core.game.game_type import GameType
from oddville_env.core.parts.pieces import Encoder
from oddville_env.core.system.extras import needs_extra
from oddville_env.core.system.processes import variable
from oddville_env.envs.rewards import Reward, make_reward

ROWS = 8192  # decisions of a part of a Parquet file
EPISODES = 100  # that are handed to Minari at once
EPISODE_BYTES = 1 << 16  # of a file, beside an episode's arrays
MINARI_FOLDER = "MINARI_DATASETS_PATH"  # the variable that names the folder of all data sets


class Decisions(NamedTuple):
    """The decisions of a game, in their order."""

    game: np.ndarray  # int32 [D]: the number of the game, from 0
    step: np.ndarray  # int16 [D]: how many decisions of the game came before
    seat: np.ndarray  # int8 [D]: the seat to move
    observation: np.ndarray  # [D, N], uint8 or float32 as its encoding is: what this seat saw
    action_mask: np.ndarray  # bool [D, A]: the legal moves
    action: np.ndarray  # int16 [D]: the id of its move
    reward: np.ndarray  # float32 [D]: the seat's reward of the game at its last decision, 0 before it
    last: np.ndarray  # bool [D]: the seat's last decision of a finished game


class Recorded(NamedTuple):
    """A recorded game."""

    decisions: Decisions
    final_observations: np.ndarray  # [P, N]: what every seat saw at the end
    truncated: bool
    settings: dict[str, Any]  # those of the game that a record holds, as keywords of its environments


def read_games(
    file: Path,
    lines: Iterable[tuple[int, str]],
    game_type: GameType,
    encoding: str,
    reward: Reward,
    data: Mapping[str, Any],
) -> Iterator[Recorded]:
    """Replay every record of a file, (line number, JSON) each; data: settings that a record does not hold.

    Raises RecordError for a bad record, and where two tables differ in size.
    """
    layout, options = None, [option.name for option in game_type.options if not option.data]
    for number, (line, text) in enumerate(lines):
        with located(f"{file}, line {line}", RecordError):
            game = game_type.game.from_record(text, **data)
        layout = layout or game.box.layout
        if game.box.layout != layout:
            raise RecordError(f"{file}, line {line}: the table's size differs from that of the first game")
        settings = {name: getattr(game.box, name) for name in ("players", *options)}
        yield recorded(game, number, game_type.make_encoder(game.box, encoding), reward, settings)


def recorded(game: Any, number: int, encoder: Encoder, reward: Reward, settings: dict[str, Any]) -> Recorded:
    """The decisions of a replayed game, whose moves are taken back and played again."""
    moves, outcome = [game.action(move) for move in game.moves], game.outcome
    seen_by = partial(encoder.observation, game.box.record, game.state, 0)  # a seat
    final = np.stack([seen_by(seat) for seat in range(game.players)])
    for _ in moves:
        game.pop()
    seats, seen, masks = [], [], []
    for move in moves:
        seats.append(game.to_move)
        seen.append(seen_by(game.to_move))
        masks.append(game.mask.copy())
        game.push(move)
    rewards, last = np.zeros(len(moves), np.float32), np.zeros(len(moves), np.bool_)
    if outcome is not None:
        won = reward(outcome.scores, outcome.ranks)
        for seat in set(seats):
            at = len(seats) - 1 - seats[::-1].index(seat)
            rewards[at], last[at] = won[seat], True
    decisions = Decisions(
        np.full(len(moves), number, np.int32),
        np.arange(len(moves), dtype=np.int16),
        np.array(seats, np.int8),
        np.array(seen, encoder.dtype).reshape(len(moves), *encoder.shape),
        np.array(masks, np.bool_).reshape(len(moves), len(game.mask)),
        np.array(moves, np.int16),
        rewards,
        last,
    )
    return Recorded(decisions, final, outcome is not None and outcome.truncated, settings)


class Asked(NamedTuple):
    """The data set to write; env_settings: keywords of the game's environments: encoding, reward, and data."""

    out: Path
    game_type: GameType
    env_settings: dict[str, Any]


def write_npz(games: Iterator[Recorded], scratch: Path, asked: Asked) -> None:
    """Write an array for each column, which need not fit into memory: `numpy.load` reads them."""
    columns: dict[str, Any] = {}
    with ExitStack() as stack:
        files = {name: stack.enter_context((scratch / name).open("w+b")) for name in Decisions._fields}
        rows = 0
        for game in games:
            rows += len(game.decisions.action)
            for name, file in files.items():
                columns[name] = getattr(game.decisions, name)
                file.write(columns[name].tobytes())
        for name, file in files.items() if rows else ():
            file.flush()
            columns[name] = np.memmap(file, columns[name].dtype, "r", shape=(rows, *columns[name].shape[1:]))
        with atomic_write(asked.out, "wb", streams=True) as packed:
            np.savez_compressed(packed, **columns)


def write_parquet(games: Iterator[Recorded], scratch: Path, asked: Asked) -> None:
    """Write a row for each decision; observations and masks are arrays of a fixed size."""
    import polars

    parts: list[Path] = []
    for some in _batches((game.decisions for game in games), lambda each: len(each.action), ROWS):
        columns = {name: np.concatenate([getattr(each, name) for each in some]) for name in Decisions._fields}
        parts.append(scratch / f"{len(parts):06}.parquet")
        with _os_errors(asked.out):
            polars.DataFrame(columns).write_parquet(parts[-1])
    with atomic_write(asked.out, "wb", streams=True) as file, _os_errors(asked.out):
        polars.scan_parquet(parts).sink_parquet(file)


@contextmanager
def _os_errors(out: Path) -> Iterator[None]:
    """Raises OSError where polars cannot write, instead of its own error."""
    from polars.exceptions import PolarsError

    try:
        yield
    except PolarsError as error:
        found = re.search(r"os error (\d+)", str(error))
        number = int(found[1]) if found else errno.EIO
        raise OSError(number, os.strerror(number), str(out)) from None


def write_minari(games: Iterator[Recorded], scratch: Path, asked: Asked) -> None:
    """Write a folder for MINARI_DATASETS_PATH with one data set: an episode is one seat's decisions in a game."""
    storage, first = None, next(games)
    for some in _batches(_episodes(chain([first], games)), lambda _: 1, EPISODES):
        _reserve(scratch / "reserved", sum(map(_size_of, some)))
        with variable(MINARI_FOLDER, str(scratch.resolve() / "data")), catch_warnings(action="ignore"):
            if storage:  # without warnings about an author's address that records do not hold
                storage.update_episodes(some)
            else:
                storage = _begun(some, asked, first.settings).storage
    (scratch / "data").rename(asked.out)


def _episodes(games: Iterable[Recorded]) -> Iterator[Any]:
    """An episode for each seat that moved in a game."""
    from minari.data_collector import EpisodeBuffer

    number = count()
    for game in games:
        for seat in np.unique(game.decisions.seat).tolist():
            mine = Decisions(*(column[game.decisions.seat == seat] for column in game.decisions))
            nothing = np.zeros_like(mine.last)
            yield EpisodeBuffer(
                id=next(number),
                observations=np.concatenate([mine.observation, game.final_observations[seat : seat + 1]]),
                actions=mine.action.astype(np.int64),
                rewards=mine.reward,
                terminations=nothing if game.truncated else mine.last,
                truncations=mine.last if game.truncated else nothing,
                infos={"action_mask": np.concatenate([mine.action_mask, np.zeros_like(mine.action_mask[:1])])},
            )


def _begun(episodes: list[Any], asked: Asked, settings: Mapping[str, Any]) -> Any:
    """Minari's data set, with the first episodes; settings: those of the first game, for `recover_environment`."""
    import minari
    from gymnasium import registry
    from gymnasium.spaces import Box, Discrete

    seen, masks, name = episodes[0].observations, episodes[0].infos["action_mask"], asked.game_type.name
    low, high = (0, 255) if seen.dtype == np.uint8 else (-np.inf, np.inf)
    spec = registry.get(f"{asked.game_type.title.replace(' ', '')}-v0")
    return minari.create_dataset_from_buffers(
        f"{name}/{asked.out.stem}-v0",
        episodes,
        env=spec and replace(spec, kwargs={**settings, **asked.env_settings}),
        observation_space=Box(low, high, seen.shape[1:], seen.dtype),
        action_space=Discrete(masks.shape[1]),
        algorithm_name="records",
        author="oddville-env",
        description=f"recorded games of {name}, observations: {asked.env_settings['encoding']}",
    )


def _size_of(episode: Any) -> int:
    """Bytes of an episode in a file, at most."""
    arrays = (episode.observations, episode.actions, episode.rewards, *episode.infos.values())
    return EPISODE_BYTES + 2 * sum(int(array.nbytes) for array in arrays)


def _reserve(path: Path, size: int) -> None:
    """Raises OSError unless the disk has room for a file of this size.

    HDF5 must not meet a full disk: it cannot flush then, and ends the process with SIGSEGV at exit.
    """
    try:
        with path.open("wb") as file:
            if hasattr(os, "posix_fallocate"):
                os.posix_fallocate(file.fileno(), 0, size)
            else:
                file.write(bytes(size))
    finally:
        path.unlink(missing_ok=True)


def _batches(items: Iterable[Any], size: Callable[[Any], int], most: int) -> Iterator[list[Any]]:
    """The items in lists, each of which ends where its sizes add up to so much."""
    batch, held = [], 0
    for item in items:
        batch.append(item)
        held += size(item)
        if held >= most:
            yield batch
            batch, held = [], 0
    if batch:
        yield batch


class Format(NamedTuple):
    """How a data set is written, and the modules of the extra `data` that this needs."""

    write: Callable[[Iterator[Recorded], Path, Asked], None]
    needs: tuple[str, ...] = ()


FORMATS = {
    ".npz": Format(write_npz),
    ".parquet": Format(write_parquet, ("polars",)),
    ".minari": Format(write_minari, ("minari", "h5py")),
}
"""By the end of the file's name."""


def check_name(out: Path) -> None:
    """Raises SettingError where a data set cannot have this name, or its writer is not installed."""
    if out.suffix not in FORMATS:
        raise SettingError(f"--out must end in {', '.join(FORMATS)}, not {shown(out.name)}")
    with needs_extra(f"{out.suffix} needs", "data"):
        for needed in FORMATS[out.suffix].needs:
            import_module(needed)
    if out.suffix == ".minari":
        from minari.dataset.minari_dataset import parse_dataset_id

        try:
            parse_dataset_id(f"{out.stem}-v0")
        except ValueError:
            allowed = "expected letters, digits, - and _ before .minari"
            raise SettingError(f"--out {shown(out.name)} cannot name a Minari data set: {allowed}") from None
        if out.exists():
            raise SettingError(f"{out} exists already, expected the name of a new folder")


def write(
    file: Path,
    lines: Iterable[tuple[int, str]],
    out: Path,
    game_type: GameType,
    encoding: str,
    reward: str = "outcome",
    data: Mapping[str, Any] = {},
    watch: Callable[[int], None] = lambda games: None,
) -> tuple[int, int]:
    """Write the decisions of a file's records in the format that the suffix of `out` names.

    lines: (line number, JSON) of each record of the file, which errors name; data: settings that a record does not
    hold, such as `cards`; watch: called with the number of games so far. Returns the numbers of games and decisions.
    Raises RecordError, SettingError and OSError, and then leaves nothing behind.
    """
    check_name(out)
    given = {name: str(value) if isinstance(value, Path) else value for name, value in data.items()}
    games = decisions = 0

    def read() -> Iterator[Recorded]:
        nonlocal games, decisions
        for games, game in enumerate(read_games(file, lines, game_type, encoding, make_reward(reward), data), 1):
            yield game
            decisions += len(game.decisions.action)
            watch(games)
        if not games:
            raise RecordError(f"{file}: there is no record in it")

    with folder_of_parts(out) as scratch:
        asked = Asked(out, game_type, {"encoding": encoding, "reward": reward, **given})
        FORMATS[out.suffix].write(read(), scratch, asked)
    return games, decisions
