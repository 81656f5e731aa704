/* Reads JSON lines into columns in one pass, each different text once. Only plain lines are read: a record
   with known names, each once, and in every column values of one sort. All else is refused, and somebody else
   reads those lines. */

#ifndef JSON_LINES_H
#define JSON_LINES_H

#include "page_heads.h"

enum { NOTHING_YET = 0, LISTED = 1, EACH = 2, WHOLE = 3, FLAG = 4 }; /* sorts of columns */
enum { ALL_DIFFERENT = 1, NUMERIC = 2 };                                 /* what is known of a column */
enum { MOST_DIGITS = 18, NO_COLUMN = -1, FIRST_ROOM = 64 };

/* One column. LISTED: texts in a list, of which `values` has the places, and `bare` those that stood without
   quotes; EACH: a text for each row, which ends where `ends` says; WHOLE and FLAG: numbers. `bits` say which
   rows have a value. */
typedef struct {
    int64_t sort;
    uint8_t *bits;
    void *values;
    uint8_t *text;
    int64_t text_size, text_room;
    int64_t *ends; /* of texts, the first is 0 */
    uint8_t *bare;
    int64_t texts, texts_room, bare_room;
    int32_t *slots; /* places of texts by their hash, 1 more than they are */
    int64_t slots_size;
    int64_t filled; /* EACH: of how many rows the end is known */
    int64_t last_row, next; /* the row that named it last; the column that came after it */
} Column;

typedef struct {
    int64_t rows, columns;
    Column *column;
    const uint8_t *names;
    const int64_t *name_ends;
    const uint8_t *known; /* what is known of each column */
    int32_t *by_name;
    int64_t by_name_size;
} Lines;

/* A text as it stands in a line. */
typedef struct {
    const uint8_t *at;
    int64_t size;
    uint8_t bare;
} Text;

static uint64_t hash_of(const uint8_t *text, int64_t size) {
    uint64_t hash = 0x9E3779B97F4A7C15ULL ^ (uint64_t)size, word;
    for (; size >= 8; text += 8, size -= 8) {
        memcpy(&word, text, 8);
        hash = (hash ^ word) * 0xFF51AFD7ED558CCDULL;
        hash ^= hash >> 32;
    }
    word = 0;
    memcpy(&word, text, (size_t)size);
    hash = (hash ^ word) * 0xFF51AFD7ED558CCDULL;
    return hash ^ hash >> 29;
}

/* Room for at least so many; 0 where there is none. */
static int make_room(void **what, int64_t *room, int64_t needed, int64_t width) {
    if (needed <= *room) return 1;
    int64_t larger = *room < FIRST_ROOM ? FIRST_ROOM : *room;
    while (larger < needed) larger *= 2;
    void *more = realloc(*what, (size_t)(larger * width));
    if (!more) return 0;
    *what = more;
    *room = larger;
    return 1;
}

/* ---- names ------------------------------------------------------------------------------------------ */

static int is_name(const Lines *lines, int64_t column, const uint8_t *text, int64_t size) {
    int64_t start = column ? lines->name_ends[column - 1] : 0;
    return lines->name_ends[column] - start == size && !memcmp(lines->names + start, text, (size_t)size);
}

static int64_t column_named(const Lines *lines, const uint8_t *text, int64_t size) {
    uint64_t mask = (uint64_t)lines->by_name_size - 1;
    for (uint64_t place = hash_of(text, size) & mask;; place = (place + 1) & mask) {
        int64_t column = lines->by_name[place] - 1;
        if (column < 0 || is_name(lines, column, text, size)) return column;
    }
}

static int list_names(Lines *lines) {
    lines->by_name_size = FIRST_ROOM;
    while (lines->by_name_size < 4 * lines->columns) lines->by_name_size *= 2;
    lines->by_name = calloc((size_t)lines->by_name_size, sizeof *lines->by_name);
    if (!lines->by_name) return 0;
    uint64_t mask = (uint64_t)lines->by_name_size - 1;
    for (int64_t column = 0; column < lines->columns; column++) {
        int64_t start = column ? lines->name_ends[column - 1] : 0;
        uint64_t place = hash_of(lines->names + start, lines->name_ends[column] - start) & mask;
        while (lines->by_name[place]) place = (place + 1) & mask;
        lines->by_name[place] = (int32_t)column + 1;
    }
    return 1;
}

/* ---- values ----------------------------------------------------------------------------------------- */

/* Whether a value of this sort may stand in the column; the first value decides. */
static int is_of_sort(const Lines *lines, Column *column, int64_t sort) {
    if (column->sort) return column->sort == sort;
    size_t rows = (size_t)lines->rows, width = sort == LISTED ? 4 : sort == WHOLE ? 8 : 1;
    column->sort = sort;
    column->bits = calloc(rows / 8 + 1, 1);
    if (!column->bits) return 0;
    if (sort == EACH) {
        column->ends = malloc((rows + 1) * sizeof *column->ends);
        if (column->ends) column->ends[0] = 0;
        return column->ends != NULL;
    }
    column->values = calloc(rows + 1, width);
    return column->values != NULL;
}

static int put_text(Column *column, Text text) {
    if (!make_room((void **)&column->text, &column->text_room, column->text_size + text.size + 1, 1)) return 0;
    memcpy(column->text + column->text_size, text.at, (size_t)text.size);
    column->text_size += text.size;
    return 1;
}

static int is_text(const Column *column, int64_t place, Text text) {
    int64_t start = column->ends[place];
    return column->ends[place + 1] - start == text.size && column->bare[place] == text.bare &&
           !memcmp(column->text + start, text.at, (size_t)text.size);
}

/* Twice as many slots, when half of them are taken. */
static int more_slots(Column *column) {
    if (2 * column->texts < column->slots_size) return 1;
    int64_t size = column->slots_size ? 2 * column->slots_size : FIRST_ROOM;
    int32_t *slots = calloc((size_t)size, sizeof *slots);
    if (!slots) return 0;
    for (int64_t place = 0; place < column->texts; place++) {
        int64_t start = column->ends[place];
        uint64_t slot = hash_of(column->text + start, column->ends[place + 1] - start);
        while (slots[slot &= (uint64_t)size - 1]) slot++;
        slots[slot] = (int32_t)place + 1;
    }
    free(column->slots);
    column->slots = slots;
    column->slots_size = size;
    return 1;
}

/* The place of a text in the list of its column, where it is put if it is new; refused without room. */
static int64_t listed(Column *column, Text text) {
    if (!more_slots(column)) return REFUSED;
    uint64_t slot = hash_of(text.at, text.size);
    while (column->slots[slot &= (uint64_t)column->slots_size - 1]) {
        int64_t place = column->slots[slot] - 1;
        if (is_text(column, place, text)) return place;
        slot++;
    }
    int64_t place = column->texts;
    if (!make_room((void **)&column->ends, &column->texts_room, place + 2, sizeof *column->ends)) return REFUSED;
    if (!make_room((void **)&column->bare, &column->bare_room, place + 1, 1)) return REFUSED;
    if (!place) column->ends[0] = 0;
    if (!put_text(column, text)) return REFUSED;
    column->ends[place + 1] = column->text_size;
    column->bare[place] = text.bare;
    column->slots[slot] = (int32_t)place + 1;
    column->texts++;
    return place;
}

/* Rows without a text end where the one before them does. */
static void fill_ends(Column *column, int64_t row) {
    for (; column->filled < row; column->filled++) column->ends[column->filled + 1] = column->ends[column->filled];
}

static int put(const Lines *lines, int64_t number, int64_t row, Text text) {
    Column *column = lines->column + number;
    if (lines->known[number] & ALL_DIFFERENT) {
        if (text.bare || !is_of_sort(lines, column, EACH) || !put_text(column, text)) return 0;
        fill_ends(column, row);
        column->ends[row + 1] = column->text_size;
        column->filled = row + 1;
    } else {
        if (!is_of_sort(lines, column, LISTED)) return 0;
        int32_t *places = column->values;
        int64_t before = row ? places[row - 1] : 0;
        int64_t place = before < column->texts && is_text(column, before, text) ? before : listed(column, text);
        if (place < 0) return 0;
        places[row] = (int32_t)place;
    }
    column->bits[row >> 3] |= (uint8_t)(1 << (row & 7));
    return 1;
}

static int put_number(const Lines *lines, int64_t number, int64_t row, int64_t sort, int64_t value) {
    Column *column = lines->column + number;
    if (!is_of_sort(lines, column, sort)) return 0;
    if (sort == WHOLE) ((int64_t *)column->values)[row] = value;
    else ((uint8_t *)column->values)[row] = (uint8_t)value;
    column->bits[row >> 3] |= (uint8_t)(1 << (row & 7));
    return 1;
}

/* ---- lines ------------------------------------------------------------------------------------------ */

static const uint8_t *after_blanks(const uint8_t *at) {
    while (*at == ' ' || *at == '\t' || *at == '\r') at++;
    return at;
}

/* Where a text ends that begins after a quotation mark; empty where it is not plain. */
static const uint8_t *end_of_text(const uint8_t *at) {
    while (*at != '"') {
        if (*at < ' ' || *at == '\\') return NULL;
        at++;
    }
    return at;
}

/* Whether a word stands here; never looks beyond the end of the line. */
static int stands(const uint8_t *at, const char *word) {
    while (*word && *at == (uint8_t)*word) at++, word++;
    return !*word;
}

static const uint8_t *after_digits(const uint8_t *at) {
    while (*at >= '0' && *at <= '9') at++;
    return at;
}

/* Where a number ends, as JSON writes numbers; `whole` says whether it is one that fits. */
static const uint8_t *end_of_number(const uint8_t *at, int *whole) {
    const uint8_t *first = at += *at == '-', *end = after_digits(at);
    if (end == first || (*first == '0' && end > first + 1)) return NULL;
    *whole = end - first <= MOST_DIGITS;
    if (*end == '.') {
        *whole = 0;
        at = end + 1;
        end = after_digits(at);
        if (end == at) return NULL;
    }
    if (*end == 'e' || *end == 'E') {
        *whole = 0;
        at = end + 1;
        at += *at == '+' || *at == '-';
        end = after_digits(at);
        if (end == at) return NULL;
    }
    return end;
}

static int64_t value_of(const uint8_t *at, const uint8_t *end) {
    int negative = *at == '-';
    int64_t value = 0;
    for (at += negative; at < end; at++) value = 10 * value + (*at - '0');
    return negative ? -value : value;
}

/* Reads what stands without quotes: a number, yes, no or nothing. */
static const uint8_t *bare_value(const Lines *lines, int64_t column, int64_t row, const uint8_t *at) {
    if (stands(at, "null")) return at + 4;
    int flag = stands(at, "true") ? 1 : stands(at, "false") ? 0 : -1, whole = 0;
    const uint8_t *end = flag < 0 ? end_of_number(at, &whole) : at + (flag ? 4 : 5);
    if (!end) return NULL;
    int done;
    if (!(lines->known[column] & NUMERIC)) done = put(lines, column, row, (Text){at, end - at, 1});
    else if (flag >= 0) done = put_number(lines, column, row, FLAG, flag);
    else done = whole && put_number(lines, column, row, WHOLE, value_of(at, end));
    return done ? end : NULL;
}

/* The line's end, or empty where the line is not plain. */
static const uint8_t *read_line(const Lines *lines, int64_t row, const uint8_t *at, int64_t *first) {
    int64_t *next = first;
    at = after_blanks(at);
    if (*at++ != '{') return NULL;
    for (;;) {
        at = after_blanks(at);
        if (*at++ != '"') return NULL;
        const uint8_t *name = at;
        at = end_of_text(at);
        if (!at) return NULL;
        int64_t column = *next;
        if (column < 0 || !is_name(lines, column, name, at - name)) column = column_named(lines, name, at - name);
        if (column < 0 || lines->column[column].last_row == row) return NULL;
        lines->column[column].last_row = row;
        *next = column;
        next = &lines->column[column].next;
        at = after_blanks(at + 1);
        if (*at++ != ':') return NULL;
        at = after_blanks(at);
        if (*at == '"') {
            const uint8_t *text = at + 1;
            at = end_of_text(text);
            if (!at || !put(lines, column, row, (Text){text, at - text, 0})) return NULL;
            at++;
        } else {
            at = bare_value(lines, column, row, at);
            if (!at) return NULL;
        }
        at = after_blanks(at);
        if (*at == '}') break;
        if (*at++ != ',') return NULL;
    }
    at = after_blanks(at + 1);
    return *at == '\n' ? at + 1 : NULL;
}

/* Gives back what the columns hold. */
void free_json_columns(Column *column, int64_t columns) {
    for (int64_t number = 0; number < columns; number++) {
        free(column[number].bits);
        free(column[number].values);
        free(column[number].text);
        free(column[number].ends);
        free(column[number].bare);
        free(column[number].slots);
        memset(column + number, 0, sizeof *column);
    }
}

/* Reads lines into columns, which are empty before: 0, or refused. Every line has its end. */
int64_t read_json_lines(const uint8_t *data, int64_t size, int64_t rows, const uint8_t *names, const int64_t *name_ends,
                        const uint8_t *known, Column *column, int64_t columns) {
    Lines lines = {rows, columns, column, names, name_ends, known, NULL, 0};
    if (rows > INT32_MAX || !list_names(&lines)) return REFUSED;
    for (int64_t number = 0; number < columns; number++) {
        column[number].last_row = NO_COLUMN;
        column[number].next = NO_COLUMN;
    }
    const uint8_t *at = data, *end = data + size;
    int64_t row = 0, first = NO_COLUMN;
    while (at && at < end && row < rows) at = read_line(&lines, row++, at, &first);
    free(lines.by_name);
    if (at != end || row != rows) return REFUSED;
    for (int64_t number = 0; number < columns; number++) {
        if (column[number].sort == EACH) fill_ends(column + number, rows);
    }
    return 0;
}

#endif
