// SQLite, and shims for the parts that Swift does not import.
#ifndef SWITCHYARD_CSQLITE_H
#define SWITCHYARD_CSQLITE_H

#include <sqlite3.h>
#include <stddef.h>

// Binds a copy of the bytes; their destructor is a cast that Swift cannot write.
static inline int sy_sqlite_bind_bytes(
    sqlite3_stmt *_Nonnull statement, int index, const void *_Nullable bytes, size_t count) {
    // A null pointer would bind NULL.
    return sqlite3_bind_blob64(statement, index, bytes ? bytes : "", count, SQLITE_TRANSIENT);
}

#endif
