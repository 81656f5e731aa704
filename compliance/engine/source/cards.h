/* Hands of cards: points, and the ranks of poker hands. A card is a number: four for each rank from the
   ace to the king, in the order of the suits; the joker comes after all of them. */

#ifndef CARDS_H
#define CARDS_H

#include "numbers.h"

enum { JOKER = 52, MOST_IN_POKER_HAND = 7, HAND = 5 };

static inline int pips_of(int64_t card) {
    int64_t rank = card / 4 + 1;
    return rank > 10 ? 10 : (int)rank;
}

/* Points of a game from the sum of pips and whether there is an ace; see rules_dsl/functions.py. */
static Value points(int function, int64_t pips, int has_ace) {
    int soft = has_ace && pips <= 11;
    switch (function) {
    case AGGREGATE_BLACKJACK_TOTAL: return whole(pips + (soft ? 10 : 0));
    case AGGREGATE_IS_SOFT: return whole(soft);
    case AGGREGATE_BACCARAT_POINTS: return whole(pips % 10);
    default: return whole(pips);
    }
}

/* How often each number occurs, the most frequent first, of equal ones the higher. */
typedef struct {
    int number[HAND], times[HAND], size;
} Groups;

static Groups grouped(const int *numbers, int size) {
    Groups groups = {.size = 0};
    for (int i = 0; i < size; i++) {
        int at = 0;
        while (at < groups.size && groups.number[at] != numbers[i]) at++;
        if (at == groups.size) {
            groups.number[groups.size] = numbers[i];
            groups.times[groups.size++] = 0;
        }
        groups.times[at]++;
    }
    for (int i = 1; i < groups.size; i++) {
        for (int j = i; j > 0; j--) {
            int before = groups.times[j - 1] * 100 + groups.number[j - 1];
            if (before >= groups.times[j] * 100 + groups.number[j]) break;
            int times = groups.times[j], number = groups.number[j];
            groups.times[j] = groups.times[j - 1];
            groups.number[j] = groups.number[j - 1];
            groups.times[j - 1] = times;
            groups.number[j - 1] = number;
        }
    }
    return groups;
}

enum {
    NO_PAIR,
    ONE_PAIR,
    TWO_PAIR,
    THREE_OF_A_KIND,
    STRAIGHT,
    FLUSH,
    FULL_HOUSE,
    FOUR_OF_A_KIND,
    STRAIGHT_FLUSH,
    ROYAL_FLUSH,
    FIVE_ACES
};
enum { DIGITS = 6, BITS_OF_DIGIT = 4 };

/* A class and the numbers that decide within it, as one number that is larger for a better hand. */
static int64_t ranked(int class, const int *numbers, int size) {
    int64_t rank = class;
    for (int i = 0; i < DIGITS - 1; i++) rank = rank << BITS_OF_DIGIT | (i < size ? numbers[i] : 0);
    return rank;
}

static int class_of(int64_t rank) {
    return (int)(rank >> (BITS_OF_DIGIT * (DIGITS - 1)));
}

/* The top of a straight of five different numbers, or 0; an ace, 14, may stand at either end. */
static int top_of_straight(const Groups *groups) {
    if (groups->size != HAND) return 0;
    int high = groups->number[0], low = groups->number[HAND - 1];
    if (high - low == 4) return high;
    return high == 14 && groups->number[1] == 5 && low == 2 ? 5 : 0;
}

/* The rank of cards without jokers; numbers go to 14, the ace. */
static int64_t rank_of_natural(const int *numbers, const int *suits, int size) {
    Groups groups = grouped(numbers, size);
    int flush = size == HAND;
    for (int i = 1; i < size; i++) flush &= suits[i] == suits[0];
    int straight = size == HAND ? top_of_straight(&groups) : 0;
    int most = groups.times[0], next = groups.size > 1 ? groups.times[1] : 0;
    if (most == 5) return ranked(FIVE_ACES, groups.number, groups.size);
    if (flush && straight) return ranked(straight == 14 ? ROYAL_FLUSH : STRAIGHT_FLUSH, &straight, 1);
    if (most == 4) return ranked(FOUR_OF_A_KIND, groups.number, groups.size);
    if (most == 3 && next == 2) return ranked(FULL_HOUSE, groups.number, groups.size);
    if (flush) return ranked(FLUSH, groups.number, groups.size);
    if (straight) return ranked(STRAIGHT, &straight, 1);
    if (most == 3) return ranked(THREE_OF_A_KIND, groups.number, groups.size);
    if (most == 2 && next == 2) return ranked(TWO_PAIR, groups.number, groups.size);
    return ranked(most == 2 ? ONE_PAIR : NO_PAIR, groups.number, groups.size);
}

/* A joker stands for an ace, or fills a straight or a flush. */
static int64_t rank_of_hand(const int64_t *cards, int size) {
    int numbers[HAND], suits[HAND], natural = 0, jokers = 0, held = 0;
    for (int i = 0; i < size; i++) {
        if (cards[i] == JOKER) {
            jokers++;
            continue;
        }
        numbers[natural] = cards[i] < 4 ? 14 : (int)(cards[i] / 4 + 1);
        suits[natural++] = (int)(cards[i] % 4);
        if (cards[i] < 4) held |= 1 << cards[i] % 4;
    }
    if (!jokers) return rank_of_natural(numbers, suits, natural);
    int with = natural, free_suits = 0;
    for (int suit = 0; suit < 4; suit++) {
        if (held >> suit & 1) continue;
        free_suits++;
        if (with - natural == jokers) continue;
        numbers[with] = 14;
        suits[with++] = suit;
    }
    if (!free_suits) {
        /* All four aces are there: one more, whose suit does not matter for five of a kind. */
        numbers[with] = 14;
        suits[with++] = 3;
    }
    int64_t best = rank_of_natural(numbers, suits, with);
    if (size != HAND || jokers != 1) return best;
    for (int64_t filler = 0; filler < JOKER; filler++) {
        int used = 0;
        for (int i = 0; i < size; i++) used |= cards[i] == filler;
        if (used) continue;
        numbers[natural] = filler < 4 ? 14 : (int)(filler / 4 + 1);
        suits[natural] = (int)(filler % 4);
        int64_t rank = rank_of_natural(numbers, suits, natural + 1);
        int class = class_of(rank);
        int allowed = class == STRAIGHT || class == FLUSH || class == STRAIGHT_FLUSH || class == ROYAL_FLUSH;
        if (allowed && rank > best) best = rank;
    }
    return best;
}

/* A low hand is better the lower it is: every low hand has a number below zero. */
static int64_t low_rank_of_hand(const int64_t *cards, int size) {
    int numbers[HAND], times[HAND];
    for (int i = 0; i < size; i++) numbers[i] = cards[i] == JOKER ? 1 : (int)(cards[i] / 4 + 1);
    Groups groups = grouped(numbers, size);
    for (int i = 0; i < groups.size; i++) times[i] = groups.times[i];
    int64_t rank = 0;
    for (int i = 0; i < 2 * HAND; i++) {
        int digit = 0;
        if (i < groups.size) digit = 15 - times[i];
        else if (i < 2 * groups.size) digit = 15 - groups.number[i - groups.size];
        rank = rank << BITS_OF_DIGIT | digit;
    }
    return rank - ((int64_t)1 << 60);
}

static int64_t best_of(int64_t (*rank)(const int64_t *, int), const int64_t *cards, int size) {
    int hand = size < HAND ? size : HAND;
    int64_t best = INT64_MIN;
    for (int chosen = 0; chosen < 1 << size; chosen++) {
        int64_t some[MOST_IN_POKER_HAND];
        int number = 0;
        for (int i = 0; i < size; i++) {
            if (chosen >> i & 1) some[number++] = cards[i];
        }
        if (number != hand) continue;
        int64_t found = rank(some, hand);
        if (found > best) best = found;
    }
    return best;
}

/* A function of all cards of a hand, numbered as the aggregates are. */
static Value of_hand(int function, const int64_t *cards, int64_t size) {
    if (function >= AGGREGATE_POKER_RANK) {
        if (size < 1 || size > MOST_IN_POKER_HAND) return NOT_RECORDED;
        if (function == AGGREGATE_LOW_POKER_RANK) return whole(best_of(low_rank_of_hand, cards, (int)size));
        int64_t rank = best_of(rank_of_hand, cards, (int)size);
        return whole(function == AGGREGATE_POKER_CLASS ? class_of(rank) : rank);
    }
    int64_t pips = 0;
    int has_ace = 0, joker = 0;
    for (int64_t i = 0; i < size; i++) {
        joker |= cards[i] == JOKER;
        pips += pips_of(cards[i]);
        has_ace |= cards[i] < 4;
    }
    return joker ? NOT_RECORDED : points(function, pips, has_ace);
}

#endif
