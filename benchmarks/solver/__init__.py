"""The solver beside its peers: problem sets, an independent judge, a table."""
