/* What each node of a plan answers for many events at once. */

#ifndef MANY_NODES_H
#define MANY_NODES_H

#include "running.h"

static void how_many_many(Engine *engine, int64_t at, const Many *many, uint8_t *answers) {
    const HowManyNode *node = NODE(HowMany, engine, at);
    Value number;
    Phrase phrase;
    if (!fixed_value(engine, node->count, &number) || !is_known(number) || number.below != 1 ||
        NODE(Events, engine, node->events)->per != PER_EACH || !prepare_phrase(engine, node->events, many, &phrase)) {
        truth_of_each(engine, at, many, answers);
        return;
    }
    if (goes_on(&phrase, many) && (phrase.edge->costly >= 0 || phrase.pool->states)) {
        static const AggregateNode counted = {.function = AGGREGATE_COUNT};
        for (int32_t i = 0; i < many->number; i++) {
            Plain total = running_total(engine, &phrase, at, &counted, many, i, NULL);
            Value limits = value_of(total);
            Found found = {.sure = (int32_t)limits.above};
            if (limits.state == STATE_BOUNDED) found.weight = limits.high_above - limits.above;
            if (total.state == NOT_PLAIN) answers[i] = truth_of_one(engine, at, many, i);
            else answers[i] = (uint8_t)(answer_how_many(node, &found, number.above) | (total.lost ? BY_LOSS : 0));
        }
        return;
    }
    if (counts_plainly(&phrase, many)) count_plainly(engine, &phrase, at, number.above, many, answers);
    else count_by_pairs(engine, &phrase, at, number.above, many, answers);
}

static void every_many(Engine *engine, int64_t at, const Many *many, uint8_t *answers) {
    const EveryNode *node = NODE(Every, engine, at);
    Phrase phrase;
    int plain = prepare_phrase(engine, node->events, many, &phrase);
    if (plain && goes_on(&phrase, many) && asks_from(engine, node->condition, phrase.edge->own)) {
        for (int32_t i = 0; i < many->number; i++) {
            int answer = running_every(engine, &phrase, at, node->condition, many, i);
            answers[i] = answer == NOT_PLAIN ? truth_of_one(engine, at, many, i) : (uint8_t)answer;
        }
        return;
    }
    Pairs pairs;
    if (plain) find_pairs(engine, &phrase, many, &pairs);
    if (!plain || (phrase.node->per != PER_EACH && !keep_pairs_per_key(engine, &phrase, many, &pairs))) {
        truth_of_each(engine, at, many, answers);
        return;
    }
    uint8_t *holds_for = take(engine->scratch, pairs.number, 1);
    Many all = many_pairs(engine, many, &pairs), found = with_found(&all, &pairs, phrase.edge->own);
    ask_pairs(engine, &pairs, &found, node->condition, holds_for);
    for (int32_t i = 0; i < many->number; i++) {
        if (pairs.apart[i]) {
            answers[i] = truth_of_one(engine, at, many, i);
            continue;
        }
        int result = pairs.open[i] ? OPEN : YES, lost = pairs.lost[i];
        for (int32_t pair = pairs.first[i]; pair < pairs.first[i + 1]; pair++) {
            int state = pairs.states[pair] & ANSWER, answer = holds_for[pair] & ANSWER;
            lost |= (pairs.states[pair] | holds_for[pair]) & BY_LOSS;
            if (state == NO) continue;
            if (state == OPEN) answer = OPEN;
            /* In doubt whether it is one of them: it matters only if it does not fulfil it. */
            else if (state == MISSING) answer = is_lost(engine, pairs.rows[pair]) ? MISSING : either(MISSING, answer);
            result = both(result, answer);
        }
        answers[i] = (uint8_t)(result | lost);
    }
}

static void aggregate_many(Engine *engine, int64_t at, const Many *many, Plain *values) {
    const AggregateNode *node = NODE(Aggregate, engine, at);
    const int32_t *column = NULL;
    int counts = node->function == AGGREGATE_COUNT;
    Phrase phrase;
    int plain = NODE(Events, engine, node->events)->per == PER_EACH && prepare_phrase(engine, node->events, many, &phrase);
    if (plain && !counts) {
        const FieldNode *field = NODE(Field, engine, node->value);
        plain = field->kind == NODE_FIELD && field->var == phrase.edge->own &&
                !engine->log->columns[field->column].is_time;
        if (plain) column = numbers_of(engine, phrase.pool, field->column)->of_places;
    }
    /* These are mostly fractions. */
    int shared = node->function == AGGREGATE_AVERAGE || node->function == AGGREGATE_MEDIAN;
    if (!plain || shared || (!counts && !column)) {
        value_of_each(engine, at, many, values);
        return;
    }
    int by_place = (counts || node->function == AGGREGATE_SUM) && !many->scenes[0]->keys && !phrase.has_conditions &&
                   !phrase.joins && !phrase.pool->states;
    if (adds_up(node->function) && !by_place && goes_on(&phrase, many)) {
        for (int32_t i = 0; i < many->number; i++) {
            values[i] = running_total(engine, &phrase, at, node, many, i, column);
            if (values[i].state == NOT_PLAIN) values[i] = value_of_one(engine, at, many, i);
        }
        return;
    }
    if (counts_plainly(&phrase, many)) totals_plainly(engine, &phrase, at, many, column, values);
    else totals_by_pairs(engine, &phrase, at, many, column, values);
}

static void value_many(Engine *engine, int64_t at, const Many *many, Plain *values) {
    Value fixed;
    if (fixed_value(engine, at, &fixed)) {
        same_for_all(&fixed, many, values);
        return;
    }
    Place scratch = place_in(engine->scratch);
    switch (engine->code[at]) {
    case NODE_FIELD: field_many(engine, at, many, values); break;
    case NODE_OPTION: option_many(engine, at, many, values); break;
    case NODE_TYPE_NAME: type_names_many(engine, at, many, values); break;
    case NODE_FUNCTION: apply_many(engine, at, many, values); break;
    case NODE_ARITHMETIC: calculate_many(engine, at, many, values); break;
    case NODE_CHOICE: choose_many(engine, at, many, values); break;
    case NODE_LOOKUP: lookup_many(engine, at, many, values); break;
    case NODE_AGGREGATE:
        for (int32_t from = 0; from < many->number; from += AT_ONCE) {
            Place of_part = place_in(engine->scratch);
            Many part = part_of_many(many, from);
            aggregate_many(engine, at, &part, values + from);
            give_back_to(engine->scratch, of_part);
        }
        break;
    case NODE_MEMO: remembered_many(engine, at, many, values); break;
    case NODE_SEEN_FROM: {
        const SeenFromNode *node = NODE(SeenFrom, engine, at);
        Many alone = seen_from(many, node->var);
        value_many(engine, node->node, &alone, values);
        break;
    }
    case NODE_COMPARISON:
    case NODE_RECORDED:
    case NODE_ALL_OF:
    case NODE_ANY_OF:
    case NODE_NEGATION:
    case NODE_EVERY:
    case NODE_HOW_MANY: values_of_truths(engine, at, many, values); break;
    default: value_of_each(engine, at, many, values);
    }
    give_back_to(engine->scratch, scratch);
}

static void truth_many(Engine *engine, int64_t at, const Many *many, uint8_t *answers) {
    if (fixed_truth(engine, at) != NOT_FIXED) {
        memset(answers, engine->fixed[at], (size_t)many->number);
        return;
    }
    Place scratch = place_in(engine->scratch);
    switch (engine->code[at]) {
    case NODE_COMPARISON: compare_many(engine, at, many, answers); break;
    case NODE_RECORDED: recorded_many(engine, at, many, answers); break;
    case NODE_ALL_OF: {
        const AllOfNode *node = NODE(AllOf, engine, at);
        join_many(engine, node->items, node->size, NO, many, answers);
        break;
    }
    case NODE_ANY_OF: {
        const AnyOfNode *node = NODE(AnyOf, engine, at);
        join_many(engine, node->items, node->size, YES, many, answers);
        break;
    }
    case NODE_NEGATION: negate_many(engine, NODE(Negation, engine, at)->part, many, answers); break;
    case NODE_HOW_MANY:
    case NODE_EVERY:
        for (int32_t from = 0; from < many->number; from += AT_ONCE) {
            Place of_part = place_in(engine->scratch);
            Many part = part_of_many(many, from);
            if (engine->code[at] == NODE_EVERY) every_many(engine, at, &part, answers + from);
            else how_many_many(engine, at, &part, answers + from);
            give_back_to(engine->scratch, of_part);
        }
        break;
    case NODE_MEMO: remembered_truths(engine, at, many, answers); break;
    case NODE_SEEN_FROM: {
        const SeenFromNode *node = NODE(SeenFrom, engine, at);
        Many alone = seen_from(many, node->var);
        truth_many(engine, node->node, &alone, answers);
        break;
    }
    case NODE_OPTION:
    case NODE_CHOICE:
    case NODE_AGGREGATE: truths_of_values(engine, at, many, answers); break;
    default: truth_of_each(engine, at, many, answers);
    }
    give_back_to(engine->scratch, scratch);
}

#endif
