// What of libsystemd a service needs: telling its manager how it is, and the sockets that it was given.
#ifndef SWITCHYARD_CSYSTEMD_H
#define SWITCHYARD_CSYSTEMD_H

#include <systemd/sd-daemon.h>

#endif
