/* What is settled before any event is looked at: by options that this table never changes, and by events
   that it never has. */

#ifndef FOLDING_H
#define FOLDING_H

#include "engine.h"

static int settle(Engine *engine, int64_t at);
static inline Pool *pool_of(Engine *engine, int64_t pattern);

/* The answer to a condition that is the same at every event, or NOT_FIXED. */
static inline int fixed_truth(Engine *engine, int64_t at) {
    int answer = engine->fixed[at];
    return answer == NOT_LOOKED_AT ? settle(engine, at) : answer;
}

/* The value of an option that is the same at every event, and surely known. */
static const Value *fixed_option(const Engine *engine, int64_t at) {
    const Option *option = engine->log->options + NODE(Option, engine, at)->option;
    if (option->number != 1 || option->which || (option->lost && option->lost[0] >= 0)) return NULL;
    return option->values;
}

/* Whether a phrase surely finds nothing, now and ever. */
static int finds_nothing(Engine *engine, int64_t at) {
    const EventsNode *node = NODE(Events, engine, at);
    if (node->reach != REACH_PAST || node->within >= 0 || node->at_least >= 0) return 0;
    return !pool_of(engine, NODE(Edge, engine, node->edge)->pattern)->size;
}

/* A value that is the same at every event; says no where there is none. */
static int fixed_value(Engine *engine, int64_t at, Value *value) {
    switch (engine->code[at]) {
    case NODE_CONSTANT: *value = engine->log->constants[NODE(Constant, engine, at)->number]; return 1;
    case NODE_OPTION: {
        const Value *option = fixed_option(engine, at);
        if (option) *value = *option;
        return option != NULL;
    }
    case NODE_AGGREGATE: {
        const AggregateNode *node = NODE(Aggregate, engine, at);
        if (!finds_nothing(engine, node->events)) return 0;
        switch (node->function) {
        case AGGREGATE_COUNT:
        case AGGREGATE_SUM:
        case AGGREGATE_DISTINCT: *value = whole(0); return 1;
        case AGGREGATE_FIRST:
        case AGGREGATE_LAST:
        case AGGREGATE_SMALLEST:
        case AGGREGATE_LARGEST:
        case AGGREGATE_AVERAGE:
        case AGGREGATE_MEDIAN: *value = NO_SUCH_THING; return 1;
        default: *value = of_hand((int)node->function, NULL, 0); return 1;
        }
    }
    case NODE_ARITHMETIC: {
        const ArithmeticNode *node = NODE(Arithmetic, engine, at);
        Value left, right;
        if (!fixed_value(engine, node->left, &left) || !fixed_value(engine, node->right, &right)) return 0;
        *value = calculated((int)node->sign, left, right, (int)node->gives);
        return 1;
    }
    case NODE_MEMO: return fixed_value(engine, NODE(Memo, engine, at)->node, value);
    case NODE_SEEN_FROM: return fixed_value(engine, NODE(SeenFrom, engine, at)->node, value);
    default: return 0;
    }
}

/* Several conditions, of which some are settled. */
static int fixed_together(Engine *engine, const int64_t *items, int64_t size, int decisive) {
    int result = opposite(decisive), not_all = 0;
    for (int64_t i = 0; i < size; i++) {
        int answer = fixed_truth(engine, items[i]);
        if (answer == decisive) return decisive;
        not_all |= answer == NOT_FIXED;
        if (answer != NOT_FIXED) result = decisive == NO ? both(result, answer) : either(result, answer);
    }
    return not_all ? NOT_FIXED : result;
}

static int fixed_how_many(Engine *engine, const HowManyNode *node) {
    Value number;
    if (!fixed_value(engine, node->count, &number) || !is_known(number)) return NOT_FIXED;
    if (!finds_nothing(engine, node->events)) return NOT_FIXED;
    int at_least = order_of(whole(0), number) >= 0, at_most = order_of(whole(0), number) <= 0;
    if (node->bound == BOUND_AT_LEAST) return at_least;
    return node->bound == BOUND_AT_MOST ? at_most : at_least && at_most;
}

static int fixed_answer(Engine *engine, int64_t at) {
    Value left, right;
    switch (engine->code[at]) {
    case NODE_COMPARISON: {
        const ComparisonNode *node = NODE(Comparison, engine, at);
        if (!fixed_value(engine, node->left, &left) || !fixed_value(engine, node->right, &right)) return NOT_FIXED;
        return compared((int)node->sign, left, right);
    }
    case NODE_HOW_MANY: return fixed_how_many(engine, NODE(HowMany, engine, at));
    case NODE_EVERY: return finds_nothing(engine, NODE(Every, engine, at)->events) ? YES : NOT_FIXED;
    case NODE_NEGATION: {
        int answer = fixed_truth(engine, NODE(Negation, engine, at)->part);
        return answer == NOT_FIXED ? NOT_FIXED : opposite(answer);
    }
    case NODE_ALL_OF: {
        const AllOfNode *node = NODE(AllOf, engine, at);
        return fixed_together(engine, node->items, node->size, NO);
    }
    case NODE_ANY_OF: {
        const AnyOfNode *node = NODE(AnyOf, engine, at);
        return fixed_together(engine, node->items, node->size, YES);
    }
    case NODE_CHOICE: {
        const ChoiceNode *node = NODE(Choice, engine, at);
        int condition = fixed_truth(engine, node->condition);
        if (condition == YES) return fixed_truth(engine, node->then);
        return condition == NO ? fixed_truth(engine, node->otherwise) : NOT_FIXED;
    }
    case NODE_OPTION: return fixed_value(engine, at, &left) ? to_truth(left) : NOT_FIXED;
    case NODE_MEMO: return fixed_truth(engine, NODE(Memo, engine, at)->node);
    case NODE_SEEN_FROM: return fixed_truth(engine, NODE(SeenFrom, engine, at)->node);
    default: return NOT_FIXED;
    }
}

/* Conditions of which no event is needed to answer them; asked once each. */
static APART int settle(Engine *engine, int64_t at) {
    engine->fixed[at] = NOT_FIXED;
    return engine->fixed[at] = (uint8_t)fixed_answer(engine, at);
}

#endif
