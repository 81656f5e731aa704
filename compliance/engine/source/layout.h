/* Generated from compliance/engine/layout.py: change that file, then make this anew. */

#ifndef LAYOUT_H
#define LAYOUT_H

#include <stdint.h>

typedef struct {
    int64_t above;
    int64_t below;
    int64_t high_above;
    int64_t high_below;
    int32_t state;
    int16_t zone;
    int16_t limits;
} Value;

typedef struct {
    const void *values;
    int64_t width;
    const uint8_t *valid;
    int64_t offset;
    const int64_t *below;
    const int64_t *listed;
    int64_t is_time;
} Column;

typedef struct {
    int64_t number;
    const int64_t *since;
    const Value *values;
    const int64_t *lost;
    const int32_t *which;
} Option;

typedef struct {
    int64_t size;
    const int16_t *types;
    const int64_t *ts;
    const int64_t *until;
    const int64_t *seq;
    const int16_t *zones;
    const int32_t *tables;
    const Column *columns;
    const Value *constants;
    const Option *options;
    const int64_t *const *lookups;
    const int64_t *type_words;
    const int64_t *hand_starts;
    const uint8_t *hand_cards;
    int64_t number_of_lost;
    const int64_t *lost_rows;
    const int64_t *lost_times;
    const uint8_t *lost_sets;
} Log;

typedef struct {
    const int64_t *code;
    int64_t size_of_code;
    int64_t number_of_types;
    int64_t number_of_pools;
    int64_t number_of_memos;
    int64_t number_of_trigger_lists;
    int64_t number_of_columns;
    int64_t number_of_slicings;
    int64_t number_of_intervals;
    const int64_t *intervals;
    int64_t number_of_editions;
    const int64_t *editions;
    int64_t fresh_from;
    const uint8_t *again;
    const uint8_t *asked;
    int64_t shown_complied;
    int64_t shown_excused;
    int64_t shown_undecided;
    const int64_t *waiting_ends;
    const int64_t *waiting_rows;
} Task;

typedef struct {
    int64_t *counts;
    int64_t *written;
    int64_t size;
    int64_t room;
} Result;

enum {
    HEAD_EDITION,
    HEAD_ROW,
    HEAD_VERDICT,
    HEAD_UNMET,
    HEAD_EXCUSE,
    HEAD_UNSETTLED,
    HEAD_LOST,
    HEAD_AGAIN,
    HEAD_KEYS,
    HEAD_WITNESSES,
    HEAD_QUOTES,
    HEAD_SIZE
};

enum { COUNTS = 6, LISTED = 16 };

#endif
