"""A real browser for tests: the system's Chromium."""

import shutil

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
MISSING = "no Chromium was found on this system: `apt-get install chromium` gives one to these tests"
OWN_PAGES = ("WebUIOmniboxPopup", "WebUIOmniboxFullPopup", "WebUIOmniboxAimPopup", "SpareRendererForSitePerProcess")
"""Unneeded in tests: internal pages of the browser, and processes kept in reserve.

A visit costs 1.0 CPU seconds with them, 0.7 without.
"""
UNSTEADY = (
    "AvoidUnnecessaryBeforeUnloadCheckSync",
    "DestroyProfileOnBrowserClose",
    "HttpsUpgrades",
    "HttpsFirstBalancedModeAutoEnable",
    "LensOverlay",
    "MediaRouter",
    "NetworkTimeServiceQuerying",
    "OptimizationHints",
    "PaintHolding",
    "PreconnectToSearch",
    "ThirdPartyStoragePartitioning",
)
"""What playwright switches off; of two such lists the browser reads the last one."""
ARGUMENTS = ("--no-sandbox", f"--disable-features={','.join((*OWN_PAGES, *UNSTEADY))}")


def found() -> str | None:
    """The browser's path, if the system has one."""
    return next(filter(None, map(shutil.which, NAMES)), None)
