"""The list of all messages."""

import bayesrank as br
from benchmarks.messages import messages


def test_messages_are_all_found():
    """Enough of them that the list is worth reading, each a sentence."""
    from pathlib import Path

    found = list(messages(Path(br.__file__).parent))
    assert len(found) > 400
    assert all(len(text) > 10 for _, _, text in found)
