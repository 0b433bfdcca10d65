"""From draws to a fit: its tables, predictions, diagnostics, comparisons and files."""
