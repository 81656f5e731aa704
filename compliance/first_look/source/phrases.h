/* What phrases say of the events they find: how many, whether each, what they add up to. */

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
    const int64_t *indexed; /* places by key */
    int64_t *events;
    int kept; /* whether all rows are known to be meant */
    Pool few; /* where only one event of each kind counts: these */
    int64_t few_rows[DIFFERENT];
} Walk;

static void find_ends(Look *look, Walk *walk) {
    walk->low = place_near(look, walk->pool, walk->window.low);
    walk->high = walk->low;
    if (walk->window.high <= walk->window.low) return;
    walk->high = place_near(look, walk->pool, walk->window.high);
}

/* Begin to look at each event. Says no where the window is in doubt, or memory or patience ended. */
static int begin_with_each(Look *look, Walk *walk, int64_t phrase, int64_t *events) {
    walk->phrase = look->code + phrase;
    walk->events = events;
    walk->indexed = NULL;
    walk->kept = 0;
    look_through(look, walk->phrase, events, &walk->window);
    walk->pool = pool_of(look, walk->phrase[PHRASE_POOL], walk->phrase[PHRASE_PATTERN]);
    if (look->failed || walk->window.unclear) return 0;
    find_ends(look, walk);
    if (walk->high - walk->low <= MANY) return 1;
    if (walk->pool->costly >= 0) {
        walk->pool = settled(look, walk->pool);
        if (!walk->pool) return 0;
        find_ends(look, walk);
    }
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

/* Whether every row in the window is surely meant, so that none needs a look. */
static int plain(const Walk *walk) {
    if (walk->kept) return 1;
    return walk->phrase[PHRASE_TIES] < 0 && walk->pool->costly < 0 && !walk->pool->doubts &&
           !walk->window.timed;
}

/* Whether the row at one step of the walk is meant; puts it in hand. */
static int look_at(Look *look, Walk *walk, int64_t step, int64_t *row) {
    int64_t place = place_on(walk, step), own = walk->phrase[PHRASE_OWN];
    *row = walk->pool->rows[place];
    if (--look->patience < 0) look->failed = 1;
    if (look->failed) return UNSURE;
    if (walk->kept) {
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
        walk->few_rows[number++] = row;
    }
    for (int64_t i = 0; latest && i < number / 2; i++) {
        int64_t row = walk->few_rows[i];
        walk->few_rows[i] = walk->few_rows[number - 1 - i];
        walk->few_rows[number - 1 - i] = row;
    }
    memset(&walk->few, 0, sizeof walk->few);
    walk->few.rows = walk->few_rows;
    walk->few.size = number;
    walk->few.costly = -1;
    walk->pool = &walk->few;
    walk->kept = 1;
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
    if (plain(&walk)) return COUNTED_ONCE;
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

/* The same, kept for all rules that ask for another number of the same events. */
static int count_once(Look *look, const int64_t *node, int64_t *events, Count *count) {
    int64_t place;
    Answers *answers = answers_at(look, node[4], events[0], &place);
    if (!answers) return MANY_TO_COUNT;
    int state = answers->state[place];
    int64_t above = answers->above[place];
    if (state == NOT_ASKED) {
        state = count_few(look, node[3], events, count);
        if (look->failed) return IN_DOUBT;
        above = count->sure << 32 | count->perhaps << 1 | (count->open != 0);
        answers->state[place] = (uint8_t)state;
        answers->above[place] = above;
    }
    count->sure = above >> 32;
    count->perhaps = (above & 0xffffffff) >> 1;
    count->open = above & 1;
    return state;
}

static int compare_count(int bound, Value number, const Count *count) {
    int64_t least = -(int64_t)floor_of(-(wide)number.above, number.below);
    int64_t most = (int64_t)floor_of(number.above, number.below) + 1;
    if (bound == COUNT_AT_LEAST) return enough(count->sure, count->perhaps, least, count->open);
    int over = opposite(enough(count->sure, count->perhaps, most, count->open));
    if (bound == COUNT_AT_MOST || over == NO) return over;
    int under = enough(count->sure, count->perhaps, least, count->open);
    return under == NO ? NO : under == YES && over == YES ? YES : UNSURE;
}

static APART int how_many(Look *look, const int64_t *node, int64_t *events) {
    Value number = evaluate(look, node[2], events);
    if (node[4] >= 0 && number.state == KNOWN) {
        Count count;
        int counted = count_once(look, node, events, &count);
        if (counted == IN_DOUBT) return UNSURE;
        if (counted == COUNTED_ONCE) return compare_count((int)node[1], number, &count);
    }
    Walk walk;
    if (!begin(look, &walk, node[3], events) || number.state != KNOWN) return UNSURE;
    int bound = (int)node[1], open = walk.window.open;
    int64_t least = -(int64_t)floor_of(-(wide)number.above, number.below);
    int64_t most = (int64_t)floor_of(number.above, number.below) + 1;
    int64_t sure = 0, perhaps = 0, limit = bound == COUNT_AT_LEAST ? least : most;
    if (plain(&walk)) {
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
    Count count = {sure, perhaps, open};
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

enum { FIRST, LAST, COUNT, SUM, SMALLEST, LARGEST_OF, DISTINCT, BLACKJACK, HARD, SOFT, BACCARAT };
enum { JOKER = 52 };

static int pips_of(int64_t card) {
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

static APART Value aggregate(Look *look, const int64_t *node, int64_t *events) {
    Walk walk;
    int function = (int)node[1];
    if (!begin(look, &walk, node[2], events)) return unknown;
    if (function == FIRST || function == LAST) {
        return end_value(look, node, &walk, function == FIRST);
    }
    if (walk.window.open) return unknown;
    if (function == COUNT && plain(&walk)) return whole(walk.high - walk.low);
    if (function == SUM && plain(&walk) && walk.high - walk.low > MANY && !walk.kept) {
        Totals *totals = totals_of(look, walk.pool, node[3]);
        if (!totals || totals->lacking[walk.high] != totals->lacking[walk.low]) return unknown;
        return fraction(totals->sums[walk.high] - totals->sums[walk.low], 1);
    }
    int64_t number = 0, hard = 0, ace = 0, seen[DIFFERENT];
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
        } else if (function == DISTINCT) {
            if (number > DIFFERENT || value.below != 1) return unknown;
            seen[number - 1] = value.above;
        } else {
            if (value.above == JOKER) return unknown;
            hard += pips_of(value.above);
            ace |= pips_of(value.above) == 1;
        }
    }
    int soft = ace && hard <= 11;
    switch (function) {
    case COUNT: return whole(number);
    case DISTINCT: return distinct(seen, number);
    case BLACKJACK: return whole(hard + (soft ? 10 : 0));
    case HARD: return whole(hard);
    case SOFT: return whole(soft);
    case BACCARAT: return whole(hard % 10);
    default: return result;
    }
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
