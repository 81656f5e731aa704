/* Values with their doubt: exact fractions, and what can be said of them. */

#ifndef VALUES_H
#define VALUES_H

#include <stdint.h>

typedef __int128 wide;

/* Kept out of what calls it: small questions are asked far more often than large ones. */
#define APART __attribute__((noinline))

enum { KNOWN = 0, NOTHING = 1, UNKNOWN = 2 };
enum { NO = 0, YES = 1, UNSURE = 2 };

/* A value fits into two registers: one that needs more below the line is not known here. */
typedef struct {
    int64_t above;
    int32_t below, state;
} Value;

/* The same as it is handed over. */
typedef struct {
    int64_t above, below, state;
} Given;

static const Value unknown = {0, 1, UNKNOWN};
static const Value nothing = {0, 1, NOTHING};

static inline Value whole(int64_t number) {
    Value value = {number, 1, KNOWN};
    return value;
}

static inline Value from_given(int64_t above, int64_t below, int64_t state) {
    if (below > INT32_MAX) return unknown;
    Value value = {above, (int32_t)below, (int32_t)state};
    return value;
}

static inline Value from_truth(int truth) {
    return truth == UNSURE ? unknown : whole(truth);
}

/* Where there is nothing to judge, nothing can be said. */
static inline int to_truth(Value value) {
    return value.state == KNOWN ? value.above != 0 : UNSURE;
}

static inline int graver(Value left, Value right) {
    return left.state > right.state ? left.state : right.state;
}

/* Numbers beyond this are left to the engine that follows: nothing overflows here. */
#define LARGEST ((wide)1 << 62)

static APART Value fraction(wide above, wide below) {
    if (below < 0) {
        above = -above;
        below = -below;
    }
    if (below != 1) {
        wide a = above < 0 ? -above : above, b = below;
        while (b) {
            wide rest = a % b;
            a = b;
            b = rest;
        }
        if (a > 1) {
            above /= a;
            below /= a;
        }
    }
    if (above > LARGEST || -above > LARGEST || below > INT32_MAX) return unknown;
    return from_given((int64_t)above, (int64_t)below, KNOWN);
}

/* -1, 0 or 1: less, equal, more. Both must be known. */
static inline int order_of(Value left, Value right) {
    if (left.below == right.below) return (left.above > right.above) - (left.above < right.above);
    wide difference = (wide)left.above * right.below - (wide)right.above * left.below;
    return (difference > 0) - (difference < 0);
}

enum { PLUS, MINUS, TIMES, DIVIDED };

static inline Value calculate(int sign, Value left, Value right) {
    int state = graver(left, right);
    if (state != KNOWN) return state == NOTHING ? nothing : unknown;
    int64_t sum;
    if (left.below == 1 && right.below == 1 && sign <= MINUS) {
        int beyond = sign == PLUS ? __builtin_add_overflow(left.above, right.above, &sum)
                                  : __builtin_sub_overflow(left.above, right.above, &sum);
        return beyond ? unknown : whole(sum);
    }
    wide a = left.above, b = left.below, c = right.above, d = right.below;
    switch (sign) {
    case PLUS: return fraction(a * d + c * b, b * d);
    case MINUS: return fraction(a * d - c * b, b * d);
    case TIMES: return fraction(a * c, b * d);
    default: return c == 0 ? unknown : fraction(a * d, b * c);
    }
}

enum { UP, DOWN, NEAREST };

static inline wide floor_of(wide above, wide below) {
    if (below == 1) return above;
    wide quotient = above / below;
    return quotient * below > above ? quotient - 1 : quotient;
}

static APART Value round_to(int way, Value value, Value unit) {
    Value steps = calculate(DIVIDED, value, unit);
    if (steps.state != KNOWN) return steps;
    wide above = steps.above, below = steps.below, number;
    if (way == UP) number = -floor_of(-above, below);
    else if (way == DOWN) number = floor_of(above, below);
    else number = floor_of(2 * above + below, 2 * below);
    return calculate(TIMES, fraction(number, 1), unit);
}

enum { EQUAL, UNEQUAL, LESS, AT_MOST, MORE, AT_LEAST };

static inline int compare_whole(int sign, int64_t left, int64_t right) {
    switch (sign) {
    case EQUAL: return left == right;
    case UNEQUAL: return left != right;
    case LESS: return left < right;
    case AT_MOST: return left <= right;
    case MORE: return left > right;
    default: return left >= right;
    }
}

static inline int compare(int sign, Value left, Value right) {
    if (graver(left, right) == UNKNOWN) return UNSURE;
    if (left.state == NOTHING || right.state == NOTHING) {
        if (sign > UNEQUAL) return UNSURE;
        return (left.state == right.state) == (sign == EQUAL);
    }
    return compare_whole(sign, order_of(left, right), 0);
}

static inline int opposite(int truth) {
    return truth == UNSURE ? UNSURE : !truth;
}

#endif
