#define _GNU_SOURCE
#include "connection.h"

#include <arpa/inet.h>
#include <netinet/tcp.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

SSL_CTX *client_context(void) {
    SSL_CTX *context = SSL_CTX_new(TLS_client_method());
    if (context == NULL || SSL_CTX_set_min_proto_version(context, TLS1_3_VERSION) != 1 ||
        SSL_CTX_set_ciphersuites(context, "TLS_AES_128_GCM_SHA256") != 1 ||
        SSL_CTX_set1_groups_list(context, "X25519") != 1) {
        return NULL;
    }
    SSL_CTX_set_session_cache_mode(context, SSL_SESS_CACHE_OFF);
    return context;
}

bool connection_open(connection *self, const endpoint *to, SSL_CTX *context) {
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(to->port)};
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    int on = 1;
    self->ssl = NULL;
    self->filled = 0;
    self->fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (self->fd < 0) return false;
    setsockopt(self->fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    if (connect(self->fd, (struct sockaddr *)&address, sizeof address) != 0) goto failed;
    if (!to->tls) return true;
    self->ssl = SSL_new(context);
    if (self->ssl == NULL || SSL_set_fd(self->ssl, self->fd) != 1) goto failed;
    if (SSL_set_tlsext_host_name(self->ssl, "localhost") == 1 && SSL_connect(self->ssl) == 1) return true;
failed:
    connection_close(self);
    return false;
}

void connection_close(connection *self) {
    if (self->ssl != NULL) {
        SSL_shutdown(self->ssl);
        SSL_free(self->ssl);
        self->ssl = NULL;
    }
    if (self->fd >= 0) close(self->fd);
    self->fd = -1;
}

static bool write_all(connection *self, const char *bytes, size_t size) {
    while (size > 0) {
        ssize_t n = self->ssl ? SSL_write(self->ssl, bytes, (int)size) : write(self->fd, bytes, size);
        if (n <= 0) return false;
        bytes += n;
        size -= (size_t)n;
    }
    return true;
}

// Reads what there is, and keeps the buffer a C string.
static bool read_more(connection *self) {
    size_t room = sizeof self->buffer - 1 - self->filled;
    if (room == 0) return false;
    char *end = self->buffer + self->filled;
    ssize_t n = self->ssl ? SSL_read(self->ssl, end, (int)room) : read(self->fd, end, room);
    if (n <= 0) return false;
    self->filled += (size_t)n;
    self->buffer[self->filled] = 0;
    return true;
}

bool connection_exchange(connection *self, const char *request, answer *out) {
    return connection_send(self, request) && connection_receive(self, out);
}

bool connection_send(connection *self, const char *request) {
    return self->fd >= 0 && write_all(self, request, strlen(request));
}

bool connection_receive(connection *self, answer *out) {
    self->filled = 0;
    self->buffer[0] = 0;
    char *blank;
    while ((blank = strstr(self->buffer, "\r\n\r\n")) == NULL) {
        if (!read_more(self)) return false;
    }
    *blank = 0;
    *out = (answer){.head = self->buffer, .body = blank + 4};
    if (strncmp(self->buffer, "HTTP/1.1 ", 9) != 0) return false;
    out->status = atoi(self->buffer + 9);
    char length[24];
    if (!answer_field(out, "\r\nContent-Length: ", '\r', length, sizeof length)) return out->status == 204;
    size_t end = (size_t)(out->body - self->buffer) + strtoul(length, NULL, 10);
    while (self->filled < end) {
        if (!read_more(self)) return false;
    }
    return true;
}

bool answer_field(const answer *self, const char *name, char end, char *out, size_t size) {
    const char *value = strcasestr(self->head, name);
    if (value == NULL) return false;
    value += strlen(name);
    size_t length = 0;
    while (value[length] != 0 && value[length] != '\r' && value[length] != end) length++;
    if (length >= size) return false;
    memcpy(out, value, length);
    out[length] = 0;
    return true;
}
