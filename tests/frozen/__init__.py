"""What 0.1.0 stored and published, and the tests that hold later versions to it."""
