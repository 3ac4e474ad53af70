// hiredis: its reader and its formatter for the protocol of Redis; nothing that touches a socket.
#ifndef SWITCHYARD_CHIREDIS_H
#define SWITCHYARD_CHIREDIS_H

#include <hiredis/hiredis.h>
#include <stddef.h>

// Formats a command of `count` arguments, which follow one another in `bytes` and have these `lengths`. The text is at
// `*formatted`; the caller frees it with redisFreeCommand. Returns its length, or -1 if memory is short.
long sy_redis_format(
    char *_Nullable *_Nonnull formatted, const char *_Nonnull bytes, const size_t *_Nonnull lengths, int count);

// Limits of a reply: a server's numbers take no more memory than its bytes justify.
#define SY_REDIS_MAXIMUM_ELEMENTS 65536
#define SY_REDIS_MAXIMUM_DEPTH 7

// Makes a reader that refuses arrays of more elements. NULL if memory is short. The caller frees it with
// redisReaderFree.
redisReader *_Nullable sy_redis_reader(void);

// The next whole reply; the caller frees it with freeReplyObject. NULL if there is none yet. `*failed` tells bytes that
// are no reply, or a reply above the limits.
redisReply *_Nullable sy_redis_next_reply(redisReader *_Nonnull reader, int *_Nonnull failed);

// One element of an array reply.
redisReply *_Nullable sy_redis_element(const redisReply *_Nonnull reply, size_t index);

#endif
