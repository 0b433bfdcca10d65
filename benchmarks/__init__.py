"""Measurements: the suite of speed (``python3 -m benchmarks``), and studies one by one."""
