#include "attempt.h"

#include <stdio.h>

// libsecret's blocking calls take a cancellable and no deadline, so this thread cancels at the deadline.
static void *watch(void *data) {
    sy_attempt *attempt = data;
    pthread_mutex_lock(&attempt->mutex);
    int too_late = 0;
    while (!attempt->is_over && !too_late) {
        too_late = pthread_cond_timedwait(&attempt->finished, &attempt->mutex, &attempt->deadline) != 0;
    }
    too_late = !attempt->is_over;
    attempt->was_given_up = too_late;
    pthread_mutex_unlock(&attempt->mutex);
    // Cancel without the lock, because it calls back. The cancellable lives until this thread is joined.
    if (too_late) attempt->lib->g_cancellable_cancel(attempt->cancellable);
    return NULL;
}

void sy_attempt_begin(sy_attempt *attempt, const sy_libsecret *lib, GMainContext *context, int timeout_ms) {
    attempt->lib = lib;
    attempt->context = context;
    attempt->cancellable = lib->g_cancellable_new();
    attempt->error = NULL;
    attempt->is_over = 0;
    attempt->was_given_up = 0;
    clock_gettime(CLOCK_MONOTONIC, &attempt->deadline);
    attempt->deadline.tv_sec += timeout_ms / 1000;
    attempt->deadline.tv_nsec += timeout_ms % 1000 * 1000000L;
    if (attempt->deadline.tv_nsec >= 1000000000L) {
        attempt->deadline.tv_nsec -= 1000000000L;
        attempt->deadline.tv_sec++;
    }
    pthread_condattr_t monotonic;
    pthread_condattr_init(&monotonic);
    pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
    pthread_mutex_init(&attempt->mutex, NULL);
    pthread_cond_init(&attempt->finished, &monotonic);
    pthread_condattr_destroy(&monotonic);
    attempt->has_watchdog = pthread_create(&attempt->watchdog, NULL, watch, attempt) == 0;
    // Without a clock the call could hang, so it fails at once.
    if (!attempt->has_watchdog) {
        attempt->was_given_up = 1;
        lib->g_cancellable_cancel(attempt->cancellable);
    }
    lib->g_main_context_push_thread_default(context);
}

static sy_keyring_status meaning(const sy_libsecret *lib, const GError *error) {
    if (error->domain == lib->secret_error_get_quark() && error->code == SECRET_IS_LOCKED) return sy_keyring_locked;
    if (error->domain == lib->g_io_error_quark()) {
        switch (error->code) {
        case IO_CANCELLED:
        case IO_TIMED_OUT: return sy_keyring_timed_out;
        case IO_PERMISSION_DENIED: return sy_keyring_denied;
        // A remote error without a code of GLib: the service is there and refused the call.
        case IO_DBUS_ERROR:
        // The bus ended. The keyring's content is unknown, so no other place may stand in for it.
        case IO_CLOSED:
        case IO_BROKEN_PIPE: return sy_keyring_failed;
        // All others are about reaching the bus.
        default: return sy_keyring_unavailable;
        }
    }
    if (error->domain == lib->g_dbus_error_quark()) {
        switch (error->code) {
        case DBUS_ACCESS_DENIED:
        case DBUS_AUTH_FAILED: return sy_keyring_denied;
        case DBUS_TIMEOUT:
        case DBUS_TIMED_OUT: return sy_keyring_timed_out;
        case DBUS_FAILED:
        case DBUS_INVALID_ARGS:
        case DBUS_LIMITS_EXCEEDED:
        case DBUS_NO_MEMORY:
        // The service or the bus ended during the call.
        case DBUS_NO_REPLY:
        case DBUS_DISCONNECTED: return sy_keyring_failed;
        // No such name, object or method, no daemon to start: no program here speaks the Secret Service.
        default: return sy_keyring_unavailable;
        }
    }
    return sy_keyring_failed;
}

void sy_keyring_fail(sy_keyring_failure *failure, sy_keyring_status status, const char *message) {
    failure->status = status;
    snprintf(failure->message, sizeof failure->message, "%s", message);
}

void sy_attempt_forgive(sy_attempt *attempt) {
    if (attempt->error != NULL) attempt->lib->g_error_free(attempt->error);
    attempt->error = NULL;
    pthread_mutex_lock(&attempt->mutex);
    attempt->was_given_up = 0;
    pthread_mutex_unlock(&attempt->mutex);
}

void sy_attempt_end(sy_attempt *attempt, sy_keyring_failure *failure) {
    pthread_mutex_lock(&attempt->mutex);
    attempt->is_over = 1;
    pthread_cond_signal(&attempt->finished);
    pthread_mutex_unlock(&attempt->mutex);
    if (attempt->has_watchdog) pthread_join(attempt->watchdog, NULL);

    // Only this call runs the context: signals that arrived would pile up in it.
    while (attempt->lib->g_main_context_iteration(attempt->context, 0)) {}
    attempt->lib->g_main_context_pop_thread_default(attempt->context);

    sy_keyring_fail(failure, sy_keyring_done, "");
    if (attempt->was_given_up) {
        sy_keyring_fail(failure, sy_keyring_timed_out, "the deadline passed");
    } else if (attempt->error != NULL) {
        attempt->lib->g_dbus_error_strip_remote_error(attempt->error);
        sy_keyring_fail(failure, meaning(attempt->lib, attempt->error), attempt->error->message);
    }
    sy_attempt_forgive(attempt);
    attempt->lib->g_object_unref(attempt->cancellable);
    pthread_cond_destroy(&attempt->finished);
    pthread_mutex_destroy(&attempt->mutex);
}
