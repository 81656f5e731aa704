/* The triggers of rules, each in its scene: found once for all rules that begin alike. */

#ifndef TRIGGERS_H
#define TRIGGERS_H

#include "trigger_scenes.h"

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

/* Whether every event surely belongs to what the rule sees, or surely does not, seen from a row. */
static int is_seen_plainly(Checking *checking, const SlicingNode *by, int32_t row) {
    const Scene *scene = scene_of_row(checking, by, row);
    return !scene || scene->is_plain;
}

/* `first X since Y`: only the next X after what may be a Y, or after what may be an X, can be meant, and
   mostly there are few of these. Where it is in doubt what the rule sees, each is asked. */
static void list_first_ones(Checking *checking, const EditionNode *edition, const Pool *source,
                            NewTriggers *list) {
    Engine *engine = checking->engine;
    const SlicingNode *by = NODE(Slicing, engine, edition->slicing);
    const Pool *triggers = pool_of(engine, NODE(Edge, engine, edition->trigger)->pattern);
    const Pool *since = pool_of(engine, NODE(Edge, engine, edition->since)->pattern);
    uint8_t *may_be_first = take_zeros(engine->kept, (int64_t)triggers->size + 1, 1);
    int32_t near = 0;
    for (int32_t i = 0; i < since->size; i++) {
        near = place_of_row(triggers->rows, triggers->size, (int64_t)since->rows[i] + 1, near);
        may_be_first[near] = 1;
    }
    for (int32_t i = 0; i < triggers->size && triggers->states; i++) may_be_first[i + 1] |= triggers->states[i] != YES;
    int sure_scenes = has_sure_scenes(engine, by);
    near = 0;
    for (int32_t i = 0; i < source->size; i++) {
        int32_t row = source->rows[i];
        while (triggers->rows[near] < row) near++;
        if (!may_be_first[near] && (sure_scenes || is_seen_plainly(checking, by, row))) continue;
        list_trigger(checking, edition, list, row, source->states ? source->states[i] : YES, 0);
    }
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
    if (edition->since >= 0 && costly < 0) {
        list_first_ones(checking, edition, source, &made);
        return listed(&made);
    }
    if (by_scene && by->interval < 0 && !source->states) {
        list = (TriggerList){
            .made = 1, .number = source->size, .rows = source->rows, .scenes = whole_for(engine, source->size)};
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

#endif
