"""Where `oddville/tune.py` and `oddville/forecast.py` were up to version 0.1.0."""
