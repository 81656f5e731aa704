/* Pools: the events of some types of which what their own fields say holds, found once for all rules. */

#ifndef POOLS_H
#define POOLS_H

#include "folding.h"

/* A field against a constant: the plainest question that a pattern can ask. */
static int is_plain_word(const Engine *engine, int64_t at, const ComparisonNode **found) {
    const ComparisonNode *node = NODE(Comparison, engine, at);
    if (node->kind != NODE_COMPARISON) return 0;
    if (engine->code[node->left] != NODE_FIELD || engine->code[node->right] != NODE_CONSTANT) return 0;
    const Column *column = engine->log->columns + NODE(Field, engine, node->left)->column;
    const Value *value = engine->log->constants + NODE(Constant, engine, node->right)->number;
    if (!column->values || column->width != 1 || column->below || value->below != 1) return 0;
    if (value->state != STATE_KNOWN) return 0;
    *found = node;
    return node->sign == SIGN_EQUAL || node->sign == SIGN_UNEQUAL;
}

/* Keeps the rows of which such a question is answered by yes, or not at all. Says how many stay. */
static int32_t keep_by_word(Engine *engine, const ComparisonNode *node, const int32_t *from, int32_t size,
                            int32_t *rows, uint8_t *states, int *doubts) {
    const Column *column = engine->log->columns + NODE(Field, engine, node->left)->column;
    const int8_t *values = column->values;
    int64_t wanted = engine->log->constants[NODE(Constant, engine, node->right)->number].above;
    int equal = node->sign == SIGN_EQUAL, doubted = *doubts;
    int32_t kept = 0, there = 0;
    for (int32_t i = 0; i < size && !doubted; i++) {
        rows[kept] = from[i];
        kept += (values[from[i]] == wanted) == equal;
        there += is_recorded(column, from[i]);
    }
    if (!doubted && there == size) {
        memset(states, YES, (size_t)kept);
        return kept;
    }
    kept = 0;
    for (int32_t i = 0; i < size; i++) {
        int32_t row = from[i];
        int is_there = is_recorded(column, row);
        int state = is_there ? YES : MISSING;
        if (doubted && states[i] == MISSING) state = MISSING;
        int stays = !is_there | ((values[row] == wanted) == equal);
        rows[kept] = row;
        states[kept] = (uint8_t)state;
        *doubts |= stays & (state != YES);
        kept += stays;
    }
    return kept;
}

static int32_t keep_by_condition(Engine *engine, int64_t at, const int32_t *from, int32_t size,
                                 int32_t *rows, uint8_t *states, int *doubts) {
    const ComparisonNode *word;
    if (is_plain_word(engine, at, &word)) {
        return keep_by_word(engine, word, from, size, rows, states, doubts);
    }
    int32_t kept = 0, asked[AT_ONCE];
    int doubted = *doubts;
    uint8_t answers[AT_ONCE];
    for (int32_t start = 0; start < size; start += AT_ONCE) {
        int32_t end = size - start < AT_ONCE ? size : start + AT_ONCE, next = 0;
        Many many = {.vars = 1, .hand = {asked}, .scenes = whole_for(engine, AT_ONCE)};
        for (int32_t i = start; i < end; i++) {
            /* Nothing is asked of a lost record. */
            asked[many.number] = from[i];
            many.number += !is_lost(engine, from[i]);
        }
        truth_many(engine, at, &many, answers);
        for (int32_t i = start; i < end; i++) {
            int before = doubted ? states[i] : YES;
            int state = is_lost(engine, from[i]) ? MISSING : both(before, answers[next++] & ANSWER);
            if (state == NO) continue;
            rows[kept] = from[i];
            states[kept++] = (uint8_t)state;
            *doubts |= state != YES;
        }
    }
    return kept;
}

/* Puts two lists of rows together, in order; a lost record may be in both. */
static int32_t merge_rows(const int32_t *one, int32_t number, const int32_t *other, int32_t others, int32_t *rows) {
    int32_t size = 0, i = 0, j = 0;
    while (i < number && j < others) {
        int32_t first = one[i], second = other[j];
        rows[size++] = first < second ? first : second;
        i += first <= second;
        j += second <= first;
    }
    if (i < number) memcpy(rows + size, one + i, (size_t)(number - i) * sizeof(int32_t));
    size += number - i;
    if (j < others) memcpy(rows + size, other + j, (size_t)(others - j) * sizeof(int32_t));
    return size + others - j;
}

/* All rows of several types, in order. */
static int32_t merge_types(Engine *engine, const int64_t *types, int64_t number, int32_t *rows) {
    const ByType *sorted = &engine->sorted;
    int32_t *half[2], size[2];
    for (int side = 0; side < 2; side++) {
        const int64_t *own = side ? types + number / 2 : types;
        int64_t own_number = side ? number - number / 2 : number / 2, room = 0;
        half[side] = sorted->rows + sorted->borders[own[0]];
        size[side] = (int32_t)(sorted->borders[own[0] + 1] - sorted->borders[own[0]]);
        if (own_number == 1) continue;
        for (int64_t i = 0; i < own_number; i++) room += sorted->borders[own[i] + 1] - sorted->borders[own[i]];
        half[side] = take(engine->scratch, room, sizeof(int32_t));
        size[side] = merge_types(engine, own, own_number, half[side]);
    }
    return merge_rows(half[0], size[0], half[1], size[1], rows);
}

static inline Pool *pool_of(Engine *engine, int64_t pattern);

/* All events of the types of a pattern; a lost record may be one of them. */
static void fill_by_type(Engine *engine, Pool *pool, const PatternNode *pattern) {
    const ByType *sorted = &engine->sorted;
    if (!pattern->size) {
        /* A manifest may leave no type that can happen. */
        pool->rows = sorted->rows;
        pool->size = 0;
        return;
    }
    int64_t first = sorted->borders[pattern->items[0]], size = 0;
    pool->rows = sorted->rows + first;
    if (pattern->size == 1) {
        pool->size = (int32_t)(sorted->borders[pattern->items[0] + 1] - first);
    } else {
        for (int64_t i = 0; i < pattern->size; i++) {
            size += sorted->borders[pattern->items[i] + 1] - sorted->borders[pattern->items[i]];
        }
        int32_t *rows = take(engine->kept, size, sizeof(int32_t));
        Place scratch = place_in(engine->scratch);
        pool->size = merge_types(engine, pattern->items, pattern->size, rows);
        give_back_to(engine->scratch, scratch);
        pool->rows = rows;
    }
    if (!engine->log->number_of_lost || !pool->size) return;
    uint8_t *states = take(engine->kept, pool->size, 1);
    int doubts = 0;
    for (int32_t i = 0; i < pool->size; i++) {
        states[i] = is_lost(engine, pool->rows[i]) ? MISSING : YES;
        doubts |= states[i] != YES;
    }
    if (doubts) pool->states = states;
}

/* What a condition on options alone says, from some row on each: it can change only where something is
   elected. */
typedef struct Elections {
    int32_t number;
    int32_t *since;
    uint8_t *said;
    uint8_t *lost; /* whether a lost record left it in doubt */
} Elections;

static int by_row(const void *left, const void *right) {
    int32_t a = *(const int32_t *)left, b = *(const int32_t *)right;
    return (a > b) - (a < b);
}

/* NULL where that is to be asked at every row. */
static const Elections *elections_of(Engine *engine, int64_t at) {
    static const Elections at_every_row;
    const Elections *known = engine->elections[at];
    if (known) return known == &at_every_row ? NULL : known;
    const ElectionNode *node = NODE(Election, engine, at);
    const Log *log = engine->log;
    int64_t room = 1;
    int every_row = log->tables != NULL;
    for (int64_t i = 0; i < node->size; i++) {
        const Option *option = log->options + node->items[i];
        every_row |= option->which != NULL;
        room += option->number;
    }
    if (every_row) {
        engine->elections[at] = &at_every_row;
        return NULL;
    }
    Elections *found = take_zeros(engine->kept, 1, sizeof(Elections));
    found->since = take_zeros(engine->kept, room, sizeof(int32_t));
    found->said = take(engine->kept, room, 1);
    found->lost = take(engine->kept, room, 1);
    int32_t number = 1;
    for (int64_t i = 0; i < node->size; i++) {
        const Option *option = log->options + node->items[i];
        for (int64_t j = 0; j < option->number; j++) {
            if (option->since[j] < log->size) found->since[number++] = (int32_t)option->since[j];
        }
    }
    qsort(found->since, (size_t)number, sizeof(int32_t), by_row);
    int lost_met = engine->lost_met;
    for (int32_t i = 0; i < number; i++) {
        int32_t hand[MOST_VARS] = {found->since[i]};
        engine->lost_met = 0;
        int said = truth(engine, node->condition, hand);
        if (found->number && found->said[found->number - 1] == said && !engine->lost_met) continue;
        found->since[found->number] = found->since[i];
        found->lost[found->number] = (uint8_t)engine->lost_met;
        found->said[found->number++] = (uint8_t)said;
    }
    engine->lost_met = lost_met;
    engine->elections[at] = found;
    return found;
}

/* Keeps those of some rows at which a condition on options holds, or may hold. */
static int32_t keep_by_election(Engine *engine, const Elections *elections, const int32_t *from,
                                int32_t size, int32_t *rows, uint8_t *states, int *doubts) {
    int32_t kept = 0, at = 0;
    int doubted = *doubts;
    if (!doubted) {
        /* All from one election to the next answer alike. */
        for (int32_t low = 0; at < elections->number && low < size; at++) {
            int last = at + 1 == elections->number, said = elections->said[at];
            int32_t high = last ? size : place_of_row(from, size, elections->since[at + 1], low);
            if (said != NO && high > low) {
                memcpy(rows + kept, from + low, (size_t)(high - low) * sizeof(int32_t));
                memset(states + kept, said, (size_t)(high - low));
                kept += high - low;
                *doubts |= said != YES;
            }
            low = high;
        }
        return kept;
    }
    for (int32_t i = 0; i < size; i++) {
        while (at + 1 < elections->number && elections->since[at + 1] <= from[i]) at++;
        int before = doubted ? states[i] : YES;
        int state = is_lost(engine, from[i]) ? MISSING : both(before, elections->said[at]);
        if (state == NO) continue;
        rows[kept] = from[i];
        states[kept++] = (uint8_t)state;
        *doubts |= state != YES;
    }
    return kept;
}

/* Of a wider pool those of which one more condition holds or may hold. */
static void fill_from(Engine *engine, Pool *pool, const Pool *wider, int64_t condition,
                      const Elections *elections) {
    Place scratch = place_in(engine->scratch);
    int32_t *rows = take(engine->scratch, wider->size, sizeof(int32_t));
    uint8_t *states = take(engine->scratch, wider->size, 1);
    int doubts = wider->states != NULL;
    if (doubts && wider->size) memcpy(states, wider->states, (size_t)wider->size);
    pool->size =
        elections
            ? keep_by_election(engine, elections, wider->rows, wider->size, rows, states, &doubts)
            : keep_by_condition(engine, condition, wider->rows, wider->size, rows, states, &doubts);
    int32_t *kept = take(engine->kept, pool->size, sizeof(int32_t));
    if (pool->size) memcpy(kept, rows, (size_t)pool->size * sizeof(int32_t));
    pool->rows = kept;
    if (doubts && pool->size && memchr(states, MISSING, (size_t)pool->size)) {
        uint8_t *kept_states = take(engine->kept, pool->size, 1);
        memcpy(kept_states, states, (size_t)pool->size);
        pool->states = kept_states;
    }
    give_back_to(engine->scratch, scratch);
}

/* Puts the lost records of a pool apart. */
static APART void make_lost_places(Engine *engine, Pool *pool) {
    int32_t number = 0;
    pool->lost_made = 1;
    for (int32_t place = 0; place < pool->size; place++) number += is_lost(engine, pool->rows[place]);
    if (!number) return;
    LostPlaces *lost = take(engine->kept, 1, sizeof(LostPlaces));
    int32_t *before = take(engine->kept, (int64_t)pool->size + 1, sizeof(int32_t)), here = 0;
    int32_t *places = take(engine->kept, number, sizeof(int32_t));
    int32_t *others = take(engine->kept, (int64_t)pool->size - number + 1, sizeof(int32_t));
    int64_t *times = take(engine->kept, (int64_t)number + 1, sizeof(int64_t));
    times[0] = 0;
    for (int32_t place = 0; place < pool->size; place++) {
        before[place] = here;
        if (is_lost(engine, pool->rows[place])) {
            int64_t more = times_lost(engine->log, pool->rows[place]);
            if (__builtin_add_overflow(times[here], more, times + here + 1)) times[here + 1] = INT64_MAX;
            places[here++] = place;
        } else {
            others[place - here] = place;
        }
    }
    before[pool->size] = here;
    *lost = (LostPlaces){before, places, others, times};
    pool->lost = lost;
}

/* The lost records of a pool; put apart where somebody looks for them. */
static inline const LostPlaces *lost_places(Engine *engine, Pool *pool) {
    if (__builtin_expect(pool->states && !pool->lost_made, 0)) make_lost_places(engine, pool);
    return pool->lost;
}

static void fill_pool(Engine *engine, Pool *pool, const PatternNode *pattern) {
    const Pool *wider = pattern->wider >= 0 ? pool_of(engine, pattern->wider) : NULL;
    const Elections *elections = pattern->election >= 0 ? elections_of(engine, pattern->election) : NULL;
    if (!wider) {
        fill_by_type(engine, pool, pattern);
    } else if (elections && elections->number == 1 && elections->said[0] == YES) {
        pool->size = wider->size;
        pool->rows = wider->rows;
        pool->states = wider->states;
        pool->lost = wider->lost;
        pool->lost_made = wider->lost_made;
    } else {
        fill_from(engine, pool, wider, pattern->plain, elections);
    }
    pool->pattern = (const int64_t *)pattern - engine->code;
    pool->made = 1;
}

static __attribute__((noinline)) void make_pool(Engine *engine, Pool *pool, const PatternNode *node) {
    /* The evidence of a check is not that of the pools that it needs. */
    Evidence *evidence = engine->evidence;
    Scene *scene = engine->scene;
    int lost_met = engine->lost_met;
    engine->evidence = NULL;
    fill_pool(engine, pool, node);
    engine->evidence = evidence;
    engine->scene = scene;
    engine->lost_met = lost_met;
}

static inline Pool *pool_of(Engine *engine, int64_t pattern) {
    const PatternNode *node = NODE(Pattern, engine, pattern);
    Pool *pool = engine->pools + node->pool;
    if (__builtin_expect(!pool->made, 0)) make_pool(engine, pool, node);
    return pool;
}

typedef struct {
    int64_t value;
    int32_t place;
} Entry;

static int by_value(const void *left, const void *right) {
    const Entry *a = left, *b = right;
    if (a->value != b->value) return a->value < b->value ? -1 : 1;
    return (a->place > b->place) - (a->place < b->place);
}

static void sort_entries(Engine *engine, Entry *entries, int32_t size) {
    int64_t least = INT64_MAX, most = INT64_MIN;
    for (int32_t i = 0; i < size; i++) {
        if (entries[i].value < least) least = entries[i].value;
        if (entries[i].value > most) most = entries[i].value;
    }
    if (!size || (Wide)most - least > 4 * (Wide)size + 1024) {
        if (size) qsort(entries, (size_t)size, sizeof(Entry), by_value);
        return;
    }
    /* Most values are numbers of words, close to each other: how many there are says where each goes. */
    int64_t range = most - least + 1;
    int32_t *next = take_zeros(engine->scratch, range + 1, sizeof(int32_t));
    Entry *sorted = take(engine->scratch, size, sizeof(Entry));
    for (int32_t i = 0; i < size; i++) next[entries[i].value - least + 1]++;
    for (int64_t i = 0; i < range; i++) next[i + 1] += next[i];
    for (int32_t i = 0; i < size; i++) sorted[next[entries[i].value - least]++] = entries[i];
    memcpy(entries, sorted, (size_t)size * sizeof(Entry));
}

/* The places of a pool by a field's value, but for lost records. Values that are no whole numbers have no
   index. */
static Index *index_of(Engine *engine, Pool *pool, int64_t column) {
    for (Index *known = pool->indexes; known; known = known->next) {
        if (known->column == column) return known;
    }
    const Column *field = engine->log->columns + column;
    Index *index = take_zeros(engine->kept, 1, sizeof(Index));
    int64_t *values = take(engine->kept, pool->size, sizeof(int64_t));
    int32_t *places = take(engine->kept, pool->size, sizeof(int32_t));
    int32_t *without = take(engine->kept, pool->size, sizeof(int32_t));
    Place scratch = place_in(engine->scratch);
    Entry *entries = take(engine->scratch, pool->size, sizeof(Entry));
    for (int32_t place = 0; place < pool->size; place++) {
        int32_t row = pool->rows[place];
        if (is_lost(engine, row)) continue;
        if (!is_recorded(field, row) || (field->below && field->below[row] != 1)) {
            without[index->unknown++] = place;
        } else {
            Entry entry = {number_at(field, row), place};
            entries[index->known++] = entry;
        }
    }
    sort_entries(engine, entries, index->known);
    for (int32_t i = 0; i < index->known; i++) {
        values[i] = entries[i].value;
        places[i] = entries[i].place;
    }
    give_back_to(engine->scratch, scratch);
    index->column = column;
    index->values = values;
    index->places = places;
    index->without = without;
    index->next = pool->indexes;
    return pool->indexes = index;
}

/* A field of all rows of a pool. */
static const Numbers *numbers_of(Engine *engine, Pool *pool, int64_t column) {
    for (Numbers *known = pool->numbers; known; known = known->next) {
        if (known->column == column) return known;
    }
    const Column *field = engine->log->columns + column;
    Numbers *numbers = take_zeros(engine->kept, 1, sizeof(Numbers));
    int32_t *of_places = take(engine->kept, pool->size, sizeof(int32_t));
    int small = small_numbers_at(field, pool->rows, pool->size, NO_NUMBER, of_places);
    for (int32_t place = 0; place < pool->size && pool->states; place++) {
        if (is_lost(engine, pool->rows[place])) of_places[place] = NO_NUMBER;
    }
    numbers->column = column;
    numbers->of_places = small ? of_places : NULL;
    numbers->next = pool->numbers;
    return pool->numbers = numbers;
}

static Totals *totals_of(Engine *engine, Pool *pool, int64_t column) {
    for (Totals *known = pool->totals; known; known = known->next) {
        if (known->column == column) return known;
    }
    const Column *field = engine->log->columns + column;
    Totals *totals = take_zeros(engine->kept, 1, sizeof(Totals));
    totals->column = column;
    totals->sums = take(engine->kept, pool->size + 1, sizeof(Wide));
    totals->lacking = take(engine->kept, pool->size + 1, sizeof(int32_t));
    totals->sums[0] = 0;
    totals->lacking[0] = 0;
    for (int32_t place = 0; place < pool->size; place++) {
        int32_t row = pool->rows[place];
        int there = is_recorded(field, row) && !(field->below && field->below[row] != 1);
        totals->sums[place + 1] = totals->sums[place] + (there ? number_at(field, row) : 0);
        totals->lacking[place + 1] = totals->lacking[place] + !there;
    }
    totals->next = pool->totals;
    return pool->totals = totals;
}

#endif
