/* Writes down the checks that are to be shown: judged once more, with their evidence. */

#ifndef WRITTEN_CHECKS_H
#define WRITTEN_CHECKS_H

#include "judge.h"

static void write_number(Engine *engine, Result *result, int64_t number) {
    if (result->size == result->room) {
        int64_t room = 2 * result->room + 1024;
        int64_t *larger = realloc(result->written, (size_t)room * sizeof(int64_t));
        if (!larger) fail(engine->kept);
        result->written = larger;
        result->room = room;
    }
    result->written[result->size++] = number;
}

static void write_value(Engine *engine, Result *result, Value value) {
    int limits = value.state == STATE_BOUNDED;
    write_number(engine, result, value.above);
    write_number(engine, result, value.below);
    write_number(engine, result, limits ? STATE_MISSING : value.state);
    write_number(engine, result, value.zone);
}

/* Judges a trigger once more, with its evidence, and writes it down. */
static void write_check(Engine *engine, Result *result, int64_t number, const EditionNode *edition,
                        int32_t *hand, int again) {
    Evidence evidence = {0};
    int64_t steps = engine->steps;
    engine->evidence = &evidence;
    Judged judged = judge(engine, edition, 0, hand);
    engine->evidence = NULL;
    if (judged.verdict == DOES_NOT_APPLY) return;
    if (judged.verdict == VERDICT_OPEN) evidence.unsettled = 1;
    const ItemsNode *quotes = NODE(Items, engine, edition->quotes);
    int64_t head = result->size;
    int64_t said[HEAD_SIZE] = {
        [HEAD_EDITION] = number,
        [HEAD_ROW] = hand[0],
        [HEAD_VERDICT] = judged.verdict,
        [HEAD_UNMET] = judged.unmet,
        [HEAD_EXCUSE] = judged.excuse,
        [HEAD_LOST] = engine->lost_met,
        [HEAD_AGAIN] = again,
        [HEAD_KEYS] = engine->scene->keys,
        [HEAD_WITNESSES] = evidence.number,
        [HEAD_QUOTES] = quotes->size,
    };
    for (int i = 0; i < HEAD_SIZE; i++) write_number(engine, result, said[i]);
    for (int64_t key = 0; key < engine->scene->keys; key++) {
        write_number(engine, result, is_known(engine->scene->values[key]));
        write_number(engine, result, engine->scene->values[key].above);
    }
    for (int64_t i = 0; i < evidence.number; i++) {
        write_number(engine, result, evidence.list[i].row);
        write_number(engine, result, evidence.list[i].part);
    }
    for (int64_t i = 0; i < quotes->size; i++) {
        Value value = evaluate(engine, quotes->items[i], hand);
        if (value.state == STATE_OPEN) evidence.unsettled = 1;
        write_value(engine, result, value);
    }
    result->written[head + HEAD_UNSETTLED] = evidence.unsettled;
    /* What is known already is told even where telling it takes long. */
    engine->steps = steps + (engine->steps - steps) / 10;
}

#endif
