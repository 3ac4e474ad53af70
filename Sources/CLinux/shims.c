#define _GNU_SOURCE  // accept4 and struct ucred; not in the header, where it would change the types of libc
#include "SwitchyardCLinux.h"

#include <sched.h>
#include <stdio.h>
#include <string.h>

int sy_epoll_wait(int epoll, sy_ready *ready, int capacity, int timeout_ms) {
    struct epoll_event events[256];
    if (capacity > 256) capacity = 256;
    int n = epoll_wait(epoll, events, capacity, timeout_ms);
    for (int i = 0; i < n; i++) {
        ready[i].events = events[i].events;
        ready[i].token = events[i].data.u64;
    }
    return n;
}

int sy_peer_user(int fd, uid_t *uid, pid_t *pid) {
    struct ucred credentials;
    socklen_t size = sizeof credentials;
    if (getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &credentials, &size) != 0) return -1;
    *uid = credentials.uid;
    *pid = credentials.pid;
    return 0;
}

int sy_accept(int fd, struct sockaddr_storage *address) {
    socklen_t size = sizeof *address;
    return accept4(fd, (struct sockaddr *)address, &size, SOCK_NONBLOCK | SOCK_CLOEXEC);
}

uint32_t sy_inotify_drain(int fd) {
    _Alignas(struct inotify_event) char buffer[16384];
    uint32_t all = 0;
    ssize_t count;
    while ((count = read(fd, buffer, sizeof buffer)) > 0) {
        for (ssize_t at = 0; at < count;) {
            const struct inotify_event *event = (const struct inotify_event *)(buffer + at);
            all |= event->mask;
            at += sizeof *event + event->len;
        }
    }
    return all;
}

int sy_processor_count(void) {
    cpu_set_t set;
    if (sched_getaffinity(0, sizeof set, &set) != 0) return 1;
    int count = CPU_COUNT(&set);
    return count > 0 ? count : 1;
}

int sy_resolve(const char *host, uint16_t port, int numeric, struct sockaddr_storage *addresses, int capacity) {
    char service[8];
    snprintf(service, sizeof service, "%u", (unsigned)port);
    struct addrinfo hints = {.ai_socktype = SOCK_STREAM,
                             .ai_flags = AI_NUMERICSERV | (numeric ? AI_NUMERICHOST : AI_ADDRCONFIG)};
    struct addrinfo *found = NULL;
    if (getaddrinfo(host, service, &hints, &found) != 0) return -1;
    int count = 0;
    for (struct addrinfo *each = found; each != NULL && count < capacity; each = each->ai_next) {
        if (each->ai_addrlen > sizeof *addresses) continue;
        memset(&addresses[count], 0, sizeof *addresses);
        memcpy(&addresses[count], each->ai_addr, each->ai_addrlen);
        count++;
    }
    freeaddrinfo(found);
    return count > 0 ? count : -1;
}

int sy_connect(const struct sockaddr_storage *address) {
    int fd = socket(address->ss_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    if (fd < 0) return -1;
    int on = 1;
    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    socklen_t size = address->ss_family == AF_INET6 ? sizeof(struct sockaddr_in6) : sizeof(struct sockaddr_in);
    if (connect(fd, (const struct sockaddr *)address, size) == 0 || errno == EINPROGRESS) return fd;
    int error = errno;
    close(fd);
    errno = error;
    return -1;
}

int sy_connect_result(int fd) {
    int error = 0;
    socklen_t size = sizeof error;
    return getsockopt(fd, SOL_SOCKET, SO_ERROR, &error, &size) == 0 ? error : errno;
}
