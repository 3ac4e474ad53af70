// The dates, names and subjects of certificates in PEM.
#include "SwitchyardCOpenSSL.h"

#include <arpa/inet.h>
#include <limits.h>
#include <string.h>
#include <time.h>

#include "pass_phrase.h"

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
