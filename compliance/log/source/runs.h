/* Numbers of few bits, packed or in runs of equal ones; and which rows have a value, which is told so. */

#ifndef RUNS_H
#define RUNS_H

#include "page_heads.h"

/* Where the values of a column go. */
typedef struct {
    const int64_t *table;  /* what each place of the dictionary stands for */
    int64_t table_size;
    uint8_t *out;
    int64_t width;     /* bytes of a number there */
    uint8_t *bits;     /* a bit for each row that has a value; empty: all must have one */
    uint32_t *codes;   /* room for the places of one page */
    int64_t rows;      /* how many rows there is room for */
    int64_t stored;    /* bytes of a number that is no place of a dictionary; 0: a bit, -1: texts */
    int64_t optional;  /* whether rows may be without a value */
} Target;

static uint64_t word_at(const uint8_t *at, const uint8_t *end) {
    uint64_t word = 0;
    int64_t left = end - at;
    memcpy(&word, at, left < 8 ? (size_t)left : 8);
    return word;
}

/* Numbers of `width` bits each, packed. */
static void unpack(const uint8_t *at, const uint8_t *end, int width, int64_t number, uint32_t *out) {
    uint64_t mask = (1ULL << width) - 1;
    int64_t i = 0, bit = 0, safe = (end - at - 8) * 8;
    for (; i < number && bit <= safe; i++, bit += width) {
        uint64_t word;
        memcpy(&word, at + (bit >> 3), 8);
        out[i] = (uint32_t)(word >> (bit & 7) & mask);
    }
    for (; i < number; i++, bit += width) out[i] = (uint32_t)(word_at(at + (bit >> 3), end) >> (bit & 7) & mask);
}

/* One run: how many numbers it has, at most `left`. A run of equal ones gives its value, a packed one where
   it begins. */
typedef struct {
    int64_t number;
    uint32_t value;
    const uint8_t *packed, *end;
} Run;

static int next_run(Bytes *bytes, int width, int64_t left, Run *run) {
    uint64_t head = variable(bytes);
    uint64_t number = head >> 1;
    if (bytes->wrong || !number) return 0;
    run->packed = NULL;
    if (head & 1) {
        int64_t room = bytes->end - bytes->at;
        /* The last run may leave out the bytes that nobody needs. */
        uint64_t needed = number > (1u << 28) ? UINT64_MAX : number * (uint64_t)width;
        run->number = number > (1u << 28) || (int64_t)(number * 8) > left ? left : (int64_t)(number * 8);
        if (needed > (uint64_t)room) {
            if ((run->number * width + 7) / 8 > room) return 0;
            needed = (uint64_t)room;
        }
        run->packed = bytes->at;
        run->end = bytes->at + needed;
        bytes->at += needed;
        return 1;
    }
    run->number = number > (uint64_t)left ? left : (int64_t)number;
    run->value = 0;
    for (int byte = 0; byte < (width + 7) / 8; byte++) {
        if (bytes->at >= bytes->end) return 0;
        run->value |= (uint32_t)*bytes->at++ << 8 * byte;
    }
    return 1;
}

static int read_runs(const uint8_t *at, const uint8_t *end, int width, int64_t number, uint32_t *out) {
    Bytes bytes = {at, end, 0};
    for (int64_t done = 0; done < number;) {
        Run run;
        if (!next_run(&bytes, width, number - done, &run)) return 0;
        if (run.packed) {
            unpack(run.packed, run.end, width, run.number, out + done);
        } else {
            for (int64_t i = 0; i < run.number; i++) out[done + i] = run.value;
        }
        done += run.number;
    }
    return 1;
}

/* ---- which rows have a value ----------------------------------------------------------------------- */

/* Bits into a place of others that are all 0. */
static void put_bits(uint8_t *bits, int64_t at, const uint8_t *from, const uint8_t *end, int64_t number) {
    for (int64_t done = 0; done < number; done += 32) {
        uint64_t word = word_at(from + done / 8, end) & 0xffffffff;
        int64_t left = number - done;
        if (left < 32) word &= (1ULL << left) - 1;
        word <<= (at + done) & 7;
        uint8_t *to = bits + ((at + done) >> 3);
        int64_t last = (at + (left < 32 ? number : done + 32) - 1) >> 3;
        for (int64_t byte = 0; to + byte <= bits + last; byte++) to[byte] |= (uint8_t)(word >> 8 * byte);
    }
}

static void set_bits(uint8_t *bits, int64_t at, int64_t number) {
    int64_t end = at + number;
    for (; at < end && at & 7; at++) bits[at >> 3] |= (uint8_t)(1 << (at & 7));
    if (end - at >= 8) {
        memset(bits + (at >> 3), 255, (size_t)((end - at) >> 3));
        at += (end - at) & ~7;
    }
    for (; at < end; at++) bits[at >> 3] |= (uint8_t)(1 << (at & 7));
}

static int64_t number_of_bits(const uint8_t *bits, int64_t at, int64_t number) {
    int64_t found = 0, end = at + number;
    for (; at < end && at & 7; at++) found += bits[at >> 3] >> (at & 7) & 1;
    for (; at + 64 <= end; at += 64) {
        uint64_t word;
        memcpy(&word, bits + (at >> 3), 8);
        found += __builtin_popcountll(word);
    }
    for (; at < end; at++) found += bits[at >> 3] >> (at & 7) & 1;
    return found;
}

/* How many rows of a page have a value, which are marked. */
static int64_t read_levels(const Target *target, const uint8_t *at, int64_t size, int64_t row, int64_t number) {
    Bytes bytes = {at, at + size, 0};
    int64_t missing = 0;
    for (int64_t done = 0; done < number;) {
        Run run;
        if (!next_run(&bytes, 1, number - done, &run)) return REFUSED;
        if (!run.packed && run.value > 1) return REFUSED;
        if (target->bits && run.packed) put_bits(target->bits, row + done, run.packed, run.end, run.number);
        else if (target->bits && run.value) set_bits(target->bits, row + done, run.number);
        else if (!target->bits && run.packed) missing += run.number - number_of_bits(run.packed, 0, run.number);
        else if (!run.value) missing += run.number;
        done += run.number;
    }
    if (target->bits) return number_of_bits(target->bits, row, number);
    return missing ? REFUSED : number;
}

#endif
