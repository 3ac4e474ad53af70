"""The desktop's notifications in the place of a real desktop's, by GLib: writes each as a line of JSON into a file.

Run by the system's Python, which has GLib: `notices.py FILE`.
"""

import json
import sys

from gi.repository import Gio, GLib

INTERFACE = """<node><interface name="org.freedesktop.Notifications"><method name="Notify">
<arg type="s" direction="in"/><arg type="u" direction="in"/><arg type="s" direction="in"/><arg type="s" direction="in"/>
<arg type="s" direction="in"/><arg type="as" direction="in"/><arg type="a{sv}" direction="in"/><arg type="i" direction="in"/>
<arg type="u" direction="out"/></method></interface></node>"""


def called(connection, sender, path, interface, member, arguments, invocation):
    _, _, _, heading, text, *_ = arguments.unpack()
    with open(sys.argv[1], "a") as file:
        file.write(json.dumps({"heading": heading, "text": text}) + "\n")
    invocation.return_value(GLib.Variant("(u)", [1]))


def take_name(connection, name):
    interface = Gio.DBusNodeInfo.new_for_xml(INTERFACE).interfaces[0]
    connection.register_object("/org/freedesktop/Notifications", interface, called, None, None)


Gio.bus_own_name(
    Gio.BusType.SESSION, "org.freedesktop.Notifications", Gio.BusNameOwnerFlags.NONE, take_name, None, None)
GLib.MainLoop().run()
