"""The other side of the bus in DBusTests, by GLib: takes the name that it is given and answers for it.

Print writes the arguments as GLib reads them, Give returns what its text means to GLib, Silence never answers.
"""

import sys

from gi.repository import Gio, GLib

INTERFACE = """<node><interface name="org.example.Peer">
<method name="Give"><arg type="s" direction="in"/><arg type="v" direction="out"/></method>
<method name="Many"><arg type="u" direction="in"/><arg type="au" direction="out"/></method>
<method name="Silence"/>
<method name="Fail"/>
</interface><interface name="org.freedesktop.Notifications"><method name="Notify">
<arg type="s" direction="in"/><arg type="u" direction="in"/><arg type="s" direction="in"/><arg type="s" direction="in"/>
<arg type="s" direction="in"/><arg type="as" direction="in"/><arg type="a{sv}" direction="in"/><arg type="i" direction="in"/>
<arg type="s" direction="out"/></method></interface></node>"""


def called(connection, sender, path, interface, member, arguments, invocation):
    if member == "Notify":
        invocation.return_value(GLib.Variant("(s)", [arguments.print_(True)]))
    elif member == "Give":
        invocation.return_value(GLib.Variant("(v)", [GLib.Variant.parse(None, arguments[0], None, None)]))
    elif member == "Many":
        invocation.return_value(GLib.Variant("(au)", [range(arguments[0])]))
    elif member == "Fail":
        invocation.return_dbus_error("org.example.Error.Tired", "not today")
    else:
        invocation.ref()  # it is kept, and never answered


def take_name(connection, name):
    for interface in Gio.DBusNodeInfo.new_for_xml(INTERFACE).interfaces:
        connection.register_object("/org/example/Peer", interface, called, None, None)


Gio.bus_own_name(Gio.BusType.SESSION, sys.argv[1], Gio.BusNameOwnerFlags.NONE, take_name, None, None)
GLib.MainLoop().run()
