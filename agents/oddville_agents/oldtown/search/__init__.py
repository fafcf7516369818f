"""`search`: Monte Carlo tree search over what each seat can see."""
