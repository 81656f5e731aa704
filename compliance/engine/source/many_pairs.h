/* What phrases find for many events at once: each who looks, in pairs with the events that it finds. */

#ifndef MANY_PAIRS_H
#define MANY_PAIRS_H

#include "many_sights.h"

/* Each who looks with each event that it finds or may find. */
typedef struct {
    int32_t number, room, last_place;
    int32_t *who, *rows;
    int32_t *places;  /* in the pool */
    uint8_t *states;  /* YES, MISSING or OPEN, and BY_LOSS */
    int32_t *first;   /* of each who looks: its first pair; after the last one: how many there are */
    uint8_t *apart;   /* of each who looks: whether it must be asked by itself */
    uint8_t *open;    /* of each who looks: whether more may come */
    uint8_t *lost;    /* of each who looks: BY_LOSS where a lost record leaves in doubt where to look */
} Pairs;

static Many many_pairs(Engine *engine, const Many *many, const Pairs *pairs) {
    Scene **scenes = take(engine->scratch, pairs->number, sizeof(Scene *));
    Many all = {.number = pairs->number, .vars = many->vars, .scenes = scenes};
    for (int32_t i = 0; i < pairs->number; i++) scenes[i] = many->scenes[pairs->who[i]];
    for (int var = 0; var < many->vars; var++) {
        int32_t *rows = take(engine->scratch, pairs->number, sizeof(int32_t));
        for (int32_t i = 0; i < pairs->number; i++) rows[i] = many->hand[var][pairs->who[i]];
        all.hand[var] = rows;
    }
    return all;
}

/* The same with the events that were found in hand. */
static Many with_found(const Many *pairs_of, const Pairs *pairs, int64_t own) {
    Many many = *pairs_of;
    many.hand[own] = pairs->rows;
    if (many.vars <= own) many.vars = (int)own + 1;
    return many;
}

/* Asks a condition of the pairs that are not ruled out; nothing is asked of lost records. */
static void ask_pairs(Engine *engine, const Pairs *pairs, const Many *all, int64_t condition, uint8_t *answers) {
    int32_t *places = take(engine->scratch, pairs->number, sizeof(int32_t)), number = 0;
    for (int32_t i = 0; i < pairs->number; i++) {
        answers[i] = NO;
        places[number] = i;
        number += (pairs->states[i] & ANSWER) != NO && !is_lost(engine, pairs->rows[i]);
    }
    if (!number) return;
    Many asked = chosen(engine, all, places, number);
    uint8_t *found = take(engine->scratch, number, 1);
    truth_many(engine, condition, &asked, found);
    for (int32_t i = 0; i < number; i++) answers[places[i]] = found[i];
}

/* Keeps the pairs of which one more condition holds or may hold. */
static void keep_pairs(Engine *engine, Pairs *pairs, const Many *all, int64_t condition) {
    uint8_t *answers = take(engine->scratch, pairs->number, 1);
    ask_pairs(engine, pairs, all, condition, answers);
    for (int32_t i = 0; i < pairs->number; i++) {
        if (is_lost(engine, pairs->rows[i])) continue;
        int state = both(pairs->states[i] & ANSWER, answers[i] & ANSWER);
        pairs->states[i] = (uint8_t)(state | ((pairs->states[i] | answers[i]) & BY_LOSS));
    }
}

/* Room for so many pairs more. */
static void make_room(Engine *engine, Pairs *pairs, int32_t more) {
    if (pairs->number + more <= pairs->room) return;
    Pairs larger = *pairs;
    larger.room = 2 * pairs->room + more + AT_ONCE;
    larger.who = take(engine->scratch, larger.room, sizeof(int32_t));
    larger.rows = take(engine->scratch, larger.room, sizeof(int32_t));
    larger.places = take(engine->scratch, larger.room, sizeof(int32_t));
    larger.states = take(engine->scratch, larger.room, 1);
    if (pairs->number) {
        memcpy(larger.who, pairs->who, (size_t)pairs->number * sizeof(int32_t));
        memcpy(larger.rows, pairs->rows, (size_t)pairs->number * sizeof(int32_t));
        memcpy(larger.places, pairs->places, (size_t)pairs->number * sizeof(int32_t));
        memcpy(larger.states, pairs->states, (size_t)pairs->number);
    }
    *pairs = larger;
}

/* Where nothing is in doubt: the places that one looks at. */
static void put_pairs(Engine *engine, const Phrase *phrase, const Many *many, int32_t i, const Sight *sight,
                      Pairs *pairs) {
    const Pool *pool = phrase->pool;
    int32_t *who = pairs->who, *rows = pairs->rows, *places = pairs->places, number = pairs->number;
    uint8_t *states = pairs->states;
    int is_plain = phrase->joins <= FEW_JOINS && !many->scenes[i]->keys;
    Ties ties = ties_for(phrase, i);
    for (int32_t place = sight->low; place < sight->high; place++) {
        int lost = 0, state;
        if (is_plain) {
            state = fits_plainly(engine, pool, &ties, place);
        } else {
            state = fits_ties(engine, phrase, many->scenes[i], i, place, &lost);
            state |= lost ? BY_LOSS : 0;
        }
        who[number] = i;
        rows[number] = pool->rows[place];
        places[number] = place;
        states[number] = (uint8_t)state;
        number += state != NO;
    }
    pairs->number = number;
}

/* Where something is in doubt: piece by piece, each as sure as it is. Says no where the phrase must be asked
   by itself. */
static int put_doubtful_pairs(Engine *engine, const Phrase *phrase, const Many *many, int32_t i, Pairs *pairs) {
    const Pool *pool = phrase->pool;
    Place scratch = place_in(engine->scratch);
    View view;
    int32_t hand[MOST_VARS], near = 0;
    take_hand(engine, many, i, hand);
    look(engine, phrase->node, hand, &view);
    int is_near = !view.doubtful && wants_numbers(engine, phrase, i);
    for (int32_t j = 0; j < view.pieces.number && is_near; j++) {
        Piece piece = view.pieces.pieces[j];
        int32_t place = place_of_row(pool->rows, pool->size, piece.low, pairs->last_place);
        pairs->last_place = place;
        for (; place < pool->size && pool->rows[place] < piece.high && is_near; place++) {
            int lost = 0, state = both(piece.state, fits_ties(engine, phrase, many->scenes[i], i, place, &lost));
            if (view.timed && state != NO) state = both(state, is_in_time(engine, &view, pool->rows[place]));
            is_near = near++ < NEAR;
            if (state == NO || !is_near) continue;
            pairs->who[pairs->number] = i;
            pairs->rows[pairs->number] = pool->rows[place];
            pairs->places[pairs->number] = place;
            pairs->states[pairs->number++] = (uint8_t)(state | (lost ? BY_LOSS : 0));
        }
    }
    pairs->open[i] = (uint8_t)view.open;
    pairs->lost[i] = engine->lost_met ? BY_LOSS : 0;
    give_back_to(engine->scratch, scratch);
    return is_near;
}

static void find_pairs(Engine *engine, Phrase *phrase, const Many *many, Pairs *pairs) {
    int32_t size = many->number;
    *pairs = (Pairs){.first = take(engine->scratch, (int64_t)size + 1, sizeof(int32_t)),
                     .apart = take_zeros(engine->scratch, size, 1),
                     .open = take(engine->scratch, size, 1),
                     .lost = take_zeros(engine->scratch, size, 1)};
    for (int32_t i = 0; i < size; i++) {
        Sight sight;
        make_room(engine, pairs, NEAR);
        int32_t first = pairs->first[i] = pairs->number;
        engine->lost_met = 0;
        if (look_plainly(engine, phrase, many, i, &sight) && sight.high - sight.low <= NEAR) {
            pairs->open[i] = (uint8_t)sight.open;
            pairs->lost[i] = engine->lost_met ? BY_LOSS : 0;
            put_pairs(engine, phrase, many, i, &sight, pairs);
        } else if (!put_doubtful_pairs(engine, phrase, many, i, pairs)) {
            pairs->number = first;
            pairs->apart[i] = 1;
        }
    }
    pairs->first[size] = pairs->number;
    spend(engine, size + pairs->number);
    if (!phrase->has_conditions || !pairs->number) return;
    Many all = many_pairs(engine, many, pairs);
    if (phrase->edge->costly >= 0) {
        Many alone = {.number = pairs->number, .vars = 1, .hand = {pairs->rows}, .scenes = all.scenes};
        keep_pairs(engine, pairs, &alone, phrase->edge->costly);
    }
    if (phrase->ties >= 0) {
        Many tied = with_found(&all, pairs, phrase->edge->own);
        keep_pairs(engine, pairs, &tied, phrase->ties);
    }
}

/* Of each key only the latest (or earliest) event that one of many has found counts. Says no where anything
   of that is in doubt. */
static int keep_pair_per_key(const Phrase *phrase, const int32_t *const *keys, Pairs *pairs, int32_t i) {
    const EventsNode *node = phrase->node;
    int32_t first = pairs->first[i], number = pairs->first[i + 1] - first, places[NEAR], kept = 0;
    if (pairs->open[i] || pairs->lost[i]) return 0;
    for (int32_t step = 0; step < number; step++) {
        int32_t pair = first + (node->per == PER_LATEST ? number - 1 - step : step), place = pairs->places[pair], j = 0;
        if (pairs->states[pair] == NO) continue;
        if (pairs->states[pair] != YES) return 0;
        for (int64_t key = 0; key < node->size; key++) {
            if (keys[key][place] == NO_NUMBER) return 0;
        }
        for (; j < kept; j++) {
            int64_t same = 0;
            while (same < node->size && keys[same][place] == keys[same][places[j]]) same++;
            if (same == node->size) break;
        }
        if (j < kept) pairs->states[pair] = NO;
        else places[kept++] = place;
    }
    return 1;
}

/* The same for all who look; says no where keys are not small numbers. */
static int keep_pairs_per_key(Engine *engine, const Phrase *phrase, const Many *many, Pairs *pairs) {
    const EventsNode *node = phrase->node;
    const int32_t *keys[MOST_JOINS];
    if (node->size > MOST_JOINS) return 0;
    for (int64_t key = 0; key < node->size; key++) {
        keys[key] = numbers_of(engine, phrase->pool, node->items[key])->of_places;
        if (!keys[key]) return 0;
    }
    for (int32_t i = 0; i < many->number; i++) {
        if (!pairs->apart[i]) pairs->apart[i] = !keep_pair_per_key(phrase, keys, pairs, i);
    }
    return 1;
}

/* How many events one of many has found. */
static int count_pairs(Engine *engine, const Pairs *pairs, int32_t i, Found *found) {
    int lost = pairs->lost[i];
    found->sure = found->unsure = found->pending = 0;
    found->weight = 0;
    for (int32_t pair = pairs->first[i]; pair < pairs->first[i + 1]; pair++) {
        int state = pairs->states[pair] & ANSWER;
        lost |= pairs->states[pair] & BY_LOSS;
        found->sure += state == YES;
        found->pending += state == OPEN;
        if (state != MISSING) continue;
        int32_t row = pairs->rows[pair];
        int64_t times = is_lost(engine, row) ? times_lost(engine->log, row) : 1;
        found->unsure++;
        if (__builtin_add_overflow(found->weight, times, &found->weight)) found->weight = INT64_MAX;
    }
    return lost;
}

#endif
