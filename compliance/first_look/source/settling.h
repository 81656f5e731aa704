/* The rows of a pool of which all is known. Rules that differ only in a number ask the same of the same
   rows: what one has noted beside them tells the next, of most rows, that they are not meant. */

#ifndef SETTLING_H
#define SETTLING_H

#include "batches.h"

/* The known answers of which a comparison holds: those from one to another, or all others. */
typedef struct {
    int32_t least, most;
    int others;
} Range;

/* The range of a comparison with a whole number; says no where it is with something else. */
static int range_of(const Look *look, const int64_t *node, Range *range) {
    if (look->code[node[3]] != CONSTANT) return 0;
    Value constant = constant_at(look, look->code[node[3] + 1]);
    if (constant.state != KNOWN || constant.below != 1) return 0;
    if (constant.above < -MOST_KEPT || constant.above >= MOST_KEPT) return 0;
    int32_t number = packed(constant.above, KNOWN + 1);
    int sign = (int)node[1];
    range->least = sign == LESS || sign == AT_MOST ? INT32_MIN : sign == MORE ? number + 1 : number;
    range->most = sign == MORE || sign == AT_LEAST ? INT32_MAX : sign == LESS ? number - 1 : number;
    range->others = sign == UNEQUAL;
    return 1;
}

static inline int in_range(const Range *range, int32_t answer) {
    return ((answer >= range->least) & (answer <= range->most)) ^ range->others;
}

/* Whether what is noted says already that a condition does not hold, for some places of a list on. */
static void rule_out(Look *look, int64_t at, const Notes *notes, int64_t first, int64_t number,
                     uint8_t *out) {
    const int64_t *node = look->code + at, *kept = node;
    Range range = {packed(0, KNOWN + 1), packed(0, KNOWN + 1), 1};
    if (node[0] == AND) {
        for (int64_t i = 0; i < node[1]; i++) {
            rule_out(look, node[2 + i], notes, first, number, out);
        }
        return;
    }
    if (node[0] == COMPARE && range_of(look, node, &range)) kept = look->code + node[2];
    if (kept[0] != KEPT || kept[2] < 0 || kept[2] >= notes->room || !notes->of[kept[2]]) return;
    const int32_t *said = notes->of[kept[2]] + first;
    for (int64_t i = 0; i < number; i++) {
        out[i] |= (state_of(said[i]) == KNOWN + 1) & !in_range(&range, said[i]);
    }
}

/* Asks the conditions on other events at all places of a pool where they have not been asked. */
static void ask_everywhere(Look *look, Pool *pool) {
    Notes *notes = notes_of(look, pool);
    Batch batch;
    int64_t in_hand = look->segment;
    for (int64_t first = 0; first < pool->size && !look->failed; first += BATCH) {
        int64_t number = MIN(pool->size - first, BATCH);
        uint8_t out[BATCH] = {0};
        if (notes) rule_out(look, pool->costly, notes, first, number, out);
        begin_batch(&batch, notes);
        for (int64_t i = 0; i < number; i++) {
            int64_t place = first + i;
            if (pool->asked[place]) continue;
            pool->asked[place] = NO + 1;
            if (out[i]) continue;
            int64_t segment = segment_of(look->scene, pool->rows[place]);
            if (segment >= 0) put_in(&batch, pool->rows[place], (int32_t)segment, (int32_t)place);
        }
        if (batch.number) ask_of_batch(look, pool, &batch);
    }
    look->segment = in_hand;
}

/* The same pool with all conditions on other events asked: to look at many rows costs less then. */
static Pool *settled(Look *look, Pool *pool) {
    if (pool->costly < 0 || pool->settled) return pool->costly < 0 ? pool : pool->settled;
    int64_t size = 0, doubts = 0;
    ask_everywhere(look, pool);
    if (look->failed) return NULL;
    for (int64_t place = 0; place < pool->size; place++) size += pool->asked[place] != NO + 1;
    Pool *found = calloc(1, sizeof(Pool));
    if (!found) {
        look->failed = 1;
        return NULL;
    }
    found->costly = -1;
    found->pattern = pool->pattern;
    found->rows = memory(look, size, sizeof(int32_t));
    found->doubts = memory(look, size, 1);
    if (look->failed) {
        forget_pool(found);
        return NULL;
    }
    for (int64_t place = 0; found->size < size; place++) {
        if (pool->asked[place] == NO + 1) continue;
        int doubt = was_meant(pool, place) == UNSURE;
        found->doubts[found->size] = (uint8_t)doubt;
        found->rows[found->size++] = pool->rows[place];
        doubts += doubt;
    }
    if (!doubts) {
        free(found->doubts);
        found->doubts = NULL;
    }
    return pool->settled = found;
}

#endif
