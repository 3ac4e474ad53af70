// What of libsystemd a service needs: telling its manager how it is, the sockets that it was given, its
// journal, and D-Bus.
#ifndef SWITCHYARD_CSYSTEMD_H
#define SWITCHYARD_CSYSTEMD_H

#include <stddef.h>
#include <systemd/sd-bus.h>
#include <systemd/sd-daemon.h>

// Sends an entry to the journal: its fields as NAME=value, with NUL bytes between them. No more than 32 of them are
// sent. Negative when it was not taken.
int sy_journal_send(const unsigned char *_Nonnull fields, size_t length);

#endif
