"""The colours of the buildings, in the order of the deck, beside those that belong to no game."""

from oddville_env.core.svg.palette import INK, WHITE, Shades

DUST = "#EFE3CB"
LOT = "#F8F0DF"
LOT_RIM = "#D8C6A3"
TIMBER = "#8A6A48"
BACK = "#7B5A3C"

BUILDING_COLOURS = (
    Shades("#F3DCC8", "#A4562A", WHITE),
    Shades("#DAD6E2", "#4C4561", WHITE),
    Shades("#E9D9C4", "#7C5A37", WHITE),
    Shades("#F6D5CF", "#C23B2A", WHITE),
    Shades("#FAECC0", "#E0AA12", INK),
    Shades("#CDE8E2", "#24897A", WHITE),
    Shades("#DCEBF8", "#5C9CD6", WHITE),
    Shades("#E3E6F4", "#7286C4", WHITE),
    Shades("#E4E2DE", "#77726A", WHITE),
    Shades("#F0D3DE", "#94284F", WHITE),
    Shades("#D0E8D8", "#1E7A48", WHITE),
    Shades("#F9D9DC", "#E0586A", WHITE),
    Shades("#D6DAEE", "#37488C", WHITE),
    Shades("#DDE2E6", "#8496A6", WHITE),
    Shades("#E4EBCB", "#7E9A2E", WHITE),
    Shades("#FBE0C4", "#E57E1F", WHITE),
    Shades("#D3D9DE", "#2F4152", WHITE),
    Shades("#F3D9EC", "#C2529F", WHITE),
)
