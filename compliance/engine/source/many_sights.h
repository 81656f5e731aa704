/* Where a phrase looks, for many events at once: the places of its pool that lie in one sure stretch. */

#ifndef MANY_SIGHTS_H
#define MANY_SIGHTS_H

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
    const int32_t *wanted[MOST_JOINS]; /* of each tie, by who looks; NO_NUMBER: to be asked by itself */
    const uint8_t *by_loss[MOST_JOINS]; /* of each tie, whether a lost record left that in doubt; NULL: none did */
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

/* What those who look want of a field. */
static void prepare_wanted(Engine *engine, int64_t at, const Many *many, int64_t tie, Phrase *phrase) {
    const FieldNode *field = NODE(Field, engine, at);
    int32_t *wanted = take(engine->scratch, many->number, sizeof(int32_t));
    phrase->wanted[tie] = wanted;
    phrase->by_loss[tie] = NULL;
    if (field->kind == NODE_FIELD) {
        const Column *column = engine->log->columns + field->column;
        if (small_numbers_at(column, many->hand[field->var], many->number, NO_NUMBER, wanted)) return;
    }
    uint8_t *by_loss = take(engine->scratch, many->number, 1);
    Plain *values = take(engine->scratch, many->number, sizeof(Plain));
    value_many(engine, at, many, values);
    for (int32_t i = 0; i < many->number; i++) {
        int64_t number = values[i].number;
        int small = values[i].state == STATE_KNOWN && number > NO_NUMBER && number <= INT32_MAX;
        wanted[i] = small ? (int32_t)number : NO_NUMBER;
        by_loss[i] = values[i].lost;
    }
    phrase->by_loss[tie] = by_loss;
}

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
        prepare_wanted(engine, edge->items[2 * i + 1], many, i, phrase);
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
        else if (number != phrase->wanted[j][i]) return NO;
    }
    return scene->keys ? both(state, has_keys(engine, scene, pool->rows[place])) : state;
}

/* What ties events to one who looks, where these are no more than two fields: without any, nothing is wanted of
   rows, which all are numbers; where there is one, it stands twice. */
typedef struct {
    const int32_t *one, *other;
    int32_t of_one, of_other, all;
} Ties;

enum { FEW_JOINS = 2 };

static inline Ties ties_for(const Phrase *phrase, int32_t i) {
    if (!phrase->joins) return (Ties){phrase->pool->rows, phrase->pool->rows, 0, 0, 1};
    int64_t second = phrase->joins - 1;
    return (Ties){phrase->column[0], phrase->column[second], phrase->wanted[0][i], phrase->wanted[second][i], 0};
}

static inline int is_tied(const Ties *ties, int32_t place) {
    return ties->all | ((ties->one[place] == ties->of_one) & (ties->other[place] == ties->of_other));
}

/* Whether an event that is not surely tied may be so, for it does not say all fields. */
static inline int may_be_tied(const Ties *ties, int32_t place) {
    int one = ties->one[place] == ties->of_one, other = ties->other[place] == ties->of_other;
    return (one | (ties->one[place] == NO_NUMBER)) & (other | (ties->other[place] == NO_NUMBER)) & !(one & other);
}

/* How surely an event is tied, with BY_LOSS where it is a lost record. */
static inline int fits_plainly(const Engine *engine, const Pool *pool, const Ties *ties, int32_t place) {
    int state = is_tied(ties, place) ? YES : may_be_tied(ties, place) ? MISSING : NO;
    if (!pool->states || pool->states[place] == YES) return state;
    if (is_lost(engine, pool->rows[place])) return MISSING | BY_LOSS;
    return state == NO ? NO : MISSING;
}

/* Whether what ties the events to who looks is known; a lost record may have left that in doubt on the way. */
static int wants_numbers(Engine *engine, const Phrase *phrase, int32_t i) {
    for (int64_t j = 0; j < phrase->joins; j++) {
        if (phrase->wanted[j][i] == NO_NUMBER) return 0;
        if (phrase->by_loss[j]) engine->lost_met |= phrase->by_loss[j][i];
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
        bounds[i] = bound_by(engine, at, low, back ? anchor : INT32_MAX, back, 0, hand);
    }
    return bounds;
}

/* ---- where each looks ---- */

/* Whether a phrase looks at all that lies before who looks. */
static int sees_all_past(const EventsNode *node) {
    return node->reach == REACH_PAST && node->interval < 0 && node->since < 0 && node->before < 0 &&
           node->within < 0 && node->at_least < 0 && node->after < 0;
}

static int prepare_phrase(Engine *engine, int64_t at, const Many *many, Phrase *phrase) {
    const EventsNode *node = NODE(Events, engine, at);
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
    if (node->after >= 0 && many->hand[node->after][i] >= stretch->low) {
        stretch->low = many->hand[node->after][i] + 1;
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
    return 1;
}

#endif
