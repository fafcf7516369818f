"""What tests share: games, agents, programs and servers to test with."""
