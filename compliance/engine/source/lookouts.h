/* Whether a lost record could change what is asked: by what is looked for, not by what was found
   (compliance/reference/lost_evidence.py). */

#ifndef LOOKOUTS_H
#define LOOKOUTS_H

#include "scenes.h"

static int may_be_of(const Engine *engine, int64_t lost, const NumbersNode *types) {
    const uint8_t *may_be = engine->log->lost_sets + lost * engine->types;
    for (int64_t i = 0; i < types->size; i++) {
        if (may_be[types->items[i]]) return 1;
    }
    return 0;
}

/* The number of the value that an option has at a row. */
static int64_t elected_at(const Option *option, int64_t row) {
    if (option->which) return option->which[row];
    int64_t at = option->number - 1;
    while (at > 0 && option->since[at] > row) at--;
    return at;
}

static int is_in_doubt(const Option *option, int64_t row) {
    return option->lost && option->lost[elected_at(option, row)] >= 0;
}

static int option_may_change(const Engine *engine, const Option *option, int64_t var, const int32_t *hand) {
    if (!option->lost) return 0;
    if (var >= 0) return is_in_doubt(option, hand[var]);
    const Pieces *region = &engine->scene->region;
    int64_t end = region->number ? region->pieces[region->number - 1].high : 0;
    for (int64_t row = region->number ? region->pieces[0].low : 0; row < end; row++) {
        if (is_in_doubt(option, row) && belongs(engine, engine->scene, row) != NO) return 1;
    }
    return 0;
}

static int lost_may_change(Engine *engine, int64_t at, const int32_t *hand) {
    const Log *log = engine->log;
    if (!log->number_of_lost) return 0;
    const LookoutNode *node = NODE(Lookout, engine, at);
    const NumbersNode *types = NODE(Numbers, engine, node->types);
    const SlicingNode *by = engine->scene->by;
    const NumbersNode *borders = by ? NODE(Numbers, engine, by->borders) : NULL;
    const Pieces *region = &engine->scene->region;
    /* Those that lie outside of what the rule sees need not be looked at. */
    int64_t first = region->number ? number_of_lost_at(log, region->pieces[0].low) : log->number_of_lost;
    int64_t end = region->number ? region->pieces[region->number - 1].high : 0;
    for (int64_t lost = first; types->size && lost < log->number_of_lost && log->lost_rows[lost] < end; lost++) {
        if (belongs(engine, engine->scene, log->lost_rows[lost]) == NO) continue;
        if (may_be_of(engine, lost, types) || (borders && may_be_of(engine, lost, borders))) return 1;
    }
    for (int64_t i = 0; i < node->size; i += 2) {
        if (option_may_change(engine, log->options + node->items[i], node->items[i + 1], hand)) return 1;
    }
    return 0;
}

#endif
