"""The command `dataset`: records in, one data set out, as Parquet, npz, or a folder of Minari.

Games are written one by one, and the result is atomic.
"""

import errno
import os
import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from importlib import import_module
from pathlib import Path
from typing import IO, Any, Self
from warnings import catch_warnings

import numpy as np

from oddville_env.core.disk.files import atomic_write, folder_of_parts, remove_unfinished
from oddville_env.core.errors import RecordError, SettingError, shown
from oddville_env.core.game.game_type import GameType
from oddville_env.core.system.extras import needs_extra
from oddville_env.core.system.processes import variable
from oddville_env.envs.rewards import make_reward
from oddville_training.dataset.decisions import Decisions, Recorded, replayed

ROWS = 8192  # decisions of a part of a Parquet file
EPISODES = 100  # that are handed to Minari at once
EPISODE_BYTES = 1 << 16  # of a file, beside an episode's arrays
MINARI_FOLDER = "MINARI_DATASETS_PATH"  # the variable that names the folder of all data sets


class Writer(ABC):
    """A writer of a data set: `with` it, add game after game, then finish. Memory holds a few games at a time."""

    needs: tuple[str, ...] = ()
    """Modules of the extra `data`."""

    def __init__(self, out: Path, game_type: GameType, **env_settings: Any) -> None:
        """env_settings: keywords of the game's environments: encoding, reward, and settings that are data."""
        self.out, self.game_type, self.env_settings = out, game_type, env_settings

    @staticmethod  # noqa: B027  (most data sets may have any name)
    def check_name(out: Path) -> None:
        """Raises SettingError where a data set cannot have this name."""

    def __enter__(self) -> Self:
        self._open = ExitStack()
        self._scratch = self._open.enter_context(folder_of_parts(self.out))
        return self

    def __exit__(self, *_: object) -> None:
        self._open.close()

    @abstractmethod
    def add(self, game: Recorded) -> None:
        """Take a game."""

    @abstractmethod
    def finish(self) -> None:
        """All games were added, one at least: give the data set its name."""


class Npz(Writer):
    """`numpy.load` reads it: an array for each column."""

    def __enter__(self) -> Self:
        super().__enter__()
        self._columns: dict[str, IO[bytes]] = {
            name: self._open.enter_context((self._scratch / name).open("w+b")) for name in Decisions._fields
        }
        self._rows = 0
        return self

    def add(self, game: Recorded) -> None:
        """Append to every column."""
        self._last = game.decisions
        self._rows += len(game.decisions.action)
        for name, file in self._columns.items():
            file.write(getattr(game.decisions, name).tobytes())

    def finish(self) -> None:
        """Pack the columns, which need not fit into memory."""
        columns: dict[str, Any] = {}
        for name, file in self._columns.items():
            like = getattr(self._last, name)
            file.flush()
            shape = (self._rows, *like.shape[1:])
            columns[name] = np.memmap(file, like.dtype, "r", shape=shape) if self._rows else like
        with atomic_write(self.out, "wb", streams=True) as packed:
            np.savez_compressed(packed, **columns)


class Parquet(Writer):
    """A row for each decision; observations and masks are arrays of a fixed size."""

    needs = ("polars",)

    def __enter__(self) -> Self:
        super().__enter__()
        import polars

        self._polars = polars
        self._waiting: list[Decisions] = []
        self._parts: list[Path] = []
        return self

    def add(self, game: Recorded) -> None:
        """Keep it until there is enough for a part."""
        self._waiting.append(game.decisions)
        if sum(len(each.action) for each in self._waiting) >= ROWS:
            self._write_part()

    def finish(self) -> None:
        """Join the parts."""
        if self._waiting:
            self._write_part()
        with atomic_write(self.out, "wb", streams=True) as file, self._os_errors():
            self._polars.scan_parquet(self._parts).sink_parquet(file)

    def _write_part(self) -> None:
        columns = {name: np.concatenate([getattr(each, name) for each in self._waiting]) for name in Decisions._fields}
        self._parts.append(self._scratch / f"{len(self._parts):06}.parquet")
        with self._os_errors():
            self._polars.DataFrame(columns).write_parquet(self._parts[-1])
        self._waiting.clear()

    @contextmanager
    def _os_errors(self) -> Iterator[None]:
        """Raises OSError where polars cannot write, instead of its own error."""
        try:
            yield
        except self._polars.exceptions.PolarsError as error:
            found = re.search(r"os error (\d+)", str(error))
            number = int(found[1]) if found else errno.EIO
            raise OSError(number, os.strerror(number), str(self.out)) from None


class Minari(Writer):
    """A folder for MINARI_DATASETS_PATH with one data set: an episode is one seat's decisions in a game."""

    needs = ("minari", "h5py")

    @staticmethod
    def check_name(out: Path) -> None:
        """Raises SettingError where a data set cannot have this name."""
        from minari.dataset.minari_dataset import parse_dataset_id

        try:
            parse_dataset_id(f"{out.stem}-v0")
        except ValueError:
            allowed = "expected letters, digits, - and _ before .minari"
            raise SettingError(f"--out {shown(out.name)} cannot name a Minari data set: {allowed}") from None

    def __enter__(self) -> Self:
        remove_unfinished(self.out.parent, self.out.name)
        if self.out.exists():
            raise SettingError(f"{self.out} exists already, expected the name of a new folder")
        super().__enter__()
        from minari.data_collector import EpisodeBuffer

        self._episode = EpisodeBuffer
        self._waiting: list[Any] = []
        self._played: dict[str, Any] = {}
        self._episodes = 0
        self._storage: Any = None
        return self

    def add(self, game: Recorded) -> None:
        """Keep an episode for each seat that moved until there are enough to be written."""
        self._played = game.settings
        for seat in np.unique(game.decisions.seat).tolist():
            mine = Decisions(*(column[game.decisions.seat == seat] for column in game.decisions))
            nothing = np.zeros_like(mine.last)
            self._waiting.append(
                self._episode(
                    id=self._episodes,
                    observations=np.concatenate([mine.observation, game.final_observations[seat : seat + 1]]),
                    actions=mine.action.astype(np.int64),
                    rewards=mine.reward,
                    terminations=nothing if game.truncated else mine.last,
                    truncations=mine.last if game.truncated else nothing,
                    infos={"action_mask": np.concatenate([mine.action_mask, np.zeros_like(mine.action_mask[:1])])},
                )
            )
            self._episodes += 1
        if len(self._waiting) >= EPISODES:
            self._write_part()

    def finish(self) -> None:
        """Write the last episodes, then rename the folder."""
        if self._waiting:
            self._write_part()
        (self._scratch / "data").rename(self.out)

    def _write_part(self) -> None:
        _reserve(self._scratch / "reserved", sum(map(_size_of, self._waiting)))
        with _minari_folder(self._scratch.resolve() / "data"):
            if self._storage:
                self._storage.update_episodes(self._waiting)
            else:
                self._storage = self._begun().storage
        self._waiting.clear()

    def _begun(self) -> Any:
        """Minari's data set, with the first episodes."""
        import minari
        from gymnasium.spaces import Box, Discrete

        some = self._waiting[0]
        low, high = (0, 255) if some.observations.dtype == np.uint8 else (-np.inf, np.inf)
        name = self.game_type.name
        return minari.create_dataset_from_buffers(
            f"{name}/{self.out.stem}-v0",
            self._waiting,
            env=self._env_spec(),
            observation_space=Box(low, high, some.observations.shape[1:], some.observations.dtype),
            action_space=Discrete(some.infos["action_mask"].shape[1]),
            algorithm_name="records",
            author="oddville-env",
            description=f"recorded games of {name}, observations: {self.env_settings['encoding']}",
        )

    def _env_spec(self) -> Any:
        """The environment of the first game, for `recover_environment`; None where Gymnasium knows none."""
        from gymnasium import registry

        spec = registry.get(f"{self.game_type.title.replace(' ', '')}-v0")
        return spec and replace(spec, kwargs={**self._played, **self.env_settings})


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


@contextmanager
def _minari_folder(path: Path) -> Iterator[None]:
    """Let Minari write below this folder, without warnings about an author's address that records do not hold."""
    with variable(MINARI_FOLDER, str(path)), catch_warnings(action="ignore"):
        yield


WRITERS: dict[str, type[Writer]] = {".npz": Npz, ".parquet": Parquet, ".minari": Minari}
"""By the end of the file's name."""


def check_name(out: Path) -> None:
    """Raises SettingError where a data set cannot have this name, or its writer is not installed."""
    if out.suffix not in WRITERS:
        raise SettingError(f"--out must end in {', '.join(WRITERS)}, not {shown(out.name)}")
    with needs_extra(f"{out.suffix} needs", "data"):
        for needed in WRITERS[out.suffix].needs:
            import_module(needed)
    WRITERS[out.suffix].check_name(out)


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
    games = decisions = 0
    given = {name: str(value) if isinstance(value, Path) else value for name, value in data.items()}
    with WRITERS[out.suffix](out, game_type, encoding=encoding, reward=reward, **given) as writer:
        for games, game in enumerate(replayed(file, lines, game_type, encoding, make_reward(reward), data), 1):
            writer.add(game)
            decisions += len(game.decisions.action)
            watch(games)
        if not games:
            raise RecordError(f"{file}: there is no record in it")
        writer.finish()
    return games, decisions
