"""Functions and sums that several kernels need."""
