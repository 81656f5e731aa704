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
    if (node->per != PER_EACH && !sees_all_past(node)) return 0;
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
    /* Where there are many, an index finds those that are tied. */
    int all = !phrase->joins && !phrase->has_conditions && !pool->states && !scene->keys;
    return all || sight->high - sight->low <= NEAR;
}

#endif
