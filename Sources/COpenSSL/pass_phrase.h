#ifndef SWITCHYARD_PASS_PHRASE_H
#define SWITCHYARD_PASS_PHRASE_H

#include <stddef.h>

// Answers for the person: by default OpenSSL asks for a pass phrase on the terminal, and stops the thread for good.
// `was_asked` is an int, or NULL.
static inline int refuse_to_ask(char *buffer, int size, int is_writing, void *was_asked) {
    (void)buffer, (void)size, (void)is_writing;
    if (was_asked != NULL) *(int *)was_asked = 1;
    return -1;
}

#endif
