/* How many events a phrase finds, and whether each is as required. */

#ifndef COUNTING_H
#define COUNTING_H

#include "phrases.h"

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

/* The commonest tie: a field of the events found equals one of an event in hand. Says no where more
   than that is to be looked at. */
static inline int is_tied_by_field(const Look *look, const int64_t *phrase, const Pool *pool) {
    int64_t own = phrase[PHRASE_OWN], ties = phrase[PHRASE_TIES];
    if (ties < 0 || pool->costly >= 0 || pool->doubts) return 0;
    const int64_t *node = look->code + ties;
    if (node[0] != FIELD_AGAINST_FIELD || node[3] != EQUAL) return 0;
    if ((node[1] == own) == (node[4] == own)) return 0;
    const Column *left = look->log->columns + node[2], *right = look->log->columns + node[5];
    return left->values && right->values && !left->below && !right->below;
}

/* Counts the events of such a phrase from one end, until there are enough of them. */
static inline void count_tied(Look *look, const int64_t *phrase, const int32_t *rows,
                              const int32_t *indexed, int64_t low, int64_t high,
                              const int64_t *events, int64_t limit, Count *count) {
    const int64_t *node = look->code + phrase[PHRASE_TIES];
    int left = node[1] == phrase[PHRASE_OWN], past = phrase[PHRASE_REACH] == PAST;
    const Column *mine = look->log->columns + node[left ? 2 : 5];
    const Column *its = look->log->columns + node[left ? 5 : 2];
    int64_t other = place_of(look->scene, events[node[left ? 4 : 1]]);
    int64_t wanted = number_at(its, other), sure = 0, perhaps = 0, i = 0;
    int there = recorded(its, other);
    for (; i < high - low && sure < limit; i++) {
        int64_t step = past ? high - 1 - i : low + i;
        int64_t place = place_of(look->scene, rows[indexed ? indexed[step] : step]);
        int known = there & recorded(mine, place), equal = number_at(mine, place) == wanted;
        sure += known & equal;
        perhaps += !known;
    }
    look->patience -= i;
    if (look->patience < 0) look->failed = 1;
    count->sure = sure;
    count->perhaps = perhaps;
}

/* The same on a walk that has begun; says no where it is to be walked step by step. */
static inline int count_on_walk(Look *look, const Walk *walk, int64_t limit, Count *count) {
    if (walk->all || walk->window.timed || !is_tied_by_field(look, walk->phrase, walk->pool)) return 0;
    count_tied(look, walk->phrase, walk->pool->rows, walk->indexed, walk->low, walk->high, walk->events,
               limit, count);
    return 1;
}

enum { COUNTED_ONCE = 1, MANY_TO_COUNT = 2, IN_DOUBT = 3 };

static int count_few(Look *look, int64_t phrase, int64_t *events, Count *count) {
    Walk walk;
    if (!begin(look, &walk, phrase, events)) return IN_DOUBT;
    count->open = walk.window.open;
    count->sure = walk.high - walk.low;
    count->perhaps = 0;
    if (walk.all) return COUNTED_ONCE;
    if (walk.high - walk.low > MANY) return MANY_TO_COUNT;
    if (count_on_walk(look, &walk, MANY + 1, count)) return COUNTED_ONCE;
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

static int32_t counted(Look *look, int64_t phrase, int64_t *events) {
    Count count;
    int state = count_few(look, phrase, events, &count);
    int64_t kept = 0;
    if (look->failed) return NOT_ASKED;
    if (state == COUNTED_ONCE && count.sure >= MOST_SURE) state = MANY_TO_COUNT;
    if (state == COUNTED_ONCE) {
        kept = (count.sure << BITS_OF_PERHAPS | count.perhaps) << 1 | (count.open != 0);
    }
    return packed(kept, state);
}

/* Reads such a number, and says what became of the count. */
static inline int read_count(int32_t answer, Count *count) {
    int64_t kept = above_of(answer);
    count->sure = kept >> (BITS_OF_PERHAPS + 1);
    count->perhaps = kept >> 1 & ((1 << BITS_OF_PERHAPS) - 1);
    count->open = kept & 1;
    return state_of(answer);
}

/* The same, kept for all rules that ask for another number of the same events. */
static int count_once(Look *look, const int64_t *node, int64_t *events, Count *count) {
    int32_t *answer = answer_at(look, node[4], events[0]);
    if (!answer) return MANY_TO_COUNT;
    if (*answer == NOT_ASKED) *answer = counted(look, node[3], events);
    return look->failed ? IN_DOUBT : read_count(*answer, count);
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

/* A phrase that looks from its event to an end of the segment, without ties to that event. */
static inline int is_plain(const int64_t *phrase) {
    return !phrase[PHRASE_NARROWED] && phrase[PHRASE_PER] == EACH && phrase[PHRASE_TIES] < 0;
}

/* What a node says without keeping its answers. */
static inline const int64_t *not_kept(const Look *look, int64_t at) {
    const int64_t *node = look->code + at;
    return node[0] == KEPT ? look->code + node[1] : node;
}

/* Whether a condition on the events of a pool asks how many of the same pool came before: it is the
   first, or one of the others. */
static int asks_for_rank(const Look *look, int64_t at, int64_t number) {
    const int64_t *node = not_kept(look, at);
    if (node[0] != HOW_MANY || look->code[node[2]] != CONSTANT) return 0;
    const int64_t *phrase = look->code + node[3];
    return is_plain(phrase) && phrase[PHRASE_REACH] == PAST && phrase[PHRASE_POOL] == number &&
           constant_at(look, look->code[node[2] + 1]).state == KNOWN;
}

/* The rows of another pool of which such a condition holds: their places tell. */
static int keep_by_rank(Look *look, Pool *pool, Pool *wider, int64_t at) {
    const int64_t *node = not_kept(look, at), *phrase = look->code + node[3];
    const Scene *scene = look->scene;
    Value number = constant_at(look, look->code[node[2] + 1]);
    int64_t least = node[1] == COUNT_AT_MOST ? 0 : least_of(number) - phrase[PHRASE_INCLUSIVE];
    int64_t most = node[1] == COUNT_AT_LEAST ? wider->size : most_of(number) - phrase[PHRASE_INCLUSIVE];
    pool->costly = -1;
    pool->pattern = wider->pattern;
    pool->rows = memory(look, wider->size, sizeof(int32_t));
    pool->firsts = memory(look, scene->segments + 1, sizeof(int32_t));
    if (look->failed || (!wider->firsts && !find_firsts(look, wider))) return 0;
    for (int64_t segment = 0; segment < scene->segments; segment++) {
        int64_t first = wider->firsts[segment], last = wider->firsts[segment + 1];
        pool->firsts[segment] = (int32_t)pool->size;
        while (last > first && wider->rows[last - 1] >= scene->ends[segment]) last--;
        last = MIN(last - first, most);
        for (int64_t rank = MAX(least, 0); rank < last; rank++) {
            pool->rows[pool->size++] = wider->rows[first + rank];
        }
    }
    pool->firsts[scene->segments] = (int32_t)pool->size;
    fit(pool);
    return 1;
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
    } else if (count_on_walk(look, &walk, limit, &count)) {
        if (look->failed) return UNSURE;
        sure = count.sure;
        perhaps = count.perhaps;
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
        int64_t alone[ROOM_FOR_EVENTS] = {row};
        int holds = truth(look, node[2], node[3] ? alone : events);
        if (holds == NO && answer == YES) return NO;
        if (holds != YES || answer == UNSURE) result = UNSURE;
    }
    return result;
}

#endif
