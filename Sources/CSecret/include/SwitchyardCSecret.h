// The desktop keyring (Secret Service, through libsecret) with blocking calls that end in time and never ask a person.
// libsecret is loaded by the first call, and may be missing.
#ifndef SWITCHYARD_CSECRET_H
#define SWITCHYARD_CSECRET_H

#include <stddef.h>
#include <stdint.h>

typedef enum sy_keyring_status {
    sy_keyring_done = 0,
    sy_keyring_unavailable,  // no session bus, no Secret Service, or no default collection
    sy_keyring_missing,      // libsecret cannot be loaded
    sy_keyring_locked,       // what would be read or written is locked
    sy_keyring_denied,       // the bus or the service refused this process
    sy_keyring_timed_out,
    sy_keyring_failed,
} sy_keyring_status;

typedef struct sy_keyring_failure {
    sy_keyring_status status;
    char message[256];
} sy_keyring_failure;

// Whether libsecret is there. Loads it.
int sy_keyring_is_installed(void);

// A session with the Secret Service. One call at a time; any thread.
typedef struct sy_keyring sy_keyring;

// Each call below takes at most `timeout_ms`, and says in `failure` how it ended.

// NULL if the service does not answer, or has no default collection.
sy_keyring *_Nullable sy_keyring_open(int timeout_ms, sy_keyring_failure *_Nonnull failure);
void sy_keyring_close(sy_keyring *_Nonnull keyring);

// The document of `cache`; NULL with status done if there is none. The caller frees it with sy_keyring_free.
uint8_t *_Nullable sy_keyring_look_up(
    sy_keyring *_Nonnull keyring, const char *_Nonnull cache, int timeout_ms, size_t *_Nonnull count,
    sy_keyring_failure *_Nonnull failure);
void sy_keyring_free(uint8_t *_Nonnull bytes, size_t count);

// Writes the document of `cache`, in the place of the one before.
void sy_keyring_store(
    sy_keyring *_Nonnull keyring, const char *_Nonnull cache, const char *_Nonnull label,
    const uint8_t *_Nullable bytes, size_t count, int timeout_ms, sy_keyring_failure *_Nonnull failure);

// Writes a copy that no look-up finds, under the mark `mark`.
void sy_keyring_store_aside(
    sy_keyring *_Nonnull keyring, const char *_Nonnull cache, const char *_Nonnull mark, const char *_Nonnull label,
    const uint8_t *_Nullable bytes, size_t count, int timeout_ms, sy_keyring_failure *_Nonnull failure);

// Removes the document of `cache`, if there is one.
void sy_keyring_clear(
    sy_keyring *_Nonnull keyring, const char *_Nonnull cache, int timeout_ms, sy_keyring_failure *_Nonnull failure);

// The message of `failure`, as long as that lives.
static inline const char *_Nonnull sy_keyring_message(const sy_keyring_failure *_Nonnull failure) {
    return failure->message;
}

#endif
