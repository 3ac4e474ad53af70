// OpenSSL 3.0, and the shims for what Swift cannot call: function-like macros and the socket BIO.
#ifndef SWITCHYARD_COPENSSL_H
#define SWITCHYARD_COPENSSL_H

#include <stddef.h>
#include <stdint.h>

#include <openssl/bio.h>
#include <openssl/crypto.h>
#include <openssl/ec.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/rand.h>
#include <openssl/rsa.h>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>

// From now on each thread keeps some of the memory that OpenSSL gives back, for when it takes some again. For the whole
// process, and only before OpenSSL has taken any. 1 on success.
int sy_keep_blocks(void);

// `count` random bytes. Each thread draws them from OpenSSL by the block, because a draw costs as much for a few bytes
// as for many; no byte is given out twice, nor kept once it was given out. 1 on success.
int sy_random(unsigned char *_Nonnull out, size_t count);

// The digest of `length` bytes into 32. OpenSSL's own one-shot function looks the algorithm up by its name each time,
// which costs more than to hash what is short.
void sy_sha256(const unsigned char *_Nullable data, size_t length, unsigned char *_Nonnull out);

// The HMAC-SHA-256 (RFC 2104) of `length` bytes into 32, for the same reason.
void sy_hmac_sha256(
    const unsigned char *_Nullable key, size_t key_length, const unsigned char *_Nullable data, size_t length,
    unsigned char *_Nonnull out);

// Keys from their numbers, the most significant byte first. NULL for numbers that are no key, and when memory is short.
// A point is `4 · x · y`; one that is not on its curve is no key. `scalar` is the private part, or NULL.
EVP_PKEY *_Nullable sy_key_from_rsa(
    const unsigned char *_Nonnull modulus, size_t modulus_length, const unsigned char *_Nonnull exponent,
    size_t exponent_length);
EVP_PKEY *_Nullable sy_key_from_point(
    const char *_Nonnull curve, const unsigned char *_Nonnull point, size_t point_length,
    const unsigned char *_Nullable scalar, size_t scalar_length);

// A private key in PEM that needs no password; NULL for anything else.
EVP_PKEY *_Nullable sy_key_from_pem(const unsigned char *_Nonnull pem, size_t length);

// Writes a private key as PEM (PKCS #8) without a password, and gives the number of bytes; 0 on failure.
size_t sy_key_write_pem(EVP_PKEY *_Nonnull key, unsigned char *_Nonnull out, size_t capacity);

// Writes the DER of the certificate at `index` of `pem`, if `capacity` is enough, and gives its size; 0 where there is
// none that can be read.
size_t sy_pem_write_der(
    const unsigned char *_Nonnull pem, size_t length, int index, unsigned char *_Nonnull out, size_t capacity);

// Whether the public key of a certificate in DER is that of the pair.
int sy_key_is_certified(EVP_PKEY *_Nonnull key, const unsigned char *_Nonnull der, size_t length);

// Whether the private part of a key on a curve is in range and belongs to its point.
int sy_key_is_pair(EVP_PKEY *_Nonnull key);

// The number of a key that OpenSSL knows by `name`, with zeros in front up to `size` bytes. 1 on success.
int sy_key_write_number(
    const EVP_PKEY *_Nonnull key, const char *_Nonnull name, unsigned char *_Nonnull out, size_t size);

// An ECDSA signature in OpenSSL's form (DER), from the form of JWS: two numbers of `size` bytes each. Gives its length;
// 0 on failure. The other function goes the other way, 1 on success.
size_t sy_ecdsa_write_der(
    const unsigned char *_Nonnull raw, size_t size, unsigned char *_Nonnull der, size_t capacity);
int sy_ecdsa_write_raw(
    const unsigned char *_Nonnull der, size_t length, unsigned char *_Nonnull raw, size_t size);

// Writes that collect here instead of going out one by one.
typedef struct sy_held_bytes {
    unsigned char *_Nullable bytes;
    size_t count;
    size_t capacity;
} sy_held_bytes;

void sy_held_bytes_free(sy_held_bytes *_Nonnull held);

// What a stream knows about its socket between two looks at it. The socket BIO clears `readable` when a read drained
// the socket, so that OpenSSL is not sent to the kernel for an EAGAIN that is known beforehand; the event loop sets it.
typedef struct sy_socket_state {
    int fd;
    unsigned char readable;
    unsigned char end_of_file;
    // The KeyUpdate messages of the client. For sessions that sy_ssl_settle has seen.
    unsigned char key_updates;
    // NULL while writes go out.
    sy_held_bytes *_Nullable held;
    // Bytes that are read before those of the socket.
    const unsigned char *_Nullable input;
    size_t input_left;
} sy_socket_state;

// A BIO over `state`, which must outlive it. NULL when memory is short.
BIO *_Nullable sy_bio_new_socket(sy_socket_state *_Nullable state);

// Gives a server's session the BIO of this thread, the only one on which it may be used. 1 on success, 0
// when memory is short.
int sy_ssl_use_thread(SSL *_Nonnull ssl);

// What the session reads and writes next goes through `state`. To be called before each use of the session that may
// touch the socket: all of a server's sessions on a thread share one BIO.
void sy_ssl_attach(SSL *_Nonnull ssl, sy_socket_state *_Nonnull state);

// To be called once when a server's handshake is over: forgets what only that needed and OpenSSL would keep as long as
// the connection lives. That is memory, a private key, and the secret by which the session could be resumed. What the
// client showed of itself stays. From then on, a client that sends more than SY_MOST_KEY_UPDATES KeyUpdate messages
// (TLS 1.3) counts as gone.
enum { SY_MOST_KEY_UPDATES = 32 };
void sy_ssl_settle(SSL *_Nonnull ssl);

// Mozilla's intermediate settings (AEAD and forward secrecy only, TLS 1.2 and 1.3), no resumption. 1 on success.
int sy_ssl_ctx_harden(SSL_CTX *_Nonnull context);

// As sy_ssl_ctx_harden, for a client: a server without a certificate that is believed is no server. 1 on success.
int sy_ssl_ctx_harden_client(SSL_CTX *_Nonnull context);

// Names the server in the handshake (SNI, for names) and takes only a certificate for it. 1 on success.
int sy_ssl_expect_host(SSL *_Nonnull ssl, const char *_Nonnull host);

// Copies `protocols` (wire format: length-prefixed names) as the only ones that ALPN may agree on. 1 on success.
int sy_ssl_ctx_set_alpn(SSL_CTX *_Nonnull context, const unsigned char *_Nonnull protocols, unsigned int length);

// `choose` gets the server name of each handshake (NULL when the client sent none) and gives the context to use.
typedef SSL_CTX *_Nullable (*sy_choose_context)(void *_Nullable arg, const char *_Nullable server_name);
int sy_ssl_ctx_set_chooser(SSL_CTX *_Nonnull context, sy_choose_context _Nonnull choose, void *_Nullable arg);

// Whether the last read or write that failed only has to wait for the socket.
int sy_ssl_would_block(const SSL *_Nonnull ssl);

// Asks each client for a certificate and takes whichever it shows, or none: who looks at it decides what it is worth.
// 1 on success.
int sy_ssl_ctx_request_certificate(SSL_CTX *_Nonnull context);

// One more reference to the certificate that the client showed, and to those it sent along; NULL where there is none.
X509 *_Nullable sy_ssl_copy_certificate(const SSL *_Nonnull ssl);
STACK_OF(X509) *_Nullable sy_ssl_copy_chain(const SSL *_Nonnull ssl);
void sy_x509_chain_free(STACK_OF(X509) *_Nullable chain);

// Adds each certificate of `pem` to `store`, and gives how many there were; -1 when one of them cannot be read.
int sy_x509_store_add_pem(X509_STORE *_Nonnull store, const unsigned char *_Nullable pem, size_t length);

// Whether `certificate` is a TLS client's, valid now, and is in `store` or was issued by one that is there. `chain` may
// help to find the way.
int sy_x509_store_vouches(X509_STORE *_Nonnull store, X509 *_Nonnull certificate, STACK_OF(X509) *_Nullable chain);

// The time in which all certificates of `pem` are valid, in seconds since 1970. Gives how many there are; -1 when
// one of them cannot be read.
int sy_pem_read_dates(
    const unsigned char *_Nullable pem, size_t length, int64_t *_Nonnull from, int64_t *_Nonnull until);

// How many certificates `pem` holds; -1 when one of them cannot be read.
int sy_pem_count(const unsigned char *_Nullable pem, size_t length);

// Whether the first certificate of `pem`, with the others behind it, leads to one of `store`, for a server of TLS; its
// dates and names are not looked at. Gives one of OpenSSL's `X509_V_…`. The store stays as it is.
int sy_pem_verify(X509_STORE *_Nonnull store, const unsigned char *_Nullable pem, size_t length);

// Whether the first certificate of `pem` is for a DNS name or an address, by its alternative names only.
int sy_pem_is_for(const unsigned char *_Nullable pem, size_t length, const char *_Nonnull host);

// Writes the alternative names of the first certificate of `pem` with commas between, as many as fit whole, and gives
// the number of characters. Only visible ASCII is written.
size_t sy_pem_write_names(
    const unsigned char *_Nullable pem, size_t length, char *_Nonnull text, size_t capacity);

// Whose a context's certificate is: its subject as text (RFC 4514), or its alternative names where that is empty. Gives
// the number of characters, at most `capacity`. `until` is the last moment at which it and those it is shown with are
// valid, in seconds since 1970.
size_t sy_ssl_ctx_read_certificate(
    SSL_CTX *_Nonnull context, char *_Nonnull text, size_t capacity, int64_t *_Nonnull until);

// Neither asks anybody for a pass phrase. 1 on success; the key's gives -1 for one that is encrypted.
long sy_ssl_ctx_use_chain_file(SSL_CTX *_Nonnull context, const char *_Nonnull path);
int sy_ssl_ctx_use_key_file(SSL_CTX *_Nonnull context, const char *_Nonnull path);

// Makes a certificate authority for loopback, whose key is thrown away, and a server certificate of it for `localhost` and
// 127.0.0.1, valid for a day. Each is a file in memory, in PEM, that only this user can open: the authority's certificate,
// the server's, and the server's key. 1 on success; the descriptors are the caller's to close, those below 0 are none.
int sy_make_certificates(
    int *_Nonnull authority_file, int *_Nonnull certificate_file, int *_Nonnull key_file);

#endif
