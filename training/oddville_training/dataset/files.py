"""Data sets as files: Parquet, npz, and Minari's folders. Games are written as they come, and no file is half there."""

import zipfile
from abc import ABC, abstractmethod
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from shutil import copyfileobj
from typing import IO, Any, Self
from warnings import catch_warnings

import numpy as np

from oddville_env.core.disk.files import folder_of_parts, remove_unfinished, written_whole
from oddville_env.core.errors import SettingError
from oddville_env.core.system.processes import variable
from oddville_training.dataset.decisions import Decisions, Recorded

ROWS = 8192  # decisions of a part of a Parquet file
EPISODES = 100  # that are handed to Minari at once
MINARI_FOLDER = "MINARI_DATASETS_PATH"  # the variable that names the folder of all data sets


class Writer(ABC):
    """A writer of a data set: `with` it, add game after game, then finish. Memory holds a few games at a time."""

    needs: tuple[str, ...] = ()
    """Modules of the extra `data`."""

    def __init__(self, out: Path, game: str, encoding: str) -> None:
        self.out, self.game, self.encoding = out, game, encoding

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
        """All games are there, one at least: the data set takes its name."""


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
        """Pack the columns, each behind a header that says how many rows there are."""
        with written_whole(self.out, "wb") as file, zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as packed:
            for name, column in self._columns.items():
                like = getattr(self._last, name)
                header = {"descr": like.dtype.str, "fortran_order": False, "shape": (self._rows, *like.shape[1:])}
                with packed.open(f"{name}.npy", "w", force_zip64=True) as entry:
                    np.lib.format.write_array_header_1_0(entry, header)
                    column.seek(0)
                    copyfileobj(column, entry)


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
        with written_whole(self.out, "wb") as file:
            self._polars.scan_parquet(self._parts).sink_parquet(file)

    def _write_part(self) -> None:
        columns = {name: np.concatenate([getattr(each, name) for each in self._waiting]) for name in Decisions._fields}
        self._parts.append(self._scratch / f"{len(self._parts):06}.parquet")
        self._polars.DataFrame(columns).write_parquet(self._parts[-1])
        self._waiting.clear()


class Minari(Writer):
    """A folder for MINARI_DATASETS_PATH with one data set: an episode is a seat's way through a game."""

    needs = ("minari", "h5py")

    def __enter__(self) -> Self:
        remove_unfinished(self.out)
        if self.out.exists():
            raise SettingError(f"{self.out} is there already, expected the name of a new folder")
        super().__enter__()
        from minari.data_collector import EpisodeBuffer

        self._episode = EpisodeBuffer
        self._waiting: list[Any] = []
        self._episodes = 0
        self._storage: Any = None
        return self

    def add(self, game: Recorded) -> None:
        """Keep an episode for each seat that decided something until there are enough to be written."""
        for seat in np.unique(game.decisions.seat).tolist():
            mine = Decisions(*(column[game.decisions.seat == seat] for column in game.decisions))
            nothing = np.zeros_like(mine.last)
            self._waiting.append(
                self._episode(
                    id=self._episodes,
                    observations=np.concatenate([mine.observation, game.at_the_end[seat : seat + 1]]),
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
        return minari.create_dataset_from_buffers(
            f"{self.game}/{self.out.stem}-v0",
            self._waiting,
            observation_space=Box(low, high, some.observations.shape[1:], some.observations.dtype),
            action_space=Discrete(some.infos["action_mask"].shape[1]),
            algorithm_name="records",
            author="oddville-env",
            description=f"recorded games of {self.game}, observations: {self.encoding}",
        )


@contextmanager
def _minari_folder(path: Path) -> Iterator[None]:
    """Minari writes below this folder, and does not ask for what records do not say: who made them, by which code."""
    with variable(MINARI_FOLDER, str(path)), catch_warnings(action="ignore"):
        yield


WRITERS: dict[str, type[Writer]] = {".npz": Npz, ".parquet": Parquet, ".minari": Minari}
"""By the end of the file's name."""
