"""Claims about formats, each measured against an independent judge."""
