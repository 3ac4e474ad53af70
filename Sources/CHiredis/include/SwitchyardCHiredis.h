// hiredis: its reader and its formatter for the protocol of Redis; nothing that touches a socket.
#ifndef SWITCHYARD_CHIREDIS_H
#define SWITCHYARD_CHIREDIS_H

#include <hiredis/hiredis.h>
#include <stddef.h>

// Formats a command whose arguments stand one behind the other in `bytes`, `count` of them, each as long as `lengths`
// says. The text is at `*formatted` and belongs to the caller, who frees it with redisFreeCommand.
// Gives its length, or -1 when memory is short.
long sy_redis_format(
    char *_Nullable *_Nonnull formatted, const char *_Nonnull bytes, const size_t *_Nonnull lengths, int count);

// Limits of a reply: a server's numbers take no more memory than its bytes justify.
#define SY_REDIS_MAXIMUM_ELEMENTS 65536
#define SY_REDIS_MAXIMUM_DEPTH 7

// A reader that refuses arrays of more elements. NULL when memory is short. Freed with redisReaderFree.
redisReader *_Nullable sy_redis_reader(void);

// The next whole reply, which belongs to the caller, who frees it with freeReplyObject. NULL when there is none yet;
// `*failed` says whether what came is no reply at all, or one beyond the limits.
redisReply *_Nullable sy_redis_next_reply(redisReader *_Nonnull reader, int *_Nonnull failed);

// One element of an array reply.
redisReply *_Nullable sy_redis_element(const redisReply *_Nonnull reply, size_t index);

#endif
