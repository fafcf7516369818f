"""What browsers say and are told over a WebSocket."""
