/* One answer from many events: how many there are, what they add up to, in which order they go round. */

#ifndef AGGREGATES_H
#define AGGREGATES_H

#include "phrases.h"

static Wide least_of(Value number) {
    return number.above / number.below + (number.above % number.below > 0); /* rounded up */
}

static Wide floor_of(Value number) {
    return number.above / number.below - (number.above % number.below < 0);
}

/* Whether at least so many events match. */
static int at_least(const Found *found, Wide wanted) {
    if (found->view.doubtful) return found->view.doubtful;
    if (found->sure >= wanted) return YES;
    if (is_open(found)) return OPEN;
    return found->sure + (Wide)found->weight >= wanted ? MISSING : NO;
}

/* The same with witnesses: the nearest events that are enough, or those that leave it in doubt. */
static int at_least_seen(Engine *engine, const Found *found, Wide wanted, int back) {
    int answer = at_least(found, wanted);
    Wide enough = wanted > 0 ? wanted : 0, lacking = wanted - found->sure;
    if (answer != MISSING || found->view.doubtful) lacking = 0;
    for (int32_t i = 0; i < found->number; i++) {
        int32_t at = back ? found->number - 1 - i : i;
        if (found->states[at] == YES && enough-- > 0) see(engine, found->rows[at], PART_FOUND);
        if (found->states[at] == MISSING && lacking-- > 0) see(engine, found->rows[at], PART_UNCLEAR);
    }
    see_bounds(engine, &found->view);
    return answer;
}

/* Takes in the answer of one of several conditions: once one fails, only those that fail are witnesses. */
static void take_in(Engine *engine, int64_t start, int64_t mark, int answer, int decisive, int *result) {
    Evidence *evidence = engine->evidence;
    int before = *result;
    *result = decisive == NO ? both(before, answer) : either(before, answer);
    if (!evidence) return;
    if (answer == decisive && before != decisive) {
        int64_t number = evidence->number - mark;
        if (number) memmove(evidence->list + start, evidence->list + mark, (size_t)number * sizeof(Seen));
        evidence->number = start + number;
    } else if (answer != decisive && before == decisive) {
        evidence->number = mark;
    }
}

static inline int64_t seen_so_far(const Engine *engine) {
    return engine->evidence ? engine->evidence->number : 0;
}

static APART int how_many(Engine *engine, const HowManyNode *node, int32_t *hand) {
    Value number = evaluate(engine, node->count, hand);
    if (!is_known(number)) return to_truth(number);
    Place scratch = place_in(engine->scratch);
    Found found;
    Wide least = least_of(number), most = floor_of(number) + 1;
    int result = YES;
    if (!engine->evidence) {
        count(engine, node->events, hand, node->bound == BOUND_AT_LEAST ? least : most, &found);
        if (node->bound != BOUND_AT_MOST) result = at_least(&found, least);
        if (node->bound != BOUND_AT_LEAST) result = both(result, opposite(at_least(&found, most)));
        give_back_to(engine->scratch, scratch);
        return result;
    }
    int back = NODE(Events, engine, node->events)->reach == REACH_PAST;
    find(engine, node->events, hand, 1, &found);
    int64_t start = seen_so_far(engine);
    if (node->bound != BOUND_AT_MOST) {
        take_in(engine, start, start, at_least_seen(engine, &found, least, back), NO, &result);
    }
    if (node->bound != BOUND_AT_LEAST) {
        int64_t mark = seen_so_far(engine);
        int under = opposite(at_least_seen(engine, &found, most, back));
        take_in(engine, start, mark, under, NO, &result);
    }
    give_back_to(engine->scratch, scratch);
    return result;
}

static APART int every(Engine *engine, const EveryNode *node, int32_t *hand) {
    Place scratch = place_in(engine->scratch);
    Found found;
    find(engine, node->events, hand, 0, &found);
    const EdgeNode *edge = NODE(Edge, engine, NODE(Events, engine, node->events)->edge);
    int64_t start = seen_so_far(engine);
    int result = YES;
    int seeing = engine->evidence != NULL;
    for (int32_t i = 0; i < found.number && engine->kept_rows; i++) {
        /* What the rest of the log will tell is asked again of these. */
        hand[edge->own] = found.rows[i];
        if (found.states[i] == OPEN) truth_apart(engine, node->condition, hand);
    }
    for (int pass = 0; pass < 2; pass++) {
        for (int32_t i = 0; i < found.number; i++) {
            int32_t row = found.rows[i];
            if (found.states[i] != (pass ? MISSING : YES)) continue;
            if (!seeing && result == NO && !found.view.doubtful) break;
            int64_t mark = seen_so_far(engine);
            int answer = MISSING;
            hand[edge->own] = row;
            if (!pass) {
                answer = truth(engine, node->condition, hand);
                see(engine, row, PART_FOUND);
            } else if (is_lost(engine, row)) {
                see(engine, row, PART_UNCLEAR);
            } else {
                /* In doubt whether it is one of them: it matters only if it does not fulfil it. */
                int holds = truth(engine, node->condition, hand);
                if (holds != YES) see(engine, row, PART_UNCLEAR);
                answer = either(MISSING, holds);
            }
            /* Where the stretch itself is in doubt, nothing of it decides. */
            if (found.view.doubtful) result = both(result, answer);
            else take_in(engine, start, mark, answer, NO, &result);
        }
    }
    if (found.apart && !found.view.doubtful) result = both(result, MISSING);
    if (is_open(&found) && !found.view.doubtful) take_in(engine, start, seen_so_far(engine), OPEN, NO, &result);
    if (found.view.doubtful) result = found.view.doubtful;
    see_bounds(engine, &found.view);
    give_back_to(engine->scratch, scratch);
    return result;
}

/* All events of a phrase are counted, or leave it in doubt. */
static void see_counted(Engine *engine, const Found *found) {
    if (!engine->evidence) return;
    for (int32_t i = 0; i < found->number; i++) {
        if (found->states[i] == YES) see(engine, found->rows[i], PART_COUNTED);
        if (found->states[i] == MISSING) see(engine, found->rows[i], PART_UNCLEAR);
    }
    see_bounds(engine, &found->view);
}

/* Why a total of these events cannot be given; unsure events alone leave it limits. */
static int no_total(const Found *found) {
    if (is_open(found) || found->view.doubtful == OPEN) return OPEN;
    return found->view.doubtful ? MISSING : NO;
}

/* The value that an expression has for one of the events. */
static inline Value value_for(Engine *engine, int64_t at, int64_t own, int32_t row, int32_t *hand) {
    hand[own] = row;
    return evaluate(engine, at, hand);
}

/* Of values that are not told only one thing is taken for granted: recorded money is not negative. */
static Value sum_of(Engine *engine, const AggregateNode *node, int64_t own, const Found *found,
                    int32_t *hand, int *lacking) {
    Total low = {.below = 1}, high = {.below = 1};
    /* Those that are not even listed may say anything. */
    int has_high = !found->apart, has_low = has_high || node->money;
    for (int32_t i = 0; i < found->number; i++) {
        int32_t row = found->rows[i];
        int sure = found->states[i] == YES;
        Value value = NOT_RECORDED;
        hand[own] = row;
        if (sure) value = evaluate(engine, node->value, hand);
        else if (!is_lost(engine, row)) value = value_apart(engine, node->value, hand);
        if (!is_known(value)) {
            *lacking |= sure;
            has_high = 0;
            if (!node->money) has_low = 0;
            continue;
        }
        if (sure || value.above < 0) add_to(&low, value);
        if (sure || value.above > 0) add_to(&high, value);
    }
    if (!*lacking && !found->unsure) return value_of_total(&low);
    return bounded(has_low, value_of_total(&low), has_high, value_of_total(&high));
}

static int by_number(const void *left, const void *right) {
    const Value *a = left, *b = right;
    return order_of(*a, *b);
}

/* How many different values there are; what is not told may be one more, or one that is there already. */
static Value different(Value *values, int32_t size, int64_t lacking, const Found *found) {
    if (size) qsort(values, (size_t)size, sizeof(Value), by_number);
    int64_t number = 0;
    for (int32_t i = 0; i < size; i++) number += !i || order_of(values[i - 1], values[i]) != 0;
    if (!found->unsure && !lacking) return whole(number);
    return bounded(1, whole(number), 1, fraction((Wide)number + found->weight + lacking, 1));
}

/* The sum of values divided by their number. */
static Value average_of(const Value *values, int32_t size) {
    Total total = {.below = 1};
    if (!size) return NO_SUCH_THING;
    for (int32_t i = 0; i < size; i++) add_to(&total, values[i]);
    Value sum = value_of_total(&total);
    return is_known(sum) ? calculated(CALCULATION_DIVIDED, sum, whole(size), RESULT_NUMBER) : sum;
}

/* The value in the middle; of two in the middle, half their sum. */
static Value median_of(Value *values, int32_t size) {
    if (size) qsort(values, (size_t)size, sizeof(Value), by_number);
    return average_of(values + (size - (size > 0)) / 2, size ? 2 - size % 2 : 0);
}

/* What all values together give. */
static Value combined(Engine *engine, const AggregateNode *node, Value *values, int32_t size) {
    if (node->function == AGGREGATE_AVERAGE) return average_of(values, size);
    if (node->function == AGGREGATE_MEDIAN) return median_of(values, size);
    if (node->function == AGGREGATE_SMALLEST || node->function == AGGREGATE_LARGEST) {
        if (!size) return NO_SUCH_THING;
        Value best = values[0];
        for (int32_t i = 1; i < size; i++) {
            int order = order_of(values[i], best);
            if (node->function == AGGREGATE_SMALLEST ? order < 0 : order > 0) best = values[i];
        }
        return best;
    }
    int64_t *cards = take(engine->scratch, size, sizeof(int64_t));
    for (int32_t i = 0; i < size; i++) cards[i] = values[i].above;
    return of_hand((int)node->function, cards, size);
}

/* One answer from the values of all events that surely match. */
static Value of_values(Engine *engine, const AggregateNode *node, int64_t own, const Found *found,
                       int32_t *hand, int *lacking) {
    Value *values = take(engine->scratch, found->number, sizeof(Value));
    int32_t size = 0;
    for (int32_t i = 0; i < found->number; i++) {
        if (found->states[i] != YES) continue;
        values[size] = value_for(engine, node->value, own, found->rows[i], hand);
        if (is_known(values[size])) size++;
        else ++*lacking;
    }
    if (node->function == AGGREGATE_DISTINCT) return different(values, size, *lacking, found);
    if (*lacking || found->unsure) return NOT_RECORDED;
    return combined(engine, node, values, size);
}

static Value end_value(Engine *engine, const AggregateNode *node, int32_t *hand) {
    int first = node->function == AGGREGATE_FIRST;
    EndFound end;
    find_end(engine, node->events, hand, first, &end);
    see_bounds(engine, &end.view);
    if (end.view.doubtful) return absent(end.view.doubtful);
    if (end.view.open && !(first && end.sure)) return absent(STATE_OPEN);
    if (end.row < 0) return NO_SUCH_THING;
    if (end.state != YES) {
        see(engine, end.row, PART_UNCLEAR);
        if (end.state == OPEN) note_unsettled(engine);
        return absent(end.state);
    }
    const EdgeNode *edge = NODE(Edge, engine, NODE(Events, engine, node->events)->edge);
    Value value = value_for(engine, node->value, edge->own, end.row, hand);
    see(engine, end.row, PART_FOUND);
    return value;
}

/* The sum of a field over events that are all surely meant: the difference of two totals. Says no where
   it is not as plain as that. */
static int sum_by_totals(Engine *engine, const AggregateNode *node, int32_t *hand, Value *sum) {
    const EventsNode *events = NODE(Events, engine, node->events);
    const FieldNode *field = NODE(Field, engine, node->value);
    Sought sought;
    View view;
    if (field->kind != NODE_FIELD || events->per != PER_EACH) return 0;
    seek(engine, events->edge, hand, &sought);
    if (!sought.always || field->var != sought.edge->own) return 0;
    look(engine, events, hand, &view);
    if (view.open || view.doubtful || view.timed || view.pieces.number > 1) return 0;
    if (view.pieces.number && view.pieces.pieces[0].state != YES) return 0;
    *sum = whole(0);
    if (!view.pieces.number) return 1;
    const Totals *totals = totals_of(engine, sought.pool, field->column);
    Steps steps = steps_in(engine, &sought, view.pieces.pieces, 1, hand);
    if (totals->lacking[steps.end] != totals->lacking[steps.next]) return 0;
    *sum = fraction(totals->sums[steps.end] - totals->sums[steps.next], 1);
    return 1;
}

static APART Value aggregate(Engine *engine, const AggregateNode *node, int32_t *hand) {
    Place scratch = place_in(engine->scratch);
    Value result;
    if (node->function == AGGREGATE_SUM && !engine->evidence && sum_by_totals(engine, node, hand, &result)) {
        give_back_to(engine->scratch, scratch);
        return result;
    }
    if (node->function == AGGREGATE_FIRST || node->function == AGGREGATE_LAST) {
        result = end_value(engine, node, hand);
        give_back_to(engine->scratch, scratch);
        return result;
    }
    Found found;
    if (node->function == AGGREGATE_COUNT && !engine->evidence) {
        count(engine, node->events, hand, INT64_MAX, &found);
    } else {
        find(engine, node->events, hand, 0, &found);
    }
    int64_t own = NODE(Edge, engine, NODE(Events, engine, node->events)->edge)->own;
    int absence = no_total(&found);
    if (engine->evidence) see_counted(engine, &found);
    if (absence) {
        result = absent(absence);
    } else if (node->function == AGGREGATE_COUNT) {
        result = whole(found.sure);
        if (found.unsure) {
            result = bounded(1, whole(found.sure), 1, fraction((Wide)found.sure + found.weight, 1));
        }
    } else {
        int64_t mark = seen_so_far(engine);
        int lacking = 0;
        result = node->function == AGGREGATE_SUM ? sum_of(engine, node, own, &found, hand, &lacking)
                                                 : of_values(engine, node, own, &found, hand, &lacking);
        /* Where a value is not recorded, that is what the events show. */
        if (engine->evidence && !lacking) engine->evidence->number = mark;
    }
    give_back_to(engine->scratch, scratch);
    return result;
}

enum { FULL_CIRCLE = 1000000 };

/* How far round the table a seat is from another, going one way. */
static Wide steps_round(Wide origin, Wide seat, int64_t direction) {
    Wide away = direction == DIRECTION_CLOCKWISE ? seat - origin : origin - seat;
    return away >= 0 ? away : away + FULL_CIRCLE;
}

static APART int in_order(Engine *engine, const InOrderNode *node, int32_t *hand) {
    Place scratch = place_in(engine->scratch);
    Found found;
    find(engine, node->events, hand, 1, &found);
    int64_t own = NODE(Edge, engine, NODE(Events, engine, node->events)->edge)->own;
    see_counted(engine, &found);
    int result = found.view.doubtful;
    if (!result) {
        int64_t origin = 0;
        Wide before = -((Wide)1 << 100); /* further back than any seat */
        int has_origin = 0, wrong = 0, lacking = 0;
        int64_t mark = seen_so_far(engine);
        if (node->start >= 0) {
            Value start = value_apart(engine, node->start, hand);
            if (!is_known(start)) result = to_truth(start);
            origin = start.above;
            has_origin = 1;
        }
        for (int32_t i = 0; i < found.number && !result; i++) {
            if (found.states[i] != YES) continue;
            Value seat = value_for(engine, node->value, own, found.rows[i], hand);
            if (!is_known(seat)) {
                lacking = 1;
                continue;
            }
            /* Without a start one counts from the first event, whose seat must be known for that. */
            if (node->start < 0 && i == 0) {
                origin = seat.above;
                has_origin = 1;
            }
            if (!has_origin) continue;
            Wide steps = steps_round(origin, seat.above, node->direction);
            wrong |= steps <= before;
            before = steps;
        }
        if (!result) {
            /* What stands between two seats in the wrong order cannot put them right. */
            if (has_origin && wrong) result = NO;
            else if (is_open(&found)) result = OPEN;
            else if (found.unsure || lacking) result = MISSING;
            else result = YES;
            if (engine->evidence && result != MISSING) engine->evidence->number = mark;
        }
    }
    give_back_to(engine->scratch, scratch);
    return result;
}

static APART Value next_seat(Engine *engine, const NextSeatNode *node, int32_t *hand) {
    Place scratch = place_in(engine->scratch);
    Found found;
    find(engine, node->events, hand, 1, &found);
    int64_t own = NODE(Edge, engine, NODE(Events, engine, node->events)->edge)->own;
    see_counted(engine, &found);
    int absence = no_total(&found);
    if (!absence && found.unsure) absence = MISSING;
    Value result = absent(absence);
    if (!absence) {
        int64_t begun = seen_so_far(engine);
        Value start = evaluate(engine, node->start, hand);
        int64_t mark = seen_so_far(engine);
        Wide nearest = 0;
        int state = start.state == STATE_BOUNDED ? STATE_MISSING : start.state, any = 0;
        result = NO_SUCH_THING;
        for (int32_t i = 0; i < found.number; i++) {
            Value seat = value_for(engine, node->value, own, found.rows[i], hand);
            state = first_absent(absent(state), seat);
            if (state != STATE_KNOWN) continue;
            /* The seat itself comes last: once round the whole table. */
            Wide away = steps_round(start.above, seat.above, node->direction);
            if (!away) away = 2 * FULL_CIRCLE;
            if (!any || away < nearest) {
                any = 1;
                nearest = away;
                result = whole(seat.above);
            }
        }
        if (state != STATE_KNOWN) {
            result = absent(state);
        } else if (engine->evidence) {
            engine->evidence->number = any ? mark : begun;
        }
    }
    give_back_to(engine->scratch, scratch);
    return result;
}

#endif
