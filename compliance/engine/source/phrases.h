/* The events that a phrase finds: those that surely match, those that may, and those of which only the
   rest of the log will tell. */

#ifndef PHRASES_H
#define PHRASES_H

#include "windows.h"

typedef struct {
    int32_t *rows;
    uint8_t *states;
    int32_t number;
    int32_t sure, unsure, pending;
    int64_t weight; /* of the unsure ones: a lost record may stand for several */
    int32_t apart;  /* lost records among the unsure ones that are not listed */
    View view;
} Found;

static inline int is_open(const Found *found) {
    return found->view.open || found->pending;
}

static void put_found(Engine *engine, Found *found, int32_t *room, int32_t row, int state) {
    if (found->number == *room) {
        int32_t larger = 2 * *room + 16;
        int32_t *rows = take(engine->scratch, larger, sizeof(int32_t));
        uint8_t *states = take(engine->scratch, larger, 1);
        if (found->number) {
            memcpy(rows, found->rows, (size_t)found->number * sizeof(int32_t));
            memcpy(states, found->states, (size_t)found->number);
        }
        found->rows = rows;
        found->states = states;
        *room = larger;
    }
    found->rows[found->number] = row;
    found->states[found->number++] = (uint8_t)state;
    keep_row(engine, row);
}

static void start_count(Found *found) {
    found->sure = found->unsure = found->pending = found->apart = 0;
    found->weight = 0;
}

static inline void count_unsure(Found *found, int32_t number, int64_t times) {
    found->unsure += number;
    if (__builtin_add_overflow(found->weight, times, &found->weight)) found->weight = INT64_MAX;
}

/* Counts the lost records of a pool between two places without a look at each. */
static void count_lost(Engine *engine, Found *found, Pool *pool, int32_t low, int32_t high) {
    LostBetween between = lost_between(engine, pool, low, high);
    if (!between.number) return;
    engine->lost_met = 1;
    found->apart += between.number;
    count_unsure(found, between.number, between.times);
}

static void count_found(Engine *engine, Found *found) {
    for (int32_t i = 0; i < found->number; i++) {
        found->sure += found->states[i] == YES;
        found->pending += found->states[i] == OPEN;
        if (found->states[i] != MISSING) continue;
        count_unsure(found, 1, is_lost(engine, found->rows[i]) ? times_lost(engine->log, found->rows[i]) : 1);
    }
    if (found->pending) note_unsettled(engine);
}

/* Whether two events agree in the fields of a `per`, as far as the log records them. */
static int may_agree(Engine *engine, const EventsNode *node, int32_t row, int32_t other) {
    for (int64_t i = 0; i < node->size; i++) {
        const Column *column = engine->log->columns + node->items[i];
        Value mine = field_at(engine->log, column, row), its = field_at(engine->log, column, other);
        if (is_known(mine) && is_known(its) && order_of(mine, its) != 0) return 0;
    }
    return 1;
}

static int says_key(Engine *engine, const EventsNode *node, int32_t row) {
    if (is_lost(engine, row)) return 0;
    for (int64_t i = 0; i < node->size; i++) {
        if (!is_recorded(engine->log->columns + node->items[i], row)) return 0;
    }
    return 1;
}

/* A table of keys that were met; open addressing, at most half full. */
typedef struct {
    int32_t *rows; /* one that has the key, or -1 */
    int64_t room;
} KeyTable;

static int64_t *key_slot(Engine *engine, const EventsNode *node, KeyTable *table, int32_t row,
                         int64_t *slot) {
    uint64_t hash = 1469598103934665603u;
    for (int64_t i = 0; i < node->size; i++) {
        Value value = field_at(engine->log, engine->log->columns + node->items[i], row);
        hash = (hash ^ (uint64_t)value.above) * 1099511628211u;
        hash ^= hash >> 29;
    }
    int64_t at = (int64_t)(hash % (uint64_t)table->room);
    while (table->rows[at] >= 0 && !may_agree(engine, node, row, table->rows[at])) {
        at = (at + 1) % table->room;
    }
    *slot = at;
    return slot;
}

/* Of each key only the latest (or earliest) event. One that may be it, and one that does not say its
   key, leave those behind it in doubt. */
static void keep_one_per_key(Engine *engine, const EventsNode *node, Found *found) {
    int latest = node->per == PER_LATEST;
    int32_t *doubts = take(engine->scratch, found->number, sizeof(int32_t));
    uint8_t *doubt_states = take(engine->scratch, found->number, 1);
    uint8_t *kept = take_zeros(engine->scratch, found->number, 1);
    KeyTable settled = {.room = 2 * (int64_t)found->number + 1};
    settled.rows = take(engine->scratch, settled.room, sizeof(int32_t));
    for (int64_t i = 0; i < settled.room; i++) settled.rows[i] = -1;
    int32_t number_of_doubts = 0;
    /* A lost record may have any key: it leaves all behind it in doubt. */
    int of_all = YES;
    for (int32_t step = 0; step < found->number; step++) {
        int32_t i = latest ? found->number - 1 - step : step, row = found->rows[i];
        int state = found->states[i], says = says_key(engine, node, row);
        int64_t slot = 0;
        if (says) {
            key_slot(engine, node, &settled, row, &slot);
            if (settled.rows[slot] >= 0) continue;
        }
        if (state == YES && says) settled.rows[slot] = row;
        else state = state == OPEN ? OPEN : MISSING;
        int lost = is_lost(engine, row), result = both(state, of_all);
        for (int32_t j = 0; j < number_of_doubts && result != OPEN; j++) {
            if (lost || may_agree(engine, node, row, doubts[j])) result = both(result, doubt_states[j]);
        }
        if (lost) {
            of_all = both(of_all, state);
        } else if (state == MISSING || state == OPEN) {
            doubts[number_of_doubts] = row;
            doubt_states[number_of_doubts++] = (uint8_t)state;
        }
        /* While more may come, none is surely the latest. */
        if (found->view.open && latest) result = both(result, OPEN);
        kept[i] = (uint8_t)result;
    }
    int32_t number = 0;
    for (int32_t i = 0; i < found->number; i++) {
        if (kept[i] == NO) continue;
        found->rows[number] = found->rows[i];
        found->states[number++] = kept[i];
    }
    found->number = number;
}

/* All events of a phrase. Where nobody asks for witnesses, lost records may be counted without being
   listed. */
static APART void find(Engine *engine, int64_t at, int32_t *hand, int with_lost, Found *found) {
    const EventsNode *node = NODE(Events, engine, at);
    Sought sought;
    int32_t room = 0;
    found->rows = NULL;
    found->states = NULL;
    found->number = 0;
    start_count(found);
    look(engine, node, hand, &found->view);
    seek(engine, node->edge, hand, &sought);
    Pool *pool = sought.pool;
    with_lost |= engine->evidence != NULL || found->view.timed || node->per != PER_EACH;
    for (int32_t i = 0; i < found->view.pieces.number; i++) {
        Piece piece = found->view.pieces.pieces[i];
        int passes = !with_lost && passes_lost(engine, &piece);
        Steps steps = steps_in(engine, &sought, &piece, !passes, hand);
        if (passes) count_lost(engine, found, pool, steps.next, steps.end);
        for (int32_t place; (place = step_on(&steps)) >= 0;) {
            int state = both(piece.state, matches(engine, &sought, place, hand));
            int32_t row = pool->rows[place];
            if (found->view.timed && state != NO) {
                state = both(state, is_in_time(engine, &found->view, row));
            }
            if (state != NO) put_found(engine, found, &room, row, state);
        }
    }
    if (node->per != PER_EACH) keep_one_per_key(engine, node, found);
    count_found(engine, found);
}

/* How many events of a phrase surely match, up to a limit, and how many may; without a list of them. */
static APART void count(Engine *engine, int64_t at, int32_t *hand, Wide limit, Found *found) {
    const EventsNode *node = NODE(Events, engine, at);
    if (node->per != PER_EACH) {
        find(engine, at, hand, 1, found);
        return;
    }
    Sought sought;
    start_count(found);
    look(engine, node, hand, &found->view);
    seek(engine, node->edge, hand, &sought);
    Pool *pool = sought.pool;
    int plain = sought.always && !found->view.timed;
    for (int32_t i = 0; i < found->view.pieces.number; i++) {
        /* What is looked for in the past is mostly near. */
        int back = node->reach == REACH_PAST;
        Piece piece = found->view.pieces.pieces[back ? found->view.pieces.number - 1 - i : i];
        if (plain) {
            int32_t from = place_of_row(pool->rows, pool->size, piece.low, pool->finger);
            int32_t until = place_of_row(pool->rows, pool->size, piece.high, pool->other_finger);
            pool->finger = from;
            pool->other_finger = until;
            if (piece.state == YES) found->sure += until - from;
            else if (piece.state == OPEN) found->pending += until - from;
            else found->unsure += until - from, found->weight += until - from;
            if (found->sure >= limit) return;
            continue;
        }
        int passes = !found->view.timed && passes_lost(engine, &piece);
        Steps steps = steps_in(engine, &sought, &piece, !passes, hand);
        int32_t low = steps.next, high = steps.end;
        for (int32_t place; (place = back ? step_back(&steps) : step_on(&steps)) >= 0;) {
            int state = both(piece.state, matches(engine, &sought, place, hand));
            if (state == NO) continue;
            int32_t row = pool->rows[place];
            if (found->view.timed) state = both(state, is_in_time(engine, &found->view, row));
            if (state == YES) {
                if (++found->sure >= limit) return;
            } else if (state == OPEN) {
                found->pending++;
            } else if (state == MISSING) {
                count_unsure(found, 1, is_lost(engine, row) ? times_lost(engine->log, row) : 1);
            }
        }
        if (passes) count_lost(engine, found, pool, low, high);
    }
}

/* The first or last event of a phrase that matches or may match: its row and state, or -1. Also whether
   any event surely matches, which ends the search. */
typedef struct {
    int32_t row;
    int state, sure;
    View view;
} EndFound;

static APART void find_end(Engine *engine, int64_t at, int32_t *hand, int first, EndFound *end) {
    const EventsNode *node = NODE(Events, engine, at);
    end->row = -1;
    end->state = NO;
    end->sure = 0;
    if (node->per != PER_EACH) {
        Found found;
        find(engine, at, hand, 1, &found);
        end->view = found.view;
        if (found.view.pieces.pieces == &found.view.single) end->view.pieces.pieces = &end->view.single;
        end->sure = found.sure > 0;
        if (found.number) {
            int32_t which = first ? 0 : found.number - 1;
            end->row = found.rows[which];
            end->state = found.states[which];
        }
        return;
    }
    Sought sought;
    look(engine, node, hand, &end->view);
    seek(engine, node->edge, hand, &sought);
    const Pool *pool = sought.pool;
    for (int32_t i = 0; i < end->view.pieces.number; i++) {
        Piece piece = end->view.pieces.pieces[first ? i : end->view.pieces.number - 1 - i];
        Steps steps = steps_in(engine, &sought, &piece, 1, hand);
        for (int32_t place; (place = first ? step_on(&steps) : step_back(&steps)) >= 0;) {
            int state = both(piece.state, matches(engine, &sought, place, hand));
            int32_t row = pool->rows[place];
            if (end->view.timed && state != NO) state = both(state, is_in_time(engine, &end->view, row));
            if (state == NO) continue;
            keep_row(engine, row);
            if (end->row < 0) {
                end->row = row;
                end->state = state;
            }
            if (state == YES) end->sure = 1;
            /* Only where more may come does it matter whether there is a sure one. */
            if (end->sure || !end->view.open) return;
        }
    }
}

#endif
