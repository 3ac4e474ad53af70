// OpenSSL 3.0, and shims for the parts that Swift cannot call: function-like macros and the socket BIO.
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

// Makes each thread keep some of the memory that OpenSSL frees, for its next allocations. Holds for the whole process;
// call it before OpenSSL has allocated any. 1 on success.
int sy_keep_blocks(void);

// Writes `count` random bytes. Each thread draws blocks from OpenSSL, because a draw of a few bytes costs as much as
// one of many. A byte is given out once, and wiped then. 1 on success.
int sy_random(unsigned char *_Nonnull out, size_t count);

// Writes the digest (32 bytes) of `length` bytes. OpenSSL's own one-shot function looks the algorithm up by its name
// each time, which costs more than to hash a short text.
void sy_sha256(const unsigned char *_Nullable data, size_t length, unsigned char *_Nonnull out);

// Writes the HMAC-SHA-256 (RFC 2104, 32 bytes) of `length` bytes, without a look-up for the same reason.
void sy_hmac_sha256(
    const unsigned char *_Nullable key, size_t key_length, const unsigned char *_Nullable data, size_t length,
    unsigned char *_Nonnull out);

// Makes keys from their numbers, the most significant byte first. A point is `4 · x · y` and must be on its curve.
// `scalar` is the private part, or NULL. NULL for numbers that are no key, and if memory is short.
EVP_PKEY *_Nullable sy_key_from_rsa(
    const unsigned char *_Nonnull modulus, size_t modulus_length, const unsigned char *_Nonnull exponent,
    size_t exponent_length);
EVP_PKEY *_Nullable sy_key_from_point(
    const char *_Nonnull curve, const unsigned char *_Nonnull point, size_t point_length,
    const unsigned char *_Nullable scalar, size_t scalar_length);

// A private key in PEM that needs no password; NULL for anything else.
EVP_PKEY *_Nullable sy_key_from_pem(const unsigned char *_Nonnull pem, size_t length);

// Writes a private key as PEM (PKCS #8) without a password, and returns the number of bytes; 0 on failure.
size_t sy_key_write_pem(EVP_PKEY *_Nonnull key, unsigned char *_Nonnull out, size_t capacity);

// Writes the DER of the certificate at `index` of `pem`, if `capacity` is enough, and returns its size; 0 if no
// certificate can be read there.
size_t sy_pem_write_der(
    const unsigned char *_Nonnull pem, size_t length, int index, unsigned char *_Nonnull out, size_t capacity);

// Whether the public key of a certificate in DER is that of the pair.
int sy_key_is_certified(EVP_PKEY *_Nonnull key, const unsigned char *_Nonnull der, size_t length);

// Whether the private part of a key on a curve is in range and belongs to its point.
int sy_key_is_pair(EVP_PKEY *_Nonnull key);

// Writes the number of a key that OpenSSL calls `name`, with leading zeros, in `size` bytes. 1 on success.
int sy_key_write_number(
    const EVP_PKEY *_Nonnull key, const char *_Nonnull name, unsigned char *_Nonnull out, size_t size);

// Converts an ECDSA signature from the form of JWS, two numbers of `size` bytes each, to OpenSSL's (DER). Returns its
// length; 0 on failure. The second function converts back; 1 on success.
size_t sy_ecdsa_write_der(
    const unsigned char *_Nonnull raw, size_t size, unsigned char *_Nonnull der, size_t capacity);
int sy_ecdsa_write_raw(
    const unsigned char *_Nonnull der, size_t length, unsigned char *_Nonnull raw, size_t size);

// Collects writes, so that they go out together.
typedef struct sy_held_bytes {
    unsigned char *_Nullable bytes;
    size_t count;
    size_t capacity;
} sy_held_bytes;

void sy_held_bytes_free(sy_held_bytes *_Nonnull held);

// A stream's knowledge of its socket. The socket BIO clears `readable` once a read has emptied the socket, and the
// event loop sets it. So OpenSSL does not ask the kernel only to get EAGAIN.
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

// Gives a server's session the BIO of this thread. Only this thread may use the session. 1 on success, 0 if memory is
// short.
int sy_ssl_use_thread(SSL *_Nonnull ssl);

// Makes the session read and write through `state`. Call it before each use of the session that may touch the socket,
// because all sessions of a server on a thread share one BIO.
void sy_ssl_attach(SSL *_Nonnull ssl, sy_socket_state *_Nonnull state);

// Frees what only the handshake needed: memory, a private key, and the secret for resuming the session. OpenSSL would
// keep it as long as the connection lives. Call it once, after a server's handshake. The client's certificate stays.
// From then on, a client that sends more than SY_MOST_KEY_UPDATES KeyUpdate messages (TLS 1.3) counts as gone.
enum { SY_MOST_KEY_UPDATES = 32 };
void sy_ssl_settle(SSL *_Nonnull ssl);

// Mozilla's intermediate settings (AEAD and forward secrecy only, TLS 1.2 and 1.3), no resumption. 1 on success.
int sy_ssl_ctx_harden(SSL_CTX *_Nonnull context);

// The same as sy_ssl_ctx_harden for a client, which also verifies the server's certificate. 1 on success.
int sy_ssl_ctx_harden_client(SSL_CTX *_Nonnull context);

// Names the server in the handshake (SNI, for names) and takes only a certificate for it. 1 on success.
int sy_ssl_expect_host(SSL *_Nonnull ssl, const char *_Nonnull host);

// Copies `protocols` (wire format: length-prefixed names). ALPN may agree on these only. 1 on success.
int sy_ssl_ctx_set_alpn(SSL_CTX *_Nonnull context, const unsigned char *_Nonnull protocols, unsigned int length);

// Sets the function that chooses a context by the server name of each handshake (NULL if the client sent none).
typedef SSL_CTX *_Nullable (*sy_choose_context)(void *_Nullable arg, const char *_Nullable server_name);
int sy_ssl_ctx_set_chooser(SSL_CTX *_Nonnull context, sy_choose_context _Nonnull choose, void *_Nullable arg);

// Whether the last failed read or write must only wait for the socket.
int sy_ssl_would_block(const SSL *_Nonnull ssl);

// Asks each client for a certificate, and takes any certificate or none. Later code judges it. 1 on success.
int sy_ssl_ctx_request_certificate(SSL_CTX *_Nonnull context);

// Returns the client's certificate, and the certificates that it sent along, each with one more reference; NULL without
// one.
X509 *_Nullable sy_ssl_copy_certificate(const SSL *_Nonnull ssl);
STACK_OF(X509) *_Nullable sy_ssl_copy_chain(const SSL *_Nonnull ssl);
void sy_x509_chain_free(STACK_OF(X509) *_Nullable chain);

// Adds each certificate of `pem` to `store`, and returns their number; -1 if one of them cannot be read.
int sy_x509_store_add_pem(X509_STORE *_Nonnull store, const unsigned char *_Nullable pem, size_t length);

// Whether `certificate` is a TLS client's, is valid now, and is in `store` or leads to a certificate there. `chain` has
// further certificates for the path.
int sy_x509_store_vouches(X509_STORE *_Nonnull store, X509 *_Nonnull certificate, STACK_OF(X509) *_Nullable chain);

// Writes the time in which all certificates of `pem` are valid, in seconds since 1970. Returns their number; -1 if one
// of them cannot be read.
int sy_pem_read_dates(
    const unsigned char *_Nullable pem, size_t length, int64_t *_Nonnull from, int64_t *_Nonnull until);

// The number of certificates in `pem`; -1 if one of them cannot be read.
int sy_pem_count(const unsigned char *_Nullable pem, size_t length);

// Checks whether the first certificate of `pem`, with the help of the others, leads to one of `store`, for a server of
// TLS. Dates and names do not count. Returns one of OpenSSL's `X509_V_…`. The store stays as it is.
int sy_pem_verify(X509_STORE *_Nonnull store, const unsigned char *_Nullable pem, size_t length);

// Whether the first certificate of `pem` is for a DNS name or an address, by its alternative names only.
int sy_pem_is_for(const unsigned char *_Nullable pem, size_t length, const char *_Nonnull host);

// Writes the alternative names of the first certificate of `pem`, separated by commas, as many as fit. Only visible
// ASCII is written. Returns the number of characters.
size_t sy_pem_write_names(
    const unsigned char *_Nullable pem, size_t length, char *_Nonnull text, size_t capacity);

// Writes the subject of the first certificate (RFC 2253), and returns the number of bytes; 0 without one.
size_t sy_pem_write_subject(
    const unsigned char *_Nullable pem, size_t length, char *_Nonnull text, size_t capacity);

// Writes the subject of a context's certificate as text (RFC 4514), or its alternative names if the subject is empty.
// Returns the number of characters, at most `capacity`. `until` is the end, in seconds since 1970, of the validity of
// this certificate and the certificates shown with it.
size_t sy_ssl_ctx_read_certificate(
    SSL_CTX *_Nonnull context, char *_Nonnull text, size_t capacity, int64_t *_Nonnull until);

// Load a certificate or a key without asking for a pass phrase. 1 on success; -1 for an encrypted key.
long sy_ssl_ctx_use_chain_file(SSL_CTX *_Nonnull context, const char *_Nonnull path);
int sy_ssl_ctx_use_key_file(SSL_CTX *_Nonnull context, const char *_Nonnull path);

// Makes a certificate authority for loopback, and its server certificate for `localhost` and 127.0.0.1, valid for a
// day. The authority's key is thrown away. The authority's certificate, the server's and the server's key are files in
// memory, in PEM, that only this user can open. 1 on success. The caller closes the descriptors; one below 0 is no
// file.
int sy_make_certificates(
    int *_Nonnull authority_file, int *_Nonnull certificate_file, int *_Nonnull key_file);

#endif
