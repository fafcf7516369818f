"""Where a page is to be opened."""

import ipaddress

import pytest

pytest.importorskip("segno", reason="the page's tests need the extra web")

from oddville_env.web import addresses
from support.page.live import Live


def test_every_interface_is_told_as_addresses_that_can_be_opened(monkeypatch: pytest.MonkeyPatch) -> None:
    for host in ("0.0.0.0", "::"):
        for name in addresses.hosts(host):
            assert not ipaddress.ip_address(name).is_unspecified
    monkeypatch.setattr(addresses, "_own", lambda: ["192.168.1.7", "fd00::7"])
    assert addresses.hosts("0.0.0.0") == ["192.168.1.7"]
    assert addresses.hosts("::") == ["192.168.1.7", "fd00::7"]
    assert addresses.hosts("game.local") == ["game.local"]
    assert addresses.url("fd00::7", 8000, "token/") == "http://[fd00::7]:8000/token/"


def test_a_machine_without_a_network_is_told_by_loopback(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(addresses, "_own", list)
    assert addresses.hosts("0.0.0.0") == ["127.0.0.1"]


def test_an_address_is_drawn_for_a_phone(live: Live) -> None:
    assert addresses.qr_lines("http://192.168.1.7:8000/").count("\n") > 10
    answer = live.get("api/qr.svg", text="http://192.168.1.7:8000/#game=a&key=b")
    assert answer.headers["content-type"] == "image/svg+xml"
    assert answer.text.lstrip().startswith("<?xml")
    for text in ("", "x" * 401):
        assert live.get("api/qr.svg", text=text).status_code == 400
