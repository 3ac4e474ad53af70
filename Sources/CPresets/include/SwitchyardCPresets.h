#pragma once

#include <stddef.h>

/// The data file of a preset, as it was when this was compiled.
struct sy_preset {
    const char *name;
    const unsigned char *bytes;
    size_t count;
};

extern const size_t sy_preset_count;

/// The preset with that number, below `sy_preset_count`, in the order of their names. It lives as long as the program.
const struct sy_preset *sy_preset_at(size_t number);
