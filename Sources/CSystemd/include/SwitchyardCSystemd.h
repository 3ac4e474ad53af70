// The parts of libsystemd that a service needs: messages to its manager, sockets from it, the journal, and D-Bus.
#ifndef SWITCHYARD_CSYSTEMD_H
#define SWITCHYARD_CSYSTEMD_H

#include <stddef.h>
#include <systemd/sd-bus.h>
#include <systemd/sd-daemon.h>

// Sends an entry to the journal: its fields as NAME=value, with NUL bytes between them. At most 32 fields are sent.
// Negative if the journal did not take it.
int sy_journal_send(const unsigned char *_Nonnull fields, size_t length);

#endif
