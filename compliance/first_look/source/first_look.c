/* A first look at every check of a rule, one after the other: which ones surely comply.

   What is not sure here, for whatever reason, is handed on to the columnar engine, which says what
   became of it and by which events. Nothing that is handed on is judged here. */

#include "evaluate.h"

/* An edition in the code: its trigger, then how many conditions, requirements, exceptions, and
   conditions on options alone there are, then where they stand. An exception is in the code how many limits it has, its condition, and
   where these limits stand, which are exceptions themselves. */
enum {
    EDITION_POOL,
    EDITION_PATTERN,
    EDITION_SINCE,
    EDITION_ENDS,
    EDITION_CONDITIONS,
    EDITION_REQUIREMENTS,
    EDITION_EXCEPTIONS,
    EDITION_BY_OPTIONS,
    EDITION_PARTS
};

typedef struct {
    int64_t since, until; /* moments between which the edition is law */
    int64_t fresh_from;   /* the first place that is new */
    const uint8_t *asked; /* places that were asked for, or none for all */
} Asked;

static int is_asked(const Scene *scene, const Asked *asked, int64_t row) {
    int64_t place = place_of(scene, row), ts = scene->log->ts[place];
    /* An event that ends one run and begins the next is a trigger of the first. */
    if (row && scene->places && scene->places[row - 1] == place) return 0;
    if (ts < asked->since || ts >= asked->until || place < asked->fresh_from) return 0;
    return !asked->asked || asked->asked[place];
}

/* Whether this is the first event of its kind since another one. */
static int is_first(Look *look, const int64_t *edition, int64_t *events) {
    int64_t row = events[0], start = look->scene->starts[look->scene->segment[row]];
    int64_t again[] = {0, edition[EDITION_POOL], edition[EDITION_PATTERN], -1};
    int64_t since = nearest(look, look->code + edition[EDITION_SINCE], start, row, 1, events);
    int64_t before = nearest(look, again, start, row, 1, events);
    if (since == -2 || before == -2) return UNSURE;
    return since >= 0 && since >= before;
}

/* Whether the trigger, of which the pattern holds already, begins a check. */
static int applies(Look *look, const int64_t *edition, int64_t *events) {
    int result = YES;
    if (edition[EDITION_ENDS] >= 0) {
        const Runs *runs = look->scene->runs + edition[EDITION_ENDS];
        int64_t number = run_around(runs, events[0]);
        if (number < 0 || runs->last[number] != events[0] || !runs->proper[number]) return NO;
    }
    if (edition[EDITION_SINCE] >= 0) {
        int first = is_first(look, edition, events);
        if (first == NO) return NO;
        if (first == UNSURE) result = UNSURE;
    }
    for (int64_t i = 0; i < look->asking; i++) {
        int holds = truth(look, look->asks[i], events);
        if (holds == NO) return NO;
        if (holds == UNSURE) result = UNSURE;
    }
    return result;
}

static int requirements_hold(Look *look, const int64_t *edition, int64_t *events) {
    const int64_t *parts = edition + EDITION_PARTS + edition[EDITION_CONDITIONS];
    int result = YES;
    for (int64_t i = 0; i < edition[EDITION_REQUIREMENTS]; i++) {
        int holds = truth(look, parts[i], events);
        if (holds == NO) return NO;
        if (holds == UNSURE) result = UNSURE;
    }
    return result;
}

/* Whether an exception holds and none of its own limits does. */
static int excuses(Look *look, int64_t at, int64_t *events) {
    const int64_t *exception = look->code + at;
    int result = truth(look, exception[1], events);
    for (int64_t i = 0; i < exception[0] && result != NO; i++) {
        int limit = excuses(look, exception[2 + i], events);
        if (limit == YES) return NO;
        if (limit == UNSURE) result = UNSURE;
    }
    return result;
}

/* Whether an exception surely excuses what the requirements surely do not allow. */
static int excused(Look *look, const int64_t *edition, int64_t *events) {
    const int64_t *parts = edition + EDITION_PARTS + edition[EDITION_CONDITIONS];
    parts += edition[EDITION_REQUIREMENTS];
    for (int64_t i = 0; i < edition[EDITION_EXCEPTIONS]; i++) {
        if (excuses(look, parts[i], events) == YES) return 1;
    }
    return 0;
}

typedef struct {
    int64_t complied, excused;
    int64_t left; /* how many are to be judged by others */
} Looked;

/* How many excused checks are handed on all the same, to be shown as examples. */
enum { SHOWN_EXCUSED = 3 };

static int look_at_check(Look *look, const int64_t *edition, int64_t row, int triggers,
                         int64_t *left, Looked *looked) {
    int64_t events[ROOM_FOR_EVENTS];
    events[0] = row;
    int applied = applies(look, edition, events);
    if (look->failed) return 0;
    if (applied == NO) return 1;
    if (triggers == YES && applied == YES) {
        int holds = requirements_hold(look, edition, events);
        if (look->failed) return 0;
        if (holds == YES) {
            looked->complied++;
            return 1;
        }
        if (holds == NO && excused(look, edition, events) && looked->excused++ >= SHOWN_EXCUSED) {
            return !look->failed;
        }
    }
    left[looked->left++] = row;
    return !look->failed;
}

/* `first X since Y`, begun from the rarer side: after each Y only the next X can be meant. */
static int from_the_rarer_side(Look *look, const int64_t *edition, const Asked *asked, Pool *pool,
                               int64_t *left, Looked *looked) {
    const int64_t *edge = look->code + edition[EDITION_SINCE];
    Pool *since = pool_of(look, edge[EDGE_POOL], edge[EDGE_PATTERN]);
    if (!since) return 0;
    int64_t last = -1;
    for (int64_t i = 0; i < since->size; i++) {
        int64_t place = place_in(pool, since->rows[i] + 1);
        if (place == last || place == pool->size) continue;
        last = place;
        if (!is_asked(look->scene, asked, pool->rows[place])) continue;
        if (!look_at_check(look, edition, pool->rows[place], YES, left, looked)) return 0;
    }
    return 1;
}

/* Whether a condition on options alone says the same everywhere: it changes only where one is
   elected. */
static int always(Look *look, const int64_t *condition, int answer) {
    int64_t events[1] = {0};
    look->place = 0;
    int same = truth(look, condition[0], events) == answer;
    for (int64_t i = 0; i < condition[1] && same; i++) {
        const Option *option = look->log->options + condition[2 + i];
        for (int64_t choice = 0; choice < option->number && same; choice++) {
            look->place = option->since[choice];
            same = truth(look, condition[0], events) == answer;
        }
    }
    look->place = -1;
    return same;
}

/* The conditions on options alone. */
static const int64_t *by_options(const int64_t *edition) {
    return edition + EDITION_PARTS + edition[EDITION_CONDITIONS] + edition[EDITION_REQUIREMENTS] +
           edition[EDITION_EXCEPTIONS];
}

/* Whether a condition on options alone holds nowhere. */
int64_t never_holds(Scene *scene, int64_t condition) {
    Look look = {.scene = scene, .log = scene->log, .code = scene->log->code, .place = -1};
    return always(&look, look.code + condition, NO);
}

/* The conditions that are to be asked of each trigger: all but those on options that always hold. */
static void choose_conditions(Look *look, const int64_t *edition) {
    for (int64_t i = 0; i < edition[EDITION_CONDITIONS]; i++) {
        int64_t condition = edition[EDITION_PARTS + i];
        int settled = look->asking == ROOM_FOR_CONDITIONS;
        if (settled) look->failed = 1;
        for (int64_t j = 0; j < edition[EDITION_BY_OPTIONS] && !settled; j++) {
            const int64_t *known = look->code + by_options(edition)[j];
            settled = known[0] == condition && always(look, known, YES);
        }
        if (!settled) look->asks[look->asking++] = condition;
    }
}

static int simple(const Pool *pool) {
    return pool->costly < 0 && !pool->doubts;
}

/* Looks at the trigger rows (at all rows of the trigger's pattern where none are given), writes
   those to `left` that are to be judged by others, and counts those that surely comply or are
   excused. Says 0 where nothing can be said of any. */
static int look_at_all(Look *look, int64_t edition_at, const Asked *asked, const int64_t *rows,
                       int64_t number, int64_t *left, Looked *looked) {
    Scene *scene = look->scene;
    const int64_t *edition = look->code + edition_at;
    if (!sort_by_type(scene)) return 0;
    Pool *pool = pool_of(look, edition[EDITION_POOL], edition[EDITION_PATTERN]);
    if (!pool) return 0;
    if (!rows && edition[EDITION_SINCE] >= 0 && simple(pool)) {
        const int64_t *edge = look->code + edition[EDITION_SINCE];
        Pool *since = pool_of(look, edge[EDGE_POOL], edge[EDGE_PATTERN]);
        if (since && simple(since) && edge[EDGE_TIES] < 0) {
            return from_the_rarer_side(look, edition, asked, pool, left, looked);
        }
    }
    if (!rows) number = pool->size;
    for (int64_t i = 0; i < number; i++) {
        int64_t row = rows ? rows[i] : pool->rows[i], place = i;
        if (!is_asked(scene, asked, row)) continue;
        if (rows) {
            place = place_in(pool, row);
            if (place == pool->size || pool->rows[place] != row) continue;
        }
        int triggers = meant(look, pool, place);
        if (triggers != NO && !look_at_check(look, edition, row, triggers, left, looked)) return 0;
        if (look->failed) return 0;
    }
    return 1;
}

/* A first look at a whole scene, or at one slice of it with the triggers of that slice. */
int64_t first_look(Scene *scene, Slice *slice, int64_t edition_at, const Asked *asked,
                   const int64_t *rows, int64_t number, int64_t patience, int64_t *left,
                   Looked *looked) {
    Look look = {scene, slice, scene->log, scene->log->code, patience, -1, 0, 0, {0}};
    memset(looked, 0, sizeof *looked);
    choose_conditions(&look, look.code + edition_at);
    return !look.failed && look_at_all(&look, edition_at, asked, rows, number, left, looked);
}

/* Gives back what was worked out for a slice. */
void forget_slice(Slice *slice) {
    forget_pools(slice->pools, slice->room);
    slice->pools = NULL;
    slice->room = 0;
}

/* Gives back what was worked out for a scene. */
void forget_scene(Scene *scene) {
    forget_pools(scene->pools, scene->room);
    free(scene->by_type);
    free(scene->borders);
    scene->pools = NULL;
    scene->by_type = scene->borders = NULL;
    scene->room = 0;
}
