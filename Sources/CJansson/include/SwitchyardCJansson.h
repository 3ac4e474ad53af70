// libjansson: strict JSON reading. Only what Swift cannot call is wrapped here.
#ifndef SWITCHYARD_CJANSSON_H
#define SWITCHYARD_CJANSSON_H

#include <jansson.h>

// `json_decref` is inline around a macro-guarded counter.
static inline void sy_json_release(json_t *_Nonnull value) { json_decref(value); }
static inline int sy_json_type(const json_t *_Nonnull value) { return json_typeof(value); }

#endif
