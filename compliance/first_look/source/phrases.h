/* The events that a phrase finds: which they are, how many, and whether each is as required. */

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
static inline int64_t place_after(Look *look, Pool *pool, int64_t low, int64_t high, int64_t row) {
    const int32_t *rows = pool->rows;
    if (low == high || rows[high - 1] < row) return high;
    if (high - low > FEW_ROWS) return MAX(low, place_near(look, pool, row));
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
            low = place_after(look, pool, low, high, window->low);
        }
        high = place_after(look, pool, low, high, window->high);
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

enum { COUNT_EXACTLY, COUNT_AT_LEAST, COUNT_AT_MOST };

/* An event that may be meant leaves a smaller number in doubt: it may be the rest of the log that
   settles it, and then the check is open. */
static int enough(int64_t sure, int64_t perhaps, int64_t wanted, int open) {
    if (sure >= wanted) return YES;
    return open || perhaps ? UNSURE : NO;
}

/* How many events a phrase finds from an event, as far as they are few. */
typedef struct {
    int64_t sure, perhaps;
    int open;
} Count;

enum { COUNTED_ONCE = 1, MANY_TO_COUNT = 2, IN_DOUBT = 3 };

static int count_few(Look *look, int64_t phrase, int64_t *events, Count *count) {
    Walk walk;
    if (!begin(look, &walk, phrase, events)) return IN_DOUBT;
    count->open = walk.window.open;
    count->sure = walk.high - walk.low;
    count->perhaps = 0;
    if (walk.all) return COUNTED_ONCE;
    if (walk.high - walk.low > MANY) return MANY_TO_COUNT;
    count->sure = 0;
    for (int64_t i = walk.low; i < walk.high; i++) {
        int64_t row;
        int answer = look_at(look, &walk, i, &row);
        count->sure += answer == YES;
        count->perhaps += answer == UNSURE;
    }
    return COUNTED_ONCE;
}

/* A count is kept as one number: how many surely, how many perhaps, and whether more may come. */
enum { BITS_OF_PERHAPS = 5, MOST_SURE = 1 << 20 };

/* The same, kept for all rules that ask for another number of the same events. */
static int count_once(Look *look, const int64_t *node, int64_t *events, Count *count) {
    int32_t *answer = answer_at(look, node[4], events[0]);
    if (!answer) return MANY_TO_COUNT;
    if (*answer == NOT_ASKED) {
        int state = count_few(look, node[3], events, count);
        if (look->failed) return IN_DOUBT;
        int64_t kept = 0;
        if (state == COUNTED_ONCE && count->sure >= MOST_SURE) state = MANY_TO_COUNT;
        if (state == COUNTED_ONCE) {
            kept = (count->sure << BITS_OF_PERHAPS | count->perhaps) << 1 | (count->open != 0);
        }
        *answer = packed(kept, state);
        return state;
    }
    int64_t kept = above_of(*answer);
    count->sure = kept >> (BITS_OF_PERHAPS + 1);
    count->perhaps = kept >> 1 & ((1 << BITS_OF_PERHAPS) - 1);
    count->open = kept & 1;
    return state_of(*answer);
}

/* Where a phrase means every event of its pool that lies in its window, their number needs no look
   at any of them. Says no where that is not so. */
static inline int count_all(Look *look, const int64_t *phrase, int64_t *events, Count *count) {
    if (phrase[PHRASE_NARROWED] || phrase[PHRASE_PER] != EACH) return 0;
    Pool *pool = pool_of(look, phrase[PHRASE_POOL], phrase[PHRASE_PATTERN]);
    if (!pool || !means_all(phrase, pool)) return 0;
    Window window;
    int64_t low, high;
    look_through(look, phrase, events, &window);
    find_ends(look, pool, &window, &low, &high);
    count->sure = high - low;
    count->perhaps = 0;
    count->open = window.open;
    return 1;
}

/* How many are enough, and how many too many. */
static inline int64_t least_of(Value number) {
    return number.below == 1 ? number.above : -(int64_t)floor_of(-(wide)number.above, number.below);
}

static inline int64_t most_of(Value number) {
    return (number.below == 1 ? number.above : (int64_t)floor_of(number.above, number.below)) + 1;
}

static inline int compare_count(int bound, Value number, const Count *count) {
    int64_t least = least_of(number), most = most_of(number);
    if (bound == COUNT_AT_LEAST) return enough(count->sure, count->perhaps, least, count->open);
    int over = opposite(enough(count->sure, count->perhaps, most, count->open));
    if (bound == COUNT_AT_MOST || over == NO) return over;
    int under = enough(count->sure, count->perhaps, least, count->open);
    return under == NO ? NO : under == YES && over == YES ? YES : UNSURE;
}

static APART int how_many(Look *look, const int64_t *node, int64_t *events) {
    Value number = value_of(look, node[2], events);
    Count count;
    if (number.state == KNOWN && count_all(look, look->code + node[3], events, &count)) {
        return compare_count((int)node[1], number, &count);
    }
    if (node[4] >= 0 && number.state == KNOWN) {
        int counted = count_once(look, node, events, &count);
        if (counted == IN_DOUBT) return UNSURE;
        if (counted == COUNTED_ONCE) return compare_count((int)node[1], number, &count);
    }
    Walk walk;
    if (!begin(look, &walk, node[3], events) || number.state != KNOWN) return UNSURE;
    int bound = (int)node[1], open = walk.window.open;
    int64_t sure = 0, perhaps = 0;
    int64_t limit = bound == COUNT_AT_LEAST ? least_of(number) : most_of(number);
    if (walk.all) {
        sure = walk.high - walk.low;
    } else {
        int past = walk.phrase[PHRASE_REACH] == PAST;
        for (int64_t i = walk.low; i < walk.high && sure < limit; i++) {
            int64_t row;
            int answer = look_at(look, &walk, past ? walk.high - 1 - (i - walk.low) : i, &row);
            sure += answer == YES;
            perhaps += answer == UNSURE;
            if (look->failed) return UNSURE;
        }
    }
    count.sure = sure;
    count.perhaps = perhaps;
    count.open = open;
    return compare_count(bound, number, &count);
}

static APART int every(Look *look, const int64_t *node, int64_t *events) {
    Walk walk;
    if (!begin(look, &walk, node[1], events)) return UNSURE;
    int result = walk.window.open ? UNSURE : YES;
    for (int64_t i = walk.low; i < walk.high; i++) {
        int64_t row;
        int answer = look_at(look, &walk, i, &row);
        if (look->failed) return UNSURE;
        if (answer == NO) continue;
        int holds = truth(look, node[2], events);
        if (holds == NO && answer == YES) return NO;
        if (holds != YES || answer == UNSURE) result = UNSURE;
    }
    return result;
}

#endif
