"""What every reader and writer needs: sizes checked before memory is taken, text decoded, whole files or none written."""

from posable.files.reading import MAX_FILE_BYTES, check_count, read_bytes, read_text, sibling
from posable.files.writing import atomic_path, write_atomically

__all__ = ["MAX_FILE_BYTES", "atomic_path", "check_count", "read_bytes", "read_text", "sibling", "write_atomically"]
