#include "SwitchyardCHiredis.h"

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

redisReply *sy_redis_next_reply(redisReader *reader, int *failed) {
    void *reply = NULL;
    *failed = redisReaderGetReply(reader, &reply) != REDIS_OK;
    return reply;
}

redisReply *sy_redis_element(const redisReply *reply, size_t index) {
    return index < reply->elements ? reply->element[index] : NULL;
}
