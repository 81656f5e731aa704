/* What the next log needs of this one. A check that is still to come may look back: to the last shuffle, to
   the start of the round, or to the very beginning. Nobody knows yet where its trigger will stand, only
   that it comes after all that is here: so each phrase keeps the events of its own kind in the stretch that
   it can still see, and only as many as can matter. A check that is not settled will be judged again: what
   it looks at is kept by looking at it. */

#ifndef KEEPING_H
#define KEEPING_H

#include "checks.h"

typedef struct {
    Checking *checking;
    Engine *engine;
    const SlicingNode *by;
    int64_t low;    /* the first row that a later trigger can see */
    int too_far;    /* whether more may be looked at than can be told: then all is kept */
} Keeping;

static void look_back(Keeping *keeping, int64_t at);

/* ---- all events that a part of a plan speaks of ---- */

static void keep_types(Engine *engine, const int64_t *types, int64_t number) {
    const ByType *sorted = &engine->sorted;
    for (int64_t i = 0; i < number; i++) {
        for (int64_t j = sorted->borders[types[i]]; j < sorted->borders[types[i] + 1]; j++) {
            keep_row(engine, sorted->rows[j]);
        }
    }
}

static void keep_all_of(Engine *engine, int64_t at, uint8_t *visited);

static void keep_interval(Engine *engine, int64_t interval, uint8_t *visited) {
    if (interval >= 0) keep_all_of(engine, engine->task->intervals[interval], visited);
}

/* Every event of every type that a node and the nodes below it name. */
static void keep_all_of(Engine *engine, int64_t at, uint8_t *visited) {
    if (at < 0 || visited[at]) return;
    visited[at] = 1;
    const int64_t *node = engine->code + at;
    const NodeShape *shape = NODE_SHAPES + node[0];
    if (node[0] == NODE_PATTERN) {
        const PatternNode *pattern = NODE(Pattern, engine, at);
        keep_types(engine, pattern->items, pattern->size);
    }
    if (node[0] == NODE_EVENTS) keep_interval(engine, NODE(Events, engine, at)->interval, visited);
    if (node[0] == NODE_EDITION) keep_interval(engine, NODE(Edition, engine, at)->ends, visited);
    if (node[0] == NODE_SLICING) keep_interval(engine, NODE(Slicing, engine, at)->interval, visited);
    if (node[0] == NODE_EDGE) {
        const EdgeNode *edge = NODE(Edge, engine, at);
        for (int64_t i = 1; i < edge->size; i += 2) keep_all_of(engine, edge->items[i], visited);
    }
    for (int64_t i = 0; i < shape->parts; i++) {
        if (shape->is_node >> i & 1) keep_all_of(engine, node[1 + i], visited);
    }
    for (int64_t i = 0; shape->has_nodes && i < node[1 + shape->parts]; i++) {
        keep_all_of(engine, node[2 + shape->parts + i], visited);
    }
}

/* Whether a node, or one below it, looks at other events. */
static int speaks_of_events(Engine *engine, int64_t at) {
    if (at < 0) return 0;
    const int64_t *node = engine->code + at;
    const NodeShape *shape = NODE_SHAPES + node[0];
    if (node[0] == NODE_EVENTS) return 1;
    for (int64_t i = 0; i < shape->parts; i++) {
        if (shape->is_node >> i & 1 && speaks_of_events(engine, node[1 + i])) return 1;
    }
    for (int64_t i = 0; shape->has_nodes && i < node[1 + shape->parts]; i++) {
        if (speaks_of_events(engine, node[2 + shape->parts + i])) return 1;
    }
    return 0;
}

/* ---- from an event that is still to come ---- */

/* How surely the event at a place of a pool is meant, apart from its ties to later ones. */
static int state_of(Keeping *keeping, const EdgeNode *edge, const Pool *pool, int32_t place) {
    Engine *engine = keeping->engine;
    int state = pool->states ? pool->states[place] : YES;
    if (edge->costly < 0 || is_lost(engine, pool->rows[place])) return state;
    /* Whether it is meant in the slice of a later trigger may be another question. */
    if (keeping->by->keys) return both(state, MISSING);
    int32_t alone[MOST_VARS] = {pool->rows[place]};
    return both(state, truth_apart(engine, edge->costly, alone));
}

/* Keeps an event that a later one may look at, with all that tells whether it is meant. */
static void keep_meant(Keeping *keeping, const EdgeNode *edge, int32_t row) {
    Engine *engine = keeping->engine;
    keep_row(engine, row);
    if (edge->costly < 0 || is_lost(engine, row)) return;
    if (keeping->by->keys) {
        keeping->too_far = 1;
        return;
    }
    int32_t alone[MOST_VARS] = {row};
    truth_apart(engine, edge->costly, alone);
}

/* The columns by which later events choose among those of a phrase: their ties, and the keys of slices. */
typedef struct {
    int64_t columns[2 * MOST_VARS + MOST_JOINS];
    int64_t number;
} Chosen;

static int choose_columns(Keeping *keeping, const EventsNode *events, const EdgeNode *edge, Chosen *chosen) {
    Engine *engine = keeping->engine;
    const PatternNode *pattern = NODE(Pattern, engine, edge->pattern);
    chosen->number = 0;
    for (int64_t i = 0; i < edge->size; i += 2) chosen->columns[chosen->number++] = edge->items[i];
    for (int64_t key = 0; key < keeping->by->keys; key++) {
        int64_t column = pattern->size ? column_of_key(engine, keeping->by, key, pattern->items[0]) : -1;
        for (int64_t i = 1; i < pattern->size; i++) {
            if (column_of_key(engine, keeping->by, key, pattern->items[i]) != column) return 0;
        }
        if (column >= 0) chosen->columns[chosen->number++] = column;
    }
    for (int64_t i = 0; events && i < events->size && chosen->number < MOST_VARS; i++) {
        chosen->columns[chosen->number++] = events->items[i];
    }
    return 1;
}

/* Keeps the last (or first) few sure events of each combination of values, and all that may be of any. */
static void keep_few(Keeping *keeping, const EdgeNode *edge, const Pool *pool, const Chosen *chosen,
                     int64_t few, int first) {
    Engine *engine = keeping->engine;
    Place scratch = place_in(engine->scratch);
    int64_t room = 2 * (int64_t)pool->size + 1;
    int32_t *slots = take(engine->scratch, room, sizeof(int32_t));
    int64_t *counts = take_zeros(engine->scratch, room, sizeof(int64_t));
    for (int64_t i = 0; i < room; i++) slots[i] = -1;
    for (int32_t step = 0; step < pool->size; step++) {
        int32_t place = first ? step : pool->size - 1 - step, row = pool->rows[place];
        if (row < keeping->low) {
            if (!first) break;
            continue;
        }
        int state = state_of(keeping, edge, pool, place);
        if (state == NO) continue;
        uint64_t hash = 1469598103934665603u;
        int says = state == YES;
        for (int64_t i = 0; i < chosen->number && says; i++) {
            Value value = field_at(engine->log, engine->log->columns + chosen->columns[i], row);
            says = is_known(value);
            hash = (hash ^ (uint64_t)value.above ^ (uint64_t)value.below << 32) * 1099511628211u;
            hash ^= hash >> 29;
        }
        if (!says) {
            keep_meant(keeping, edge, row);
            continue;
        }
        int64_t at = (int64_t)(hash % (uint64_t)room);
        for (; slots[at] >= 0; at = (at + 1) % room) {
            int same = 1;
            for (int64_t i = 0; i < chosen->number && same; i++) {
                const Column *column = engine->log->columns + chosen->columns[i];
                same = order_of(field_at(engine->log, column, row),
                                field_at(engine->log, column, slots[at])) == 0;
            }
            if (same) break;
        }
        if (slots[at] < 0) slots[at] = row;
        if (counts[at]++ < few) keep_meant(keeping, edge, row);
        if (!chosen->number && counts[at] >= few && !first) break;
    }
    give_back_to(engine->scratch, scratch);
}

static void keep_all_meant(Keeping *keeping, const EdgeNode *edge, const Pool *pool, int64_t low) {
    int32_t place = place_of_row(pool->rows, pool->size, low > keeping->low ? low : keeping->low, 0);
    for (; place < pool->size; place++) {
        if (state_of(keeping, edge, pool, place) != NO) keep_meant(keeping, edge, pool->rows[place]);
    }
}

/* From which row on events lie since the last one that bounds a window; `clear` where nothing is in doubt. */
static int64_t look_back_to_bound(Keeping *keeping, int64_t at, int *clear) {
    Engine *engine = keeping->engine;
    const EdgeNode *edge = NODE(Edge, engine, at);
    const Pool *pool = pool_of(engine, edge->pattern);
    Chosen chosen;
    look_back(keeping, edge->costly);
    for (int64_t i = 1; i < edge->size; i += 2) look_back(keeping, edge->items[i]);
    int simple = edge->ties < 0 && choose_columns(keeping, NULL, edge, &chosen);
    if (speaks_of_events(engine, edge->ties)) keeping->too_far = 1;
    if (!simple) {
        *clear = 0;
        keep_all_meant(keeping, edge, pool, 0);
        return 0;
    }
    if (chosen.number) {
        *clear = 0;
        keep_few(keeping, edge, pool, &chosen, 1, 0);
        return 0;
    }
    for (int32_t place = pool->size - 1; place >= 0 && pool->rows[place] >= keeping->low; place--) {
        int state = state_of(keeping, edge, pool, place);
        if (state == NO) continue;
        keep_meant(keeping, edge, pool->rows[place]);
        if (state == YES) return pool->rows[place];
        *clear = 0;
    }
    return 0;
}

/* From which row on a run of an interval can still be seen. */
static int64_t look_back_to_run(Keeping *keeping, int64_t interval, int which, int *clear) {
    Engine *engine = keeping->engine;
    const IntervalNode *node = NODE(Interval, engine, engine->task->intervals[interval]);
    int64_t edges[] = {node->opens, node->closes};
    for (int i = 0; i < 2; i++) {
        const EdgeNode *edge = NODE(Edge, engine, edges[i]);
        look_back(keeping, edge->costly);
        if (edge->costly >= 0) keeping->too_far = 1;
        if (keeping->by->keys && !is_free_of_keys(engine, engine->scene, edges[i])) keeping->too_far = 1;
    }
    if (keeping->too_far || !engine->log->size) return 0;
    const Runs *runs = runs_in(engine, &engine->whole, interval, engine->log->size - 1);
    int needed = which == WHICH_PREVIOUS ? 3 : 1;
    int64_t low = engine->log->size;
    int inside = runs->number ? runs->marks[runs->number - 1].after : NO;
    if (which == WHICH_THIS && inside == NO) {
        keep_marks(engine, runs, runs->number, runs->number);
        return low;
    }
    for (int32_t i = runs->number - 1; i >= 0 && needed > 0; i--) {
        const Mark *mark = runs->marks + i;
        keep_row(engine, mark->row);
        low = mark->row;
        int sure = mark->opens == YES || (mark->closes == YES && mark->opens == NO);
        if (!sure) *clear = 0;
        needed -= which == WHICH_PREVIOUS ? mark->opens == YES : sure;
        if (!needed) keep_marks(engine, runs, i, i);
    }
    if (needed > 0) *clear = which == WHICH_THIS ? *clear : 0;
    return which == WHICH_PREVIOUS && needed > 0 ? 0 : low;
}

/* How many events can matter to a phrase that asks how many there are; -1 for all. */
static int64_t number_needed(Engine *engine, int64_t count) {
    if (engine->code[count] != NODE_CONSTANT) return -1;
    Value number = engine->log->constants[NODE(Constant, engine, count)->number];
    if (!is_known(number)) return -1;
    int64_t least = least_of(number), most = floor_of(number) + 1;
    int64_t needed = least > most ? least : most;
    return needed > 0 ? needed : 0;
}

/* A phrase, seen from a later event: `few` is how many of its events can matter (-1 for all), the last ones
   or the first ones. */
static void look_back_by_phrase(Keeping *keeping, int64_t at, int64_t few, int first, int64_t of_each) {
    Engine *engine = keeping->engine;
    const EventsNode *events = NODE(Events, engine, at);
    const EdgeNode *edge = NODE(Edge, engine, events->edge);
    const Pool *pool = pool_of(engine, edge->pattern);
    int64_t low = keeping->low;
    int clear = 1;
    look_back(keeping, events->within);
    look_back(keeping, events->at_least);
    look_back(keeping, edge->costly);
    for (int64_t i = 1; i < edge->size; i += 2) look_back(keeping, edge->items[i]);
    if (speaks_of_events(engine, edge->ties) || speaks_of_events(engine, of_each)) {
        /* What is asked of each event together with a later one cannot be asked yet. */
        if (speaks_of_events(engine, edge->ties)) keeping->too_far = 1;
        look_back(keeping, of_each);
    }
    if (events->interval >= 0) {
        int64_t run = look_back_to_run(keeping, events->interval, (int)events->which, &clear);
        if (run > low) low = run;
    }
    if (events->since >= 0) {
        int64_t bound = look_back_to_bound(keeping, events->since, &clear);
        if (bound > low) low = bound;
    }
    if (events->before >= 0) look_back(keeping, NODE(Edge, engine, events->before)->costly);
    if (events->reach == REACH_FUTURE || keeping->too_far) return;
    Chosen chosen;
    int64_t before = keeping->low;
    keeping->low = low;
    int simple = few >= 0 && clear && edge->ties < 0 && events->reach == REACH_PAST &&
                 events->which == WHICH_THIS && events->at_least < 0 && (!first || events->within < 0);
    if (events->per == PER_EARLIEST || (events->per == PER_LATEST && edge->size)) simple = 0;
    if (simple && choose_columns(keeping, events, edge, &chosen)) {
        keep_few(keeping, edge, pool, &chosen, few, first);
    } else {
        keep_all_meant(keeping, edge, pool, low);
    }
    keeping->low = before;
}

/* Marks what a part of a plan can look back at from any later event. */
static void look_back(Keeping *keeping, int64_t at) {
    Engine *engine = keeping->engine;
    if (at < 0 || keeping->too_far) return;
    const int64_t *node = engine->code + at;
    switch (node[0]) {
    case NODE_HOW_MANY: {
        const HowManyNode *many = NODE(HowMany, engine, at);
        look_back(keeping, many->count);
        look_back_by_phrase(keeping, many->events, number_needed(engine, many->count), 0, -1);
        return;
    }
    case NODE_EVERY: {
        const EveryNode *each = NODE(Every, engine, at);
        look_back_by_phrase(keeping, each->events, -1, 0, each->condition);
        if (speaks_of_events(engine, each->condition)) keeping->too_far = 1;
        return;
    }
    case NODE_AGGREGATE: {
        const AggregateNode *total = NODE(Aggregate, engine, at);
        int ends = total->function == AGGREGATE_FIRST || total->function == AGGREGATE_LAST;
        int first = total->function == AGGREGATE_FIRST;
        look_back_by_phrase(keeping, total->events, ends ? 1 : -1, first, total->value);
        if (speaks_of_events(engine, total->value)) keeping->too_far = 1;
        return;
    }
    case NODE_IN_ORDER: {
        const InOrderNode *order = NODE(InOrder, engine, at);
        look_back(keeping, order->start);
        look_back_by_phrase(keeping, order->events, -1, 0, order->value);
        if (speaks_of_events(engine, order->value)) keeping->too_far = 1;
        return;
    }
    case NODE_NEXT_SEAT: {
        const NextSeatNode *next = NODE(NextSeat, engine, at);
        look_back(keeping, next->start);
        look_back_by_phrase(keeping, next->events, -1, 0, next->value);
        if (speaks_of_events(engine, next->value)) keeping->too_far = 1;
        return;
    }
    default: break;
    }
    const NodeShape *shape = NODE_SHAPES + node[0];
    for (int64_t i = 0; i < shape->parts; i++) {
        if (shape->is_node >> i & 1) look_back(keeping, node[1 + i]);
    }
    for (int64_t i = 0; shape->has_nodes && i < node[1 + shape->parts]; i++) {
        look_back(keeping, node[2 + shape->parts + i]);
    }
}

/* ---- from a check that is not settled ---- */

static void look_at_exemption(Engine *engine, int64_t at, int32_t *hand) {
    const ExemptionNode *node = NODE(Exemption, engine, at);
    truth_apart(engine, node->condition, hand);
    for (int64_t i = 0; i < node->size; i++) look_at_exemption(engine, node->items[i], hand);
}

/* Looks at all that the check at a trigger looks at. */
static void look_at_check(Engine *engine, const EditionNode *edition, int32_t *hand) {
    Evidence thrown_away = {0};
    engine->evidence = &thrown_away;
    keep_row(engine, hand[0]);
    is_triggered(engine, edition, 0, hand);
    engine->evidence = NULL;
    const ItemsNode *asks = NODE(Items, engine, edition->applies);
    const ItemsNode *requires = NODE(Items, engine, edition->requires);
    const ItemsNode *excuse = NODE(Items, engine, edition->excuses);
    const ItemsNode *quotes = NODE(Items, engine, edition->quotes);
    for (int64_t i = 0; i < asks->size; i++) truth_apart(engine, asks->items[i], hand);
    for (int64_t i = 0; i < requires->size; i++) truth_apart(engine, requires->items[i], hand);
    for (int64_t i = 0; i < excuse->size; i++) look_at_exemption(engine, excuse->items[i], hand);
    for (int64_t i = 0; i < quotes->size; i++) value_apart(engine, quotes->items[i], hand);
}

static void look_in_slice(Keeping *keeping, const EditionNode *edition, Scene *slice, int32_t row) {
    Engine *engine = keeping->engine;
    Scene *scene = slice;
    if (keeping->by->interval >= 0) scene = run_scene(keeping->checking, keeping->by, slice, row);
    if (!scene) return;
    int32_t hand[MOST_VARS];
    hand[0] = row;
    engine->scene = scene;
    look_at_check(engine, edition, hand);
}

static void look_from_trigger(Keeping *keeping, const EditionNode *edition, int32_t row) {
    Engine *engine = keeping->engine;
    const SlicingNode *by = keeping->by;
    Value values[MOST_VARS];
    uint8_t is_own[MOST_VARS];
    int all_own = 1;
    for (int64_t key = 0; key < by->keys; key++) {
        is_own[key] = (uint8_t)bears_key(engine, by, key, engine->log->types[row]);
        all_own &= is_own[key];
        values[key] = key_of(engine, by, key, row);
    }
    if (all_own) {
        look_in_slice(keeping, edition, slice_of(keeping->checking, by, values, by->keys), row);
        return;
    }
    KeyList list = {0};
    SceneTable seen = {0};
    list_slices(keeping->checking, by, values, is_own, 0, row, &list, &seen);
    for (int64_t i = 0; i < list.number; i++) look_in_slice(keeping, edition, list.scenes[i], row);
}

/* ---- one edition ---- */

/* The first event of each combination of keys: it tells that there is such a slice. */
static void keep_one_of_each_key(Keeping *keeping) {
    Engine *engine = keeping->engine;
    const SlicingNode *by = keeping->by;
    const NumbersNode *relevant = NODE(Numbers, engine, by->relevant);
    KeyList list = {0};
    SceneTable seen = {0};
    for (int64_t row = 0; by->keys && row < engine->log->size; row++) {
        int64_t type = engine->log->types[row];
        if (type >= engine->types || !relevant->items[type]) continue;
        Value values[MOST_VARS];
        int tells = 0;
        for (int64_t key = 0; key < by->keys; key++) {
            values[key] = key_of(engine, by, key, row);
            tells |= is_known(values[key]);
        }
        int64_t before = list.number;
        if (tells) list_slice(keeping->checking, by, &list, &seen, values, row);
        if (list.number > before) keep_row(engine, row);
    }
}

static void keep_for_edition(Checking *checking, int64_t number, const int64_t *rows, int64_t waiting) {
    Engine *engine = checking->engine;
    int64_t at = engine->task->editions[number];
    const EditionNode *edition = NODE(Edition, engine, at);
    Keeping keeping = {.checking = checking, .engine = engine, .by = NODE(Slicing, engine, edition->slicing)};
    /* It is no longer law for what is to come. */
    if (engine->last_moment >= edition->expires && !waiting) return;
    engine->scene = &engine->whole;
    keep_one_of_each_key(&keeping);
    if (engine->log->tables) keeping.too_far = 1;
    int clear = 1;
    Value no_keys[MOST_VARS];
    for (int64_t key = 0; key < keeping.by->keys; key++) no_keys[key] = NOT_RECORDED;
    engine->scene = slice_of(checking, keeping.by, no_keys, keeping.by->keys);
    if (!keeping.too_far && keeping.by->interval >= 0) {
        keeping.low = look_back_to_run(&keeping, keeping.by->interval, WHICH_THIS, &clear);
        if (!clear) keeping.too_far = 1;
    }
    if (!keeping.too_far) {
        const EdgeNode *trigger = NODE(Edge, engine, edition->trigger);
        look_back(&keeping, trigger->costly);
        if (edition->ends >= 0) look_back_to_run(&keeping, edition->ends, WHICH_THIS, &clear);
        if (edition->since >= 0) {
            look_back_to_bound(&keeping, edition->since, &clear);
            look_back_to_bound(&keeping, edition->trigger, &clear);
        }
        int64_t parts[] = {edition->applies, edition->requires, edition->excuses, edition->quotes};
        for (int i = 0; i < 4; i++) look_back(&keeping, parts[i]);
    }
    for (int64_t i = 0; i < waiting && !keeping.too_far; i++) {
        look_from_trigger(&keeping, edition, (int32_t)rows[i]);
    }
    if (keeping.too_far) {
        Place scratch = place_in(engine->scratch);
        keep_all_of(engine, at, take_zeros(engine->scratch, engine->task->size_of_code, 1));
        give_back_to(engine->scratch, scratch);
    }
}

#endif
