"""Training and evaluation of agents: `train.train` and `evaluate.evaluate`."""
