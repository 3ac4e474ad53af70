#include "libsecret.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>

static pthread_once_t once = PTHREAD_ONCE_INIT;
static sy_libsecret functions;
static int is_loaded;
static char problem[200];

// Never unloaded: GLib keeps threads and types for as long as the process lives.
static void load(void) {
    void *library = dlopen("libsecret-1.so.0", RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
    int found = library != NULL;
    // dlsym also finds the symbols of the libraries that it needs: GIO, GObject and GLib.
#define SY_LOAD(result, name, parameters) \
    if (found) found = (*(void **)&functions.name = dlsym(library, #name)) != NULL;
    SY_LIBSECRET_FUNCTIONS(SY_LOAD)
#undef SY_LOAD
    const char *words = found ? NULL : dlerror();
    if (!found) snprintf(problem, sizeof problem, "%s", words != NULL ? words : "libsecret-1.so.0 is incomplete");
    is_loaded = found;
}

const sy_libsecret *sy_libsecret_load(const char **reason) {
    pthread_once(&once, load);
    *reason = problem;
    return is_loaded ? &functions : NULL;
}
