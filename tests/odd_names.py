"""Names of any kind, for tests that look for one that does harm."""

from hypothesis import strategies as st

__all__ = ["ODD_NAMES", "names"]

ODD_NAMES = [
    "a,b", "a;b", 'say "x"', '"', "'", "two\nlines", "bare\rreturn", "both\r\nends", "tab\there",
    "\x0bvertical", "\x1b[2J", "\x85next", "\u2028line", "\U0001f3c6", "\u202eleft", "\u05d0\u05d1",
    "e\u0301", "<b>bold</b>", "</script>", "&amp;", "$x$", r"\$", r"$\frac{1}{2}$", "=1+1",
    "{{data}}", "#1 seed", "[red]a", "NA", "nan", "null", "001", "1e5", "-0", "True", "tie",
    "left", "H", " inside  spaces ", "qid:1", "a / b",
]  # fmt: skip


def names(exclude=""):
    """Return a strategy for texts without some characters."""
    # Half a character that takes two is no text, and no file or page can hold it.
    letters = st.characters(exclude_categories=["Cs"], exclude_characters=exclude)
    odd = [name for name in ODD_NAMES if not set(name) & set(exclude)]
    return st.text(letters, min_size=1, max_size=6) | st.sampled_from(odd)
