/* Where the runs of an interval begin and end, when the types of the events alone tell that. */

#ifndef STRETCHES_H
#define STRETCHES_H

#include <stdint.h>

enum { ROOM_FOR_BORDERS = 16 };

/* The rows of some types, of which those up to some row have been passed. */
typedef struct {
    const int32_t *at[ROOM_FOR_BORDERS], *end[ROOM_FOR_BORDERS];
    int64_t number;
} Passing;

static Passing passing(const int32_t *by_type, const int64_t *borders, const int64_t *types,
                       int64_t number) {
    Passing rows = {.number = number};
    for (int64_t i = 0; i < number; i++) {
        rows.at[i] = by_type + borders[types[i]];
        rows.end[i] = by_type + borders[types[i] + 1];
    }
    return rows;
}

/* The next row after one that is not before those passed so far, or `none`. */
static int64_t next_after(Passing *rows, int64_t row, int64_t none) {
    int64_t next = none;
    for (int64_t i = 0; i < rows->number; i++) {
        const int32_t *at = rows->at[i], *end = rows->end[i];
        while (at < end && *at <= row) at++;
        rows->at[i] = at;
        if (at < end && *at < next) next = *at;
    }
    return next;
}

/* All runs in a scene of a single segment, with the types that begin and those that end one; says
   how many there are. There is room for as many as there are beginnings. */
int64_t find_runs(const int32_t *by_type, const int64_t *borders, int64_t size,
                  const int64_t *opening, int64_t number_opening, const int64_t *closing,
                  int64_t number_closing, int64_t complete, int64_t *first, int64_t *last,
                  uint8_t *closed, uint8_t *proper) {
    if (number_opening > ROOM_FOR_BORDERS || number_closing > ROOM_FOR_BORDERS) return -1;
    Passing opens = passing(by_type, borders, opening, number_opening);
    Passing closes = passing(by_type, borders, closing, number_closing);
    int64_t number = 0, row = next_after(&opens, -1, size);
    while (row < size) {
        int64_t next_open = next_after(&opens, row, size);
        int64_t next_close = next_after(&closes, row, size);
        int ends = next_close < size && next_close <= next_open;
        int cut = !ends && next_open < size;
        first[number] = row;
        last[number] = ends ? next_close : next_open - 1;
        closed[number] = ends || cut || complete;
        proper[number] = (uint8_t)ends;
        number++;
        row = next_open;
    }
    return number;
}

#endif
