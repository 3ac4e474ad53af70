#define _GNU_SOURCE  // explicit_bzero
#include <stdlib.h>
#include <string.h>

#include "attempt.h"

struct sy_keyring {
    GMainContext *context;
    SecretService *service;
};

static const SecretSchema documents = {
    .name = "org.switchyard.TokenCache",
    .flags = SECRET_SCHEMA_NONE,
    .attributes = {{"cache", SECRET_SCHEMA_ATTRIBUTE_STRING}},
};

// A schema of its own: a search for some attributes finds items that have more, so a copy set aside under the schema of
// the documents would be found, and replaced, as the document itself.
static const SecretSchema set_aside = {
    .name = "org.switchyard.TokenCache.SetAside",
    .flags = SECRET_SCHEMA_NONE,
    .attributes = {{"cache", SECRET_SCHEMA_ATTRIBUTE_STRING}, {"set-aside", SECRET_SCHEMA_ATTRIBUTE_STRING}},
};

// NULL and no error: there is none.
static SecretCollection *default_collection(sy_keyring *keyring, sy_attempt *attempt) {
    return secret_collection_for_alias_sync(
        keyring->service, SECRET_COLLECTION_DEFAULT, SECRET_COLLECTION_NONE, attempt->cancellable, &attempt->error);
}

// The items of a document, or of a copy; locked ones too. Not secret_service_lookup: that asks the person to unlock, and waits for
// the answer.
static GList *search(sy_keyring *keyring, const SecretSchema *schema, GHashTable *attributes, sy_attempt *attempt) {
    return secret_service_search_sync(
        keyring->service, schema, attributes, SECRET_SEARCH_ALL, attempt->cancellable, &attempt->error);
}

// An item's path is its collection's with one more part.
static gboolean is_in(gpointer item, SecretCollection *collection) {
    if (collection == NULL) return FALSE;
    const gchar *rest = g_dbus_proxy_get_object_path(item);
    const gchar *folder = g_dbus_proxy_get_object_path(G_DBUS_PROXY(collection));
    return g_str_has_prefix(rest, folder) && rest[strlen(folder)] == '/';
}

// There are two after the person made another collection the default one. What was written last is in the default one, if anything
// is there; locked or not: an older document would bring back accounts that have signed out since.
static SecretItem *newest(GList *items, SecretCollection *collection) {
    SecretItem *best = NULL;
    for (GList *item = items; item != NULL; item = item->next) {
        gboolean is_home = is_in(item->data, collection);
        gboolean is_best_home = best != NULL && is_in(best, collection);
        if (best == NULL || (is_home && !is_best_home) ||
            (is_home == is_best_home && secret_item_get_modified(item->data) > secret_item_get_modified(best))) {
            best = item->data;
        }
    }
    return best;
}

static const char no_collection[] = "the Secret Service has no default collection";
static const char locked_collection[] = "the default collection is locked";

sy_keyring *sy_keyring_open(int timeout_ms, sy_keyring_failure *failure) {
    sy_keyring *keyring = g_new0(sy_keyring, 1);
    keyring->context = g_main_context_new();
    sy_attempt attempt;
    sy_attempt_begin(&attempt, keyring->context, timeout_ms);
    SecretCollection *collection = NULL;

    GDBusConnection *bus = g_bus_get_sync(G_BUS_TYPE_SESSION, attempt.cancellable, &attempt.error);
    if (bus != NULL) {
        // GLib would end the process when the bus goes. That is not for a library to decide.
        g_dbus_connection_set_exit_on_close(bus, FALSE);
        // A service of our own, not the shared one: that one notices a new daemon only where somebody runs a main loop.
        keyring->service = secret_service_open_sync(
            SECRET_TYPE_SERVICE, NULL, SECRET_SERVICE_OPEN_SESSION, attempt.cancellable, &attempt.error);
    }
    if (keyring->service != NULL) collection = default_collection(keyring, &attempt);
    gboolean exists = collection != NULL;
    g_clear_object(&collection);
    g_clear_object(&bus);
    sy_attempt_end(&attempt, failure);

    if (failure->status == sy_keyring_done && !exists) {
        sy_keyring_fail(failure, sy_keyring_unavailable, no_collection);
    }
    if (failure->status == sy_keyring_done) return keyring;
    sy_keyring_close(keyring);
    return NULL;
}

void sy_keyring_close(sy_keyring *keyring) {
    g_clear_object(&keyring->service);
    g_main_context_unref(keyring->context);
    g_free(keyring);
}

static uint8_t *copy_of(SecretValue *value, size_t *count) {
    gsize length = 0;
    const gchar *bytes = secret_value_get(value, &length);
    uint8_t *copy = g_malloc(length > 0 ? length : 1);
    if (length > 0) memcpy(copy, bytes, length);
    *count = length;
    return copy;
}

uint8_t *sy_keyring_look_up(
    sy_keyring *keyring, const char *cache, int timeout_ms, size_t *count, sy_keyring_failure *failure) {
    sy_attempt attempt;
    sy_attempt_begin(&attempt, keyring->context, timeout_ms);
    GHashTable *attributes = secret_attributes_build(&documents, "cache", cache, NULL);
    SecretCollection *collection = default_collection(keyring, &attempt);
    GList *items = attempt.error == NULL ? search(keyring, &documents, attributes, &attempt) : NULL;
    SecretItem *item = newest(items, collection);
    uint8_t *bytes = NULL;
    gboolean is_locked = item != NULL && secret_item_get_locked(item);
    if (item != NULL && !is_locked && secret_item_load_secret_sync(item, attempt.cancellable, &attempt.error)) {
        SecretValue *value = secret_item_get_secret(item);
        if (value != NULL) {
            bytes = copy_of(value, count);
            secret_value_unref(value);
        }
    }
    gboolean is_silent = item != NULL && !is_locked && bytes == NULL;
    g_list_free_full(items, g_object_unref);
    g_clear_object(&collection);
    g_hash_table_unref(attributes);
    sy_attempt_end(&attempt, failure);
    if (failure->status != sy_keyring_done) {
        if (bytes != NULL) sy_keyring_free(bytes, *count);
        return NULL;
    }
    if (is_locked) sy_keyring_fail(failure, sy_keyring_locked, "the collection that holds it is locked");
    // It was there a moment ago: it was removed or locked meanwhile, and "none" might be wrong.
    if (is_silent) sy_keyring_fail(failure, sy_keyring_failed, "the Secret Service found the item and not its secret");
    return bytes;
}

void sy_keyring_free(uint8_t *bytes, size_t count) {
    explicit_bzero(bytes, count);
    g_free(bytes);
}

// What is left in other collections is older, and has tokens in it that should be gone. To unlock one would mean to ask the person,
// so what is locked stays: no look-up takes it while the default collection has a document.
static void remove_elsewhere(
    sy_keyring *keyring, const SecretSchema *schema, GHashTable *attributes, SecretCollection *collection, sy_attempt *attempt) {
    GList *items = search(keyring, schema, attributes, attempt);
    for (GList *item = items; item != NULL && attempt->error == NULL; item = item->next) {
        if (is_in(item->data, collection) || secret_item_get_locked(item->data)) continue;
        secret_item_delete_sync(item->data, attempt->cancellable, &attempt->error);
    }
    g_list_free_full(items, g_object_unref);
    // Whatever came of it: the document is written, which is what was asked for.
    g_clear_error(&attempt->error);
}

static void store(
    sy_keyring *keyring, const SecretSchema *schema, GHashTable *attributes, const char *label, const uint8_t *bytes,
    size_t count, int timeout_ms, sy_keyring_failure *failure) {
    sy_attempt attempt;
    sy_attempt_begin(&attempt, keyring->context, timeout_ms);
    // Beforehand, because libsecret would ask the person for a new collection, or to unlock this one.
    SecretCollection *collection = default_collection(keyring, &attempt);
    gboolean exists = collection != NULL;
    gboolean locked = exists && secret_collection_get_locked(collection);
    if (exists && !locked) {
        SecretValue *value =
            secret_value_new(count > 0 ? (const gchar *)bytes : "", (gssize)count, "application/octet-stream");
        if (secret_service_store_sync(
                keyring->service, schema, attributes, SECRET_COLLECTION_DEFAULT, label, value, attempt.cancellable,
                &attempt.error)) {
            remove_elsewhere(keyring, schema, attributes, collection, &attempt);
        }
        secret_value_unref(value);
    }
    g_clear_object(&collection);
    g_hash_table_unref(attributes);
    sy_attempt_end(&attempt, failure);
    if (failure->status != sy_keyring_done) return;
    if (!exists) sy_keyring_fail(failure, sy_keyring_unavailable, no_collection);
    if (locked) sy_keyring_fail(failure, sy_keyring_locked, locked_collection);
}

void sy_keyring_store(
    sy_keyring *keyring, const char *cache, const char *label, const uint8_t *bytes, size_t count, int timeout_ms,
    sy_keyring_failure *failure) {
    GHashTable *attributes = secret_attributes_build(&documents, "cache", cache, NULL);
    store(keyring, &documents, attributes, label, bytes, count, timeout_ms, failure);
}

void sy_keyring_store_aside(
    sy_keyring *keyring, const char *cache, const char *mark, const char *label, const uint8_t *bytes, size_t count,
    int timeout_ms, sy_keyring_failure *failure) {
    GHashTable *attributes = secret_attributes_build(&set_aside, "cache", cache, "set-aside", mark, NULL);
    store(keyring, &set_aside, attributes, label, bytes, count, timeout_ms, failure);
}

void sy_keyring_clear(sy_keyring *keyring, const char *cache, int timeout_ms, sy_keyring_failure *failure) {
    sy_attempt attempt;
    sy_attempt_begin(&attempt, keyring->context, timeout_ms);
    GHashTable *attributes = secret_attributes_build(&documents, "cache", cache, NULL);
    // FALSE without an error: there was nothing to remove.
    secret_service_clear_sync(keyring->service, &documents, attributes, attempt.cancellable, &attempt.error);
    g_hash_table_unref(attributes);
    sy_attempt_end(&attempt, failure);
}
