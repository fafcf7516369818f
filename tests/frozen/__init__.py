"""What version 1.0.0 stores and publishes. Later versions number, deal, play and write the same, byte for byte."""
