#include "SwitchyardCLinux.h"

#include <sys/prctl.h>
#include <sys/resource.h>

// A limit of 1 also keeps the kernel from starting a program for the core file; a limit of 0 does not (core(5)).
enum { NO_FILE_AND_NO_PROGRAM = 1 };

static int limit_core_files(rlim_t most) {
    struct rlimit limit;
    if (getrlimit(RLIMIT_CORE, &limit) != 0) return -1;
    limit.rlim_cur = limit.rlim_max < most ? limit.rlim_max : most;
    return setrlimit(RLIMIT_CORE, &limit);
}

int sy_forbid_core_files(void) {
    return limit_core_files(NO_FILE_AND_NO_PROGRAM);
}

// After a crash Swift's runtime starts a program that prints the memory which registers point to. For a hidden process
// that program would wait forever for the memory, and the process for that program.
static void print_no_memory(void) {
    static const int crashes[] = {SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGQUIT, SIGSEGV, SIGTRAP};
    for (size_t i = 0; i < sizeof crashes / sizeof crashes[0]; i++) signal(crashes[i], SIG_DFL);
}

int sy_hide_process(void) {
    print_no_memory();
    int is_limited = limit_core_files(0);
    return prctl(PR_SET_DUMPABLE, 0, 0, 0, 0) == 0 ? is_limited : -1;
}
