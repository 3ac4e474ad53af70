// One call of the keyring: its deadline, its main context, and how it ended.
#ifndef SWITCHYARD_CSECRET_ATTEMPT_H
#define SWITCHYARD_CSECRET_ATTEMPT_H

#include <libsecret/secret.h>

#include "SwitchyardCSecret.h"

typedef struct sy_attempt {
    GMainContext *context;
    GCancellable *cancellable;
    GThread *watchdog;
    GMutex mutex;
    GCond finished;
    gboolean is_over;
    gint64 deadline;
    GError *error;
} sy_attempt;

// Starts the clock, and makes `context` the one in which this thread's calls get their signals.
// `attempt` stays where it is until sy_attempt_end.
void sy_attempt_begin(sy_attempt *attempt, GMainContext *context, int timeout_ms);

// Stops the clock, and writes into `failure` what `attempt->error` means.
void sy_attempt_end(sy_attempt *attempt, sy_keyring_failure *failure);

// Ends `failure` with a status of our own instead.
void sy_keyring_fail(sy_keyring_failure *failure, sy_keyring_status status, const char *message);

#endif
