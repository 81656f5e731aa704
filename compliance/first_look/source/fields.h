/* What an event says in its own fields: by far the most frequent questions. */

#ifndef FIELDS_H
#define FIELDS_H

#include "answers.h"

static Value field(Look *look, const int64_t *node, const int64_t *events) {
    return field_at(look->log->columns + node[2], place_of(look->scene, events[node[1]]));
}

static inline Value constant_at(const Look *look, int64_t number) {
    const Given *given = look->log->constants + number;
    return from_given(given->above, given->below, given->state);
}

static int against_constant(Look *look, const int64_t *node, const int64_t *events) {
    const Column *column = look->log->columns + node[2];
    const Given *constant = look->log->constants + node[4];
    if (!column->below && constant->below == 1 && constant->state == KNOWN && column->values) {
        int64_t place = place_of(look->scene, events[node[1]]);
        if (!recorded(column, place)) return UNSURE;
        return compare_whole((int)node[3], number_at(column, place), constant->above);
    }
    return compare((int)node[3], field(look, node, events), constant_at(look, node[4]));
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

static int how_many(Look *look, const int64_t *node, int64_t *events);
static Value evaluate(Look *look, int64_t at, int64_t *events);

/* What an expression says; the plainest ones are read without a detour. */
static inline Value value_of(Look *look, int64_t at, int64_t *events) {
    const int64_t *node = look->code + at;
    if (node[0] == CONSTANT) return constant_at(look, node[1]);
    if (node[0] == FIELD) return field(look, node, events);
    return evaluate(look, at, events);
}

/* Whether a condition holds; the most frequent ones are asked without a detour. */
static inline int answer_of(Look *look, int64_t at, int64_t *events) {
    const int64_t *node = look->code + at;
    if (node[0] == KEPT && node[2] < 0) {
        at = node[1];
        node = look->code + at;
    }
    if (node[0] == HOW_MANY) return how_many(look, node, events);
    if (node[0] == FIELD_AGAINST_FIELD) return against_field(look, node, events);
    if (node[0] == FIELD_AGAINST_CONSTANT) return against_constant(look, node, events);
    return truth(look, at, events);
}

#endif
