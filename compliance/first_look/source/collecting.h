/* How pools are made, for a whole scene or one slice of it, and what is worked out about them. */

#ifndef COLLECTING_H
#define COLLECTING_H

#include "words.h"

/* Room for the doubts about the rows of a pool, made when there is the first. */
static int room_for_doubts(Look *look, Pool *pool) {
    if (!pool->doubts) pool->doubts = calloc((size_t)pool->size, 1);
    if (!pool->doubts) look->failed = 1;
    return !look->failed;
}

/* The plainest question has a loop of its own: whether a field with few values has one of them. */
static void keep_by_word(Look *look, Pool *pool, const int32_t *from, const int64_t *node) {
    const Column *column = look->log->columns + node[2];
    const int8_t *values = column->values;
    int64_t wanted = look->log->constants[node[4]].above, kept = 0;
    int equal = node[3] == EQUAL, complete = 1;
    /* Without a branch for each row: it would be guessed wrong too often. */
    for (int64_t place = 0; place < pool->size; place++) {
        int32_t row = from[place];
        int64_t at = place_of(look->scene, row);
        int there = recorded(column, at);
        pool->rows[kept] = row;
        kept += !there | ((values[at] == wanted) == equal);
        complete &= there;
    }
    pool->size = kept;
    if (complete || !room_for_doubts(look, pool)) return;
    for (int64_t place = 0; place < kept; place++) {
        pool->doubts[place] = !recorded(column, place_of(look->scene, pool->rows[place]));
    }
}

/* Keeps those of some rows of which a condition on their own fields holds or may hold. */
static void keep_by_condition(Look *look, Pool *pool, const int32_t *from, int64_t at) {
    int64_t events[ROOM_FOR_EVENTS], kept = 0;
    if (!pool->doubts && asks_for_word(look, look->code + at)) {
        keep_by_word(look, pool, from, look->code + at);
        return;
    }
    for (int64_t place = 0; place < pool->size && !look->failed; place++) {
        events[0] = from[place];
        int holds = answer_of(look, at, events);
        if (holds == NO || (holds == UNSURE && !room_for_doubts(look, pool))) continue;
        if (pool->doubts) pool->doubts[kept] = pool->doubts[place] | (holds == UNSURE);
        pool->rows[kept++] = from[place];
    }
    pool->size = kept;
}

/* All of several conditions, or the only one. */
static int keep_those_that_hold(Look *look, Pool *pool, const int32_t *from, const int64_t *conditions,
                                int64_t number) {
    for (int64_t i = 0; i < number && pool->size && !look->failed; i++) {
        keep_by_condition(look, pool, i ? pool->rows : from, conditions[i]);
    }
    if (pool->doubts && !memchr(pool->doubts, 1, (size_t)pool->size)) {
        free(pool->doubts);
        pool->doubts = NULL;
    }
    fit(pool);
    return !look->failed;
}

/* A pattern in the code: how many types, the types, conditions on its fields, and on other events;
   where there are any of these, the number and pattern of the pool without them. */
static int collect(Look *look, Pool *pool, const int64_t *pattern) {
    Scene *scene = look->scene;
    int64_t types = pattern[0], fields = pattern[types + 1];
    int64_t size = 0;
    for (int64_t i = 1; i <= types; i++) {
        size += scene->borders[pattern[i] + 1] - scene->borders[pattern[i]];
    }
    const int64_t *conditions = &fields;
    int64_t number = fields >= 0;
    if (fields >= 0 && look->code[fields] == AND) {
        number = look->code[fields + 1];
        conditions = look->code + fields + 2;
    }
    pool->size = size;
    if (types == 1) {
        const int32_t *from = scene->by_type + scene->borders[pattern[1]];
        const int32_t *with = NULL;
        if (number && size) {
            with = rows_with_word(look, pattern[1], look->code + conditions[0], &pool->size);
        }
        if (look->failed) return 0;
        if (with) {
            from = with;
            conditions++;
            number--;
        }
        if (!number) {
            /* Only to be read: nothing is left out of this pool. */
            pool->rows = (int32_t *)from;
            pool->borrowed = 1;
            return 1;
        }
        pool->rows = memory(look, pool->size, sizeof(int32_t));
        return pool->rows && keep_those_that_hold(look, pool, from, conditions, number);
    }
    pool->rows = memory(look, size, sizeof(int32_t));
    if (!pool->rows) return 0;
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
    return keep_those_that_hold(look, pool, pool->rows, conditions, number);
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
    totals->sums = memory(look, pool->size + 1, sizeof(int64_t));
    totals->lacking = memory(look, pool->size + 1, sizeof(int32_t));
    if (look->failed) {
        free(totals->sums);
        free(totals->lacking);
        free(totals);
        return NULL;
    }
    totals->next = pool->totals;
    pool->totals = totals;
    totals->sums[0] = 0;
    totals->lacking[0] = 0;
    const Column *field = look->log->columns + column;
    for (int64_t place = 0; place < pool->size; place++) {
        Value value = field_at(field, place_of(look->scene, pool->rows[place]));
        int64_t sum = totals->sums[place], more;
        int known = value.state == KNOWN && value.below == 1 &&
                    !__builtin_add_overflow(sum, value.above, &more);
        totals->sums[place + 1] = known ? more : sum;
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

/* Sorts entries, which are in the order of their places. Most values are numbers of words, close to
   each other: how many there are of each says where they go. */
static int sort_entries(Look *look, const Entry *entries, int64_t size, Index *index) {
    int64_t least = size ? entries[0].value : 0, most = least;
    for (int64_t i = 1; i < size; i++) {
        if (entries[i].value < least) least = entries[i].value;
        if (entries[i].value > most) most = entries[i].value;
    }
    if ((wide)most - least > 4 * size + 1024) return 0;
    int64_t range = most - least + 1;
    int32_t *next = calloc((size_t)range + 1, sizeof(int32_t));
    if (!next) {
        look->failed = 1;
        return 1;
    }
    for (int64_t i = 0; i < size; i++) next[entries[i].value - least + 1]++;
    for (int64_t i = 0; i < range; i++) next[i + 1] += next[i];
    for (int64_t i = 0; i < size; i++) {
        int32_t at = next[entries[i].value - least]++;
        index->values[at] = entries[i].value;
        index->places[at] = (int32_t)entries[i].place;
    }
    free(next);
    return 1;
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
    index->complete = 1;
    const Column *field = look->log->columns + column;
    for (int64_t place = 0; place < pool->size; place++) {
        Value value = field_at(field, place_of(look->scene, pool->rows[place]));
        if (value.state != KNOWN || value.below != 1) index->complete = 0;
        entries[place].value = value.above;
        entries[place].place = place;
    }
    index->values = memory(look, pool->size, sizeof(int64_t));
    index->places = memory(look, pool->size, sizeof(int32_t));
    if (index->complete && !look->failed && !sort_entries(look, entries, pool->size, index)) {
        qsort(entries, (size_t)pool->size, sizeof(Entry), by_value);
        for (int64_t i = 0; i < pool->size; i++) {
            index->values[i] = entries[i].value;
            index->places[i] = (int32_t)entries[i].place;
        }
    }
    free(entries);
    if (look->failed) {
        free(index->values);
        free(index->places);
        free(index);
        return NULL;
    }
    index->next = pool->indexes;
    return pool->indexes = index;
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
    own->rows = memory(look, every->size, sizeof(int32_t));
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
    own->rows = memory(look, number, sizeof(int32_t));
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

/* All rows of another pool; what other events say of them may differ. */
static int borrow(Look *look, Pool *own, const Pool *every) {
    own->rows = every->rows;
    own->doubts = every->doubts;
    own->size = every->size;
    own->pattern = every->pattern;
    own->borrowed = 1;
    if (own->costly >= 0) {
        own->asked = calloc((size_t)(own->size ? own->size : 1), 1);
        if (!own->asked) look->failed = 1;
    }
    return !look->failed;
}

/* The rows of a pool that belong to a slice. */
static int keep_own(Look *look, Pool *own, Pool *every) {
    const Slice *slice = look->slice;
    int64_t bearing = slice->number == 1 ? types_with_key(look, every) : -1;
    Index *index = NULL;
    /* Events that name nobody belong to everybody. */
    if (bearing == 0) return borrow(look, own, every);
    if (bearing > 0 && bearing == look->code[every->pattern]) {
        index = index_of(look, every, slice->columns[0]);
        if (!index) return 0;
    }
    if (index && index->complete) {
        if (!own_by_index(look, own, every, index)) return 0;
    } else if (!own_by_looking(look, own, every)) {
        return 0;
    }
    return 1;
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

static int asks_for_rank(const Look *look, int64_t at, int64_t number);
static int keep_by_rank(Look *look, Pool *pool, Pool *wider, int64_t at);

/* Fills a pool from one that is wider, or from all events of the scene. */
static int fill_pool(Look *look, Pool *pool, int64_t number, int64_t pattern) {
    const int64_t *words = look->code + pattern;
    Slice *slice = look->slice;
    Scene *scene = look->scene;
    Pool *wider = NULL;
    int64_t costly = words[words[0] + 2];
    if (costly >= 0) {
        /* The same events apart from what is asked of others around them. */
        wider = pool_of(look, words[words[0] + 3], words[words[0] + 4]);
        if (!wider) return 0;
        if (asks_for_rank(look, costly, words[words[0] + 3]) && !wider->doubts) {
            return keep_by_rank(look, pool, wider, costly);
        }
        pool->costly = costly;
        pool->alike = wider;
        return borrow(look, pool, wider);
    }
    pool->costly = -1;
    pool->pattern = pattern;
    if (slice) {
        look->slice = NULL;
        wider = pool_of(look, number, pattern);
        look->slice = slice;
        return wider && keep_own(look, pool, wider);
    }
    if (scene->base) {
        look->scene = scene->base;
        wider = pool_of(look, number, pattern);
        look->scene = scene;
        return wider && borrow(look, pool, wider);
    }
    return collect(look, pool, words);
}

static Pool *make_pool(Look *look, int64_t number, int64_t pattern) {
    Slice *slice = look->slice;
    Pool *pool = calloc(1, sizeof(Pool));
    if (!pool || !fill_pool(look, pool, number, pattern)) {
        if (pool) forget_pool(pool);
        look->failed = 1;
        return NULL;
    }
    Pool **known = slice ? room_for(look, &slice->pools, &slice->room, number)
                         : room_for(look, &look->scene->pools, &look->scene->room, number);
    if (!known) {
        forget_pool(pool);
        return NULL;
    }
    return *known = pool;
}

#endif
