"""Records of games as data sets of decisions, for offline learning."""
