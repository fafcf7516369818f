"""The learned value: the formula of `greedy` and a network that corrects it."""
