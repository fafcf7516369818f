"""The names of `oddville/tune.py` and `oddville/forecast.py` in version 0.1.0."""
