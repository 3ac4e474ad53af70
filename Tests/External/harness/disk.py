"""A disk that fails, fills up or stands still below a program's database, and a clock that is not now."""

import mmap
import os
import struct
import subprocess
from pathlib import Path

SOURCE = Path(__file__).with_suffix(".c")
FIELDS = ("write_error", "sync_error", "is_stalled", "seconds_ahead", "failing_write", "failing_sync")


class Disk:
    """Controls `disk.c`, which is preloaded into a program and changes its calls."""

    def __init__(self, folder, database="requests.db"):
        self._folder = Path(folder)
        self._control = self._folder / "disk.control"
        self._control.write_bytes(bytes(8 * len(FIELDS)))
        with self._control.open("r+b") as file:
            self._map = mmap.mmap(file.fileno(), 8 * len(FIELDS))
        library = self._folder / "disk.so"
        subprocess.run(["cc", "-shared", "-fPIC", "-O1", "-Wall", "-o", library, SOURCE, "-ldl"], check=True)
        self.environment = {
            "LD_PRELOAD": str(library), "TEST_DISK_CONTROL": str(self._control), "TEST_DISK_DATABASE": database}

    def set(self, **fields):
        """Replaces the orders to the library."""
        for place, name in enumerate(FIELDS):
            self._map[8 * place:8 * place + 8] = struct.pack("q", fields.get(name, 0))

    def get(self, field):
        return struct.unpack_from("q", self._map, 8 * FIELDS.index(field))[0]


class SmallDisk:
    """A file system of a few megabytes on `folder`, which only its program sees."""

    def __init__(self, folder, size="6m", is_read_only=False):
        self.folder = Path(folder)
        self.folder.mkdir(exist_ok=True)
        mount = f'mount -t tmpfs -o size={size},mode=700 tmpfs "$0"{" && mount -o remount,ro $0" if is_read_only else ""}'
        alone = ["unshare", "--mount"] if os.geteuid() == 0 else ["unshare", "--map-root-user", "--mount"]
        self.prefix = [*alone, "sh", "-c", f'{mount} && exec "$@"', str(self.folder)]

    @staticmethod
    def is_possible():
        try:
            return subprocess.run(
                ["unshare", *([] if os.geteuid() == 0 else ["--map-root-user"]), "--mount", "true"],
                capture_output=True).returncode == 0
        except FileNotFoundError:
            return False

    def inside(self, process):
        return Path(f"/proc/{process.pid}/root{self.folder}")

    def fill(self, process):
        with (self.inside(process) / "filler").open("wb", buffering=0) as file:
            while True:
                try:
                    file.write(bytes(4096))
                except OSError:
                    return

    def empty(self, process):
        (self.inside(process) / "filler").unlink()

    def make_writable(self, process):
        subprocess.run(
            ["nsenter", f"--target={process.pid}", "--mount", "--root", *([] if os.geteuid() == 0 else ["--user"]),
             "mount", "-o", "remount,rw", str(self.folder)], check=True)
