/* A table's log as columns, and the scene that a rule looks at: its rows in segments. */

#ifndef LOG_H
#define LOG_H

#include <stdlib.h>
#include <string.h>

#include "values.h"

typedef struct {
    const void *values;
    int64_t width;         /* bytes of a number, and LISTED for places in a list */
    const uint8_t *valid;  /* bits, or none where all are recorded */
    int64_t offset;        /* of the first bit */
    const int64_t *below;  /* what is below the line, or none where that is 1 */
    const int64_t *listed; /* the numbers of the list */
} Column;

enum { LISTED = 16 };

/* What a table has chosen, each choice from some place on. */
typedef struct {
    const int64_t *since;
    const Given *values;
    int64_t number;
} Option;

typedef struct {
    const int64_t *first, *last;
    const uint8_t *closed, *proper;
    int64_t number;
    int64_t finger; /* the run that was found last: mostly it is the next one, too */
} Runs;

/* What the rules say, as numbers; see program.py. */
typedef struct {
    const int64_t *code;
    const Column *columns;
    const Given *constants;
    const Option *options;
    const int64_t *const *lookups;
    const int16_t *types;
    const int64_t *type_words;
    const int64_t *ts, *seq;
    int64_t number_of_types;
} Log;

struct Pool;
struct Answers;
struct Triggers;
struct ByWord;

/* Answers by the number of their question; see answers.h. */
typedef struct {
    struct Answers **of;
    int64_t room;
} Questions;

typedef struct Scene {
    const Log *log;
    struct Scene *base;     /* the scene whose rows these are, where this one cuts it otherwise */
    const int64_t *places;  /* none where rows are places */
    const int64_t *segment; /* of each row; none where segments are found by their borders */
    const int64_t *starts, *ends, *known_until;
    const uint8_t *complete;
    Runs *runs;
    int64_t size;
    int64_t segments;
    int64_t monotone;
    int64_t finger; /* the segment that was found last */
    const int32_t *by_type; /* rows, those of one type after those of another */
    const int64_t *borders; /* of the types */
    const int32_t *rank;    /* of each row among those of its type */
    /* Worked out here, and given back by forget_scene. */
    struct Pool **pools;
    int64_t room;
    Questions questions;
    struct Triggers **triggers;
    int64_t room_for_triggers;
    struct ByWord *by_word;
} Scene;

static inline int64_t place_of(const Scene *scene, int64_t row) {
    return scene->places ? scene->places[row] : row;
}

/* The first place of a sorted list that is not below a number. */
#define LOWER_BOUND(name, kind)                                                      \
    static inline int64_t name(const kind *list, int64_t size, int64_t number) {     \
        int64_t low = 0;                                                             \
        while (size > 0) {                                                           \
            int64_t half = size / 2;                                                 \
            if (list[low + half] < number) {                                         \
                low += half + 1;                                                     \
                size -= half + 1;                                                    \
            } else {                                                                 \
                size = half;                                                         \
            }                                                                        \
        }                                                                            \
        return low;                                                                  \
    }
LOWER_BOUND(lower_bound_of_numbers, int64_t)
LOWER_BOUND(lower_bound_of_rows, int32_t)

/* Lists of rows are in short numbers: they are many, and a table's log has fewer than 2^31 events. */
#define lower_bound(list, size, number)                                                     \
    _Generic((list), int32_t *: lower_bound_of_rows, const int32_t *: lower_bound_of_rows,  \
             default: lower_bound_of_numbers)(list, size, number)

/* The segment that a row lies in, or -1. */
static inline int64_t segment_of(Scene *scene, int64_t row) {
    if (scene->segment) return scene->segment[row];
    int64_t number = scene->finger;
    if (number >= scene->segments || row < scene->starts[number] || row >= scene->ends[number]) {
        /* Mostly it is the next one. */
        int64_t next = number + 1;
        if (next >= scene->segments || row < scene->ends[number] || row >= scene->ends[next]) {
            next = lower_bound(scene->ends, scene->segments, row + 1);
        }
        number = scene->finger = next;
    }
    return number < scene->segments && scene->starts[number] <= row ? number : -1;
}

static inline int64_t ts_of(const Scene *scene, int64_t row) {
    return scene->log->ts[place_of(scene, row)];
}

static inline int recorded(const Column *column, int64_t place) {
    if (!column->valid) return 1;
    int64_t bit = place + column->offset;
    return column->valid[bit >> 3] >> (bit & 7) & 1;
}

static inline int64_t number_at(const Column *column, int64_t place) {
    switch (column->width) {
    case 1: return ((const int8_t *)column->values)[place];
    case 2: return ((const int16_t *)column->values)[place];
    case 4: return ((const int32_t *)column->values)[place];
    case LISTED + 1: return column->listed[((const uint8_t *)column->values)[place]];
    case LISTED + 2: return column->listed[((const uint16_t *)column->values)[place]];
    case LISTED + 4: return column->listed[((const uint32_t *)column->values)[place]];
    default: return ((const int64_t *)column->values)[place];
    }
}

static inline Value field_at(const Column *column, int64_t place) {
    if (!column->values || !recorded(column, place)) return unknown;
    int64_t above = number_at(column, place);
    return column->below ? from_given(above, column->below[place], KNOWN) : whole(above);
}

#endif
