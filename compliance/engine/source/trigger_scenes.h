/* What a rule sees from a trigger: the whole log, the slice of a player or seat, the run of an interval. */

#ifndef TRIGGER_SCENES_H
#define TRIGGER_SCENES_H

#include "written_checks.h"

/* The slices of a log by the values of their keys; open addressing. */
typedef struct {
    Scene **scenes;
    int64_t number, room;
} SceneTable;

/* Whether all bytes are the same as one. */
static int is_all(const uint8_t *bytes, int32_t number, int byte) {
    int other = 0;
    for (int32_t i = 0; i < number; i++) other |= bytes[i] ^ byte;
    return !other;
}

/* All slices that events have named, each with the first event that did. */
typedef struct {
    Scene **scenes;
    int32_t *first;
    int64_t number, room, scanned;
} KeyList;

/* Triggers in order, each in its scene and with how surely the rules that share them apply so far. */
typedef struct {
    int made;
    int32_t number, room;
    const int32_t *rows;
    const uint8_t *states; /* NULL: all surely */
    Scene *const *scenes;
} TriggerList;

static inline int state_of_trigger(const TriggerList *list, int32_t i) {
    return list->states ? list->states[i] : YES;
}

/* The same while it is being made. */
typedef struct {
    int32_t number, room;
    int32_t *rows;
    uint8_t *states;
    Scene **scenes;
} NewTriggers;

static TriggerList listed(const NewTriggers *made) {
    TriggerList list = {.made = 1, .number = made->number, .rows = made->rows, .scenes = made->scenes};
    if (made->number && !is_all(made->states, made->number, YES)) list.states = made->states;
    return list;
}

/* The runs of an interval that triggers were found in. */
typedef struct {
    int32_t *of_rows; /* by row the number of its run, from 1; 0: not looked for yet; -1: there is none */
    Scene **scenes;
    int32_t number, room;
} RunScenes;

typedef struct {
    Engine *engine;
    Result *result;
    SceneTable *slices;   /* by slicing */
    KeyList *keys;        /* by slicing */
    RunScenes *runs;      /* by slicing, where it has no keys */
    NewTriggers of_row;   /* the slices of one trigger */
    NewTriggers together; /* triggers in their slices that are judged together */
    TriggerList *triggers; /* by their number in the plan */
    Scene run;            /* the last run of an interval */
    int64_t shown[5];
} Checking;

static uint64_t hash_of_keys(const Value *values, int64_t keys) {
    uint64_t hash = 1469598103934665603u;
    for (int64_t i = 0; i < keys; i++) {
        hash = (hash ^ (uint64_t)values[i].above ^ (uint64_t)values[i].state << 60) * 1099511628211u;
        hash ^= hash >> 31;
    }
    return hash;
}

static int same_keys(const Value *one, const Value *other, int64_t keys) {
    for (int64_t i = 0; i < keys; i++) {
        if (one[i].state != other[i].state) return 0;
        if (is_known(one[i]) && order_of(one[i], other[i]) != 0) return 0;
    }
    return 1;
}

static void enlarge(Engine *engine, SceneTable *table) {
    SceneTable larger = {.number = table->number, .room = 2 * table->room + 64};
    larger.scenes = take_zeros(engine->kept, larger.room, sizeof(Scene *));
    for (int64_t i = 0; i < table->room; i++) {
        if (!table->scenes[i]) continue;
        uint64_t at = hash_of_keys(table->scenes[i]->values, table->scenes[i]->keys) % (uint64_t)larger.room;
        while (larger.scenes[at]) at = (at + 1) % (uint64_t)larger.room;
        larger.scenes[at] = table->scenes[i];
    }
    *table = larger;
}

/* The slice of some keys. */
static Scene *slice_of(Checking *checking, const SlicingNode *by, const Value *values, int64_t keys) {
    Engine *engine = checking->engine;
    if (!keys) return &engine->whole;
    SceneTable *table = checking->slices + by->number;
    if (2 * table->number >= table->room) enlarge(engine, table);
    uint64_t at = hash_of_keys(values, keys) % (uint64_t)table->room;
    for (; table->scenes[at]; at = (at + 1) % (uint64_t)table->room) {
        if (same_keys(table->scenes[at]->values, values, keys)) return table->scenes[at];
    }
    Scene *scene = take_zeros(engine->kept, 1, sizeof(Scene));
    Value *own = take(engine->kept, keys, sizeof(Value));
    memcpy(own, values, (size_t)keys * sizeof(Value));
    scene->slicing = by->number;
    scene->by = by;
    scene->keys = keys;
    scene->values = own;
    for (int64_t i = 0; i < keys; i++) scene->keyed_by_unknown |= !is_known(values[i]);
    show_region(engine, scene, engine->whole.region);
    scene->memory = engine->kept;
    table->scenes[at] = scene;
    table->number++;
    return scene;
}

/* Whether a scene shows just these pieces of the log. */
static int shows(const Scene *scene, const Pieces *pieces, int complete) {
    int same = scene->complete == complete && scene->region.number == pieces->number;
    for (int32_t i = 0; i < pieces->number && same; i++) {
        const Piece *one = scene->region.pieces + i, *other = pieces->pieces + i;
        same = one->low == other->low && one->high == other->high && one->state == other->state;
    }
    return same;
}

/* The scene of a run, as it is seen from a row of it. */
static void make_run(Engine *engine, Scene *run, const SlicingNode *by, const Pieces *seen, int complete,
                     Arena *memory, int64_t row) {
    Piece *pieces = take(memory, seen->number, sizeof(Piece));
    memcpy(pieces, seen->pieces, (size_t)seen->number * sizeof(Piece));
    run->slicing = by->number;
    run->by = by;
    show_region(engine, run, (Pieces){pieces, seen->number});
    run->complete = complete;
    run->memory = memory;
    if (!engine->log->number_of_lost) return;
    for (int32_t i = 0; i < seen->number; i++) run->lost_border |= pieces[i].state == MISSING;
    run->unclear = lost_borders(engine, by->interval, row, &run->region, memory);
}

/* The run of an interval around a trigger, in its slice; NULL where there is none. */
static Scene *run_scene(Checking *checking, const SlicingNode *by, Scene *slice, int64_t row) {
    Engine *engine = checking->engine;
    Scene *run = &checking->run;
    if (run->by == by && run->values == slice->values && run->region.number == 1 && !engine->log->tables) {
        /* Between the borders of a sure run there is none of another. */
        Piece piece = run->region.pieces[0];
        int inside = piece.low < row && row < piece.high - 1;
        if (piece.state == YES && inside && !engine->kept_rows) return run;
    }
    engine->scene = slice;
    Place scratch = place_in(engine->scratch);
    Piece room;
    Region region = run_from(engine, by->interval, WHICH_THIS, row, &room);
    int state = state_in(&region.pieces, row);
    int same = run->by == by && run->values == slice->values && shows(run, &region.pieces, !region.growing);
    if (state != NO && !same) {
        give_back_to(engine->of_run, (Place){NULL, 0});
        memset(run, 0, sizeof *run);
        make_run(engine, run, by, &region.pieces, !region.growing, engine->of_run, row);
        run->keys = slice->keys;
        run->values = slice->values;
        run->keyed_by_unknown = slice->keyed_by_unknown;
    }
    give_back_to(engine->scratch, scratch);
    return state == NO ? NULL : run;
}

/* The same where the log is not cut by keys: each run is made once, for all rules that look at it. */
static Scene *scene_of_row(Checking *checking, const SlicingNode *by, int32_t row) {
    Engine *engine = checking->engine;
    if (by->interval < 0) return &engine->whole;
    RunScenes *known = checking->runs + by->number;
    if (!known->of_rows) known->of_rows = take_zeros(engine->kept, engine->log->size, sizeof(int32_t));
    int32_t number = known->of_rows[row];
    if (number) return number < 0 ? NULL : known->scenes[number - 1];
    Place scratch = place_in(engine->scratch);
    Piece room;
    engine->scene = &engine->whole;
    Region region = run_from(engine, by->interval, WHICH_THIS, row, &room);
    const Pieces *pieces = &region.pieces;
    Scene *last = known->number ? known->scenes[known->number - 1] : NULL;
    if (state_in(pieces, row) == NO) {
        known->of_rows[row] = -1;
        last = NULL;
    } else {
        if (!last || !shows(last, pieces, !region.growing)) {
            if (known->number == known->room) {
                int32_t larger = 2 * known->room + 64;
                Scene **scenes = take(engine->kept, larger, sizeof(Scene *));
                if (known->number) memcpy(scenes, known->scenes, (size_t)known->number * sizeof(Scene *));
                known->scenes = scenes;
                known->room = larger;
            }
            last = take_zeros(engine->kept, 1, sizeof(Scene));
            make_run(engine, last, by, pieces, !region.growing, engine->kept, row);
            known->scenes[known->number++] = last;
        }
        known->of_rows[row] = known->number;
        /* Between the borders of a sure run there is none of another. */
        for (int32_t inside = last->low + 1; last->is_plain && !engine->log->tables && inside < last->high - 1;
             inside++) {
            known->of_rows[inside] = known->number;
        }
    }
    give_back_to(engine->scratch, scratch);
    return last;
}

#endif
