#define _GNU_SOURCE  // accept4 and struct ucred; not in the header, where it would change the types of libc
#include "SwitchyardCLinux.h"

#include <sched.h>

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

int sy_processor_count(void) {
    cpu_set_t set;
    if (sched_getaffinity(0, sizeof set, &set) != 0) return 1;
    int count = CPU_COUNT(&set);
    return count > 0 ? count : 1;
}
