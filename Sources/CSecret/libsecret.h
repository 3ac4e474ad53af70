// The functions of libsecret, GIO and GLib that the keyring needs. They are loaded for the first keyring, because a
// gateway needs none of them. They are declared here, so that a build needs none of these libraries; their binary
// interface has been the same since libsecret 0.18 and GLib 2.44.
#ifndef SWITCHYARD_CSECRET_LIBSECRET_H
#define SWITCHYARD_CSECRET_LIBSECRET_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

typedef struct GMainContext GMainContext;
typedef struct GHashTable GHashTable;
typedef struct GCancellable GCancellable;
typedef struct GDBusConnection GDBusConnection;
typedef struct SecretService SecretService;
typedef struct SecretCollection SecretCollection;
typedef struct SecretItem SecretItem;
typedef struct SecretValue SecretValue;

typedef struct GError {
    uint32_t domain;
    int code;
    char *message;
} GError;

typedef struct GList {
    void *data;
    struct GList *next, *previous;
} GList;

typedef struct SecretSchema {
    const char *name;
    int flags;
    struct {
        const char *name;
        int type;
    } attributes[32];
    int reserved;
    void *more_reserved[7];
} SecretSchema;

// Values of their enumerations.
enum { SCHEMA_NONE = 0, ATTRIBUTE_STRING = 0, SEARCH_ALL = 2, OPEN_SESSION = 2, COLLECTION_NONE = 0, SESSION_BUS = 2 };
enum { SECRET_IS_LOCKED = 2 };
enum { IO_PERMISSION_DENIED = 14, IO_CLOSED = 18, IO_CANCELLED = 19, IO_TIMED_OUT = 24, IO_DBUS_ERROR = 36, IO_BROKEN_PIPE = 44 };
enum {
    DBUS_FAILED = 0,
    DBUS_NO_MEMORY = 1,
    DBUS_NO_REPLY = 4,
    DBUS_LIMITS_EXCEEDED = 8,
    DBUS_ACCESS_DENIED = 9,
    DBUS_AUTH_FAILED = 10,
    DBUS_TIMEOUT = 12,
    DBUS_DISCONNECTED = 15,
    DBUS_INVALID_ARGS = 16,
    DBUS_TIMED_OUT = 20,
};

#define SY_LIBSECRET_FUNCTIONS(X)                                                                                       \
    X(void, g_object_unref, (void *))                                                                                   \
    X(void, g_error_free, (GError *))                                                                                   \
    X(void, g_list_free_full, (GList *, void (*)(void *)))                                                              \
    X(void, g_hash_table_unref, (GHashTable *))                                                                         \
    X(GMainContext *, g_main_context_new, (void))                                                                       \
    X(void, g_main_context_unref, (GMainContext *))                                                                     \
    X(void, g_main_context_push_thread_default, (GMainContext *))                                                       \
    X(void, g_main_context_pop_thread_default, (GMainContext *))                                                        \
    X(int, g_main_context_iteration, (GMainContext *, int))                                                             \
    X(GCancellable *, g_cancellable_new, (void))                                                                        \
    X(void, g_cancellable_cancel, (GCancellable *))                                                                     \
    X(uint32_t, g_io_error_quark, (void))                                                                               \
    X(uint32_t, g_dbus_error_quark, (void))                                                                             \
    X(int, g_dbus_error_strip_remote_error, (GError *))                                                                 \
    X(GDBusConnection *, g_bus_get_sync, (int, GCancellable *, GError **))                                              \
    X(void, g_dbus_connection_set_exit_on_close, (GDBusConnection *, int))                                              \
    X(const char *, g_dbus_proxy_get_object_path, (void *))                                                             \
    X(uint32_t, secret_error_get_quark, (void))                                                                         \
    X(size_t, secret_service_get_type, (void))                                                                          \
    X(SecretService *, secret_service_open_sync, (size_t, const char *, int, GCancellable *, GError **))                \
    X(GList *, secret_service_search_sync,                                                                              \
      (SecretService *, const SecretSchema *, GHashTable *, int, GCancellable *, GError **))                            \
    X(int, secret_service_store_sync,                                                                                   \
      (SecretService *, const SecretSchema *, GHashTable *, const char *, const char *, SecretValue *, GCancellable *,  \
       GError **))                                                                                                      \
    X(int, secret_service_clear_sync, (SecretService *, const SecretSchema *, GHashTable *, GCancellable *, GError **)) \
    X(SecretCollection *, secret_collection_for_alias_sync,                                                             \
      (SecretService *, const char *, int, GCancellable *, GError **))                                                  \
    X(int, secret_collection_get_locked, (SecretCollection *))                                                          \
    X(uint64_t, secret_item_get_modified, (SecretItem *))                                                               \
    X(int, secret_item_get_locked, (SecretItem *))                                                                      \
    X(int, secret_item_load_secret_sync, (SecretItem *, GCancellable *, GError **))                                     \
    X(SecretValue *, secret_item_get_secret, (SecretItem *))                                                            \
    X(int, secret_item_delete_sync, (SecretItem *, GCancellable *, GError **))                                          \
    X(SecretValue *, secret_value_new, (const char *, ssize_t, const char *))                                           \
    X(const char *, secret_value_get, (SecretValue *, size_t *))                                                        \
    X(void, secret_value_unref, (void *))                                                                               \
    X(GHashTable *, secret_attributes_build, (const SecretSchema *, ...))

typedef struct sy_libsecret {
#define SY_POINTER(result, name, parameters) result(*name) parameters;
    SY_LIBSECRET_FUNCTIONS(SY_POINTER)
#undef SY_POINTER
} sy_libsecret;

// The functions; NULL if the library is missing, with the loader's message in `problem`. Any thread.
const sy_libsecret *sy_libsecret_load(const char **problem);

#endif
