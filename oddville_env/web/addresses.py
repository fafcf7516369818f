"""The addresses of a page: those of the machine in its network, and QR codes for phones."""

import ipaddress
import socket
from contextlib import suppress
from io import BytesIO, StringIO

import segno

NOWHERE = {"192.0.2.1": socket.AF_INET, "2001:db8::1": socket.AF_INET6}
"""Addresses for documentation [RFC 5737, RFC 3849]: choosing the own address that leads there sends nothing."""


def is_loopback(host: str) -> bool:
    """Whether only programs on this computer reach the host."""
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def hosts(host: str) -> list[str]:
    """The names that open a server on this host: the host itself, or for `0.0.0.0` and `::` the machine's addresses."""
    with suppress(ValueError):
        address = ipaddress.ip_address(host)
        if address.is_unspecified:
            own = [each for each in _own() if address.version > 4 or ":" not in each]  # `::` hears both kinds
            return own or ["::1" if address.version > 4 else "127.0.0.1"]
    return [host]


def _own() -> list[str]:
    """This machine's addresses in its network, the one of its default route first."""
    found: list[str] = []
    for nowhere, family in NOWHERE.items():
        with suppress(OSError), socket.socket(family, socket.SOCK_DGRAM) as asking:
            asking.connect((nowhere, 9))
            found.append(asking.getsockname()[0])
    with suppress(OSError):
        found += [str(each[4][0]) for each in socket.getaddrinfo(socket.gethostname(), None)]
    addresses = [ipaddress.ip_address(each.split("%")[0]) for each in found]
    return list(dict.fromkeys(str(each) for each in addresses if not (each.is_loopback or each.is_link_local)))


def url(host: str, port: int, path: str) -> str:
    """The address of a page."""
    return f"http://[{host}]:{port}/{path}" if ":" in host else f"http://{host}:{port}/{path}"


def qr_lines(text: str) -> str:
    """A QR code for a terminal."""
    out = StringIO()
    segno.make(text, micro=False).terminal(out, compact=True, border=2)
    return out.getvalue()


def qr_svg(text: str) -> bytes:
    """A QR code as a picture."""
    out = BytesIO()
    segno.make(text, micro=False).save(out, kind="svg", scale=4, border=3, light="#fff")
    return out.getvalue()
