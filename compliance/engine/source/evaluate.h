/* What each node of a plan answers, one small function for each (compliance/reference/evaluate.py). */

#ifndef EVALUATE_H
#define EVALUATE_H

#include "aggregates.h"
#include "lookups.h"

static inline Value field_of(Engine *engine, const FieldNode *node, const int32_t *hand) {
    int32_t row = hand[node->var];
    Value value = field_at(engine->log, engine->log->columns + node->column, row);
    if (engine->evidence && value.state == STATE_MISSING) see(engine, row, PART_LACKS + node->column);
    return value;
}

static Value moment_of(const Engine *engine, int32_t row) {
    Value value = whole(engine->log->ts[row]);
    value.zone = engine->log->zones[row];
    return value;
}

/* A lost record is a witness, at every place of the scene where it may have been. */
static void see_wherever_it_stands(Engine *engine, int64_t lost) {
    const Log *log = engine->log;
    for (int64_t i = 0; i < log->number_of_lost; i++) {
        int64_t row = log->lost_rows[i];
        if (log->seq[row] != log->seq[lost] || (log->tables && log->tables[row] != log->tables[lost])) continue;
        if (belongs(engine, engine->scene, row) != NO) see(engine, row, PART_UNCLEAR);
    }
}

/* What the table had elected at the moment of an event. */
static Value option_at(Engine *engine, const OptionNode *node, const int32_t *hand) {
    const Option *option = engine->log->options + node->option;
    int64_t at = elected_at(option, hand[node->var]);
    if (option->lost && option->lost[at] >= 0) {
        engine->lost_met = 1;
        if (engine->evidence) see_wherever_it_stands(engine, option->lost[at]);
    }
    return option->values[at];
}

static const int64_t DAY = 86400000000, HOUR = 3600000000;

static int64_t floored(int64_t number, int64_t unit) {
    return number / unit - (number % unit < 0);
}

static Value of_card(int64_t function, int64_t card) {
    if (card == JOKER) return NOT_RECORDED;
    switch (function) {
    case FUNCTION_PIP_VALUE: return whole(pips_of(card));
    case FUNCTION_RANK: return whole(card / 4);
    case FUNCTION_SUIT: return whole(card % 4);
    /* Hearts and diamonds are red, the first of the two colours. */
    default: return whole(card % 4 == 1 || card % 4 == 2 ? 0 : 1);
    }
}

static Value of_cards(Engine *engine, int64_t function, int64_t hand_number) {
    int64_t start = engine->log->hand_starts[hand_number];
    int64_t size = engine->log->hand_starts[hand_number + 1] - start;
    if (function == FUNCTION_SIZE) return whole(size);
    Place scratch = place_in(engine->scratch);
    int64_t *cards = take(engine->scratch, size, sizeof(int64_t));
    for (int64_t i = 0; i < size; i++) cards[i] = engine->log->hand_cards[start + i];
    int as_aggregate = (int)function - FUNCTION_BLACKJACK_TOTAL + AGGREGATE_BLACKJACK_TOTAL;
    Value value = of_hand(as_aggregate, cards, size);
    give_back_to(engine->scratch, scratch);
    return value;
}

static APART Value apply(Engine *engine, const FunctionNode *node, int32_t *hand) {
    Value left = evaluate(engine, node->left, hand);
    Value right = node->right >= 0 ? evaluate(engine, node->right, hand) : left;
    int state = first_absent(left, right);
    if (state != STATE_KNOWN) return absent(state);
    switch (node->function) {
    case FUNCTION_PIP_VALUE:
    case FUNCTION_RANK:
    case FUNCTION_SUIT:
    case FUNCTION_COLOR: return of_card(node->function, left.above);
    case FUNCTION_LARGER: return order_of(left, right) >= 0 ? left : right;
    case FUNCTION_SMALLER: return order_of(left, right) <= 0 ? left : right;
    case FUNCTION_DATE: return whole(floored((int64_t)shown_at(left), DAY));
    case FUNCTION_HOUR: {
        int64_t local = (int64_t)shown_at(left);
        return whole((local - floored(local, DAY) * DAY) / HOUR);
    }
    default: return of_cards(engine, node->function, left.above);
    }
}

/* One of two values, where it cannot be told which. */
static Value either_value(int condition, Value then, Value otherwise) {
    /* Limits that are the same do not make the values so. */
    if (then.state == STATE_BOUNDED) then = NOT_RECORDED;
    if (otherwise.state == STATE_BOUNDED) otherwise = NOT_RECORDED;
    if (then.state == otherwise.state && (!is_known(then) || order_of(then, otherwise) == 0)) return then;
    /* The rest of the log may still bring both to the same. */
    int open = then.state == STATE_OPEN || otherwise.state == STATE_OPEN;
    return absent(open ? STATE_OPEN : condition);
}

static APART Value choose(Engine *engine, const ChoiceNode *node, int32_t *hand) {
    int condition = truth(engine, node->condition, hand);
    if (condition == YES) return evaluate(engine, node->then, hand);
    if (condition == NO) return evaluate(engine, node->otherwise, hand);
    Value then = evaluate(engine, node->then, hand), otherwise = evaluate(engine, node->otherwise, hand);
    return either_value(condition, then, otherwise);
}

static int compare(Engine *engine, const ComparisonNode *node, int32_t *hand) {
    const int64_t *code = engine->code;
    if (!engine->evidence && code[node->left] == NODE_FIELD) {
        /* By far the most frequent questions, in one step. */
        const FieldNode *field = NODE(Field, engine, node->left);
        const Column *column = engine->log->columns + field->column;
        int32_t row = hand[field->var];
        if (!column->below) {
            if (code[node->right] == NODE_CONSTANT) {
                const Value *constant = engine->log->constants + NODE(Constant, engine, node->right)->number;
                if (constant->state == STATE_KNOWN && constant->below == 1) {
                    if (!is_recorded(column, row)) return MISSING;
                    int64_t number = number_at(column, row), other = constant->above;
                    return holds((int)node->sign, (number > other) - (number < other));
                }
            } else if (code[node->right] == NODE_FIELD) {
                const FieldNode *second = NODE(Field, engine, node->right);
                const Column *against = engine->log->columns + second->column;
                int32_t there = hand[second->var];
                if (!against->below) {
                    if (!is_recorded(column, row) || !is_recorded(against, there)) return MISSING;
                    int64_t number = number_at(column, row), other = number_at(against, there);
                    return holds((int)node->sign, (number > other) - (number < other));
                }
            }
        }
    }
    Value left = evaluate(engine, node->left, hand);
    Value right = evaluate(engine, node->right, hand);
    return compared((int)node->sign, left, right);
}

/* Whether a value that was found is known, or is missing. */
static int says_recorded(Engine *engine, const RecordedNode *node, Value value, const int32_t *hand) {
    if (value.state == STATE_OPEN) return OPEN;
    int missing = value.state == STATE_MISSING || value.state == STATE_BOUNDED;
    if (missing && lost_may_change(engine, node->lookout, hand)) {
        /* Perhaps it would be known if nothing were lost. */
        engine->lost_met = 1;
        return MISSING;
    }
    return node->known ? value.state == STATE_KNOWN : missing;
}

static APART int is_recorded_value(Engine *engine, const RecordedNode *node, int32_t *hand) {
    return says_recorded(engine, node, evaluate(engine, node->value, hand), hand);
}

static APART int all_hold(Engine *engine, const int64_t *items, int64_t size, int32_t *hand) {
    int result = YES;
    if (!engine->evidence) {
        for (int64_t i = 0; i < size && result != NO; i++) result = both(result, truth(engine, items[i], hand));
        return result;
    }
    int64_t start = seen_so_far(engine);
    for (int64_t i = 0; i < size; i++) {
        int64_t mark = seen_so_far(engine);
        take_in(engine, start, mark, truth(engine, items[i], hand), NO, &result);
    }
    return result;
}

static APART int any_holds(Engine *engine, const int64_t *items, int64_t size, int32_t *hand) {
    int result = NO;
    if (!engine->evidence) {
        for (int64_t i = 0; i < size && result != YES; i++) result = either(result, truth(engine, items[i], hand));
        return result;
    }
    int64_t start = seen_so_far(engine);
    for (int64_t i = 0; i < size; i++) {
        int64_t mark = seen_so_far(engine);
        take_in(engine, start, mark, truth(engine, items[i], hand), YES, &result);
    }
    return result;
}

/* ---- answers that are kept ---- */

enum { BITS_OF_STATE = 3, LOST_BIT = 1 << 3, PACKED_BITS = 4, MOST_PACKED = 1 << 26 };

typedef struct {
    int32_t said, tag;
} Answer;

/* Where the answer of a memo at an event of a scene is kept; none where the event does not tell which
   scene it is asked in. */
static Answer *answer_at(Engine *engine, int64_t memo, int32_t row, int32_t *tag) {
    const Scene *scene = engine->scene;
    int64_t type = engine->log->types[row];
    if (type >= engine->types) return NULL;
    if (scene->keys) {
        if (scene->keyed_by_unknown) return NULL;
        for (int64_t key = 0; key < scene->keys; key++) {
            if (!bears_key(engine, scene->by, key, type)) return NULL;
        }
        if (has_keys(engine, scene, row) != YES) return NULL;
    }
    *tag = scene->number;
    int64_t number = (scene->slicing + 1) * engine->task->number_of_memos + memo;
    Memo **of_types = engine->memos + number;
    if (!*of_types) *of_types = take_zeros(engine->kept, engine->types, sizeof(Memo));
    Memo *kept = *of_types + type;
    if (!kept->answers) {
        int64_t size = engine->sorted.borders[type + 1] - engine->sorted.borders[type];
        kept->answers = take_zeros(engine->kept, size, sizeof(Answer));
    }
    return (Answer *)kept->answers + engine->sorted.rank[row];
}

static APART Value remembered(Engine *engine, const MemoNode *node, int32_t *hand) {
    int32_t tag = 0;
    Answer *answer = NULL;
    if (!engine->evidence && node->memo >= 0) answer = answer_at(engine, node->memo, hand[0], &tag);
    if (!answer) return evaluate(engine, node->node, hand);
    if (answer->tag == tag) {
        Value value = {.above = answer->said >> PACKED_BITS,
                       .below = 1,
                       .state = answer->said & ((1 << BITS_OF_STATE) - 1)};
        if (answer->said & LOST_BIT) engine->lost_met = 1;
        return value;
    }
    int lost_met = engine->lost_met;
    engine->lost_met = 0;
    Value value = evaluate(engine, node->node, hand);
    if (value.below == 1 && value.state <= STATE_OPEN && !value.zone && -MOST_PACKED < value.above &&
        value.above < MOST_PACKED) {
        answer->said = (int32_t)(value.above * (1 << PACKED_BITS)) + (engine->lost_met ? LOST_BIT : 0) +
                       value.state;
        answer->tag = tag;
    }
    engine->lost_met |= lost_met;
    return value;
}

/* ---- every kind of node ---- */

static Value evaluate(Engine *engine, int64_t at, int32_t *hand) {
    switch (engine->code[at]) {
    case NODE_CONSTANT: return engine->log->constants[NODE(Constant, engine, at)->number];
    case NODE_FIELD: return field_of(engine, NODE(Field, engine, at), hand);
    case NODE_MOMENT: return moment_of(engine, hand[NODE(Moment, engine, at)->var]);
    case NODE_SEQUENCE: return whole(engine->log->seq[hand[NODE(Sequence, engine, at)->var]]);
    case NODE_TYPE_NAME: {
        int32_t row = hand[NODE(TypeName, engine, at)->var];
        return whole(engine->log->type_words[engine->log->types[row]]);
    }
    case NODE_OPTION: return option_at(engine, NODE(Option, engine, at), hand);
    case NODE_ARITHMETIC: {
        const ArithmeticNode *node = NODE(Arithmetic, engine, at);
        Value left = evaluate(engine, node->left, hand);
        Value right = evaluate(engine, node->right, hand);
        return calculated((int)node->sign, left, right, (int)node->gives);
    }
    case NODE_ROUNDING: {
        const RoundingNode *node = NODE(Rounding, engine, at);
        Value value = evaluate(engine, node->value, hand);
        return rounded((int)node->way, value, evaluate(engine, node->unit, hand));
    }
    case NODE_FUNCTION: return apply(engine, NODE(Function, engine, at), hand);
    case NODE_LOOKUP: return lookup(engine, NODE(Lookup, engine, at), hand);
    case NODE_CHOICE: return choose(engine, NODE(Choice, engine, at), hand);
    case NODE_AGGREGATE: return aggregate(engine, NODE(Aggregate, engine, at), hand);
    case NODE_NEXT_SEAT: return next_seat(engine, NODE(NextSeat, engine, at), hand);
    case NODE_MEMO: return remembered(engine, NODE(Memo, engine, at), hand);
    case NODE_SEEN_FROM: {
        int32_t alone[MOST_VARS];
        alone[0] = hand[NODE(SeenFrom, engine, at)->var];
        return evaluate(engine, NODE(SeenFrom, engine, at)->node, alone);
    }
    default: return from_truth(truth(engine, at, hand));
    }
}

static int truth(Engine *engine, int64_t at, int32_t *hand) {
    if (!engine->evidence && fixed_truth(engine, at) != NOT_FIXED) return engine->fixed[at];
    switch (engine->code[at]) {
    case NODE_COMPARISON: return compare(engine, NODE(Comparison, engine, at), hand);
    case NODE_RECORDED: return is_recorded_value(engine, NODE(Recorded, engine, at), hand);
    case NODE_ABOUT: {
        const AboutNode *node = NODE(About, engine, at);
        Value value = evaluate(engine, node->value, hand);
        Value target = evaluate(engine, node->target, hand);
        Value tolerance = evaluate(engine, node->tolerance, hand);
        return is_near(value, target, tolerance, (int)node->relative, (int)node->rounded);
    }
    case NODE_ALL_OF: {
        const AllOfNode *node = NODE(AllOf, engine, at);
        return all_hold(engine, node->items, node->size, hand);
    }
    case NODE_ANY_OF: {
        const AnyOfNode *node = NODE(AnyOf, engine, at);
        return any_holds(engine, node->items, node->size, hand);
    }
    case NODE_NEGATION: return opposite(truth(engine, NODE(Negation, engine, at)->part, hand));
    case NODE_HOW_MANY: return how_many(engine, NODE(HowMany, engine, at), hand);
    case NODE_EVERY: return every(engine, NODE(Every, engine, at), hand);
    case NODE_IN_ORDER: return in_order(engine, NODE(InOrder, engine, at), hand);
    default: return to_truth(evaluate(engine, at, hand));
    }
}

#endif
