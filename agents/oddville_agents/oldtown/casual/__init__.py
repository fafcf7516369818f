"""`casual`: errs as people do, by the heuristic's values."""
