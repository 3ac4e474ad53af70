"""An app of the desktop by GLib's own Gio.Application: `gio_app.py NAME FILE`. It writes each Open as a line of JSON into FILE.

Started by the session bus or by hand, with Debian's Python, which has GLib's bindings."""

import json
import os
import sys

from gi.repository import Gio


class App(Gio.Application):
    def __init__(self, name, path):
        super().__init__(application_id=name, flags=Gio.ApplicationFlags.IS_SERVICE | Gio.ApplicationFlags.HANDLES_OPEN)
        self.path, self.platform = path, {}
        self.connect("open", self.opened)
        self.set_inactivity_timeout(60_000)

    def do_before_emit(self, platform_data):
        self.platform = platform_data.unpack()

    def opened(self, app, files, count, hint):
        with open(self.path, "a") as file:
            file.write(json.dumps({"uris": [file_.get_uri() for file_ in files], "platform": self.platform,
                                   "process": os.getpid()}) + "\n")


App(sys.argv[1], sys.argv[2]).run(None)
