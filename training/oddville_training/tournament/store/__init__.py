"""The folder of a tournament, written so that nothing is lost at any moment."""
