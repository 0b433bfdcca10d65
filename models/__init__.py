"""Studies of the papers' models, with one folder per paper; not installed."""
