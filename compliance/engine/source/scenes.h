/* Whether an event belongs to what a rule sees. */

#ifndef SCENES_H
#define SCENES_H

#include "pools.h"

/* The column in which events of a type say a key; -1 where the type has no such field. */
static inline int64_t column_of_key(const Engine *engine, const SlicingNode *by, int64_t key,
                                    int64_t type) {
    return NODE(Numbers, engine, by->columns)->items[key * engine->types + type];
}

static inline int bears_key(const Engine *engine, const SlicingNode *by, int64_t key, int64_t type) {
    return column_of_key(engine, by, key, type) >= 0;
}

static inline Value key_of(const Engine *engine, const SlicingNode *by, int64_t key, int64_t row) {
    int64_t column = column_of_key(engine, by, key, engine->log->types[row]);
    return column < 0 ? NOT_RECORDED : field_at(engine->log, engine->log->columns + column, row);
}

/* Whether an event belongs to a slice. One whose type has no key belongs to every slice, and so does a
   lost record. */
static int has_keys(const Engine *engine, const Scene *scene, int64_t row) {
    int64_t type = engine->log->types[row];
    int result = YES;
    if (type >= engine->types) return YES;
    for (int64_t key = 0; key < scene->keys; key++) {
        int64_t column = column_of_key(engine, scene->by, key, type);
        if (column < 0) continue;
        Value value = field_at(engine->log, engine->log->columns + column, row);
        if (!is_known(value) || !is_known(scene->values[key])) result = MISSING;
        else if (order_of(value, scene->values[key]) != 0) return NO;
    }
    return result;
}

/* How surely a row lies in one of several pieces. */
static int state_in(const Pieces *pieces, int64_t row) {
    for (int32_t i = 0; i < pieces->number; i++) {
        if (pieces->pieces[i].low <= row && row < pieces->pieces[i].high) return pieces->pieces[i].state;
    }
    return NO;
}

static inline int belongs(const Engine *engine, const Scene *scene, int64_t row) {
    int state = state_in(&scene->region, row);
    return scene->keys && state != NO ? both(state, has_keys(engine, scene, row)) : state;
}

#endif
