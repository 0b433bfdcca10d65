"""Scores that move: how well they predict, and how long they take, beside peers."""
