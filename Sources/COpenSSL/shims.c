// For SHA256_Init and its like. OpenSSL 3.0 deprecates them for functions that look the algorithm up each time.
#define OPENSSL_SUPPRESS_DEPRECATED

#include "SwitchyardCOpenSSL.h"

#include <arpa/inet.h>
#include <errno.h>
#include <limits.h>
#include <malloc.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/types.h>
#include <time.h>

#include <openssl/sha.h>

// --- Memory -------------------------------------------------------------------------------------------------------

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

// --- The socket BIO -----------------------------------------------------------------------------------------------

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

// Empties the key; the session keeps its shell.
static void wipe(EVP_PKEY *key) {
    (void)EVP_PKEY_set_type(key, EVP_PKEY_get_id(key));
    EVP_PKEY_free(key);
}

static void wipe_exchange(SSL *ssl) {
    EVP_PKEY *key = NULL;
    if (SSL_get_tmp_key(ssl, &key) == 1) wipe(key);
    if (SSL_get_peer_tmp_key(ssl, &key) == 1) wipe(key);
}

// A context without certificates, with the same method as sessions that have agreed on TLS 1.3. The first of them makes
// it, and all share it.
static SSL_CTX *settled_context(const SSL *ssl) {
    static SSL_CTX *context = NULL;
    SSL_CTX *ready = __atomic_load_n(&context, __ATOMIC_ACQUIRE);
    if (ready != NULL) return ready;
    SSL_CTX *fresh = SSL_CTX_new(SSL_get_ssl_method(ssl));
    if (fresh == NULL) return NULL;
    SSL_CTX *expected = NULL;
    if (!__atomic_compare_exchange_n(&context, &expected, fresh, 0, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE)) {
        SSL_CTX_free(fresh);  // another loop was first
        return expected;
    }
    return fresh;
}

// The record of a session (1 KB with its lock) serves resumption, which is off, and holds the client's certificate.
// SSL_set_session frees it, and leaves the connection alone only if the session's method is that of its context. Hence
// the other context, which also holds no chain of certificates. This is seen in 3.0. Newer versions keep the first
// method elsewhere, and would begin anew. The version is asked at run time, because a newer library can come without a
// new build of this program.
static void drop_record(SSL *ssl) {
    enum { SERIES_3_0 = 0x300 };
    if (OpenSSL_version_num() >> 20 != SERIES_3_0 || SSL_version(ssl) != TLS1_3_VERSION) return;
    SSL_SESSION *record = SSL_get_session(ssl);
    // The record's only other content is the size that the client wants for its records.
    if (record == NULL || SSL_SESSION_get0_peer(record) != NULL) return;
    if (SSL_SESSION_get_max_fragment_length(record) != TLSEXT_max_fragment_length_DISABLED) return;
    SSL_CTX *context = settled_context(ssl);
    if (context == NULL || SSL_get_ssl_method(ssl) != SSL_CTX_get_ssl_method(context)) return;
    if (SSL_set_SSL_CTX(ssl, context) == context) (void)SSL_set_session(ssl, NULL);
}

// Counts the KeyUpdate messages of a client. Each costs us 7 microseconds and the client 27 bytes, so their number is
// limited. A session whose peer has shut down reads no further record. The messages themselves are counted: the states
// in which OpenSSL reads one differ between its versions.
static void count_key_update(
    int is_sent, int version, int type, const void *message, size_t length, SSL *ssl, void *argument) {
    (void)version;
    (void)argument;
    if (is_sent || type != SSL3_RT_HANDSHAKE || length == 0) return;
    if (*(const unsigned char *)message != SSL3_MT_KEY_UPDATE) return;
    sy_socket_state *state = BIO_get_data(SSL_get_rbio(ssl));
    if (state == NULL || state->key_updates++ < SY_MOST_KEY_UPDATES) return;
    state->key_updates = SY_MOST_KEY_UPDATES;
    SSL_set_shutdown(ssl, SSL_get_shutdown(ssl) | SSL_RECEIVED_SHUTDOWN);
}

void sy_ssl_settle(SSL *ssl) {
    SSL_set_msg_callback(ssl, count_key_update);
    wipe_exchange(ssl);  // OpenSSL tells of these keys only as long as there is a record
    drop_record(ssl);
    ERR_clear_error();
}

// --- Random bytes -------------------------------------------------------------------------------------------------

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

// --- Digests ------------------------------------------------------------------------------------------------------

void sy_sha256(const unsigned char *data, size_t length, unsigned char *out) {
    SHA256_CTX state;
    SHA256_Init(&state);
    SHA256_Update(&state, data, length);
    SHA256_Final(out, &state);
    OPENSSL_cleanse(&state, sizeof(state));
}

void sy_hmac_sha256(
    const unsigned char *key, size_t key_length, const unsigned char *data, size_t length, unsigned char *out) {
    unsigned char block[SHA256_CBLOCK] = {0};
    if (key_length > sizeof(block)) {
        sy_sha256(key, key_length, block);
    } else if (key_length > 0) {
        memcpy(block, key, key_length);
    }
    SHA256_CTX state;
    for (size_t i = 0; i < sizeof(block); i++) block[i] ^= 0x36;
    SHA256_Init(&state);
    SHA256_Update(&state, block, sizeof(block));
    SHA256_Update(&state, data, length);
    SHA256_Final(out, &state);
    for (size_t i = 0; i < sizeof(block); i++) block[i] ^= 0x36 ^ 0x5c;
    SHA256_Init(&state);
    SHA256_Update(&state, block, sizeof(block));
    SHA256_Update(&state, out, SHA256_DIGEST_LENGTH);
    SHA256_Final(out, &state);
    OPENSSL_cleanse(&state, sizeof(state));
    OPENSSL_cleanse(block, sizeof(block));
}

// --- Contexts -----------------------------------------------------------------------------------------------------

// Key exchange that resists quantum computers comes first, if this OpenSSL has it (from 3.5 on).
static int set_groups(SSL_CTX *context) {
    ERR_set_mark();
    int done = SSL_CTX_set1_groups_list(context, "X25519MLKEM768:X25519:P-256:P-384") == 1;
    ERR_pop_to_mark();
    return done || SSL_CTX_set1_groups_list(context, "X25519:P-256:P-384") == 1;
}

int sy_ssl_ctx_harden(SSL_CTX *context) {
    // Resumption is off: a sign-in is one connection, and ticket keys would need rotation for forward secrecy.
    SSL_CTX_set_options(context, SSL_OP_NO_COMPRESSION | SSL_OP_NO_RENEGOTIATION | SSL_OP_NO_TICKET);
    // The server's order counts, cheapest first. A client that puts ChaCha20 first has no hardware for AES, and gets
    // ChaCha20.
    SSL_CTX_set_options(context, SSL_OP_CIPHER_SERVER_PREFERENCE | SSL_OP_PRIORITIZE_CHACHA);
    SSL_CTX_set_session_cache_mode(context, SSL_SESS_CACHE_OFF);
    SSL_CTX_set_num_tickets(context, 0);
    SSL_CTX_set_mode(context, SSL_MODE_RELEASE_BUFFERS | SSL_MODE_ENABLE_PARTIAL_WRITE |
                                  SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER);
    SSL_CTX_set_read_ahead(context, 1);
    return SSL_CTX_set_min_proto_version(context, TLS1_2_VERSION) == 1 &&
           SSL_CTX_set_max_proto_version(context, TLS1_3_VERSION) == 1 &&
           set_groups(context) &&
           SSL_CTX_set_ciphersuites(
               context, "TLS_AES_128_GCM_SHA256:TLS_AES_256_GCM_SHA384:TLS_CHACHA20_POLY1305_SHA256") == 1 &&
           SSL_CTX_set_cipher_list(
               context,
               "ECDHE-ECDSA-AES128-GCM-SHA256:ECDHE-RSA-AES128-GCM-SHA256:ECDHE-ECDSA-AES256-GCM-SHA384:"
               "ECDHE-RSA-AES256-GCM-SHA384:ECDHE-ECDSA-CHACHA20-POLY1305:ECDHE-RSA-CHACHA20-POLY1305") == 1;
}

int sy_ssl_ctx_harden_client(SSL_CTX *context) {
    SSL_CTX_set_verify(context, SSL_VERIFY_PEER, NULL);
    return sy_ssl_ctx_harden(context);
}

int sy_ssl_expect_host(SSL *ssl, const char *host) {
    X509_VERIFY_PARAM *parameters = SSL_get0_param(ssl);
    // An IP address is compared as an address, and is not sent in the handshake (RFC 6066 section 3).
    if (X509_VERIFY_PARAM_set1_ip_asc(parameters, host) == 1) return 1;
    ERR_clear_error();
    X509_VERIFY_PARAM_set_hostflags(parameters, X509_CHECK_FLAG_NO_PARTIAL_WILDCARDS);
    return X509_VERIFY_PARAM_set1_host(parameters, host, 0) == 1 && SSL_set_tlsext_host_name(ssl, host) == 1;
}

typedef struct alpn_list {
    unsigned int length;
    unsigned char names[];
} alpn_list;

static void free_owned(void *parent, void *pointer, CRYPTO_EX_DATA *data, int index, long argl, void *argp) {
    (void)parent, (void)data, (void)index, (void)argl, (void)argp;
    OPENSSL_free(pointer);
}

// The index for data that a context owns. It is taken once, because OpenSSL takes no index back and each reload makes
// new contexts.
static CRYPTO_ONCE places_once = CRYPTO_ONCE_STATIC_INIT;
static int alpn_place = -1, chooser_place = -1;

static void take_places(void) {
    alpn_place = SSL_CTX_get_ex_new_index(0, NULL, NULL, NULL, free_owned);
    chooser_place = SSL_CTX_get_ex_new_index(0, NULL, NULL, NULL, free_owned);
}

static int has_places(void) {
    return CRYPTO_THREAD_run_once(&places_once, take_places) && alpn_place >= 0 && chooser_place >= 0;
}

static int choose_protocol(SSL *ssl, const unsigned char **out, unsigned char *out_length, const unsigned char *in,
                           unsigned int in_length, void *arg) {
    (void)ssl;
    alpn_list *list = arg;
    int result = SSL_select_next_proto((unsigned char **)out, out_length, list->names, list->length, in, in_length);
    // RFC 7301 section 3.2: no common protocol is a fatal alert, never a silent fall-back.
    return result == OPENSSL_NPN_NEGOTIATED ? SSL_TLSEXT_ERR_OK : SSL_TLSEXT_ERR_ALERT_FATAL;
}

int sy_ssl_ctx_set_alpn(SSL_CTX *context, const unsigned char *protocols, unsigned int length) {
    alpn_list *list = !has_places() ? NULL : OPENSSL_malloc(sizeof(alpn_list) + length);
    if (list == NULL) return 0;
    list->length = length;
    memcpy(list->names, protocols, length);
    if (SSL_CTX_set_ex_data(context, alpn_place, list) != 1) {
        OPENSSL_free(list);
        return 0;
    }
    SSL_CTX_set_alpn_select_cb(context, choose_protocol, list);
    return 1;
}

typedef struct chooser {
    sy_choose_context choose;
    void *arg;
} chooser;

static int choose_by_name(SSL *ssl, int *alert, void *arg) {
    (void)alert;
    chooser *c = arg;
    SSL_CTX *chosen = c->choose(c->arg, SSL_get_servername(ssl, TLSEXT_NAMETYPE_host_name));
    if (chosen != NULL) SSL_set_SSL_CTX(ssl, chosen);
    return SSL_TLSEXT_ERR_OK;
}

int sy_ssl_ctx_set_chooser(SSL_CTX *context, sy_choose_context choose, void *arg) {
    chooser *c = !has_places() ? NULL : OPENSSL_malloc(sizeof(chooser));
    if (c == NULL) return 0;
    c->choose = choose;
    c->arg = arg;
    if (SSL_CTX_set_ex_data(context, chooser_place, c) != 1) {
        OPENSSL_free(c);
        return 0;
    }
    SSL_CTX_set_tlsext_servername_callback(context, choose_by_name);
    SSL_CTX_set_tlsext_servername_arg(context, c);
    return 1;
}

// Answers for the person: by default OpenSSL asks for a pass phrase on the terminal, and stops the thread for good.
// `was_asked` is an int, or NULL.
static int refuse_to_ask(char *buffer, int size, int is_writing, void *was_asked) {
    (void)buffer, (void)size, (void)is_writing;
    if (was_asked != NULL) *(int *)was_asked = 1;
    return -1;
}

long sy_ssl_ctx_use_chain_file(SSL_CTX *context, const char *path) {
    SSL_CTX_set_default_passwd_cb(context, refuse_to_ask);
    return SSL_CTX_use_certificate_chain_file(context, path);
}

int sy_ssl_ctx_use_key_file(SSL_CTX *context, const char *path) {
    int was_asked = 0;
    SSL_CTX_set_default_passwd_cb(context, refuse_to_ask);
    SSL_CTX_set_default_passwd_cb_userdata(context, &was_asked);
    int result = SSL_CTX_use_PrivateKey_file(context, path, SSL_FILETYPE_PEM);
    SSL_CTX_set_default_passwd_cb_userdata(context, NULL);
    return result == 1 ? 1 : was_asked ? -1 : 0;
}

// --- Client certificates ------------------------------------------------------------------------------------------

// No authority issues a longer chain. A handshake with one fails.
enum { LONGEST_CLIENT_CHAIN = 32 << 10, DEEPEST_CLIENT_CHAIN = 8 };

// The handshake verifies nothing: the app, which is not known yet, names the authorities that count.
static int accept_any_certificate(X509_STORE_CTX *verification, void *arg) {
    (void)arg;
    X509_STORE_CTX_set_error(verification, X509_V_OK);
    return 1;
}

int sy_ssl_ctx_request_certificate(SSL_CTX *context) {
    static const unsigned char name[] = "switchyard";
    SSL_CTX_set_verify(context, SSL_VERIFY_PEER, NULL);
    SSL_CTX_set_cert_verify_callback(context, accept_any_certificate, NULL);
    SSL_CTX_set_max_cert_list(context, LONGEST_CLIENT_CHAIN);
    return SSL_CTX_set_session_id_context(context, name, sizeof(name) - 1);
}

X509 *sy_ssl_copy_certificate(const SSL *ssl) {
    return SSL_get1_peer_certificate(ssl);
}

STACK_OF(X509) *sy_ssl_copy_chain(const SSL *ssl) {
    STACK_OF(X509) *chain = SSL_get_peer_cert_chain(ssl);
    return chain == NULL ? NULL : X509_chain_up_ref(chain);
}

void sy_x509_chain_free(STACK_OF(X509) *chain) {
    sk_X509_pop_free(chain, X509_free);
}

int sy_x509_store_add_pem(X509_STORE *store, const unsigned char *pem, size_t length) {
    BIO *bio = length > INT_MAX ? NULL : BIO_new_mem_buf(pem, (int)length);
    if (bio == NULL) return -1;
    int count = 0;
    X509 *certificate;
    while ((certificate = PEM_read_bio_X509(bio, NULL, refuse_to_ask, NULL)) != NULL) {
        int added = X509_STORE_add_cert(store, certificate);
        X509_free(certificate);
        if (added != 1) {
            BIO_free(bio);
            return -1;
        }
        count++;
    }
    BIO_free(bio);
    // At the end of the file, OpenSSL reports a missing first line.
    if (ERR_GET_REASON(ERR_peek_last_error()) != PEM_R_NO_START_LINE) return -1;
    ERR_clear_error();
    return count;
}

int sy_x509_store_vouches(X509_STORE *store, X509 *certificate, STACK_OF(X509) *chain) {
    X509_STORE_CTX *verification = X509_STORE_CTX_new();
    if (verification == NULL) return 0;
    int vouches = 0;
    if (X509_STORE_CTX_init(verification, store, certificate, chain) == 1) {
        X509_VERIFY_PARAM *rules = X509_STORE_CTX_get0_param(verification);
        // A certificate that the operator lists is trusted itself, also without the root above it.
        X509_VERIFY_PARAM_set_flags(rules, X509_V_FLAG_PARTIAL_CHAIN);
        X509_VERIFY_PARAM_set_depth(rules, DEEPEST_CLIENT_CHAIN);
        // 112 bits of security: no RSA below 2048 bits, no SHA-1.
        X509_VERIFY_PARAM_set_auth_level(rules, 2);
        if (X509_STORE_CTX_set_purpose(verification, X509_PURPOSE_SSL_CLIENT) == 1) {
            vouches = X509_verify_cert(verification) == 1;
        }
    }
    X509_STORE_CTX_free(verification);
    ERR_clear_error();
    return vouches;
}

// --- What certificates say of themselves ---------------------------------------------------------------------------

static BIO *bio_of_pem(const unsigned char *pem, size_t length) {
    return length > INT_MAX ? NULL : BIO_new_mem_buf(pem, (int)length);
}

static int seconds_of(const ASN1_TIME *date, int64_t *seconds) {
    struct tm parts;
    if (ASN1_TIME_to_tm(date, &parts) != 1) return 0;
    *seconds = timegm(&parts);
    return 1;
}

int sy_pem_read_dates(const unsigned char *pem, size_t length, int64_t *from, int64_t *until) {
    BIO *bio = bio_of_pem(pem, length);
    if (bio == NULL) return 0;
    int count = 0;
    *from = INT64_MIN;
    *until = INT64_MAX;
    X509 *certificate;
    while ((certificate = PEM_read_bio_X509_AUX(bio, NULL, refuse_to_ask, NULL)) != NULL) {
        int64_t begin, end;
        int dated = seconds_of(X509_get0_notBefore(certificate), &begin)
            && seconds_of(X509_get0_notAfter(certificate), &end);
        X509_free(certificate);
        if (!dated) {
            count = -1;
            break;
        }
        if (begin > *from) *from = begin;
        if (end < *until) *until = end;
        count++;
    }
    BIO_free(bio);
    // At the end of the file, OpenSSL reports a missing first line.
    if (count >= 0 && ERR_GET_REASON(ERR_peek_last_error()) != PEM_R_NO_START_LINE) return -1;
    ERR_clear_error();
    return count;
}

int sy_pem_count(const unsigned char *pem, size_t length) {
    int64_t from, until;
    return sy_pem_read_dates(pem, length, &from, &until);
}

int sy_pem_verify(X509_STORE *store, const unsigned char *pem, size_t length) {
    BIO *bio = bio_of_pem(pem, length);
    STACK_OF(X509) *chain = sk_X509_new_null();
    X509_STORE_CTX *verification = X509_STORE_CTX_new();
    int result = X509_V_ERR_OUT_OF_MEM;
    if (bio == NULL || chain == NULL || verification == NULL) goto done;
    X509 *certificate;
    while ((certificate = PEM_read_bio_X509_AUX(bio, NULL, refuse_to_ask, NULL)) != NULL) {
        if (sk_X509_push(chain, certificate) == 0) {
            X509_free(certificate);
            goto done;
        }
    }
    if (X509_STORE_CTX_init(verification, store, sk_X509_value(chain, 0), chain) != 1) goto done;
    X509_VERIFY_PARAM *rules = X509_STORE_CTX_get0_param(verification);
    // Other code checks the dates, so that other faults show too.
    X509_VERIFY_PARAM_set_flags(rules, X509_V_FLAG_NO_CHECK_TIME | X509_V_FLAG_TRUSTED_FIRST);
    // 112 bits of security, as browsers want: no RSA below 2048 bits, no SHA-1.
    X509_VERIFY_PARAM_set_auth_level(rules, 2);
    if (X509_STORE_CTX_set_purpose(verification, X509_PURPOSE_SSL_SERVER) != 1) goto done;
    result = X509_verify_cert(verification) == 1 ? X509_V_OK : X509_STORE_CTX_get_error(verification);
done:
    X509_STORE_CTX_free(verification);
    sk_X509_pop_free(chain, X509_free);
    BIO_free(bio);
    ERR_clear_error();
    return result;
}

static X509 *first_of_pem(const unsigned char *pem, size_t length) {
    BIO *bio = bio_of_pem(pem, length);
    if (bio == NULL) return NULL;
    X509 *certificate = PEM_read_bio_X509_AUX(bio, NULL, refuse_to_ask, NULL);
    BIO_free(bio);
    ERR_clear_error();
    return certificate;
}

int sy_pem_is_for(const unsigned char *pem, size_t length, const char *host) {
    X509 *certificate = first_of_pem(pem, length);
    if (certificate == NULL) return 0;
    // -2 says that it is no address.
    int fits = X509_check_ip_asc(certificate, host, 0);
    if (fits == -2) fits = X509_check_host(certificate, host, 0, X509_CHECK_FLAG_NEVER_CHECK_SUBJECT, NULL);
    X509_free(certificate);
    ERR_clear_error();
    return fits == 1;
}

// Gives the name as text, in `text` or in place; 0 for a name that is no DNS name and no address, or not visible ASCII.
static size_t text_of(const GENERAL_NAME *name, char *text, size_t capacity) {
    int type;
    const ASN1_STRING *value = GENERAL_NAME_get0_value(name, &type);
    const unsigned char *bytes = value == NULL ? NULL : ASN1_STRING_get0_data(value);
    size_t length = value == NULL ? 0 : (size_t)ASN1_STRING_length(value);
    if (type == GEN_IPADD && (length == 4 || length == 16)) {
        return inet_ntop(length == 4 ? AF_INET : AF_INET6, bytes, text, (socklen_t)capacity) == NULL ? 0 : strlen(text);
    }
    if (type != GEN_DNS || length > capacity) return 0;
    for (size_t i = 0; i < length; i++) {
        if (bytes[i] <= 0x20 || bytes[i] >= 0x7F) return 0;
    }
    memcpy(text, bytes, length);
    return length;
}

static size_t write_names(const X509 *certificate, char *text, size_t capacity) {
    GENERAL_NAMES *names = X509_get_ext_d2i(certificate, NID_subject_alt_name, NULL, NULL);
    size_t written = 0;
    for (int i = 0; i < sk_GENERAL_NAME_num(names); i++) {
        char one[256];
        size_t size = text_of(sk_GENERAL_NAME_value(names, i), one, sizeof one);
        size_t separator = written == 0 ? 0 : 2;
        if (size == 0 || written + separator + size > capacity) continue;
        memcpy(text + written, ", ", separator);
        memcpy(text + written + separator, one, size);
        written += separator + size;
    }
    GENERAL_NAMES_free(names);
    ERR_clear_error();
    return written;
}

size_t sy_pem_write_names(const unsigned char *pem, size_t length, char *text, size_t capacity) {
    X509 *certificate = first_of_pem(pem, length);
    if (certificate == NULL) return 0;
    size_t written = write_names(certificate, text, capacity);
    X509_free(certificate);
    return written;
}

static size_t write_subject(X509 *certificate, char *text, size_t capacity) {
    BIO *bio = BIO_new(BIO_s_mem());
    if (bio == NULL) return 0;
    int count = 0;
    const X509_NAME *subject = X509_get_subject_name(certificate);
    if (X509_NAME_print_ex(bio, subject, 0, XN_FLAG_RFC2253 & ~(unsigned long)ASN1_STRFLGS_ESC_MSB) >= 0) {
        count = BIO_read(bio, text, (int)capacity);
    }
    BIO_free(bio);
    ERR_clear_error();
    return count > 0 ? (size_t)count : 0;
}

size_t sy_pem_write_subject(const unsigned char *pem, size_t length, char *text, size_t capacity) {
    X509 *certificate = first_of_pem(pem, length);
    if (certificate == NULL) return 0;
    size_t written = write_subject(certificate, text, capacity);
    X509_free(certificate);
    return written;
}

size_t sy_ssl_ctx_read_certificate(SSL_CTX *context, char *text, size_t capacity, int64_t *until) {
    *until = INT64_MAX;
    X509 *certificate = SSL_CTX_get0_certificate(context);
    if (certificate == NULL) return 0;
    int64_t end;
    if (seconds_of(X509_get0_notAfter(certificate), &end)) *until = end;
    STACK_OF(X509) *chain = NULL;
    if (SSL_CTX_get0_chain_certs(context, &chain) == 1) {
        for (int i = 0; i < sk_X509_num(chain); i++) {
            if (seconds_of(X509_get0_notAfter(sk_X509_value(chain, i)), &end) && end < *until) *until = end;
        }
    }
    return X509_NAME_entry_count(X509_get_subject_name(certificate)) == 0
        ? write_names(certificate, text, capacity) : write_subject(certificate, text, capacity);
}
