"""Networks and weights as files, and networks as ONNX graphs: what the agents of all games share."""
