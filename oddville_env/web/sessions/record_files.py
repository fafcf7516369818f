"""The records of `oddville view`: a file of lines, listed without being replayed."""

from pathlib import Path
from typing import Any

from oddville_env.core.disk.reading import all_lines, parse_json
from oddville_env.core.errors import RecordError, shown_path

MOST_LISTED = 1000


class RecordFile:
    """A file of records, one a line; None: no file. Raises RecordError and OSError."""

    def __init__(self, path: Path | None) -> None:
        self._path = path
        self._lines: list[tuple[int, str]] = []
        if path is not None:
            self._lines = all_lines(path, RecordError)
            if not self._lines:
                raise RecordError(f"{shown_path(path)}: it holds no record")

    def __len__(self) -> int:
        return len(self._lines)

    def line(self, record: int) -> str:
        """The text of a record by its number, from 0; raises RecordError."""
        if not 0 <= record < len(self._lines):
            raise RecordError(f"there is no record {record}, expected 0 to {len(self._lines) - 1}")
        return self._lines[record][1]

    def listed(self, game: str) -> list[dict[str, Any]]:
        """A summary of each of the first MOST_LISTED records."""
        return [self._about(record, game) for record in range(min(len(self._lines), MOST_LISTED))]

    def _about(self, record: int, game: str) -> dict[str, Any]:
        number, line = self._lines[record]
        try:
            found = parse_json(line)
        except ValueError:
            found = None
        plain = found if isinstance(found, dict) else {}
        moves = plain.get("moves")
        return {
            "record": record,
            "game": game,
            "file": self._path.name if self._path else "",
            "line": number,
            "players": plain.get("players"),
            "moves": len(moves) if isinstance(moves, list) else 0,
            "scores": plain.get("scores"),
            "agents": plain.get("agents"),
        }
