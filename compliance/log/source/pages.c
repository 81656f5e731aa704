/* Reads the pages of a column of a Parquet file straight into the places of a table's rows. Whatever the
   bytes say, nothing is read or written but what was handed over; what is not known here is refused, and
   somebody else reads that column. */

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

/* ---- the heads of pages, in the compact form of Thrift ------------------------------------------ */

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

/* ---- pages ------------------------------------------------------------------------------------------ */

/* Unpacks bytes, as ZSTD_decompressDCtx does: how many they are then, or more than there is room for. */
typedef size_t (*Unpack)(void *with, void *out, size_t room, const void *packed, size_t size);

/* A column in one row group, as it stands in the file. */
typedef struct {
    const uint8_t *start;
    int64_t size;
    Unpack unpack;  /* empty: nothing is packed */
    void *with;
    int64_t unread;  /* where the next page begins */
} Chunk;

static _Thread_local uint8_t *room;
static _Thread_local int64_t size_of_room;

static uint8_t *room_for(int64_t size) {
    if (size > LARGEST_PAGE) return NULL;
    if (size > size_of_room || !room) {
        uint8_t *more = realloc(room, (size_t)size + 1);
        if (!more) return NULL;
        room = more;
        size_of_room = size;
    }
    return room;
}

/* The head of the next page; 0 at the end, or where it is not one. */
static int next_page(Chunk *chunk, Page *page) {
    Bytes bytes = {chunk->start + chunk->unread, chunk->start + chunk->size, 0};
    if (bytes.at >= bytes.end || !read_head(&bytes, page)) return 0;
    page->at = bytes.at - chunk->start;
    skip_bytes(&bytes, (uint64_t)page->packed);
    if (bytes.wrong) return 0;
    chunk->unread = bytes.at - chunk->start;
    return 1;
}

/* What a page holds after its levels, at most so many bytes as its head says; empty where that fails. */
static const uint8_t *unpacked(const Chunk *chunk, const Page *page, uint8_t *out) {
    const uint8_t *packed = chunk->start + page->at + page->levels;
    int64_t size = page->size - page->levels, held = page->packed - page->levels;
    if (!chunk->unpack || !page->is_packed) {
        if (size != held) return NULL;
        if (!out) return packed;
        memcpy(out, packed, (size_t)size);
        return out;
    }
    if (!out) out = room_for(size);
    if (!out) return NULL;
    size_t done = size ? chunk->unpack(chunk->with, out, (size_t)size, packed, (size_t)held) : 0;
    return done == (size_t)size ? out : NULL;
}

/* The dictionary, if the column begins with one. */
static const uint8_t *dictionary_of(Chunk *chunk, Page *page) {
    chunk->unread = 0;
    if (!next_page(chunk, page) || page->kind != DICTIONARY) {
        chunk->unread = 0;
        *page = (Page){.kind = -1};
        return NULL;
    }
    if (page->encoding != PLAIN && page->encoding != PLAIN_DICTIONARY) return NULL;
    return unpacked(chunk, page, NULL);
}

/* ---- texts ---------------------------------------------------------------------------------------- */

static int64_t stored_at(const uint8_t *at, int64_t place, int64_t width) {
    if (width == 8) {
        int64_t value;
        memcpy(&value, at + 8 * place, 8);
        return value;
    }
    int32_t value;
    memcpy(&value, at + 4 * place, 4);
    return value;
}

static uint32_t text_size(const uint8_t *at) {
    return at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;
}

/* The texts of the dictionary, parted by ends of lines; how many bytes they then have. A text with an end of
   line in it is refused. */
int64_t listed_texts(Chunk *chunk, uint8_t *out, int64_t most, int64_t *number) {
    Page page;
    const uint8_t *at = dictionary_of(chunk, &page);
    *number = 0;
    if (page.kind < 0) return 0;
    if (!at || page.size > most) return REFUSED;
    const uint8_t *end = at + page.size;
    uint8_t *put = out;
    for (int64_t i = 0; i < page.values; i++) {
        if (end - at < TEXT_HEAD) return REFUSED;
        uint32_t bytes = text_size(at);
        at += TEXT_HEAD;
        if (bytes > (uint64_t)(end - at) || memchr(at, '\n', bytes)) return REFUSED;
        if (i) *put++ = '\n';
        memcpy(put, at, bytes);
        put += bytes;
        at += bytes;
    }
    *number = page.values;
    return put - out;
}

/* The numbers of the dictionary, each of so many bytes; how many they are. */
int64_t listed_numbers(Chunk *chunk, int64_t width, int64_t *out, int64_t most) {
    Page page;
    const uint8_t *at = dictionary_of(chunk, &page);
    if (page.kind < 0) return 0;
    if (!at || page.values > most || page.values > page.size / width) return REFUSED;
    for (int64_t i = 0; i < page.values; i++) out[i] = stored_at(at, i, width);
    return page.values;
}

static int all_plain(const uint8_t *at, int64_t size) {
    uint8_t seen = 0;
    for (int64_t i = 0; i < size; i++) seen |= at[i];
    return seen < 128;
}

/* Texts that stand one after the other as views of Arrow: a length, and the text itself or where it is. */
static int64_t plain_views(const uint8_t *at, const uint8_t *end, int64_t number, const uint8_t *data, uint8_t *out) {
    if (!all_plain(at, end - at)) return REFUSED;
    for (int64_t i = 0; i < number; i++, out += VIEW) {
        if (end - at < TEXT_HEAD) return REFUSED;
        uint32_t bytes = text_size(at);
        at += TEXT_HEAD;
        if (bytes > (uint64_t)(end - at)) return REFUSED;
        uint32_t buffer = 0, begins = (uint32_t)(at - data);
        memcpy(out, &bytes, 4);
        if (bytes <= SHORT_TEXT) {
            memset(out + 4, 0, SHORT_TEXT);
            memcpy(out + 4, at, bytes);
        } else {
            memcpy(out + 4, at, 4);
            memcpy(out + 8, &buffer, 4);
            memcpy(out + 12, &begins, 4);
        }
        at += bytes;
    }
    return number;
}

/* ---- runs ----------------------------------------------------------------------------------------- */

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

/* ---- values ----------------------------------------------------------------------------------------- */

static int below(const uint32_t *codes, int64_t number, int64_t limit) {
    uint32_t most = 0;
    for (int64_t i = 0; i < number; i++) most = codes[i] > most ? codes[i] : most;
    return !number || most < limit;
}

/* Each value to its row: NEXT is the value, `i` its number among those of the page. */
#define TO_ROWS(TYPE, NEXT)                                                                            \
    do {                                                                                               \
        TYPE *out = (TYPE *)target->out + row;                                                         \
        int64_t i = 0;                                                                                 \
        if (present == number) {                                                                       \
            for (; i < number; i++) out[i] = (TYPE)(NEXT);                                             \
            break;                                                                                     \
        }                                                                                              \
        for (int64_t done = 0; done < number; done++) {                                                \
            int64_t bit = row + done;                                                                  \
            if (!(bit & 7)) {                                                                          \
                uint64_t word = 0;                                                                     \
                int64_t left = number - done;                                                          \
                memcpy(&word, target->bits + (bit >> 3), left >= 64 ? 8 : (size_t)((left + 7) >> 3));  \
                if (left < 64) word &= (1ULL << left) - 1;                                             \
                for (; word; word &= word - 1, i++) out[done + __builtin_ctzll(word)] = (TYPE)(NEXT);  \
                done += left < 64 ? left - 1 : 63;                                                     \
            } else if (target->bits[bit >> 3] >> (bit & 7) & 1) {                                      \
                out[done] = (TYPE)(NEXT);                                                              \
                i++;                                                                                   \
            }                                                                                          \
        }                                                                                              \
    } while (0)

#define TO_ROWS_OF_WIDTH(NEXT)                        \
    do {                                              \
        if (target->width == 1) TO_ROWS(int8_t, NEXT);       \
        else if (target->width == 2) TO_ROWS(int16_t, NEXT); \
        else if (target->width == 4) TO_ROWS(int32_t, NEXT); \
        else TO_ROWS(int64_t, NEXT);                  \
    } while (0)

/* The rows of a page that have a value, which are marked; `*at` is moved to the first value. */
static int64_t rows_with_values(const Target *target, const Chunk *chunk, const Page *page, const uint8_t **at,
                                const uint8_t *end, int64_t row) {
    const uint8_t *levels = chunk->start + page->at;
    int64_t size = page->levels;
    if (!target->optional) {
        if (target->bits) set_bits(target->bits, row, page->values);
        return page->values;
    }
    if (page->kind == DATA) {
        if (end - *at < 4 || text_size(*at) > (uint64_t)(end - *at - 4)) return REFUSED;
        levels = *at + 4;
        size = text_size(*at);
        *at = levels + size;
    }
    return read_levels(target, levels, size, row, page->values);
}

/* Places in the dictionary, or bits. */
static int read_codes(const Target *target, const Page *page, const uint8_t *at, const uint8_t *end, int64_t number) {
    if (page->encoding == RUNS_DICTIONARY || page->encoding == PLAIN_DICTIONARY) {
        if (number && (at >= end || *at > 32 || !read_runs(at + 1, end, *at, number, target->codes))) return 0;
    } else if (!target->stored && page->encoding == RUNS) {
        if (end - at < 4 || !read_runs(at + 4, end, 1, number, target->codes)) return 0;
    } else if (!target->stored && page->encoding == PLAIN) {
        if ((number + 7) / 8 > end - at) return 0;
        unpack(at, end, 1, number, target->codes);
    } else {
        return 0;
    }
    return below(target->codes, number, target->table_size);
}

static int is_data(const Page *page, const Target *target, int64_t row) {
    return (page->kind == DATA || page->kind == DATA_2) && page->values <= target->rows - row;
}

/* The numbers of a column in one row group, or what its places in the dictionary stand for, from a row on; how
   many rows they are. */
int64_t read_numbers(const Target *target, Chunk *chunk, int64_t first) {
    Page page;
    int64_t row = first;
    chunk->unread = 0;
    while (chunk->unread < chunk->size) {
        if (!next_page(chunk, &page)) return REFUSED;
        if (page.kind == DICTIONARY && row == first) continue;
        const uint8_t *at = is_data(&page, target, row) ? unpacked(chunk, &page, NULL) : NULL;
        if (!at) return REFUSED;
        const uint8_t *end = at + page.size - page.levels;
        int64_t number = page.values, present = rows_with_values(target, chunk, &page, &at, end, row);
        if (present < 0) return REFUSED;
        if (page.encoding == PLAIN && target->stored > 0) {
            if (target->width != 8 || present > (end - at) / target->stored) return REFUSED;
            TO_ROWS(int64_t, stored_at(at, i, target->stored));
        } else {
            if (!read_codes(target, &page, at, end, present)) return REFUSED;
            const int64_t *table = target->table;
            const uint32_t *codes = target->codes;
            TO_ROWS_OF_WIDTH(table[codes[i]]);
        }
        row += number;
    }
    return row - first;
}

/* The texts of a column in one row group as views of Arrow, every row of which must have one; `data` is where
   the pages stay, from a place on that is moved. The dictionary goes to `views`, as views of its own. */
int64_t read_views(Target *target, Chunk *chunk, int64_t first, uint8_t *data, int64_t *used, int64_t most,
                   uint8_t *views, int64_t most_views) {
    Page page;
    int64_t row = first;
    chunk->unread = 0;
    target->table_size = 0;
    while (chunk->unread < chunk->size) {
        if (!next_page(chunk, &page)) return REFUSED;
        int64_t number = page.values, size = page.size - page.levels;
        int is_list = page.kind == DICTIONARY && row == first;
        if (size > most - *used || *used + size > INT32_MAX) return REFUSED;
        if (is_list ? number > most_views : !is_data(&page, target, row)) return REFUSED;
        const uint8_t *at = unpacked(chunk, &page, data + *used);
        if (!at) return REFUSED;
        const uint8_t *end = at + size;
        *used += size;
        if (is_list) {
            if (plain_views(at, end, number, data, views) < 0) return REFUSED;
            target->table_size = number;
            continue;
        }
        if (rows_with_values(target, chunk, &page, &at, end, row) != number) return REFUSED;
        uint8_t *out = target->out + VIEW * row;
        if (page.encoding == PLAIN) {
            if (plain_views(at, end, number, data, out) < 0) return REFUSED;
        } else {
            if (!read_codes(target, &page, at, end, number)) return REFUSED;
            for (int64_t i = 0; i < number; i++) memcpy(out + VIEW * i, views + VIEW * (int64_t)target->codes[i], VIEW);
        }
        row += number;
    }
    return row - first;
}

/* ---- cards ------------------------------------------------------------------------------------------ */

static int64_t size_of_card(const uint8_t *at, const uint8_t *end) {
    if (end - at >= 5 && !memcmp(at, "JOKER", 5)) return 5;
    int64_t rank = end - at >= 2 && at[0] == '1' && at[1] == '0' ? 2 : 1;
    if (end - at < rank + 1 || !at[rank] || !strchr("SHDC", at[rank])) return 0;
    return rank == 2 || (*at && strchr("23456789JQKA", *at)) ? rank + 1 : 0;
}

/* Whether texts are lists of cards, written as a typed frame holds them; they are parted by ends of lines. */
int64_t are_cards(const uint8_t *at, int64_t size) {
    const uint8_t *end = at + size;
    for (;;) {
        int64_t card = size_of_card(at, end);
        if (!card) return 0;
        at += card;
        if (at == end) return 1;
        if (*at != ' ' && *at != '\n') return 0;
        at++;
    }
}

/* ---- fields that are of several kinds --------------------------------------------------------------- */

static uint32_t code_at(const uint8_t *codes, int64_t width, int64_t row) {
    return width == 1 ? codes[row] : width == 2 ? ((const uint16_t *)codes)[row] : ((const uint32_t *)codes)[row];
}

/* Which places of a list are used in some rows. */
int64_t used_places(const uint8_t *codes, int64_t width, int64_t rows, const uint8_t *bits, uint8_t *used, int64_t size) {
    for (int64_t row = 0; row < rows; row++) {
        if (!(bits[row >> 3] >> (row & 7) & 1)) continue;
        uint32_t code = code_at(codes, width, row);
        if (code >= size) return REFUSED;
        used[code] = 1;
    }
    return 0;
}

/* What the places of a list stand for in some rows; elsewhere stays what is there. */
int64_t put_in_rows(const uint8_t *codes, int64_t width, int64_t rows, const uint8_t *bits, const int64_t *table,
                    int64_t size, uint8_t *out, int64_t width_out) {
    for (int64_t row = 0; row < rows; row++) {
        if (!(bits[row >> 3] >> (row & 7) & 1)) continue;
        uint32_t code = code_at(codes, width, row);
        if (code >= size) return REFUSED;
        int64_t value = table[code];
        if (width_out == 1) ((int8_t *)out)[row] = (int8_t)value;
        else if (width_out == 2) ((int16_t *)out)[row] = (int16_t)value;
        else if (width_out == 4) ((int32_t *)out)[row] = (int32_t)value;
        else ((int64_t *)out)[row] = value;
    }
    return 0;
}

/* ---- types ------------------------------------------------------------------------------------------ */

/* For each type that occurs the bits of its rows; `rank` is the number of each type among them. */
void rows_of_types(const int16_t *types, int64_t rows, const int64_t *rank, uint8_t *bits, int64_t stride) {
    for (int64_t row = 0; row < rows; row++) {
        bits[rank[types[row]] * stride + (row >> 3)] |= (uint8_t)(1 << (row & 7));
    }
}

/* Which types have a row that is marked; `wanted` says which of them are asked for. */
void types_with(const uint8_t *marked, const uint8_t *bits, int64_t stride, int64_t types, const uint8_t *wanted,
                uint8_t *found) {
    for (int64_t type = 0; type < types; type++) {
        if (!wanted[type]) continue;
        const uint8_t *rows = bits + type * stride;
        int64_t byte = 0;
        for (; byte + 8 <= stride && !found[type]; byte += 8) {
            uint64_t mark, row;
            memcpy(&mark, marked + byte, 8);
            memcpy(&row, rows + byte, 8);
            found[type] = (mark & row) != 0;
        }
        for (; byte < stride && !found[type]; byte++) found[type] = (marked[byte] & rows[byte]) != 0;
    }
}
