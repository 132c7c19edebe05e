import os
import threading
from pathlib import Path

import pytest

from simcli.errors import InputError
from simcli.runs.outfile import check_file, check_folder, write_file
from simcli.runs.store.local import LocalStore


def test_a_link_stays_a_link_and_its_file_is_written(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "real" / "page.html").write_bytes(b"old")
    link = tmp_path / "page.html"
    link.symlink_to("real/page.html")
    write_file(link, b"new")
    assert link.is_symlink()
    assert (tmp_path / "real" / "page.html").read_bytes() == b"new"


def test_a_link_to_nothing_yet_gets_its_file(tmp_path: Path) -> None:
    link = tmp_path / "page.html"
    link.symlink_to("later.html")
    write_file(link, b"new")
    assert link.is_symlink()
    assert (tmp_path / "later.html").read_bytes() == b"new"


def test_a_file_of_a_run_that_lies_elsewhere_by_a_link_is_written_there(tmp_path: Path) -> None:
    (tmp_path / "run").mkdir()
    (tmp_path / "plan.yaml").write_bytes(b"old")
    (tmp_path / "run" / "plan.yaml").symlink_to(tmp_path / "plan.yaml")
    LocalStore(tmp_path / "run").write("plan.yaml", b"new")
    assert (tmp_path / "run" / "plan.yaml").is_symlink()
    assert (tmp_path / "plan.yaml").read_bytes() == b"new"
    assert sorted(os.listdir(tmp_path)) == ["plan.yaml", "run"]


def test_a_pipe_is_written_to_and_not_replaced(tmp_path: Path) -> None:
    """A device is no different, but no test should come near one."""
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    got: list[bytes] = []
    reader = threading.Thread(target=lambda: got.append(pipe.read_bytes()))
    reader.start()
    write_file(pipe, b"page")
    reader.join(timeout=10)
    assert got == [b"page"]
    assert pipe.is_fifo()


def test_folders_on_the_way_are_made_and_nothing_is_left_beside_the_file(tmp_path: Path) -> None:
    write_file(tmp_path / "a" / "b" / "page.html", b"page")
    assert [path.name for path in (tmp_path / "a" / "b").iterdir()] == ["page.html"]


def test_what_cannot_be_written_is_refused_before_and_when_it_is_written(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"")
    (tmp_path / "folder").mkdir()
    for path in (tmp_path / "folder", tmp_path / "file" / "page.html", tmp_path / ("x" * 300)):
        with pytest.raises(InputError, match=r"expected a (file|folder)"):
            check_file(path)
        with pytest.raises(InputError, match="expected a file"):
            write_file(path, b"page")
    with pytest.raises(InputError, match="file: expected a folder to write into, got a file"):
        check_folder(tmp_path / "file")
    check_file(tmp_path / "new" / "page.html")
    check_folder(tmp_path / "new" / "charts")
    assert not (tmp_path / "new").exists()
