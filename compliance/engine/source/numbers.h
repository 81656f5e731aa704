/* Exact values: whole numbers and fractions in lowest terms, each part within 63 bits. A result beyond
   that is missing: it is not told, rather than told wrongly. */

#ifndef NUMBERS_H
#define NUMBERS_H

#include "layout.h"
#include "truths.h"

typedef __int128 Wide;

static const Value NOT_RECORDED = {.below = 1, .state = STATE_MISSING};
static const Value NO_SUCH_THING = {.below = 1, .state = STATE_NOTHING};

enum { LOWEST = 1, HIGHEST = 2 };

static inline Value whole(int64_t number) {
    Value value = {.above = number, .below = 1, .state = STATE_KNOWN};
    return value;
}

static inline Value absent(int state) {
    Value value = {.below = 1, .state = state};
    return value;
}

static inline Value from_truth(int truth) {
    return truth == YES || truth == NO ? whole(truth) : absent(truth);
}

/* What a value says as a condition: where there is nothing to judge, nothing can be said. */
static inline int to_truth(Value value) {
    if (value.state == STATE_KNOWN) return value.above != 0;
    return value.state == STATE_OPEN ? OPEN : MISSING;
}

static inline int is_known(Value value) {
    return value.state == STATE_KNOWN;
}

static inline int fits(Wide number) {
    return -INT64_MAX <= number && number <= INT64_MAX;
}

static Wide greatest_divisor(Wide one, Wide other) {
    if (one < 0) one = -one;
    if (other < 0) other = -other;
    while (other) {
        Wide rest = one % other;
        one = other;
        other = rest;
    }
    return one;
}

/* A fraction in lowest terms. */
static Value fraction(Wide above, Wide below) {
    if (below != 1) {
        if (below < 0) {
            above = -above;
            below = -below;
        }
        Wide divisor = greatest_divisor(above, below);
        if (divisor > 1) {
            above /= divisor;
            below /= divisor;
        }
    }
    if (!fits(above) || !fits(below)) return NOT_RECORDED;
    Value value = {.above = (int64_t)above, .below = (int64_t)below, .state = STATE_KNOWN};
    return value;
}

static int order_of_exact(int64_t above, int64_t below, int64_t other_above, int64_t other_below) {
    if (below == 1 && other_below == 1) return (above > other_above) - (above < other_above);
    Wide left = (Wide)above * other_below, right = (Wide)other_above * below;
    return (left > right) - (left < right);
}

/* Less than zero, zero or more: how two known values stand to each other. */
static inline int order_of(Value left, Value right) {
    return order_of_exact(left.above, left.below, right.above, right.below);
}

/* Why a value made of others cannot be had: the log's end first, then what is missing. */
static inline int first_absent(Value left, Value right) {
    if (left.state == STATE_OPEN || right.state == STATE_OPEN) return STATE_OPEN;
    if (left.state >= STATE_MISSING || right.state >= STATE_MISSING) return STATE_MISSING;
    return left.state == STATE_NOTHING || right.state == STATE_NOTHING ? STATE_NOTHING : STATE_KNOWN;
}

static Value sum_of_exact(int64_t above, int64_t below, int64_t other_above, int64_t other_below) {
    if (below == 1 && other_below == 1) return fraction((Wide)above + other_above, 1);
    Wide divisor = greatest_divisor(below, other_below);
    Wide scale = other_below / divisor, other_scale = below / divisor;
    return fraction(above * scale + other_above * other_scale, below * scale);
}

/* A value whose limits alone are known. Without any limit, or with one too large, it is missing. */
static Value bounded(int has_low, Value low, int has_high, Value high) {
    if (has_low && low.state != STATE_KNOWN) return NOT_RECORDED;
    if (has_high && high.state != STATE_KNOWN) return NOT_RECORDED;
    if (!has_low && !has_high) return NOT_RECORDED;
    Value value = {.below = 1, .high_below = 1, .state = STATE_BOUNDED};
    if (has_low) {
        value.above = low.above;
        value.below = low.below;
        value.limits |= LOWEST;
    }
    if (has_high) {
        value.high_above = high.above;
        value.high_below = high.below;
        value.limits |= HIGHEST;
    }
    return value;
}

static inline int has_limit(Value value, int which) {
    return value.state == STATE_KNOWN || (value.limits & which);
}

static inline Value lowest_of(Value value) {
    Value low = {.above = value.above, .below = value.below, .state = STATE_KNOWN};
    return low;
}

static inline Value highest_of(Value value) {
    if (value.state == STATE_KNOWN) return lowest_of(value);
    Value high = {.above = value.high_above, .below = value.high_below, .state = STATE_KNOWN};
    return high;
}

static inline Value negative_of(Value value) {
    value.above = -value.above;
    return value;
}

/* The sum of two values of which at least one is known by its limits alone. */
static Value sum_of_limits(Value left, Value right) {
    int low = has_limit(left, LOWEST) && has_limit(right, LOWEST);
    int high = has_limit(left, HIGHEST) && has_limit(right, HIGHEST);
    Value least = NOT_RECORDED, most = NOT_RECORDED;
    if (low) least = sum_of_exact(left.above, left.below, right.above, right.below);
    if (high) {
        Value one = highest_of(left), other = highest_of(right);
        most = sum_of_exact(one.above, one.below, other.above, other.below);
    }
    return bounded(low, least, high, most);
}

static Value opposite_limits(Value value) {
    if (value.state == STATE_KNOWN) return negative_of(value);
    return bounded(value.limits & HIGHEST, negative_of(highest_of(value)), value.limits & LOWEST,
                   negative_of(lowest_of(value)));
}

/* A length of time is a whole number of microseconds: half of one goes to the even neighbour. */
static Wide rounded_to_even(Wide above, Wide below) {
    if (below < 0) {
        above = -above;
        below = -below;
    }
    Wide down = above / below - (above % below < 0);
    Wide rest = above - down * below;
    if (rest > below - rest || (rest == below - rest && down % 2 != 0)) down++;
    return down;
}

/* The first and the last moment that a calendar has, in microseconds since 1970. */
static const int64_t FIRST_MOMENT = -62135596800000000, LAST_MOMENT = 253402300799999999;
enum { MINUTE = 60000000 };

/* A moment as clocks in its zone show it. */
static inline Wide shown_at(Value moment) {
    return (Wide)moment.above + (Wide)moment.zone * MINUTE;
}

static Value calculated(int sign, Value left, Value right, int gives) {
    int is_limit = left.state == STATE_BOUNDED || right.state == STATE_BOUNDED;
    if (is_limit && (sign == CALCULATION_PLUS || sign == CALCULATION_MINUS) &&
        (is_known(left) || left.state == STATE_BOUNDED) &&
        (is_known(right) || right.state == STATE_BOUNDED)) {
        return sum_of_limits(left, sign == CALCULATION_PLUS ? right : opposite_limits(right));
    }
    int state = first_absent(left, right), round = gives == RESULT_LENGTH;
    if (state != STATE_KNOWN) return absent(state);
    Value result;
    switch (sign) {
    case CALCULATION_PLUS:
        result = sum_of_exact(left.above, left.below, right.above, right.below);
        break;
    case CALCULATION_MINUS:
        result = sum_of_exact(left.above, left.below, -right.above, right.below);
        break;
    case CALCULATION_TIMES: {
        Wide above = (Wide)left.above * right.above, below = (Wide)left.below * right.below;
        result = round ? fraction(rounded_to_even(above, below), 1) : fraction(above, below);
        break;
    }
    default: {
        if (!right.above) return NOT_RECORDED;
        Wide above = (Wide)left.above * right.below, below = (Wide)left.below * right.above;
        result = round ? fraction(rounded_to_even(above, below), 1) : fraction(above, below);
    }
    }
    result.zone = left.zone ? left.zone : right.zone;
    if (gives == RESULT_MOMENT && is_known(result)) {
        Wide shown = shown_at(result);
        if (shown < FIRST_MOMENT || shown > LAST_MOMENT) return NOT_RECORDED;
    }
    return result;
}

/* A number taken to a multiple of a unit. The steps are exact, only what comes out is limited. */
static Value rounded(int way, Value value, Value unit) {
    int state = first_absent(value, unit);
    if (state != STATE_KNOWN) return absent(state);
    if (!unit.above) return NOT_RECORDED;
    Wide above = (Wide)value.above * unit.below, below = (Wide)value.below * unit.above;
    if (below < 0) {
        above = -above;
        below = -below;
    }
    Wide steps = above / below - (above % below < 0), rest = above - steps * below;
    if (way == WAY_UP) steps += rest > 0;
    else if (way == WAY_NEAREST) steps += rest >= below - rest;
    Wide divisor = greatest_divisor(steps, unit.below);
    if (!fits(steps / divisor)) return NOT_RECORDED;
    return fraction(steps / divisor * unit.above, unit.below / divisor);
}

/* A running total: whole numbers may pass the largest on the way, fractions may not. The part that is no
   whole number is kept apart, from 0 to below 1. */
typedef struct {
    Wide whole;
    int64_t above, below;
    int untold;
} Total;

static Value value_of_total(const Total *total) {
    if (total->untold || !fits(total->whole)) return NOT_RECORDED;
    return fraction(total->whole * total->below + total->above, total->below);
}

static void add_to(Total *total, Value value) {
    if (total->untold) return;
    if (value.below == 1) {
        total->whole += value.above;
        return;
    }
    int64_t down = value.above / value.below - (value.above % value.below < 0);
    Value part = sum_of_exact(total->above, total->below, value.above - down * value.below, value.below);
    total->whole += down;
    if (is_known(part) && part.above >= part.below) {
        part.above -= part.below;
        total->whole++;
    }
    total->above = part.above;
    total->below = part.below;
    total->untold = !is_known(part) || !is_known(value_of_total(total));
}

/* By how two values stand to each other, whether a comparison holds. */
static inline int holds(int sign, int order) {
    switch (sign) {
    case SIGN_EQUAL: return order == 0;
    case SIGN_UNEQUAL: return order != 0;
    case SIGN_LESS: return order < 0;
    case SIGN_AT_MOST: return order <= 0;
    case SIGN_MORE: return order > 0;
    default: return order >= 0;
    }
}

/* The same where limits alone are known: decided where all values within them agree. */
static int holds_within(int sign, Value left, Value right) {
    int surely_less = has_limit(left, HIGHEST) && has_limit(right, LOWEST)
                          ? order_of(highest_of(left), lowest_of(right))
                          : 1; /* unknown: as if the highest were above */
    int surely_more = has_limit(left, LOWEST) && has_limit(right, HIGHEST)
                          ? order_of(lowest_of(left), highest_of(right))
                          : -1;
    /* surely_less: how the highest of the left stands to the lowest of the right; and so on. */
    if (surely_less == 0 && surely_more == 0) return holds(sign, 0);
    switch (sign) {
    case SIGN_EQUAL: return surely_less < 0 || surely_more > 0 ? NO : MISSING;
    case SIGN_UNEQUAL: return surely_less < 0 || surely_more > 0 ? YES : MISSING;
    case SIGN_LESS: return surely_less < 0 ? YES : surely_more >= 0 ? NO : MISSING;
    case SIGN_AT_MOST: return surely_less <= 0 ? YES : surely_more > 0 ? NO : MISSING;
    case SIGN_MORE: return surely_more > 0 ? YES : surely_less <= 0 ? NO : MISSING;
    default: return surely_more >= 0 ? YES : surely_less < 0 ? NO : MISSING;
    }
}

static int compared(int sign, Value left, Value right) {
    if (is_known(left) && is_known(right)) return holds(sign, order_of(left, right));
    if (left.state == STATE_OPEN || right.state == STATE_OPEN) return OPEN;
    if (left.state == STATE_MISSING || right.state == STATE_MISSING) return MISSING;
    if (left.state == STATE_NOTHING || right.state == STATE_NOTHING) {
        int same = left.state == right.state;
        if (sign == SIGN_EQUAL) return same;
        if (sign == SIGN_UNEQUAL) return !same;
        return MISSING;
    }
    return holds_within(sign, left, right);
}

/* How two fractions of any size stand to each other; none is below zero. What is left of them after the
   whole numbers have been taken away is turned round, until one has nothing left. */
static int order_of_large(Wide above, Wide below, Wide other_above, Wide other_below) {
    for (int sign = 1;; sign = -sign) {
        Wide one = above / below, other = other_above / other_below;
        if (one != other) return one < other ? -sign : sign;
        Wide rest = above % below, other_rest = other_above % other_below;
        if (!rest || !other_rest) return sign * ((rest != 0) - (other_rest != 0));
        above = below;
        below = rest;
        other_above = other_below;
        other_below = other_rest;
    }
}

/* Whether a value is no further from a target than a tolerance, or than that share of it. */
static int is_near(Value value, Value target, Value tolerance, int relative, int round) {
    int state = first_absent(value, target);
    if (state == STATE_OPEN || tolerance.state == STATE_OPEN) return OPEN;
    if (state != STATE_KNOWN || tolerance.state != STATE_KNOWN) return MISSING;
    Wide away = (Wide)value.above * target.below - (Wide)target.above * value.below;
    Wide margin = tolerance.above, below = tolerance.below;
    if (away < 0) away = -away;
    if (relative) {
        Wide size = target.above < 0 ? -(Wide)target.above : target.above;
        margin *= size;
        below *= target.below;
    }
    if (relative && round) {
        margin = rounded_to_even(margin, below);
        below = 1;
    }
    if (margin < 0) return NO;
    return order_of_large(away, (Wide)value.below * target.below, margin, below) <= 0;
}

#endif
