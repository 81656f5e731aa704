/* What an expression says for one choice of events: a walk down the tree of numbers. */

#ifndef EVALUATE_H
#define EVALUATE_H

#include "aggregates.h"

static Value of_card(int op, Value card) {
    if (card.state != KNOWN) return card;
    if (card.above == JOKER) return unknown;
    int64_t suit = card.above % 4;
    switch (op) {
    case PIP_VALUE: return whole(pips_of(card.above));
    case RANK: return whole(card.above / 4);
    case SUIT: return whole(suit);
    /* Hearts and diamonds are red, the first of the two colours. */
    default: return whole(!(suit == 1 || suit == 2));
    }
}

static Value pick(int larger, Value left, Value right) {
    int state = graver(left, right);
    if (state != KNOWN) return state == NOTHING ? nothing : unknown;
    int order = order_of(left, right);
    return (larger ? order >= 0 : order <= 0) ? left : right;
}

/* The number of the row or column of a printed table that a value belongs to, or -1. Each head is
   three numbers: whether it is `none`, and the range that it stands for. */
static int64_t head_of(const int64_t *heads, int64_t number, Value value) {
    for (int64_t i = 0; i < number; i++, heads += 3) {
        if (heads[0]) {
            if (value.state == NOTHING) return i;
        } else if (value.state == KNOWN && value.below == 1) {
            if (heads[1] <= value.above && value.above <= heads[2]) return i;
        } else if (value.state == KNOWN && (wide)heads[1] * value.below <= value.above &&
                   value.above <= (wide)heads[2] * value.below) {
            return i;
        }
    }
    return -1;
}

/* A printed table: how many rows and columns, their heads, and three numbers for each cell. */
static APART Value look_up(const int64_t *table, Value row_key, Value column_key) {
    int64_t rows = table[0], columns = table[1];
    if (row_key.state == UNKNOWN || (columns && column_key.state == UNKNOWN)) return unknown;
    int64_t row = head_of(table + 2, rows, row_key), column = 0;
    if (columns) column = head_of(table + 2 + 3 * rows, columns, column_key);
    if (row < 0 || column < 0) return nothing;
    const int64_t *cell =
        table + 2 + 3 * (rows + columns) + 3 * (row * (columns ? columns : 1) + column);
    return from_given(cell[0], cell[1], cell[2]);
}

static APART int about(Look *look, const int64_t *node, int64_t *events) {
    Value value = evaluate(look, node[1], events), target = evaluate(look, node[2], events);
    Value margin = evaluate(look, node[3], events);
    Value away = calculate(MINUS, value, target);
    if (away.above < 0) away.above = -away.above;
    if (target.above < 0) target.above = -target.above;
    if (node[4]) margin = calculate(TIMES, target, margin);
    return compare(AT_MOST, away, margin);
}

/* All parts hold: one that fails decides, whatever is in doubt elsewhere. */
static int all(Look *look, const int64_t *node, int64_t *events) {
    int result = YES;
    for (int64_t i = 0; i < node[1]; i++) {
        int part = answer_of(look, node[2 + i], events);
        if (part == NO) return NO;
        if (part == UNSURE) result = UNSURE;
    }
    return result;
}

static int any(Look *look, const int64_t *node, int64_t *events) {
    int result = NO;
    for (int64_t i = 0; i < node[1]; i++) {
        int part = answer_of(look, node[2 + i], events);
        if (part == YES) return YES;
        if (part == UNSURE) result = UNSURE;
    }
    return result;
}

/* Whether a value is there at all. Of a field that is certain either way. */
static int is_recorded(Look *look, const int64_t *node, int64_t *events) {
    if (node[0] == RECORDED) {
        const Column *column = look->log->columns + node[2];
        int there = column->values && recorded(column, place_of(look->scene, events[node[1]]));
        return there == (int)node[3];
    }
    Value value = evaluate(look, node[1], events);
    if (value.state == UNKNOWN) return UNSURE;
    return value.state == KNOWN && node[2];
}

/* The number of the choice that stands at a place. */
static inline int64_t choice_at(const Option *choices, int64_t place) {
    int64_t last = choices->number - 1;
    /* Most events come after the last choice. */
    return place < choices->since[last] ? lower_bound(choices->since, last, place + 1) - 1 : last;
}

static Value option(Look *look, const int64_t *node, const int64_t *events) {
    const Option *choices = look->log->options + node[2];
    int64_t place = look->place >= 0 ? look->place : place_of(look->scene, events[node[1]]);
    const Given *given = choices->values + choice_at(choices, place);
    return from_given(given->above, given->below, given->state);
}

/* An answer that is kept where several rules ask for it at the same event. */
static APART Value kept(Look *look, const int64_t *node, int64_t *events) {
    int32_t *answer = answer_at(look, node[2], events[0]);
    if (!answer) return evaluate(look, node[1], events);
    if (*answer != NOT_ASKED) return value_kept(*answer);
    const int64_t *inner = look->code + node[1];
    Value value = inner[0] == AGGREGATE  ? aggregate(look, inner, events)
                  : inner[0] == HOW_MANY ? from_truth(how_many(look, inner, events))
                                         : evaluate(look, node[1], events);
    if (!look->failed) keep_value(answer, value);
    return value;
}

static int truth(Look *look, int64_t at, int64_t *events) {
    const int64_t *node = look->code + at;
    switch (node[0]) {
    case FIELD_AGAINST_CONSTANT: return against_constant(look, node, events);
    case FIELD_AGAINST_FIELD: return against_field(look, node, events);
    case COMPARE:
        return compare((int)node[1], value_of(look, node[2], events), value_of(look, node[3], events));
    case AND: return all(look, node, events);
    case OR: return any(look, node, events);
    case NOT: return opposite(answer_of(look, node[1], events));
    case HOW_MANY: return how_many(look, node, events);
    case EVERY: return every(look, node, events);
    case IN_ORDER: return in_order(look, node, events);
    case KEPT: return node[2] < 0 ? truth(look, node[1], events) : to_truth(kept(look, node, events));
    case ABOUT: return about(look, node, events);
    case RECORDED:
    case IS_RECORDED: return is_recorded(look, node, events);
    default: return to_truth(evaluate(look, at, events));
    }
}

static Value evaluate(Look *look, int64_t at, int64_t *events) {
    const int64_t *node = look->code + at;
    switch (node[0]) {
    case CONSTANT: return constant_at(look, node[1]);
    case FIELD: return field(look, node, events);
    case MOMENT: return whole(ts_of(look->scene, events[node[1]]));
    case SEQUENCE: return whole(look->log->seq[place_of(look->scene, events[node[1]])]);
    case TYPE:
        return whole(look->log->type_words[look->log->types[place_of(look->scene, events[node[1]])]]);
    case OPTION: return option(look, node, events);
    case ARITHMETIC:
        return calculate((int)node[1], value_of(look, node[2], events), value_of(look, node[3], events));
    case ROUNDING:
        return round_to((int)node[1], evaluate(look, node[2], events), evaluate(look, node[3], events));
    case PIP_VALUE:
    case RANK:
    case SUIT:
    case COLOR: return of_card((int)node[0], evaluate(look, node[1], events));
    case LARGER:
    case SMALLER:
        return pick(node[0] == LARGER, evaluate(look, node[1], events), evaluate(look, node[2], events));
    case LOOKUP:
        return look_up(look->log->lookups[node[1]], evaluate(look, node[2], events),
                       node[3] >= 0 ? evaluate(look, node[3], events) : nothing);
    case IF: {
        int holds = answer_of(look, node[1], events);
        return holds == UNSURE ? unknown : value_of(look, node[holds == YES ? 2 : 3], events);
    }
    case AGGREGATE: return aggregate(look, node, events);
    case NEXT_SEAT: return next_seat(look, node, events);
    case KEPT: return node[2] < 0 ? evaluate(look, node[1], events) : kept(look, node, events);
    default: return from_truth(truth(look, at, events));
    }
}

#endif
