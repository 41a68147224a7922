"""How natural poses are: training of the network that ships, and the tables of docs/natural.md."""
