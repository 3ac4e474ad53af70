// The memory that OpenSSL takes and gives back.
#include "SwitchyardCOpenSSL.h"

#include <malloc.h>
#include <stdlib.h>
#include <string.h>

// OpenSSL takes and returns the same blocks with every record and every handshake: record buffers, messages, contexts,
// the session itself. The C library keeps seven small blocks of a size for each thread, and merges and splits all
// others again and again. So each thread keeps more of them here: enough for some thirty handshakes at a time, each of
// which takes 60 KB. A block keeps its content, as in the C library; OpenSSL wipes secrets.
enum {
    LARGEST_KEPT = 32 << 10,
    GRAIN = 16,             // the step between the C library's sizes
    MOST_KEPT = 2 << 20,    // for each thread
};

typedef struct kept_block {
    struct kept_block *next;
} kept_block;

static __thread struct {
    kept_block *of_size[LARGEST_KEPT / GRAIN + 1];
    size_t total;
} kept;

// A block of the C library has room for a whole number of grains and half of one more.
static size_t room_of(size_t grains) {
    return grains * GRAIN + GRAIN / 2;
}

static void *take_block(size_t size, const char *file, int line) {
    (void)file, (void)line;
    if (size == 0) return NULL;
    size_t grains = (size + GRAIN / 2 - 1) / GRAIN;
    if (grains == 0) grains = 1;
    if (room_of(grains) > LARGEST_KEPT) return malloc(size);
    kept_block *block = kept.of_size[grains];
    if (block == NULL) return malloc(room_of(grains));
    kept.of_size[grains] = block->next;
    kept.total -= room_of(grains);
    return block;
}

static void give_block(void *pointer, const char *file, int line) {
    (void)file, (void)line;
    size_t room = pointer == NULL ? 0 : malloc_usable_size(pointer);
    if (room < room_of(1) || room > LARGEST_KEPT || kept.total + room > MOST_KEPT) {
        free(pointer);
        return;
    }
    size_t grains = (room - GRAIN / 2) / GRAIN;
    kept_block *block = pointer;
    block->next = kept.of_size[grains];
    kept.of_size[grains] = block;
    kept.total += room_of(grains);
}

static void *resize_block(void *pointer, size_t size, const char *file, int line) {
    if (pointer == NULL) return take_block(size, file, line);
    if (size == 0) {
        give_block(pointer, file, line);
        return NULL;
    }
    return realloc(pointer, size);
}

int sy_keep_blocks(void) {
    return CRYPTO_set_mem_functions(take_block, resize_block, give_block);
}
