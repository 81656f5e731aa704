/* What the events say together that a phrase finds from each of many events: their number, their
   total, their seats in order. */

#ifndef FOUND_TOGETHER_H
#define FOUND_TOGETHER_H

#include "settling.h"

/* How many events a phrase finds in a window of which all have been asked. */
static inline void count_in(const Windows *windows, int64_t i, Count *count) {
    count->sure = count->perhaps = 0;
    count->open = windows->open[i];
    for (int64_t place = windows->low[i]; place < windows->high[i]; place++) {
        int answer = was_meant(windows->pool, place);
        count->sure += answer == YES;
        count->perhaps += answer == UNSURE;
    }
}

/* Where all events in the windows are meant, their number needs no look at any of them. */
static void count_all_together(const Windows *windows, int bound, Value number, const Batch *batch,
                               uint8_t *said) {
    int64_t least = bound == COUNT_AT_MOST ? INT64_MIN : least_of(number);
    int64_t most = bound == COUNT_AT_LEAST ? INT64_MAX : most_of(number);
    for (int64_t i = 0; i < batch->number; i++) {
        Count count = {windows->high[i] - windows->low[i], 0, 1};
        said[i] = (count.sure >= least) & (count.sure < most);
        if (windows->open[i]) said[i] = (uint8_t)compare_count(bound, number, &count);
    }
}

/* Where the first or nearest event decides, more than these are not asked all at once. */
enum { FEW_TO_ASK = 8 };

/* All rows of a pool are asked where so many of them are looked at in one batch. */
enum { WORTH_SETTLING = 8 };

/* How many events a phrase finds, counted once for all who ask for another number of them. */
static void compare_counts_noted(Look *look, const int64_t *node, Value number, const Batch *batch,
                                 uint8_t *said) {
    int64_t events[ROOM_FOR_EVENTS];
    int32_t *notes = notes_on(look, batch->notes, node[4]);
    for (int64_t i = 0; i < batch->number && notes && !look->failed; i++) {
        int32_t *note = notes + batch->places[i];
        Count count;
        take(look, batch, i, events);
        if (*note == NOT_ASKED) *note = counted(look, node[3], events);
        int state = read_count(*note, &count);
        said[i] = (uint8_t)(state == IN_DOUBT        ? UNSURE
                            : state == MANY_TO_COUNT ? how_many(look, node, events)
                                                     : compare_count((int)node[1], number, &count));
    }
}

static void how_many_together(Look *look, const int64_t *node, int64_t at, const Batch *batch,
                              uint8_t *said) {
    int64_t events[ROOM_FOR_EVENTS];
    const int64_t *phrase = look->code + node[3];
    Windows windows;
    int bound = (int)node[1];
    const int64_t *wanted = look->code + node[2];
    Value number = wanted[0] == CONSTANT ? constant_at(look, wanted[1]) : unknown;
    Pool *pool = pool_of(look, phrase[PHRASE_POOL], phrase[PHRASE_PATTERN]);
    if (!pool) return;
    int tied = is_tied_by_field(look, phrase, pool);
    if (number.state != KNOWN || (phrase[PHRASE_TIES] >= 0 && !tied) ||
        !has_plain_windows(look, phrase)) {
        truths_apart(look, at, batch, said);
        return;
    }
    if (tied && node[4] >= 0 && batch->notes) {
        compare_counts_noted(look, node, number, batch, said);
        return;
    }
    if (!find_windows(look, phrase, pool, batch, &windows)) return;
    if (pool->costly >= 0 && (pool->settled || windows.rows * WORTH_SETTLING >= pool->size)) {
        pool = settled(look, pool);
        if (!pool || !find_windows(look, phrase, pool, batch, &windows)) return;
    }
    if (windows.all) {
        count_all_together(&windows, bound, number, batch, said);
        return;
    }
    /* Where one event is enough, it is mostly near: not all others need be asked. */
    int64_t most = bound == COUNT_AT_LEAST && node[4] < 0 ? FEW_TO_ASK : MANY;
    ask_in_windows(look, &windows, batch, most);
    for (int64_t i = 0; i < batch->number && !look->failed; i++) {
        int64_t limit = bound == COUNT_AT_LEAST ? least_of(number) : most_of(number);
        Count count;
        if (tied && windows.high[i] - windows.low[i] <= MANY) {
            events[0] = batch->rows[i];
            count.open = windows.open[i];
            count_tied(look, phrase, pool->rows, NULL, windows.low[i], windows.high[i], events,
                       limit, &count);
            said[i] = (uint8_t)compare_count(bound, number, &count);
        } else if (!tied && windows.high[i] - windows.low[i] <= most) {
            count_in(&windows, i, &count);
            said[i] = (uint8_t)compare_count(bound, number, &count);
        } else {
            take(look, batch, i, events);
            said[i] = (uint8_t)how_many(look, node, events);
        }
    }
}

/* The total of the cards in a window of which all have been asked. */
static inline Value cards_in(Look *look, const int64_t *node, const Windows *windows, int64_t i) {
    const Column *column = look->log->columns + node[3];
    const Pool *pool = windows->pool;
    int64_t hard = 0;
    int ace = 0;
    if (windows->open[i]) return unknown;
    look->patience -= windows->high[i] - windows->low[i];
    if (look->patience < 0) look->failed = 1;
    if (look->failed) return unknown;
    for (int64_t place = windows->low[i]; place < windows->high[i]; place++) {
        int answer = windows->all ? YES : was_meant(pool, place);
        if (answer == UNSURE) return unknown;
        if (answer == NO) continue;
        Value card = field_at(column, place_of(look->scene, pool->rows[place]));
        if (card.state != KNOWN || card.above == JOKER) return unknown;
        int pips = pips_of(card.above);
        hard += pips;
        ace |= pips == 1;
    }
    return cards_together((int)node[1], hard, ace);
}

/* The value of the first or last event in such a window. */
static inline Value end_in(Look *look, const int64_t *node, const Windows *windows, int64_t i) {
    const Pool *pool = windows->pool;
    int64_t low = windows->low[i], high = windows->high[i];
    int first = node[1] == FIRST;
    if (windows->open[i] && !first) return unknown;
    for (int64_t step = 0; step < high - low; step++) {
        int64_t place = first ? low + step : high - 1 - step;
        int answer = windows->all ? YES : was_meant(pool, place);
        if (answer == UNSURE) return unknown;
        if (answer == NO) continue;
        return field_at(look->log->columns + node[3], place_of(look->scene, pool->rows[place]));
    }
    return windows->open[i] ? unknown : nothing;
}

/* Where all cards in the windows are meant: what they make is the difference of two totals. */
static void all_cards_together(Look *look, const int64_t *node, const Windows *windows,
                               const Batch *batch, Value *said) {
    const Cards *cards = cards_of(look, windows->pool, node[3]);
    if (!cards) return;
    for (int64_t i = 0; i < batch->number; i++) {
        int64_t low = windows->low[i], high = windows->high[i];
        uint32_t sum = cards->before[high] - cards->before[low];
        int64_t hard = sum & ((1 << BITS_OF_PIPS) - 1);
        int ace = (sum >> BITS_OF_PIPS & ((1 << BITS_OF_ACES) - 1)) != 0;
        int lacking = sum >> (BITS_OF_PIPS + BITS_OF_ACES) != 0;
        said[i] = cards_together((int)node[1], hard, ace);
        if (high - low > MOST_CARDS) said[i] = cards_in(look, node, windows, i);
        else if (lacking || windows->open[i]) said[i] = unknown;
    }
}

/* The same for sums. */
static void all_sums_together(Look *look, const int64_t *node, const Windows *windows,
                              const Batch *batch, Value *said) {
    const Totals *totals = totals_of(look, windows->pool, node[3]);
    for (int64_t i = 0; i < batch->number && totals; i++) {
        said[i] = windows->open[i] ? unknown : sum_between(totals, windows->low[i], windows->high[i]);
    }
}

/* Totals of a whole pool are worked out where so many of its rows are looked at in one batch. */
enum { WORTH_IT = 16 };

static void aggregates_together(Look *look, const int64_t *node, int64_t at, const Batch *batch,
                                Value *said) {
    int64_t events[ROOM_FOR_EVENTS];
    Windows windows;
    const int64_t *phrase = look->code + node[2];
    int end = node[1] == FIRST || node[1] == LAST, sum = node[1] == SUM;
    int known = phrase[PHRASE_TIES] < 0 && (end || sum || node[1] >= BLACKJACK) &&
                has_plain_windows(look, phrase);
    Pool *pool = pool_of(look, phrase[PHRASE_POOL], phrase[PHRASE_PATTERN]);
    if (known && !find_windows(look, phrase, pool, batch, &windows)) return;
    int totals = known && !end && windows.all && windows.rows * WORTH_IT >= windows.pool->size;
    if (totals) {
        if (sum) all_sums_together(look, node, &windows, batch, said);
        else all_cards_together(look, node, &windows, batch, said);
        return;
    }
    if (!known || sum) {
        values_apart(look, at, batch, said);
        return;
    }
    int64_t most = end ? FEW_TO_ASK : MANY;
    ask_in_windows(look, &windows, batch, most);
    for (int64_t i = 0; i < batch->number && !look->failed; i++) {
        if (!windows.all && windows.high[i] - windows.low[i] > most) {
            take(look, batch, i, events);
            said[i] = aggregate(look, node, events);
        } else {
            said[i] = end ? end_in(look, node, &windows, i) : cards_in(look, node, &windows, i);
        }
    }
}

/* Asks a condition of events that are found from others, and lets these be decided by it. */
static void decide_by(Look *look, int64_t condition, Batch *found, const uint8_t *of, uint8_t *said) {
    uint8_t holds[BATCH];
    truths(look, condition, found, holds);
    look->patience -= found->number;
    if (look->patience < 0) look->failed = 1;
    for (int64_t i = 0; i < found->number && !look->failed; i++) {
        uint8_t *mine = said + of[i];
        if (holds[i] == NO || *mine == YES) *mine = *mine == NO ? NO : holds[i];
    }
    found->number = 0;
}

/* Whether each of the events that a phrase finds is as required, where that is asked of it alone. */
static void every_together(Look *look, const int64_t *node, int64_t at, const Batch *batch,
                           uint8_t *said) {
    const int64_t *phrase = look->code + node[1];
    Windows windows;
    Batch found;
    uint8_t of[BATCH];
    int known = node[3] && phrase[PHRASE_TIES] < 0 && has_plain_windows(look, phrase);
    Pool *pool = pool_of(look, phrase[PHRASE_POOL], phrase[PHRASE_PATTERN]);
    if (known && !find_windows(look, phrase, pool, batch, &windows)) return;
    if (!known || !windows.all) {
        truths_apart(look, at, batch, said);
        return;
    }
    begin_batch(&found, notes_of(look, windows.pool));
    for (int64_t i = 0; i < batch->number; i++) said[i] = windows.open[i] ? UNSURE : YES;
    for (int64_t i = 0; i < batch->number && !look->failed; i++) {
        for (int64_t place = windows.low[i]; place < windows.high[i]; place++) {
            of[found.number] = (uint8_t)i;
            put_in(&found, windows.pool->rows[place], batch->segments[i], (int32_t)place);
            if (found.number == BATCH) decide_by(look, node[2], &found, of, said);
            if (look->failed || said[i] == NO) break;
        }
    }
    if (found.number && !look->failed) decide_by(look, node[2], &found, of, said);
}

/* Seats farther from 0 than this are left to others. */
enum { FARTHEST = 4095, BITS_OF_SEAT = 13 };

/* Which way the seats of the events in a window go: the first and the last one, and how often one is
   followed by one that does not lie further on. From where one starts to count does not matter yet. */
typedef struct {
    int64_t first, last;
    int turns, some, unclear;
} Round;

static inline void go_round(Look *look, const int64_t *node, const Windows *windows, int64_t i,
                            Round *round) {
    const Column *column = look->log->columns + node[2];
    memset(round, 0, sizeof *round);
    round->unclear = windows->open[i];
    if (round->unclear) return;
    for (int64_t place = windows->low[i]; place < windows->high[i]; place++) {
        Value seat = field_at(column, place_of(look->scene, windows->pool->rows[place]));
        round->unclear = seat.state != KNOWN || seat.below != 1 || seat.above > FARTHEST ||
                         seat.above < -FARTHEST;
        if (round->unclear) break;
        int64_t number = node[3] == CLOCKWISE ? seat.above : -seat.above;
        round->turns += round->some && number <= round->last;
        if (!round->some) round->first = number;
        round->last = number;
        round->some = 1;
    }
}

/* Whether they go round once from a seat: those from it on, then those before it. */
static inline int is_round_from(const Round *round, int64_t start) {
    if (round->unclear) return UNSURE;
    if (!round->some) return YES;
    if (round->turns) return round->turns == 1 && round->first >= start && round->last < start;
    return round->first >= start || round->last < start;
}

/* The same as one number, to be noted for all rules that start from other seats. */
static inline int32_t packed_round(const Round *round) {
    if (round->unclear) return packed(0, UNKNOWN + 1);
    int64_t ends = (round->first + FARTHEST) << BITS_OF_SEAT | (round->last + FARTHEST);
    int turns = round->turns > 2 ? 2 : round->turns;
    return packed(ends << 3 | turns << 1 | round->some, KNOWN + 1);
}

static inline void unpack_round(int32_t answer, Round *round) {
    int64_t kept = above_of(answer);
    round->unclear = state_of(answer) != KNOWN + 1;
    round->some = kept & 1;
    round->turns = kept >> 1 & 3;
    round->last = (kept >> 3 & ((1 << BITS_OF_SEAT) - 1)) - FARTHEST;
    round->first = (kept >> (3 + BITS_OF_SEAT)) - FARTHEST;
}

/* Whether the seats of the events that a phrase finds go round the table one way. */
static void in_order_together(Look *look, const int64_t *node, int64_t at, const Batch *batch,
                              uint8_t *said) {
    const int64_t *phrase = look->code + node[1];
    Value start = unknown;
    if (node[4] >= 0 && look->code[node[4]] == CONSTANT) {
        start = constant_at(look, look->code[node[4] + 1]);
    }
    Pool *pool = pool_of(look, phrase[PHRASE_POOL], phrase[PHRASE_PATTERN]);
    if (!pool) return;
    int near = -FULL_CIRCLE / 2 < start.above && start.above < FULL_CIRCLE / 2;
    if (start.state != KNOWN || start.below != 1 || !near ||
        !means_all(phrase, pool) || !has_plain_windows(look, phrase)) {
        truths_apart(look, at, batch, said);
        return;
    }
    int32_t *notes = node[5] >= 0 && batch->notes ? notes_on(look, batch->notes, node[5]) : NULL;
    int32_t answers[BATCH];
    int64_t from = node[3] == CLOCKWISE ? start.above : -start.above;
    if (look->failed) return;
    if (!notes || !read_notes(notes, batch, answers)) {
        Windows windows;
        if (!find_windows(look, phrase, pool, batch, &windows)) return;
        look->patience -= windows.rows;
        if (look->patience < 0) look->failed = 1;
        for (int64_t i = 0; i < batch->number && !look->failed; i++) {
            Round round;
            go_round(look, node, &windows, i, &round);
            answers[i] = packed_round(&round);
            if (notes) notes[batch->places[i]] = answers[i];
        }
    }
    for (int64_t i = 0; i < batch->number && !look->failed; i++) {
        Round round;
        unpack_round(answers[i], &round);
        said[i] = (uint8_t)is_round_from(&round, from);
    }
}

#endif
