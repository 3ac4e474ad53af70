// A certificate authority for one run, and its server certificate, in memory.
#define _GNU_SOURCE
#include "SwitchyardCOpenSSL.h"

#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

enum { DAYS = 1 };

static int add_extension(X509 *certificate, X509 *issuer, int nid, const char *value) {
    X509V3_CTX context;
    X509V3_set_ctx_nodb(&context);
    X509V3_set_ctx(&context, issuer, certificate, NULL, NULL, 0);
    X509_EXTENSION *extension = X509V3_EXT_conf_nid(NULL, &context, nid, value);
    int done = extension != NULL && X509_add_ext(certificate, extension, -1);
    X509_EXTENSION_free(extension);
    return done;
}

// A certificate for `key` without extensions and signature; NULL if memory is short.
static X509 *new_certificate(const char *name, EVP_PKEY *key) {
    uint64_t serial = 0;
    X509 *certificate = X509_new();
    if (certificate == NULL) return NULL;
    X509_NAME *subject = X509_get_subject_name(certificate);
    int done = sy_random((unsigned char *)&serial, sizeof serial) == 1 && X509_set_version(certificate, X509_VERSION_3)
        && ASN1_INTEGER_set_uint64(X509_get_serialNumber(certificate), serial >> 1)
        // A browser on another machine may have a clock that is a little behind.
        && X509_gmtime_adj(X509_getm_notBefore(certificate), -3600)
        && X509_gmtime_adj(X509_getm_notAfter(certificate), DAYS * 86400L) && X509_set_pubkey(certificate, key)
        && X509_NAME_add_entry_by_txt(subject, "CN", MBSTRING_ASC, (const unsigned char *)name, -1, -1, 0);
    if (done) return certificate;
    X509_free(certificate);
    return NULL;
}

// The name constraints keep an authority that a person trusts by mistake from vouching for a real site.
static int sign_authority(X509 *authority, EVP_PKEY *key) {
    return X509_set_issuer_name(authority, X509_get_subject_name(authority))
        && add_extension(authority, authority, NID_basic_constraints, "critical,CA:TRUE,pathlen:0")
        && add_extension(authority, authority, NID_key_usage, "critical,keyCertSign,cRLSign")
        && add_extension(authority, authority, NID_subject_key_identifier, "hash")
        && add_extension(authority, authority, NID_name_constraints,
            "critical,permitted;DNS:localhost,permitted;IP:127.0.0.0/255.0.0.0")
        && X509_sign(authority, key, EVP_sha256()) > 0;
}

static int sign_server(X509 *server, X509 *authority, EVP_PKEY *key) {
    return X509_set_issuer_name(server, X509_get_subject_name(authority))
        && add_extension(server, authority, NID_basic_constraints, "critical,CA:FALSE")
        && add_extension(server, authority, NID_key_usage, "critical,digitalSignature")
        && add_extension(server, authority, NID_ext_key_usage, "serverAuth")
        && add_extension(server, authority, NID_subject_key_identifier, "hash")
        && add_extension(server, authority, NID_authority_key_identifier, "keyid")
        && add_extension(server, authority, NID_subject_alt_name, "DNS:localhost,IP:127.0.0.1")
        && X509_sign(server, key, EVP_sha256()) > 0;
}

// Makes a file in memory, which only this user can open, with the content of `bio`; -1 on failure.
static int file_of(BIO *bio) {
    char *bytes = NULL;
    long count = BIO_get_mem_data(bio, &bytes);
    int fd = memfd_create("switchyard", MFD_CLOEXEC);
    if (fd < 0) return -1;
    if (count > 0 && fchmod(fd, 0600) == 0 && write(fd, bytes, (size_t)count) == count) return fd;
    close(fd);
    return -1;
}

int sy_make_certificates(int *authority_file, int *certificate_file, int *key_file) {
    *authority_file = *certificate_file = *key_file = -1;
    EVP_PKEY *authority_key = EVP_EC_gen("P-256"), *key = EVP_EC_gen("P-256");
    X509 *authority = authority_key ? new_certificate("Switchyard demo authority", authority_key) : NULL;
    X509 *server = key ? new_certificate("localhost", key) : NULL;
    BIO *authority_pem = BIO_new(BIO_s_mem()), *server_pem = BIO_new(BIO_s_mem()), *key_pem = BIO_new(BIO_s_mem());
    if (authority && server && authority_pem && server_pem && key_pem && sign_authority(authority, authority_key)
        && sign_server(server, authority, authority_key) && PEM_write_bio_X509(authority_pem, authority)
        && PEM_write_bio_X509(server_pem, server) && PEM_write_bio_PrivateKey(key_pem, key, NULL, NULL, 0, NULL, NULL)) {
        *authority_file = file_of(authority_pem);
        *certificate_file = file_of(server_pem);
        *key_file = file_of(key_pem);
    }
    BIO_free(authority_pem);
    BIO_free(server_pem);
    BIO_free(key_pem);
    X509_free(authority);
    X509_free(server);
    EVP_PKEY_free(authority_key);
    EVP_PKEY_free(key);
    return *authority_file >= 0 && *certificate_file >= 0 && *key_file >= 0;
}
