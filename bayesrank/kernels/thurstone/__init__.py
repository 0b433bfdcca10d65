"""Thurstone's model of rankings: the kernel, its integrals and the distributions of noise."""
