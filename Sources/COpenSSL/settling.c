// The keys and memory that a session of TLS 1.3 gives back after its handshake, and the limit of its key updates.
#include "SwitchyardCOpenSSL.h"

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
