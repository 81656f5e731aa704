/* Answers and values from what phrases find for many events at once. */

#ifndef MANY_PHRASES_H
#define MANY_PHRASES_H

#include "many_pairs.h"

/* ---- how many there are ---- */

static int answer_how_many(const HowManyNode *node, const Found *found, int64_t number) {
    int result = YES;
    if (node->bound != BOUND_AT_MOST) result = at_least(found, number);
    if (node->bound != BOUND_AT_LEAST) result = both(result, opposite(at_least(found, (Wide)number + 1)));
    return result;
}

/* The same of small numbers, where nothing else is in doubt. */
static inline int answer_plainly(const HowManyNode *node, int64_t sure, int64_t unsure, int open, int64_t number) {
    int result = YES;
    Wide all = (Wide)sure + unsure;
    if (node->bound != BOUND_AT_MOST && sure < number) result = open ? OPEN : all >= number ? MISSING : NO;
    if (node->bound == BOUND_AT_LEAST) return result;
    if (sure > number) return NO;
    return both(result, open ? OPEN : all > number ? MISSING : YES);
}

/* Where nothing but one field or two tie the events to who looks, they need not be listed to be counted. */
static int counts_plainly(const Phrase *phrase, const Many *many) {
    return !phrase->has_conditions && !phrase->is_timed && phrase->joins <= FEW_JOINS && !many->scenes[0]->keys;
}

/* How many of the events that one of many looks at are tied to it, and how many may be. */
static inline int32_t count_in_sight(Engine *engine, const Phrase *phrase, int32_t i, const Sight *sight, int64_t *unsure) {
    Pool *pool = phrase->pool;
    int32_t sure = 0, doubts = 0;
    *unsure = 0;
    if (!phrase->joins && !pool->states) return sight->high - sight->low;
    Ties ties = ties_for(phrase, i);
    if (!pool->states) {
        for (int32_t place = sight->low; place < sight->high; place++) {
            sure += is_tied(&ties, place);
            doubts += may_be_tied(&ties, place);
        }
        *unsure = doubts;
        return sure;
    }
    for (int32_t place = sight->low; place < sight->high; place++) {
        int state = fits_plainly(engine, pool, &ties, place);
        sure += state == YES;
        doubts += state == MISSING;
    }
    LostBetween lost = lost_between(engine, pool, sight->low, sight->high);
    if (lost.number) engine->lost_met = 1;
    if (__builtin_add_overflow(lost.times, doubts, unsure)) *unsure = INT64_MAX;
    return sure;
}

static void count_by_pairs(Engine *engine, Phrase *phrase, int64_t at, int64_t number, const Many *many,
                           uint8_t *answers) {
    const HowManyNode *node = NODE(HowMany, engine, at);
    Pairs pairs;
    Found found;
    find_pairs(engine, phrase, many, &pairs);
    for (int32_t i = 0; i < many->number; i++) {
        if (pairs.apart[i]) {
            answers[i] = truth_of_one(engine, at, many, i);
            continue;
        }
        int lost = count_pairs(engine, &pairs, i, &found);
        found.view.doubtful = NO;
        found.view.open = pairs.open[i];
        answers[i] = (uint8_t)(answer_how_many(node, &found, number) | lost);
    }
}

static void count_plainly(Engine *engine, Phrase *phrase, int64_t at, int64_t number, const Many *many,
                          uint8_t *answers) {
    const HowManyNode *node = NODE(HowMany, engine, at);
    int32_t *others = take(engine->scratch, many->number, sizeof(int32_t)), number_of_others = 0;
    int looks_at_each = phrase->joins || phrase->pool->states;
    for (int32_t i = 0; i < many->number; i++) {
        Sight sight;
        engine->lost_met = 0;
        /* Where there are many, an index finds those that are tied. */
        if (!look_plainly(engine, phrase, many, i, &sight) || (looks_at_each && sight.high - sight.low > NEAR)) {
            others[number_of_others++] = i;
            continue;
        }
        int64_t unsure, sure = count_in_sight(engine, phrase, i, &sight, &unsure);
        int answer = answer_plainly(node, sure, unsure, sight.open, number);
        answers[i] = (uint8_t)(answer | (engine->lost_met ? BY_LOSS : 0));
    }
    if (!number_of_others) return;
    Many some = chosen(engine, many, others, number_of_others);
    uint8_t *answers_of_some = take(engine->scratch, number_of_others, 1);
    if (number_of_others < many->number) prepare_phrase(engine, node->events, &some, phrase);
    count_by_pairs(engine, phrase, at, number, &some, answers_of_some);
    for (int32_t i = 0; i < number_of_others; i++) answers[others[i]] = answers_of_some[i];
}

/* ---- values of phrases ---- */

/* The value of the first or last event that one of many has found. */
static Plain end_of_pairs(const Pairs *pairs, int32_t i, const int32_t *column, int first) {
    int open = pairs->open[i], lost = pairs->lost[i] != 0;
    if (open && !first) return (Plain){0, STATE_OPEN, (uint8_t)lost};
    for (int32_t step = pairs->first[i]; step < pairs->first[i + 1]; step++) {
        int32_t pair = first ? step : pairs->first[i + 1] - 1 - (step - pairs->first[i]);
        int state = pairs->states[pair] & ANSWER;
        lost |= pairs->states[pair] != state;
        if (state == NO) continue;
        /* Where more may come, one that is not sure is a question of its own. */
        if (state != YES && open) return (Plain){0, NOT_PLAIN, 0};
        int32_t number = column[pairs->places[pair]];
        if (state == YES && number != NO_NUMBER) return (Plain){number, STATE_KNOWN, (uint8_t)lost};
        return (Plain){0, state == OPEN ? STATE_OPEN : STATE_MISSING, (uint8_t)lost};
    }
    return (Plain){0, open ? STATE_OPEN : STATE_NOTHING, (uint8_t)lost};
}

static int by_size(const void *left, const void *right) {
    int64_t a = *(const int64_t *)left, b = *(const int64_t *)right;
    return (a > b) - (a < b);
}

/* The smallest or largest of some numbers, or how many different ones there are. */
static Plain sorted_total(int64_t *numbers, int64_t size, int function, int lost) {
    if (!size) return (Plain){0, function == AGGREGATE_DISTINCT ? STATE_KNOWN : STATE_NOTHING, (uint8_t)lost};
    if (size > 1) qsort(numbers, (size_t)size, sizeof *numbers, by_size);
    int64_t result = function == AGGREGATE_SMALLEST ? numbers[0] : numbers[size - 1];
    if (function == AGGREGATE_DISTINCT) {
        result = 1;
        for (int64_t i = 1; i < size; i++) result += numbers[i] != numbers[i - 1];
    }
    return (Plain){result, STATE_KNOWN, (uint8_t)lost};
}

/* What is in doubt about a total. */
typedef struct {
    int64_t weight;    /* how many events may be meant; a lost record may stand for several */
    int64_t lacking;   /* how many events are meant that do not say their number */
    int64_t low, high; /* what events that may be meant add at least and at most */
    int unknown;       /* whether any of all these does not say its number */
} Doubts;

/* Takes in an event that only may be meant, or that does not say its number. */
static void take_doubt(Doubts *doubts, int64_t number, int state, int64_t times) {
    doubts->unknown |= number == NO_NUMBER;
    if (state == YES) doubts->lacking++;
    else if (__builtin_add_overflow(doubts->weight, times, &doubts->weight)) doubts->weight = INT64_MAX;
    if (state == YES || number == NO_NUMBER) return;
    if (number < 0) doubts->low += number;
    else doubts->high += number;
}

/* The limits of a total, by what is sure of it (see sum_of and different). */
static Plain limits_of(const AggregateNode *node, int64_t sure, const Doubts *doubts, int lost) {
    int known = !doubts->unknown;
    switch (node->function) {
    case AGGREGATE_COUNT:
    case AGGREGATE_DISTINCT:
        return plain_of(bounded(1, whole(sure), 1, fraction((Wide)sure + doubts->weight + doubts->lacking, 1)), lost);
    case AGGREGATE_SUM:
        return plain_of(bounded(node->money || known, whole(sure + doubts->low), known, whole(sure + doubts->high)), lost);
    default: return (Plain){0, STATE_MISSING, (uint8_t)lost};
    }
}

/* Numbers of events that are surely meant, and what is in doubt beside them. */
typedef struct {
    int64_t numbers[NEAR + 1], size;
    Doubts doubts;
    int open, lost;
} Summands;

/* Takes in one event: its number (none: NO_NUMBER), and how surely it is meant. */
static inline void take_summand(Summands *to, int64_t number, int state, int64_t times) {
    if (state == YES && number != NO_NUMBER) to->numbers[to->size++] = number;
    else take_doubt(&to->doubts, number, state, times);
}

static Plain total_of(const AggregateNode *node, Summands *of) {
    int function = (int)node->function, in_doubt = of->doubts.weight || of->doubts.lacking;
    Plain total = {0, STATE_KNOWN, (uint8_t)of->lost};
    if (of->open) return (Plain){0, STATE_OPEN, (uint8_t)of->lost};
    switch (function) {
    case AGGREGATE_COUNT: total.number = of->size; break;
    case AGGREGATE_SUM:
        for (int64_t i = 0; i < of->size; i++) total.number += of->numbers[i];
        break;
    case AGGREGATE_DISTINCT:
    case AGGREGATE_SMALLEST:
    case AGGREGATE_LARGEST: total = sorted_total(of->numbers, of->size, function, of->lost); break;
    default:
        if (!in_doubt) total = plain_of(of_hand(function, of->numbers, of->size), of->lost);
    }
    return in_doubt ? limits_of(node, total.number, &of->doubts, of->lost) : total;
}

static void start_total(Summands *of, int open, int lost) {
    of->size = 0;
    of->doubts = (Doubts){0};
    of->open = open;
    of->lost = lost;
}

/* A total of all events that one of many has found; without a column they are only counted. */
static Plain total_of_pairs(const Engine *engine, const AggregateNode *node, const Pairs *pairs, int32_t i,
                            const int32_t *column) {
    Summands of;
    start_total(&of, pairs->open[i], pairs->lost[i] != 0);
    for (int32_t pair = pairs->first[i]; pair < pairs->first[i + 1]; pair++) {
        int state = pairs->states[pair] & ANSWER;
        of.lost |= pairs->states[pair] != state;
        of.open |= state == OPEN;
        if (state != YES && state != MISSING) continue;
        int lost = state == MISSING && is_lost(engine, pairs->rows[pair]);
        int64_t number = column ? column[pairs->places[pair]] : 0;
        take_summand(&of, number, state, lost ? times_lost(engine->log, pairs->rows[pair]) : 1);
    }
    return total_of(node, &of);
}

/* The same where nothing but one field or two tie the events to who looks. */
static Plain total_plainly(Engine *engine, const AggregateNode *node, const Phrase *phrase, int32_t i, const Sight *sight,
                           const int32_t *column) {
    Pool *pool = phrase->pool;
    Summands of;
    start_total(&of, sight->open, engine->lost_met);
    if (!phrase->joins && !column && !pool->states) {
        of.size = sight->high - sight->low;
    } else {
        Ties ties = ties_for(phrase, i);
        LostBetween lost = lost_between(engine, pool, sight->low, sight->high);
        for (int32_t place = sight->low; place < sight->high; place++) {
            int state = fits_plainly(engine, pool, &ties, place);
            if (state == YES || state == MISSING) take_summand(&of, column ? column[place] : 0, state, 1);
        }
        if (lost.number) take_doubt(&of.doubts, column ? NO_NUMBER : 0, MISSING, lost.times);
        of.lost |= lost.number > 0;
    }
    return total_of(node, &of);
}

/* The first or last event of those that one of many looks at; NOT_PLAIN where it is not near. */
static Plain end_plainly(Engine *engine, const Phrase *phrase, int32_t i, const Sight *sight, const int32_t *column,
                         int first) {
    int lost = engine->lost_met;
    int32_t size = sight->high - sight->low;
    Ties ties = ties_for(phrase, i);
    if (sight->open && !first) return (Plain){0, STATE_OPEN, (uint8_t)lost};
    for (int32_t step = 0; step < size; step++) {
        int32_t place = first ? sight->low + step : sight->high - 1 - step;
        int state = fits_plainly(engine, phrase->pool, &ties, place);
        if (step == NEAR) return (Plain){0, NOT_PLAIN, 0};
        lost |= (state & BY_LOSS) != 0;
        if (state == NO) continue;
        /* Where more may come, one that is not sure is a question of its own. */
        if (state != YES && sight->open) return (Plain){0, NOT_PLAIN, 0};
        int known = state == YES && column[place] != NO_NUMBER;
        return (Plain){known ? column[place] : 0, known ? STATE_KNOWN : STATE_MISSING, (uint8_t)lost};
    }
    return (Plain){0, sight->open ? STATE_OPEN : STATE_NOTHING, (uint8_t)lost};
}

static void totals_by_pairs(Engine *engine, Phrase *phrase, int64_t at, const Many *many,
                            const int32_t *column, Plain *values) {
    const AggregateNode *node = NODE(Aggregate, engine, at);
    int function = (int)node->function;
    int ends = function == AGGREGATE_FIRST || function == AGGREGATE_LAST;
    Pairs pairs;
    find_pairs(engine, phrase, many, &pairs);
    for (int32_t i = 0; i < many->number; i++) {
        if (pairs.apart[i]) values[i] = value_of_one(engine, at, many, i);
        else if (ends) values[i] = end_of_pairs(&pairs, i, column, function == AGGREGATE_FIRST);
        else values[i] = total_of_pairs(engine, node, &pairs, i, column);
    }
}

static void totals_plainly(Engine *engine, Phrase *phrase, int64_t at, const Many *many, const int32_t *column,
                           Plain *values) {
    const AggregateNode *node = NODE(Aggregate, engine, at);
    int first = node->function == AGGREGATE_FIRST, ends = first || node->function == AGGREGATE_LAST;
    int32_t *others = take(engine->scratch, many->number, sizeof(int32_t)), number_of_others = 0;
    for (int32_t i = 0; i < many->number; i++) {
        Sight sight;
        engine->lost_met = 0;
        if (!look_plainly(engine, phrase, many, i, &sight) || (!ends && sight.high - sight.low > NEAR)) {
            others[number_of_others++] = i;
            continue;
        }
        values[i] = ends ? end_plainly(engine, phrase, i, &sight, column, first)
                         : total_plainly(engine, node, phrase, i, &sight, column);
        if (values[i].state == NOT_PLAIN) values[i] = value_of_one(engine, at, many, i);
    }
    if (!number_of_others) return;
    Many some = chosen(engine, many, others, number_of_others);
    Plain *values_of_some = take(engine->scratch, number_of_others, sizeof(Plain));
    if (number_of_others < many->number) prepare_phrase(engine, node->events, &some, phrase);
    totals_by_pairs(engine, phrase, at, &some, column, values_of_some);
    for (int32_t i = 0; i < number_of_others; i++) values[others[i]] = values_of_some[i];
}

#endif
