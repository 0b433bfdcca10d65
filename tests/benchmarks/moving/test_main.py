"""The command that measures scores that move."""

import pytest

from benchmarks.moving.__main__ import main


def test_modes_need_the_peers_times(capsys):
    with pytest.raises(SystemExit):
        main(["--only", "modes"])
    assert "give both" in capsys.readouterr().err


def test_nuts_is_a_process_of_its_own(capsys):
    main(["--only", "nuts", "--quick"])
    assert "2 x 200 draws" in capsys.readouterr().out
