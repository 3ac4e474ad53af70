#include "SwitchyardCHiredis.h"

#include <pthread.h>
#include <stdlib.h>

long sy_redis_format(char **formatted, const char *bytes, const size_t *lengths, int count) {
    const char **arguments = malloc(sizeof(*arguments) * (size_t)(count > 0 ? count : 1));
    if (arguments == NULL) return -1;
    for (int i = 0; i < count; i++) {
        arguments[i] = bytes;
        bytes += lengths[i];
    }
    int length = redisFormatCommandArgv(formatted, count, arguments, lengths);
    free(arguments);
    return length;
}

// --- Replies ------------------------------------------------------------------------------------------------------

#if HIREDIS_MAJOR >= 1
typedef size_t sy_element_count;
#else
typedef int sy_element_count;
#endif

static pthread_once_t limited_once = PTHREAD_ONCE_INIT;
static redisReplyObjectFunctions limited;
static void *(*create_array)(const redisReadTask *, sy_element_count);

// The library takes the memory for all elements when it reads their number.
static void *create_limited_array(const redisReadTask *task, sy_element_count count) {
    return count > SY_REDIS_MAXIMUM_ELEMENTS ? NULL : create_array(task, count);
}

static void make_limited(void) {
    redisReader *reader = redisReaderCreate();
    if (reader == NULL) return;
    limited = *reader->fn;
    create_array = limited.createArray;
    limited.createArray = create_limited_array;
    redisReaderFree(reader);
}

redisReader *sy_redis_reader(void) {
    pthread_once(&limited_once, make_limited);
    return create_array == NULL ? NULL : redisReaderCreateWithFunctions(&limited);
}

redisReply *sy_redis_next_reply(redisReader *reader, int *failed) {
    void *reply = NULL;
    *failed = redisReaderGetReply(reader, &reply) != REDIS_OK;
    // Newer versions of the library nest without a limit, and free nested replies by recursion.
    if (!*failed && reply == NULL && reader->ridx > SY_REDIS_MAXIMUM_DEPTH) *failed = 1;
    return reply;
}

redisReply *sy_redis_element(const redisReply *reply, size_t index) {
    return index < reply->elements ? reply->element[index] : NULL;
}
