"""How the parts that are installed on demand are named in messages."""

TORCH = "torch==2.13.0"
"""The CPU build: the newest one on the registry draws gigabytes of CUDA."""


def how_to_install(extra: str) -> str:
    """What to type for an extra of the package: `pip install 'oddville-env[render]'`."""
    first = f"pip install {TORCH} (the CPU build) first, then " if extra == "train" else ""
    return f"{first}pip install 'oddville-env[{extra}]'"
