/* A table's log as the engine reads it: fields of events, and which events are of which type. */

#ifndef LOG_H
#define LOG_H

#include "memory.h"
#include "numbers.h"

/* Rows by the type of their event, in order; a lost record is among all that it may have been. */
typedef struct {
    int32_t *rows;
    int64_t *borders;
    int32_t *rank; /* of each row among those of its type */
} ByType;

static inline int is_recorded(const Column *column, int64_t row) {
    if (!column->values) return 0;
    if (!column->valid) return 1;
    int64_t bit = column->offset + row;
    return column->valid[bit >> 3] >> (bit & 7) & 1;
}

/* The number in a column that has one there. */
static inline int64_t number_at(const Column *column, int64_t row) {
    switch (column->width) {
    case 1: return ((const int8_t *)column->values)[row];
    case 2: return ((const int16_t *)column->values)[row];
    case 4: return ((const int32_t *)column->values)[row];
    case 8: return ((const int64_t *)column->values)[row];
    case LISTED + 1: return column->listed[((const uint8_t *)column->values)[row]];
    case LISTED + 2: return column->listed[((const uint16_t *)column->values)[row]];
    default: return column->listed[((const uint32_t *)column->values)[row]];
    }
}

/* The numbers of a column at some rows, each so many numbers after the last; what stands where a row has
   none is not said. */
static void numbers_at(const Column *column, const int32_t *rows, int32_t size, int64_t *numbers, int step) {
    const int8_t *bytes = column->values;
    const int32_t *words = column->values;
    switch (column->width) {
    case 1:
        for (int32_t i = 0; i < size; i++) numbers[i * step] = bytes[rows[i]];
        return;
    case 4:
        for (int32_t i = 0; i < size; i++) numbers[i * step] = words[rows[i]];
        return;
    default:
        for (int32_t i = 0; i < size; i++) {
            numbers[i * step] = is_recorded(column, rows[i]) ? number_at(column, rows[i]) : 0;
        }
    }
}

/* The same as small numbers, `none` where a row has no number; says no where some number is not small, or is no
   whole one. */
static int small_numbers_at(const Column *column, const int32_t *rows, int32_t size, int32_t none, int32_t *numbers) {
    const int8_t *bytes = column->values;
    const uint8_t *places = column->values, *valid = column->valid;
    int64_t offset = column->offset, width = column->width;
    int small = 1;
    if (column->below || column->is_time) return 0;
    for (int32_t i = 0; i < size; i++) {
        int64_t bit = offset + rows[i], number = none;
        int there = bytes && (!valid || valid[bit >> 3] >> (bit & 7) & 1);
        if (there) {
            number = width == 1 ? bytes[rows[i]] : width == LISTED + 1 ? column->listed[places[rows[i]]] : number_at(column, rows[i]);
            small &= number > none && number <= INT32_MAX;
        }
        numbers[i] = (int32_t)number;
    }
    return small;
}

static inline Value field_at(const Log *log, const Column *column, int64_t row) {
    if (!is_recorded(column, row)) return NOT_RECORDED;
    Value value = {.above = number_at(column, row), .below = 1, .state = STATE_KNOWN};
    if (column->below) value.below = column->below[row];
    if (column->is_time) value.zone = log->zones[row];
    return value;
}

/* The number of a lost record among the lost ones. */
static int64_t number_of_lost_at(const Log *log, int64_t row) {
    int64_t low = 0, high = log->number_of_lost;
    while (low < high) {
        int64_t middle = low + (high - low) / 2;
        if (log->lost_rows[middle] < row) low = middle + 1;
        else high = middle;
    }
    return low;
}

/* How many records are lost at a row. */
static inline int64_t times_lost(const Log *log, int64_t row) {
    return log->lost_times[number_of_lost_at(log, row)];
}

static void sort_by_type(Arena *arena, const Log *log, int64_t types, ByType *sorted) {
    int64_t *borders = take_zeros(arena, types + 2, sizeof(int64_t));
    int64_t lost = 0, size = 0;
    sorted->rank = take(arena, log->size, sizeof(int32_t));
    for (int64_t row = 0; row < log->size; row++) {
        if (log->types[row] < types) {
            borders[log->types[row] + 1]++;
            continue;
        }
        const uint8_t *may_be = log->lost_sets + lost++ * types;
        for (int64_t type = 0; type < types; type++) borders[type + 1] += may_be[type];
    }
    for (int64_t type = 0; type < types; type++) borders[type + 1] += borders[type];
    size = borders[types];
    sorted->rows = take(arena, size, sizeof(int32_t));
    int64_t *next = take(arena, types, sizeof(int64_t));
    memcpy(next, borders, (size_t)types * sizeof(int64_t));
    lost = 0;
    for (int64_t row = 0; row < log->size; row++) {
        int64_t type = log->types[row];
        if (type < types) {
            sorted->rank[row] = (int32_t)(next[type] - borders[type]);
            sorted->rows[next[type]++] = (int32_t)row;
            continue;
        }
        sorted->rank[row] = 0;
        const uint8_t *may_be = log->lost_sets + lost++ * types;
        for (int64_t t = 0; t < types; t++) {
            if (may_be[t]) sorted->rows[next[t]++] = (int32_t)row;
        }
    }
    sorted->borders = borders;
}

#endif
