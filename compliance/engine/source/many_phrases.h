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
    if (node->bound != BOUND_AT_MOST && sure < number) result = open ? OPEN : sure + unsure >= number ? MISSING : NO;
    if (node->bound == BOUND_AT_LEAST) return result;
    if (sure > number) return NO;
    return both(result, open ? OPEN : sure + unsure > number ? MISSING : YES);
}

/* Where nothing but one field or two tie the events to who looks, they need not be listed to be counted. */
static int counts_plainly(const Phrase *phrase, const Many *many) {
    return !phrase->has_conditions && !phrase->is_timed && !phrase->pool->states && phrase->joins <= FEW_JOINS && !many->scenes[0]->keys;
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
    for (int32_t i = 0; i < many->number; i++) {
        Sight sight;
        engine->lost_met = 0;
        if (!look_plainly(engine, phrase, many, i, &sight)) {
            others[number_of_others++] = i;
            continue;
        }
        int32_t sure = sight.high - sight.low, unsure = 0;
        if (phrase->joins) {
            Ties ties = ties_for(phrase, i);
            sure = 0;
            for (int32_t place = sight.low; place < sight.high; place++) {
                sure += is_tied(&ties, place);
                unsure += may_be_tied(&ties, place);
            }
        }
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

/* What some numbers come to that are all known; others are `unsure`, or may come. */
static Plain total_of(int64_t *numbers, int64_t size, int function, int unsure, int open, int lost) {
    if (open) return (Plain){0, STATE_OPEN, (uint8_t)lost};
    if (unsure) {
        /* These have limits still. */
        int limits = function == AGGREGATE_COUNT || function == AGGREGATE_SUM || function == AGGREGATE_DISTINCT;
        return (Plain){0, limits ? NOT_PLAIN : STATE_MISSING, (uint8_t)lost};
    }
    int64_t sum = 0;
    switch (function) {
    case AGGREGATE_COUNT: return (Plain){size, STATE_KNOWN, (uint8_t)lost};
    case AGGREGATE_SUM:
        for (int64_t i = 0; i < size; i++) sum += numbers[i];
        return (Plain){sum, STATE_KNOWN, (uint8_t)lost};
    case AGGREGATE_DISTINCT:
    case AGGREGATE_SMALLEST:
    case AGGREGATE_LARGEST: return sorted_total(numbers, size, function, lost);
    default: return plain_of(of_hand(function, numbers, size), lost);
    }
}

/* A total of all events that one of many has found; without a column they are only counted. */
static Plain total_of_pairs(const Pairs *pairs, int32_t i, const int32_t *column, int function) {
    int64_t numbers[NEAR], size = 0;
    int lost = pairs->lost[i] != 0, unsure = 0, open = pairs->open[i];
    for (int32_t pair = pairs->first[i]; pair < pairs->first[i + 1]; pair++) {
        int state = pairs->states[pair] & ANSWER;
        lost |= pairs->states[pair] != state;
        unsure |= state == MISSING;
        open |= state == OPEN;
        if (state != YES) continue;
        numbers[size] = column ? column[pairs->places[pair]] : 0;
        unsure |= numbers[size++] == NO_NUMBER;
    }
    return total_of(numbers, size, function, unsure, open, lost);
}

/* The same where nothing but one field or two tie the events to who looks. */
static Plain total_plainly(const Phrase *phrase, int32_t i, const Sight *sight, const int32_t *column,
                           int function) {
    int64_t numbers[NEAR + 1], size = 0;
    int unsure = 0;
    if (!phrase->joins) {
        if (!column) return total_of(numbers, sight->high - sight->low, function, 0, sight->open, 0);
        for (int32_t place = sight->low; place < sight->high; place++) {
            numbers[size++] = column[place];
            unsure |= column[place] == NO_NUMBER;
        }
        return total_of(numbers, size, function, unsure, sight->open, 0);
    }
    Ties ties = ties_for(phrase, i);
    for (int32_t place = sight->low; place < sight->high; place++) {
        int32_t number = column ? column[place] : 0;
        int tied = is_tied(&ties, place);
        numbers[size] = number;
        size += tied;
        unsure |= may_be_tied(&ties, place) | (tied & (number == NO_NUMBER));
    }
    return total_of(numbers, size, function, unsure, sight->open, 0);
}

static void totals_by_pairs(Engine *engine, Phrase *phrase, int64_t at, const Many *many,
                            const int32_t *column, Plain *values) {
    int function = (int)NODE(Aggregate, engine, at)->function;
    int ends = function == AGGREGATE_FIRST || function == AGGREGATE_LAST;
    Pairs pairs;
    find_pairs(engine, phrase, many, &pairs);
    for (int32_t i = 0; i < many->number; i++) {
        if (pairs.apart[i]) values[i] = value_of_one(engine, at, many, i);
        else if (ends) values[i] = end_of_pairs(&pairs, i, column, function == AGGREGATE_FIRST);
        else values[i] = total_of_pairs(&pairs, i, column, function);
    }
}

static void totals_plainly(Engine *engine, Phrase *phrase, int64_t at, const Many *many, const int32_t *column,
                           Plain *values) {
    const AggregateNode *node = NODE(Aggregate, engine, at);
    int function = (int)node->function;
    int32_t *others = take(engine->scratch, many->number, sizeof(int32_t)), number_of_others = 0;
    for (int32_t i = 0; i < many->number; i++) {
        Sight sight;
        engine->lost_met = 0;
        if (!look_plainly(engine, phrase, many, i, &sight) || sight.high - sight.low > NEAR) {
            others[number_of_others++] = i;
            continue;
        }
        values[i] = total_plainly(phrase, i, &sight, column, function);
        values[i].lost = (uint8_t)engine->lost_met;
    }
    if (!number_of_others) return;
    Many some = chosen(engine, many, others, number_of_others);
    Plain *values_of_some = take(engine->scratch, number_of_others, sizeof(Plain));
    if (number_of_others < many->number) prepare_phrase(engine, node->events, &some, phrase);
    totals_by_pairs(engine, phrase, at, &some, column, values_of_some);
    for (int32_t i = 0; i < number_of_others; i++) values[others[i]] = values_of_some[i];
}

#endif
