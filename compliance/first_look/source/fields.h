/* What an event says in its own fields: by far the most frequent questions. */

#ifndef FIELDS_H
#define FIELDS_H

#include "answers.h"

static Value field(Look *look, const int64_t *node, const int64_t *events) {
    return field_at(look->log->columns + node[2], place_of(look->scene, events[node[1]]));
}

static int against_constant(Look *look, const int64_t *node, const int64_t *events) {
    const Column *column = look->log->columns + node[2];
    const Value *constant = look->log->constants + node[4];
    if (!column->below && constant->below == 1 && constant->state == KNOWN && column->values) {
        int64_t place = place_of(look->scene, events[node[1]]);
        if (!recorded(column, place)) return UNSURE;
        return compare_whole((int)node[3], number_at(column, place), constant->above);
    }
    return compare((int)node[3], field(look, node, events), *constant);
}

static int against_field(Look *look, const int64_t *node, const int64_t *events) {
    const Column *left = look->log->columns + node[2], *right = look->log->columns + node[5];
    int64_t here = place_of(look->scene, events[node[1]]);
    int64_t there = place_of(look->scene, events[node[4]]);
    if (left->below || right->below || !left->values || !right->values) {
        return compare((int)node[3], field_at(left, here), field_at(right, there));
    }
    if (!recorded(left, here) || !recorded(right, there)) return UNSURE;
    return compare_whole((int)node[3], number_at(left, here), number_at(right, there));
}

/* Whether a condition holds; the most frequent ones are asked without a detour. */
static inline int answer_of(Look *look, int64_t at, int64_t *events) {
    const int64_t *node = look->code + at;
    if (node[0] == FIELD_AGAINST_FIELD) return against_field(look, node, events);
    if (node[0] == FIELD_AGAINST_CONSTANT) return against_constant(look, node, events);
    return truth(look, at, events);
}

#endif
