"""Statistics of the results of many games: shares, ratings, and their intervals."""
