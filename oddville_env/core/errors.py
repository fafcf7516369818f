"""The errors that people meet: each says in a sentence what was wrong and what was expected."""


class OddVilleError(ValueError):
    """Whatever goes wrong with a game's moves, records and settings."""


class SettingError(OddVilleError):
    """A setting that no game can have: players, table, rounds, seed, a hidden order."""


class NotationError(OddVilleError):
    """A word that cannot be read."""


class IllegalMoveError(OddVilleError):
    """A move that can be read but not played now."""


class RecordError(OddVilleError):
    """A record that is not one, or that does not replay."""
