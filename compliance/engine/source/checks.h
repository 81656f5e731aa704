/* Goes through the triggers of all editions and counts verdicts; checks to be shown are written down. */

#ifndef CHECKS_H
#define CHECKS_H

#include "triggers.h"

static int is_asked(const Engine *engine, const EditionNode *edition, int64_t row, int *again) {
    const Task *task = engine->task;
    if (is_lost(engine, row)) return 0;
    int64_t ts = engine->log->ts[row];
    if (ts < edition->begins || ts >= edition->expires) return 0;
    *again = row < task->fresh_from;
    if (*again) return task->again && task->again[row];
    return !task->asked || task->asked[row];
}

/* How many checks of a verdict are written down. */
static int64_t most_shown(const Task *task, int verdict) {
    switch (verdict) {
    case VERDICT_COMPLIED: return task->shown_complied;
    case VERDICT_VIOLATED: return INT64_MAX;
    case VERDICT_EXCUSED: return task->shown_excused;
    default: return task->shown_undecided;
    }
}

/* One check. */
static void check_in_scene(Checking *checking, int64_t number, const EditionNode *edition, Scene *scene,
                           int32_t row, int again, int known) {
    Engine *engine = checking->engine;
    int32_t hand[MOST_VARS];
    hand[0] = row;
    engine->scene = scene;
    if (again) {
        write_check(engine, checking->result, number, edition, hand, 1);
        return;
    }
    Judged judged = judge(engine, edition, known, hand);
    if (judged.verdict == DOES_NOT_APPLY) return;
    int64_t *counts = checking->result->counts + number * COUNTS;
    counts[judged.verdict]++;
    if (judged.verdict == VERDICT_UNDETERMINED && engine->lost_met) counts[BY_LOST_RECORDS]++;
    if (checking->shown[judged.verdict]++ < most_shown(engine->task, judged.verdict)) {
        write_check(engine, checking->result, number, edition, hand, 0);
    }
}

/* One check, in the run around it of a slice. */
static void check_in(Checking *checking, int64_t number, const EditionNode *edition, Scene *slice,
                     int32_t row, int again, int known) {
    const SlicingNode *by = NODE(Slicing, checking->engine, edition->slicing);
    Scene *scene = by->interval >= 0 ? run_scene(checking, by, slice, row) : slice;
    if (scene) check_in_scene(checking, number, edition, scene, row, again, known);
}

/* Whether an edition is for tables that have chosen otherwise, or where other things happen; many editions
   ask the same. */
static int is_for_others(Engine *engine, const EditionNode *edition) {
    const ItemsNode *elections = NODE(Items, engine, edition->elections);
    if (!pool_of(engine, edition->source)->size) return 1;
    for (int64_t i = 0; i < elections->size; i++) {
        const Elections *found = elections_of(engine, elections->items[i]);
        if (found && found->number == 1 && found->said[0] == NO) return 1;
    }
    const ItemsNode *applies = NODE(Items, engine, edition->applies);
    for (int64_t i = 0; i < applies->size; i++) {
        if (fixed_truth(engine, applies->items[i]) == NO) return 1;
    }
    return 0;
}

/* Whether checks at all events are asked for, for the first time. */
static int all_asked(const Engine *engine, const EditionNode *edition) {
    const Task *task = engine->task;
    return edition->begins <= engine->first_moment && edition->expires > engine->last_moment &&
           task->fresh_from <= 0 && !task->asked;
}

/* Counts the checks of a list all together; those that are to be shown are judged one by one. */
static void check_list(Checking *checking, int64_t number, const EditionNode *edition,
                       const TriggerList *list) {
    Engine *engine = checking->engine;
    int64_t *counts = checking->result->counts + number * COUNTS;
    int is_plain = all_asked(engine, edition) && !engine->task->shown_complied;
    uint8_t verdicts[AT_ONCE];
    for (int32_t from = 0; from < list->number; from += AT_ONCE) {
        Many many = part_of(list, from);
        judge_many(engine, edition, &many, list->states ? list->states + from : NULL, verdicts);
        if (is_plain && is_all(verdicts, many.number, VERDICT_COMPLIED)) {
            counts[VERDICT_COMPLIED] += many.number;
            continue;
        }
        for (int32_t i = 0; i < many.number; i++) {
            int again = 0, verdict = verdicts[i] & ANSWER;
            int32_t row = many.hand[0][i];
            if (!is_asked(engine, edition, row, &again)) continue;
            if (again || checking->shown[verdict] < most_shown(engine->task, verdict)) {
                int is_sure = (state_of_trigger(list, from + i) & ANSWER) == YES;
                check_in_scene(checking, number, edition, many.scenes[i], row, again,
                               is_sure ? RULE_APPLIES : NOTHING_KNOWN);
                continue;
            }
            int lost = verdicts[i] & BY_LOSS || many.scenes[i]->lost_border;
            counts[verdict]++;
            counts[BY_LOST_RECORDS] += verdict == VERDICT_UNDETERMINED && lost;
        }
    }
}

/* Of triggers in their slices, keeps those to which the rule surely or perhaps applies. */
static void keep_applying(Engine *engine, const EditionNode *edition, NewTriggers *triggers) {
    const ItemsNode *asks = NODE(Items, engine, edition->applies);
    int32_t kept = 0;
    for (int32_t i = 0; i < triggers->number; i++) {
        int lost = 0, state = triggered_by(engine, edition, triggers->rows[i], triggers->scenes[i],
                                           triggers->states[i], 0, &lost);
        if (state == NO) continue;
        triggers->rows[kept] = triggers->rows[i];
        triggers->scenes[kept] = triggers->scenes[i];
        triggers->states[kept++] = (uint8_t)(state | lost);
    }
    triggers->number = kept;
    if (!kept || asks->size == edition->plain) return;
    uint8_t answers[AT_ONCE];
    Place scratch = place_in(engine->scratch);
    TriggerList list = listed(triggers);
    Many many = part_of(&list, 0);
    join_many(engine, asks->items + edition->plain, asks->size - edition->plain, NO, &many, answers);
    give_back_to(engine->scratch, scratch);
    kept = 0;
    for (int32_t i = 0; i < triggers->number; i++) {
        int before = triggers->states[i], state = both(before & ANSWER, answers[i] & ANSWER);
        if (state == NO) continue;
        if (state != NO) state |= (before | answers[i]) & BY_LOSS;
        triggers->rows[kept] = triggers->rows[i];
        triggers->scenes[kept] = triggers->scenes[i];
        triggers->states[kept++] = (uint8_t)state;
    }
    triggers->number = kept;
}

static void check_together(Checking *checking, int64_t number, const EditionNode *edition) {
    keep_applying(checking->engine, edition, &checking->together);
    TriggerList list = listed(&checking->together);
    check_list(checking, number, edition, &list);
    checking->together.number = 0;
}

/* The checks of a rule for each slice of the log. */
static void check_slices(Checking *checking, int64_t number, const EditionNode *edition) {
    Engine *engine = checking->engine;
    const SlicingNode *by = NODE(Slicing, engine, edition->slicing);
    const Pool *source = pool_of(engine, edition->source);
    NewTriggers *of_row = &checking->of_row, *together = &checking->together;
    together->number = 0;
    for (int32_t place = 0; place < source->size; place++) {
        int32_t row = source->rows[place];
        int is_sure = !source->states || source->states[place] == YES, again = 0;
        if (!is_asked(engine, edition, row, &again)) continue;
        of_row->number = 0;
        list_slices_of(checking, edition, row, is_sure, of_row);
        for (int32_t i = 0; i < of_row->number; i++) {
            if (by->interval >= 0) {
                /* The runs of a slice are looked at one after the other. */
                check_in(checking, number, edition, of_row->scenes[i], row, again,
                         is_sure ? FIELDS_HOLD : NOTHING_KNOWN);
                continue;
            }
            put_trigger(engine, together, row, of_row->scenes[i], of_row->states[i]);
            if (together->number < AT_ONCE) continue;
            check_together(checking, number, edition);
        }
    }
    check_together(checking, number, edition);
}

static void check_edition(Checking *checking, int64_t number) {
    Engine *engine = checking->engine;
    const EditionNode *edition = NODE(Edition, engine, engine->task->editions[number]);
    engine->scene = &engine->whole;
    if (edition->begins > engine->last_moment || edition->expires <= engine->first_moment) return;
    if (is_for_others(engine, edition)) return;
    memset(checking->shown, 0, sizeof checking->shown);
    if (!NODE(Slicing, engine, edition->slicing)->keys) {
        check_list(checking, number, edition, triggers_of(checking, edition, edition->triggers));
        return;
    }
    check_slices(checking, number, edition);
}

#endif
