/* The same question at many events at once. What is plain (whole numbers, sure scenes, near events) is
   answered here and in many_phrases.h in loops, without a look at the plan between two events; everything
   else is asked event by event (evaluate.h), which says what the answers mean. Nothing here is evidence:
   checks that are shown are asked again by themselves. */

#ifndef MANY_H
#define MANY_H

#include "evaluate.h"

/* A whole number or why there is none, and whether a lost record left it in doubt. */
typedef struct {
    int64_t number;
    uint8_t state, lost;
} Plain;

/* States of a number of which limits alone are known, if these are small: `number` holds the lowest in its
   lower half and the highest in its upper half. And: to be asked by itself. */
enum { LIMITED = STATE_BOUNDED - LOWEST, NOT_PLAIN = LIMITED + (LOWEST | HIGHEST) + 1 };

static void value_many(Engine *engine, int64_t at, const Many *many, Plain *values);

static inline int is_small(int64_t number) {
    return INT32_MIN <= number && number <= INT32_MAX;
}

static inline Plain plain_of(Value value, int lost) {
    Plain plain = {value.above, (uint8_t)value.state, (uint8_t)lost};
    if (value.below != 1 || value.zone) {
        plain.state = NOT_PLAIN;
    } else if (value.state == STATE_BOUNDED) {
        int small = is_small(value.above) && is_small(value.high_above) && value.high_below == 1;
        plain.number = value.high_above * ((int64_t)1 << 32) + (uint32_t)value.above;
        plain.state = (uint8_t)(small ? LIMITED + value.limits : NOT_PLAIN);
    }
    return plain;
}

/* The value of what is plain. */
static inline Value value_of(Plain plain) {
    if (plain.state == STATE_KNOWN) return whole(plain.number);
    if (plain.state < STATE_BOUNDED) return absent(plain.state);
    Value value = {.above = (int32_t)plain.number, .below = 1, .high_above = plain.number >> 32, .high_below = 1,
                   .state = STATE_BOUNDED, .limits = (int16_t)(plain.state - LIMITED)};
    return value;
}

/* ---- one by itself ---- */

static void take_hand(Engine *engine, const Many *many, int32_t i, int32_t *hand) {
    for (int var = 0; var < many->vars; var++) hand[var] = many->hand[var][i];
    engine->scene = many->scenes[i];
    engine->lost_met = 0;
}

static uint8_t truth_of_one(Engine *engine, int64_t at, const Many *many, int32_t i) {
    int32_t hand[MOST_VARS];
    take_hand(engine, many, i, hand);
    int answer = truth(engine, at, hand);
    return (uint8_t)(answer | (engine->lost_met ? BY_LOSS : 0));
}

static Plain value_of_one(Engine *engine, int64_t at, const Many *many, int32_t i) {
    int32_t hand[MOST_VARS];
    take_hand(engine, many, i, hand);
    Value value = evaluate(engine, at, hand);
    return plain_of(value, engine->lost_met);
}

static void truth_of_each(Engine *engine, int64_t at, const Many *many, uint8_t *answers) {
    for (int32_t i = 0; i < many->number; i++) answers[i] = truth_of_one(engine, at, many, i);
}

static void value_of_each(Engine *engine, int64_t at, const Many *many, Plain *values) {
    for (int32_t i = 0; i < many->number; i++) values[i] = value_of_one(engine, at, many, i);
}

/* ---- some of them ---- */

/* The chosen ones among many. */
static Many chosen(Engine *engine, const Many *many, const int32_t *places, int32_t number) {
    if (number == many->number) return *many;
    Scene **scenes = take(engine->scratch, number, sizeof(Scene *));
    Many some = {.number = number, .vars = many->vars, .scenes = scenes};
    for (int32_t i = 0; i < number; i++) scenes[i] = many->scenes[places[i]];
    for (int var = 0; var < many->vars; var++) {
        int32_t *rows = take(engine->scratch, number, sizeof(int32_t));
        for (int32_t i = 0; i < number; i++) rows[i] = many->hand[var][places[i]];
        some.hand[var] = rows;
    }
    return some;
}

/* So many of them, from one on. */
static Many part_of_many(const Many *many, int32_t from) {
    int32_t left = many->number - from;
    Many part = {.number = left < AT_ONCE ? left : AT_ONCE, .vars = many->vars, .scenes = many->scenes + from};
    for (int var = 0; var < many->vars; var++) part.hand[var] = many->hand[var] + from;
    return part;
}

/* Each as if one of its events were alone in hand. */
static Many seen_from(const Many *many, int64_t var) {
    Many alone = {.number = many->number, .vars = 1, .scenes = many->scenes};
    alone.hand[0] = many->hand[var];
    return alone;
}

/* ---- answers that are kept ---- */

/* Whether a node is a condition: what is kept of it is its answer and nothing else. */
static int is_condition(const Engine *engine, int64_t at) {
    switch (engine->code[at]) {
    case NODE_COMPARISON:
    case NODE_RECORDED:
    case NODE_ABOUT:
    case NODE_ALL_OF:
    case NODE_ANY_OF:
    case NODE_NEGATION:
    case NODE_HOW_MANY:
    case NODE_EVERY:
    case NODE_IN_ORDER: return 1;
    default: return 0;
    }
}

/* Where the answers of a memo are kept, for many events; and which of them have to be asked first. */
typedef struct {
    Answer **slots; /* none: it cannot be kept */
    int32_t *tags, *places, asked;
} Kept;

static Kept kept_for(Engine *engine, int64_t memo, const Many *many) {
    Kept kept = {take(engine->scratch, many->number, sizeof(Answer *)),
                 take(engine->scratch, many->number, sizeof(int32_t)),
                 take(engine->scratch, many->number, sizeof(int32_t)), 0};
    Answer *answers = NULL;
    int64_t slicing = -2, type = -1;
    for (int32_t i = 0; i < many->number; i++) {
        const Scene *scene = many->scenes[i];
        int32_t row = many->hand[0][i];
        Answer *slot;
        if (engine->log->types[row] != type || scene->slicing != slicing) {
            /* Mostly all are of one type, and seen in scenes of one kind. */
            const Memo *of_types = engine->memos[(scene->slicing + 1) * engine->task->number_of_memos + memo];
            type = engine->log->types[row];
            slicing = scene->slicing;
            answers = of_types && !scene->keys && type < engine->types ? of_types[type].answers : NULL;
        }
        if (answers) {
            slot = answers + engine->sorted.rank[row];
            kept.tags[i] = scene->number;
        } else {
            engine->scene = many->scenes[i];
            slot = answer_at(engine, memo, row, kept.tags + i);
            type = -1;
        }
        kept.slots[i] = slot;
        kept.places[kept.asked] = i;
        kept.asked += !slot || slot->tag != kept.tags[i];
    }
    return kept;
}

static inline void keep_answer(const Kept *kept, int32_t i, int64_t number, int state, int lost) {
    Answer *slot = kept->slots[i];
    if (!slot || state > STATE_OPEN || number <= -MOST_PACKED || number >= MOST_PACKED) return;
    slot->said = (int32_t)(number * (1 << PACKED_BITS)) + (lost ? LOST_BIT : 0) + state;
    slot->tag = kept->tags[i];
}

static void remembered_many(Engine *engine, int64_t at, const Many *many, Plain *values) {
    const MemoNode *node = NODE(Memo, engine, at);
    if (node->memo < 0) {
        value_many(engine, node->node, many, values);
        return;
    }
    Kept kept = kept_for(engine, node->memo, many);
    for (int32_t i = 0; i < many->number && kept.asked < many->number; i++) {
        int32_t said = kept.slots[i] ? kept.slots[i]->said : 0;
        values[i].number = said >> PACKED_BITS;
        values[i].state = said & ((1 << BITS_OF_STATE) - 1);
        values[i].lost = (said & LOST_BIT) != 0;
    }
    if (!kept.asked) return;
    Many some = chosen(engine, many, kept.places, kept.asked);
    Plain *found = take(engine->scratch, kept.asked, sizeof(Plain));
    value_many(engine, node->node, &some, found);
    for (int32_t j = 0; j < kept.asked; j++) {
        values[kept.places[j]] = found[j];
        keep_answer(&kept, kept.places[j], found[j].number, found[j].state, found[j].lost);
    }
}

/* The same as answers to a condition. */
static void remembered_truths(Engine *engine, int64_t at, const Many *many, uint8_t *answers) {
    const MemoNode *node = NODE(Memo, engine, at);
    if (node->memo < 0) {
        truth_many(engine, node->node, many, answers);
        return;
    }
    Kept kept = kept_for(engine, node->memo, many);
    for (int32_t i = 0; i < many->number && kept.asked < many->number; i++) {
        int32_t said = kept.slots[i] ? kept.slots[i]->said : 0;
        int state = said & ((1 << BITS_OF_STATE) - 1);
        int answer = state == STATE_KNOWN ? (said >> PACKED_BITS) != 0 : state == STATE_OPEN ? OPEN : MISSING;
        answers[i] = (uint8_t)(answer | (said & LOST_BIT ? BY_LOSS : 0));
    }
    if (!kept.asked) return;
    Many some = chosen(engine, many, kept.places, kept.asked);
    uint8_t *found = take(engine->scratch, kept.asked, 1);
    truth_many(engine, node->node, &some, found);
    int is_truth = is_condition(engine, node->node);
    for (int32_t j = 0; j < kept.asked; j++) {
        int answer = found[j] & ANSWER, lost = found[j] & BY_LOSS;
        answers[kept.places[j]] = found[j];
        if (is_truth) keep_answer(&kept, kept.places[j], answer == YES, answer > YES ? answer : STATE_KNOWN, lost);
    }
}

/* ---- values ---- */

static void same_for_all(const Value *value, const Many *many, Plain *values) {
    Plain plain = plain_of(*value, 0);
    for (int32_t i = 0; i < many->number; i++) values[i] = plain;
}

static void field_many(Engine *engine, int64_t at, const Many *many, Plain *values) {
    const FieldNode *node = NODE(Field, engine, at);
    const Column *column = engine->log->columns + node->column;
    const int32_t *rows = many->hand[node->var];
    if (column->below || column->is_time) {
        value_of_each(engine, at, many, values);
        return;
    }
    for (int32_t i = 0; i < many->number; i++) {
        int there = (column->values && !column->valid) || is_recorded(column, rows[i]);
        values[i] = (Plain){0, there ? STATE_KNOWN : STATE_MISSING, 0};
    }
    if (!column->values) return;
    numbers_at(column, rows, many->number, &values[0].number, sizeof(Plain) / sizeof(int64_t));
}

static void option_many(Engine *engine, int64_t at, const Many *many, Plain *values) {
    const OptionNode *node = NODE(Option, engine, at);
    const Option *option = engine->log->options + node->option;
    for (int32_t i = 0; i < many->number; i++) {
        int64_t elected = elected_at(option, many->hand[node->var][i]);
        values[i] = plain_of(option->values[elected], option->lost && option->lost[elected] >= 0);
    }
}

static void type_names_many(Engine *engine, int64_t at, const Many *many, Plain *values) {
    const int32_t *rows = many->hand[NODE(TypeName, engine, at)->var];
    const Log *log = engine->log;
    for (int32_t i = 0; i < many->number; i++) {
        values[i] = (Plain){log->type_words[log->types[rows[i]]], STATE_KNOWN, 0};
    }
}

static void apply_many(Engine *engine, int64_t at, const Many *many, Plain *values) {
    const FunctionNode *node = NODE(Function, engine, at);
    if (node->function > FUNCTION_COLOR) {
        value_of_each(engine, at, many, values);
        return;
    }
    value_many(engine, node->left, many, values);
    for (int32_t i = 0; i < many->number; i++) {
        if (values[i].state >= STATE_BOUNDED) values[i] = value_of_one(engine, at, many, i);
        else if (values[i].state == STATE_KNOWN) values[i] = plain_of(of_card(node->function, values[i].number), values[i].lost);
    }
}

/* Where the condition cannot be answered: both sides may give the same. */
static void choose_in_doubt(Engine *engine, int64_t at, const Many *many, const uint8_t *conditions, Plain *values) {
    const ChoiceNode *node = NODE(Choice, engine, at);
    int32_t *places = take(engine->scratch, many->number, sizeof(int32_t)), number = 0;
    for (int32_t i = 0; i < many->number; i++) {
        if ((conditions[i] & ANSWER) > YES) places[number++] = i;
    }
    if (!number) return;
    Many some = chosen(engine, many, places, number);
    Plain *then = take(engine->scratch, number, sizeof(Plain)), *otherwise = take(engine->scratch, number, sizeof(Plain));
    value_many(engine, node->then, &some, then);
    value_many(engine, node->otherwise, &some, otherwise);
    for (int32_t j = 0; j < number; j++) {
        Plain *value = values + places[j];
        if (then[j].state == NOT_PLAIN || otherwise[j].state == NOT_PLAIN) {
            *value = value_of_one(engine, at, many, places[j]);
            continue;
        }
        int condition = conditions[places[j]] & ANSWER, lost = conditions[places[j]] & BY_LOSS;
        lost |= then[j].lost | otherwise[j].lost;
        *value = plain_of(either_value(condition, value_of(then[j]), value_of(otherwise[j])), lost != 0);
    }
}

static void lookup_many(Engine *engine, int64_t at, const Many *many, Plain *values) {
    const LookupNode *node = NODE(Lookup, engine, at);
    Plain *columns = take(engine->scratch, many->number, sizeof(Plain));
    value_many(engine, node->row, many, values);
    if (node->column >= 0) value_many(engine, node->column, many, columns);
    else same_for_all(&NO_SUCH_THING, many, columns);
    for (int32_t i = 0; i < many->number; i++) {
        Plain row = values[i], column = columns[i];
        if (row.state > STATE_NOTHING || column.state > STATE_NOTHING) {
            values[i] = value_of_one(engine, at, many, i);
            continue;
        }
        Value of_row = whole(row.number), of_column = whole(column.number);
        of_row.state = row.state;
        of_column.state = column.state;
        values[i] = plain_of(entry_of(engine, node, of_row, of_column), row.lost | column.lost);
    }
}

static void choose_many(Engine *engine, int64_t at, const Many *many, Plain *values) {
    const ChoiceNode *node = NODE(Choice, engine, at);
    uint8_t *conditions = take(engine->scratch, many->number, 1);
    int32_t *places = take(engine->scratch, many->number, sizeof(int32_t));
    Plain *found = take(engine->scratch, many->number, sizeof(Plain));
    truth_many(engine, node->condition, many, conditions);
    for (int side = NO; side <= YES; side++) {
        int32_t number = 0;
        for (int32_t i = 0; i < many->number; i++) {
            if ((conditions[i] & ANSWER) == side) places[number++] = i;
        }
        if (!number) continue;
        Many some = chosen(engine, many, places, number);
        value_many(engine, side == YES ? node->then : node->otherwise, &some, found);
        for (int32_t j = 0; j < number; j++) {
            values[places[j]] = found[j];
            values[places[j]].lost |= (conditions[places[j]] & BY_LOSS) != 0;
        }
    }
    choose_in_doubt(engine, at, many, conditions, values);
}

static void calculate_many(Engine *engine, int64_t at, const Many *many, Plain *values) {
    const ArithmeticNode *node = NODE(Arithmetic, engine, at);
    Plain *right = take(engine->scratch, many->number, sizeof(Plain));
    value_many(engine, node->left, many, values);
    value_many(engine, node->right, many, right);
    for (int32_t i = 0; i < many->number; i++) {
        int64_t one = values[i].number, other = right[i].number, result = 0;
        int told = values[i].state == STATE_KNOWN && right[i].state == STATE_KNOWN &&
                   node->gives == RESULT_NUMBER;
        switch (node->sign) {
        case CALCULATION_PLUS: told = told && !__builtin_add_overflow(one, other, &result); break;
        case CALCULATION_MINUS: told = told && !__builtin_sub_overflow(one, other, &result); break;
        case CALCULATION_TIMES: told = told && !__builtin_mul_overflow(one, other, &result); break;
        default:
            told = told && other > 0 && one % other == 0;
            if (told) result = one / other;
        }
        values[i].lost |= right[i].lost;
        if (told && result != INT64_MIN) {
            values[i].number = result;
        } else if (values[i].state == NOT_PLAIN || right[i].state == NOT_PLAIN) {
            values[i] = value_of_one(engine, at, many, i);
        } else {
            Value exact = calculated((int)node->sign, value_of(values[i]), value_of(right[i]), (int)node->gives);
            values[i] = plain_of(exact, values[i].lost);
        }
    }
}

static void values_of_truths(Engine *engine, int64_t at, const Many *many, Plain *values) {
    uint8_t *answers = take(engine->scratch, many->number, 1);
    truth_many(engine, at, many, answers);
    for (int32_t i = 0; i < many->number; i++) {
        values[i] = plain_of(from_truth(answers[i] & ANSWER), (answers[i] & BY_LOSS) != 0);
    }
}

/* ---- conditions ---- */

/* A field against a constant: the plainest question. */
static int compare_with_constant(Engine *engine, const ComparisonNode *node, const Many *many, uint8_t *answers) {
    if (engine->code[node->left] != NODE_FIELD) return 0;
    const FieldNode *field = NODE(Field, engine, node->left);
    const Column *column = engine->log->columns + field->column;
    Value constant;
    if (!fixed_value(engine, node->right, &constant) || !is_known(constant)) return 0;
    if (constant.below != 1 || column->below) return 0;
    if (column->width != 1 || !column->values) return 0;
    const int8_t *numbers = column->values;
    const int32_t *rows = many->hand[field->var];
    int64_t wanted = constant.above;
    uint8_t by_order[3];
    for (int order = -1; order <= 1; order++) by_order[order + 1] = (uint8_t)holds((int)node->sign, order);
    for (int32_t i = 0; i < many->number; i++) {
        int64_t number = numbers[rows[i]];
        answers[i] = by_order[(number > wanted) - (number < wanted) + 1];
    }
    for (int32_t i = 0; i < many->number && column->valid; i++) {
        if (!is_recorded(column, rows[i])) answers[i] = MISSING;
    }
    return 1;
}

static void compare_many(Engine *engine, int64_t at, const Many *many, uint8_t *answers) {
    const ComparisonNode *node = NODE(Comparison, engine, at);
    if (compare_with_constant(engine, node, many, answers)) return;
    Value constant;
    int is_fixed = fixed_value(engine, node->right, &constant);
    Plain *left = take(engine->scratch, many->number, sizeof(Plain));
    Plain same = plain_of(is_fixed ? constant : NOT_RECORDED, 0), *right = &same;
    value_many(engine, node->left, many, left);
    if (!is_fixed) {
        right = take(engine->scratch, many->number, sizeof(Plain));
        value_many(engine, node->right, many, right);
    }
    uint8_t by_order[3];
    for (int order = -1; order <= 1; order++) by_order[order + 1] = (uint8_t)holds((int)node->sign, order);
    for (int32_t i = 0; i < many->number; i++) {
        Plain one = left[i], other = is_fixed ? same : right[i];
        if (one.state == STATE_KNOWN && other.state == STATE_KNOWN) {
            answers[i] = by_order[(one.number > other.number) - (one.number < other.number) + 1];
        } else if (one.state == NOT_PLAIN || other.state == NOT_PLAIN) {
            answers[i] = truth_of_one(engine, at, many, i);
        } else {
            answers[i] = (uint8_t)compared((int)node->sign, value_of(one), value_of(other));
        }
        if (one.lost | other.lost) answers[i] |= BY_LOSS;
    }
}

static void recorded_many(Engine *engine, int64_t at, const Many *many, uint8_t *answers) {
    const RecordedNode *node = NODE(Recorded, engine, at);
    Plain *values = take(engine->scratch, many->number, sizeof(Plain));
    value_many(engine, node->value, many, values);
    for (int32_t i = 0; i < many->number; i++) {
        int32_t hand[MOST_VARS];
        take_hand(engine, many, i, hand);
        if (values[i].state == NOT_PLAIN) answers[i] = truth_of_one(engine, at, many, i);
        else answers[i] = (uint8_t)says_recorded(engine, node, value_of(values[i]), hand);
        if (values[i].lost || engine->lost_met) answers[i] |= BY_LOSS;
    }
}

/* Conditions of which one that says what is decisive decides. */
static void join_many(Engine *engine, const int64_t *items, int64_t size, int decisive, const Many *many,
                      uint8_t *answers) {
    int32_t *places = take(engine->scratch, many->number, sizeof(int32_t));
    uint8_t *found = take(engine->scratch, many->number, 1);
    int is_first = 1;
    for (int64_t item = 0; item < size; item++) {
        if (fixed_truth(engine, items[item]) == opposite(decisive)) continue;
        int32_t number = 0;
        if (is_first) {
            truth_many(engine, items[item], many, answers);
            is_first = 0;
            continue;
        }
        for (int32_t i = 0; i < many->number; i++) {
            places[number] = i;
            number += (answers[i] & ANSWER) != decisive;
        }
        if (!number) return;
        Place scratch = place_in(engine->scratch);
        Many some = chosen(engine, many, places, number);
        truth_many(engine, items[item], &some, found);
        give_back_to(engine->scratch, scratch);
        for (int32_t j = 0; j < number; j++) {
            uint8_t *answer = answers + places[j];
            int before = *answer & ANSWER, one = found[j] & ANSWER, lost = (*answer | found[j]) & BY_LOSS;
            *answer = (uint8_t)((decisive == NO ? both(before, one) : either(before, one)) | lost);
        }
    }
    if (is_first) memset(answers, opposite(decisive), (size_t)many->number);
}

static void negate_many(Engine *engine, int64_t part, const Many *many, uint8_t *answers) {
    truth_many(engine, part, many, answers);
    for (int32_t i = 0; i < many->number; i++) {
        answers[i] = (uint8_t)(opposite(answers[i] & ANSWER) | (answers[i] & BY_LOSS));
    }
}

static void truths_of_values(Engine *engine, int64_t at, const Many *many, uint8_t *answers) {
    Plain *values = take(engine->scratch, many->number, sizeof(Plain));
    value_many(engine, at, many, values);
    for (int32_t i = 0; i < many->number; i++) {
        int state = values[i].state, answer = MISSING;
        if (state == NOT_PLAIN) {
            answers[i] = truth_of_one(engine, at, many, i);
            continue;
        }
        if (state == STATE_KNOWN) answer = values[i].number != 0;
        else if (state == STATE_OPEN) answer = OPEN;
        answers[i] = (uint8_t)(answer | (values[i].lost ? BY_LOSS : 0));
    }
}

#endif
