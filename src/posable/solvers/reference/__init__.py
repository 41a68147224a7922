"""The default solver in plain NumPy, to be read: `solve` first, then `descent`, `starts` and `limits`."""
