// The socket under a session: a BIO for each thread.
#include "SwitchyardCOpenSSL.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/types.h>

static int socket_read(BIO *bio, char *buffer, size_t size, size_t *done) {
    sy_socket_state *state = BIO_get_data(bio);
    *done = 0;
    BIO_clear_retry_flags(bio);
    if (state->input_left > 0) {
        size_t count = size < state->input_left ? size : state->input_left;
        memcpy(buffer, state->input, count);
        state->input += count;
        state->input_left -= count;
        *done = count;
        return 1;
    }
    if (!state->readable) {
        BIO_set_retry_read(bio);
        return 0;
    }
    ssize_t n;
    do {
        n = recv(state->fd, buffer, size, 0);
    } while (n < 0 && errno == EINTR);
    if (n > 0) {
        // A short read emptied the socket: the next byte, or the end, comes with a new edge.
        if ((size_t)n < size) state->readable = 0;
        *done = (size_t)n;
        return 1;
    }
    if (n < 0 && (errno == EAGAIN || errno == EWOULDBLOCK)) {
        state->readable = 0;
        BIO_set_retry_read(bio);
    } else if (n == 0) {
        state->end_of_file = 1;
    }
    return 0;
}

static int hold(sy_held_bytes *held, const char *buffer, size_t size) {
    if (held->count + size > held->capacity) {
        size_t capacity = held->count + size + 64;
        unsigned char *larger = realloc(held->bytes, capacity);
        if (larger == NULL) return 0;
        held->bytes = larger;
        held->capacity = capacity;
    }
    memcpy(held->bytes + held->count, buffer, size);
    held->count += size;
    return 1;
}

void sy_held_bytes_free(sy_held_bytes *held) {
    free(held->bytes);
    *held = (sy_held_bytes){0};
}

static int socket_write(BIO *bio, const char *buffer, size_t size, size_t *done) {
    sy_socket_state *state = BIO_get_data(bio);
    *done = 0;
    BIO_clear_retry_flags(bio);
    if (state->held != NULL) {
        if (!hold(state->held, buffer, size)) return 0;
        *done = size;
        return 1;
    }
    ssize_t n;
    do {
        n = send(state->fd, buffer, size, MSG_NOSIGNAL);
    } while (n < 0 && errno == EINTR);
    if (n > 0) {
        *done = (size_t)n;
        return 1;
    }
    if (n < 0 && (errno == EAGAIN || errno == EWOULDBLOCK)) {
        BIO_set_retry_write(bio);
    }
    return 0;
}

static long socket_control(BIO *bio, int command, long number, void *pointer) {
    sy_socket_state *state = BIO_get_data(bio);
    (void)number;
    (void)pointer;
    switch (command) {
        case BIO_CTRL_FLUSH:
        case BIO_CTRL_DUP:
            return 1;
        case BIO_CTRL_EOF:
            return state != NULL && state->end_of_file;
        default:
            return 0;
    }
}

static BIO_METHOD *socket_method(void) {
    static BIO_METHOD *method = NULL;
    BIO_METHOD *ready = __atomic_load_n(&method, __ATOMIC_ACQUIRE);
    if (ready != NULL) return ready;
    BIO_METHOD *fresh = BIO_meth_new(BIO_get_new_index() | BIO_TYPE_SOURCE_SINK, "switchyard socket");
    if (fresh == NULL) return NULL;
    BIO_meth_set_read_ex(fresh, socket_read);
    BIO_meth_set_write_ex(fresh, socket_write);
    BIO_meth_set_ctrl(fresh, socket_control);
    BIO_METHOD *expected = NULL;
    if (!__atomic_compare_exchange_n(&method, &expected, fresh, 0, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE)) {
        BIO_meth_free(fresh);  // another loop was first
        return expected;
    }
    return fresh;
}

BIO *sy_bio_new_socket(sy_socket_state *state) {
    BIO_METHOD *method = socket_method();
    BIO *bio = method == NULL ? NULL : BIO_new(method);
    if (bio == NULL) return NULL;
    BIO_set_data(bio, state);
    BIO_set_init(bio, 1);
    return bio;
}

// Each thread has one BIO for all sessions of its server. A session uses its BIO only while it reads or writes, and a
// BIO for each connection would cost memory and a lock for the connection's whole life.
static pthread_once_t bio_once = PTHREAD_ONCE_INIT;
static pthread_key_t bio_key;
static int has_bio_key = 0;

static void free_bio(void *bio) {
    BIO_free(bio);
}

static void make_bio_key(void) {
    has_bio_key = pthread_key_create(&bio_key, free_bio) == 0;
}

static BIO *thread_bio(void) {
    if (pthread_once(&bio_once, make_bio_key) != 0 || !has_bio_key) return NULL;
    BIO *bio = pthread_getspecific(bio_key);
    if (bio != NULL) return bio;
    bio = sy_bio_new_socket(NULL);
    if (bio == NULL) return NULL;
    if (pthread_setspecific(bio_key, bio) != 0) {
        BIO_free(bio);
        return NULL;
    }
    return bio;
}

int sy_ssl_use_thread(SSL *ssl) {
    BIO *bio = thread_bio();
    if (bio == NULL || BIO_up_ref(bio) != 1) return 0;
    SSL_set_bio(ssl, bio, bio);
    return 1;
}

void sy_ssl_attach(SSL *ssl, sy_socket_state *state) {
    BIO_set_data(SSL_get_rbio(ssl), state);
}

int sy_ssl_would_block(const SSL *ssl) {
    if (SSL_want_read(ssl)) return BIO_should_retry(SSL_get_rbio(ssl));
    if (SSL_want_write(ssl)) return BIO_should_retry(SSL_get_wbio(ssl));
    return 0;
}
