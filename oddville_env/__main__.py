"""`python -m oddville_env` is the program `oddville`."""

from oddville_env.cli import main

main()
