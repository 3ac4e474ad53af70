// One call of the keyring: its deadline, its main context, and how it ended.
#ifndef SWITCHYARD_CSECRET_ATTEMPT_H
#define SWITCHYARD_CSECRET_ATTEMPT_H

#include <pthread.h>
#include <time.h>

#include "SwitchyardCSecret.h"
#include "libsecret.h"

typedef struct sy_attempt {
    const sy_libsecret *lib;
    GMainContext *context;
    GCancellable *cancellable;
    pthread_t watchdog;
    int has_watchdog;
    pthread_mutex_t mutex;
    pthread_cond_t finished;
    int is_over;
    // The deadline passed. After that libsecret may answer "none" where it knows nothing.
    int was_given_up;
    struct timespec deadline;
    GError *error;
} sy_attempt;

// Starts the clock, and makes `context` the one in which this thread's calls get their signals.
// `attempt` stays where it is until sy_attempt_end.
void sy_attempt_begin(sy_attempt *attempt, const sy_libsecret *lib, GMainContext *context, int timeout_ms);

// Stops the clock, and writes the meaning of `attempt->error` into `failure`. An attempt that was given up is always a time-out.
void sy_attempt_end(sy_attempt *attempt, sy_keyring_failure *failure);

// Forgets how the call before failed, if it did.
void sy_attempt_forgive(sy_attempt *attempt);

// Ends `failure` with a status of our own instead.
void sy_keyring_fail(sy_keyring_failure *failure, sy_keyring_status status, const char *message);

#endif
