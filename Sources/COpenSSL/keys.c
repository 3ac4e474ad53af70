// Public keys and key pairs from their numbers, and ECDSA signatures in the form of JWS.
#include "SwitchyardCOpenSSL.h"

#include <limits.h>
#include <string.h>

#include <openssl/core_names.h>
#include <openssl/pem.h>
#include <openssl/param_build.h>
#include <openssl/x509.h>

enum { LONGEST_NUMBER = 4096 };

static BIGNUM *number_of(const unsigned char *bytes, size_t length) {
    return length > LONGEST_NUMBER ? NULL : BN_bin2bn(bytes, (int)length, NULL);
}

static EVP_PKEY *key_from(const char *type, int selection, OSSL_PARAM_BLD *builder) {
    OSSL_PARAM *parameters = OSSL_PARAM_BLD_to_param(builder);
    EVP_PKEY_CTX *context = EVP_PKEY_CTX_new_from_name(NULL, type, NULL);
    EVP_PKEY *key = NULL;
    if (parameters == NULL || context == NULL || EVP_PKEY_fromdata_init(context) != 1
        || EVP_PKEY_fromdata(context, &key, selection, parameters) != 1) {
        EVP_PKEY_free(key);
        key = NULL;
    }
    EVP_PKEY_CTX_free(context);
    // OpenSSL frees the copy of the scalar without wiping it.
    OSSL_PARAM *scalar = parameters == NULL ? NULL : OSSL_PARAM_locate(parameters, OSSL_PKEY_PARAM_PRIV_KEY);
    if (scalar != NULL) OPENSSL_cleanse(scalar->data, scalar->data_size);
    OSSL_PARAM_free(parameters);
    ERR_clear_error();
    return key;
}

EVP_PKEY *sy_key_from_rsa(
    const unsigned char *modulus, size_t modulus_length, const unsigned char *exponent, size_t exponent_length) {
    BIGNUM *n = number_of(modulus, modulus_length), *e = number_of(exponent, exponent_length);
    OSSL_PARAM_BLD *builder = OSSL_PARAM_BLD_new();
    EVP_PKEY *key = NULL;
    if (n != NULL && e != NULL && builder != NULL && OSSL_PARAM_BLD_push_BN(builder, OSSL_PKEY_PARAM_RSA_N, n)
        && OSSL_PARAM_BLD_push_BN(builder, OSSL_PKEY_PARAM_RSA_E, e)) {
        key = key_from("RSA", EVP_PKEY_PUBLIC_KEY, builder);
    }
    OSSL_PARAM_BLD_free(builder);
    BN_free(n);
    BN_free(e);
    return key;
}

EVP_PKEY *sy_key_from_point(
    const char *curve, const unsigned char *point, size_t point_length, const unsigned char *scalar,
    size_t scalar_length) {
    BIGNUM *d = scalar == NULL ? NULL : number_of(scalar, scalar_length);
    OSSL_PARAM_BLD *builder = OSSL_PARAM_BLD_new();
    EVP_PKEY *key = NULL;
    if (builder != NULL && (scalar == NULL || d != NULL)
        && OSSL_PARAM_BLD_push_utf8_string(builder, OSSL_PKEY_PARAM_GROUP_NAME, curve, 0)
        && OSSL_PARAM_BLD_push_octet_string(builder, OSSL_PKEY_PARAM_PUB_KEY, point, point_length)
        && (d == NULL || OSSL_PARAM_BLD_push_BN(builder, OSSL_PKEY_PARAM_PRIV_KEY, d))) {
        key = key_from("EC", d == NULL ? EVP_PKEY_PUBLIC_KEY : EVP_PKEY_KEYPAIR, builder);
    }
    OSSL_PARAM_BLD_free(builder);
    BN_clear_free(d);
    return key;
}

static int has_no_password(char *buffer, int size, int is_writing, void *unused) {
    (void)buffer, (void)size, (void)is_writing, (void)unused;
    return -1;
}

EVP_PKEY *sy_key_from_pem(const unsigned char *pem, size_t length) {
    BIO *bio = length > INT_MAX ? NULL : BIO_new_mem_buf(pem, (int)length);
    EVP_PKEY *key = bio == NULL ? NULL : PEM_read_bio_PrivateKey(bio, NULL, has_no_password, NULL);
    BIO_free(bio);
    ERR_clear_error();
    return key;
}

size_t sy_key_write_pem(EVP_PKEY *key, unsigned char *out, size_t capacity) {
    // Its memory is wiped when it is freed.
    BIO *bio = BIO_new(BIO_s_secmem());
    size_t written = 0;
    if (bio != NULL && PEM_write_bio_PKCS8PrivateKey(bio, key, NULL, NULL, 0, NULL, NULL) == 1
        && BIO_ctrl_pending(bio) <= capacity && BIO_read_ex(bio, out, capacity, &written) != 1) {
        written = 0;
    }
    BIO_free(bio);
    ERR_clear_error();
    return written;
}

size_t sy_pem_write_der(const unsigned char *pem, size_t length, int index, unsigned char *out, size_t capacity) {
    BIO *bio = length > INT_MAX ? NULL : BIO_new_mem_buf(pem, (int)length);
    X509 *certificate = NULL;
    for (int i = 0; bio != NULL && i <= index; i++) {
        X509_free(certificate);
        certificate = PEM_read_bio_X509(bio, NULL, has_no_password, NULL);
        if (certificate == NULL) break;
    }
    int size = certificate == NULL ? 0 : i2d_X509(certificate, NULL);
    if (size > 0 && (size_t)size <= capacity) size = i2d_X509(certificate, &out);
    X509_free(certificate);
    BIO_free(bio);
    ERR_clear_error();
    return size > 0 ? (size_t)size : 0;
}

int sy_key_is_certified(EVP_PKEY *key, const unsigned char *der, size_t length) {
    X509 *certificate = length > LONG_MAX ? NULL : d2i_X509(NULL, &der, (long)length);
    int result = certificate != NULL && X509_check_private_key(certificate, key) == 1;
    X509_free(certificate);
    ERR_clear_error();
    return result;
}

int sy_key_is_pair(EVP_PKEY *key) {
    EVP_PKEY_CTX *context = EVP_PKEY_CTX_new_from_pkey(NULL, key, NULL);
    int result = context != NULL && EVP_PKEY_private_check(context) == 1 && EVP_PKEY_pairwise_check(context) == 1;
    EVP_PKEY_CTX_free(context);
    ERR_clear_error();
    return result;
}

int sy_key_write_number(const EVP_PKEY *key, const char *name, unsigned char *out, size_t size) {
    BIGNUM *number = NULL;
    int written = size <= LONGEST_NUMBER && EVP_PKEY_get_bn_param(key, name, &number) == 1
        ? BN_bn2binpad(number, out, (int)size) : -1;
    BN_clear_free(number);
    ERR_clear_error();
    return written == (int)size;
}

size_t sy_ecdsa_write_der(const unsigned char *raw, size_t size, unsigned char *der, size_t capacity) {
    ECDSA_SIG *signature = ECDSA_SIG_new();
    BIGNUM *r = number_of(raw, size), *s = number_of(raw + size, size);
    int length = 0;
    if (signature != NULL && r != NULL && s != NULL && ECDSA_SIG_set0(signature, r, s) == 1) {
        r = s = NULL;  // the signature's now
        length = i2d_ECDSA_SIG(signature, NULL);
        length = length > 0 && (size_t)length <= capacity ? i2d_ECDSA_SIG(signature, &der) : 0;
    }
    BN_free(r);
    BN_free(s);
    ECDSA_SIG_free(signature);
    ERR_clear_error();
    return length > 0 ? (size_t)length : 0;
}

int sy_ecdsa_write_raw(const unsigned char *der, size_t length, unsigned char *raw, size_t size) {
    ECDSA_SIG *signature = length > LONGEST_NUMBER ? NULL : d2i_ECDSA_SIG(NULL, &der, (long)length);
    int done = signature != NULL && size <= LONGEST_NUMBER
        && BN_bn2binpad(ECDSA_SIG_get0_r(signature), raw, (int)size) == (int)size
        && BN_bn2binpad(ECDSA_SIG_get0_s(signature), raw + size, (int)size) == (int)size;
    ECDSA_SIG_free(signature);
    ERR_clear_error();
    return done;
}
