/* Whether an event is one that a pattern means, in the scene at hand. */

#ifndef MATCHING_H
#define MATCHING_H

#include "electorates.h"

/* What is asked of one event alone is not evidence of the phrase that looks for it. */
static int truth_apart(Engine *engine, int64_t at, int32_t *hand) {
    Evidence *evidence = engine->evidence;
    Evidence thrown_away = {0};
    /* Where rows are kept for the next log, all that is looked at counts: nothing is cut short. */
    engine->evidence = engine->kept_rows ? &thrown_away : NULL;
    int answer = truth(engine, at, hand);
    engine->evidence = evidence;
    return answer;
}

static inline Value value_apart(Engine *engine, int64_t at, int32_t *hand) {
    Evidence *evidence = engine->evidence;
    Evidence thrown_away = {0};
    engine->evidence = engine->kept_rows ? &thrown_away : NULL;
    Value value = evaluate(engine, at, hand);
    engine->evidence = evidence;
    return value;
}

enum { MOST_JOINS = 8 };

/* A field of the events that are looked for equals a value known elsewhere. */
typedef struct {
    const Column *column;
    int64_t number;
    Value value;
    int plain; /* whether numbers alone tell */
} Join;

/* The events that are looked for, with what is known of their ties before any of them is looked at. */
typedef struct {
    const EdgeNode *edge;
    Pool *pool;
    int64_t joins, ties; /* no ties: -1 */
    int always; /* whether every event of the pool is surely meant */
    Join join[MOST_JOINS];
} Sought;

/* The conditions that tie an event to those in hand, unless they are settled for all. Who asks what the
   next log needs looks at all of them. */
static inline int64_t ties_of(Engine *engine, const EdgeNode *edge) {
    if (edge->ties >= 0 && !engine->kept_rows && fixed_truth(engine, edge->ties) == YES) return -1;
    return edge->ties;
}

static inline void seek(Engine *engine, int64_t at, int32_t *hand, Sought *sought) {
    const EdgeNode *edge = NODE(Edge, engine, at);
    sought->edge = edge;
    sought->pool = pool_of(engine, edge->pattern);
    sought->joins = edge->size / 2;
    sought->ties = ties_of(engine, edge);
    sought->always = !edge->size && sought->ties < 0 && edge->costly < 0 && !sought->pool->states &&
                     !engine->scene->keys;
    if (sought->joins > MOST_JOINS) fail(engine->kept);
    for (int64_t i = 0; i < sought->joins; i++) {
        Join *join = sought->join + i;
        join->number = edge->items[2 * i];
        join->column = engine->log->columns + join->number;
        int64_t other = edge->items[2 * i + 1];
        if (engine->code[other] == NODE_FIELD) {
            const FieldNode *field = NODE(Field, engine, other);
            join->value = field_at(engine->log, engine->log->columns + field->column, hand[field->var]);
        } else {
            join->value = value_apart(engine, other, hand);
        }
        join->plain = is_known(join->value) && join->value.below == 1 && !join->column->below;
    }
}

/* The same for what is asked of the event by conditions, after its fields. */
static inline int matches_by_conditions(Engine *engine, const EdgeNode *edge, int64_t ties, int state,
                                        int32_t row, int32_t *hand) {
    if (edge->costly >= 0) {
        int32_t alone[MOST_VARS];
        alone[0] = row;
        state = both(state, truth_apart(engine, edge->costly, alone));
    }
    if (ties >= 0 && state != NO) {
        hand[edge->own] = row;
        state = both(state, truth_apart(engine, ties, hand));
    }
    return state;
}

/* Whether the row at a place of the pool is meant, apart from where in the scene it lies. */
static inline int matches(Engine *engine, const Sought *sought, int32_t place, int32_t *hand) {
    const EdgeNode *edge = sought->edge;
    const Pool *pool = sought->pool;
    int32_t row = pool->rows[place];
    int state = YES;
    engine->steps++;
    if (pool->states) {
        state = pool->states[place];
        if (state == MISSING && is_lost(engine, row)) {
            engine->lost_met = 1;
            return MISSING;
        }
    }
    for (int64_t i = 0; i < sought->joins; i++) {
        const Join *join = sought->join + i;
        if (join->plain) {
            if (!is_recorded(join->column, row)) state = both(state, MISSING);
            else if (number_at(join->column, row) != join->value.above) return NO;
        } else {
            Value own = field_at(engine->log, join->column, row);
            state = both(state, compared(SIGN_EQUAL, own, join->value));
            if (state == NO) return NO;
        }
    }
    if (engine->scene->keys) state = both(state, has_keys(engine, engine->scene, row));
    return state == NO ? NO : matches_by_conditions(engine, edge, sought->ties, state, row, hand);
}

/* The places of a pool to be looked at: all in a row, or those of some lists. */
typedef struct {
    int32_t next, end;                       /* all in a row; or: */
    const int32_t *one, *one_end;            /* those with the value */
    const int32_t *other, *other_end;        /* and those that do not say it */
    const int32_t *lost, *lost_end;          /* and lost records */
    int listed;
} Steps;

enum { FEW = 24 };

static const int32_t *first_place(const int32_t *places, const int32_t *end, int32_t place) {
    while (places < end) {
        const int32_t *middle = places + (end - places) / 2;
        if (*middle < place) places = middle + 1;
        else end = middle;
    }
    return places;
}

static void use_index(Engine *engine, Pool *pool, int64_t column, int64_t value, Steps *steps) {
    const Index *index = index_of(engine, pool, column);
    int32_t low = 0, high = index->known;
    while (low < high) {
        int32_t middle = low + (high - low) / 2;
        if (index->values[middle] < value) low = middle + 1;
        else high = middle;
    }
    int32_t first = low;
    high = index->known;
    while (low < high) {
        int32_t middle = low + (high - low) / 2;
        if (index->values[middle] <= value) low = middle + 1;
        else high = middle;
    }
    const int32_t *places = index->places, *without = index->without;
    steps->one = first_place(places + first, places + low, steps->next);
    steps->one_end = first_place(steps->one, places + low, steps->end);
    steps->other = first_place(without, without + index->unknown, steps->next);
    steps->other_end = first_place(steps->other, without + index->unknown, steps->end);
    steps->listed = 1;
}

/* The column in which all event types of a pool say the first key of a slice, or -1. */
static int64_t column_of_all(const Engine *engine, const Scene *scene, const Pool *pool) {
    const PatternNode *pattern = NODE(Pattern, engine, pool->pattern);
    int64_t column = pattern->size ? column_of_key(engine, scene->by, 0, pattern->items[0]) : -1;
    for (int64_t i = 1; i < pattern->size; i++) {
        if (column_of_key(engine, scene->by, 0, pattern->items[i]) != column) return -1;
    }
    return column;
}

static void narrow_steps(Engine *engine, const Sought *sought, int32_t *hand, Steps *steps) {
    for (int64_t i = 0; i < sought->joins; i++) {
        if (!sought->join[i].plain) continue;
        use_index(engine, sought->pool, sought->join[i].number, sought->join[i].value.above, steps);
        return;
    }
    const GroupPlaces *elected = elected_places(engine, sought->edge, sought->pool, hand);
    if (elected) {
        const int32_t *end = elected->places + elected->number;
        steps->one = first_place(elected->places, end, steps->next);
        steps->one_end = first_place(steps->one, end, steps->end);
        steps->other = steps->other_end = NULL;
        steps->listed = 1;
        return;
    }
    const Scene *scene = engine->scene;
    if (scene->keys && is_known(scene->values[0]) && scene->values[0].below == 1) {
        int64_t column = column_of_all(engine, scene, sought->pool);
        if (column >= 0) use_index(engine, sought->pool, column, scene->values[0].above, steps);
    }
}

/* The next place, or -1. */
static inline int32_t step_on(Steps *steps) {
    if (!steps->listed) return steps->next < steps->end ? steps->next++ : -1;
    int32_t one = steps->one < steps->one_end ? *steps->one : INT32_MAX;
    int32_t other = steps->other < steps->other_end ? *steps->other : INT32_MAX;
    int32_t lost = steps->lost < steps->lost_end ? *steps->lost : INT32_MAX;
    if (one < other && one < lost) return *steps->one++;
    if (other < lost) return *steps->other++;
    return lost < INT32_MAX ? *steps->lost++ : -1;
}

/* The same from the end. */
static inline int32_t step_back(Steps *steps) {
    if (!steps->listed) return steps->next < steps->end ? --steps->end : -1;
    int32_t one = steps->one < steps->one_end ? steps->one_end[-1] : -1;
    int32_t other = steps->other < steps->other_end ? steps->other_end[-1] : -1;
    int32_t lost = steps->lost < steps->lost_end ? steps->lost_end[-1] : -1;
    if (one > other && one > lost) return *--steps->one_end;
    if (other > lost) return *--steps->other_end;
    return lost >= 0 ? *--steps->lost_end : -1;
}

/* Whether lost records can be passed over in a piece of the log: they are all in doubt there, and nobody asks
   which of them the next log needs. */
static inline int passes_lost(const Engine *engine, const Piece *piece) {
    return piece->state != OPEN && !engine->kept_rows;
}

/* The places of a pool in a piece of the log, with or without those of lost records. */
static inline Steps steps_in(Engine *engine, const Sought *sought, const Piece *piece, int with_lost, int32_t *hand) {
    Pool *pool = sought->pool;
    const LostPlaces *lost = lost_places(engine, pool);
    Steps steps;
    steps.listed = 0;
    steps.next = pool->finger = place_of_row(pool->rows, pool->size, piece->low, pool->finger);
    steps.end = pool->other_finger = place_of_row(pool->rows, pool->size, piece->high, pool->other_finger);
    steps.lost = steps.lost_end = NULL;
    int32_t size = steps.end - steps.next;
    if (__builtin_expect(lost != NULL, 0)) {
        int32_t first = lost->before[steps.next], last = lost->before[steps.end];
        size -= last - first;
        if (first < last && (!with_lost || size > FEW)) {
            steps.listed = 1;
            steps.one = lost->others + (steps.next - first);
            steps.one_end = lost->others + (steps.end - last);
            steps.other = steps.other_end = NULL;
            if (with_lost) steps.lost = lost->places + first;
            if (with_lost) steps.lost_end = lost->places + last;
        }
    }
    if (size > FEW) narrow_steps(engine, sought, hand, &steps);
    spend(engine, 1);
    return steps;
}

/* The lost records that steps without them pass over: those of a pool between two places. */
typedef struct {
    int32_t number, first, last; /* rows */
    int64_t times;
} LostBetween;

static inline LostBetween lost_between(Engine *engine, Pool *pool, int32_t low, int32_t high) {
    LostBetween between = {0, -1, -1, 0};
    const LostPlaces *lost = lost_places(engine, pool);
    if (__builtin_expect(!lost, 1)) return between;
    int32_t from = lost->before[low], until = lost->before[high];
    if (from == until) return between;
    int64_t before = lost->times[from], times = lost->times[until];
    between.number = until - from;
    between.first = pool->rows[lost->places[from]];
    between.last = pool->rows[lost->places[until - 1]];
    between.times = times == INT64_MAX ? INT64_MAX : times - before;
    return between;
}

/* The nearest events of a pattern, going one way: the first that may be one, the first of which only the
   rest of the log will tell, and the first that surely is one; -1 for none. */
typedef struct {
    int32_t nearest, pending, sure;
} Bound;

/* A lost record may be the one that bounds: it comes before all that is further away. */
static void meet_lost(Engine *engine, Bound *bound, int32_t row) {
    engine->lost_met = 1;
    if (bound->nearest < 0) bound->nearest = row;
}

/* `alone`: whether only the nearest is asked for. */
static Bound bound_by(Engine *engine, int64_t at, int64_t low, int64_t high, int back, int alone, int32_t *hand) {
    Bound bound = {-1, -1, -1};
    const Pieces *region = &engine->scene->region;
    Sought sought;
    seek(engine, at, hand, &sought);
    for (int32_t i = 0; i < region->number; i++) {
        Piece piece = region->pieces[back ? region->number - 1 - i : i];
        if (piece.low < low) piece.low = (int32_t)low;
        if (piece.high > high) piece.high = (int32_t)high;
        if (piece.low >= piece.high) continue;
        int passes = passes_lost(engine, &piece);
        Steps steps = steps_in(engine, &sought, &piece, !passes, hand);
        int32_t lost = -1;
        if (passes) {
            LostBetween between = lost_between(engine, sought.pool, steps.next, steps.end);
            lost = back ? between.last : between.first;
        }
        for (int32_t place; (place = back ? step_back(&steps) : step_on(&steps)) >= 0;) {
            int32_t row = sought.pool->rows[place];
            if (alone && lost >= 0 && (back ? lost > row : lost < row)) break;
            int state = both(piece.state, matches(engine, &sought, place, hand));
            if (state == NO) continue;
            if (lost >= 0 && (back ? lost > row : lost < row)) {
                meet_lost(engine, &bound, lost);
                lost = -1;
            }
            keep_row(engine, row);
            if (bound.nearest < 0) bound.nearest = row;
            if (state == OPEN && bound.pending < 0) bound.pending = row;
            if (state == YES) bound.sure = row;
            if (state == YES || alone) return bound;
        }
        if (lost >= 0) meet_lost(engine, &bound, lost);
        if (alone && bound.nearest >= 0) return bound;
    }
    return bound;
}

#endif
