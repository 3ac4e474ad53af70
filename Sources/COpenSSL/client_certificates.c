// The certificates that clients show, and whether an authority vouches for them.
#include "SwitchyardCOpenSSL.h"

#include <limits.h>

#include "pass_phrase.h"

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
