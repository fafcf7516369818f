"""The policy network of OddVille and its ONNX graph."""
