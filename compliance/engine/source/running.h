/* What lies in the past of those who look only grows. Counts, sums and `every` over all of it, in the whole log
   or in a slice, go on where the one before stopped, instead of going through everything again. */

#ifndef RUNNING_H
#define RUNNING_H

#include "many_phrases.h"

typedef struct Running {
    int64_t at, value;           /* the node that asks, and the value of the field that ties events to it */
    const int32_t *first, *next, *end; /* places of the pool that have it; none where all have */
    const int32_t *first_other, *other, *other_end; /* and those that do not say it */
    int32_t low, place;          /* where all have it: the first one, and the first that is not looked at yet */
    int32_t until;               /* the first row that is not looked at yet */
    int64_t number, sum;
    Doubts doubts;
    int64_t answers[2 * BY_LOSS]; /* of `every`: how many events have each answer */
    KeyTable keys;                /* of `per`: the events that count, and what they answer */
    int64_t number_of_keys;
    uint8_t *said;
    int begun_again, lost;
    int in_doubt;                 /* whether it must be asked by itself from here on */
    int unfinished;               /* whether it was left in the middle: see spend() */
} Running;

/* To begin again is worth it for each rule that asks, not for each who looks. */
enum { MOST_BEGINNINGS = 16, SOME = 4 };

/* A run of an interval is short: there nothing need go on. */
static int is_long(const Scene *scene) {
    return scene->is_plain && (!scene->by || scene->by->interval < 0);
}

/* Whether all events that a phrase looks for lie in the past of who looks, in order of the log. */
static int goes_on(const Phrase *phrase, const Many *many) {
    return sees_all_past(phrase->node) && phrase->joins < 2 && phrase->ties < 0 &&
           phrase->pool->size > SOME && many->number && is_long(many->scenes[0]);
}

static void begin_again(Running *running) {
    running->next = running->first;
    running->other = running->first_other;
    running->doubts = (Doubts){0};
    running->place = running->low;
    running->until = running->lost = 0;
    running->number = running->sum = running->number_of_keys = running->keys.room = 0;
    memset(running->answers, 0, sizeof running->answers);
}

static uint64_t running_slot(Running *const *slots, int64_t room, int64_t at, int64_t value) {
    uint64_t slot = ((uint64_t)at * 1099511628211u ^ (uint64_t)value * 1469598103934665603u) % (uint64_t)room;
    while (slots[slot] && (slots[slot]->at != at || slots[slot]->value != value)) slot = (slot + 1) % (uint64_t)room;
    return slot;
}

static void enlarge_running(Engine *engine, Scene *scene) {
    int64_t room = 2 * scene->room_for_running + 16;
    Running **slots = take_zeros(engine->kept, room, sizeof(Running *));
    for (int64_t i = 0; i < scene->room_for_running; i++) {
        Running *one = scene->running[i];
        if (one) slots[running_slot(slots, room, one->at, one->value)] = one;
    }
    scene->running = slots;
    scene->room_for_running = room;
}

/* The places of the pool with a value, and those that do not say it. */
static void list_places(Engine *engine, Pool *pool, int64_t column, int64_t value, Running *running) {
    Steps steps = {.next = 0, .end = pool->size};
    use_index(engine, pool, column, value, &steps);
    running->first = steps.one;
    running->end = steps.one_end;
    running->first_other = steps.other;
    running->other_end = steps.other_end;
}

/* What was found so far in a scene. */
static Running *running_in(Engine *engine, const Phrase *phrase, int64_t at, Scene *scene, int32_t i) {
    int64_t value = phrase->joins ? phrase->wanted[0][i] : 0;
    if (2 * scene->number_of_running >= scene->room_for_running) enlarge_running(engine, scene);
    Running **slot = scene->running + running_slot(scene->running, scene->room_for_running, at, value);
    if (*slot) return *slot;
    Running *running = *slot = take_zeros(engine->kept, 1, sizeof(Running));
    scene->number_of_running++;
    running->at = at;
    running->value = value;
    if (phrase->joins) {
        running->in_doubt = scene->keys > 0;
        list_places(engine, phrase->pool, phrase->edge->items[0], value, running);
    } else if (scene->keys) {
        int64_t column = column_of_all(engine, scene, phrase->pool);
        running->in_doubt = scene->keys != 1 || !is_known(scene->values[0]) || scene->values[0].below != 1 || column < 0;
        if (!running->in_doubt) list_places(engine, phrase->pool, column, scene->values[0].above, running);
    } else {
        running->low = place_of_row(phrase->pool->rows, phrase->pool->size, scene->low, 0);
    }
    begin_again(running);
    return running;
}

/* The next place before a row but for lost records, and how surely it is meant; or -1. */
static int32_t next_running(const Engine *engine, Running *running, const Pool *pool, int32_t end, int *state) {
    int32_t place = INT32_MAX;
    *state = YES;
    if (!running->first) {
        while (running->place < pool->size && is_lost(engine, pool->rows[running->place])) running->place++;
        if (running->place >= pool->size || pool->rows[running->place] >= end) return -1;
        place = running->place++;
    } else {
        if (running->next < running->end) place = *running->next;
        if (running->other < running->other_end && *running->other < place) {
            place = *running->other;
            *state = MISSING;
        }
        if (place == INT32_MAX || pool->rows[place] >= end) return -1;
        if (*state == YES) running->next++;
        else running->other++;
    }
    if (pool->states) *state = both(*state, pool->states[place]);
    return place;
}

/* The lost records that one passes over on the way. */
static LostBetween lost_until(Engine *engine, Pool *pool, const Running *running, int32_t end) {
    if (!lost_places(engine, pool)) return (LostBetween){0, -1, -1, 0};
    pool->finger = place_of_row(pool->rows, pool->size, end, pool->finger);
    return lost_between(engine, pool, running->low, pool->finger);
}

/* Goes on to where one of many looks from; NULL where it must be asked by itself. */
static Running *go_on(Engine *engine, const Phrase *phrase, int64_t at, const Many *many, int32_t i, int32_t *end) {
    Scene *scene = many->scenes[i];
    *end = many->hand[phrase->node->at][i] + (int32_t)phrase->node->inclusive;
    engine->lost_met = 0;
    if (!is_long(scene) || !wants_numbers(engine, phrase, i)) return NULL;
    Running *running = running_in(engine, phrase, at, scene, i);
    if (!running->in_doubt && (running->unfinished || *end < running->until)) {
        running->in_doubt = running->begun_again++ > MOST_BEGINNINGS;
        begin_again(running);
    }
    if (running->in_doubt) return NULL;
    running->lost |= engine->lost_met;
    running->until = *end;
    running->unfinished = 1;
    engine->scene = scene;
    return running;
}

/* How surely an event is meant; where only the rest of the log tells, all that comes after it is asked by
   itself. */
static int is_meant(Engine *engine, const Phrase *phrase, Running *running, int32_t row, int state) {
    int32_t hand[MOST_VARS] = {row};
    if (phrase->edge->costly < 0) return state;
    engine->lost_met = 0;
    state = both(state, truth(engine, phrase->edge->costly, hand));
    running->lost |= engine->lost_met;
    running->in_doubt |= state == OPEN;
    return state;
}

/* ---- totals ---- */

static int64_t number_slot(const KeyTable *numbers, const int32_t *column, int32_t place) {
    uint64_t slot = (uint64_t)column[place] * 11400714819323198485u % (uint64_t)numbers->room;
    while (numbers->rows[slot] >= 0 && column[numbers->rows[slot]] != column[place]) {
        slot = (slot + 1) % (uint64_t)numbers->room;
    }
    return (int64_t)slot;
}

/* Takes one more number in, for how many different ones there are. */
static void take_number(Engine *engine, Running *running, const int32_t *column, int32_t place) {
    if (2 * running->number_of_keys >= running->keys.room) {
        KeyTable old = running->keys, larger = {.room = 2 * old.room + 64};
        larger.rows = take(engine->kept, larger.room, sizeof(int32_t));
        for (int64_t i = 0; i < larger.room; i++) larger.rows[i] = -1;
        for (int64_t i = 0; i < old.room; i++) {
            if (old.rows[i] >= 0) larger.rows[number_slot(&larger, column, old.rows[i])] = old.rows[i];
        }
        running->keys = larger;
    }
    int64_t slot = number_slot(&running->keys, column, place);
    running->number_of_keys += running->keys.rows[slot] < 0;
    running->keys.rows[slot] = place;
}

/* Takes one more event into a total; without a column it is only counted. */
static void take_into_total(Engine *engine, Running *running, int function, const int32_t *column, int32_t place,
                            int state) {
    int64_t number = column ? column[place] : 0;
    if (state != YES || number == NO_NUMBER) {
        take_doubt(&running->doubts, number, state, 1);
        return;
    }
    if (function == AGGREGATE_SUM) running->sum += number;
    else if (function == AGGREGATE_DISTINCT) take_number(engine, running, column, place);
    else if (!running->number) running->sum = number;
    else if (function == AGGREGATE_SMALLEST && number < running->sum) running->sum = number;
    else if (function == AGGREGATE_LARGEST && number > running->sum) running->sum = number;
    running->number++;
}

/* Whether a total can go on. */
static int adds_up(int64_t function) {
    return function == AGGREGATE_COUNT || function == AGGREGATE_SUM || function == AGGREGATE_DISTINCT ||
           function == AGGREGATE_SMALLEST || function == AGGREGATE_LARGEST;
}

/* The total as one of many sees it; NOT_PLAIN where it must be asked by itself. */
static Plain running_total(Engine *engine, const Phrase *phrase, int64_t at, const AggregateNode *node, const Many *many,
                           int32_t i, const int32_t *column) {
    int32_t end, place;
    int state, function = (int)node->function;
    Running *running = go_on(engine, phrase, at, many, i, &end);
    while (running && !running->in_doubt &&
           (place = next_running(engine, running, phrase->pool, end, &state)) >= 0) {
        state = is_meant(engine, phrase, running, phrase->pool->rows[place], state);
        if (state != NO) take_into_total(engine, running, function, column, place, state);
    }
    if (running) running->unfinished = 0;
    if (!running || running->in_doubt) return (Plain){0, NOT_PLAIN, 0};
    LostBetween passed = lost_until(engine, phrase->pool, running, end);
    int64_t sure = function == AGGREGATE_COUNT      ? running->number
                   : function == AGGREGATE_DISTINCT ? running->number_of_keys
                                                    : running->sum;
    int lost = running->lost || passed.number, ends = function == AGGREGATE_SMALLEST || function == AGGREGATE_LARGEST;
    Doubts doubts = running->doubts;
    if (passed.number) take_doubt(&doubts, NO_NUMBER, MISSING, passed.times);
    if (doubts.weight || doubts.lacking) return limits_of(node, sure, &doubts, lost);
    return (Plain){sure, ends && !running->number ? STATE_NOTHING : STATE_KNOWN, (uint8_t)lost};
}

/* ---- every ---- */

/* Whether a condition asks nothing of events in hand before one, so that its answer is the same for all who
   look. */
static int asks_from(const Engine *engine, int64_t at, int64_t var) {
    if (at < 0) return 1;
    const int64_t *node = engine->code + at;
    const NodeShape *shape = NODE_SHAPES + node[0];
    switch (node[0]) {
    case NODE_FIELD:
    case NODE_MOMENT:
    case NODE_SEQUENCE:
    case NODE_TYPE_NAME:
    case NODE_OPTION:
    case NODE_SEEN_FROM: return node[1] >= var;
    case NODE_MEMO:
    case NODE_RECORDED: return 0;
    case NODE_PATTERN: return 1;
    case NODE_EVENTS:
        if (NODE(Events, engine, at)->at < var) return 0;
        break;
    case NODE_EDGE: {
        const EdgeNode *edge = NODE(Edge, engine, at);
        for (int64_t i = 1; i < edge->size; i += 2) {
            if (!asks_from(engine, edge->items[i], var)) return 0;
        }
        return asks_from(engine, edge->ties, var);
    }
    default: break;
    }
    for (int64_t i = 0; i < shape->parts; i++) {
        if (shape->is_node >> i & 1 && !asks_from(engine, node[1 + i], var)) return 0;
    }
    for (int64_t i = 0; shape->has_nodes && i < node[1 + shape->parts]; i++) {
        if (!asks_from(engine, node[2 + shape->parts + i], var)) return 0;
    }
    return 1;
}

static void enlarge_keys(Engine *engine, const EventsNode *node, Running *running) {
    KeyTable keys = {.room = 2 * running->keys.room + 64}, old = running->keys;
    uint8_t *said = take(engine->kept, keys.room, 1);
    keys.rows = take(engine->kept, keys.room, sizeof(int32_t));
    for (int64_t i = 0; i < keys.room; i++) keys.rows[i] = -1;
    for (int64_t i = 0, slot; i < old.room; i++) {
        if (old.rows[i] < 0) continue;
        key_slot(engine, node, &keys, old.rows[i], &slot);
        keys.rows[slot] = old.rows[i];
        said[slot] = running->said[i];
    }
    running->keys = keys;
    running->said = said;
}

/* Takes one more event in: where only one of each key counts, instead of the one before it or not at all. */
static void take_running(Engine *engine, const Phrase *phrase, Running *running, int64_t condition, int32_t row,
                         int state) {
    const EventsNode *node = phrase->node;
    int64_t slot = 0;
    int taken = 0;
    if (node->per != PER_EACH) {
        if (state != YES || !says_key(engine, node, row)) {
            running->in_doubt = 1;
            return;
        }
        if (2 * running->number_of_keys >= running->keys.room) enlarge_keys(engine, node, running);
        key_slot(engine, node, &running->keys, row, &slot);
        taken = running->keys.rows[slot] >= 0;
        if (taken && node->per == PER_EARLIEST) return;
    }
    int32_t hand[MOST_VARS] = {0};
    hand[phrase->edge->own] = row;
    engine->lost_met = 0;
    int answer = truth(engine, condition, hand);
    /* In doubt whether it is one of them: it matters only if it does not fulfil it. */
    if (state != YES) answer = either(MISSING, answer);
    answer |= engine->lost_met ? BY_LOSS : 0;
    running->answers[answer]++;
    if (node->per == PER_EACH) return;
    if (taken) running->answers[running->said[slot]]--;
    running->number_of_keys += !taken;
    running->keys.rows[slot] = row;
    running->said[slot] = (uint8_t)answer;
}

/* Whether every event in the past of one of many fulfils a condition; NOT_PLAIN where that must be asked by
   itself. */
static int running_every(Engine *engine, const Phrase *phrase, int64_t at, int64_t condition, const Many *many,
                         int32_t i) {
    int32_t end, place;
    int state, result = YES;
    Running *running = go_on(engine, phrase, at, many, i, &end);
    while (running && !running->in_doubt &&
           (place = next_running(engine, running, phrase->pool, end, &state)) >= 0) {
        int32_t row = phrase->pool->rows[place];
        state = is_meant(engine, phrase, running, row, state);
        if (state != NO) take_running(engine, phrase, running, condition, row, state);
    }
    if (running) running->unfinished = 0;
    if (!running || running->in_doubt) return NOT_PLAIN;
    int lost = lost_until(engine, phrase->pool, running, end).number > 0;
    /* A lost record may have any key. */
    if (lost && phrase->node->per != PER_EACH) return NOT_PLAIN;
    if (lost) result = MISSING;
    for (int answer = NO; answer <= OPEN; answer++) {
        int64_t by_loss = running->answers[answer | BY_LOSS];
        if (running->answers[answer] || by_loss) result = both(result, answer);
        lost |= by_loss > 0;
    }
    return result | (lost || running->lost ? BY_LOSS : 0);
}

#endif
