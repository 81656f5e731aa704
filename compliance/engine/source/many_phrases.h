/* Phrases for many events at once: the events that each finds, in pairs with the one that looks for them. */

#ifndef MANY_PHRASES_H
#define MANY_PHRASES_H

#include "many.h"

enum { NEAR = 64 };

/* A phrase as it is the same for all who look. */
typedef struct {
    const EventsNode *node;
    const EdgeNode *edge;
    Pool *pool;
    int64_t joins, ties;
    int has_conditions, is_timed;
    const int32_t *column[MOST_JOINS]; /* of each tie, by place in the pool */
    const Plain *wanted[MOST_JOINS];   /* of each tie, by who looks */
    const Bound *since, *before;       /* by who looks; NULL where nothing bounds the phrase */
    Piece last_rows, last_places;      /* the stretch that was looked at last, as rows and as places */
    const Scene *barren;               /* a scene in which there is nothing to find, wherever one looks */
    const Scene *run_in;               /* the scene in which `run` was found */
    Piece run;
    int run_grows;
} Phrase;

/* Where one of them looks: places of the pool, and whether more may come. */
typedef struct {
    int32_t low, high;
    int open;
} Sight;

/* ---- what bounds a phrase ---- */

static int prepare_ties(Engine *engine, const EdgeNode *edge, const Many *many, Phrase *phrase) {
    phrase->edge = edge;
    phrase->pool = pool_of(engine, edge->pattern);
    phrase->joins = edge->size / 2;
    phrase->ties = ties_of(engine, edge);
    phrase->has_conditions = phrase->ties >= 0 || edge->costly >= 0;
    if (phrase->joins > MOST_JOINS) return 0;
    for (int64_t i = 0; i < phrase->joins; i++) {
        phrase->column[i] = numbers_of(engine, phrase->pool, edge->items[2 * i])->of_places;
        if (!phrase->column[i]) return 0;
        Plain *wanted = take(engine->scratch, many->number, sizeof(Plain));
        value_many(engine, edge->items[2 * i + 1], many, wanted);
        phrase->wanted[i] = wanted;
    }
    return 1;
}

/* How surely the event at a place has the fields that a phrase wants; `lost` where it is not known at all. */
static inline int fits_ties(Engine *engine, const Phrase *phrase, const Scene *scene, int32_t i,
                            int32_t place, int *lost) {
    const Pool *pool = phrase->pool;
    int state = YES;
    if (pool->states && pool->states[place] == MISSING) {
        state = MISSING;
        *lost = is_lost(engine, pool->rows[place]);
        if (*lost) return MISSING;
    }
    for (int64_t j = 0; j < phrase->joins; j++) {
        int32_t number = phrase->column[j][place];
        if (number == NO_NUMBER) state = MISSING;
        else if (number != phrase->wanted[j][i].number) return NO;
    }
    return scene->keys ? both(state, has_keys(engine, scene, pool->rows[place])) : state;
}

/* Whether what ties the events to who looks is known; a lost record may have left that in doubt on the way. */
static int wants_numbers(Engine *engine, const Phrase *phrase, int32_t i) {
    for (int64_t j = 0; j < phrase->joins; j++) {
        if (phrase->wanted[j][i].state != STATE_KNOWN) return 0;
        engine->lost_met |= phrase->wanted[j][i].lost;
    }
    return 1;
}

/* The nearest event of an edge without further conditions, seen from one of many. */
static Bound plain_bound(Engine *engine, const Phrase *edge, int32_t i, const Scene *scene, int32_t anchor,
                         int back) {
    Bound bound = {-1, -1, -1};
    Pool *pool = edge->pool;
    int32_t low = scene->low, high = scene->high, lost = 0;
    if (back && anchor < high) high = anchor;
    if (!back && anchor + 1 > low) low = anchor + 1;
    if (low >= high) return bound;
    int32_t near = pool->finger = place_of_row(pool->rows, pool->size, back ? high : low, pool->finger);
    for (int32_t place = back ? near - 1 : near; place >= 0 && place < pool->size; place += back ? -1 : 1) {
        int32_t row = pool->rows[place];
        if (row < low || row >= high) break;
        int state = fits_ties(engine, edge, scene, i, place, &lost);
        if (state == NO) continue;
        engine->lost_met |= lost;
        if (bound.nearest < 0) bound.nearest = row;
        if (state == YES) {
            bound.sure = row;
            break;
        }
    }
    return bound;
}

/* The events that bound a phrase, before or after each of many. */
static const Bound *bounds_of(Engine *engine, int64_t at, const Many *many, int64_t var, int back) {
    Bound *bounds = take(engine->scratch, many->number, sizeof(Bound));
    const EdgeNode *node = NODE(Edge, engine, at);
    Phrase edge;
    int plain = node->costly < 0 && ties_of(engine, node) < 0 && prepare_ties(engine, node, many, &edge);
    for (int32_t i = 0; i < many->number; i++) {
        const Scene *scene = many->scenes[i];
        int32_t hand[MOST_VARS], anchor = many->hand[var][i];
        if (plain && scene->is_plain && wants_numbers(engine, &edge, i)) {
            bounds[i] = plain_bound(engine, &edge, i, scene, anchor, back);
            continue;
        }
        take_hand(engine, many, i, hand);
        int64_t low = back ? 0 : (int64_t)anchor + 1;
        bounds[i] = bound_by(engine, at, low, back ? anchor : INT32_MAX, back, hand);
    }
    return bounds;
}

/* ---- where each looks ---- */

static int prepare_phrase(Engine *engine, int64_t at, const Many *many, Phrase *phrase) {
    const EventsNode *node = NODE(Events, engine, at);
    if (node->per != PER_EACH) return 0;
    if (!prepare_ties(engine, NODE(Edge, engine, node->edge), many, phrase)) return 0;
    phrase->node = node;
    phrase->is_timed = node->within >= 0 || node->at_least >= 0;
    phrase->since = phrase->before = NULL;
    phrase->last_rows = phrase->last_places = (Piece){0, 0, YES};
    phrase->barren = phrase->run_in = NULL;
    if (node->since >= 0) phrase->since = bounds_of(engine, node->since, many, node->at, 1);
    if (node->before >= 0) phrase->before = bounds_of(engine, node->before, many, node->at, 0);
    return 1;
}

/* Narrows a stretch of the log to a run of an interval. Says no where that is not one sure piece. */
static int narrow_to_run(Engine *engine, Phrase *phrase, Scene *scene, int32_t anchor, Piece *stretch,
                         int *open) {
    const EventsNode *node = phrase->node;
    Piece *piece = &phrase->run;
    /* Between the borders of a sure run there is none of another. */
    if (scene != phrase->run_in || anchor <= piece->low || anchor >= piece->high - 1) {
        Piece room;
        Place scratch = place_in(engine->scratch);
        engine->scene = scene;
        Region run = run_from(engine, node->interval, (int)node->which, anchor, &room);
        int32_t number = run.pieces.number;
        *piece = number ? run.pieces.pieces[0] : (Piece){0, 0, YES};
        give_back_to(engine->scratch, scratch);
        phrase->run_in = NULL;
        if (number > 1 || piece->state != YES || (!number && run.growing)) return 0;
        phrase->run_grows = run.growing;
        if (node->which == WHICH_THIS && !engine->log->tables) phrase->run_in = scene;
    }
    if (!phrase->run_grows) *open = 0;
    if (piece->low > stretch->low) stretch->low = piece->low;
    if (piece->high < stretch->high) stretch->high = piece->high;
    return 1;
}

/* The rows that a phrase looks at. Says no where they are not one sure stretch of the log. */
static inline int stretch_of(Engine *engine, Phrase *phrase, const Many *many, int32_t i,
                             Piece *stretch, int *open) {
    const EventsNode *node = phrase->node;
    Scene *scene = many->scenes[i];
    int32_t anchor = many->hand[node->at][i];
    stretch->low = scene->low;
    stretch->high = scene->high;
    *open = !scene->complete;
    if (node->reach == REACH_PAST) {
        int32_t end = anchor + (int32_t)node->inclusive;
        if (end < stretch->high) stretch->high = end;
        *open = 0;
    } else if (node->reach == REACH_FUTURE && anchor + 1 > stretch->low) {
        stretch->low = anchor + 1;
    }
    if (node->interval >= 0 && !narrow_to_run(engine, phrase, scene, anchor, stretch, open)) return 0;
    if (phrase->since) {
        Bound bound = phrase->since[i];
        if (bound.nearest != bound.sure) return 0;
        if (bound.sure >= stretch->low) stretch->low = bound.sure + 1;
    }
    if (phrase->before) {
        Bound bound = phrase->before[i];
        if (bound.nearest != bound.sure) return 0;
        if (bound.sure >= 0) *open = 0;
        if (bound.sure >= 0 && bound.sure < stretch->high) stretch->high = bound.sure;
    }
    return 1;
}

/* Whether a scene has none of the events that a phrase looks for. Where else something bounds the phrase,
   that tells whether more may come. */
static inline int is_barren(const Phrase *phrase, const Scene *scene) {
    const Pool *pool = phrase->pool;
    int32_t place = phrase->last_places.low;
    if (phrase->node->interval >= 0 || phrase->before) return 0;
    if (place < pool->size && pool->rows[place] < scene->high) return 0;
    return !place || pool->rows[place - 1] < scene->low;
}

/* Says no where the phrase must be asked by itself. */
static inline int look_plainly(Engine *engine, Phrase *phrase, const Many *many, int32_t i, Sight *sight) {
    Scene *scene = many->scenes[i];
    Pool *pool = phrase->pool;
    Piece stretch;
    if (scene == phrase->barren) {
        sight->low = sight->high = 0;
        sight->open = !scene->complete && phrase->node->reach != REACH_PAST;
        return 1;
    }
    if (!scene->is_plain || !wants_numbers(engine, phrase, i) || phrase->is_timed) return 0;
    if (!stretch_of(engine, phrase, many, i, &stretch, &sight->open)) return 0;
    if (stretch.low >= stretch.high || !pool->size) {
        sight->low = sight->high = 0;
        return 1;
    }
    Piece *rows = &phrase->last_rows, *places = &phrase->last_places;
    /* Who looks from the same run mostly has one end in common with the one before. */
    if (stretch.low != rows->low) places->low = place_of_row(pool->rows, pool->size, stretch.low, places->low);
    if (stretch.high != rows->high) places->high = place_of_row(pool->rows, pool->size, stretch.high, places->high);
    *rows = stretch;
    sight->low = places->low;
    sight->high = places->high;
    if (sight->low == sight->high && is_barren(phrase, scene)) phrase->barren = scene;
    /* Where there are many, an index finds those that are tied. */
    int all = !phrase->joins && !phrase->has_conditions && !pool->states && !scene->keys;
    return all || sight->high - sight->low <= NEAR;
}

/* ---- what each finds ---- */

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
    int is_plain = !pool->states && phrase->joins < 2 && !many->scenes[i]->keys;
    const int32_t *column = phrase->joins ? phrase->column[0] : pool->rows;
    int64_t wanted = phrase->joins ? phrase->wanted[0][i].number : 0;
    for (int32_t place = sight->low; place < sight->high; place++) {
        int lost = 0, state;
        if (is_plain) {
            state = column[place] == NO_NUMBER ? MISSING : !phrase->joins || column[place] == wanted;
        } else {
            state = fits_ties(engine, phrase, many->scenes[i], i, place, &lost);
        }
        who[number] = i;
        rows[number] = pool->rows[place];
        places[number] = place;
        states[number] = (uint8_t)(state | (lost ? BY_LOSS : 0));
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

/* ---- how many there are ---- */

static int answer_how_many(const HowManyNode *node, const Found *found, int64_t number) {
    int result = YES;
    if (node->bound != BOUND_AT_MOST) result = at_least(found, number);
    if (node->bound != BOUND_AT_LEAST) result = both(result, opposite(at_least(found, (Wide)number + 1)));
    return result;
}

/* Where nothing but one field ties the events to who looks, they need not be listed to be counted. */
static int counts_plainly(const Phrase *phrase, const Many *many) {
    return !phrase->has_conditions && !phrase->is_timed && !phrase->pool->states && phrase->joins < 2 && !many->scenes[0]->keys;
}

static void count_by_pairs(Engine *engine, Phrase *phrase, int64_t at, int64_t number, const Many *many,
                           uint8_t *answers) {
    const HowManyNode *node = NODE(HowMany, engine, at);
    Pairs pairs;
    Found found;
    find_pairs(engine, phrase, many, &pairs);
    for (int32_t i = 0; i < many->number; i++) {
        if (pairs.apart[i]) {
            answers[i] = truth_of_one(engine, at, many, i);
            continue;
        }
        int lost = count_pairs(engine, &pairs, i, &found);
        found.view.doubtful = NO;
        found.view.open = pairs.open[i];
        answers[i] = (uint8_t)(answer_how_many(node, &found, number) | lost);
    }
}

static void count_plainly(Engine *engine, Phrase *phrase, int64_t at, int64_t number, const Many *many,
                          uint8_t *answers) {
    const HowManyNode *node = NODE(HowMany, engine, at);
    int32_t *others = take(engine->scratch, many->number, sizeof(int32_t)), number_of_others = 0;
    Found found;
    found.view.doubtful = NO;
    found.pending = 0;
    for (int32_t i = 0; i < many->number; i++) {
        Sight sight;
        engine->lost_met = 0;
        if (!look_plainly(engine, phrase, many, i, &sight)) {
            others[number_of_others++] = i;
            continue;
        }
        int32_t sure = sight.high - sight.low, unsure = 0;
        if (phrase->joins) {
            const int32_t *column = phrase->column[0];
            int64_t wanted = phrase->wanted[0][i].number;
            sure = 0;
            for (int32_t place = sight.low; place < sight.high; place++) {
                sure += column[place] == wanted;
                unsure += column[place] == NO_NUMBER;
            }
        }
        found.sure = sure;
        found.weight = unsure;
        found.view.open = sight.open;
        answers[i] = (uint8_t)(answer_how_many(node, &found, number) | (engine->lost_met ? BY_LOSS : 0));
    }
    if (!number_of_others) return;
    Many some = chosen(engine, many, others, number_of_others);
    uint8_t *answers_of_some = take(engine->scratch, number_of_others, 1);
    if (number_of_others < many->number) prepare_phrase(engine, node->events, &some, phrase);
    count_by_pairs(engine, phrase, at, number, &some, answers_of_some);
    for (int32_t i = 0; i < number_of_others; i++) answers[others[i]] = answers_of_some[i];
}

static void how_many_many(Engine *engine, int64_t at, const Many *many, uint8_t *answers) {
    const HowManyNode *node = NODE(HowMany, engine, at);
    Value number;
    Phrase phrase;
    if (!fixed_value(engine, node->count, &number) || !is_known(number) || number.below != 1 ||
        !prepare_phrase(engine, node->events, many, &phrase)) {
        truth_of_each(engine, at, many, answers);
        return;
    }
    if (counts_plainly(&phrase, many)) count_plainly(engine, &phrase, at, number.above, many, answers);
    else count_by_pairs(engine, &phrase, at, number.above, many, answers);
}

static void every_many(Engine *engine, int64_t at, const Many *many, uint8_t *answers) {
    const EveryNode *node = NODE(Every, engine, at);
    Phrase phrase;
    if (!prepare_phrase(engine, node->events, many, &phrase)) {
        truth_of_each(engine, at, many, answers);
        return;
    }
    Pairs pairs;
    find_pairs(engine, &phrase, many, &pairs);
    uint8_t *holds_for = take(engine->scratch, pairs.number, 1);
    Many all = many_pairs(engine, many, &pairs), found = with_found(&all, &pairs, phrase.edge->own);
    ask_pairs(engine, &pairs, &found, node->condition, holds_for);
    for (int32_t i = 0; i < many->number; i++) {
        if (pairs.apart[i]) {
            answers[i] = truth_of_one(engine, at, many, i);
            continue;
        }
        int result = pairs.open[i] ? OPEN : YES, lost = pairs.lost[i];
        for (int32_t pair = pairs.first[i]; pair < pairs.first[i + 1]; pair++) {
            int state = pairs.states[pair] & ANSWER, answer = holds_for[pair] & ANSWER;
            lost |= (pairs.states[pair] | holds_for[pair]) & BY_LOSS;
            if (state == NO) continue;
            if (state == OPEN) answer = OPEN;
            /* In doubt whether it is one of them: it matters only if it does not fulfil it. */
            else if (state == MISSING) answer = is_lost(engine, pairs.rows[pair]) ? MISSING : either(MISSING, answer);
            result = both(result, answer);
        }
        answers[i] = (uint8_t)(result | lost);
    }
}

/* ---- values of phrases ---- */

/* The value of the first or last event that one of many has found. */
static Plain end_of_pairs(const Pairs *pairs, int32_t i, const int32_t *column, int first) {
    int open = pairs->open[i], lost = pairs->lost[i] != 0;
    if (open && !first) return (Plain){0, STATE_OPEN, (uint8_t)lost};
    for (int32_t step = pairs->first[i]; step < pairs->first[i + 1]; step++) {
        int32_t pair = first ? step : pairs->first[i + 1] - 1 - (step - pairs->first[i]);
        int state = pairs->states[pair] & ANSWER;
        lost |= pairs->states[pair] != state;
        if (state == NO) continue;
        /* Where more may come, one that is not sure is a question of its own. */
        if (state != YES && open) return (Plain){0, NOT_PLAIN, 0};
        int32_t number = column[pairs->places[pair]];
        if (state == YES && number != NO_NUMBER) return (Plain){number, STATE_KNOWN, (uint8_t)lost};
        return (Plain){0, state == OPEN ? STATE_OPEN : STATE_MISSING, (uint8_t)lost};
    }
    return (Plain){0, open ? STATE_OPEN : STATE_NOTHING, (uint8_t)lost};
}

static int by_size(const void *left, const void *right) {
    int64_t a = *(const int64_t *)left, b = *(const int64_t *)right;
    return (a > b) - (a < b);
}

/* The smallest or largest of some numbers, or how many different ones there are. */
static Plain sorted_total(int64_t *numbers, int64_t size, int function, int lost) {
    if (!size) return (Plain){0, function == AGGREGATE_DISTINCT ? STATE_KNOWN : STATE_NOTHING, (uint8_t)lost};
    if (size > 1) qsort(numbers, (size_t)size, sizeof *numbers, by_size);
    int64_t result = function == AGGREGATE_SMALLEST ? numbers[0] : numbers[size - 1];
    if (function == AGGREGATE_DISTINCT) {
        result = 1;
        for (int64_t i = 1; i < size; i++) result += numbers[i] != numbers[i - 1];
    }
    return (Plain){result, STATE_KNOWN, (uint8_t)lost};
}

/* What some numbers come to that are all known; others are `unsure`, or may come. */
static Plain total_of(int64_t *numbers, int64_t size, int function, int unsure, int open, int lost) {
    if (open) return (Plain){0, STATE_OPEN, (uint8_t)lost};
    if (unsure) {
        /* These have limits still. */
        int limits = function == AGGREGATE_COUNT || function == AGGREGATE_SUM || function == AGGREGATE_DISTINCT;
        return (Plain){0, limits ? NOT_PLAIN : STATE_MISSING, (uint8_t)lost};
    }
    int64_t sum = 0;
    switch (function) {
    case AGGREGATE_COUNT: return (Plain){size, STATE_KNOWN, (uint8_t)lost};
    case AGGREGATE_SUM:
        for (int64_t i = 0; i < size; i++) sum += numbers[i];
        return (Plain){sum, STATE_KNOWN, (uint8_t)lost};
    case AGGREGATE_DISTINCT:
    case AGGREGATE_SMALLEST:
    case AGGREGATE_LARGEST: return sorted_total(numbers, size, function, lost);
    default: return plain_of(of_hand(function, numbers, size), lost);
    }
}

/* A total of all events that one of many has found; without a column they are only counted. */
static Plain total_of_pairs(const Pairs *pairs, int32_t i, const int32_t *column, int function) {
    int64_t numbers[NEAR], size = 0;
    int lost = pairs->lost[i] != 0, unsure = 0, open = pairs->open[i];
    for (int32_t pair = pairs->first[i]; pair < pairs->first[i + 1]; pair++) {
        int state = pairs->states[pair] & ANSWER;
        lost |= pairs->states[pair] != state;
        unsure |= state == MISSING;
        open |= state == OPEN;
        if (state != YES) continue;
        numbers[size] = column ? column[pairs->places[pair]] : 0;
        unsure |= numbers[size++] == NO_NUMBER;
    }
    return total_of(numbers, size, function, unsure, open, lost);
}

/* The same where nothing but one field ties the events to who looks. */
static Plain total_plainly(const Phrase *phrase, int32_t i, const Sight *sight, const int32_t *column,
                           int function) {
    int64_t numbers[NEAR + 1], size = 0;
    int unsure = 0;
    if (!phrase->joins) {
        if (!column) return total_of(numbers, sight->high - sight->low, function, 0, sight->open, 0);
        for (int32_t place = sight->low; place < sight->high; place++) {
            numbers[size++] = column[place];
            unsure |= column[place] == NO_NUMBER;
        }
        return total_of(numbers, size, function, unsure, sight->open, 0);
    }
    const int32_t *tied = phrase->column[0];
    int64_t wanted = phrase->wanted[0][i].number;
    for (int32_t place = sight->low; place < sight->high; place++) {
        int32_t number = column ? column[place] : 0;
        numbers[size] = number;
        size += tied[place] == wanted;
        unsure |= tied[place] == NO_NUMBER || (tied[place] == wanted && number == NO_NUMBER);
    }
    return total_of(numbers, size, function, unsure, sight->open, 0);
}

static void totals_by_pairs(Engine *engine, Phrase *phrase, int64_t at, const Many *many,
                            const int32_t *column, Plain *values) {
    int function = (int)NODE(Aggregate, engine, at)->function;
    int ends = function == AGGREGATE_FIRST || function == AGGREGATE_LAST;
    Pairs pairs;
    find_pairs(engine, phrase, many, &pairs);
    for (int32_t i = 0; i < many->number; i++) {
        if (pairs.apart[i]) values[i] = value_of_one(engine, at, many, i);
        else if (ends) values[i] = end_of_pairs(&pairs, i, column, function == AGGREGATE_FIRST);
        else values[i] = total_of_pairs(&pairs, i, column, function);
    }
}

static void totals_plainly(Engine *engine, Phrase *phrase, int64_t at, const Many *many, const int32_t *column,
                           Plain *values) {
    const AggregateNode *node = NODE(Aggregate, engine, at);
    int function = (int)node->function;
    int32_t *others = take(engine->scratch, many->number, sizeof(int32_t)), number_of_others = 0;
    for (int32_t i = 0; i < many->number; i++) {
        Sight sight;
        engine->lost_met = 0;
        if (!look_plainly(engine, phrase, many, i, &sight) || sight.high - sight.low > NEAR) {
            others[number_of_others++] = i;
            continue;
        }
        values[i] = total_plainly(phrase, i, &sight, column, function);
        values[i].lost = (uint8_t)engine->lost_met;
    }
    if (!number_of_others) return;
    Many some = chosen(engine, many, others, number_of_others);
    Plain *values_of_some = take(engine->scratch, number_of_others, sizeof(Plain));
    if (number_of_others < many->number) prepare_phrase(engine, node->events, &some, phrase);
    totals_by_pairs(engine, phrase, at, &some, column, values_of_some);
    for (int32_t i = 0; i < number_of_others; i++) values[others[i]] = values_of_some[i];
}

#endif
