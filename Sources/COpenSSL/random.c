// Random bytes, drawn by the block.
#include "SwitchyardCOpenSSL.h"

#include <limits.h>
#include <pthread.h>
#include <string.h>

enum { RANDOM_BLOCK = 512 };

static __thread struct {
    unsigned char bytes[RANDOM_BLOCK];
    size_t left;
    unsigned long process;
} drawn;

// Counts forks: a copy of this process must not give out the same bytes.
static unsigned long process = 1;
static pthread_once_t fork_once = PTHREAD_ONCE_INIT;
static int sees_forks = 0;

static void count_fork(void) {
    process++;
}

static void watch_forks(void) {
    sees_forks = pthread_atfork(NULL, NULL, count_fork) == 0;
}

int sy_random(unsigned char *out, size_t count) {
    if (pthread_once(&fork_once, watch_forks) != 0 || !sees_forks || count > RANDOM_BLOCK / 4) {
        return count <= INT_MAX ? RAND_bytes(out, (int)count) : 0;
    }
    if (drawn.process != process || drawn.left < count) {
        drawn.left = 0;
        if (RAND_bytes(drawn.bytes, RANDOM_BLOCK) != 1) return 0;
        drawn.left = RANDOM_BLOCK;
        drawn.process = process;
    }
    drawn.left -= count;
    memcpy(out, drawn.bytes + drawn.left, count);
    OPENSSL_cleanse(drawn.bytes + drawn.left, count);
    return 1;
}
