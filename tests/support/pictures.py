"""What is written in a picture."""

from xml.etree import ElementTree

SVG = "{http://www.w3.org/2000/svg}"


def texts(svg: str) -> list[str]:
    return ["".join(node.itertext()) for node in ElementTree.fromstring(svg).iter(f"{SVG}text")]


def words(svg: str) -> str:
    """The same as one text."""
    return " ".join(texts(svg))


def titles(svg: str) -> list[str]:
    """What the pointer can learn."""
    return [str(node.text) for node in ElementTree.fromstring(svg).iter(f"{SVG}title")]
