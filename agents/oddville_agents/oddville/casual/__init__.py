"""`casual`: errs as people do, by greedy's values."""
