/* The runs of an interval: which rows lie in the one around an event, before it, or after it. The same
   steps as compliance/reference/runs.py, taken from mark to mark instead of from event to event. */

#ifndef RUNS_H
#define RUNS_H

#include "matching.h"

/* How surely a row begins or ends a run. */
static int state_at(Engine *engine, int64_t at, int32_t row) {
    Sought sought;
    int32_t hand[MOST_VARS];
    seek(engine, at, hand, &sought);
    Pool *pool = sought.pool;
    int32_t place = pool->finger = place_of_row(pool->rows, pool->size, row, pool->finger);
    if (place == pool->size || pool->rows[place] != row) return NO;
    int state = state_in(&engine->scene->region, row);
    return state == NO ? NO : both(state, matches(engine, &sought, place, hand));
}

/* The next row at or after one in the pools of the beginnings and the ends. */
static int32_t next_mark(const Pool *opens, int32_t *one, const Pool *closes, int32_t *other) {
    int32_t first = *one < opens->size ? opens->rows[*one] : INT32_MAX;
    int32_t second = *other < closes->size ? closes->rows[*other] : INT32_MAX;
    if (first <= second && *one < opens->size) ++*one;
    if (second <= first && *other < closes->size) ++*other;
    return first < second ? first : second;
}

/* The rows of one table in a scene of several. */
static void find_own(Engine *engine, Runs *runs) {
    const Log *log = engine->log;
    int32_t *own = take(engine->scene->memory, log->size, sizeof(int32_t));
    for (int64_t row = 0; row < log->size; row++) {
        if (log->tables[row] != runs->table) continue;
        if (belongs(engine, engine->scene, row) == NO) continue;
        own[runs->number_of_own++] = (int32_t)row;
    }
    runs->own = own;
}

static void find_runs(Engine *engine, int64_t interval, Runs *runs) {
    const IntervalNode *node = NODE(Interval, engine, engine->task->intervals[interval]);
    const Pool *opens = pool_of(engine, NODE(Edge, engine, node->opens)->pattern);
    const Pool *closes = pool_of(engine, NODE(Edge, engine, node->closes)->pattern);
    const Pieces *region = &engine->scene->region;
    int64_t low = region->number ? region->pieces[0].low : 0;
    int64_t high = region->number ? region->pieces[region->number - 1].high : 0;
    int32_t one = place_of_row(opens->rows, opens->size, low, 0);
    int32_t other = place_of_row(closes->rows, closes->size, low, 0);
    int32_t one_end = place_of_row(opens->rows, opens->size, high, one);
    int32_t other_end = place_of_row(closes->rows, closes->size, high, other);
    runs->marks = take(engine->scene->memory, (int64_t)(one_end - one) + (other_end - other), sizeof(Mark));
    int inside = NO;
    runs->number = runs->number_of_own = 0;
    for (int32_t row; (row = next_mark(opens, &one, closes, &other)) < high;) {
        if (engine->log->tables && engine->log->tables[row] != runs->table) continue;
        Mark mark = {.row = row, .before = (uint8_t)inside};
        mark.opens = (uint8_t)state_at(engine, node->opens, row);
        mark.closes = (uint8_t)state_at(engine, node->closes, row);
        if (mark.opens == NO && mark.closes == NO) continue;
        inside = either(mark.opens, both(inside, opposite(mark.closes)));
        mark.after = (uint8_t)inside;
        runs->marks[runs->number++] = mark;
    }
    if (engine->log->tables) find_own(engine, runs);
    runs->made = 1;
}

/* Whether events that begin or end a run say nothing of the keys of a slice: then all slices have the
   same runs. */
static int is_free_of_keys(const Engine *engine, const Scene *scene, int64_t at) {
    const EdgeNode *edge = NODE(Edge, engine, at);
    const PatternNode *pattern = NODE(Pattern, engine, edge->pattern);
    if (edge->costly >= 0) return 0;
    for (int64_t key = 0; key < scene->keys; key++) {
        for (int64_t i = 0; i < pattern->size; i++) {
            if (bears_key(engine, scene->by, key, pattern->items[i])) return 0;
        }
    }
    return 1;
}

/* The scene whose runs of an interval are those of the scene at hand. */
static Scene *scene_of_runs(Engine *engine, int64_t interval) {
    Scene *scene = engine->scene;
    if (!scene->keys || scene->by->interval >= 0 || engine->log->tables) return scene;
    const IntervalNode *node = NODE(Interval, engine, engine->task->intervals[interval]);
    int same = is_free_of_keys(engine, scene, node->opens) && is_free_of_keys(engine, scene, node->closes);
    return same ? &engine->whole : scene;
}

static Runs *runs_of(Engine *engine, int64_t interval, int64_t row);

/* The runs of an interval in another scene. */
static Runs *runs_in(Engine *engine, Scene *other, int64_t interval, int64_t row) {
    Scene *scene = engine->scene;
    engine->scene = other;
    Runs *runs = runs_of(engine, interval, row);
    engine->scene = scene;
    return runs;
}

/* The runs of an interval in the scene at hand, at the table of a row. */
static Runs *runs_of(Engine *engine, int64_t interval, int64_t row) {
    int64_t table = engine->log->tables ? engine->log->tables[row] : 0;
    if (engine->scene->keys) {
        Scene *other = scene_of_runs(engine, interval);
        if (other != engine->scene) return runs_in(engine, other, interval, row);
    }
    if (!engine->scene->runs) {
        engine->scene->runs =
            take_zeros(engine->scene->memory, engine->task->number_of_intervals, sizeof(Runs));
    }
    Runs *runs = engine->scene->runs + interval;
    while (runs->made && runs->table != table) {
        if (!runs->next) runs->next = take_zeros(engine->scene->memory, 1, sizeof(Runs));
        runs = runs->next;
    }
    if (!runs->made) {
        Evidence *evidence = engine->evidence;
        engine->evidence = NULL;
        runs->table = table;
        find_runs(engine, interval, runs);
        engine->evidence = evidence;
    }
    return runs;
}

/* The first mark that is not before a row. */
static int32_t mark_near(Runs *runs, int64_t row) {
    int32_t at = runs->finger;
    if (at > runs->number) at = runs->number;
    /* Mostly it is the same one or the next. */
    for (int step = 0; step < 4 && at < runs->number && runs->marks[at].row < row; step++) at++;
    if ((at == runs->number || runs->marks[at].row >= row) && (!at || runs->marks[at - 1].row < row)) {
        return runs->finger = at;
    }
    int32_t low = 0, high = runs->number;
    while (low < high) {
        int32_t middle = low + (high - low) / 2;
        if (runs->marks[middle].row < row) low = middle + 1;
        else high = middle;
    }
    return runs->finger = low;
}

/* What an event is to the runs; one that is no mark neither begins nor ends any. */
static Mark mark_at(const Runs *runs, int32_t at, int64_t row) {
    if (at < runs->number && runs->marks[at].row == row) return runs->marks[at];
    int inside = at ? runs->marks[at - 1].after : NO;
    Mark mark = {(int32_t)row, NO, NO, (uint8_t)inside, (uint8_t)inside};
    return mark;
}

/* The next log needs the marks that tell which run is meant: some of them, and those before them as far
   as one that surely begins or ends a run. */
static void keep_marks(Engine *engine, const Runs *runs, int32_t first, int32_t last) {
    if (!engine->kept_rows) return;
    for (int32_t i = first; i <= last && i < runs->number; i++) {
        if (i >= 0) keep_row(engine, runs->marks[i].row);
    }
    for (int32_t i = first - 1; i >= 0; i--) {
        keep_row(engine, runs->marks[i].row);
        if (runs->marks[i].opens == YES || runs->marks[i].closes == YES) return;
    }
}

static int ends_run(Engine *engine, int64_t interval, int64_t row) {
    Runs *runs = runs_of(engine, interval, row);
    int32_t at = mark_near(runs, row);
    Mark mark = mark_at(runs, at, row);
    keep_marks(engine, runs, at, at);
    return both(mark.before, mark.closes);
}

typedef struct {
    Pieces pieces;
    int growing; /* whether more events may come into the run */
} Region;

static void turn_round(PieceList *list) {
    for (int32_t i = 0, j = list->number - 1; i < j; i++, j--) {
        Piece piece = list->list[i];
        list->list[i] = list->list[j];
        list->list[j] = piece;
    }
}

static int run_around(Engine *engine, const Runs *runs, int32_t at, Mark here, int64_t end,
                      PieceList *found) {
    int belonging = either(here.before, here.opens);
    int same = either(here.closes, opposite(here.opens));
    int64_t until = here.row;
    for (int32_t i = at - 1; i >= 0 && same != NO; i--) {
        Mark mark = runs->marks[i];
        keep_marks(engine, runs, i, at);
        put_piece(engine, found, mark.row, until, both(same, mark.after));
        same = both(same, both(opposite(mark.opens), opposite(mark.closes)));
        until = mark.row;
    }
    turn_round(found);
    put_piece(engine, found, here.row, (int64_t)here.row + 1, belonging);
    int goes_on = either(both(opposite(here.closes), belonging), both(here.opens, opposite(here.before)));
    int64_t from = (int64_t)here.row + 1;
    int32_t i = at + (at < runs->number && runs->marks[at].row == here.row);
    for (; i < runs->number && goes_on != NO; i++) {
        Mark mark = runs->marks[i];
        keep_row(engine, mark.row);
        put_piece(engine, found, from, mark.row, goes_on);
        put_piece(engine, found, mark.row, (int64_t)mark.row + 1,
                  both(goes_on, either(mark.closes, opposite(mark.opens))));
        goes_on = both(goes_on, both(opposite(mark.opens), opposite(mark.closes)));
        from = (int64_t)mark.row + 1;
    }
    put_piece(engine, found, from, end, goes_on);
    return goes_on;
}

static int next_run(Engine *engine, const Runs *runs, int32_t at, Mark here, int64_t end,
                    PieceList *found) {
    int inside = both(here.before, both(here.closes, here.opens));
    int waiting = opposite(inside);
    int64_t from = (int64_t)here.row + 1;
    put_piece(engine, found, here.row, from, inside);
    int32_t i = at + (at < runs->number && runs->marks[at].row == here.row);
    keep_marks(engine, runs, at, at);
    for (; i < runs->number && (inside != NO || waiting != NO); i++) {
        Mark mark = runs->marks[i];
        keep_row(engine, mark.row);
        put_piece(engine, found, from, mark.row, inside);
        int begins = both(waiting, mark.opens);
        put_piece(engine, found, mark.row, (int64_t)mark.row + 1,
                  either(begins, both(inside, either(mark.closes, opposite(mark.opens)))));
        inside = either(begins, both(inside, both(opposite(mark.opens), opposite(mark.closes))));
        waiting = both(waiting, opposite(mark.opens));
        from = (int64_t)mark.row + 1;
    }
    put_piece(engine, found, from, end, inside);
    return either(inside, waiting);
}

/* Puts a single row that may have been put already: then the surer of both counts. */
static void put_piece_over(Engine *engine, PieceList *list, int32_t row, int state) {
    Piece *last = list->number ? list->list + list->number - 1 : NULL;
    if (!last || last->low != row) {
        put_piece(engine, list, row, (int64_t)row + 1, state);
        return;
    }
    int before = last->state;
    if (++last->low == last->high) list->number--;
    put_piece(engine, list, row, (int64_t)row + 1, either(before, state));
}

static int previous_run(Engine *engine, const Runs *runs, int32_t at, Mark here, PieceList *found) {
    int left = either(opposite(here.before), both(here.opens, opposite(here.closes)));
    int last = left;
    int64_t until = here.row;
    keep_marks(engine, runs, at, at);
    for (int32_t i = at - 1; i >= 0 && !(left == YES && last == NO); i--) {
        Mark mark = runs->marks[i];
        keep_marks(engine, runs, i, i);
        put_piece(engine, found, (int64_t)mark.row + 1, until, both(last, mark.after));
        int begins_this = both(opposite(left), mark.opens);
        put_piece(engine, found, mark.row, (int64_t)mark.row + 1,
                  either(both(last, either(mark.before, mark.opens)),
                         both(begins_this, both(mark.before, mark.closes))));
        last = either(begins_this, both(last, opposite(mark.opens)));
        if (is_lost(engine, mark.row) && times_lost(engine->log, mark.row) > 1) {
            /* One of several may begin this run, and those before it lie in the last. */
            put_piece_over(engine, found, mark.row, both(last, either(mark.before, mark.opens)));
        }
        left = either(left, mark.opens);
        until = mark.row;
    }
    turn_round(found);
    return NO;
}

/* What lies between one of the table's own events and the next. Where one of them is lost, nobody knows
   that it was on that side. */
static void put_between(Engine *engine, PieceList *list, const Runs *runs, int32_t at, int state) {
    int32_t low = runs->own[at], high = runs->own[at + 1];
    if (is_lost(engine, low) || is_lost(engine, high)) state = both(state, MISSING);
    put_piece(engine, list, (int64_t)low + 1, high, state);
}

/* Where several tables are seen together: what happens at others lies in a run if the table's own events
   on both sides do. */
static Pieces with_other_tables(Engine *engine, const Runs *runs, const PieceList *own) {
    PieceList list = {0};
    int32_t last = -2, last_state = NO;
    for (int32_t i = 0; i < own->number; i++) {
        Piece piece = own->list[i];
        int32_t first = place_of_row(runs->own, runs->number_of_own, piece.low, 0);
        int32_t end = place_of_row(runs->own, runs->number_of_own, piece.high, first);
        if (first == end) continue;
        if (last >= 0 && first == last + 1) {
            put_between(engine, &list, runs, last, both(last_state, piece.state));
        }
        int32_t until = end - 1;
        while (piece.state == YES && until > first && is_lost(engine, runs->own[until])) until--;
        for (int32_t at = first; at < end; at++) {
            int64_t row = runs->own[at];
            /* From a record of the run to the last one, in one go; and all of what is in doubt anyway. */
            if (at < until && (piece.state != YES || !is_lost(engine, row))) at = until;
            put_piece(engine, &list, row, (int64_t)runs->own[at] + 1, piece.state);
            if (at + 1 < end) put_between(engine, &list, runs, at, piece.state);
        }
        last = end - 1;
        last_state = piece.state;
    }
    Pieces pieces = {list.list, list.number};
    return pieces;
}

/* This, the previous or the next run of an interval, seen from a row. A single piece stands in `room`. */
static Region run_from(Engine *engine, int64_t interval, int which, int64_t row, Piece *room) {
    Runs *runs = runs_of(engine, interval, row);
    if (which == WHICH_THIS && runs->low < row && row < runs->high - 1 && !engine->kept_rows) {
        /* Between the borders of a sure run there is none of another. */
        Region known = {{room, 1}, runs->growing};
        *room = (Piece){runs->low, runs->high, YES};
        return known;
    }
    const Pieces *region = &engine->scene->region;
    int64_t end = region->number ? region->pieces[region->number - 1].high : 0;
    int32_t at = mark_near(runs, row);
    Mark here = mark_at(runs, at, row);
    PieceList list = {0};
    int goes_on;
    if (which == WHICH_THIS) goes_on = run_around(engine, runs, at, here, end, &list);
    else if (which == WHICH_NEXT) goes_on = next_run(engine, runs, at, here, end, &list);
    else goes_on = previous_run(engine, runs, at, here, &list);
    Region found = {{list.list, list.number}, goes_on != NO && !engine->scene->complete};
    if (engine->log->tables) {
        found.pieces = with_other_tables(engine, runs, &list);
    } else if (which == WHICH_THIS && list.number == 1 && list.list[0].state == YES) {
        runs->low = list.list[0].low;
        runs->high = list.list[0].high;
        runs->growing = found.growing;
    }
    return found;
}

/* The lost records that may lie in a run and begin or end it. */
static Rows lost_borders(Engine *engine, int64_t interval, int64_t row, const Pieces *pieces, Arena *arena) {
    Rows found = {NULL, 0};
    if (!engine->log->number_of_lost || !pieces->number) return found;
    Runs *runs = runs_of(engine, interval, row);
    int32_t end = pieces->pieces[pieces->number - 1].high, first = mark_near(runs, pieces->pieces[0].low), last = first;
    while (last < runs->number && runs->marks[last].row < end) last++;
    found.rows = take(arena, last - first, sizeof(int32_t));
    for (int32_t i = first; i < last; i++) {
        const Mark *mark = runs->marks + i;
        if (!is_lost(engine, mark->row) || state_in(pieces, mark->row) == NO) continue;
        found.rows[found.number++] = mark->row;
    }
    return found;
}

static void see_unclear(Engine *engine, const Rows *rows) {
    for (int32_t i = 0; i < rows->number; i++) see(engine, rows->rows[i], PART_UNCLEAR);
}

/* The lost records after the last sure beginning or end of a run may leave it in doubt whether an event
   ends one. */
static void see_doubts_since_border(Engine *engine, int64_t interval, int64_t row) {
    Runs *runs = runs_of(engine, interval, row);
    for (int32_t i = mark_near(runs, row) - 1; i >= 0; i--) {
        const Mark *mark = runs->marks + i;
        if (mark->opens == YES || mark->closes == YES) return;
        if (is_lost(engine, mark->row)) see(engine, mark->row, PART_UNCLEAR);
    }
}

#endif
