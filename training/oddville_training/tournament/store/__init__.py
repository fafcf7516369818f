"""What a tournament keeps: its folder, written so that nothing is lost at any moment."""
