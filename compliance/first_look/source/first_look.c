/* A first look at every check of a rule, one after the other: which ones surely comply.

   The few others can be asked once more: of those that are surely violated or excused it is written
   down by which events. What is not sure here, for whatever reason, is left to the columnar engine. */

#include "frames.h"
#include "memory.h"
#include "slicing.h"
#include "sorting.h"
#include "stretches.h"
#include "triggers.h"
#include "verdicts.h"

typedef struct {
    int64_t complied, excused;
    int64_t left; /* how many are to be judged by others */
} Looked;

/* How many excused checks are handed on all the same, to be shown as examples. */
enum { SHOWN_EXCUSED = 3 };

/* Whether a condition on options alone holds nowhere. */
int64_t never_holds(Scene *scene, int64_t condition) {
    Look look = {.scene = scene, .log = scene->log, .code = scene->log->code, .place = -1};
    return always(&look, look.code + condition, NO);
}

static int simple(const Pool *pool) {
    return pool->costly < 0 && !pool->doubts;
}

/* Looks at the checks of triggers of which some conditions are known to hold; `triggers` says whether
   each surely is one. Where slices are looked at together, `left_of` counts what is left of each. */
static int look_at_checks(Look *look, const int64_t *edition, const Batch *batch, int64_t settled,
                          const uint8_t *triggers, int64_t *left, Looked *looked,
                          int64_t *left_of) {
    const int64_t *required = edition + EDITION_PARTS + edition[EDITION_CONDITIONS];
    int64_t events[ROOM_FOR_EVENTS], next = 0, applying = 0, others = 0, complied = 0;
    uint8_t applied[BATCH], holds[BATCH];
    Batch certain;
    const Batch *sure = batch;
    several_together(look, look->asks + settled, look->asking - settled, NO, batch, applied);
    if (look->failed) return 0;
    for (int64_t i = 0; i < batch->number; i++) {
        if (triggers[i] != YES && applied[i] == YES) applied[i] = UNSURE;
        applying += applied[i] == YES;
        others += applied[i] == NO;
    }
    if (applying < batch->number) {
        begin_batch(&certain, batch->notes);
        for (int64_t i = 0; i < batch->number; i++) pass_on(&certain, batch, i, applied[i] == YES);
        sure = &certain;
    }
    several_together(look, required, edition[EDITION_REQUIREMENTS], NO, sure, holds);
    if (look->failed) return 0;
    for (int64_t i = 0; i < applying; i++) complied += holds[i] == YES;
    looked->complied += complied;
    if (complied + others == batch->number) return 1;
    for (int64_t i = 0; i < batch->number && !look->failed; i++) {
        if (applied[i] == NO) continue;
        if (applied[i] == YES) {
            int held = holds[next++];
            if (held == YES) continue;
            take(look, batch, i, events);
            if (held == NO && excused(look, edition, events) &&
                looked->excused++ >= SHOWN_EXCUSED) continue;
        }
        left[looked->left++] = batch->rows[i];
        if (look->owners) left_of[look->owners[batch->places[i]]]++;
    }
    return !look->failed;
}

/* The rarer side of `first X since Y`, where both are known at once; NULL where they are not. */
static const Pool *rarer_side(Look *look, const int64_t *edition, const Pool *pool) {
    const int64_t *edge = look->code + edition[EDITION_SINCE];
    if (edition[EDITION_SINCE] < 0 || edge[EDGE_TIES] >= 0 || !simple(pool)) return NULL;
    const Pool *since = pool_of(look, edge[EDGE_POOL], edge[EDGE_PATTERN]);
    return since && simple(since) ? since : NULL;
}

/* Looks at the trigger rows (at all rows of the trigger's pattern where none are given), writes
   those to `left` that are to be judged by others, and counts those that surely comply or are
   excused. Says 0 where nothing can be said of any. */
static int look_at_all(Look *look, int64_t edition_at, const Asked *asked, const int64_t *rows,
                       int64_t number, int64_t *left, Looked *looked) {
    const int64_t *edition = look->code + edition_at;
    Pool *pool = pool_of(look, edition[EDITION_POOL], edition[EDITION_PATTERN]);
    if (!pool) return 0;
    const Pool *since = rows ? NULL : rarer_side(look, edition, pool);
    if (look->failed) return 0;
    if (!rows) number = since ? since->size : pool->size;
    Source source = {asked, pool, rows, since, number, 0, NULL, 0, NULL};
    int64_t settled = share_triggers(look, edition, &source);
    while (!look->failed && !is_done(&source)) {
        Batch some;
        uint8_t triggers[BATCH];
        if (!next_triggers(look, edition, &source, &some, triggers)) return 0;
        if (!look_at_checks(look, edition, &some, settled, triggers, left, looked, NULL)) return 0;
    }
    return !look->failed;
}

static int look_in(Scene *scene, Slice *slice, int64_t edition_at, const Asked *asked,
                   const int64_t *rows, int64_t number, int64_t patience, int64_t *left,
                   Looked *looked) {
    Look look = {scene, slice, scene->log, scene->log->code, patience, -1, -1, 0, 0, {0}, 0, NULL, NULL};
    memset(looked, 0, sizeof *looked);
    choose_conditions(&look, look.code + edition_at);
    return !look.failed && look_at_all(&look, edition_at, asked, rows, number, left, looked);
}

/* A first look at a whole scene. */
int64_t first_look(Scene *scene, int64_t edition_at, const Asked *asked, int64_t patience,
                   int64_t *left, Looked *looked) {
    return look_in(scene, NULL, edition_at, asked, NULL, 0, patience, left, looked);
}

/* A first look at all slices of a scene together, whose triggers are shared with other rules. Says 0
   where they have to be looked at one after the other. */
static int look_together(Scene *scene, Slice *slices, int64_t number, int64_t edition_at,
                         const Asked *asked, const int64_t *rows, const int64_t *ends,
                         int64_t patience, int64_t *left, int64_t *left_ends, Looked *looked) {
    const int64_t *edition = scene->log->code + edition_at;
    /* Of excused checks some are shown of each slice. Long lists would take too much memory. */
    if (!number || edition[EDITION_EXCEPTIONS] || 2 * ends[number - 1] > scene->size) return 0;
    for (int64_t i = 0; i < number; i++) {
        if (!slices[i].certain) return 0;
    }
    Look look = {scene, NULL, scene->log, scene->log->code, patience, -1, -1, 0, 0, {0}, 0, slices, NULL};
    Source source = {asked, NULL, rows, NULL, ends[number - 1], 0, ends, 0, NULL};
    memset(looked, 0, sizeof *looked);
    memset(left_ends, 0, (size_t)number * sizeof(int64_t));
    choose_conditions(&look, edition);
    int64_t settled = look.failed ? 0 : share_triggers(&look, edition, &source);
    if (!source.shared) return 0;
    while (!look.failed && !is_done(&source)) {
        Batch some;
        uint8_t triggers[BATCH];
        next_triggers(&look, edition, &source, &some, triggers);
        look_at_checks(&look, edition, &some, settled, triggers, left, looked, left_ends);
    }
    for (int64_t i = 1; i < number; i++) left_ends[i] += left_ends[i - 1];
    return !look.failed;
}

/* A first look at slices of a scene, each with its own triggers, which end at `ends`. Those that are
   to be judged by others stand in `left` one slice after the other, up to `left_ends`. Says 0 where
   nothing could be said of some slice: all its triggers are left. */
int64_t look_at_slices(Scene *scene, Slice *slices, int64_t number, int64_t edition_at,
                       const Asked *asked, const int64_t *rows, const int64_t *ends,
                       int64_t patience, int64_t *left, int64_t *left_ends, Looked *looked) {
    int64_t start = 0, next = 0, done = 1;
    if (look_together(scene, slices, number, edition_at, asked, rows, ends, patience, left, left_ends,
                      looked)) {
        return 1;
    }
    memset(looked, 0, sizeof *looked);
    for (int64_t i = 0; i < number; i++) {
        int64_t size = ends[i] - start;
        Looked own = {0, 0, size};
        if (slices[i].certain && look_in(scene, slices + i, edition_at, asked, rows + start, size,
                                         patience, left + next, &own)) {
            looked->complied += own.complied;
            if (own.excused > SHOWN_EXCUSED) looked->excused += own.excused - SHOWN_EXCUSED;
        } else {
            done &= !slices[i].certain;
            memcpy(left + next, rows + start, (size_t)size * sizeof(int64_t));
            own.left = size;
        }
        start = ends[i];
        next += own.left;
        left_ends[i] = next;
    }
    looked->left = next;
    return done;
}

typedef struct {
    int64_t number; /* of verdicts */
    int64_t left;   /* how many are to be judged by others */
    int64_t size;   /* how many numbers tell the verdicts */
} Judged;

static int surely_triggers(Look *look, const int64_t *edition, int64_t row) {
    Pool *pool = pool_of(look, edition[EDITION_POOL], edition[EDITION_PATTERN]);
    look->segment = segment_of(look->scene, row);
    if (!pool || look->segment < 0) return 0;
    int64_t place = place_in(pool, row);
    return place < pool->size && pool->rows[place] == row && meant(look, pool, place) == YES;
}

/* What became of the checks of some triggers, as far as that is certain; the triggers of the others
   are put into `left`. */
void judge(Scene *scene, Slice *slice, int64_t edition_at, const int64_t *rows, int64_t number,
           int64_t patience, int64_t *verdicts, int64_t room, int64_t *left, Judged *judged) {
    Look look = {scene, slice, scene->log, scene->log->code, patience, -1, -1, 0, 0, {0}, 0, NULL, NULL};
    const int64_t *edition = look.code + edition_at, *end = verdicts + room;
    memset(judged, 0, sizeof *judged);
    choose_conditions(&look, edition);
    for (int64_t i = 0; i < number; i++) {
        int64_t *next = NULL;
        if (!look.failed && surely_triggers(&look, edition, rows[i])) {
            next = put_verdict(&look, edition, rows[i], verdicts, end);
        }
        if (next) {
            judged->size += next - verdicts;
            verdicts = next;
            judged->number++;
        } else {
            left[judged->left++] = rows[i];
        }
    }
}

/* Gives back what was worked out for slices. */
void forget_slices(Slice *slices, int64_t number) {
    for (int64_t i = 0; i < number; i++) {
        forget_pools(slices[i].pools, slices[i].room);
        forget_answers(&slices[i].questions);
        slices[i].pools = NULL;
        slices[i].room = 0;
    }
}

/* Gives back what was worked out for a scene. */
void forget_scene(Scene *scene) {
    forget_pools(scene->pools, scene->room);
    forget_answers(&scene->questions);
    forget_triggers(scene);
    forget_words(scene);
    scene->pools = NULL;
    scene->room = 0;
}
