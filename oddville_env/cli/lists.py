"""Lists on the command line: `a,b` or `a b`, in every command and option."""

from collections.abc import Iterable, Sequence
from itertools import pairwise

import typer
from typer.core import TyperCommand

from oddville_env.core.errors import SettingError, shown

LONGEST_COMPLAINT = 200  # characters


class ListCommand(TyperCommand):
    """A command whose list options take all words up to the next option, and whose pairs accept a comma."""

    def parse_args(self, ctx, args):  # type: ignore[no-untyped-def]
        """`--against a b` becomes `--against a --against b`, and `--table 17,9` becomes `--table 17 9`."""
        if ctx.resilient_parsing:  # shell completion of an unfinished line
            return super().parse_args(ctx, args)
        _refuse_blanks(args)
        try:
            return super().parse_args(ctx, self._spread(list(args)))
        except typer.BadParameter as error:
            if len(error.message) > LONGEST_COMPLAINT:
                half = LONGEST_COMPLAINT // 2
                error.message = f"{error.message[:half]}…{error.message[-half:]}"
            raise

    def _spread(self, words: list[str]) -> list[str]:
        lists = {name for param in self.params if getattr(param, "multiple", False) for name in param.opts}
        pairs = {name for param in self.params if param.nargs > 1 for name in param.opts}
        spread: list[str] = []
        while words:
            name, equals, value = words.pop(0).partition("=")
            values = [value] if equals else []
            if name in lists:
                while words and _goes_on(values, words[0]):
                    values.append(words.pop(0))
                if not values:
                    raise typer.BadParameter("it is followed by nothing, expected at least one", param_hint=f"'{name}'")
                spread += [part for each in values for part in (name, each)]
            elif name in pairs and (equals or (words and "," in words[0])):
                spread += [name, *(value if equals else words.pop(0)).split(",")]
            elif name == "--":
                return [*spread, name, *words]
            else:
                spread.append(f"{name}{equals}{value}")
        return spread


def _refuse_blanks(words: Sequence[str]) -> None:
    """Refuse blank values: as a folder, a blank would mean the current one."""
    for before, word in pairwise(["", *words]):
        name, equals, value = word.partition("=") if word.startswith("--") else ("", "=", word)
        if equals and not value.strip():
            name = name or (before if before.startswith("-") else "")
            if not name:
                raise typer.BadParameter("an argument is blank")
            raise typer.BadParameter("it is followed by nothing", param_hint=f"'{name}'")


def _goes_on(values: Sequence[str], word: str) -> bool:
    """Whether a word belongs to the list: not an option, and in a list of numbers a number."""
    return not word.startswith("-") and (not values or not _is_number(values[0]) or _is_number(word))


def _is_number(word: str) -> bool:
    return word.replace(",", "").isdecimal()


def specs_of(words: Iterable[str]) -> list[str]:
    """Split specs: `["greedy,search:ms=50,threads=2", "random"]` -> greedy, search:ms=50,threads=2, random."""
    specs: list[str] = []
    for word in words:
        start = len(specs)
        for part in word.removesuffix(",").split(","):
            if len(specs) > start and "=" in part and ":" not in part:
                specs[-1] += f",{part}"
            else:
                specs.append(part.strip())
    return specs


def numbers_of(name: str, words: Iterable[str], expected: str) -> list[int]:
    """Split whole numbers. Raises SettingError."""
    parts = [part.strip() for word in words for part in word.removesuffix(",").split(",")]
    if not all(part.isdecimal() and len(part) <= len(str(2**63)) for part in parts):
        raise SettingError(f"--{name} must be {expected}, not {shown(', '.join(words))}")
    return [int(part) for part in parts]
