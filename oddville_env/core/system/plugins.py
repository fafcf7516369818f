"""Entry points of installed packages."""

from contextlib import suppress
from importlib.metadata import Distribution, EntryPoint, distributions
from warnings import warn


def entry_points(group: str) -> list[EntryPoint]:
    """Return the entry points of a group, one for each name; the first package on the path counts.

    `importlib.metadata.entry_points` raises an error if the entry_points.txt of any installed package is damaged. Here
    such a package is left out with a warning.
    """
    found: dict[str, EntryPoint] = {}
    for package in distributions():
        try:
            points = package.entry_points.select(group=group)
        except Exception as error:  # TypeError, ValueError and others: the parser has no error of its own
            warn(f"entry_points.txt of the package {_name(package)} cannot be read ({error})", stacklevel=2)
            continue
        for point in points:
            found.setdefault(point.name, point)
    return list(found.values())


def _name(package: Distribution) -> str:
    with suppress(Exception):
        return str(package.metadata["Name"])
    return "of an unknown name"
