/* Printed tables of the law: the entry for a row and a column.

   A table is: how many rows and columns; for each head whether it is `none`, and the lowest and highest
   value, each above and below the line; for each entry its value above and below the line and its state. */

#ifndef LOOKUPS_H
#define LOOKUPS_H

#include "engine.h"

enum { HEAD_IS_NONE, HEAD_LOW, HEAD_LOW_BELOW, HEAD_HIGH, HEAD_HIGH_BELOW, HEAD_PARTS };
enum { ENTRY_ABOVE, ENTRY_BELOW, ENTRY_STATE, ENTRY_PARTS };

static int64_t find_head(const int64_t *heads, int64_t number, Value key) {
    for (int64_t i = 0; i < number; i++, heads += HEAD_PARTS) {
        if (heads[HEAD_IS_NONE] || key.state == STATE_NOTHING) {
            if (heads[HEAD_IS_NONE] && key.state == STATE_NOTHING) return i;
            continue;
        }
        if (order_of_exact(heads[HEAD_LOW], heads[HEAD_LOW_BELOW], key.above, key.below) <= 0 &&
            order_of_exact(key.above, key.below, heads[HEAD_HIGH], heads[HEAD_HIGH_BELOW]) <= 0) {
            return i;
        }
    }
    return -1;
}

/* The entry of a table for a row and a column that are told, or not said to be any. */
static Value entry_of(const Engine *engine, const LookupNode *node, Value row, Value column) {
    const int64_t *table = engine->log->lookups[node->table];
    int64_t rows = table[0], columns = table[1];
    const int64_t *heads = table + 2;
    int64_t at = find_head(heads, rows, row), across = 0;
    if (columns) across = find_head(heads + rows * HEAD_PARTS, columns, column);
    if (at < 0 || across < 0) return NO_SUCH_THING;
    const int64_t *entries = heads + (rows + columns) * HEAD_PARTS;
    const int64_t *entry = entries + (at * (columns ? columns : 1) + across) * ENTRY_PARTS;
    return (Value){.above = entry[ENTRY_ABOVE], .below = entry[ENTRY_BELOW], .state = (int32_t)entry[ENTRY_STATE]};
}

static APART Value lookup(Engine *engine, const LookupNode *node, int32_t *hand) {
    Value row = evaluate(engine, node->row, hand);
    Value column = node->column >= 0 ? evaluate(engine, node->column, hand) : NO_SUCH_THING;
    if (row.state == STATE_OPEN || column.state == STATE_OPEN) return absent(STATE_OPEN);
    if (row.state >= STATE_MISSING || column.state >= STATE_MISSING) return NOT_RECORDED;
    return entry_of(engine, node, row, column);
}

#endif
