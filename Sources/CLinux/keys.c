#define _GNU_SOURCE  // syscall
#include "SwitchyardCLinux.h"

#include <linux/keyctl.h>
#include <sys/syscall.h>

// A service's session keyring has no link to the user keyring, and the kernel shows its keys only through a link. So
// the thread makes a link of its own for the moment, which the kernel allows to this user.
int sy_keys_hold(void) {
    return (int)syscall(SYS_keyctl, KEYCTL_LINK, KEY_SPEC_USER_KEYRING, KEY_SPEC_THREAD_KEYRING);
}

void sy_keys_release(void) {
    syscall(SYS_keyctl, KEYCTL_UNLINK, KEY_SPEC_USER_KEYRING, KEY_SPEC_THREAD_KEYRING);
}

int32_t sy_key_find(const char *description) {
    return (int32_t)syscall(SYS_keyctl, KEYCTL_SEARCH, KEY_SPEC_USER_KEYRING, "user", description, 0);
}

int32_t sy_key_add(const char *description, const uint8_t *payload, size_t count) {
    return (int32_t)syscall(SYS_add_key, "user", description, payload, count, KEY_SPEC_USER_KEYRING);
}

long sy_key_read(int32_t key, uint8_t *buffer, size_t capacity) {
    return syscall(SYS_keyctl, KEYCTL_READ, key, buffer, capacity);
}

int sy_key_remove(int32_t key) {
    return (int)syscall(SYS_keyctl, KEYCTL_UNLINK, key, KEY_SPEC_USER_KEYRING);
}
