"""`python -m oddville_training.oddville.forecast`, as it was called up to version 0.1.0: `oddville/forecast.py`."""

from oddville_training.oddville.forecast import command
from oddville_training.program import run

if __name__ == "__main__":
    run(command)
