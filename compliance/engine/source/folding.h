/* What is settled before any event is looked at: conditions on options that this table never changes. */

#ifndef FOLDING_H
#define FOLDING_H

#include "engine.h"

/* The value of an option that is the same at every event, and surely known. */
static const Value *fixed_option(const Engine *engine, int64_t at) {
    const Option *option = engine->log->options + NODE(Option, engine, at)->option;
    if (option->number != 1 || option->which || (option->lost && option->lost[0] >= 0)) return NULL;
    return option->values;
}

static const Value *fixed_value(const Engine *engine, int64_t at) {
    if (engine->code[at] == NODE_CONSTANT) return engine->log->constants + NODE(Constant, engine, at)->number;
    return engine->code[at] == NODE_OPTION ? fixed_option(engine, at) : NULL;
}

/* Several conditions, of which some are settled. */
static int fixed_together(const Engine *engine, const int64_t *items, int64_t size, int decisive) {
    int result = opposite(decisive), some_open = 0;
    for (int64_t i = 0; i < size; i++) {
        int answer = engine->fixed[items[i]];
        if (answer == decisive) return decisive;
        some_open |= answer == NOT_FIXED;
        if (answer != NOT_FIXED) result = decisive == NO ? both(result, answer) : either(result, answer);
    }
    return some_open ? NOT_FIXED : result;
}

static int fixed_answer(const Engine *engine, int64_t at) {
    switch (engine->code[at]) {
    case NODE_OPTION: {
        const Value *value = fixed_option(engine, at);
        return value ? to_truth(*value) : NOT_FIXED;
    }
    case NODE_COMPARISON: {
        const ComparisonNode *node = NODE(Comparison, engine, at);
        const Value *left = fixed_value(engine, node->left), *right = fixed_value(engine, node->right);
        return left && right ? compared((int)node->sign, *left, *right) : NOT_FIXED;
    }
    case NODE_NEGATION: {
        int answer = engine->fixed[NODE(Negation, engine, at)->part];
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
        int condition = engine->fixed[node->condition];
        if (condition == YES) return engine->fixed[node->then];
        return condition == NO ? engine->fixed[node->otherwise] : NOT_FIXED;
    }
    case NODE_MEMO: return engine->fixed[NODE(Memo, engine, at)->node];
    case NODE_SEEN_FROM: return engine->fixed[NODE(SeenFrom, engine, at)->node];
    default: return NOT_FIXED;
    }
}

/* Goes through the plan once: what a node asks stands before it. */
static void fold(Engine *engine) {
    int64_t size = engine->task->size_of_code;
    engine->fixed = take(engine->kept, size, 1);
    memset(engine->fixed, NOT_FIXED, (size_t)size);
    for (int64_t at = 0; at < size;) {
        const NodeShape *shape = NODE_SHAPES + engine->code[at];
        engine->fixed[at] = (uint8_t)fixed_answer(engine, at);
        at += 1 + shape->parts + (shape->has_items ? 1 + engine->code[at + 1 + shape->parts] : 0);
    }
}

#endif
