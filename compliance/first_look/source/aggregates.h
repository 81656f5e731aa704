/* What the events that a phrase finds say together: their first, their sum, their seats in order. */

#ifndef AGGREGATES_H
#define AGGREGATES_H

#include "counting.h"

enum { FIRST, LAST, COUNT, SUM, SMALLEST, LARGEST_OF, DISTINCT, BLACKJACK, HARD, SOFT, BACCARAT };
enum { JOKER = 52 };

static inline int pips_of(int64_t card) {
    int64_t rank = card / 4;
    return (int)(rank > 9 ? 10 : rank + 1);
}

/* The value of the first or last event; one that may be it leaves it in doubt. */
static Value end_value(Look *look, const int64_t *node, Walk *walk, int first) {
    if (walk->window.open && !first) return unknown;
    for (int64_t i = walk->low; i < walk->high; i++) {
        int64_t row;
        int answer = look_at(look, walk, first ? i : walk->high - 1 - (i - walk->low), &row);
        if (answer == UNSURE) return unknown;
        if (answer == YES) {
            return field_at(look->log->columns + node[3], place_of(look->scene, row));
        }
    }
    return walk->window.open ? unknown : nothing;
}

static Value distinct(const int64_t *values, int64_t number) {
    int64_t different = 0;
    for (int64_t i = 0; i < number; i++) {
        int64_t j = 0;
        while (j < i && values[j] != values[i]) j++;
        different += j == i;
    }
    return whole(different);
}

/* What cards make together, of which the pips and whether there is an ace are known. */
static inline Value cards_together(int function, int64_t hard, int ace) {
    int soft = ace && hard <= 11;
    switch (function) {
    case BLACKJACK: return whole(hard + (soft ? 10 : 0));
    case HARD: return whole(hard);
    case SOFT: return whole(soft);
    default: return whole(hard % 10);
    }
}

enum { BITS_OF_PIPS = 14, BITS_OF_ACES = 9, MOST_CARDS = 511 };

/* What the cards of a pool make before each place, worked out once. */
static Cards *cards_of(Look *look, Pool *pool, int64_t column) {
    for (Cards *known = pool->cards; known; known = known->next) {
        if (known->column == column) return known;
    }
    Cards *cards = calloc(1, sizeof(Cards));
    uint32_t *before = memory(look, pool->size + 1, sizeof(uint32_t)), sum = 0;
    if (!cards || !before) {
        free(cards);
        free(before);
        look->failed = 1;
        return NULL;
    }
    const Column *field = look->log->columns + column;
    for (int64_t place = 0; place < pool->size; place++) {
        Value card = field_at(field, place_of(look->scene, pool->rows[place]));
        int known = card.state == KNOWN && card.above != JOKER, pips = pips_of(card.above);
        before[place] = sum;
        sum += known ? (uint32_t)pips + ((uint32_t)(pips == 1) << BITS_OF_PIPS)
                     : (uint32_t)1 << (BITS_OF_PIPS + BITS_OF_ACES);
    }
    before[pool->size] = sum;
    cards->column = column;
    cards->before = before;
    cards->next = pool->cards;
    return pool->cards = cards;
}

static Value total_of_cards(Look *look, const int64_t *node, Walk *walk) {
    const Column *column = look->log->columns + node[3];
    int64_t hard = 0;
    int ace = 0;
    for (int64_t i = walk->low; i < walk->high; i++) {
        int64_t row;
        int answer = look_at(look, walk, i, &row);
        if (answer == UNSURE) return unknown;
        if (answer == NO) continue;
        Value card = field_at(column, place_of(look->scene, row));
        if (card.state != KNOWN || card.above == JOKER) return unknown;
        int pips = pips_of(card.above);
        hard += pips;
        ace |= pips == 1;
    }
    return cards_together((int)node[1], hard, ace);
}

/* The sum over some places of a pool, of which the totals are known. */
static inline Value sum_between(const Totals *totals, int64_t low, int64_t high) {
    if (totals->lacking[high] != totals->lacking[low]) return unknown;
    return fraction((wide)totals->sums[high] - totals->sums[low], 1);
}

static APART Value aggregate(Look *look, const int64_t *node, int64_t *events) {
    Walk walk;
    int function = (int)node[1];
    if (!begin(look, &walk, node[2], events)) return unknown;
    if (function == FIRST || function == LAST) {
        return end_value(look, node, &walk, function == FIRST);
    }
    if (walk.window.open) return unknown;
    if (function == COUNT && walk.all) return whole(walk.high - walk.low);
    if (function == SUM && walk.all && walk.high - walk.low > MANY && walk.pool != &walk.few) {
        Totals *totals = totals_of(look, walk.pool, node[3]);
        return totals ? sum_between(totals, walk.low, walk.high) : unknown;
    }
    if (function >= BLACKJACK) return total_of_cards(look, node, &walk);
    int64_t number = 0, seen[DIFFERENT];
    Value result = function == SUM ? whole(0) : nothing;
    for (int64_t i = walk.low; i < walk.high; i++) {
        int64_t row;
        int answer = look_at(look, &walk, i, &row);
        if (answer == UNSURE) return unknown;
        if (answer == NO) continue;
        number++;
        if (function == COUNT) continue;
        Value value = field_at(look->log->columns + node[3], place_of(look->scene, row));
        if (value.state != KNOWN) return unknown;
        if (function == SUM) {
            result = calculate(PLUS, result, value);
            if (result.state != KNOWN) return unknown;
        } else if (function == SMALLEST || function == LARGEST_OF) {
            int better = result.state == NOTHING || order_of(value, result) * (function == SMALLEST ? -1 : 1) > 0;
            if (better) result = value;
        } else {
            if (number > DIFFERENT || value.below != 1) return unknown;
            seen[number - 1] = value.above;
        }
    }
    if (function == COUNT) return whole(number);
    return function == DISTINCT ? distinct(seen, number) : result;
}

enum { CLOCKWISE, COUNTERCLOCKWISE, FULL_CIRCLE = 1000000 };

static int64_t steps_to(int64_t origin, int64_t seat, int direction) {
    int64_t distance = direction == CLOCKWISE ? seat - origin : origin - seat;
    return distance >= 0 ? distance : distance + FULL_CIRCLE;
}

/* Whether the seats of the events, in their order, go round the table one way. */
static APART int in_order(Look *look, const int64_t *node, int64_t *events) {
    Walk walk;
    if (!begin(look, &walk, node[1], events) || walk.window.open) return UNSURE;
    int64_t origin = -1, before = -1;
    if (node[4] >= 0) {
        Value start = evaluate(look, node[4], events);
        if (start.state != KNOWN || start.below != 1) return UNSURE;
        origin = start.above;
    }
    int counted = node[4] >= 0, wrong = 0;
    for (int64_t i = walk.low; i < walk.high; i++) {
        int64_t row;
        int answer = look_at(look, &walk, i, &row);
        if (answer == UNSURE) return UNSURE;
        if (answer == NO) continue;
        Value seat = field_at(look->log->columns + node[2], place_of(look->scene, row));
        if (seat.state != KNOWN || seat.below != 1) return UNSURE;
        if (!counted) origin = seat.above;
        counted = 1;
        int64_t steps = steps_to(origin, seat.above, (int)node[3]);
        wrong |= before >= 0 && steps <= before;
        before = steps;
    }
    return !wrong;
}

/* The next seat round the table among those of the events; the starting seat itself comes last. */
static APART Value next_seat(Look *look, const int64_t *node, int64_t *events) {
    Walk walk;
    Value start = evaluate(look, node[4], events);
    if (!begin(look, &walk, node[1], events) || walk.window.open) return unknown;
    if (start.state != KNOWN || start.below != 1) return unknown;
    int64_t best = -1, nearest_seat = 0;
    for (int64_t i = walk.low; i < walk.high; i++) {
        int64_t row;
        int answer = look_at(look, &walk, i, &row);
        if (answer == UNSURE) return unknown;
        if (answer == NO) continue;
        Value seat = field_at(look->log->columns + node[2], place_of(look->scene, row));
        if (seat.state != KNOWN || seat.below != 1) return unknown;
        int64_t away = steps_to(start.above, seat.above, (int)node[3]);
        if (away == 0) away = 2 * FULL_CIRCLE;
        if (best < 0 || away < best) {
            best = away;
            nearest_seat = seat.above;
        }
    }
    return best < 0 ? nothing : whole(nearest_seat);
}

#endif
