/* Preloaded into a program: the disk below its database fails or stands still, and its clock is another, as the test says in a
 * file that both have mapped. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

struct control {
    volatile int64_t write_error; /* an errno; 0: none */
    volatile int64_t sync_error;
    volatile int64_t is_stalled;
    volatile int64_t seconds_ahead; /* of the wall clock */
    volatile int64_t failing_write; /* 1: the next one fails, once; 2: the one after that; 0: none */
    volatile int64_t failing_sync;
};

static struct control nothing;
static struct control *control = &nothing;
static const char *database;

__attribute__((constructor)) static void map(void) {
    const char *path = getenv("TEST_DISK_CONTROL");
    database = getenv("TEST_DISK_DATABASE");
    int file = path ? open(path, O_RDWR | O_CLOEXEC) : -1;
    if (file < 0) return;
    void *mapped = mmap(NULL, sizeof *control, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    if (mapped != MAP_FAILED) control = mapped;
    close(file);
}

static int is_ours(int file) {
    char link[64], path[4096];
    if (!database) return 0;
    snprintf(link, sizeof link, "/proc/self/fd/%d", file);
    ssize_t count = readlink(link, path, sizeof path - 1);
    if (count < 0) return 0;
    path[count] = 0;
    return strstr(path, database) != NULL;
}

/* Waits while the disk stands still, then says whether it fails. */
static int fails(int file, volatile int64_t *error, volatile int64_t *failing) {
    if (!*error && !*failing && !control->is_stalled) return 0;
    if (!is_ours(file)) return 0;
    if (*failing > 0 && __atomic_fetch_sub(failing, 1, __ATOMIC_SEQ_CST) == 1) {
        errno = EIO;
        return 1;
    }
    while (control->is_stalled) {
        struct timespec moment = {0, 20000000};
        nanosleep(&moment, NULL);
    }
    errno = (int)*error;
    return *error != 0;
}

#define NEXT(name) static __typeof__(&name) next; if (!next) next = (__typeof__(&name))dlsym(RTLD_NEXT, #name)

ssize_t pwrite64(int file, const void *bytes, size_t count, off64_t offset) {
    NEXT(pwrite64);
    return fails(file, &control->write_error, &control->failing_write) ? -1 : next(file, bytes, count, offset);
}

ssize_t pwrite(int file, const void *bytes, size_t count, off_t offset) {
    NEXT(pwrite);
    return fails(file, &control->write_error, &control->failing_write) ? -1 : next(file, bytes, count, offset);
}

int ftruncate64(int file, off64_t length) {
    NEXT(ftruncate64);
    return fails(file, &control->write_error, &control->failing_write) ? -1 : next(file, length);
}

int fdatasync(int file) {
    NEXT(fdatasync);
    return fails(file, &control->sync_error, &control->failing_sync) ? -1 : next(file);
}

int fsync(int file) {
    NEXT(fsync);
    return fails(file, &control->sync_error, &control->failing_sync) ? -1 : next(file);
}

int clock_gettime(clockid_t clock, struct timespec *time) {
    NEXT(clock_gettime);
    int result = next(clock, time);
    if (result == 0 && (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE)) time->tv_sec += control->seconds_ahead;
    return result;
}

int gettimeofday(struct timeval *time, void *zone) {
    NEXT(gettimeofday);
    int result = next(time, zone);
    if (result == 0) time->tv_sec += control->seconds_ahead;
    return result;
}

time_t time(time_t *out) {
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    if (out) *out = now.tv_sec;
    return now.tv_sec;
}
