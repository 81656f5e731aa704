/* Pools: the rows that a pattern can mean, found once in a scene for all rules that ask for them. */

#ifndef POOLS_H
#define POOLS_H

#include "log.h"
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
} Slice;

/* One first look: where it looks, and how much work it may still do. */
typedef struct {
    Scene *scene;
    Slice *slice; /* none where the whole scene is meant */
    const Log *log;
    const int64_t *code;
    int64_t patience;
    int64_t place; /* of which to ask for options, in the place of an event; or -1 */
    int failed; /* no memory, or no patience left */
    int64_t asking; /* how many conditions are asked of each trigger, and which */
    int64_t asks[ROOM_FOR_CONDITIONS];
} Look;

/* Totals of a field over all rows of a pool before each place, and how many lack the field. */
typedef struct Totals {
    int64_t column;
    wide *sums;
    int64_t *lacking;
    struct Totals *next;
} Totals;

/* Places of a pool in the order of a field's values. */
typedef struct Index {
    int64_t column;
    int complete; /* whether every row has the field */
    int64_t *values, *places;
    struct Index *next;
} Index;

typedef struct Pool {
    int64_t size;
    int64_t *rows;
    uint8_t *doubts; /* whether a row only may be meant; none where all surely are */
    uint8_t *asked;  /* what the conditions on other events said: 0 not asked yet, truth + 1 */
    int64_t costly;  /* these conditions, or -1 */
    int64_t finger;  /* where the last search ended: the next one is mostly near */
    int32_t *firsts; /* the first place in each segment, where there are several segments */
    int64_t pattern; /* where its pattern stands in the code */
    int borrowed;    /* whether rows and doubts belong to another pool */
    Totals *totals;
    Index *indexes;
    struct Pool *settled; /* the rows of which all is known, once somebody has asked for many */
} Pool;

static int truth(Look *look, int64_t node, int64_t *events);

static void *memory(Look *look, int64_t number, size_t size) {
    void *room = malloc((size_t)(number ? number : 1) * size);
    if (!room) look->failed = 1;
    return room;
}

/* The plainest question has a loop of its own: whether a field with few values has one of them. */
static void keep_by_word(Look *look, Pool *pool, uint8_t *doubt, const int64_t *node) {
    const Column *column = look->log->columns + node[2];
    const int8_t *values = column->values;
    int64_t wanted = look->log->constants[node[4]].above, kept = 0;
    int equal = node[3] == EQUAL;
    for (int64_t place = 0; place < pool->size; place++) {
        int64_t row = pool->rows[place], at = place_of(look->scene, row);
        int unsure = !recorded(column, at);
        if (!unsure && (values[at] == wanted) != equal) continue;
        doubt[kept] = doubt[place] | (uint8_t)unsure;
        pool->rows[kept++] = row;
    }
    pool->size = kept;
}

static int asks_for_word(const Look *look, const int64_t *node) {
    if (node[0] != FIELD_AGAINST_CONSTANT || node[3] > UNEQUAL) return 0;
    const Column *column = look->log->columns + node[2];
    const Value *constant = look->log->constants + node[4];
    return column->values && column->width == 1 && !column->below && constant->state == KNOWN &&
           constant->below == 1;
}

/* Keeps the rows of which a condition on their own fields holds or may hold. */
static void keep_by_condition(Look *look, Pool *pool, uint8_t *doubt, int64_t at) {
    int64_t events[ROOM_FOR_EVENTS], kept = 0;
    if (asks_for_word(look, look->code + at)) {
        keep_by_word(look, pool, doubt, look->code + at);
        return;
    }
    for (int64_t place = 0; place < pool->size; place++) {
        events[0] = pool->rows[place];
        int holds = truth(look, at, events);
        if (holds == NO) continue;
        doubt[kept] = doubt[place] | (holds == UNSURE);
        pool->rows[kept++] = events[0];
    }
    pool->size = kept;
}

static int keep_those_that_hold(Look *look, Pool *pool, int64_t fields) {
    uint8_t *doubt = calloc((size_t)(pool->size ? pool->size : 1), 1);
    if (!doubt) {
        look->failed = 1;
        return 0;
    }
    const int64_t *node = look->code + fields;
    if (node[0] == AND) {
        for (int64_t i = 0; i < node[1]; i++) keep_by_condition(look, pool, doubt, node[2 + i]);
    } else {
        keep_by_condition(look, pool, doubt, fields);
    }
    if (memchr(doubt, 1, (size_t)pool->size)) pool->doubts = doubt;
    else free(doubt);
    return !look->failed;
}

/* A pattern in the code: how many types, the types, conditions on its fields, on other events. */
static int collect(Look *look, Pool *pool, const int64_t *pattern) {
    Scene *scene = look->scene;
    int64_t types = pattern[0], fields = pattern[types + 1];
    int64_t size = 0;
    for (int64_t i = 1; i <= types; i++) {
        size += scene->borders[pattern[i] + 1] - scene->borders[pattern[i]];
    }
    pool->rows = memory(look, size, sizeof(int64_t));
    if (!pool->rows) return 0;
    if (types == 1) {
        memcpy(pool->rows, scene->by_type + scene->borders[pattern[1]],
               (size_t)size * sizeof(int64_t));
    } else {
        /* The lists of several types, merged. */
        int64_t next[64];
        for (int64_t i = 0; i < types; i++) next[i] = scene->borders[pattern[i + 1]];
        for (int64_t place = 0; place < size; place++) {
            int64_t best = -1;
            for (int64_t i = 0; i < types; i++) {
                if (next[i] == scene->borders[pattern[i + 1] + 1]) continue;
                if (best < 0 || scene->by_type[next[i]] < scene->by_type[next[best]]) best = i;
            }
            pool->rows[place] = scene->by_type[next[best]++];
        }
    }
    pool->size = size;
    if (fields >= 0 && !keep_those_that_hold(look, pool, fields)) return 0;
    pool->pattern = pattern - look->code;
    pool->costly = pattern[types + 2];
    if (pool->costly >= 0) {
        pool->asked = calloc((size_t)(pool->size ? pool->size : 1), 1);
        if (!pool->asked) look->failed = 1;
    }
    return !look->failed;
}

static void forget_pool(Pool *pool) {
    while (pool->totals) {
        Totals *next = pool->totals->next;
        free(pool->totals->sums);
        free(pool->totals->lacking);
        free(pool->totals);
        pool->totals = next;
    }
    while (pool->indexes) {
        Index *next = pool->indexes->next;
        free(pool->indexes->values);
        free(pool->indexes->places);
        free(pool->indexes);
        pool->indexes = next;
    }
    if (pool->settled) forget_pool(pool->settled);
    if (!pool->borrowed) {
        free(pool->rows);
        free(pool->doubts);
    }
    free(pool->asked);
    free(pool->firsts);
    free(pool);
}

static void forget_pools(Pool **pools, int64_t room) {
    for (int64_t i = 0; i < room; i++) {
        if (pools[i]) forget_pool(pools[i]);
    }
    free(pools);
}

/* Whether an event belongs to a slice: one that names no key belongs to every slice. */
static int belongs(const Look *look, int64_t row) {
    const Slice *slice = look->slice;
    int64_t place = place_of(look->scene, row), type = look->log->types[place];
    int result = YES;
    for (int64_t key = 0; key < slice->number; key++) {
        if (!slice->bears[key * look->log->number_of_types + type]) continue;
        Value value = field_at(look->log->columns + slice->columns[key], place);
        if (value.state != KNOWN || value.below != 1) result = UNSURE;
        else if (value.above != slice->values[key]) return NO;
    }
    return result;
}

/* How many of the event types of a pool have the key of a slice. */
static int64_t types_with_key(const Look *look, const Pool *pool) {
    const int64_t *pattern = look->code + pool->pattern;
    int64_t bearing = 0;
    for (int64_t i = 1; i <= pattern[0]; i++) bearing += look->slice->bears[pattern[i]];
    return bearing;
}

static int own_by_looking(Look *look, Pool *own, const Pool *every) {
    int64_t doubts = 0;
    own->rows = memory(look, every->size, sizeof(int64_t));
    own->doubts = memory(look, every->size, 1);
    if (look->failed) return 0;
    for (int64_t i = 0; i < every->size; i++) {
        int member = belongs(look, every->rows[i]);
        if (member == NO) continue;
        int doubt = member == UNSURE || (every->doubts && every->doubts[i]);
        own->doubts[own->size] = (uint8_t)doubt;
        own->rows[own->size++] = every->rows[i];
        doubts += doubt;
    }
    if (!doubts) {
        free(own->doubts);
        own->doubts = NULL;
    }
    return 1;
}

/* The same where the slice has one key that each of the events says: by the key's values. */
static int own_by_index(Look *look, Pool *own, const Pool *every, const Index *index) {
    int64_t value = look->slice->values[0];
    int64_t first = lower_bound(index->values, every->size, value);
    int64_t number = lower_bound(index->values + first, every->size - first, value + 1);
    own->rows = memory(look, number, sizeof(int64_t));
    if (every->doubts) own->doubts = memory(look, number, 1);
    if (look->failed) return 0;
    for (int64_t i = 0; i < number; i++) {
        int64_t place = index->places[first + i];
        if (every->doubts) own->doubts[i] = every->doubts[place];
        own->rows[i] = every->rows[place];
    }
    own->size = number;
    return 1;
}

static Index *index_of(Look *look, Pool *pool, int64_t column);

/* The rows of a pool that belong to a slice. */
static int keep_own(Look *look, Pool *own, Pool *every) {
    const Slice *slice = look->slice;
    int64_t bearing = slice->number == 1 ? types_with_key(look, every) : -1;
    Index *index = NULL;
    own->costly = every->costly;
    own->pattern = every->pattern;
    if (bearing > 0 && bearing == look->code[every->pattern]) {
        index = index_of(look, every, slice->columns[0]);
        if (!index) return 0;
    }
    if (bearing == 0) {
        /* Events that name nobody belong to everybody. */
        own->rows = every->rows;
        own->doubts = every->doubts;
        own->size = every->size;
        own->borrowed = 1;
    } else if (index && index->complete) {
        if (!own_by_index(look, own, every, index)) return 0;
    } else if (!own_by_looking(look, own, every)) {
        return 0;
    }
    if (own->costly >= 0) {
        own->asked = calloc((size_t)(own->size ? own->size : 1), 1);
        if (!own->asked) look->failed = 1;
    }
    return !look->failed;
}

/* A place for a pool among others, made when there is none yet. */
static Pool **room_for(Look *look, Pool ***pools, int64_t *room, int64_t number) {
    if (number >= *room) {
        int64_t larger = 2 * number + 64;
        Pool **moved = realloc(*pools, (size_t)larger * sizeof(Pool *));
        if (!moved) {
            look->failed = 1;
            return NULL;
        }
        memset(moved + *room, 0, (size_t)(larger - *room) * sizeof(Pool *));
        *pools = moved;
        *room = larger;
    }
    return *pools + number;
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

static Pool *make_pool(Look *look, int64_t number, int64_t pattern) {
    Slice *slice = look->slice;
    Pool **known = slice ? room_for(look, &slice->pools, &slice->room, number)
                         : room_for(look, &look->scene->pools, &look->scene->room, number);
    if (!known || *known) return known ? *known : NULL;
    Pool *pool = calloc(1, sizeof(Pool)), *every = NULL;
    int done = pool != NULL;
    if (slice) {
        look->slice = NULL;
        every = pool_of(look, number, pattern);
        look->slice = slice;
        done = done && every && keep_own(look, pool, every);
        known = slice->pools + number;
    } else {
        done = done && collect(look, pool, look->code + pattern);
        known = look->scene->pools + number;
    }
    if (!done) {
        if (pool) forget_pool(pool);
        look->failed = 1;
        return NULL;
    }
    return *known = pool;
}

/* The first place of a pool whose row is not before `row`, sought from where the last search was. */
static int64_t place_in(Pool *pool, int64_t row) {
    const int64_t *rows = pool->rows;
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
    int64_t segments = scene->segment[scene->size - 1] + 1, place = 0;
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

/* The same in the segment of a row that is in hand: most segments are short. */
static inline int64_t place_near(Look *look, Pool *pool, int64_t segment, int64_t row) {
    if (look->scene->segment[look->scene->size - 1] == 0) return place_in(pool, row);
    if (!pool->firsts && !find_firsts(look, pool)) return 0;
    int64_t low = pool->firsts[segment], high = pool->firsts[segment + 1];
    if (high - low > FEW_ROWS) return low + lower_bound(pool->rows + low, high - low, row);
    while (low < high && pool->rows[low] < row) low++;
    return low;
}

/* Whether the row at a place of a pool is meant by the pattern, apart from ties to other events. */
static APART int asked_meant(Look *look, Pool *pool, int64_t place) {
    int doubt = pool->doubts && pool->doubts[place];
    if (pool->costly >= 0) {
        if (!pool->asked[place]) {
            int64_t events[ROOM_FOR_EVENTS];
            events[0] = pool->rows[place];
            int answer = truth(look, pool->costly, events);
            if (look->failed) return UNSURE;
            pool->asked[place] = (uint8_t)(answer + 1);
        }
        int holds = pool->asked[place] - 1;
        if (holds != YES) return holds;
    }
    return doubt ? UNSURE : YES;
}

static inline int meant(Look *look, Pool *pool, int64_t place) {
    if (pool->costly < 0) return pool->doubts && pool->doubts[place] ? UNSURE : YES;
    return asked_meant(look, pool, place);
}

/* The same pool with all conditions on other events asked: to look at many rows costs less then. */
static Pool *settled(Look *look, Pool *pool) {
    if (pool->costly < 0 || pool->settled) return pool->costly < 0 ? pool : pool->settled;
    Pool *found = calloc(1, sizeof(Pool));
    if (!found) {
        look->failed = 1;
        return NULL;
    }
    int64_t doubts = 0;
    found->costly = -1;
    found->pattern = pool->pattern;
    found->rows = memory(look, pool->size, sizeof(int64_t));
    found->doubts = memory(look, pool->size, 1);
    for (int64_t place = 0; place < pool->size && !look->failed; place++) {
        int answer = meant(look, pool, place);
        if (--look->patience < 0) look->failed = 1;
        if (answer == NO) continue;
        found->doubts[found->size] = answer == UNSURE;
        doubts += answer == UNSURE;
        found->rows[found->size++] = pool->rows[place];
    }
    if (look->failed) {
        forget_pool(found);
        return NULL;
    }
    if (!doubts) {
        free(found->doubts);
        found->doubts = NULL;
    }
    pool->settled = found;
    return found;
}

/* Totals of a field, worked out once for a pool. */
static Totals *totals_of(Look *look, Pool *pool, int64_t column) {
    for (Totals *known = pool->totals; known; known = known->next) {
        if (known->column == column) return known;
    }
    Totals *totals = calloc(1, sizeof(Totals));
    if (!totals) {
        look->failed = 1;
        return NULL;
    }
    totals->column = column;
    totals->next = pool->totals;
    pool->totals = totals;
    totals->sums = memory(look, pool->size + 1, sizeof(wide));
    totals->lacking = memory(look, pool->size + 1, sizeof(int64_t));
    if (look->failed) return NULL;
    totals->sums[0] = 0;
    totals->lacking[0] = 0;
    const Column *field = look->log->columns + column;
    for (int64_t place = 0; place < pool->size; place++) {
        Value value = field_at(field, place_of(look->scene, pool->rows[place]));
        int known = value.state == KNOWN && value.below == 1;
        totals->sums[place + 1] = totals->sums[place] + (known ? value.above : 0);
        totals->lacking[place + 1] = totals->lacking[place] + !known;
    }
    return totals;
}

typedef struct {
    int64_t value, place;
} Entry;

static int by_value(const void *left, const void *right) {
    const Entry *a = left, *b = right;
    if (a->value != b->value) return a->value < b->value ? -1 : 1;
    return (a->place > b->place) - (a->place < b->place);
}

/* The places of a pool by a field's value, worked out once. */
static Index *index_of(Look *look, Pool *pool, int64_t column) {
    for (Index *known = pool->indexes; known; known = known->next) {
        if (known->column == column) return known;
    }
    Index *index = calloc(1, sizeof(Index));
    Entry *entries = memory(look, pool->size, sizeof(Entry));
    if (!index || !entries) {
        free(index);
        free(entries);
        look->failed = 1;
        return NULL;
    }
    index->column = column;
    index->next = pool->indexes;
    pool->indexes = index;
    index->complete = 1;
    const Column *field = look->log->columns + column;
    for (int64_t place = 0; place < pool->size; place++) {
        Value value = field_at(field, place_of(look->scene, pool->rows[place]));
        if (value.state != KNOWN || value.below != 1) index->complete = 0;
        entries[place].value = value.above;
        entries[place].place = place;
    }
    index->values = memory(look, pool->size, sizeof(int64_t));
    index->places = memory(look, pool->size, sizeof(int64_t));
    if (index->complete && !look->failed) {
        qsort(entries, (size_t)pool->size, sizeof(Entry), by_value);
        for (int64_t i = 0; i < pool->size; i++) {
            index->values[i] = entries[i].value;
            index->places[i] = entries[i].place;
        }
    }
    free(entries);
    return look->failed ? NULL : index;
}

#endif
