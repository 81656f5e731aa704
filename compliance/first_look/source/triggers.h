/* The triggers of which the first conditions of a rule hold, found once for all rules that begin alike:
   these differ only in what they require, or in their last conditions. */

#ifndef TRIGGERS_H
#define TRIGGERS_H

#include "editions.h"
#include "together.h"

typedef struct Triggers {
    Asked asked; /* which triggers were asked for: for who asks for others, these are not the ones */
    int64_t size, room;
    int32_t *rows, *segments; /* a segment that is turned (~) says that the check is in doubt */
} Triggers;

static void forget_triggers(Scene *scene) {
    for (int64_t i = 0; i < scene->room_for_triggers; i++) {
        if (!scene->triggers[i]) continue;
        free(scene->triggers[i]->rows);
        free(scene->triggers[i]->segments);
        free(scene->triggers[i]);
    }
    free(scene->triggers);
    scene->triggers = NULL;
    scene->room_for_triggers = 0;
}

/* Which rows of the trigger's pool may begin a check, and whether they surely do; `places` are those of
   the batch in the pool. */
static int choose_triggers(Look *look, const int64_t *edition, Pool *pool, const Batch *batch,
                           const int32_t *places, Batch *some, uint8_t *triggers) {
    int32_t asked[BATCH];
    some->number = 0;
    for (int64_t i = 0; i < batch->number && pool->costly >= 0; i++) {
        if (pool->asked[places[i]]) continue;
        asked[some->number] = places[i];
        put_in(some, batch->rows[i], batch->segments[i]);
    }
    if (some->number) ask_of_batch(look, pool, some, asked);
    some->number = 0;
    for (int64_t i = 0; i < batch->number && !look->failed; i++) {
        int64_t events[ROOM_FOR_EVENTS];
        int answer = was_meant(pool, places[i]);
        if (answer == NO) continue;
        take(look, batch, i, events);
        int begun = begins(look, edition, events);
        if (begun == NO) continue;
        triggers[some->number] = (uint8_t)(answer == YES ? begun : answer);
        put_in(some, batch->rows[i], batch->segments[i]);
    }
    return !look->failed;
}

/* Where the next triggers come from: the rows that are given, those of a pool, or shared ones. */
typedef struct {
    const Asked *asked;
    Pool *pool;
    const int64_t *rows;
    int64_t number, next;
    const Triggers *shared;
} Source;

/* Takes the next triggers, as many as fit into a batch, and says of each whether it surely is one. */
static int next_triggers(Look *look, const int64_t *edition, Source *source, Batch *some,
                         uint8_t *triggers) {
    Batch batch;
    int32_t places[BATCH];
    some->number = batch.number = 0;
    const Triggers *shared = source->shared;
    if (shared) {
        for (; source->next < shared->size && some->number < BATCH; source->next++) {
            int32_t segment = shared->segments[source->next];
            triggers[some->number] = segment < 0 ? UNSURE : YES;
            put_in(some, shared->rows[source->next], segment < 0 ? ~segment : segment);
        }
        return 1;
    }
    for (; source->next < source->number && batch.number < BATCH; source->next++) {
        int64_t place = source->next;
        int64_t row = source->rows ? source->rows[place] : source->pool->rows[place];
        if (!is_asked(look, source->asked, row)) continue;
        if (source->rows) {
            place = place_in(source->pool, row);
            if (place == source->pool->size || source->pool->rows[place] != row) continue;
        }
        places[batch.number] = (int32_t)place;
        put_in(&batch, (int32_t)row, (int32_t)look->segment);
    }
    return choose_triggers(look, edition, source->pool, &batch, places, some, triggers);
}

static int is_done(const Source *source) {
    return source->next == (source->shared ? source->shared->size : source->number);
}

static int put_trigger(Look *look, Triggers *list, int32_t row, int32_t segment) {
    if (list->size == list->room) {
        int64_t room = 2 * list->room + 64;
        int32_t *rows = realloc(list->rows, (size_t)room * sizeof(int32_t));
        if (rows) list->rows = rows;
        int32_t *segments = realloc(list->segments, (size_t)room * sizeof(int32_t));
        if (segments) list->segments = segments;
        if (!rows || !segments) {
            look->failed = 1;
            return 0;
        }
        list->room = room;
    }
    list->rows[list->size] = row;
    list->segments[list->size++] = segment;
    return 1;
}

/* The triggers of a source of which some conditions hold or may hold. */
static Triggers *find_triggers(Look *look, const int64_t *edition, Source *source, int64_t first,
                               int64_t conditions) {
    Triggers *list = calloc(1, sizeof(Triggers));
    if (!list) look->failed = 1;
    while (!look->failed && !is_done(source)) {
        Batch some;
        uint8_t triggers[BATCH], applied[BATCH];
        if (!next_triggers(look, edition, source, &some, triggers)) break;
        several_together(look, look->asks + first, conditions - first, NO, &some, applied);
        for (int64_t i = 0; i < some.number && !look->failed; i++) {
            if (applied[i] == NO) continue;
            int sure = triggers[i] == YES && applied[i] == YES;
            put_trigger(look, list, some.rows[i], sure ? some.segments[i] : ~some.segments[i]);
        }
    }
    if (look->failed && list) {
        free(list->rows);
        free(list->segments);
        free(list);
        return NULL;
    }
    list->asked = *source->asked;
    return list;
}

static int same_asked(const Asked *one, const Asked *other) {
    return one->dated == other->dated && one->since == other->since && one->until == other->until &&
           one->fresh_from == other->fresh_from && one->asked == other->asked;
}

/* Where the shared triggers of a number are kept in a scene. */
static Triggers **triggers_at(Look *look, int64_t number) {
    Scene *scene = look->scene;
    if (number >= scene->room_for_triggers) {
        int64_t room = 2 * number + 16, known = scene->room_for_triggers;
        Triggers **moved = realloc(scene->triggers, (size_t)room * sizeof(Triggers *));
        if (!moved) {
            look->failed = 1;
            return NULL;
        }
        memset(moved + known, 0, (size_t)(room - known) * sizeof(Triggers *));
        scene->triggers = moved;
        scene->room_for_triggers = room;
    }
    return scene->triggers + number;
}

/* Lets a source give the triggers that an edition shares with others, found now if not before. Says
   how many of its conditions need not be asked any more. */
static int64_t share_triggers(Look *look, const int64_t *edition, Source *source) {
    const int64_t *cells = by_options(edition) + edition[EDITION_BY_OPTIONS] +
                           (edition[EDITION_MESSAGES] > 0 ? edition[EDITION_MESSAGES] : 0);
    int64_t settled = 0;
    if (look->slice || source->rows) return 0;
    for (int64_t conditions = 1; conditions <= edition[EDITION_SHARED]; conditions++) {
        int64_t number = look->code[cells[conditions - 1]];
        if (number < 0) continue;
        Triggers **known = triggers_at(look, number);
        if (!known) return 0;
        if (!*known) *known = find_triggers(look, edition, source, settled, conditions);
        if (!*known) return 0;
        if (!same_asked(&(*known)->asked, source->asked)) {
            source->next = 0;
            continue;
        }
        source->shared = *known;
        source->next = 0;
        settled = conditions;
    }
    return settled;
}

#endif
