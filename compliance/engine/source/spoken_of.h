/* Which events of one table rules across tables can look at: all others stay with the table. */

#ifndef SPOKEN_OF_H
#define SPOKEN_OF_H

#include "keeping.h"

/* Whether a node asks for an option: what was elected is known only where all tables come together. */
static int asks_for_options(const Engine *engine, int64_t at) {
    if (at < 0) return 0;
    const int64_t *node = engine->code + at;
    const NodeShape *shape = NODE_SHAPES + node[0];
    if (node[0] == NODE_OPTION) return 1;
    for (int64_t i = 0; i < shape->parts; i++) {
        if (shape->is_node >> i & 1 && asks_for_options(engine, node[1 + i])) return 1;
    }
    for (int64_t i = 0; shape->has_nodes && i < node[1 + shape->parts]; i++) {
        if (asks_for_options(engine, node[2 + shape->parts + i])) return 1;
    }
    return 0;
}

/* Keeps the events that a pattern may mean, by what their own fields say. */
static void keep_pattern(Engine *engine, int64_t at) {
    const PatternNode *pattern = NODE(Pattern, engine, at);
    const ByType *sorted = &engine->sorted;
    for (int64_t i = 0; i < pattern->size; i++) {
        for (int64_t j = sorted->borders[pattern->items[i]]; j < sorted->borders[pattern->items[i] + 1]; j++) {
            int32_t hand[MOST_VARS] = {sorted->rows[j]};
            int state = YES;
            if (is_lost(engine, hand[0])) {
                keep_row(engine, hand[0]);
                continue;
            }
            for (int64_t part = at; part >= 0 && state != NO; part = NODE(Pattern, engine, part)->wider) {
                int64_t plain = NODE(Pattern, engine, part)->plain;
                if (plain >= 0 && !asks_for_options(engine, plain)) state = truth(engine, plain, hand);
            }
            if (state != NO) keep_row(engine, hand[0]);
        }
    }
}

static void keep_spoken_of(Engine *engine, int64_t at, uint8_t *visited) {
    if (at < 0 || visited[at]) return;
    visited[at] = 1;
    const int64_t *node = engine->code + at;
    const NodeShape *shape = NODE_SHAPES + node[0];
    if (node[0] == NODE_PATTERN) {
        keep_pattern(engine, at);
        return;
    }
    if (node[0] == NODE_EVENTS) keep_interval(engine, NODE(Events, engine, at)->interval, visited);
    if (node[0] == NODE_EDITION) keep_interval(engine, NODE(Edition, engine, at)->ends, visited);
    if (node[0] == NODE_SLICING) {
        const SlicingNode *by = NODE(Slicing, engine, at);
        const NumbersNode *relevant = NODE(Numbers, engine, by->relevant);
        keep_interval(engine, by->interval, visited);
        /* Which players or seats there are is learned from every event that the rule speaks of. */
        for (int64_t type = 0; by->keys && type < relevant->size; type++) {
            if (relevant->items[type]) keep_types(engine, &type, 1);
        }
    }
    if (node[0] == NODE_EDGE) {
        const EdgeNode *edge = NODE(Edge, engine, at);
        for (int64_t i = 1; i < edge->size; i += 2) keep_spoken_of(engine, edge->items[i], visited);
    }
    for (int64_t i = 0; i < shape->parts; i++) {
        if (shape->is_node >> i & 1) keep_spoken_of(engine, node[1 + i], visited);
    }
    for (int64_t i = 0; shape->has_nodes && i < node[1 + shape->parts]; i++) {
        keep_spoken_of(engine, node[2 + shape->parts + i], visited);
    }
}

#endif
