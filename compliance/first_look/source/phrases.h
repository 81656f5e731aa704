/* The events that a phrase finds: which they are. */

#ifndef PHRASES_H
#define PHRASES_H

#include "windows.h"

enum { MANY = 24, DIFFERENT = 128 };

/* The rows that a phrase may mean, one after the other. */
typedef struct {
    const int64_t *phrase;
    Pool *pool;
    Window window;
    int64_t low, high;      /* places in the pool, or in the index where there is one */
    const int32_t *indexed; /* places by key */
    int64_t *events;
    int all; /* whether all rows are known to be meant, so that none needs a look */
    Pool few; /* where only one event of each kind counts: these */
    int32_t few_rows[DIFFERENT];
} Walk;

/* The first place in the rest of a segment whose row is not before `row`. */
static inline int64_t place_after(const Pool *pool, int64_t low, int64_t high, int64_t row) {
    const int32_t *rows = pool->rows;
    if (low == high || rows[high - 1] < row) return high;
    if (high - low > FEW_ROWS) return low + lower_bound(rows + low, high - low, row);
    while (rows[low] < row) low++;
    return low;
}

/* From where to where a phrase looks in a pool. Most windows begin or end with their segment. */
static inline void find_ends(Look *look, Pool *pool, const Window *window, int64_t *from,
                             int64_t *until) {
    const Scene *scene = look->scene;
    int64_t low, high;
    if (scene->segments == 1) {
        low = pool->size && window->low <= pool->rows[0] ? 0 : place_near(look, pool, window->low);
        high = window->high <= window->low ? low : place_near(look, pool, window->high);
    } else if (!pool->firsts && !find_firsts(look, pool)) {
        low = high = 0;
    } else {
        low = pool->firsts[look->segment];
        high = pool->firsts[look->segment + 1];
        if (window->low > scene->starts[look->segment]) {
            low = place_after(pool, low, high, window->low);
        }
        high = place_after(pool, low, high, window->high);
    }
    *from = low;
    *until = high;
}

/* Whether every row in the window is surely meant. */
static inline int means_all(const int64_t *phrase, const Pool *pool) {
    return phrase[PHRASE_TIES] < 0 && pool->costly < 0 && !pool->doubts;
}

/* Begin to look at each event. Says no where the window is in doubt, or memory or patience ended. */
static int begin_with_each(Look *look, Walk *walk, int64_t phrase, int64_t *events) {
    walk->phrase = look->code + phrase;
    walk->events = events;
    walk->indexed = NULL;
    walk->all = 0;
    look_through(look, walk->phrase, events, &walk->window);
    walk->pool = pool_of(look, walk->phrase[PHRASE_POOL], walk->phrase[PHRASE_PATTERN]);
    if (look->failed || walk->window.unclear) return 0;
    find_ends(look, walk->pool, &walk->window, &walk->low, &walk->high);
    if (walk->high - walk->low > MANY && walk->pool->costly >= 0) {
        walk->pool = settled(look, walk->pool);
        if (!walk->pool) return 0;
        find_ends(look, walk->pool, &walk->window, &walk->low, &walk->high);
        if (look->failed) return 0;
    }
    walk->all = means_all(walk->phrase, walk->pool) && !walk->window.timed;
    if (walk->high - walk->low <= MANY) return 1;
    if (walk->phrase[PHRASE_KEY] >= 0) {
        int64_t low = walk->low, high = walk->high;
        Value key = evaluate(look, walk->phrase[PHRASE_KEY_VALUE], events);
        Index *index = index_of(look, walk->pool, walk->phrase[PHRASE_KEY]);
        if (!index) return 0;
        if (index->complete && key.state == KNOWN) {
            int64_t size = walk->pool->size, first = 0, last = 0;
            if (key.below == 1) {
                first = lower_bound(index->values, size, key.above);
                last = first + lower_bound(index->values + first, size - first, key.above + 1);
            }
            walk->low = first + lower_bound(index->places + first, last - first, low);
            walk->high = walk->low + lower_bound(index->places + walk->low, last - walk->low, high);
            walk->indexed = index->places;
        }
    }
    return 1;
}

static inline int64_t place_on(const Walk *walk, int64_t step) {
    return walk->indexed ? walk->indexed[step] : step;
}

/* Whether the row at one step of the walk is meant; puts it in hand. */
static inline int look_at(Look *look, Walk *walk, int64_t step, int64_t *row) {
    int64_t place = place_on(walk, step), own = walk->phrase[PHRASE_OWN];
    *row = walk->pool->rows[place];
    if (--look->patience < 0) look->failed = 1;
    if (look->failed) return UNSURE;
    if (walk->all) {
        walk->events[own] = *row;
        return YES;
    }
    if (!in_time(look->scene, &walk->window, *row)) return NO;
    int answer = matches(look, walk->pool, place, own, walk->phrase[PHRASE_TIES], walk->events);
    walk->events[own] = *row;
    return answer;
}

/* Whether two events agree in all fields by which only one of each is kept; unsure where one does
   not say. */
static int alike(const Look *look, const int64_t *phrase, int64_t row, int64_t other) {
    int64_t fields = phrase[PHRASE_PER_FIELDS];
    for (int64_t i = 1; i <= fields; i++) {
        const Column *column = look->log->columns + phrase[PHRASE_PER_FIELDS + i];
        Value mine = field_at(column, place_of(look->scene, row));
        Value its = field_at(column, place_of(look->scene, other));
        if (mine.state != KNOWN || its.state != KNOWN) return UNSURE;
        if (order_of(mine, its) != 0) return NO;
    }
    return YES;
}

/* Keep only the latest (or earliest) event of each kind; any doubt about one is left to others. */
static int keep_one_of_each(Look *look, Walk *walk) {
    int latest = walk->phrase[PHRASE_PER] == LATEST;
    int64_t number = 0;
    if (latest && walk->window.open) return 0;
    for (int64_t i = walk->low; i < walk->high; i++) {
        int64_t row;
        int answer = look_at(look, walk, latest ? walk->high - 1 - (i - walk->low) : i, &row);
        if (answer == UNSURE) return 0;
        if (answer == NO) continue;
        if (alike(look, walk->phrase, row, row) == UNSURE) return 0;
        int known = NO;
        for (int64_t j = 0; j < number && known == NO; j++) {
            known = alike(look, walk->phrase, row, walk->few_rows[j]);
        }
        if (known == YES) continue;
        if (number == DIFFERENT) return 0;
        walk->few_rows[number++] = (int32_t)row;
    }
    for (int64_t i = 0; latest && i < number / 2; i++) {
        int32_t row = walk->few_rows[i];
        walk->few_rows[i] = walk->few_rows[number - 1 - i];
        walk->few_rows[number - 1 - i] = row;
    }
    memset(&walk->few, 0, sizeof walk->few);
    walk->few.rows = walk->few_rows;
    walk->few.size = number;
    walk->few.costly = -1;
    walk->pool = &walk->few;
    walk->all = 1;
    walk->low = 0;
    walk->high = number;
    walk->indexed = NULL;
    return 1;
}

static int begin(Look *look, Walk *walk, int64_t phrase, int64_t *events) {
    if (!begin_with_each(look, walk, phrase, events)) return 0;
    return walk->phrase[PHRASE_PER] == EACH || keep_one_of_each(look, walk);
}

#endif
