"""Studies of the papers' models, a file each; not installed."""
