"""File formats, one file each: how they are read and written, and what is refused."""
