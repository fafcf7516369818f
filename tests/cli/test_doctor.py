"""`doctor`: what is installed, and where compiled code is kept."""

import json
from pathlib import Path

import pytest

from oddville_env import __version__
from oddville_env.cli.commands import doctor
from oddville_env.core.compiled import cache as kernel_cache
from oddville_env.core.system.extras import PACKAGES
from support.program import Run


def test_the_doctor_tells_versions_and_every_extra_as_json(run: Run) -> None:
    said = run("doctor", "--json", "-")
    told = json.loads(said.out)

    assert told["version"] == __version__
    assert told["packages"]["numba"] is not None
    assert told["extras"].keys() == PACKAGES.keys()
    assert told["threads"]["usable_cores"] >= 1


def test_the_doctor_tells_what_an_extra_that_is_missing_is_for(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    real = doctor.version

    def version(package: str) -> str:
        if package == "onnx":
            raise doctor.PackageNotFoundError(package)
        return real(package)

    monkeypatch.setattr(doctor, "version", version)
    said = " ".join(run("doctor").out.split())

    assert "extra onnx missing: onnx. Without it no export of networks: pip install 'oddville-env[onnx]'" in said


def test_the_doctor_counts_what_is_compiled_and_tells_its_folder(
    run: Run, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    folder = tmp_path / "kernels"
    folder.mkdir()
    (folder / "a").write_bytes(b"12345")
    monkeypatch.setattr(kernel_cache, "folders", lambda: [folder])

    told = json.loads(run("doctor", "--json", "-").out)["kernels"]

    assert (told["folder"], told["functions"], told["bytes"]) == (str(folder), 1, 5)


def test_the_doctor_says_that_compiled_code_cannot_be_kept(
    run: Run, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "a file").touch()
    monkeypatch.setattr(kernel_cache, "folders", lambda: [tmp_path / "a file" / "kernels"])

    assert "compiled code cannot be kept" in " ".join(run("doctor").out.split())
