"""Judges who differ, features and categories: predictions, words, coverage and time."""
