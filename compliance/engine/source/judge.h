/* What one edition of a rule says at each of its triggers (compliance/reference/rules.py). */

#ifndef JUDGE_H
#define JUDGE_H

#include "many_nodes.h"

typedef struct {
    int verdict; /* -1 where the rule does not apply */
    int64_t unmet;
    int64_t excuse;
} Judged;

enum { DOES_NOT_APPLY = -1 };

/* Whether the trigger is the first of its kind since another event. */
static int is_first(Engine *engine, const EditionNode *edition, int32_t *hand) {
    int64_t row = hand[0];
    int32_t again_hand[MOST_VARS];
    Bound again = bound_by(engine, edition->trigger, 0, row, 1, 1, again_hand);
    /* Going back, the other one is met before a second one of its own kind. */
    int64_t low = again.nearest < 0 ? 0 : again.nearest;
    Bound since = bound_by(engine, edition->since, low, row, 1, 1, hand);
    if (since.nearest >= 0) {
        see(engine, since.nearest, PART_SINCE);
        if (since.nearest == since.sure) return YES;
        return since.nearest == since.pending ? OPEN : MISSING;
    }
    if (again.nearest < 0) return NO;
    if (again.nearest == again.sure) return NO;
    if (is_lost(engine, again.nearest)) see(engine, again.nearest, PART_UNCLEAR);
    return again.nearest == again.pending ? OPEN : MISSING;
}

/* Whether the rule is triggered by an event whose type is right. What its own fields say need not be
   asked where that is known to hold. */
static int is_triggered(Engine *engine, const EditionNode *edition, int is_known_to_hold, int32_t *hand) {
    const EdgeNode *edge = NODE(Edge, engine, edition->trigger);
    const Scene *scene = engine->scene;
    int64_t row = hand[0], start = seen_so_far(engine);
    int result = state_in(&scene->region, row);
    if (scene->keys) result = both(result, has_keys(engine, scene, row));
    int64_t at = is_known_to_hold ? -1 : edge->pattern;
    for (; at >= 0 && result != NO; at = NODE(Pattern, engine, at)->wider) {
        const PatternNode *pattern = NODE(Pattern, engine, at);
        if (pattern->plain < 0) break;
        int64_t mark = seen_so_far(engine);
        take_in(engine, start, mark, truth(engine, pattern->plain, hand), NO, &result);
    }
    if (edge->costly >= 0 && result != NO) {
        int64_t mark = seen_so_far(engine);
        take_in(engine, start, mark, truth(engine, edge->costly, hand), NO, &result);
    }
    if (result == NO) return NO;
    if (edition->ends >= 0) {
        int ends = ends_run(engine, edition->ends, row);
        if (ends == MISSING && engine->log->number_of_lost) {
            engine->lost_met = 1;
            see_doubts_since_border(engine, edition->ends, row);
        }
        return both(result, ends);
    }
    if (edition->since >= 0) {
        Place scratch = place_in(engine->scratch);
        int64_t mark = seen_so_far(engine);
        take_in(engine, start, mark, is_first(engine, edition, hand), NO, &result);
        give_back_to(engine->scratch, scratch);
    }
    return result;
}

/* An exception applies when its condition holds and no exception to it does. */
static int excuses(Engine *engine, int64_t at, int32_t *hand) {
    const ExemptionNode *node = NODE(Exemption, engine, at);
    int64_t start = seen_so_far(engine);
    int result = YES;
    take_in(engine, start, start, truth(engine, node->condition, hand), NO, &result);
    for (int64_t i = 0; i < node->size && (result != NO || engine->evidence); i++) {
        int64_t mark = seen_so_far(engine);
        take_in(engine, start, mark, opposite(excuses(engine, node->items[i], hand)), NO, &result);
    }
    return result;
}

/* A requirement fails or cannot be judged: an exception may excuse it. */
static void judge_unmet(Engine *engine, const EditionNode *edition, int met, int32_t *hand,
                        Judged *judged) {
    const ItemsNode *items = NODE(Items, engine, edition->excuses);
    int64_t of_met = seen_so_far(engine);
    int any_open = 0, any_missing = 0;
    for (int64_t i = 0; i < items->size; i++) {
        int64_t mark = seen_so_far(engine);
        int answer = excuses(engine, items->items[i], hand);
        if (answer == YES) {
            /* Only what excuses it is shown beside what was not met. */
            if (engine->evidence) {
                int64_t number = engine->evidence->number - mark;
                if (number) {
                    memmove(engine->evidence->list + of_met, engine->evidence->list + mark,
                            (size_t)number * sizeof(Seen));
                }
                engine->evidence->number = of_met + number;
            }
            if (met == MISSING && lost_may_change(engine, edition->lookout, hand)) {
                /* Perhaps nothing needed to be excused. */
                engine->lost_met = 1;
                judged->verdict = VERDICT_UNDETERMINED;
                return;
            }
            judged->verdict = VERDICT_EXCUSED;
            judged->excuse = i;
            return;
        }
        any_open |= answer == OPEN;
        any_missing |= answer == MISSING;
    }
    if (any_open) {
        judged->verdict = VERDICT_OPEN;
        return;
    }
    if (met == MISSING || !any_missing) {
        if (engine->evidence) engine->evidence->number = of_met;
        judged->verdict = met == MISSING ? VERDICT_UNDETERMINED : VERDICT_VIOLATED;
        return;
    }
    judged->verdict = VERDICT_UNDETERMINED;
}

/* Where a lost record may begin or end the run that is looked at, it may be why nothing is told. */
static void note_lost_borders(Engine *engine, int verdict) {
    if (verdict != VERDICT_UNDETERMINED) return;
    if (engine->scene->lost_border) engine->lost_met = 1;
    see_unclear(engine, &engine->scene->unclear);
}

/* What is known of a trigger before it is judged. */
enum { NOTHING_KNOWN, FIELDS_HOLD, RULE_APPLIES };

/* Whether the rule applies to a trigger. */
static int applies_to(Engine *engine, const EditionNode *edition, int known, int32_t *hand) {
    int64_t start = seen_so_far(engine);
    int applies = is_triggered(engine, edition, known == FIELDS_HOLD, hand);
    const ItemsNode *asks = NODE(Items, engine, edition->applies);
    for (int64_t i = known == FIELDS_HOLD ? edition->plain : 0; i < asks->size && applies != NO; i++) {
        int64_t mark = seen_so_far(engine);
        take_in(engine, start, mark, truth(engine, asks->items[i], hand), NO, &applies);
    }
    return applies;
}

/* The check at a trigger. What is known of it already need not be asked. */
static Judged judge(Engine *engine, const EditionNode *edition, int known, int32_t *hand) {
    Judged judged = {.verdict = DOES_NOT_APPLY, .excuse = -1};
    int64_t start = seen_so_far(engine);
    engine->lost_met = 0;
    int applies = known == RULE_APPLIES ? YES : applies_to(engine, edition, known, hand);
    if (applies == NO) return judged;
    if (applies != YES) {
        judged.verdict = applies == OPEN ? VERDICT_OPEN : VERDICT_UNDETERMINED;
        note_lost_borders(engine, judged.verdict);
        return judged;
    }
    /* What made the rule apply is not evidence of what it requires. */
    if (engine->evidence) engine->evidence->number = start;
    if (engine->evidence && engine->evidence->unsettled) engine->evidence->unsettled = 0;
    engine->lost_met = 0;
    const ItemsNode *requires = NODE(Items, engine, edition->requires);
    int met = YES;
    for (int64_t i = 0; i < requires->size; i++) {
        int64_t mark = seen_so_far(engine);
        int answer = truth(engine, requires->items[i], hand);
        if (answer != YES) judged.unmet |= (int64_t)1 << (i < 62 ? i : 62);
        take_in(engine, start, mark, answer, NO, &met);
        if (met == NO && !engine->evidence) break;
    }
    if (met == YES) judged.verdict = VERDICT_COMPLIED;
    else if (met == OPEN) judged.verdict = VERDICT_OPEN;
    else judge_unmet(engine, edition, met, hand, &judged);
    note_lost_borders(engine, judged.verdict);
    return judged;
}

/* ---- many checks at once ---- */

static void excuses_many(Engine *engine, int64_t at, const Many *many, uint8_t *answers) {
    const ExemptionNode *node = NODE(Exemption, engine, at);
    truth_many(engine, node->condition, many, answers);
    uint8_t *limits = take(engine->scratch, many->number, 1);
    for (int64_t item = 0; item < node->size; item++) {
        excuses_many(engine, node->items[item], many, limits);
        for (int32_t i = 0; i < many->number; i++) {
            int result = both(answers[i] & ANSWER, opposite(limits[i] & ANSWER));
            answers[i] = (uint8_t)(result | ((answers[i] | limits[i]) & BY_LOSS));
        }
    }
}

/* The verdicts where a requirement fails or cannot be judged: as in judge_unmet. */
static void judge_unmet_many(Engine *engine, const EditionNode *edition, const Many *many, uint8_t *verdicts) {
    const ItemsNode *items = NODE(Items, engine, edition->excuses);
    uint8_t *met = take(engine->scratch, many->number, 1), *answers = take(engine->scratch, many->number, 1);
    uint8_t *excused = take_zeros(engine->scratch, many->number, 1);
    uint8_t *doubts = take_zeros(engine->scratch, many->number, 1), *lost = take_zeros(engine->scratch, many->number, 1);
    memcpy(met, verdicts, (size_t)many->number);
    for (int64_t item = 0; item < items->size; item++) {
        excuses_many(engine, items->items[item], many, answers);
        for (int32_t i = 0; i < many->number; i++) {
            int answer = answers[i] & ANSWER;
            if (excused[i]) continue;
            excused[i] = answer == YES;
            lost[i] |= answers[i] & BY_LOSS;
            if (answer > YES) doubts[i] = (uint8_t)either(doubts[i], answer);
        }
    }
    for (int32_t i = 0; i < many->number; i++) {
        int answer = met[i] & ANSWER, verdict = answer == MISSING ? VERDICT_UNDETERMINED : VERDICT_VIOLATED;
        lost[i] |= met[i] & BY_LOSS;
        if (excused[i]) {
            int32_t hand[MOST_VARS] = {many->hand[0][i]};
            engine->scene = many->scenes[i];
            verdict = VERDICT_EXCUSED;
            if (answer == MISSING && lost_may_change(engine, edition->lookout, hand)) {
                verdict = VERDICT_UNDETERMINED;
                lost[i] = BY_LOSS;
            }
        } else if (doubts[i]) {
            verdict = doubts[i] == OPEN ? VERDICT_OPEN : VERDICT_UNDETERMINED;
        }
        verdicts[i] = (uint8_t)(verdict | lost[i]);
    }
}

/* The verdicts where the rule surely applies. */
static void judge_applying(Engine *engine, const EditionNode *edition, const Many *many, uint8_t *verdicts) {
    const ItemsNode *requires = NODE(Items, engine, edition->requires);
    int32_t *places = take(engine->scratch, many->number, sizeof(int32_t)), unmet = 0;
    join_many(engine, requires->items, requires->size, NO, many, verdicts);
    for (int32_t i = 0; i < many->number; i++) {
        int met = verdicts[i] & ANSWER;
        if (met == YES || met == OPEN) verdicts[i] = met == YES ? VERDICT_COMPLIED : VERDICT_OPEN;
        else places[unmet++] = i;
    }
    if (!unmet) return;
    Many some = chosen(engine, many, places, unmet);
    uint8_t *of_some = take(engine->scratch, unmet, 1);
    for (int32_t i = 0; i < unmet; i++) of_some[i] = verdicts[places[i]];
    judge_unmet_many(engine, edition, &some, of_some);
    for (int32_t i = 0; i < unmet; i++) verdicts[places[i]] = of_some[i];
}

/* The verdicts of many triggers, with BY_LOSS beside those that a lost record leaves in doubt; `states` say
   how surely the rule applies to each (none: to all). Where that is in doubt, nothing more need be asked. */
static void judge_many(Engine *engine, const EditionNode *edition, const Many *many, const uint8_t *states,
                       uint8_t *verdicts) {
    Place scratch = place_in(engine->scratch);
    int32_t *places = take(engine->scratch, many->number, sizeof(int32_t)), applying = 0;
    for (int32_t i = 0; i < many->number; i++) {
        int applies = states ? states[i] & ANSWER : YES;
        if (applies == YES) places[applying++] = i;
        else verdicts[i] = (uint8_t)((applies == OPEN ? VERDICT_OPEN : VERDICT_UNDETERMINED) | (states[i] & BY_LOSS));
    }
    if (applying == many->number) {
        judge_applying(engine, edition, many, verdicts);
    } else if (applying) {
        Many some = chosen(engine, many, places, applying);
        uint8_t *of_some = take(engine->scratch, applying, 1);
        judge_applying(engine, edition, &some, of_some);
        for (int32_t i = 0; i < applying; i++) verdicts[places[i]] = of_some[i];
    }
    give_back_to(engine->scratch, scratch);
}

#endif
