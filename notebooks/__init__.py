"""Notebooks that teach: each one question, on data that come with the package."""
