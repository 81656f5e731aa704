/* The heads of the pages of a Parquet file, in the compact form of Thrift. */

#ifndef PAGE_HEADS_H
#define PAGE_HEADS_H

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { DATA = 0, DICTIONARY = 2, DATA_2 = 3 };                       /* kinds of pages */
enum { PLAIN = 0, PLAIN_DICTIONARY = 2, RUNS = 3, RUNS_DICTIONARY = 8 }; /* encodings */
enum { REFUSED = -1, DEEPEST = 8, TEXT_HEAD = 4, SHORT_TEXT = 12, VIEW = 16 };
enum { LARGEST_PAGE = 1 << 30 };

/* One page: where it stands in the bytes of its column, and what its head says. */
typedef struct {
    int64_t kind, at, packed, size, values, encoding, levels, is_packed;
} Page;

typedef struct {
    const uint8_t *at, *end;
    int wrong;
} Bytes;

static uint64_t variable(Bytes *bytes) {
    uint64_t value = 0;
    for (int shift = 0; shift < 64; shift += 7) {
        if (bytes->at >= bytes->end) break;
        uint8_t byte = *bytes->at++;
        value |= (uint64_t)(byte & 127) << shift;
        if (byte < 128) return value;
    }
    bytes->wrong = 1;
    return 0;
}

static int64_t whole(Bytes *bytes) {
    uint64_t value = variable(bytes);
    return (int64_t)(value >> 1) ^ -(int64_t)(value & 1);
}

static void skip_bytes(Bytes *bytes, uint64_t number) {
    if (number > (uint64_t)(bytes->end - bytes->at)) bytes->wrong = 1;
    else bytes->at += number;
}

/* The next field of a structure: its number, or 0 at the end; `kind` is how it is written. */
static int64_t next_field(Bytes *bytes, int64_t before, int *kind) {
    if (bytes->wrong || bytes->at >= bytes->end) {
        bytes->wrong = 1;
        return 0;
    }
    uint8_t head = *bytes->at++;
    *kind = head & 15;
    if (!*kind) return 0;
    int64_t number = head >> 4 ? before + (head >> 4) : whole(bytes);
    if (number <= before) bytes->wrong = 1;
    return bytes->wrong ? 0 : number;
}

static void skip_value(Bytes *bytes, int kind, int depth) {
    if (kind == 1 || kind == 2) return;
    if (kind == 3) skip_bytes(bytes, 1);
    else if (kind >= 4 && kind <= 6) variable(bytes);
    else if (kind == 7) skip_bytes(bytes, 8);
    else if (kind == 8) skip_bytes(bytes, variable(bytes));
    else if (kind == 12 && depth < DEEPEST) {
        int inner = 0;
        for (int64_t number = 0; (number = next_field(bytes, number, &inner));) {
            skip_value(bytes, inner, depth + 1);
        }
    } else bytes->wrong = 1;
}

/* Numbers of a structure by their places in it; what is no number is left out. */
static void numbers_of(Bytes *bytes, int64_t *found, int64_t most) {
    int kind = 0;
    for (int64_t number = 0; (number = next_field(bytes, number, &kind));) {
        if (number < most && (kind == 1 || kind == 2)) found[number] = kind == 1;
        else if (number < most && kind >= 4 && kind <= 6) found[number] = whole(bytes);
        else skip_value(bytes, kind, 0);
    }
}

static int read_head(Bytes *bytes, Page *page) {
    int kind = 0;
    int64_t head[8] = {0};
    *page = (Page){.kind = -1, .is_packed = 1};
    for (int64_t number = 0; (number = next_field(bytes, number, &kind));) {
        if (number <= 3 && kind == 5) {
            int64_t value = whole(bytes);
            if (number == 1) page->kind = value;
            if (number == 2) page->size = value;
            if (number == 3) page->packed = value;
        } else if (kind == 12 && (number == 5 || number == 7 || number == 8)) {
            head[7] = 1;
            numbers_of(bytes, head, 8);
            page->values = head[1];
            page->encoding = number == 8 ? head[4] : head[2];
            if (number == 8) {
                page->levels = head[5];
                page->is_packed = head[7];
                if (head[6]) bytes->wrong = 1;
            }
        } else {
            skip_value(bytes, kind, 0);
        }
    }
    return !bytes->wrong && page->size >= 0 && page->packed >= 0 && page->values >= 0 &&
           page->values <= INT32_MAX && page->levels >= 0 && page->levels <= page->packed &&
           page->levels <= page->size;
}

#endif
