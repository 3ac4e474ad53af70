#define _GNU_SOURCE  // explicit_bzero
#include <stdlib.h>
#include <string.h>

#include "attempt.h"

struct sy_keyring {
    const sy_libsecret *lib;
    GMainContext *context;
    SecretService *service;
};

static const SecretSchema documents = {
    .name = "org.switchyard.TokenCache",
    .flags = SCHEMA_NONE,
    .attributes = {{"cache", ATTRIBUTE_STRING}},
};

// Copies have a schema of their own. A search finds items with further attributes too, so under the documents' schema a
// copy would be found, and replaced, as the document itself.
static const SecretSchema set_aside = {
    .name = "org.switchyard.TokenCache.SetAside",
    .flags = SCHEMA_NONE,
    .attributes = {{"cache", ATTRIBUTE_STRING}, {"set-aside", ATTRIBUTE_STRING}},
};

static const char default_alias[] = "default";

// NULL without an error: there is none.
static SecretCollection *default_collection(sy_keyring *keyring, sy_attempt *attempt) {
    return keyring->lib->secret_collection_for_alias_sync(
        keyring->service, default_alias, COLLECTION_NONE, attempt->cancellable, &attempt->error);
}

// The items of a document, or of a copy, also locked ones. secret_service_lookup would ask the person to unlock, and
// wait.
static GList *search(sy_keyring *keyring, const SecretSchema *schema, GHashTable *attributes, sy_attempt *attempt) {
    return keyring->lib->secret_service_search_sync(
        keyring->service, schema, attributes, SEARCH_ALL, attempt->cancellable, &attempt->error);
}

// An item's path is its collection's with one more part.
static int is_in(const sy_libsecret *lib, SecretItem *item, SecretCollection *collection) {
    if (collection == NULL) return 0;
    const char *rest = lib->g_dbus_proxy_get_object_path(item);
    const char *folder = lib->g_dbus_proxy_get_object_path(collection);
    size_t length = strlen(folder);
    return strncmp(rest, folder, length) == 0 && rest[length] == '/';
}

// There are two after the person made another collection the default one. The default collection, locked or not, has
// the newer document: an older one would bring back accounts that have signed out since.
static SecretItem *newest(const sy_libsecret *lib, GList *items, SecretCollection *collection) {
    SecretItem *best = NULL;
    for (GList *item = items; item != NULL; item = item->next) {
        int is_home = is_in(lib, item->data, collection);
        int is_best_home = best != NULL && is_in(lib, best, collection);
        if (best == NULL || (is_home && !is_best_home) ||
            (is_home == is_best_home &&
             lib->secret_item_get_modified(item->data) > lib->secret_item_get_modified(best))) {
            best = item->data;
        }
    }
    return best;
}

static const char no_collection[] = "the Secret Service has no default collection";
static const char locked_collection[] = "the default collection is locked";

static void release(const sy_libsecret *lib, void *object) {
    if (object != NULL) lib->g_object_unref(object);
}

sy_keyring *sy_keyring_open(int timeout_ms, sy_keyring_failure *failure) {
    const char *problem;
    const sy_libsecret *lib = sy_libsecret_load(&problem);
    if (lib == NULL) {
        sy_keyring_fail(failure, sy_keyring_missing, problem);
        return NULL;
    }
    sy_keyring *keyring = calloc(1, sizeof *keyring);
    if (keyring == NULL) {
        sy_keyring_fail(failure, sy_keyring_failed, "memory is short");
        return NULL;
    }
    keyring->lib = lib;
    keyring->context = lib->g_main_context_new();
    sy_attempt attempt;
    sy_attempt_begin(&attempt, lib, keyring->context, timeout_ms);
    SecretCollection *collection = NULL;

    GDBusConnection *bus = lib->g_bus_get_sync(SESSION_BUS, attempt.cancellable, &attempt.error);
    if (bus != NULL) {
        // By default GLib ends the process when the bus goes.
        lib->g_dbus_connection_set_exit_on_close(bus, 0);
        // A service of our own: the shared one notices a new daemon only if some thread runs a main loop.
        keyring->service = lib->secret_service_open_sync(
            lib->secret_service_get_type(), NULL, OPEN_SESSION, attempt.cancellable, &attempt.error);
    }
    if (keyring->service != NULL) collection = default_collection(keyring, &attempt);
    int exists = collection != NULL;
    release(lib, collection);
    release(lib, bus);
    sy_attempt_end(&attempt, failure);

    if (failure->status == sy_keyring_done && !exists) {
        sy_keyring_fail(failure, sy_keyring_unavailable, no_collection);
    }
    if (failure->status == sy_keyring_done) return keyring;
    sy_keyring_close(keyring);
    return NULL;
}

void sy_keyring_close(sy_keyring *keyring) {
    release(keyring->lib, keyring->service);
    keyring->lib->g_main_context_unref(keyring->context);
    free(keyring);
}

int sy_keyring_is_installed(void) {
    const char *problem;
    return sy_libsecret_load(&problem) != NULL;
}

// NULL if memory is short.
static uint8_t *copy_of(const sy_libsecret *lib, SecretValue *value, size_t *count) {
    size_t length = 0;
    const char *bytes = lib->secret_value_get(value, &length);
    uint8_t *copy = malloc(length > 0 ? length : 1);
    if (copy != NULL && length > 0) memcpy(copy, bytes, length);
    *count = length;
    return copy;
}

uint8_t *sy_keyring_look_up(
    sy_keyring *keyring, const char *cache, int timeout_ms, size_t *count, sy_keyring_failure *failure) {
    const sy_libsecret *lib = keyring->lib;
    sy_attempt attempt;
    sy_attempt_begin(&attempt, lib, keyring->context, timeout_ms);
    GHashTable *attributes = lib->secret_attributes_build(&documents, "cache", cache, NULL);
    SecretCollection *collection = default_collection(keyring, &attempt);
    GList *items = attempt.error == NULL ? search(keyring, &documents, attributes, &attempt) : NULL;
    SecretItem *item = newest(lib, items, collection);
    uint8_t *bytes = NULL;
    int is_locked = item != NULL && lib->secret_item_get_locked(item);
    if (item != NULL && !is_locked && lib->secret_item_load_secret_sync(item, attempt.cancellable, &attempt.error)) {
        SecretValue *value = lib->secret_item_get_secret(item);
        if (value != NULL) {
            bytes = copy_of(lib, value, count);
            lib->secret_value_unref(value);
        }
    }
    int is_silent = item != NULL && !is_locked && bytes == NULL;
    lib->g_list_free_full(items, lib->g_object_unref);
    release(lib, collection);
    lib->g_hash_table_unref(attributes);
    sy_attempt_end(&attempt, failure);
    if (failure->status != sy_keyring_done) {
        if (bytes != NULL) sy_keyring_free(bytes, *count);
        return NULL;
    }
    if (is_locked) sy_keyring_fail(failure, sy_keyring_locked, "the collection that holds it is locked");
    // The item was there a moment ago, and was removed or locked meanwhile, so "none" might be wrong.
    if (is_silent) sy_keyring_fail(failure, sy_keyring_failed, "the Secret Service found the item and not its secret");
    return bytes;
}

void sy_keyring_free(uint8_t *bytes, size_t count) {
    explicit_bzero(bytes, count);
    free(bytes);
}

// Documents in other collections are older, and hold tokens that should be gone. A locked one stays, because unlocking it would ask
// the person; no look-up takes it while the default collection has a document.
static void remove_elsewhere(
    sy_keyring *keyring, const SecretSchema *schema, GHashTable *attributes, SecretCollection *collection, sy_attempt *attempt) {
    const sy_libsecret *lib = keyring->lib;
    GList *items = search(keyring, schema, attributes, attempt);
    for (GList *item = items; item != NULL && attempt->error == NULL; item = item->next) {
        if (is_in(lib, item->data, collection) || lib->secret_item_get_locked(item->data)) continue;
        lib->secret_item_delete_sync(item->data, attempt->cancellable, &attempt->error);
    }
    lib->g_list_free_full(items, lib->g_object_unref);
    // The document is written, so the call succeeds even if this fails.
    sy_attempt_forgive(attempt);
}

static void store(
    sy_keyring *keyring, const SecretSchema *schema, GHashTable *attributes, const char *label, const uint8_t *bytes,
    size_t count, int timeout_ms, sy_keyring_failure *failure) {
    const sy_libsecret *lib = keyring->lib;
    sy_attempt attempt;
    sy_attempt_begin(&attempt, lib, keyring->context, timeout_ms);
    // Check first, because libsecret would ask the person for a new collection, or to unlock this one.
    SecretCollection *collection = default_collection(keyring, &attempt);
    int exists = collection != NULL;
    int locked = exists && lib->secret_collection_get_locked(collection);
    if (exists && !locked) {
        SecretValue *value =
            lib->secret_value_new(count > 0 ? (const char *)bytes : "", (ssize_t)count, "application/octet-stream");
        if (lib->secret_service_store_sync(
                keyring->service, schema, attributes, default_alias, label, value, attempt.cancellable,
                &attempt.error)) {
            remove_elsewhere(keyring, schema, attributes, collection, &attempt);
        }
        lib->secret_value_unref(value);
    }
    release(lib, collection);
    lib->g_hash_table_unref(attributes);
    sy_attempt_end(&attempt, failure);
    if (failure->status != sy_keyring_done) return;
    if (!exists) sy_keyring_fail(failure, sy_keyring_unavailable, no_collection);
    if (locked) sy_keyring_fail(failure, sy_keyring_locked, locked_collection);
}

void sy_keyring_store(
    sy_keyring *keyring, const char *cache, const char *label, const uint8_t *bytes, size_t count, int timeout_ms,
    sy_keyring_failure *failure) {
    GHashTable *attributes = keyring->lib->secret_attributes_build(&documents, "cache", cache, NULL);
    store(keyring, &documents, attributes, label, bytes, count, timeout_ms, failure);
}

void sy_keyring_store_aside(
    sy_keyring *keyring, const char *cache, const char *mark, const char *label, const uint8_t *bytes, size_t count,
    int timeout_ms, sy_keyring_failure *failure) {
    GHashTable *attributes = keyring->lib->secret_attributes_build(&set_aside, "cache", cache, "set-aside", mark, NULL);
    store(keyring, &set_aside, attributes, label, bytes, count, timeout_ms, failure);
}

void sy_keyring_clear(sy_keyring *keyring, const char *cache, int timeout_ms, sy_keyring_failure *failure) {
    const sy_libsecret *lib = keyring->lib;
    sy_attempt attempt;
    sy_attempt_begin(&attempt, lib, keyring->context, timeout_ms);
    GHashTable *attributes = keyring->lib->secret_attributes_build(&documents, "cache", cache, NULL);
    // FALSE without an error: there was nothing to remove.
    lib->secret_service_clear_sync(keyring->service, &documents, attributes, attempt.cancellable, &attempt.error);
    lib->g_hash_table_unref(attributes);
    sy_attempt_end(&attempt, failure);
}
