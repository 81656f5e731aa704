/* Goes through the triggers of all editions, counts verdicts, and writes down the checks to be shown. */

#ifndef CHECKS_H
#define CHECKS_H

#include "judge.h"

/* ---- writing checks down ---- */

static void write_number(Engine *engine, Result *result, int64_t number) {
    if (result->size == result->room) {
        int64_t room = 2 * result->room + 1024;
        int64_t *larger = realloc(result->written, (size_t)room * sizeof(int64_t));
        if (!larger) fail(engine->kept);
        result->written = larger;
        result->room = room;
    }
    result->written[result->size++] = number;
}

static void write_value(Engine *engine, Result *result, Value value) {
    int limits = value.state == STATE_BOUNDED;
    write_number(engine, result, value.above);
    write_number(engine, result, value.below);
    write_number(engine, result, limits ? STATE_MISSING : value.state);
    write_number(engine, result, value.zone);
}

/* Judges a trigger once more, with its evidence, and writes it down. */
static void write_check(Engine *engine, Result *result, int64_t number, const EditionNode *edition,
                        int32_t *hand, int again) {
    Evidence evidence = {0};
    engine->evidence = &evidence;
    Judged judged = judge(engine, edition, 0, hand);
    engine->evidence = NULL;
    if (judged.verdict == DOES_NOT_APPLY) return;
    if (judged.verdict == VERDICT_OPEN) evidence.unsettled = 1;
    const ItemsNode *quotes = NODE(Items, engine, edition->quotes);
    int64_t head = result->size;
    int64_t said[HEAD_SIZE] = {
        [HEAD_EDITION] = number,
        [HEAD_ROW] = hand[0],
        [HEAD_VERDICT] = judged.verdict,
        [HEAD_UNMET] = judged.unmet,
        [HEAD_EXCUSE] = judged.excuse,
        [HEAD_LOST] = engine->lost_met,
        [HEAD_AGAIN] = again,
        [HEAD_KEYS] = engine->scene->keys,
        [HEAD_WITNESSES] = evidence.number,
        [HEAD_QUOTES] = quotes->size,
    };
    for (int i = 0; i < HEAD_SIZE; i++) write_number(engine, result, said[i]);
    for (int64_t key = 0; key < engine->scene->keys; key++) {
        write_number(engine, result, is_known(engine->scene->values[key]));
        write_number(engine, result, engine->scene->values[key].above);
    }
    for (int64_t i = 0; i < evidence.number; i++) {
        write_number(engine, result, evidence.list[i].row);
        write_number(engine, result, evidence.list[i].part);
    }
    for (int64_t i = 0; i < quotes->size; i++) {
        Value value = evaluate(engine, quotes->items[i], hand);
        if (value.state == STATE_OPEN) evidence.unsettled = 1;
        write_value(engine, result, value);
    }
    result->written[head + HEAD_UNSETTLED] = evidence.unsettled;
}

/* ---- the scenes of a trigger ---- */

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

/* ---- one edition ---- */

static int is_asked(const Engine *engine, const EditionNode *edition, int64_t row, int *again) {
    const Task *task = engine->task;
    if (is_lost(engine, row)) return 0;
    int64_t ts = engine->log->ts[row];
    if (ts < edition->begins || ts >= edition->expires) return 0;
    *again = row < task->fresh_from;
    if (*again) return task->again && task->again[row];
    return !task->asked || task->asked[row];
}

/* How many checks of a verdict are written down. */
static int64_t most_shown(const Task *task, int verdict) {
    switch (verdict) {
    case VERDICT_COMPLIED: return task->shown_complied;
    case VERDICT_VIOLATED: return INT64_MAX;
    case VERDICT_EXCUSED: return task->shown_excused;
    default: return task->shown_undecided;
    }
}

/* One check. */
static void check_in_scene(Checking *checking, int64_t number, const EditionNode *edition, Scene *scene,
                           int32_t row, int again, int known) {
    Engine *engine = checking->engine;
    int32_t hand[MOST_VARS];
    hand[0] = row;
    engine->scene = scene;
    if (again) {
        write_check(engine, checking->result, number, edition, hand, 1);
        return;
    }
    Judged judged = judge(engine, edition, known, hand);
    if (judged.verdict == DOES_NOT_APPLY) return;
    int64_t *counts = checking->result->counts + number * COUNTS;
    counts[judged.verdict]++;
    if (judged.verdict == VERDICT_UNDETERMINED && engine->lost_met) counts[COUNTS - 1]++;
    if (checking->shown[judged.verdict]++ < most_shown(engine->task, judged.verdict)) {
        write_check(engine, checking->result, number, edition, hand, 0);
    }
}

/* One check, in the run around it of a slice. */
static void check_in(Checking *checking, int64_t number, const EditionNode *edition, Scene *slice,
                     int32_t row, int again, int known) {
    const SlicingNode *by = NODE(Slicing, checking->engine, edition->slicing);
    Scene *scene = by->interval >= 0 ? run_scene(checking, by, slice, row) : slice;
    if (scene) check_in_scene(checking, number, edition, scene, row, again, known);
}

/* Takes the slice that an event names into a list, if it is not there yet. */
static void list_slice(Checking *checking, const SlicingNode *by, KeyList *list, SceneTable *seen,
                       const Value *values, int64_t row) {
    Engine *engine = checking->engine;
    Scene *slice = slice_of(checking, by, values, by->keys);
    if (2 * seen->number >= seen->room) enlarge(engine, seen);
    uint64_t at = hash_of_keys(values, by->keys) % (uint64_t)seen->room;
    for (; seen->scenes[at]; at = (at + 1) % (uint64_t)seen->room) {
        if (seen->scenes[at] == slice) return;
    }
    seen->scenes[at] = slice;
    seen->number++;
    if (list->number == list->room) {
        int64_t room = 2 * list->room + 16;
        Scene **scenes = take(engine->kept, room, sizeof(Scene *));
        int32_t *first = take(engine->kept, room, sizeof(int32_t));
        if (list->number) {
            memcpy(scenes, list->scenes, (size_t)list->number * sizeof(Scene *));
            memcpy(first, list->first, (size_t)list->number * sizeof(int32_t));
        }
        list->scenes = scenes;
        list->first = first;
        list->room = room;
    }
    list->scenes[list->number] = slice;
    list->first[list->number++] = (int32_t)row;
}

/* The slices that events up to a row have named, in the order of their first event. Keys that the trigger
   says itself must agree where an event says them. */
static void list_slices(Checking *checking, const SlicingNode *by, const Value *own,
                        const uint8_t *is_own, int64_t from, int64_t until, KeyList *list,
                        SceneTable *seen) {
    Engine *engine = checking->engine;
    const NumbersNode *relevant = NODE(Numbers, engine, by->relevant);
    for (int64_t row = from; row <= until; row++) {
        int64_t type = engine->log->types[row];
        if (type >= engine->types || !relevant->items[type]) continue;
        Value values[MOST_VARS];
        int tells = 1;
        for (int64_t key = 0; key < by->keys && tells; key++) {
            Value value = key_of(engine, by, key, row);
            values[key] = is_own[key] ? own[key] : value;
            if (!is_own[key]) tells = is_known(value);
            else if (is_known(value)) tells = is_known(own[key]) && order_of(value, own[key]) == 0;
        }
        if (tells) list_slice(checking, by, list, seen, values, row);
    }
}

static void put_trigger(Engine *engine, NewTriggers *list, int32_t row, Scene *scene, int state) {
    if (state == NO) return;
    if (list->number == list->room) {
        int32_t room = 2 * list->room + 64;
        int32_t *rows = take(engine->kept, room, sizeof(int32_t));
        uint8_t *states = take(engine->kept, room, 1);
        Scene **scenes = take(engine->kept, room, sizeof(Scene *));
        if (list->number) {
            memcpy(rows, list->rows, (size_t)list->number * sizeof(int32_t));
            memcpy(states, list->states, (size_t)list->number);
            memcpy(scenes, list->scenes, (size_t)list->number * sizeof(Scene *));
        }
        list->rows = rows;
        list->states = states;
        list->scenes = scenes;
        list->room = room;
    }
    list->rows[list->number] = row;
    list->scenes[list->number] = scene;
    list->states[list->number++] = (uint8_t)state;
}

/* A trigger of every slice by the keys that its type lacks: each that was seen so far in the events that the
   rule speaks of. */
static void list_every_key(Checking *checking, const EditionNode *edition, const Value *own,
                           const uint8_t *is_own, int32_t row, int is_sure, NewTriggers *triggers) {
    Engine *engine = checking->engine;
    const SlicingNode *by = NODE(Slicing, engine, edition->slicing);
    KeyList some = {0}, *list = &some;
    SceneTable seen = {0};
    if (memchr(is_own, 1, (size_t)by->keys)) {
        list_slices(checking, by, own, is_own, 0, row, list, &seen);
    } else {
        /* Without any key of its own, every trigger sees the same ones as those before it. */
        list = checking->keys + by->number;
        if (!list->scanned) {
            list_slices(checking, by, own, is_own, 0, engine->log->size - 1, list, &seen);
            list->scanned = 1;
        }
    }
    for (int64_t i = 0; i < list->number && list->first[i] <= row; i++) {
        put_trigger(engine, triggers, row, list->scenes[i], is_sure ? YES : MISSING);
    }
}

/* A trigger in all slices that it belongs to; `YES` stands for: what its own fields say surely holds. */
static void list_slices_of(Checking *checking, const EditionNode *edition, int32_t row, int is_sure,
                           NewTriggers *triggers) {
    Engine *engine = checking->engine;
    const SlicingNode *by = NODE(Slicing, engine, edition->slicing);
    int all_own = 1;
    Value values[MOST_VARS];
    uint8_t is_own[MOST_VARS];
    for (int64_t key = 0; key < by->keys; key++) {
        is_own[key] = (uint8_t)bears_key(engine, by, key, engine->log->types[row]);
        all_own &= is_own[key];
        values[key] = key_of(engine, by, key, row);
    }
    if (all_own) {
        put_trigger(engine, triggers, row, slice_of(checking, by, values, by->keys), is_sure ? YES : MISSING);
    } else {
        list_every_key(checking, edition, values, is_own, row, is_sure, triggers);
    }
}

/* Whether an edition is for tables that have chosen otherwise, or where other things happen; many editions
   ask the same. */
static int is_for_others(Engine *engine, const EditionNode *edition) {
    const ItemsNode *elections = NODE(Items, engine, edition->elections);
    if (!pool_of(engine, edition->source)->size) return 1;
    for (int64_t i = 0; i < elections->size; i++) {
        const Elections *found = elections_of(engine, elections->items[i]);
        if (found && found->number == 1 && found->said[0] == NO) return 1;
    }
    const ItemsNode *applies = NODE(Items, engine, edition->applies);
    for (int64_t i = 0; i < applies->size; i++) {
        if (fixed_truth(engine, applies->items[i]) == NO) return 1;
    }
    return 0;
}

/* ---- the triggers of rules without keys, found once for all that begin alike ---- */


/* How surely an event triggers a rule in a scene, and whether a lost record leaves that in doubt. `state`
   tells how surely its own fields say so. */
static int triggered_by(Engine *engine, const EditionNode *edition, int32_t row, Scene *scene, int state,
                        int by_scene, int *lost) {
    int32_t hand[MOST_VARS] = {row};
    engine->scene = scene;
    engine->lost_met = 0;
    if (!by_scene) state = both(state, is_triggered(engine, edition, 1, hand));
    else if (!scene->is_plain) state = both(state, state_in(&scene->region, row));
    if (state > YES) {
        /* Perhaps what the table had elected is lost, on which the rule hangs. */
        const ItemsNode *asks = NODE(Items, engine, edition->applies);
        for (int64_t i = 0; i < edition->plain; i++) truth(engine, asks->items[i], hand);
    }
    *lost = engine->lost_met ? BY_LOSS : 0;
    return state;
}

/* Puts an event into a list, in its own scene, if it triggers the rules or may do so. What more than the
   scene is asked of many triggers together is asked later. */
static void list_trigger(Checking *checking, const EditionNode *edition, NewTriggers *list, int32_t row,
                         int state, int by_scene) {
    Engine *engine = checking->engine;
    if (is_lost(engine, row)) return;
    Scene *scene = scene_of_row(checking, NODE(Slicing, engine, edition->slicing), row);
    if (!scene) return;
    int lost = 0;
    if (!by_scene || state != YES) {
        state = triggered_by(engine, edition, row, scene, state, by_scene, &lost);
    } else if (!scene->is_plain) {
        state = both(state, state_in(&scene->region, row));
    }
    put_trigger(engine, list, row, scene, state == NO ? NO : state | lost);
}

/* The triggers of a list from one place on, as many as are looked at together. */
static Many part_of(const TriggerList *list, int32_t from) {
    int32_t left = list->number - from;
    Many many = {.number = left < AT_ONCE ? left : AT_ONCE, .vars = 1, .scenes = list->scenes + from};
    many.hand[0] = list->rows + from;
    return many;
}

/* Those of a wider list of which one more condition holds or may hold. */
static TriggerList narrower(Engine *engine, const TriggerList *wider, int64_t condition) {
    int32_t size = wider->number, kept = 0;
    int fixed = fixed_truth(engine, condition);
    if (fixed == YES || !size) return *wider;
    if (fixed == NO) return (TriggerList){.made = 1};
    Place scratch = place_in(engine->scratch);
    uint8_t *answers = take(engine->scratch, size, 1);
    for (int32_t from = 0; from < size; from += AT_ONCE) {
        Many many = part_of(wider, from);
        truth_many(engine, condition, &many, answers + from);
    }
    for (int32_t i = 0; i < size; i++) {
        int before = state_of_trigger(wider, i), state = both(before & ANSWER, answers[i] & ANSWER);
        if (state != NO) state |= (before | answers[i]) & BY_LOSS;
        answers[i] = (uint8_t)state;
        kept += state != NO;
    }
    TriggerList list = *wider;
    if (!is_all(answers, size, YES)) {
        int32_t *rows = take(engine->kept, (int64_t)kept + 1, sizeof(int32_t));
        uint8_t *states = take(engine->kept, (int64_t)kept + 1, 1);
        Scene **scenes = take(engine->kept, (int64_t)kept + 1, sizeof(Scene *));
        NewTriggers made = {kept, kept, rows, states, scenes};
        for (int32_t i = 0, next = 0; i < size; i++) {
            /* The last one is written over by the next, or lies behind the end. */
            rows[next] = wider->rows[i];
            states[next] = answers[i];
            scenes[next] = wider->scenes[i];
            next += answers[i] != NO;
        }
        list = listed(&made);
    }
    give_back_to(engine->scratch, scratch);
    return list;
}

/* `first X since Y`: only the next X after a Y can be meant, and mostly there are few Y. */
static void list_first_ones(Checking *checking, const EditionNode *edition, const Pool *source,
                            NewTriggers *list) {
    Engine *engine = checking->engine;
    const Pool *triggers = pool_of(engine, NODE(Edge, engine, edition->trigger)->pattern);
    const Pool *since = pool_of(engine, NODE(Edge, engine, edition->since)->pattern);
    int32_t last = -1, near = 0, near_source = 0;
    for (int32_t i = 0; i < since->size; i++) {
        near = place_of_row(triggers->rows, triggers->size, (int64_t)since->rows[i] + 1, near);
        if (near == triggers->size) return;
        int32_t row = triggers->rows[near];
        if (row == last) continue;
        last = row;
        near_source = place_of_row(source->rows, source->size, row, near_source);
        if (near_source == source->size) return;
        if (source->rows[near_source] == row) list_trigger(checking, edition, list, row, YES, 0);
    }
}

static int is_never_in_doubt(Engine *engine, int64_t at) {
    const EdgeNode *edge = NODE(Edge, engine, at);
    return edge->costly < 0 && !pool_of(engine, edge->pattern)->states;
}

/* Whether every event surely belongs to what the rule sees, or surely does not. */
static int has_sure_scenes(Engine *engine, const SlicingNode *by) {
    if (by->interval < 0) return 1;
    const IntervalNode *interval = NODE(Interval, engine, engine->task->intervals[by->interval]);
    return is_never_in_doubt(engine, interval->opens) && is_never_in_doubt(engine, interval->closes);
}

/* Triggers whose scenes are all sure. */
static TriggerList in_plain_runs(Checking *checking, const SlicingNode *by, const Pool *source) {
    Engine *engine = checking->engine;
    const RunScenes *known = checking->runs + by->number;
    int32_t *rows = take(engine->kept, (int64_t)source->size + 1, sizeof(int32_t)), number = 0;
    Scene **scenes = take(engine->kept, (int64_t)source->size + 1, sizeof(Scene *));
    for (int32_t i = 0; i < source->size; i++) {
        int32_t row = source->rows[i], run = known->of_rows ? known->of_rows[row] : 0;
        Scene *scene = run > 0 ? known->scenes[run - 1] : run ? NULL : scene_of_row(checking, by, row);
        rows[number] = row;
        scenes[number] = scene;
        number += scene != NULL;
    }
    return (TriggerList){.made = 1, .number = number, .rows = rows, .scenes = scenes};
}

/* All triggers of an edition without keys, by their own fields, their scenes and what they are the first
   since. */
static TriggerList first_triggers(Checking *checking, const EditionNode *edition) {
    Engine *engine = checking->engine;
    const Pool *source = pool_of(engine, edition->source);
    const SlicingNode *by = NODE(Slicing, engine, edition->slicing);
    int64_t costly = NODE(Edge, engine, edition->trigger)->costly;
    int by_scene = edition->ends < 0 && edition->since < 0;
    TriggerList list;
    NewTriggers made = {0};
    if (edition->since >= 0 && !source->states && is_never_in_doubt(engine, edition->trigger) &&
        has_sure_scenes(engine, by)) {
        list_first_ones(checking, edition, source, &made);
        return listed(&made);
    }
    if (by_scene && by->interval < 0 && !source->states) {
        list = (TriggerList){
            .made = 1, .number = source->size, .rows = source->rows, .scenes = engine->always_whole};
    } else if (by_scene && !source->states && !engine->log->tables && has_sure_scenes(engine, by)) {
        list = in_plain_runs(checking, by, source);
    } else {
        for (int32_t place = 0; place < source->size; place++) {
            int state = source->states ? source->states[place] : YES;
            list_trigger(checking, edition, &made, source->rows[place], state, by_scene);
        }
        list = listed(&made);
    }
    return by_scene && costly >= 0 ? narrower(engine, &list, costly) : list;
}

/* Those of which the conditions of a list hold, or may hold. */
static const TriggerList *triggers_of(Checking *checking, const EditionNode *edition, int64_t at) {
    Engine *engine = checking->engine;
    const TriggersNode *node = NODE(Triggers, engine, at);
    TriggerList *list = checking->triggers + node->number;
    if (list->made) return list;
    if (node->wider >= 0) {
        *list = narrower(engine, triggers_of(checking, edition, node->wider), node->condition);
    } else {
        *list = first_triggers(checking, edition);
    }
    list->made = 1;
    return list;
}

/* Whether checks at all events are asked for, for the first time. */
static int all_asked(const Engine *engine, const EditionNode *edition) {
    const Task *task = engine->task;
    return edition->begins <= engine->first_moment && edition->expires > engine->last_moment &&
           task->fresh_from <= 0 && !task->asked;
}

/* Counts the checks of a list all together; those that are to be shown are judged one by one. */
static void check_list(Checking *checking, int64_t number, const EditionNode *edition,
                       const TriggerList *list) {
    Engine *engine = checking->engine;
    int64_t *counts = checking->result->counts + number * COUNTS;
    int is_plain = all_asked(engine, edition) && !engine->task->shown_complied;
    uint8_t verdicts[AT_ONCE];
    for (int32_t from = 0; from < list->number; from += AT_ONCE) {
        Many many = part_of(list, from);
        judge_many(engine, edition, &many, list->states ? list->states + from : NULL, verdicts);
        if (is_plain && is_all(verdicts, many.number, VERDICT_COMPLIED)) {
            counts[VERDICT_COMPLIED] += many.number;
            continue;
        }
        for (int32_t i = 0; i < many.number; i++) {
            int again = 0, verdict = verdicts[i] & ANSWER;
            int32_t row = many.hand[0][i];
            if (!is_asked(engine, edition, row, &again)) continue;
            if (again || checking->shown[verdict] < most_shown(engine->task, verdict)) {
                int is_sure = (state_of_trigger(list, from + i) & ANSWER) == YES;
                check_in_scene(checking, number, edition, many.scenes[i], row, again,
                               is_sure ? RULE_APPLIES : NOTHING_KNOWN);
                continue;
            }
            int lost = verdicts[i] & BY_LOSS || many.scenes[i]->lost_border;
            counts[verdict]++;
            counts[COUNTS - 1] += verdict == VERDICT_UNDETERMINED && lost;
        }
    }
}

/* Of triggers in their slices, keeps those to which the rule surely or perhaps applies. */
static void keep_applying(Engine *engine, const EditionNode *edition, NewTriggers *triggers) {
    const ItemsNode *asks = NODE(Items, engine, edition->applies);
    int32_t kept = 0;
    for (int32_t i = 0; i < triggers->number; i++) {
        int lost = 0, state = triggered_by(engine, edition, triggers->rows[i], triggers->scenes[i],
                                           triggers->states[i], 0, &lost);
        if (state == NO) continue;
        triggers->rows[kept] = triggers->rows[i];
        triggers->scenes[kept] = triggers->scenes[i];
        triggers->states[kept++] = (uint8_t)(state | lost);
    }
    triggers->number = kept;
    if (!kept || asks->size == edition->plain) return;
    uint8_t answers[AT_ONCE];
    Place scratch = place_in(engine->scratch);
    TriggerList list = listed(triggers);
    Many many = part_of(&list, 0);
    join_many(engine, asks->items + edition->plain, asks->size - edition->plain, NO, &many, answers);
    give_back_to(engine->scratch, scratch);
    kept = 0;
    for (int32_t i = 0; i < triggers->number; i++) {
        int before = triggers->states[i], state = both(before & ANSWER, answers[i] & ANSWER);
        if (state == NO) continue;
        if (state != NO) state |= (before | answers[i]) & BY_LOSS;
        triggers->rows[kept] = triggers->rows[i];
        triggers->scenes[kept] = triggers->scenes[i];
        triggers->states[kept++] = (uint8_t)state;
    }
    triggers->number = kept;
}

static void check_together(Checking *checking, int64_t number, const EditionNode *edition) {
    keep_applying(checking->engine, edition, &checking->together);
    TriggerList list = listed(&checking->together);
    check_list(checking, number, edition, &list);
    checking->together.number = 0;
}

/* The checks of a rule for each slice of the log. */
static void check_slices(Checking *checking, int64_t number, const EditionNode *edition) {
    Engine *engine = checking->engine;
    const SlicingNode *by = NODE(Slicing, engine, edition->slicing);
    const Pool *source = pool_of(engine, edition->source);
    NewTriggers *of_row = &checking->of_row, *together = &checking->together;
    together->number = 0;
    for (int32_t place = 0; place < source->size; place++) {
        int32_t row = source->rows[place];
        int is_sure = !source->states || source->states[place] == YES, again = 0;
        if (!is_asked(engine, edition, row, &again)) continue;
        of_row->number = 0;
        list_slices_of(checking, edition, row, is_sure, of_row);
        for (int32_t i = 0; i < of_row->number; i++) {
            if (by->interval >= 0) {
                /* The runs of a slice are looked at one after the other. */
                check_in(checking, number, edition, of_row->scenes[i], row, again,
                         is_sure ? FIELDS_HOLD : NOTHING_KNOWN);
                continue;
            }
            put_trigger(engine, together, row, of_row->scenes[i], of_row->states[i]);
            if (together->number < AT_ONCE) continue;
            check_together(checking, number, edition);
        }
    }
    check_together(checking, number, edition);
}

static void check_edition(Checking *checking, int64_t number) {
    Engine *engine = checking->engine;
    const EditionNode *edition = NODE(Edition, engine, engine->task->editions[number]);
    engine->scene = &engine->whole;
    if (edition->begins > engine->last_moment || edition->expires <= engine->first_moment) return;
    if (is_for_others(engine, edition)) return;
    memset(checking->shown, 0, sizeof checking->shown);
    if (!NODE(Slicing, engine, edition->slicing)->keys) {
        check_list(checking, number, edition, triggers_of(checking, edition, edition->triggers));
        return;
    }
    check_slices(checking, number, edition);
}

#endif
