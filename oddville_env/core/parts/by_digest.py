"""Values that are known by their digest."""


class ByDigest:
    """Cards of a game: equal when their digests are, whatever they are called."""

    __slots__ = ()
    name: str
    digest: str

    def __eq__(self, other: object) -> bool:
        """The same cards, by digest."""
        return self.digest == other.digest if isinstance(other, type(self)) else NotImplemented

    def __hash__(self) -> int:
        """By digest, as equality is."""
        return hash(self.digest)

    def __repr__(self) -> str:
        """The name and how the digest begins: `<CardSet base 1234567890ab>`."""
        return f"<{type(self).__name__} {self.name} {self.digest[:12]}>"
