"""Files of value networks and weights, and ONNX graphs, shared by the agents of all games."""
