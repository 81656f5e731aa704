/* A table's log as columns, and the scene that a rule looks at: its rows in segments. */

#ifndef LOG_H
#define LOG_H

#include <stdlib.h>
#include <string.h>

#include "values.h"

typedef struct {
    const void *values;
    int64_t width;         /* bytes of a number */
    const uint8_t *valid;  /* bits, or none where all are recorded */
    int64_t offset;        /* of the first bit */
    const int64_t *below;  /* what is below the line, or none where that is 1 */
} Column;

/* What a table has chosen, each choice from some place on. */
typedef struct {
    const int64_t *since;
    const Value *values;
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
    const Value *constants;
    const Option *options;
    const int64_t *const *lookups;
    const int16_t *types;
    const int64_t *type_words;
    const int64_t *ts, *seq;
    int64_t number_of_types;
} Log;

struct Pool;
struct Answers;

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
    /* Worked out here, and given back by forget_scene. */
    int64_t *by_type, *borders;
    int32_t *rank; /* of each row among those of its type */
    struct Pool **pools;
    int64_t room;
    Questions questions;
} Scene;

static inline int64_t place_of(const Scene *scene, int64_t row) {
    return scene->places ? scene->places[row] : row;
}

/* The first place of a sorted list that is not below a number. */
static inline int64_t lower_bound(const int64_t *list, int64_t size, int64_t number) {
    int64_t low = 0;
    while (size > 0) {
        int64_t half = size / 2;
        if (list[low + half] < number) {
            low += half + 1;
            size -= half + 1;
        } else {
            size = half;
        }
    }
    return low;
}

/* The segment that a row lies in, or -1. */
static inline int64_t segment_of(Scene *scene, int64_t row) {
    if (scene->segment) return scene->segment[row];
    int64_t number = scene->finger;
    if (number >= scene->segments || row < scene->starts[number] || row >= scene->ends[number]) {
        number = scene->finger = lower_bound(scene->ends, scene->segments, row + 1);
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
    default: return ((const int64_t *)column->values)[place];
    }
}

static inline Value field_at(const Column *column, int64_t place) {
    if (!column->values || !recorded(column, place)) return unknown;
    Value value = {number_at(column, place), 1, KNOWN};
    if (column->below) value.below = column->below[place];
    return value;
}

/* All rows by the type of their event, in order within each type. */
static int sort_by_type(Scene *scene) {
    const Log *log = scene->log;
    int64_t types = log->number_of_types;
    if (scene->by_type) return 1;
    if (scene->base) {
        if (!sort_by_type(scene->base)) return 0;
        scene->by_type = scene->base->by_type;
        scene->borders = scene->base->borders;
        return 1;
    }
    int64_t *borders = calloc((size_t)types + 2, sizeof(int64_t));
    int64_t *rows = malloc((size_t)(scene->size ? scene->size : 1) * sizeof(int64_t));
    if (!borders || !rows) {
        free(borders);
        free(rows);
        return 0;
    }
    for (int64_t row = 0; row < scene->size; row++) borders[log->types[place_of(scene, row)] + 2]++;
    for (int64_t type = 2; type <= types + 1; type++) borders[type] += borders[type - 1];
    for (int64_t row = 0; row < scene->size; row++) {
        rows[borders[log->types[place_of(scene, row)] + 1]++] = row;
    }
    scene->by_type = rows;
    scene->borders = borders;
    return 1;
}

#endif
