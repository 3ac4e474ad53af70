// The settings of TLS: versions, ciphers, groups, protocols (ALPN), and the files of a certificate.
#include "SwitchyardCOpenSSL.h"

#include <limits.h>
#include <pthread.h>
#include <string.h>

#include "pass_phrase.h"

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
