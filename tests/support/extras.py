"""Hooks for a conftest.py: a test that needs an extra that is not installed is skipped, with the extra's name."""

from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

from oddville_env.core.system.extras import PACKAGES

EXTRAS = PACKAGES | {"test": ("fastjsonschema", "onnxruntime", "playwright", "axe_playwright_python")}
MISSING = {name: extra for extra in reversed(EXTRAS) for name in EXTRAS[extra] if find_spec(name) is None}


@contextmanager
def skipped_without_extra() -> Iterator[None]:
    try:
        yield
    except Exception as error:
        cause: BaseException | None = error
        while cause is not None:
            if isinstance(cause, ImportError) and (name := (cause.name or "").partition(".")[0]) in MISSING:
                pytest.skip(f"{name} of the extra {MISSING[name]} is not installed")
            cause = cause.__context__
        raise


class Module(pytest.Module):
    collect = skipped_without_extra()(pytest.Module.collect)


def pytest_pycollect_makemodule(module_path: Path, parent: pytest.Collector) -> Module:
    return Module.from_parent(parent, path=module_path)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_setup() -> Any:
    with skipped_without_extra():
        return (yield)


pytest_runtest_call = pytest_runtest_setup
