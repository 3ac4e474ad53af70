#define _GNU_SOURCE  // accept4 and struct ucred; not in the header, where it would change the types of libc
#include "SwitchyardCLinux.h"

#include <sched.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/timex.h>
#include <sys/wait.h>
#include <termios.h>

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

int sy_look(int folder, const char *path, int follows, sy_file *file) {
    struct statx found;
    int flags = AT_STATX_DONT_SYNC | AT_NO_AUTOMOUNT | AT_EMPTY_PATH | (follows ? 0 : AT_SYMLINK_NOFOLLOW);
    if (statx(folder, path, flags, STATX_TYPE | STATX_INO | STATX_MNT_ID, &found) != 0) return -1;
    file->device = (uint64_t)found.stx_dev_major << 32 | found.stx_dev_minor;
    file->number = found.stx_ino;
    file->mount = (found.stx_mask & STATX_MNT_ID) != 0 ? found.stx_mnt_id : 0;
    file->mode = found.stx_mode;
    return 0;
}

int sy_clock_is_kept(void) {
    struct timex clock = {0};
    int state = adjtimex(&clock);
    if (state < 0) return -1;
    return state != TIME_ERROR || (clock.status & STA_UNSYNC) == 0;
}

int sy_set_descriptor_flags(int fd) {
    int flags = fcntl(fd, F_GETFL);
    if (flags < 0 || fcntl(fd, F_SETFL, flags | O_NONBLOCK) != 0) return -1;
    return fcntl(fd, F_SETFD, FD_CLOEXEC);
}

int sy_process_descriptor(pid_t process) { return (int)syscall(SYS_pidfd_open, process, 0); }

int sy_connect_path(const char *path) {
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    if (strlen(path) >= sizeof address.sun_path) {
        errno = ENAMETOOLONG;
        return -1;
    }
    strcpy(address.sun_path, path);
    int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    if (fd < 0) return -1;
    if (connect(fd, (const struct sockaddr *)&address, sizeof address) == 0) return fd;
    int error = errno;
    close(fd);
    errno = error;
    return -1;
}

// Never returns. `talk` ends with the exec, or gets its errno.
static void become(
    const char *program, char *const *arguments, char *const *environment, const int *descriptors, int count, int talk) {
    enum { first = 3 };
    const int last = first + count;
    pid_t process = getpid();
    char go;
    int code = 0;
    if (write(talk, &process, sizeof process) != sizeof process || read(talk, &go, 1) != 1) _exit(127);
    // Move the descriptors out of the range of their final numbers.
    int copies[256];
    talk = fcntl(talk, F_DUPFD_CLOEXEC, last + 1);
    for (int i = 0; i < count && code == 0; i++)
        if ((copies[i] = fcntl(descriptors[i], F_DUPFD_CLOEXEC, last + 1)) < 0) code = errno;
    for (int i = 0; i < count && code == 0; i++)
        if (dup2(copies[i], first + i) < 0) code = errno;
    if (code == 0 && dup3(talk, last, O_CLOEXEC) < 0) code = errno;
    if (code == 0) {
        talk = last;
        if (close_range(last + 1, ~0U, 0) != 0)
            for (int fd = last + 1; fd < 65536; fd++) close(fd);
        sigset_t none;
        sigemptyset(&none);
        sigprocmask(SIG_SETMASK, &none, NULL);
        execvpe(program, arguments, environment);
        code = errno;
    }
    if (write(talk, &code, sizeof code) < 0) _exit(126);
    _exit(127);
}

pid_t sy_spawn_orphan(
    const char *program, char *const *arguments, char *const *environment, const int *descriptors, int count,
    int *descriptor) {
    int talk[2];
    if (count > 256) {
        errno = E2BIG;
        return -1;
    }
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, talk) != 0) return -1;
    sigset_t all, before;
    sigfillset(&all);
    // Block all signals until the children have set their own handling.
    pthread_sigmask(SIG_SETMASK, &all, &before);
    pid_t between = fork();
    if (between == 0) {
        // After a fork in a process with threads, call async-signal-safe functions only (signal-safety(7)).
        close(talk[0]);
        pid_t process = _Fork();
        if (process == 0) become(program, arguments, environment, descriptors, count, talk[1]);
        _exit(process < 0 ? errno : 0);
    }
    int code = between < 0 ? errno : 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    close(talk[1]);
    int status = 0;
    if (code == 0) {
        // Once the child in between has ended, the program has another parent.
        while (waitpid(between, &status, 0) < 0 && errno == EINTR) {}
        if (WIFEXITED(status)) code = WEXITSTATUS(status);
    }
    pid_t process = -1;
    if (code == 0 && read(talk[0], &process, sizeof process) != sizeof process) code = ECHILD;
    if (code == 0) {
        // While the program waits, no other process can have its number.
        *descriptor = sy_process_descriptor(process);
        if (*descriptor >= 0) fcntl(*descriptor, F_SETFD, FD_CLOEXEC);
        if (send(talk[0], "", 1, MSG_NOSIGNAL) != 1) code = ECHILD;
        int failure = 0;
        if (code == 0 && read(talk[0], &failure, sizeof failure) == sizeof failure) code = failure;
        if (code != 0 && *descriptor >= 0) close(*descriptor);
    }
    close(talk[0]);
    errno = code;
    return code == 0 ? process : -1;
}

int sy_signal_process(int descriptor, int number) {
    return (int)syscall(SYS_pidfd_send_signal, descriptor, number, NULL, 0);
}

pid_t sy_spawn_detached(
    const char *program, char *const *arguments, char *const *environment, const char *log) {
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    sigset_t none, all;
    sigemptyset(&none);
    sigfillset(&all);
    posix_spawn_file_actions_init(&actions);
    posix_spawnattr_init(&attributes);
    posix_spawnattr_setsigmask(&attributes, &none);
    posix_spawnattr_setsigdefault(&attributes, &all);
    posix_spawnattr_setflags(
        &attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSID);
    int flags = O_WRONLY | O_CREAT | O_TRUNC | O_APPEND | O_NOFOLLOW;
    int code = posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
    if (code == 0) code = posix_spawn_file_actions_addopen(&actions, 1, log, flags, 0600);
    if (code == 0) code = posix_spawn_file_actions_adddup2(&actions, 1, 2);
    if (code == 0) code = posix_spawn_file_actions_addchdir_np(&actions, "/");
    if (code == 0) code = posix_spawn_file_actions_addclosefrom_np(&actions, 3);
    pid_t process = -1;
    if (code == 0) code = posix_spawnp(&process, program, &actions, &attributes, arguments, environment);
    posix_spawn_file_actions_destroy(&actions);
    posix_spawnattr_destroy(&attributes);
    errno = code;
    return code == 0 ? process : -1;
}

static int argument_count;
static char **arguments_of_process;

// The C library gives constructors the same arguments as main.
__attribute__((constructor)) static void note_arguments(int count, char **arguments) {
    argument_count = count;
    arguments_of_process = arguments;
}

void sy_hide_arguments(int first) {
    for (int i = first; i < argument_count; i++) {
        memset(arguments_of_process[i], 0, strlen(arguments_of_process[i]));
    }
}

pid_t sy_start(
    const char *program, char *const *arguments, char *const *environment, int input, int output, int error, int session,
    int bound) {
    sigset_t all, before;
    sigfillset(&all);
    // Block all signals until the child has set its own handling.
    pthread_sigmask(SIG_SETMASK, &all, &before);
    pid_t parent = getpid();
    pid_t process = fork();
    if (process != 0) {
        int code = errno;
        pthread_sigmask(SIG_SETMASK, &before, NULL);
        errno = code;
        return process;
    }
    // After a fork in a process with threads, call async-signal-safe functions only (signal-safety(7)).
    int given[3] = {input, output, error};
    for (int i = 0; i < 3; i++)
        if ((given[i] = fcntl(given[i], F_DUPFD, 3)) < 0) _exit(127);
    for (int i = 0; i < 3; i++)
        if (dup2(given[i], i) < 0) _exit(127);
    if (close_range(3, ~0U, 0) != 0)
        for (int fd = 3; fd < 4096; fd++) close(fd);
    if (session) {
        setsid();
        for (int i = 0; i < 3; i++)
            if (isatty(i) && ioctl(i, TIOCSCTTY, 0) == 0) break;
    }
    if (bound) {
        prctl(PR_SET_PDEATHSIG, SIGTERM);
        if (getppid() != parent) _exit(127);
    }
    signal(SIGPIPE, SIG_DFL);
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    execvpe(program, arguments, environment);
    _exit(127);
}

int sy_open_terminal(int *slave) {
    char name[128];
    int master = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);
    if (master < 0) return -1;
    *slave = -1;
    if (grantpt(master) == 0 && unlockpt(master) == 0 && ptsname_r(master, name, sizeof name) == 0)
        *slave = open(name, O_RDWR | O_NOCTTY | O_CLOEXEC);
    if (*slave >= 0) return master;
    int error = errno;
    close(master);
    errno = error;
    return -1;
}

int sy_copy_size(int from, int to) {
    struct winsize size;
    if (ioctl(from, TIOCGWINSZ, &size) != 0) return -1;
    return ioctl(to, TIOCSWINSZ, &size);
}

int sy_columns(int fd) {
    struct winsize size;
    return ioctl(fd, TIOCGWINSZ, &size) == 0 ? size.ws_col : 0;
}

int sy_peer_user(int fd, uid_t *uid, pid_t *pid) {
    struct ucred credentials;
    socklen_t size = sizeof credentials;
    if (getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &credentials, &size) != 0) return -1;
    *uid = credentials.uid;
    *pid = credentials.pid;
    return 0;
}

#ifndef SO_PEERPIDFD
#define SO_PEERPIDFD 77
#endif

int sy_peer_process(int fd) {
    int process = -1;
    socklen_t size = sizeof process;
    if (getsockopt(fd, SOL_SOCKET, SO_PEERPIDFD, &process, &size) != 0) return -1;
    return process;
}

int sy_process_result(pid_t process) {
    siginfo_t info = {0};
    if (waitid(P_PID, (id_t)process, &info, WEXITED | WNOHANG | WNOWAIT) != 0 || info.si_pid != process) return -1;
    return info.si_code == CLD_EXITED ? info.si_status : 128 + info.si_status;
}

int sy_process_has_ended(int process) {
    struct pollfd entry = {.fd = process, .events = POLLIN};
    return poll(&entry, 1, 0);
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
