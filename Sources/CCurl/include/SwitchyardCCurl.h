// libcurl, and one typed shim for each kind of its variadic option functions.
#ifndef SWITCHYARD_CCURL_H
#define SWITCHYARD_CCURL_H

#include <curl/curl.h>
#include <netinet/in.h>
#include <string.h>
#include <sys/socket.h>

static inline CURLcode sy_easy_set_long(CURL *_Nonnull easy, CURLoption option, long value) {
    return curl_easy_setopt(easy, option, value);
}
static inline CURLcode sy_easy_set_string(CURL *_Nonnull easy, CURLoption option, const char *_Nullable value) {
    return curl_easy_setopt(easy, option, value);
}
// Sets an option to a copy of the bytes; without bytes, unsets it.
static inline CURLcode sy_easy_set_blob(CURL *_Nonnull easy, CURLoption option, const void *_Nullable start, size_t count) {
    struct curl_blob blob = {(void *)start, count, CURL_BLOB_COPY};
    return curl_easy_setopt(easy, option, count == 0 ? NULL : &blob);
}
static inline CURLcode sy_easy_set_pointer(CURL *_Nonnull easy, CURLoption option, void *_Nullable value) {
    return curl_easy_setopt(easy, option, value);
}
static inline CURLcode sy_easy_set_list(CURL *_Nonnull easy, CURLoption option, struct curl_slist *_Nullable value) {
    return curl_easy_setopt(easy, option, value);
}

// A write or header callback; both have this type in libcurl.
typedef size_t (*sy_curl_transfer)(char *_Nonnull buffer, size_t size, size_t count, void *_Nullable context);
static inline CURLcode sy_easy_set_transfer(CURL *_Nonnull easy, CURLoption option, sy_curl_transfer _Nullable f) {
    return curl_easy_setopt(easy, option, f);
}
typedef int (*sy_curl_prerequest)(void *_Nullable context, char *_Nullable remote, char *_Nullable local, int remote_port,
                                  int local_port);
static inline CURLcode sy_easy_set_prerequest(CURL *_Nonnull easy, sy_curl_prerequest _Nullable f) {
    return curl_easy_setopt(easy, CURLOPT_PREREQFUNCTION, f);
}

typedef int (*sy_curl_opened)(void *_Nullable context, curl_socket_t socket, curlsocktype purpose);
typedef int (*sy_curl_close)(void *_Nullable context, curl_socket_t socket);
// `close` closes the socket itself. libcurl calls it for as long as the connection lives, which may be longer than `easy`.
static inline void sy_easy_set_sockets(CURL *_Nonnull easy, void *_Nullable context, sy_curl_opened _Nullable opened,
                                       sy_curl_close _Nullable close) {
    curl_easy_setopt(easy, CURLOPT_SOCKOPTDATA, context);
    curl_easy_setopt(easy, CURLOPT_SOCKOPTFUNCTION, opened);
    curl_easy_setopt(easy, CURLOPT_CLOSESOCKETDATA, context);
    curl_easy_setopt(easy, CURLOPT_CLOSESOCKETFUNCTION, close);
}

// The address of a connection that is about to be made: 4 or 16 bytes in network order, none for another family.
struct sy_curl_address {
    int length;
    unsigned char bytes[16];
};
static inline struct sy_curl_address sy_curl_address(const struct curl_sockaddr *_Nonnull address) {
    struct sy_curl_address found = {0, {0}};
    if (address->family == AF_INET && address->addrlen >= sizeof(struct sockaddr_in)) {
        found.length = 4;
        memcpy(found.bytes, &((const struct sockaddr_in *)(const void *)&address->addr)->sin_addr, 4);
    } else if (address->family == AF_INET6 && address->addrlen >= sizeof(struct sockaddr_in6)) {
        found.length = 16;
        memcpy(found.bytes, &((const struct sockaddr_in6 *)(const void *)&address->addr)->sin6_addr, 16);
    }
    return found;
}
static inline curl_socket_t sy_curl_open_socket(const struct curl_sockaddr *_Nonnull address) {
    return socket(address->family, address->socktype | SOCK_CLOEXEC, address->protocol);
}
typedef curl_socket_t (*sy_curl_open)(void *_Nullable context, curlsocktype purpose, struct curl_sockaddr *_Nonnull address);
// `open` makes the socket, or refuses the address with CURL_SOCKET_BAD. libcurl calls it only while `easy` is under way.
static inline void sy_easy_set_open(CURL *_Nonnull easy, void *_Nullable context, sy_curl_open _Nonnull open) {
    curl_easy_setopt(easy, CURLOPT_OPENSOCKETDATA, context);
    curl_easy_setopt(easy, CURLOPT_OPENSOCKETFUNCTION, open);
}

static inline CURLcode sy_easy_get_long(CURL *_Nonnull easy, CURLINFO info, long *_Nonnull value) {
    return curl_easy_getinfo(easy, info, value);
}
static inline CURLcode sy_easy_get_pointer(CURL *_Nonnull easy, CURLINFO info, void *_Nullable *_Nonnull value) {
    return curl_easy_getinfo(easy, info, value);
}

typedef int (*sy_curl_socket)(CURL *_Nonnull easy, curl_socket_t socket, int what, void *_Nullable context,
                              void *_Nullable socket_context);
typedef int (*sy_curl_timer)(CURLM *_Nonnull multi, long timeout_ms, void *_Nullable context);
static inline CURLMcode sy_multi_set_socket(CURLM *_Nonnull multi, sy_curl_socket _Nullable f) {
    return curl_multi_setopt(multi, CURLMOPT_SOCKETFUNCTION, f);
}
static inline CURLMcode sy_multi_set_timer(CURLM *_Nonnull multi, sy_curl_timer _Nullable f) {
    return curl_multi_setopt(multi, CURLMOPT_TIMERFUNCTION, f);
}
static inline CURLMcode sy_multi_set_pointer(CURLM *_Nonnull multi, CURLMoption option, void *_Nullable value) {
    return curl_multi_setopt(multi, option, value);
}
static inline CURLMcode sy_multi_set_long(CURLM *_Nonnull multi, CURLMoption option, long value) {
    return curl_multi_setopt(multi, option, value);
}

// Overwrites a secret that is no longer used.
static inline void sy_wipe(void *_Nonnull start, size_t count) {
    explicit_bzero(start, count);
}

#endif
