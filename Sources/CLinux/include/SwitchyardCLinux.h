// Linux system calls whose constants or signatures Swift does not import.
#ifndef SWITCHYARD_CLINUX_H
#define SWITCHYARD_CLINUX_H

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <netinet/in.h>
#include <netdb.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/file.h>
#include <sys/inotify.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

// epoll_event is packed and holds a union; these two keep that out of Swift.
static inline int sy_epoll_control(int epoll, int operation, int fd, uint32_t events, uint64_t token) {
    struct epoll_event event = {.events = events, .data = {.u64 = token}};
    return epoll_ctl(epoll, operation, fd, &event);
}

typedef struct sy_ready {
    uint32_t events;
    uint64_t token;
} sy_ready;

// Waits for at most `timeout_ms` (-1: for ever) and writes up to `capacity` (at most 256) ready tokens.
int sy_epoll_wait(int epoll, sy_ready *_Nonnull ready, int capacity, int timeout_ms);

// The number of processors that this process may run on (its affinity, not the machine's size); at least 1.
int sy_processor_count(void);

// accept4 with non-blocking and close-on-exec, whose own declaration hides behind a transparent union.
int sy_accept(int fd, struct sockaddr_storage *_Nonnull address);

// Writes at most `capacity` addresses of `host`, a name or a number, with `port`. With `numeric` it takes only numbers
// and asks no server, so it does not block. Returns their number, or -1 if there is none.
int sy_resolve(
    const char *_Nonnull host, uint16_t port, int numeric, struct sockaddr_storage *_Nonnull addresses, int capacity);

// Begins to connect to a TCP address. Returns a non-blocking socket that is writable once the connection is made or has
// failed. -1 with errno.
int sy_connect(const struct sockaddr_storage *_Nonnull address);

// The result of a connect that was begun: 0, or its errno.
int sy_connect_result(int fd);

// Keeps the kernel from writing a core file of this process, and from starting a program with one. Programs that this
// process begins inherit the first, until they raise their limit. 0, or -1 with errno.
int sy_forbid_core_files(void);

// Hides the memory and the open files of this process from other processes of its user. The kernel writes no core file
// of it either, and a crash ends it without a backtrace. 0, or -1 with errno.
int sy_hide_process(void);

// Makes a descriptor non-blocking and close-on-exec. 0, or -1 with errno.
int sy_set_descriptor_flags(int fd);

// Begins a program with these descriptors as 3, 4 and so on, the standard three, and no signal blocked. The program is
// not a child of this process: when this returns, its parent is the first process, or the nearest one that adopts
// orphans (PR_SET_CHILD_SUBREAPER). Returns its process, and a descriptor of it (-1 if the kernel has none); -1 with
// errno.
pid_t sy_spawn_orphan(
    const char *_Nonnull program, char *_Nullable const *_Nonnull arguments, char *_Nullable const *_Nonnull environment,
    const int *_Nonnull descriptors, int count, int *_Nonnull descriptor);

// Sends a signal to the process of a descriptor. A newer process with the same number does not get it. 0, or -1 with
// errno.
int sy_signal_process(int descriptor, int number);

// Begins a program, a path or a name in PATH, that goes on when this one ends. It has a session of its own, the root of
// the file system as its folder, and the standard descriptors only. Its output goes into `log`, a new file. Returns its
// process, or -1 with errno.
pid_t sy_spawn_detached(
    const char *_Nonnull program, char *_Nullable const *_Nonnull arguments, char *_Nullable const *_Nonnull environment,
    const char *_Nonnull log);

// Hides the arguments from this number on from other processes.
void sy_hide_arguments(int first);

// Begins a program with these three as its only descriptors, no signal blocked, and the default action for SIGPIPE.
// With `session` it leads a session of its own; the first terminal among the three becomes the session's. With `bound`
// it gets SIGTERM when the calling thread ends, for any reason. Returns its process, or -1 with errno; a missing
// program ends at once with 127.
pid_t sy_start(
    const char *_Nonnull program, char *_Nullable const *_Nonnull arguments, char *_Nullable const *_Nonnull environment,
    int input, int output, int error, int session, int bound);

// Makes a pseudo-terminal, and writes the program's side to `slave`. Both sides are close-on-exec. -1 with errno.
int sy_open_terminal(int *_Nonnull slave);

// Gives the terminal `to` the size of the terminal `from`. 0, or -1 with errno.
int sy_copy_size(int from, int to);

// The number of a terminal's columns; 0 if it is unknown.
int sy_columns(int fd);

// A descriptor that is readable once a child has ended (pidfd_open(2)). -1 with errno.
int sy_process_descriptor(pid_t process);

// Begins to connect to the Unix socket at a path. Returns a non-blocking socket. -1 with errno; EAGAIN if too many wait
// there.
int sy_connect_path(const char *_Nonnull path);

// The user at the other end of a Unix socket. 0, or -1 with errno.
int sy_peer_user(int fd, uid_t *_Nonnull uid, pid_t *_Nonnull pid);

// A descriptor of the process that connected to a Unix socket (pidfd_open(2)), even if another process has its number
// by now. Linux 6.5 and later. -1 with errno; ESRCH if it has ended, ENOPROTOOPT on an older kernel.
int sy_peer_process(int fd);

// Finds the TCP socket of this network name space with this address and port, and this peer; without `peer`, and with
// `peer_port` 0, the socket that listens. Addresses have 4 or 16 bytes. Writes its user, as this process's user name
// space numbers users, and its inode, which is 0 once no program holds the socket. 0, or -1 with errno: ENOENT if there
// is no such socket, or if the kernel lacks its module for TCP (sock_diag(7)).
int sy_find_tcp_socket(
    int family, const uint8_t *_Nonnull address, uint16_t port, const uint8_t *_Nullable peer, uint16_t peer_port,
    uint32_t *_Nonnull uid, uint32_t *_Nonnull inode);

// The first position of these bytes in others; -1 if they are not there (memmem(3)).
ssize_t sy_find_bytes(
    const uint8_t *_Nullable bytes, size_t count, const uint8_t *_Nonnull wanted, size_t wanted_count);

// The exit status of a child, or 128 and its signal. The child can still be waited for. -1 while it runs, and for a
// process that is no child.
int sy_process_result(pid_t process);

// Whether a process, given by such a descriptor, has ended. -1 with errno.
int sy_process_has_ended(int process);

// Reads all events of an inotify descriptor. Returns their masks together; 0 without events.
uint32_t sy_inotify_drain(int fd);

// Keys of this user in the kernel's memory (keyrings(7), user-keyring(7)); glibc has no functions for them. The calling
// thread must hold the user keyring. -1 with errno on failure.
int sy_keys_hold(void);
void sy_keys_release(void);
// The serial number of the key with this description; ENOKEY if there is none.
int32_t sy_key_find(const char *_Nonnull description);
// Puts a key there, in the place of one with the same description.
int32_t sy_key_add(const char *_Nonnull description, const uint8_t *_Nonnull payload, size_t count);
// Writes at most `capacity` bytes of the payload, and returns its whole length.
long sy_key_read(int32_t key, uint8_t *_Nonnull buffer, size_t capacity);
// Takes a key away.
int sy_key_remove(int32_t key);

// A file: its device and number, the mount that it was found by (0 if the kernel does not tell), and its type bits.
typedef struct sy_file {
    uint64_t device, number, mount;
    uint32_t mode;
} sy_file;

// Looks at a path below a folder (AT_FDCWD for none); an empty path is the folder itself. The kernel answers from its
// memory (AT_STATX_DONT_SYNC), so a file system whose program hangs does not block. 0, or -1 with errno.
int sy_look(int folder, const char *_Nonnull path, int follows, sy_file *_Nonnull file);

// Whether a program keeps the kernel's clock right (adjtimex(2)); -1 if the kernel does not tell.
int sy_clock_is_kept(void);

#endif
