/* Reads the pages of a column of a Parquet file straight into the places of a table's rows. Whatever the
   bytes say, nothing is read or written but what was handed over; what is not known here is refused, and
   somebody else reads that column. */

#include "json_lines.h"
#include "names.h"
#include "runs.h"
#include "typed_rows.h"

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
