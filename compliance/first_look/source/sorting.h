/* The order of a log's events: by their types, and whether numbers only grow. */

#ifndef SORTING_H
#define SORTING_H

#include <stdint.h>

/* All rows by the type of their event, in order within each type; and the rank of each there. */
void sort_by_type(const int16_t *types, int64_t size, int64_t number, int32_t *rows, int32_t *rank,
                  int64_t *borders) {
    for (int64_t row = 0; row < size; row++) rank[row] = (int32_t)borders[types[row] + 1]++;
    for (int64_t type = 1; type <= number; type++) borders[type] += borders[type - 1];
    for (int64_t row = 0; row < size; row++) rows[borders[types[row]] + rank[row]] = (int32_t)row;
}

/* Whether no number is smaller than the one before it. */
int64_t never_falls(const int64_t *numbers, int64_t size) {
    int falls = 0;
    for (int64_t i = 1; i < size; i++) falls |= numbers[i] < numbers[i - 1];
    return !falls;
}

#endif
