/* What an expression says at each of many events: the same answers as one after the other. */

#ifndef TOGETHER_H
#define TOGETHER_H

#include "found_together.h"

/* All parts hold, which one that fails decides; or any, which one that holds decides. Each part is
   asked only where those before it have not decided; one that is settled already is -1. */
static void several_together(Look *look, const int64_t *parts, int64_t number, int decisive,
                             const Batch *batch, uint8_t *said) {
    Batch rest;
    uint8_t of[BATCH], part[BATCH];
    for (int64_t i = 0; i < batch->number; i++) of[i] = (uint8_t)i;
    memset(said, !decisive, (size_t)batch->number);
    for (int64_t i = 0; i < number; i++) {
        int64_t left = 0;
        if (parts[i] < 0) continue;
        truths(look, parts[i], batch, part);
        if (look->failed) return;
        for (int64_t j = 0; j < batch->number; j++) {
            uint8_t *mine = said + of[j];
            *mine = part[j] == !decisive ? *mine : part[j];
        }
        if (i == number - 1) return;
        for (int64_t j = 0; j < batch->number; j++) {
            of[left] = of[j];
            rest.rows[left] = batch->rows[j];
            rest.segments[left] = batch->segments[j];
            left += part[j] != decisive;
        }
        rest.number = left;
        batch = &rest;
        if (!left) return;
    }
}

/* Whether an answer is found as fast as one that is kept. */
static int is_found_at_once(Look *look, int64_t at) {
    const int64_t *node = look->code + at;
    int cards = node[0] == AGGREGATE && node[1] >= BLACKJACK;
    if (!cards && (node[0] != HOW_MANY || look->code[node[2]] != CONSTANT)) return 0;
    const int64_t *phrase = look->code + node[cards ? 2 : 3];
    if (!is_plain(phrase)) return 0;
    const Pool *pool = pool_of(look, phrase[PHRASE_POOL], phrase[PHRASE_PATTERN]);
    return pool && means_all(phrase, pool);
}

/* Answers that are kept; those that are not there yet are asked for together. */
static void kept_together(Look *look, const int64_t *node, const Batch *batch, Value *said) {
    const Scene *scene = look->scene;
    int32_t *answers[BATCH];
    Answers *known = NULL;
    Batch fresh;
    Value found[BATCH];
    uint8_t of[BATCH];
    fresh.number = 0;
    for (int64_t i = 0; i < batch->number; i++) {
        int64_t row = batch->rows[i], type = look->log->types[place_of(scene, row)];
        if (!known || known->type != type) known = answers_at(look, node[2], type);
        if (!known) break;
        int32_t *answer = known->said + scene->rank[row];
        said[i] = value_kept(*answer);
        if (*answer != NOT_ASKED) continue;
        answers[fresh.number] = answer;
        of[fresh.number] = (uint8_t)i;
        put_in(&fresh, batch->rows[i], batch->segments[i]);
    }
    if (look->failed) return;
    if (!known) {
        /* They are not kept in a slice, where there are too many of them. */
        values(look, node[1], batch, said);
        return;
    }
    if (!fresh.number) return;
    values(look, node[1], &fresh, found);
    if (look->failed) return;
    for (int64_t i = 0; i < fresh.number; i++) {
        said[of[i]] = found[i];
        keep_value(answers[i], found[i]);
    }
}

/* One of two values, by a condition; each is asked only where it is wanted. */
static void either_together(Look *look, const int64_t *node, const Batch *batch, Value *said) {
    uint8_t holds[BATCH], of[BATCH];
    Value found[BATCH];
    Batch some;
    truths(look, node[1], batch, holds);
    if (look->failed) return;
    for (int way = NO; way <= YES; way++) {
        some.number = 0;
        for (int64_t i = 0; i < batch->number; i++) {
            if (holds[i] == UNSURE) said[i] = unknown;
            of[some.number] = (uint8_t)i;
            some.rows[some.number] = batch->rows[i];
            some.segments[some.number] = batch->segments[i];
            some.number += holds[i] == way;
        }
        if (!some.number) continue;
        values(look, node[way == YES ? 2 : 3], &some, found);
        if (look->failed) return;
        for (int64_t i = 0; i < some.number; i++) said[of[i]] = found[i];
    }
}

static void compare_together(Look *look, const int64_t *node, const Batch *batch, uint8_t *said) {
    Value left[BATCH], right[BATCH];
    int sign = (int)node[1];
    values(look, node[2], batch, left);
    if (look->failed) return;
    if (look->code[node[3]] == CONSTANT) {
        Value constant = constant_at(look, look->code[node[3] + 1]);
        for (int64_t i = 0; i < batch->number; i++) said[i] = (uint8_t)compare(sign, left[i], constant);
        return;
    }
    values(look, node[3], batch, right);
    if (look->failed) return;
    for (int64_t i = 0; i < batch->number; i++) said[i] = (uint8_t)compare(sign, left[i], right[i]);
}

/* What is worked out of two values, or of one. */
static void work_out_together(Look *look, const int64_t *node, const Batch *batch, Value *said) {
    Value other[BATCH];
    int64_t first = node[0] == PIP_VALUE ? node[1] : node[2];
    int64_t second = node[0] == PIP_VALUE ? -1 : node[3];
    values(look, first, batch, said);
    if (second >= 0 && !look->failed) values(look, second, batch, other);
    if (look->failed) return;
    const int64_t *table = node[0] == LOOKUP ? look->log->lookups[node[1]] : NULL;
    for (int64_t i = 0; i < batch->number; i++) {
        if (node[0] == PIP_VALUE) said[i] = of_card(PIP_VALUE, said[i]);
        else if (node[0] == LOOKUP) said[i] = look_up(table, said[i], second >= 0 ? other[i] : nothing);
        else said[i] = calculate((int)node[1], said[i], other[i]);
    }
}

static void truths_within(Look *look, int64_t at, const Batch *batch, uint8_t *said) {
    const int64_t *node = look->code + at;
    Value found[BATCH];
    switch (node[0]) {
    case AND: several_together(look, node + 2, node[1], NO, batch, said); return;
    case OR: several_together(look, node + 2, node[1], YES, batch, said); return;
    case NOT:
        truths(look, node[1], batch, said);
        for (int64_t i = 0; i < batch->number; i++) said[i] = (uint8_t)opposite(said[i]);
        return;
    case COMPARE: compare_together(look, node, batch, said); return;
    case HOW_MANY: how_many_together(look, node, at, batch, said); return;
    case EVERY: every_together(look, node, at, batch, said); return;
    case IN_ORDER: in_order_together(look, node, at, batch, said); return;
    case KEPT:
        if (node[2] < 0 || is_found_at_once(look, node[1])) {
            truths(look, node[1], batch, said);
            return;
        }
        kept_together(look, node, batch, found);
        for (int64_t i = 0; i < batch->number && !look->failed; i++) {
            said[i] = (uint8_t)to_truth(found[i]);
        }
        return;
    default: truths_apart(look, at, batch, said); return;
    }
}

static void truths(Look *look, int64_t at, const Batch *batch, uint8_t *said) {
    if (++look->depth > DEEPEST) truths_apart(look, at, batch, said);
    else truths_within(look, at, batch, said);
    look->depth--;
}

static void values_within(Look *look, int64_t at, const Batch *batch, Value *said) {
    const int64_t *node = look->code + at;
    uint8_t found[BATCH];
    switch (node[0]) {
    case CONSTANT:
        for (int64_t i = 0; i < batch->number; i++) said[i] = constant_at(look, node[1]);
        return;
    case ARITHMETIC:
    case LOOKUP:
    case PIP_VALUE: work_out_together(look, node, batch, said); return;
    case IF: either_together(look, node, batch, said); return;
    case AGGREGATE: aggregates_together(look, node, at, batch, said); return;
    case KEPT:
        if (node[2] < 0 || is_found_at_once(look, node[1])) values(look, node[1], batch, said);
        else kept_together(look, node, batch, said);
        return;
    case AND:
    case OR:
    case NOT:
    case COMPARE:
    case HOW_MANY:
    case EVERY:
    case IN_ORDER:
        truths(look, at, batch, found);
        for (int64_t i = 0; i < batch->number && !look->failed; i++) said[i] = from_truth(found[i]);
        return;
    default: values_apart(look, at, batch, said); return;
    }
}

static void values(Look *look, int64_t at, const Batch *batch, Value *said) {
    if (++look->depth > DEEPEST) values_apart(look, at, batch, said);
    else values_within(look, at, batch, said);
    look->depth--;
}

#endif
