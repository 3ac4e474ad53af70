// SHA-256 and its HMAC, for short texts. OpenSSL 3.0 deprecates SHA256_Init for functions that look the algorithm up each time.
#define OPENSSL_SUPPRESS_DEPRECATED

#include "SwitchyardCOpenSSL.h"

#include <openssl/sha.h>

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
