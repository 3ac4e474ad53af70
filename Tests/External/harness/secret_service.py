"""A Secret Service that fails in the middle: `secret_service.py HOW METHOD`. HOW is `end` or `hang`, at the first call of METHOD.

Up to that call it answers as a service does that encrypts nothing. It runs with Debian's Python, which has GLib's bindings.
"""

import os
import sys

from gi.repository import Gio, GLib

INTERFACE = """<node><interface name="org.freedesktop.Secret.Service">
  <method name="OpenSession"><arg type="s" direction="in"/><arg type="v" direction="in"/>
    <arg type="v" direction="out"/><arg type="o" direction="out"/></method>
  <method name="ReadAlias"><arg type="s" direction="in"/><arg type="o" direction="out"/></method>
  <property name="Collections" type="ao" access="read"/>
</interface></node>"""


def called(connection, sender, path, interface, method, parameters, invocation):
    if method == fatal:
        if how == "end":
            os._exit(0)
    elif method == "ReadAlias":
        invocation.return_value(GLib.Variant("(o)", ("/",)))
    elif parameters[0] == "plain":
        invocation.return_value(GLib.Variant("(vo)", (GLib.Variant("s", ""), "/org/freedesktop/secrets/session/1")))
    else:
        invocation.return_dbus_error("org.freedesktop.DBus.Error.NotSupported", "only plain")


def connected(connection, name):
    node = Gio.DBusNodeInfo.new_for_xml(INTERFACE)
    connection.register_object(
        "/org/freedesktop/secrets", node.interfaces[0], called, lambda *_: GLib.Variant("ao", []), None)


how, fatal = sys.argv[1:]
Gio.bus_own_name(Gio.BusType.SESSION, "org.freedesktop.secrets", Gio.BusNameOwnerFlags.NONE, connected, None, None)
GLib.MainLoop().run()
