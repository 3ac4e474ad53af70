"""A file system (FUSE) that answers only for its root: a program that looks a name up in it waits forever."""

import ctypes
import os
import stat
import struct
import threading

_LIBC = ctypes.CDLL(None, use_errno=True)
_LOOKUP, _FORGET, _GETATTR, _STATFS, _INIT, _ACCESS, _BATCH_FORGET = 1, 2, 3, 17, 26, 34, 42


class SilentFileSystem:
    """Mounted at a folder. `asked` is set once somebody has looked a name up."""

    def __init__(self, folder):
        self.folder = folder
        self.asked = threading.Event()
        self._device = os.open("/dev/fuse", os.O_RDWR | os.O_CLOEXEC)
        options = f"fd={self._device},rootmode=40000,user_id={os.getuid()},group_id={os.getgid()},allow_other,default_permissions"
        if _LIBC.mount(b"silent", os.fsencode(folder), b"fuse", 0, options.encode()) != 0:
            number = ctypes.get_errno()
            os.close(self._device)
            raise OSError(number, os.strerror(number))
        threading.Thread(target=self._serve, daemon=True).start()

    def _serve(self):
        while True:
            try:
                message = os.read(self._device, 1 << 20)
            except OSError:
                return
            _, operation, number, node = struct.unpack_from("<IIQQ", message)
            if operation == _INIT:
                self._answer(number, struct.pack("<IIIIHHIIHHI", 7, 31, 0, 0, 12, 9, 4096, 1, 0, 0, 0) + bytes(28))
            elif operation == _GETATTR and node == 1:
                attributes = struct.pack(
                    "<6Q10I", 1, 0, 0, 0, 0, 0, 0, 0, 0, stat.S_IFDIR | 0o755, 2, os.getuid(), os.getgid(), 0, 4096, 0)
                self._answer(number, struct.pack("<QII", 3600, 0, 0) + attributes)
            elif operation == _ACCESS:
                self._answer(number, b"")
            elif operation not in (_FORGET, _BATCH_FORGET):
                self.asked.set()

    def _answer(self, number, body):
        os.write(self._device, struct.pack("<IiQ", 16 + len(body), 0, number) + body)

    def close(self):
        """Ends all waiting processes, also those that no signal ends."""
        _LIBC.umount2(os.fsencode(self.folder), 2)
        os.close(self._device)
