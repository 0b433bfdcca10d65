"""What to ask next: how many comparisons each way to choose them needs."""
