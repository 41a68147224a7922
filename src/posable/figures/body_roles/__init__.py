"""Which joint is which part of the body: found by names, by parentage and by shape."""
