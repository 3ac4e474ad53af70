#define _GNU_SOURCE  // memmem
#include "SwitchyardCLinux.h"

#include <linux/inet_diag.h>
#include <linux/netlink.h>
#include <linux/sock_diag.h>
#include <string.h>
#include <sys/time.h>

// A question to the kernel's socket diagnosis (sock_diag(7)), which finds a socket by its four numbers in a hash table,
// so its cost does not grow with the number of sockets.
static int ask(int netlink, const struct inet_diag_req_v2 *question, uint32_t *uid, uint32_t *inode) {
    struct {
        struct nlmsghdr head;
        struct inet_diag_req_v2 question;
    } message = {
        .head = {
            .nlmsg_len = sizeof message,
            .nlmsg_type = SOCK_DIAG_BY_FAMILY,
            .nlmsg_flags = NLM_F_REQUEST,
        },
        .question = *question,
    };
    struct sockaddr_nl kernel = {.nl_family = AF_NETLINK};
    if (sendto(netlink, &message, sizeof message, 0, (struct sockaddr *)&kernel, sizeof kernel) < 0) return -1;
    union {
        struct nlmsghdr head;
        char bytes[4096];
    } answer;
    socklen_t size = sizeof kernel;
    ssize_t count = recvfrom(netlink, &answer, sizeof answer, 0, (struct sockaddr *)&kernel, &size);
    if (count < 0) return -1;
    if (kernel.nl_pid != 0 || !NLMSG_OK(&answer.head, (size_t)count)) {
        errno = EBADMSG;
        return -1;
    }
    if (answer.head.nlmsg_type == NLMSG_ERROR && answer.head.nlmsg_len >= NLMSG_LENGTH(sizeof(struct nlmsgerr))) {
        const struct nlmsgerr *error = NLMSG_DATA(&answer.head);
        errno = error->error < 0 ? -error->error : EBADMSG;
        return -1;
    }
    if (answer.head.nlmsg_type != SOCK_DIAG_BY_FAMILY
        || answer.head.nlmsg_len < NLMSG_LENGTH(sizeof(struct inet_diag_msg))) {
        errno = EBADMSG;
        return -1;
    }
    const struct inet_diag_msg *found = NLMSG_DATA(&answer.head);
    // If no connection matches, the kernel answers with the socket that listens at the first of the two ports.
    if (found->id.idiag_sport != question->id.idiag_sport || found->id.idiag_dport != question->id.idiag_dport) {
        errno = ENOENT;
        return -1;
    }
    *uid = found->idiag_uid;
    *inode = found->idiag_inode;
    return 0;
}

int sy_find_tcp_socket(
    int family, const uint8_t *address, uint16_t port, const uint8_t *peer, uint16_t peer_port, uint32_t *uid,
    uint32_t *inode) {
    struct inet_diag_req_v2 question = {
        .sdiag_family = family,
        .sdiag_protocol = IPPROTO_TCP,
        .idiag_states = ~0u,
        .id = {
            .idiag_sport = htons(port),
            .idiag_dport = htons(peer_port),
            .idiag_cookie = {INET_DIAG_NOCOOKIE, INET_DIAG_NOCOOKIE},
        },
    };
    size_t length = family == AF_INET6 ? 16 : 4;
    memcpy(question.id.idiag_src, address, length);
    if (peer) memcpy(question.id.idiag_dst, peer, length);
    int netlink = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_SOCK_DIAG);
    if (netlink < 0) return -1;
    // The kernel answers before `sendto` returns. Do not wait: a sandbox may swallow the question.
    struct timeval patience = {.tv_sec = 1};
    setsockopt(netlink, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
    int result = ask(netlink, &question, uid, inode);
    int error = errno;
    close(netlink);
    errno = error;
    return result;
}

ssize_t sy_find_bytes(const uint8_t *bytes, size_t count, const uint8_t *wanted, size_t wanted_count) {
    if (!bytes) return -1;
    const uint8_t *found = memmem(bytes, count, wanted, wanted_count);
    return found ? found - bytes : -1;
}
