"""One script for each peer. It runs in the peer's own environment and imports nothing of posable."""
