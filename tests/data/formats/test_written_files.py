"""Files are written whole or not at all."""

import os
import stat

import pytest

from bayesrank.data.formats.written_files import check_target, replace_file


def write_text(text):
    return lambda path: path.write_text(text)


def test_a_file_is_written_and_replaced(tmp_path):
    path = tmp_path / "x.txt"
    for text in ("one", "two"):
        replace_file(path, write_text(text))
        assert path.read_text() == text
    replace_file(str(path), write_text("three"))
    assert path.read_text() == "three" and list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize("error", [OSError(28, "No space left on device"), KeyboardInterrupt()])
def test_a_failure_leaves_what_was_there(error, tmp_path):
    path = tmp_path / "x.txt"
    path.write_text("kept")

    def write(temporary):
        assert temporary.parent == tmp_path and temporary != path
        temporary.write_text("half of it")
        raise error

    with pytest.raises(type(error)):
        replace_file(path, write)
    assert path.read_text() == "kept" and list(tmp_path.iterdir()) == [path]


def test_errors_name_the_target(tmp_path):
    def fail(temporary):
        raise OSError(28, "No space left on device", "some other name")

    path = tmp_path / "x.txt"
    with pytest.raises(OSError, match="No space left on device") as caught:
        replace_file(path, fail)
    assert caught.value.filename == str(path)

    def write(temporary):
        raise OSError(5, f"Unable to write (name = '{temporary}')")

    with pytest.raises(OSError, match="Unable to write") as caught:
        replace_file(path, write)
    assert str(caught.value) == f"[Errno 5] Unable to write (name = '{path}')"
    with pytest.raises(FileNotFoundError) as caught:
        replace_file(tmp_path / "none" / "x.txt", write_text("text"))
    assert caught.value.filename == str(tmp_path / "none" / "x.txt")

    def wordless(temporary):
        raise OSError("without a number")

    with pytest.raises(OSError, match=r"^without a number$"):
        replace_file(path, wordless)
    assert not list(tmp_path.iterdir())


def test_a_directory_is_refused(tmp_path):
    with pytest.raises(IsADirectoryError):
        replace_file(tmp_path, write_text("text"))


@pytest.mark.skipif(os.name != "posix", reason="links, modes and devices are those of POSIX")
def test_links_modes_and_devices(tmp_path):
    path, link = tmp_path / "x.txt", tmp_path / "link.txt"
    path.write_text("old")
    path.chmod(0o600)
    link.symlink_to(path)
    replace_file(link, write_text("new"))
    assert link.is_symlink() and path.read_text() == "new"
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    written = []
    replace_file(pipe, written.append)
    assert written == [pipe] and stat.S_ISFIFO(pipe.stat().st_mode)


@pytest.mark.skipif(
    os.name != "posix" or os.geteuid() == 0, reason="nothing is forbidden to the superuser"
)
def test_a_protected_file_is_not_replaced(tmp_path):
    path = tmp_path / "x.txt"
    path.write_text("kept")
    path.chmod(0o444)
    with pytest.raises(PermissionError, match=r"Permission denied.*x\.txt"):
        replace_file(path, write_text("new"))
    assert path.read_text() == "kept"


@pytest.mark.skipif(os.name != "posix", reason="links and devices are those of POSIX")
def test_links_that_lead_nowhere(tmp_path):
    loop, astray, new = (tmp_path / name for name in ("loop.txt", "astray.txt", "new.txt"))
    loop.symlink_to("loop.txt")
    astray.symlink_to("no/such.txt")
    new.symlink_to("made.txt")
    for door in (
        lambda path: check_target(path, (".txt",)),
        lambda p: replace_file(p, write_text("x")),
    ):
        with pytest.raises(OSError, match="is a link that leads back to itself") as caught:
            door(loop)
        assert caught.value.filename == str(loop)
        with pytest.raises(FileNotFoundError) as caught:
            door(astray)
        assert caught.value.filename == str(astray)
    replace_file(new, write_text("x"))
    assert loop.is_symlink() and new.is_symlink() and (tmp_path / "made.txt").read_text() == "x"


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="there is no such device")
def test_a_full_device_is_named(tmp_path):
    path = tmp_path / "x.txt"
    path.symlink_to("/dev/full")
    assert check_target(path, (".txt",)) == path
    with pytest.raises(OSError, match="No space left on device") as caught:
        replace_file(path, write_text("x"))
    assert caught.value.filename == str(path) and path.is_symlink()


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("no/x.txt", "there is no such directory"),
        ("file/x.txt", "there is no such directory"),
        ("x" * 300 + ".txt", "File name too long"),
        ("folder.txt", "is a directory"),
    ],
)
def test_names_where_no_file_can_be_made(name, words, tmp_path):
    (tmp_path / "file").touch()
    (tmp_path / "folder.txt").mkdir()
    with pytest.raises(OSError, match=words) as caught:
        check_target(tmp_path / name, (".txt",))
    assert caught.value.filename == str(tmp_path / name)
