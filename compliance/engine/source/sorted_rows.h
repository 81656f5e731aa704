/* Rows in order: where one belongs among them. */

#ifndef SORTED_ROWS_H
#define SORTED_ROWS_H

#include <stdint.h>

/* The first place whose row is not before `row`; near a guess it is found in a few steps. */
static inline int32_t place_of_row(const int32_t *rows, int32_t size, int64_t row, int32_t guess) {
    int32_t low = 0, high = size, step = 1;
    if (guess > size) guess = size;
    if (guess < size && rows[guess] < row) {
        low = guess + 1;
        while (low + step - 1 < size && rows[low + step - 1] < row) {
            low += step;
            step *= 2;
        }
        high = low + step - 1 < size ? low + step - 1 : size;
    } else {
        high = guess;
        while (high - step >= 0 && rows[high - step] >= row) {
            high -= step;
            step *= 2;
        }
        low = high - step >= 0 ? high - step + 1 : 0;
    }
    while (low < high) {
        int32_t middle = low + (high - low) / 2;
        if (rows[middle] < row) low = middle + 1;
        else high = middle;
    }
    return low;
}

/* The first row from `low` to `high` whose moment is not before another, or is after it. */
static inline int64_t row_at_moment(const int64_t *moments, int64_t low, int64_t high, int64_t moment,
                                    int after) {
    while (low < high) {
        int64_t middle = low + (high - low) / 2;
        if (after ? moments[middle] <= moment : moments[middle] < moment) low = middle + 1;
        else high = middle;
    }
    return low;
}

#endif
