"""The messages of browsers and server over a WebSocket."""
