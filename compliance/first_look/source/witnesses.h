/* By which events a condition is decided: the same questions as before, asked once more of a single
   check, with every event that the answer rests on. Any doubt leaves the check to others. */

#ifndef WITNESSES_H
#define WITNESSES_H

#include "evaluate.h"

/* What an event showed, in the order of PARTS in verdicts.py. */
enum { SHOWS_FOUND, SHOWS_SINCE, SHOWS_BEFORE, SHOWS_COUNTED };
enum { MOST_WITNESSES = 2048 };

typedef struct {
    int64_t row, part;
} Witness;

typedef struct {
    Look *look;
    int unclear; /* whether something is in doubt, or there are too many witnesses */
    int64_t number;
    Witness list[MOST_WITNESSES];
} Evidence;

static int truth_with(Evidence *evidence, int64_t at, int64_t *events);

static void show(Evidence *evidence, int64_t row, int64_t part) {
    if (evidence->number == MOST_WITNESSES) {
        evidence->unclear = 1;
        return;
    }
    Witness witness = {row, part};
    evidence->list[evidence->number++] = witness;
}

/* Takes in the next of several answers: once one of them decides, only those that do so count. */
static void take_in(Evidence *evidence, int64_t start, int64_t mark, int answer, int decisive,
                    int *result) {
    if (answer == UNSURE) evidence->unclear = 1;
    if (answer == decisive && *result != decisive) {
        int64_t number = evidence->number - mark;
        memmove(evidence->list + start, evidence->list + mark, (size_t)number * sizeof(Witness));
        evidence->number = start + number;
        *result = decisive;
    } else if (answer != decisive && *result == decisive) {
        evidence->number = mark;
    }
}

/* All of several conditions, which one that fails decides; or any, which one that holds decides. */
static int several_with(Evidence *evidence, const int64_t *nodes, int64_t number, int decisive,
                        int64_t *events) {
    int64_t start = evidence->number;
    int result = !decisive;
    for (int64_t i = 0; i < number && !evidence->unclear; i++) {
        int64_t mark = evidence->number;
        take_in(evidence, start, mark, truth_with(evidence, nodes[i], events), decisive, &result);
    }
    return evidence->unclear ? UNSURE : result;
}

/* Begins to look at the events of a phrase. */
static int begin_with(Evidence *evidence, Walk *walk, int64_t phrase, int64_t *events) {
    if (evidence->unclear || !begin(evidence->look, walk, phrase, events)) evidence->unclear = 1;
    return !evidence->unclear;
}

/* The events that bound where a phrase looks. */
static void show_bounds(Evidence *evidence, const Walk *walk) {
    if (walk->window.nowhere) return;
    if (walk->window.since >= 0) show(evidence, walk->window.since, SHOWS_SINCE);
    if (walk->window.before >= 0) show(evidence, walk->window.before, SHOWS_BEFORE);
}

static Value value_with(Evidence *evidence, int64_t at, int64_t *events);

/* At least so many events: the nearest ones that are enough show it. */
static int enough_with(Evidence *evidence, Walk *walk, int64_t wanted) {
    int64_t sure = 0, perhaps = 0;
    int past = walk->phrase[PHRASE_REACH] == PAST;
    for (int64_t i = walk->low; i < walk->high && sure < wanted; i++) {
        int64_t row;
        int answer = look_at(evidence->look, walk, past ? walk->high - 1 - (i - walk->low) : i, &row);
        if (evidence->look->failed) break;
        sure += answer == YES;
        perhaps += answer == UNSURE;
        if (answer == YES) show(evidence, row, SHOWS_FOUND);
    }
    show_bounds(evidence, walk);
    int result = enough(sure, perhaps, wanted, walk->window.open);
    if (result == UNSURE || evidence->look->failed) evidence->unclear = 1;
    return result;
}

static int how_many_with(Evidence *evidence, const int64_t *node, int64_t *events) {
    Walk walk;
    Value number = value_with(evidence, node[2], events);
    if (number.state != KNOWN || !begin_with(evidence, &walk, node[3], events)) {
        evidence->unclear = 1;
        return UNSURE;
    }
    int bound = (int)node[1], result = YES;
    int64_t least = least_of(number), most = most_of(number);
    int64_t start = evidence->number;
    if (bound != COUNT_AT_MOST) {
        take_in(evidence, start, start, enough_with(evidence, &walk, least), NO, &result);
    }
    if (bound != COUNT_AT_LEAST && !evidence->unclear) {
        int64_t mark = evidence->number;
        int under = opposite(enough_with(evidence, &walk, most));
        take_in(evidence, start, mark, under, NO, &result);
    }
    return evidence->unclear ? UNSURE : result;
}

static int every_with(Evidence *evidence, const int64_t *node, int64_t *events) {
    Walk walk;
    if (!begin_with(evidence, &walk, node[1], events)) return UNSURE;
    int64_t start = evidence->number;
    int result = YES;
    for (int64_t i = walk.low; i < walk.high && !evidence->unclear; i++) {
        int64_t row, mark = evidence->number;
        int answer = look_at(evidence->look, &walk, i, &row);
        if (answer == NO) continue;
        int64_t alone[ROOM_FOR_EVENTS] = {row};
        int holds = truth_with(evidence, node[2], node[3] ? alone : events);
        if (answer == UNSURE) evidence->unclear = 1;
        show(evidence, row, SHOWS_FOUND);
        take_in(evidence, start, mark, holds, NO, &result);
    }
    if (walk.window.open && result == YES) evidence->unclear = 1;
    show_bounds(evidence, &walk);
    return evidence->unclear ? UNSURE : result;
}

/* Every event of a phrase is counted. */
static void show_counted(Evidence *evidence, Walk *walk) {
    for (int64_t i = walk->low; i < walk->high && !evidence->unclear; i++) {
        int64_t row;
        int answer = look_at(evidence->look, walk, i, &row);
        if (answer == UNSURE) evidence->unclear = 1;
        if (answer == YES) show(evidence, row, SHOWS_COUNTED);
    }
    show_bounds(evidence, walk);
}

static void show_end(Evidence *evidence, Walk *walk, int first) {
    for (int64_t i = walk->low; i < walk->high; i++) {
        int64_t row;
        int answer = look_at(evidence->look, walk, first ? i : walk->high - 1 - (i - walk->low), &row);
        if (answer == UNSURE) evidence->unclear = 1;
        if (answer == YES) show(evidence, row, SHOWS_FOUND);
        if (answer != NO) break;
    }
    show_bounds(evidence, walk);
}

static Value aggregate_with(Evidence *evidence, const int64_t *node, int64_t at, int64_t *events) {
    Walk walk;
    if (!begin_with(evidence, &walk, node[2], events)) return unknown;
    if (node[1] == FIRST || node[1] == LAST) show_end(evidence, &walk, node[1] == FIRST);
    else show_counted(evidence, &walk);
    return evaluate(evidence->look, at, events);
}

/* The seats of the events; where one starts to count matters only to who looks for the next. */
static Value seats_with(Evidence *evidence, const int64_t *node, int64_t at, int64_t *events) {
    Walk walk;
    if (!begin_with(evidence, &walk, node[1], events)) return unknown;
    int64_t before = evidence->number;
    show_counted(evidence, &walk);
    int some = 0;
    for (int64_t i = before; i < evidence->number; i++) some |= evidence->list[i].part == SHOWS_COUNTED;
    if (node[0] == NEXT_SEAT && some) value_with(evidence, node[4], events);
    return evaluate(evidence->look, at, events);
}

/* The answer of an expression whose parts all count. */
static Value united_with(Evidence *evidence, const int64_t *parts, int64_t number, int64_t at,
                         int64_t *events) {
    for (int64_t i = 0; i < number && !evidence->unclear; i++) {
        if (parts[i] >= 0) value_with(evidence, parts[i], events);
    }
    return evidence->unclear ? unknown : evaluate(evidence->look, at, events);
}

static Value if_with(Evidence *evidence, const int64_t *node, int64_t *events) {
    int holds = truth_with(evidence, node[1], events);
    if (evidence->unclear) return unknown;
    return value_with(evidence, node[holds == YES ? 2 : 3], events);
}

static Value answer_with(Evidence *evidence, int64_t at, int64_t *events) {
    const int64_t *node = evidence->look->code + at;
    switch (node[0]) {
    case ARITHMETIC:
    case ROUNDING:
    case COMPARE: return united_with(evidence, node + 2, 2, at, events);
    case PIP_VALUE:
    case RANK:
    case SUIT:
    case COLOR:
    case IS_RECORDED: return united_with(evidence, node + 1, 1, at, events);
    case LARGER:
    case SMALLER: return united_with(evidence, node + 1, 2, at, events);
    case LOOKUP: return united_with(evidence, node + 2, 2, at, events);
    case ABOUT: return united_with(evidence, node + 1, 3, at, events);
    case KEPT: return value_with(evidence, node[1], events);
    case IF: return if_with(evidence, node, events);
    case AND: return from_truth(several_with(evidence, node + 2, node[1], NO, events));
    case OR: return from_truth(several_with(evidence, node + 2, node[1], YES, events));
    case NOT: return from_truth(opposite(truth_with(evidence, node[1], events)));
    case HOW_MANY: return from_truth(how_many_with(evidence, node, events));
    case EVERY: return from_truth(every_with(evidence, node, events));
    case AGGREGATE: return aggregate_with(evidence, node, at, events);
    case IN_ORDER:
    case NEXT_SEAT: return seats_with(evidence, node, at, events);
    case RECORDED: {
        /* An event that lacks a field is a witness of its own kind. */
        const Column *column = evidence->look->log->columns + node[2];
        int64_t place = place_of(evidence->look->scene, events[node[1]]);
        if (!column->values || !recorded(column, place)) evidence->unclear = 1;
        return from_truth((int)node[3]);
    }
    default: return evaluate(evidence->look, at, events);
    }
}

static Value value_with(Evidence *evidence, int64_t at, int64_t *events) {
    if (evidence->unclear) return unknown;
    Value value = answer_with(evidence, at, events);
    if (value.state == UNKNOWN || evidence->look->failed) evidence->unclear = 1;
    return evidence->unclear ? unknown : value;
}

static int truth_with(Evidence *evidence, int64_t at, int64_t *events) {
    int answer = to_truth(value_with(evidence, at, events));
    if (answer == UNSURE) evidence->unclear = 1;
    return answer;
}

#endif
