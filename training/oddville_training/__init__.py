"""Training and evaluation of agents: `train.train`, `evaluate.evaluate`."""
