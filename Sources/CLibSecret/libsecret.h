// libsecret, for CSecret only: GLib's headers are too much for Swift.
#include <libsecret/secret.h>
