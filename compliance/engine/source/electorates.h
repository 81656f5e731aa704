/* The rows of a pool by what was elected there: conditions that ask for nothing but options are answered
   once for all rows that had elected the same, instead of row by row. */

#ifndef ELECTORATES_H
#define ELECTORATES_H

#include "pieces.h"

enum { MOST_GROUPS = 64, MOST_LISTS = 16 };

/* The places of a pool in some of its groups. */
typedef struct GroupPlaces {
    uint64_t groups; /* a bit for each */
    const int32_t *places;
    int32_t number;
} GroupPlaces;

/* How a pool falls into groups of rows at which some options were the same. */
typedef struct Electorate {
    int64_t at;               /* the node with the options */
    int number;               /* of groups; none: they are too many */
    const uint8_t *of_places; /* the group of each place that is no lost record */
    int32_t example[MOST_GROUPS]; /* a row of each group */
    uint64_t in_doubt;            /* the groups of which a lost record hides what was elected */
    GroupPlaces lists[MOST_LISTS];
    int number_of_lists;
    struct Electorate *next;
} Electorate;

static int same_value(Value one, Value other) {
    return one.state == other.state && one.above == other.above && one.below == other.below && one.zone == other.zone;
}

/* Whether the same was elected at two rows, and is known alike. */
static int elected_alike(const Log *log, const ElectionNode *node, int32_t row, int32_t other) {
    for (int64_t i = 0; i < node->size; i++) {
        const Option *option = log->options + node->items[i];
        int64_t mine = elected_at(option, row), its = elected_at(option, other);
        if (mine == its) continue;
        if (option->lost && option->lost[mine] != option->lost[its]) return 0;
        if (!same_value(option->values[mine], option->values[its])) return 0;
    }
    return 1;
}

/* The group of a row; a new one where it is like no other, and MOST_GROUPS where there is no room for it. */
static int group_of(Engine *engine, const ElectionNode *node, Electorate *electorate, int32_t row, int last) {
    if (last < electorate->number && elected_alike(engine->log, node, row, electorate->example[last])) return last;
    for (int group = 0; group < electorate->number; group++) {
        if (elected_alike(engine->log, node, row, electorate->example[group])) return group;
    }
    if (electorate->number == MOST_GROUPS) return MOST_GROUPS;
    int group = electorate->number++;
    electorate->example[group] = row;
    for (int64_t i = 0; i < node->size; i++) {
        if (is_in_doubt(engine->log->options + node->items[i], row)) electorate->in_doubt |= (uint64_t)1 << group;
    }
    return group;
}

static Electorate *electorate_of(Engine *engine, Pool *pool, int64_t at) {
    for (Electorate *known = pool->electorates; known; known = known->next) {
        if (known->at == at) return known;
    }
    Electorate *electorate = take_zeros(engine->kept, 1, sizeof(Electorate));
    uint8_t *of_places = take_zeros(engine->kept, pool->size, 1);
    int group = 0;
    electorate->at = at;
    for (int32_t place = 0; place < pool->size && group < MOST_GROUPS; place++) {
        if (is_lost(engine, pool->rows[place])) continue;
        group = group_of(engine, NODE(Election, engine, at), electorate, pool->rows[place], group);
        of_places[place] = (uint8_t)group;
    }
    if (group == MOST_GROUPS) electorate->number = 0;
    electorate->of_places = of_places;
    electorate->next = pool->electorates;
    return pool->electorates = electorate;
}

/* The places of some groups in order; NULL where too many such lists were asked for already. */
static const GroupPlaces *places_of_groups(Engine *engine, const Pool *pool, Electorate *electorate, uint64_t groups) {
    for (int i = 0; i < electorate->number_of_lists; i++) {
        if (electorate->lists[i].groups == groups) return electorate->lists + i;
    }
    if (electorate->number_of_lists == MOST_LISTS) return NULL;
    int32_t number = 0;
    for (int32_t place = 0; place < pool->size; place++) {
        number += groups >> electorate->of_places[place] & !is_lost(engine, pool->rows[place]);
    }
    int32_t *places = take(engine->kept, number, sizeof(int32_t));
    number = 0;
    for (int32_t place = 0; place < pool->size; place++) {
        if (groups >> electorate->of_places[place] & !is_lost(engine, pool->rows[place])) places[number++] = place;
    }
    GroupPlaces *list = electorate->lists + electorate->number_of_lists++;
    *list = (GroupPlaces){groups, places, number};
    return list;
}

/* The places of a pool, but for lost records, at which a condition on what was elected there holds or may
   hold; NULL where nothing is gained by asking so. Who asks what the next log needs looks at all of them. */
static const GroupPlaces *elected_places(Engine *engine, const EdgeNode *edge, Pool *pool, int32_t *hand) {
    if (edge->elected < 0 || engine->kept_rows) return NULL;
    Electorate *electorate = electorate_of(engine, pool, edge->elected);
    if (electorate->number < 1) return NULL;
    int64_t condition = NODE(Election, engine, edge->elected)->condition;
    uint64_t left = electorate->in_doubt;
    int lost_met = engine->lost_met;
    Evidence *evidence = engine->evidence;
    engine->evidence = NULL;
    for (int group = 0; group < electorate->number; group++) {
        if (left >> group & 1) continue;
        hand[edge->own] = electorate->example[group];
        engine->lost_met = 0;
        /* What a lost record had a part in is asked again at each row, where it counts. */
        if (truth(engine, condition, hand) != NO || engine->lost_met) left |= (uint64_t)1 << group;
    }
    engine->evidence = evidence;
    engine->lost_met = lost_met;
    engine->steps += electorate->number;
    return left == ~(uint64_t)0 >> (64 - electorate->number) ? NULL : places_of_groups(engine, pool, electorate, left);
}

#endif
