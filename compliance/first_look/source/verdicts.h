/* What became of the few checks that do not surely comply, with the events that show it. */

#ifndef VERDICTS_H
#define VERDICTS_H

#include "editions.h"
#include "witnesses.h"

/* What is said of one check: its trigger, which exception excuses it (-1 where it is violated), a bit
   for each requirement that is not met, how many witnesses there are; then two numbers for each of
   them (its place in the log, what it showed), and three for each value in the message. */
enum {
    VERDICT_PLACE,
    VERDICT_EXCUSE,
    VERDICT_UNMET,
    VERDICT_WITNESSES,
    VERDICT_PARTS
};
enum { MOST_REQUIREMENTS = 60 };

/* Whether an exception holds and none of its own limits does; and by which events. */
static int excuses_with(Evidence *evidence, int64_t at, int64_t *events) {
    const int64_t *exception = evidence->look->code + at;
    int64_t start = evidence->number;
    int result = YES;
    take_in(evidence, start, start, truth_with(evidence, exception[1], events), NO, &result);
    for (int64_t i = 0; i < exception[0] && !evidence->unclear; i++) {
        int64_t mark = evidence->number;
        int limit = opposite(excuses_with(evidence, exception[2 + i], events));
        take_in(evidence, start, mark, limit, NO, &result);
    }
    return result;
}

/* The first exception that excuses a check, or -1. */
static int64_t excuse_of(Evidence *evidence, const int64_t *edition, int64_t *events) {
    const int64_t *exceptions = edition + EDITION_PARTS + edition[EDITION_CONDITIONS];
    exceptions += edition[EDITION_REQUIREMENTS];
    for (int64_t i = 0; i < edition[EDITION_EXCEPTIONS] && !evidence->unclear; i++) {
        int64_t mark = evidence->number;
        if (excuses_with(evidence, exceptions[i], events) == YES) return i;
        evidence->number = mark;
    }
    return -1;
}

/* Which requirements are not met: a bit for each. Only their witnesses count. */
static int64_t unmet_with(Evidence *evidence, const int64_t *edition, int64_t *events) {
    const int64_t *parts = edition + EDITION_PARTS + edition[EDITION_CONDITIONS];
    int64_t number = edition[EDITION_REQUIREMENTS], unmet = 0;
    int result = YES;
    if (number > MOST_REQUIREMENTS) evidence->unclear = 1;
    for (int64_t i = 0; i < number && !evidence->unclear; i++) {
        int64_t mark = evidence->number;
        int holds = truth_with(evidence, parts[i], events);
        if (holds == NO) unmet |= (int64_t)1 << i;
        take_in(evidence, 0, mark, holds, NO, &result);
    }
    return unmet;
}

/* The values that the message quotes. */
static int64_t *put_message(Look *look, const int64_t *edition, int64_t *events, int64_t *next) {
    const int64_t *values = by_options(edition) + edition[EDITION_BY_OPTIONS];
    for (int64_t i = 0; i < edition[EDITION_MESSAGES]; i++) {
        Value value = evaluate(look, values[i], events);
        if (value.state == UNKNOWN || look->failed) return NULL;
        *next++ = value.above;
        *next++ = value.below;
        *next++ = value.state;
    }
    return next;
}

/* Writes what became of the check of a trigger; says where the next one goes, or NULL where that
   cannot be said here. */
static int64_t *put_verdict(Look *look, const int64_t *edition, int64_t row, int64_t *next,
                            const int64_t *end) {
    int64_t events[ROOM_FOR_EVENTS];
    Evidence evidence;
    evidence.look = look;
    evidence.unclear = 0;
    evidence.number = 0;
    events[0] = row;
    if (applies(look, edition, events) != YES || look->failed) return NULL;
    int64_t unmet = unmet_with(&evidence, edition, events);
    int64_t excuse = excuse_of(&evidence, edition, events);
    if (!unmet || evidence.unclear || look->failed) return NULL;
    if (end - next < VERDICT_PARTS + 2 * evidence.number + 3 * edition[EDITION_MESSAGES]) return NULL;
    next[VERDICT_PLACE] = place_of(look->scene, row);
    next[VERDICT_EXCUSE] = excuse;
    next[VERDICT_UNMET] = unmet;
    next[VERDICT_WITNESSES] = evidence.number;
    next += VERDICT_PARTS;
    for (int64_t i = 0; i < evidence.number; i++) {
        *next++ = place_of(look->scene, evidence.list[i].row);
        *next++ = evidence.list[i].part;
    }
    return put_message(look, edition, events, next);
}

#endif
