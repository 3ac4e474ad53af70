// A blocking client connection to a loopback port, with as much HTTP/1.1 as the load driver needs.
#pragma once

#include <openssl/ssl.h>
#include <stdbool.h>
#include <stddef.h>

typedef struct endpoint {
    unsigned short port;
    bool tls;
} endpoint;

typedef struct connection {
    int fd;
    SSL *ssl;
    size_t filled;
    char buffer[64 << 10];
} connection;

// One response. The pointers last until the connection is used again.
typedef struct answer {
    int status;
    const char *head;  // status line and fields, ended by a zero byte
    const char *body;  // ended by a zero byte
} answer;

// Makes the TLS settings of every connection: TLS 1.3, one cipher suite and one group, no resumption.
SSL_CTX *client_context(void);

bool connection_open(connection *self, const endpoint *to, SSL_CTX *context);
void connection_close(connection *self);

// Sends a whole request.
bool connection_send(connection *self, const char *request);

// Reads the whole answer to the request that was sent. It must have a Content-Length.
bool connection_receive(connection *self, answer *out);

// Sends a whole request and reads the whole answer to it.
bool connection_exchange(connection *self, const char *request, answer *out);

// Copies the value of the first field with this name, written "\r\nName: ", up to the byte `end` or the line's end.
bool answer_field(const answer *self, const char *name, char end, char *out, size_t size);
