/* The four answers to a condition, and how they go together (docs/language.md, "Four answers"). */

#ifndef TRUTHS_H
#define TRUTHS_H

#include "nodes.h"

/* The last two are the states of a value of the same name. */
enum { NO = 0, YES = 1, MISSING = STATE_MISSING, OPEN = STATE_OPEN };

static const uint8_t BOTH[4][4] = {
    {NO, NO, NO, NO},
    {NO, YES, MISSING, OPEN},
    {NO, MISSING, MISSING, OPEN},
    {NO, OPEN, OPEN, OPEN},
};

static const uint8_t EITHER[4][4] = {
    {NO, YES, MISSING, OPEN},
    {YES, YES, YES, YES},
    {MISSING, YES, MISSING, OPEN},
    {OPEN, YES, OPEN, OPEN},
};

static const uint8_t OPPOSITE[4] = {YES, NO, MISSING, OPEN};

static inline int both(int one, int other) {
    return BOTH[one][other];
}

static inline int either(int one, int other) {
    return EITHER[one][other];
}

static inline int opposite(int truth) {
    return OPPOSITE[truth];
}

#endif
