"""What is measured, and beside whom. Nothing here is imported by the package."""
