/* An edition of a rule in the code: when it applies, what it requires, and what excuses. */

#ifndef EDITIONS_H
#define EDITIONS_H

#include "evaluate.h"

/* Its trigger, then how many conditions, requirements, exceptions, conditions on options alone and
   values in its message there are (-1 where these cannot be told), then where they stand. An exception
   is how many limits it has, its condition, and where these limits stand, which are exceptions
   themselves. Last, for no condition, the first one, the first two and so on: where it stands under
   which number the triggers of which they hold are shared with other editions; see triggers.h. */
enum {
    EDITION_POOL,
    EDITION_PATTERN,
    EDITION_SINCE,
    EDITION_ENDS,
    EDITION_CONDITIONS,
    EDITION_REQUIREMENTS,
    EDITION_EXCEPTIONS,
    EDITION_BY_OPTIONS,
    EDITION_MESSAGES,
    EDITION_SHARED,
    EDITION_PARTS
};

typedef struct {
    int64_t dated;        /* whether it is law in a part of the log only */
    int64_t since, until; /* moments between which it is */
    int64_t fresh_from;   /* the first place that is new */
    const uint8_t *asked; /* places that were asked for, or none for all */
} Asked;

/* Whether the check of a trigger is asked for; takes its segment in hand. */
static int is_asked(Look *look, const Asked *asked, int64_t row) {
    Scene *scene = look->scene;
    int64_t place = place_of(scene, row);
    /* An event that ends one run and begins the next is a trigger of the first. */
    if (row && scene->places && scene->places[row - 1] == place) return 0;
    if (place < asked->fresh_from) return 0;
    if (asked->dated) {
        int64_t ts = scene->log->ts[place];
        if (ts < asked->since || ts >= asked->until) return 0;
    }
    look->segment = segment_of(scene, row);
    return look->segment >= 0 && (!asked->asked || asked->asked[place]);
}

/* Whether this is the first event of its kind since another one. */
static int is_first(Look *look, const int64_t *edition, int64_t *events) {
    int64_t row = events[0], start = look->scene->starts[look->segment];
    int64_t again[] = {0, edition[EDITION_POOL], edition[EDITION_PATTERN], -1};
    int64_t since = nearest(look, look->code + edition[EDITION_SINCE], start, row, 1, events);
    int64_t before = nearest(look, again, start, row, 1, events);
    if (since == -2 || before == -2) return UNSURE;
    return since >= 0 && since >= before;
}

/* Whether the trigger, of which the pattern holds already, is the end of a run or the first of its
   kind where that is asked for. */
static inline int begins(Look *look, const int64_t *edition, int64_t *events) {
    if (edition[EDITION_ENDS] >= 0) {
        Runs *runs = look->scene->runs + edition[EDITION_ENDS];
        int64_t number = run_around(runs, events[0]);
        if (number < 0 || runs->last[number] != events[0] || !runs->proper[number]) return NO;
    }
    return edition[EDITION_SINCE] >= 0 ? is_first(look, edition, events) : YES;
}

/* Whether such a trigger begins a check. */
static int applies(Look *look, const int64_t *edition, int64_t *events) {
    int result = begins(look, edition, events);
    for (int64_t i = 0; i < look->asking && result != NO; i++) {
        if (look->asks[i] < 0) continue;
        int holds = answer_of(look, look->asks[i], events);
        if (holds != YES) result = holds;
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

/* The conditions that are to be asked of each trigger: all but those on options that always hold, in
   the place of which stands -1. */
static void choose_conditions(Look *look, const int64_t *edition) {
    if (edition[EDITION_CONDITIONS] > ROOM_FOR_CONDITIONS) look->failed = 1;
    for (int64_t i = 0; i < edition[EDITION_CONDITIONS] && !look->failed; i++) {
        int64_t condition = edition[EDITION_PARTS + i];
        int settled = 0;
        for (int64_t j = 0; j < edition[EDITION_BY_OPTIONS] && !settled; j++) {
            const int64_t *known = look->code + by_options(edition)[j];
            settled = known[0] == condition && always(look, known, YES);
        }
        look->asks[look->asking++] = settled ? -1 : condition;
    }
}

#endif
