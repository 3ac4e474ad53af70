#include "attempt.h"

#include <stdio.h>

// libsecret's blocking calls know cancellables and no deadlines: this thread turns the one into the other.
static gpointer watch(gpointer data) {
    sy_attempt *attempt = data;
    g_mutex_lock(&attempt->mutex);
    while (!attempt->is_over) {
        if (!g_cond_wait_until(&attempt->finished, &attempt->mutex, attempt->deadline)) break;
    }
    gboolean too_late = !attempt->is_over;
    g_mutex_unlock(&attempt->mutex);
    // Without the lock, because cancelling calls back. The cancellable lives until this thread was joined.
    if (too_late) g_cancellable_cancel(attempt->cancellable);
    return NULL;
}

void sy_attempt_begin(sy_attempt *attempt, GMainContext *context, int timeout_ms) {
    attempt->context = context;
    attempt->cancellable = g_cancellable_new();
    attempt->error = NULL;
    attempt->is_over = FALSE;
    attempt->deadline = g_get_monotonic_time() + (gint64)timeout_ms * G_TIME_SPAN_MILLISECOND;
    g_mutex_init(&attempt->mutex);
    g_cond_init(&attempt->finished);
    attempt->watchdog = g_thread_try_new("keyring deadline", watch, attempt, NULL);
    // Without a clock the call could hang: then it is over before it begins.
    if (attempt->watchdog == NULL) g_cancellable_cancel(attempt->cancellable);
    g_main_context_push_thread_default(context);
}

static sy_keyring_status meaning(const GError *error) {
    if (g_error_matches(error, SECRET_ERROR, SECRET_ERROR_IS_LOCKED)) return sy_keyring_locked;
    if (error->domain == G_IO_ERROR) {
        switch (error->code) {
        case G_IO_ERROR_CANCELLED:
        case G_IO_ERROR_TIMED_OUT: return sy_keyring_timed_out;
        case G_IO_ERROR_PERMISSION_DENIED: return sy_keyring_denied;
        // A remote error that GLib has no code for: the service is there and did not like the call.
        case G_IO_ERROR_DBUS_ERROR: return sy_keyring_failed;
        // All others are about reaching the bus.
        default: return sy_keyring_unavailable;
        }
    }
    if (error->domain == G_DBUS_ERROR) {
        switch (error->code) {
        case G_DBUS_ERROR_ACCESS_DENIED:
        case G_DBUS_ERROR_AUTH_FAILED: return sy_keyring_denied;
        case G_DBUS_ERROR_TIMEOUT:
        case G_DBUS_ERROR_TIMED_OUT: return sy_keyring_timed_out;
        case G_DBUS_ERROR_FAILED:
        case G_DBUS_ERROR_INVALID_ARGS:
        case G_DBUS_ERROR_LIMITS_EXCEEDED:
        case G_DBUS_ERROR_NO_MEMORY: return sy_keyring_failed;
        // No such name, object or method, no reply, no daemon to start: nobody here speaks the Secret Service.
        default: return sy_keyring_unavailable;
        }
    }
    return sy_keyring_failed;
}

void sy_keyring_fail(sy_keyring_failure *failure, sy_keyring_status status, const char *message) {
    failure->status = status;
    snprintf(failure->message, sizeof failure->message, "%s", message);
}

void sy_attempt_end(sy_attempt *attempt, sy_keyring_failure *failure) {
    g_mutex_lock(&attempt->mutex);
    attempt->is_over = TRUE;
    g_cond_signal(&attempt->finished);
    g_mutex_unlock(&attempt->mutex);
    if (attempt->watchdog != NULL) g_thread_join(attempt->watchdog);

    // Nobody else runs this context: signals that arrived would pile up in it.
    while (g_main_context_iteration(attempt->context, FALSE)) {}
    g_main_context_pop_thread_default(attempt->context);

    sy_keyring_fail(failure, sy_keyring_done, "");
    if (attempt->error != NULL) {
        g_dbus_error_strip_remote_error(attempt->error);
        sy_keyring_fail(failure, meaning(attempt->error), attempt->error->message);
        g_clear_error(&attempt->error);
    }
    g_clear_object(&attempt->cancellable);
    g_cond_clear(&attempt->finished);
    g_mutex_clear(&attempt->mutex);
}
