"""What the results of many games say, and how surely."""
