"""Damaged and hostile files of every format, as `benchmarks.fuzz` makes them, in small."""

from benchmarks.fuzz import files_of, fuzz
from benchmarks.fuzz.formats import formats

INPUTS = 2500


def test_every_file_is_read_or_refused_in_a_sentence():
    tally = fuzz(INPUTS, seed=1)
    assert not tally.findings, f"{tally.table()}\n{tally.places}"
    assert sum(tally.counts.values()) == INPUTS
    for name in formats():
        # Damage that nothing survives, or that does nothing, would test nothing.
        assert tally.counts[name, "accepted"] and tally.counts[name, "refused"], name


def test_files_are_the_same_for_the_same_seed():
    found = formats()
    one, other, third = (
        [content for _, _, content in files_of(found, seed, range(50), hostile=False)]
        for seed in (1, 1, 2)
    )
    assert one == other != third
