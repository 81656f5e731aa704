/* Finds names in JSON lines that were not seen before, so that nothing has to be read twice for their sake. */

#ifndef NAMES_H
#define NAMES_H

#include <stdint.h>
#include <string.h>

enum { NAMES_KNOWN = 4096, LAST_LETTERS = 8, TRIED = 8 };

/* The last letters of a name that ends before `at`, without what stands before its first quote. */
static uint64_t last_letters(const uint8_t *at) {
    uint64_t word, mask = 0;
    memcpy(&word, at - LAST_LETTERS, LAST_LETTERS);
    for (int byte = LAST_LETTERS - 1; byte >= 0 && (word >> 8 * byte & 255) != '"'; byte--) mask |= 255ULL << 8 * byte;
    return word & mask;
}

static int is_new(uint64_t letters, uint64_t *known) {
    uint64_t place = letters * 0x9E3779B97F4A7C15ULL;
    for (int tried = 0; letters && tried < TRIED; tried++) {
        uint64_t *here = known + ((place >> 52) + tried) % NAMES_KNOWN;
        if (*here == letters) return 0;
        if (!*here) {
            *here = letters;
            return 1;
        }
    }
    return 0;
}

/* Where names stand whose last letters were not seen before; how many they are. `known` keeps what was seen:
   two names may end alike, so that one of them is not told. */
int64_t new_names(const uint8_t *data, int64_t size, uint64_t *known, int64_t *found, int64_t most) {
    const uint8_t *at = data, *end = data + size;
    int64_t number = 0;
    while (number < most && (at = memchr(at, ':', (size_t)(end - at)))) {
        if (at - data > LAST_LETTERS && at[-1] == '"') {
            uint64_t letters = last_letters(at - 1);
            if (is_new(letters, known)) found[number++] = at - data;
        }
        at++;
    }
    return number;
}

#endif
