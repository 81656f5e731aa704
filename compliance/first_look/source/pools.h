/* Pools: the rows that a pattern can mean, found once in a scene for all rules that ask for them. */

#ifndef POOLS_H
#define POOLS_H

#include "log.h"
#include "notes.h"
#include "operations.h"

enum { ROOM_FOR_EVENTS = 16, ROOM_FOR_CONDITIONS = 32 };

/* A slice of a scene: the events of one player or seat, and those that name none. */
typedef struct {
    int64_t number; /* of keys */
    const int64_t *columns, *values;
    const uint8_t *bears; /* for each key, which event types have the field */
    int64_t certain;      /* whether its triggers say to whom they belong */
    struct Pool **pools;
    int64_t room;
    Questions questions;
} Slice;

/* One first look: where it looks, and how much work it may still do. */
typedef struct {
    Scene *scene;
    Slice *slice; /* none where the whole scene is meant */
    const Log *log;
    const int64_t *code;
    int64_t patience;
    int64_t segment; /* in which the events in hand lie */
    int64_t place; /* of which to ask for options, in the place of an event; or -1 */
    int failed; /* no memory, or no patience left */
    int64_t asking; /* how many conditions are asked of each trigger, and which */
    int64_t asks[ROOM_FOR_CONDITIONS];
    int64_t depth; /* of the questions that are asked of many events together */
    /* Where slices are looked at together: all of them, and whose each place of the list of triggers
       is; none while a single slice is in hand. */
    Slice *slices;
    const int32_t *owners;
} Look;

/* Totals of a field over all rows of a pool before each place, and how many rows lack the field or
   are too large to be counted in. */
typedef struct Totals {
    int64_t column;
    int64_t *sums;
    int32_t *lacking;
    struct Totals *next;
} Totals;

/* Of a field with cards, packed into one number: the pips of all rows of a pool before each place, and
   how many of them are aces, or no known card. What is packed may flow over: only differences count,
   and they are right as long as they fit. */
typedef struct Cards {
    int64_t column;
    uint32_t *before;
    struct Cards *next;
} Cards;

/* Places of a pool in the order of a field's values. */
typedef struct Index {
    int64_t column;
    int complete; /* whether every row has the field */
    int64_t *values;
    int32_t *places;
    struct Index *next;
} Index;

typedef struct Pool {
    int64_t size;
    int32_t *rows;
    uint8_t *doubts; /* whether a row only may be meant; none where all surely are */
    uint8_t *asked;  /* what the conditions on other events said: 0 not asked yet, truth + 1 */
    int64_t costly;  /* these conditions, or -1 */
    int64_t finger;  /* where the last search ended: the next one is mostly near */
    int32_t *firsts; /* the first place in each segment, where there are several segments */
    int64_t pattern; /* where its pattern stands in the code */
    int borrowed;    /* whether rows and doubts belong to another pool */
    struct Pool *alike; /* one of the same scene with the same rows, or none */
    Totals *totals;
    Cards *cards;
    Index *indexes;
    Notes notes;          /* beside its rows; those of the pool that is alike, where there is one */
    struct Pool *settled; /* the rows of which all is known, once somebody has asked for many */
} Pool;

static int truth(Look *look, int64_t node, int64_t *events);
static int answer_of(Look *look, int64_t node, int64_t *events);

static void *memory(Look *look, int64_t number, size_t size) {
    void *room = malloc((size_t)(number ? number : 1) * size);
    if (!room) look->failed = 1;
    return room;
}

/* Gives back what is left over of a pool's room. */
static void fit(Pool *pool) {
    int32_t *rows = realloc(pool->rows, (size_t)(pool->size ? pool->size : 1) * sizeof(int32_t));
    if (rows) pool->rows = rows;
}

static void forget_pool(Pool *pool) {
    while (pool->totals) {
        Totals *next = pool->totals->next;
        free(pool->totals->sums);
        free(pool->totals->lacking);
        free(pool->totals);
        pool->totals = next;
    }
    while (pool->cards) {
        Cards *next = pool->cards->next;
        free(pool->cards->before);
        free(pool->cards);
        pool->cards = next;
    }
    while (pool->indexes) {
        Index *next = pool->indexes->next;
        free(pool->indexes->values);
        free(pool->indexes->places);
        free(pool->indexes);
        pool->indexes = next;
    }
    if (pool->settled) forget_pool(pool->settled);
    forget_notes(&pool->notes);
    if (!pool->borrowed) {
        free(pool->rows);
        free(pool->doubts);
    }
    free(pool->asked);
    if (!pool->alike) free(pool->firsts);
    free(pool);
}

static void forget_pools(Pool **pools, int64_t room) {
    for (int64_t i = 0; i < room; i++) {
        if (pools[i]) forget_pool(pools[i]);
    }
    free(pools);
}

static Pool *make_pool(Look *look, int64_t number, int64_t pattern);

/* The pool of a pattern, by its number and by where the pattern stands in the code. */
static inline Pool *pool_of(Look *look, int64_t number, int64_t pattern) {
    const Slice *slice = look->slice;
    int64_t room = slice ? slice->room : look->scene->room;
    Pool *known = NULL;
    if (number < room) known = slice ? slice->pools[number] : look->scene->pools[number];
    return known ? known : make_pool(look, number, pattern);
}

/* The first place of a pool whose row is not before `row`, sought from where the last search was. */
static int64_t place_in(Pool *pool, int64_t row) {
    const int32_t *rows = pool->rows;
    int64_t low = pool->finger, high, step = 1;
    if (low < pool->size && rows[low] < row) {
        high = low + 1;
        while (high < pool->size && rows[high] < row) {
            low = high;
            high += step;
            step *= 2;
        }
        if (high > pool->size) high = pool->size;
    } else {
        high = low;
        low -= 1;
        while (low >= 0 && rows[low] >= row) {
            high = low;
            low -= step;
            step *= 2;
        }
        if (low < 0) low = -1;
    }
    low += 1;
    pool->finger = low + lower_bound(rows + low, high - low, row);
    return pool->finger;
}

/* Where each segment begins in a pool. */
static int find_firsts(Look *look, Pool *pool) {
    const Scene *scene = look->scene;
    int64_t segments = scene->segments, place = 0;
    if (pool->alike) {
        if (!pool->alike->firsts && !find_firsts(look, pool->alike)) return 0;
        pool->firsts = pool->alike->firsts;
        return 1;
    }
    pool->firsts = memory(look, segments + 1, sizeof(int32_t));
    if (!pool->firsts) return 0;
    for (int64_t segment = 0; segment < segments; segment++) {
        while (place < pool->size && pool->rows[place] < scene->starts[segment]) place++;
        pool->firsts[segment] = (int32_t)place;
    }
    pool->firsts[segments] = (int32_t)pool->size;
    return 1;
}

enum { FEW_ROWS = 16 };

/* The same in the segment of the events in hand: most segments are short. */
static inline int64_t place_near(Look *look, Pool *pool, int64_t row) {
    if (look->scene->segments == 1) return place_in(pool, row);
    if (!pool->firsts && !find_firsts(look, pool)) return 0;
    int64_t low = pool->firsts[look->segment], high = pool->firsts[look->segment + 1];
    if (high - low > FEW_ROWS) return low + lower_bound(pool->rows + low, high - low, row);
    while (low < high && pool->rows[low] < row) low++;
    return low;
}

/* Asks the conditions on other events. */
static APART int ask(Look *look, Pool *pool, int64_t place) {
    int64_t events[ROOM_FOR_EVENTS];
    events[0] = pool->rows[place];
    int answer = answer_of(look, pool->costly, events);
    if (look->failed) return UNSURE;
    pool->asked[place] = (uint8_t)(answer + 1);
    return answer;
}

/* Whether the row at a place of a pool is meant by the pattern, apart from ties to other events. */
static inline int meant(Look *look, Pool *pool, int64_t place) {
    if (pool->costly >= 0) {
        int holds = pool->asked[place] ? pool->asked[place] - 1 : ask(look, pool, place);
        if (holds != YES) return holds;
    }
    return pool->doubts && pool->doubts[place] ? UNSURE : YES;
}

/* The same pool with all conditions on other events asked: to look at many rows costs less then. */
static Pool *settled(Look *look, Pool *pool);

#endif
