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
    int32_t *owners;          /* the numbers of their slices, or none */
    Notes notes;
} Triggers;

static void forget_list(Triggers *list) {
    if (!list) return;
    free(list->rows);
    free(list->segments);
    free(list->owners);
    forget_notes(&list->notes);
    free(list);
}

static void forget_triggers(Scene *scene) {
    for (int64_t i = 0; i < scene->room_for_triggers; i++) forget_list(scene->triggers[i]);
    free(scene->triggers);
    scene->triggers = NULL;
    scene->room_for_triggers = 0;
}

/* Which rows of the trigger's pool may begin a check, and whether they surely do. */
static int choose_triggers(Look *look, const int64_t *edition, Pool *pool, const Batch *batch,
                           Batch *some, uint8_t *triggers) {
    begin_batch(some, notes_of(look, pool));
    for (int64_t i = 0; i < batch->number && pool->costly >= 0; i++) {
        pass_on(some, batch, i, !pool->asked[batch->places[i]]);
    }
    if (some->number) ask_of_batch(look, pool, some);
    begin_batch(some, NULL);
    for (int64_t i = 0; i < batch->number && !look->failed; i++) {
        int64_t events[ROOM_FOR_EVENTS];
        int answer = was_meant(pool, batch->places[i]);
        if (answer == NO) continue;
        take(look, batch, i, events);
        int begun = begins(look, edition, events);
        if (begun == NO) continue;
        triggers[some->number] = (uint8_t)(answer == YES ? begun : answer);
        pass_on(some, batch, i, 1);
    }
    return !look->failed;
}

/* Where the next triggers come from: the rows that are given, those of a pool, or shared ones. Those of
   `first X since Y` come from the rarer side: after each Y only the next X can be meant. */
typedef struct {
    const Asked *asked;
    Pool *pool;
    const int64_t *rows;
    const Pool *since; /* the rarer side, or none */
    int64_t number, next;
    const int64_t *ends; /* where the rows of each slice end, where slices are looked at together */
    int64_t slice;       /* the number of the one that is next */
    Triggers *shared;
} Source;

/* Takes the next of shared triggers. */
static void next_shared(Triggers *shared, int64_t *next, Batch *some, uint8_t *triggers) {
    int64_t number = MIN(shared->size - *next, BATCH);
    const int32_t *segments = shared->segments + *next;
    begin_batch(some, &shared->notes);
    memcpy(some->rows, shared->rows + *next, (size_t)number * sizeof(int32_t));
    for (int64_t i = 0; i < number; i++) {
        triggers[i] = segments[i] < 0 ? UNSURE : YES;
        some->segments[i] = segments[i] < 0 ? ~segments[i] : segments[i];
        some->places[i] = (int32_t)(*next + i);
    }
    some->number = number;
    some->gapless = 1;
    *next += number;
}

/* The place in the trigger's pool of the next one in a source, or -1 where that is none. */
static int64_t place_of_next(Source *source, int64_t next) {
    Pool *pool = source->pool;
    int64_t place = next;
    if (source->since) {
        const int32_t *since = source->since->rows + next;
        place = place_in(pool, since[0] + 1);
        /* Of several in a row, the last one counts. */
        if (next + 1 < source->number && place < pool->size && pool->rows[place] > since[1]) return -1;
    } else if (source->rows) {
        place = place_in(pool, source->rows[next]);
        if (place < pool->size && pool->rows[place] != source->rows[next]) return -1;
    }
    return place < pool->size ? place : -1;
}

/* Takes the next triggers, as many as fit into a batch, and says of each whether it surely is one. */
static int next_triggers(Look *look, const int64_t *edition, Source *source, Batch *some,
                         uint8_t *triggers) {
    Batch batch;
    int64_t end = source->number;
    begin_batch(&batch, NULL);
    if (source->shared) {
        look->owners = source->shared->owners;
        if (look->owners) look->slice = NULL;
        next_shared(source->shared, &source->next, some, triggers);
        return 1;
    }
    if (source->ends) {
        /* One slice after the other. */
        while (source->next == source->ends[source->slice]) source->slice++;
        end = source->ends[source->slice];
        look->slice = look->slices + source->slice;
        source->pool = pool_of(look, edition[EDITION_POOL], edition[EDITION_PATTERN]);
        if (!source->pool) return 0;
    }
    for (; source->next < end && batch.number < BATCH; source->next++) {
        int64_t place = place_of_next(source, source->next);
        if (place < 0) continue;
        int32_t row = source->pool->rows[place];
        if (is_asked(look, source->asked, row)) {
            put_in(&batch, row, (int32_t)look->segment, (int32_t)place);
        }
    }
    return choose_triggers(look, edition, source->pool, &batch, some, triggers);
}

static int is_done(const Source *source) {
    return source->next == (source->shared ? source->shared->size : source->number);
}

/* Makes room for more numbers. */
static void enlarge(Look *look, int32_t **numbers, int64_t room) {
    int32_t *moved = realloc(*numbers, (size_t)room * sizeof(int32_t));
    if (moved) *numbers = moved;
    else look->failed = 1;
}

static void put_trigger(Look *look, Triggers *list, int32_t row, int32_t segment, int64_t owner) {
    if (list->size == list->room) {
        int64_t room = 2 * list->room + 64;
        enlarge(look, &list->rows, room);
        enlarge(look, &list->segments, room);
        if (look->slices) enlarge(look, &list->owners, room);
        if (look->failed) return;
        list->room = room;
    }
    list->rows[list->size] = row;
    list->segments[list->size] = segment;
    if (list->owners) list->owners[list->size] = (int32_t)owner;
    list->size++;
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
            int64_t owner = look->owners ? look->owners[some.places[i]] : source->slice;
            put_trigger(look, list, some.rows[i], sure ? some.segments[i] : ~some.segments[i], owner);
        }
    }
    if (look->failed) {
        forget_list(list);
        return NULL;
    }
    list->asked = *source->asked;
    list->notes.size = list->size;
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
   how many of its conditions need not be asked any more. The first list is of all its triggers. */
static int64_t share_triggers(Look *look, const int64_t *edition, Source *source) {
    const int64_t *cells = by_options(edition) + edition[EDITION_BY_OPTIONS] +
                           (edition[EDITION_MESSAGES] > 0 ? edition[EDITION_MESSAGES] : 0);
    int64_t settled = 0;
    if (source->rows && !source->ends) return 0;
    for (int64_t conditions = 0; conditions < edition[EDITION_SHARED]; conditions++) {
        int64_t number = look->code[cells[conditions]];
        if (number < 0) continue;
        Triggers **known = triggers_at(look, number);
        if (!known) return 0;
        if (!*known) *known = find_triggers(look, edition, source, settled, conditions);
        if (!*known) return 0;
        if (!same_asked(&(*known)->asked, source->asked)) {
            source->next = source->slice = 0;
            continue;
        }
        source->shared = *known;
        source->next = source->slice = 0;
        settled = conditions;
    }
    return settled;
}

#endif
