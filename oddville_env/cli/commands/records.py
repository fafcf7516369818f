"""`verify`, `replay`, `draw` and `film`: recorded games, as pictures, animations or a page to step through."""

import base64
import gzip
import io
import json
from collections.abc import Iterator, Sequence
from itertools import chain
from math import ceil
from pathlib import Path
from string import Template
from tempfile import TemporaryDirectory
from typing import Annotated, Any

import typer

from oddville_env.cli import options
from oddville_env.cli.options import NONE, File, Index, Settings, option, out_option
from oddville_env.cli.output import is_standard_output, shown_progress, write_json, write_out
from oddville_env.core.disk.files import atomic_write, write_whole
from oddville_env.core.disk.reading import numbered_lines
from oddville_env.core.errors import RecordError, SettingError, located, shown
from oddville_env.core.game.game_type import GameType
from oddville_env.core.parts.played_game import replayed
from oddville_env.core.system.extras import needs_extra

PICTURES = (".svg", ".png")


def game_of(game_type: GameType, file: Path, index: int, data: Settings) -> Any:
    """Return game number `index` of a file. Raises RecordError."""
    found = -1
    for found, (number, line) in enumerate(numbered_lines(file, RecordError)):
        if found == index:
            with located(f"{file}, line {number}", RecordError):
                return game_type.game.from_record(line, **data)
    if found < 0:
        raise RecordError(f"{file}: there is no record in it")
    raise RecordError(f"{file}: there is no game {shown(index)}, expected 0 to {found}")


def check_picture(out: Path) -> None:
    """Raises SettingError for a file name that is not one of a picture."""
    if out.suffix not in PICTURES and not is_standard_output(out):
        raise SettingError(f"--out must end in {' or '.join(PICTURES)}, not {shown(out.name)}")


def write_picture(out: Path, svg: str) -> None:
    """Write an SVG in the format of the file name."""
    picture = svg.encode()
    if out.suffix == ".png":
        from oddville_env.envs.render import WIDTH, png

        picture = png(svg, WIDTH)
    write_out(out, picture)
    typer.echo(f"drawn to {out}", err=is_standard_output(out))


MOST_BAD = 10_000  # lines reported


def verify(game_type: GameType, file: options.File, json_out: options.JsonOut = None, data: Settings = NONE) -> None:
    """Replay records and report every difference in moves, scores or ranks."""
    good, bad = 0, []
    lines = numbered_lines(file, RecordError)
    first = next(lines, None)
    if first is None:
        raise RecordError(f"{file}: there is no record in it")
    for number, line in shown_progress(chain([first], lines), "replaying"):
        try:
            game_type.game.from_record(line, **data)
            good += 1
        except RecordError as error:
            bad.append({"line": number, "error": str(error)})
            typer.echo(f"{file}, line {number}: {error}", err=True)
            if len(bad) == MOST_BAD:
                typer.echo(f"{file}: after {MOST_BAD:,} such lines the rest is skipped", err=True)
                break
    sentence = f"{file}: {good} of {good + len(bad)} records replay to the same end"
    typer.echo(sentence, err=is_standard_output(json_out))
    write_json(json_out, {"file": str(file), "records": good + len(bad), "good": good, "bad": bad})
    if bad:
        raise typer.Exit(1)


def replay(
    game_type: GameType,
    file: options.File,
    index: options.Index = 0,
    positions: Annotated[bool, option("Print each decision as JSON: position, legal moves, move.")] = False,
    data: Settings = NONE,
) -> None:
    """Print the moves of a recorded game."""
    game = game_of(game_type, file, index, data)
    for number, word in enumerate(replayed(game), 1):
        if positions:
            legal = game.legal_moves.words()
            typer.echo(json.dumps({"position": game.position(), "legal": legal, "move": word}))
        else:
            typer.echo(f"{number:4}  seat {game.to_move}  {word}")
    if not positions and game.outcome:
        typer.echo(f"scores {list(game.outcome.scores)}, ranks {list(game.outcome.ranks)}")


def draw(
    game_type: GameType,
    file: options.File,
    out: Annotated[Path, out_option("File to write: .svg, or .png with the extra `render`; - prints SVG.")],
    index: options.Index = 0,
    move: Annotated[int | None, option("Position after this many moves.", default="the last one")] = None,
    data: Settings = NONE,
) -> None:
    """Draw a position of a recorded game."""
    check_picture(out)
    game = game_of(game_type, file, index, data)
    if move is not None:
        played = len(game.moves)
        if not 0 <= move <= played:
            raise RecordError(f"the game has {played} moves, --move must be from 0 to that, not {shown(move)}")
        game.take_back(move)
    write_picture(out, game.svg())


KINDS = (".gif", ".mp4", ".html")
WIDTH = 900  # pixels
EVEN = 16  # sizes of an mp4 are multiples of it
LEAST_DELAY, LONGEST_DELAY = 0.02, 60.0  # seconds
COLOURS = 255  # of a gif; one of 256 is left for transparent pixels
LAST_SHOWN = 4  # times as long as the others
PAGE = Path(__file__).with_name("film.html")


def film(
    game_type: GameType,
    file: File,
    out: Annotated[Path, out_option("File to write: .gif, .mp4, or .html to step through.")],
    index: Index = 0,
    delay: Annotated[float, option("Seconds between moves.")] = 0.5,
    data: Settings = NONE,
) -> None:
    """Make an animation of a recorded game (extra `render`, except .html)."""
    if out.suffix not in KINDS:
        raise SettingError(f"--out must end in {', '.join(KINDS)}, not {shown(out.name)}")
    if not LEAST_DELAY <= delay <= LONGEST_DELAY:
        raise SettingError(f"delay must be from {LEAST_DELAY} to {LONGEST_DELAY:g} seconds, not {shown(delay)}")
    _check_installed(out.suffix)
    write = {".gif": _write_gif, ".mp4": _write_mp4, ".html": _write_page}[out.suffix]
    game = game_of(game_type, file, index, data)
    words = ["the deal", *(f"{number}. {move.word}" for number, move in enumerate(game.moves, 1))]
    last = game.position()  # whose size all pictures have
    drawn = (game_type.draw(game.position(), game.box, last, fixed=True) for _ in chain(replayed(game), ["the end"]))
    pictures = list(shown_progress(drawn, "drawing", len(words)))
    write(out, game_type.title, pictures, words, delay)
    typer.echo(f"{len(words)} pictures filmed to {out}")


def _check_installed(kind: str) -> None:
    """Raises SettingError where a package is missing that this kind of file needs."""
    if kind == ".html":
        return
    with needs_extra(f"a {kind} needs", "render"):
        import PIL  # noqa: F401
        import resvg_py  # noqa: F401
    try:
        if kind == ".mp4":
            import imageio_ffmpeg  # noqa: F401
    except ImportError:
        raise SettingError("an mp4 needs an encoder: pip install imageio-ffmpeg, or name a .gif or .html") from None


def _write_page(out: Path, title: str, pictures: Sequence[str], words: Sequence[str], delay: float) -> None:
    steps = json.dumps([{"word": word, "svg": svg} for word, svg in zip(words, pictures, strict=True)])
    packed = base64.b64encode(gzip.compress(steps.encode(), mtime=0)).decode()
    page = Template(PAGE.read_text(encoding="utf-8")).substitute(title=title, steps=packed, delay=round(1000 * delay))
    write_whole(out, page, streams=True)


def _write_gif(out: Path, title: str, pictures: Sequence[str], words: Sequence[str], delay: float) -> None:
    # One palette without dithering: pixels that stay the same are left out, and the file is a fifth as large.
    drawn = list(_frames(pictures))
    palette = drawn[-1].quantize(COLOURS)
    frames = [frame.quantize(palette=palette, dither=0) for frame in drawn]
    durations = [*[1000 * delay] * (len(frames) - 1), 1000 * delay * LAST_SHOWN]
    more = {"append_images": frames[1:], "duration": durations, "loop": 0}
    with atomic_write(out, "wb", streams=True) as unfinished:
        frames[0].save(unfinished, "GIF", save_all=True, optimize=True, **more)


def _write_mp4(out: Path, title: str, pictures: Sequence[str], words: Sequence[str], delay: float) -> None:
    from imageio_ffmpeg import write_frames

    frames = _frames([*pictures, *[pictures[-1]] * (LAST_SHOWN - 1)], EVEN)
    first = next(frames)
    with TemporaryDirectory() as folder:
        unfinished = Path(folder) / out.name
        movie = write_frames(str(unfinished), first.size, fps=1 / delay, macro_block_size=EVEN)
        movie.send(None)
        for frame in chain([first], frames):
            movie.send(frame.tobytes())
        movie.close()
        write_whole(out, unfinished.read_bytes(), streams=True)


def _frames(pictures: Sequence[str], multiple: int = 1) -> Iterator[Any]:
    """The pictures as Pillow images whose sides are multiples of a number."""
    from PIL import Image

    from oddville_env.envs.render import png

    for picture in shown_progress(pictures, "filming"):
        drawn = Image.open(io.BytesIO(png(picture, WIDTH))).convert("RGB")
        paper = Image.new("RGB", [ceil(side / multiple) * multiple for side in drawn.size], drawn.getpixel((0, 0)))
        paper.paste(drawn)
        yield paper
