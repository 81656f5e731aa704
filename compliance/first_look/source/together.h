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
    const Batch *all = batch;
    if (!batch->number) return;
    begin_batch(&rest, batch->notes);
    memset(said, !decisive, (size_t)batch->number);
    for (int64_t i = 0; i < number; i++) {
        int64_t decided = 0, asked = batch->number;
        if (parts[i] < 0) continue;
        truths(look, parts[i], batch, part);
        if (look->failed) return;
        for (int64_t j = 0; j < asked; j++) decided += part[j] == decisive;
        for (int64_t j = 0; j < asked; j++) {
            uint8_t *mine = said + (batch == all ? j : of[j]);
            *mine = part[j] == !decisive ? *mine : part[j];
        }
        if (i == number - 1 || decided == asked) return;
        if (!decided) continue;
        rest.number = 0;
        for (int64_t j = 0; j < asked; j++) {
            of[rest.number] = batch == all ? (uint8_t)j : of[j];
            pass_on(&rest, batch, j, part[j] != decisive);
        }
        batch = &rest;
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

/* Reads the answers to a question beside the list of a batch; those that are not there yet are asked
   for together. Says no where some cannot be noted. */
static int noted_together(Look *look, const int64_t *node, const Batch *batch, int32_t *said) {
    int32_t *notes = notes_on(look, batch->notes, node[2]);
    Batch fresh;
    Value found[BATCH];
    if (!notes || read_notes(notes, batch, said)) return 1;
    begin_batch(&fresh, batch->notes);
    for (int64_t i = 0; i < batch->number; i++) pass_on(&fresh, batch, i, said[i] == NOT_ASKED);
    values(look, node[1], &fresh, found);
    if (look->failed) return 1;
    for (int64_t i = 0; i < fresh.number; i++) keep_value(notes + fresh.places[i], found[i]);
    return read_notes(notes, batch, said);
}

/* The same as values. */
static void read_values(Look *look, const int64_t *node, const Batch *batch, Value *said) {
    int32_t answers[BATCH];
    if (!noted_together(look, node, batch, answers)) {
        values(look, node[1], batch, said);
    } else if (!look->failed) {
        for (int64_t i = 0; i < batch->number; i++) said[i] = value_kept(answers[i]);
    }
}

/* The same as truths, which can all be noted. */
static void read_truths(Look *look, const int64_t *node, const Batch *batch, uint8_t *said) {
    int32_t answers[BATCH];
    noted_together(look, node, batch, answers);
    for (int64_t i = 0; i < batch->number && !look->failed; i++) {
        said[i] = (uint8_t)truth_kept(answers[i]);
    }
}

/* Answers that are kept; those that are not there yet are asked for together. */
static void kept_together(Look *look, const int64_t *node, const Batch *batch, Value *said) {
    const Scene *scene = look->scene;
    int32_t *answers[BATCH];
    Answers *known = NULL;
    Batch fresh;
    Value found[BATCH];
    uint8_t of[BATCH];
    begin_batch(&fresh, NULL);
    for (int64_t i = 0; i < batch->number; i++) {
        int64_t row = batch->rows[i], type = look->log->types[place_of(scene, row)];
        if (!known || known->type != type) known = answers_at(look, node[2], type);
        if (!known) break;
        int32_t *answer = known->said + scene->rank[row];
        said[i] = value_kept(*answer);
        if (*answer != NOT_ASKED) continue;
        answers[fresh.number] = answer;
        of[fresh.number] = (uint8_t)i;
        put_in(&fresh, batch->rows[i], batch->segments[i], 0);
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
        begin_batch(&some, batch->notes);
        for (int64_t i = 0; i < batch->number; i++) {
            if (holds[i] == UNSURE) said[i] = unknown;
            of[some.number] = (uint8_t)i;
            pass_on(&some, batch, i, holds[i] == way);
        }
        if (!some.number) continue;
        values(look, node[way == YES ? 2 : 3], &some, found);
        if (look->failed) return;
        for (int64_t i = 0; i < some.number; i++) said[of[i]] = found[i];
    }
}

/* What is noted, compared with a constant; says no where it is not noted, or not as whole numbers. */
static int compare_noted(Look *look, const int64_t *node, const Batch *batch, uint8_t *said) {
    const int64_t *left = look->code + node[2];
    int32_t answers[BATCH];
    Range range;
    int open = 0;
    if (!batch->notes || left[0] != KEPT || left[2] < 0 || !range_of(look, node, &range)) return 0;
    if (!noted_together(look, left, batch, answers)) return 0;
    if (look->failed) return 1;
    for (int64_t i = 0; i < batch->number; i++) {
        said[i] = (uint8_t)in_range(&range, answers[i]);
        open |= state_of(answers[i]) != KNOWN + 1;
    }
    return !open;
}

/* The value that an expression has at all events of a batch: a constant, or an option between two
   choices. Says no where that may differ. */
static int same_for_all(Look *look, int64_t at, const Batch *batch, Value *value) {
    const int64_t *node = look->code + at;
    if (node[0] == CONSTANT) {
        *value = constant_at(look, node[1]);
        return 1;
    }
    if (node[0] != OPTION || !batch->number) return 0;
    int64_t events[1] = {batch->rows[0]};
    const Option *choices = look->log->options + node[2];
    int64_t last = choice_at(choices, place_of(look->scene, events[0])), others = 0;
    int64_t from = last ? choices->since[last] : INT64_MIN;
    int64_t until = last + 1 < choices->number ? choices->since[last + 1] : INT64_MAX;
    for (int64_t i = 0; i < batch->number; i++) {
        int64_t place = place_of(look->scene, batch->rows[i]);
        others += (place < from) | (place >= until);
    }
    *value = option(look, node, events);
    return !others;
}

static void compare_together(Look *look, const int64_t *node, const Batch *batch, uint8_t *said) {
    Value left[BATCH], right[BATCH], same, other;
    int sign = (int)node[1];
    if (compare_noted(look, node, batch, said)) return;
    int right_is_same = same_for_all(look, node[3], batch, &same);
    if (right_is_same && same_for_all(look, node[2], batch, &other)) {
        memset(said, compare(sign, other, same), (size_t)batch->number);
        return;
    }
    values(look, node[2], batch, left);
    if (look->failed) return;
    if (right_is_same) {
        for (int64_t i = 0; i < batch->number; i++) said[i] = (uint8_t)compare(sign, left[i], same);
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

/* Whether a question is put to the triggers of several slices at once: it looks at no events itself. */
static int is_of_all_slices(const Look *look, int64_t at) {
    switch (look->code[at]) {
    case CONSTANT:
    case ARITHMETIC:
    case LOOKUP:
    case PIP_VALUE:
    case IF:
    case COMPARE:
    case AND:
    case OR:
    case NOT:
    case KEPT: return 1;
    default: return 0;
    }
}

/* Asks the triggers of one slice after those of another, for truths or for values. Each slice is looked
   at with the same patience. */
static void by_slice(Look *look, int64_t at, const Batch *batch, uint8_t *holds, Value *said) {
    const int32_t *owners = look->owners;
    int64_t patience = look->patience, next = 0;
    Batch own;
    look->owners = NULL;
    while (next < batch->number && !look->failed) {
        int64_t first = next;
        int32_t owner = owners[batch->places[first]];
        begin_batch(&own, batch->notes);
        while (next < batch->number && owners[batch->places[next]] == owner) {
            pass_on(&own, batch, next++, 1);
        }
        look->slice = look->slices + owner;
        look->patience = patience;
        if (holds) truths(look, at, &own, holds + first);
        else values(look, at, &own, said + first);
    }
    look->slice = NULL;
    look->owners = owners;
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
        if (node[2] >= 0 && batch->notes) {
            read_truths(look, node, batch, said);
            return;
        }
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
    int deep = ++look->depth > DEEPEST;
    if (look->owners && (deep || !is_of_all_slices(look, at))) by_slice(look, at, batch, said, NULL);
    else if (deep) truths_apart(look, at, batch, said);
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
        if (node[2] >= 0 && batch->notes) read_values(look, node, batch, said);
        else if (node[2] < 0 || is_found_at_once(look, node[1])) values(look, node[1], batch, said);
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
    int deep = ++look->depth > DEEPEST;
    if (look->owners && (deep || !is_of_all_slices(look, at))) by_slice(look, at, batch, NULL, said);
    else if (deep) values_apart(look, at, batch, said);
    else values_within(look, at, batch, said);
    look->depth--;
}

#endif
