"""Checks of what people ask for, the same for every game."""

from numbers import Integral

from oddville_env.core.errors import SettingError, shown


def whole_number(name: str, value: object, low: int, high: int | None = None) -> int:
    """The value of a setting that is a whole number in low..high; raises SettingError."""
    expected = f"a whole number from {low} to {high}" if high is not None else f"a whole number of at least {low}"
    if not isinstance(value, Integral) or isinstance(value, bool):
        raise SettingError(f"{name} must be {expected}, not {shown(value)}")
    number = int(value)
    if number < low or (high is not None and number > high):
        raise SettingError(f"{name} must be {expected}, not {shown(value)}")
    return number
