"""Signatures and docstrings of the games' environment classes: those of their base, and the game's settings."""

from collections.abc import Callable, Iterator
from dataclasses import fields
from inspect import Parameter, Signature, cleandoc, signature
from typing import Any, TypeVar

Made = TypeVar("Made", bound=type)


def documented(settings: type) -> Callable[[Made], Made]:
    """Returns a decorator that writes out `**given` in a class's signature, and the arguments in its docstring.

    settings: the dataclass of a game's settings. Type checkers read the same from `Unpack[Keywords]`.
    """

    def decorate(made: Made) -> Made:
        cls: Any = made
        *own, _ = signature(cls).parameters.values()
        names = [each.name for each in own]
        rest = [
            Parameter(each.name, Parameter.KEYWORD_ONLY, default=each.default, annotation=each.type)
            for each in fields(settings)
            if each.name not in names
        ]
        cls.__signature__ = Signature([*own, *rest])
        texts = dict([*_arguments(made.__mro__[1]), *_arguments(settings)])
        lines = [f"    {name}: {texts[name]}" for name in cls.__signature__.parameters]
        cls.__doc__ = "\n".join([cleandoc(made.__doc__ or ""), "", "Args:", *lines])
        return made

    return decorate


def _arguments(documented: type) -> Iterator[tuple[str, str]]:
    """The names and texts in the `Args` of a class's docstring."""
    _, _, part = cleandoc(documented.__doc__ or "").partition("Args:\n")
    for line in part.partition("\n\n")[0].replace("\n        ", " ").splitlines():
        name, _, text = line.strip().partition(": ")
        yield name, text
