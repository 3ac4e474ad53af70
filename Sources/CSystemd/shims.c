#include "SwitchyardCSystemd.h"

// The place in the source code is of no use to the journal's readers.
#define SD_JOURNAL_SUPPRESS_LOCATION
#include <string.h>
#include <sys/uio.h>
#include <systemd/sd-journal.h>

int sy_journal_send(const unsigned char *fields, size_t length) {
    struct iovec parts[32];
    int count = 0;
    const unsigned char *end = fields + length;
    while (fields < end && count < 32) {
        const unsigned char *next = memchr(fields, 0, (size_t)(end - fields));
        if (next == NULL) next = end;
        if (next > fields) {
            parts[count].iov_base = (void *)fields;
            parts[count].iov_len = (size_t)(next - fields);
            count++;
        }
        fields = next + 1;
    }
    return count == 0 ? 0 : sd_journal_sendv(parts, count);
}
