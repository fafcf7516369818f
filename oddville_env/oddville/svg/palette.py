"""The colours of the game, beside those that belong to no game."""

from oddville_env.core.svg.palette import WHITE, Shades
from oddville_env.oddville.cards import Resource, Suit

SHIELD = "#8A98A8"

SUIT_COLOURS = {
    Suit.MASK: Shades("#EEE4EF", "#84608C", WHITE),
    Suit.ROOSTER: Shades("#F8E3DB", "#BE5A43", WHITE),
    Suit.BELLS: Shades("#FAEFD2", "#C0922E", WHITE),
    Suit.LILY: Shades("#E2EEDD", "#568150", WHITE),
    Suit.DIAMOND: Shades("#DDEBF0", "#41819A", WHITE),
}

SQUARE_COLOURS = Shades("#EFEAE0", "#8C8070", WHITE)

RESOURCE_COLOURS = {
    Resource.WOOD: Shades("#E3C9A4", "#8A5A2B", "#5E3B18"),
    Resource.CLAY: Shades("#E9A488", "#C2583A", "#7F3520"),
    Resource.STONE: Shades("#CDD0D3", "#868C93", "#54595F"),
    Resource.CRYSTAL: Shades("#CDEFF3", "#3FB0C2", "#1F6F7C"),
}
