/* The events of one type by what a field with few values says: card_dealt by whom it was dealt to. They
   are sorted once for all patterns that ask for one of the values. */

#ifndef WORDS_H
#define WORDS_H

#include "pools.h"

enum { WORDS = 256 };

typedef struct ByWord {
    int64_t type, column;
    int32_t *rows;              /* those of one value after those of another; none where some lack it */
    int32_t borders[WORDS + 1]; /* of the values, as numbers without a sign */
    struct ByWord *next;
} ByWord;

static void forget_words(Scene *scene) {
    while (scene->by_word) {
        ByWord *next = scene->by_word->next;
        free(scene->by_word->rows);
        free(scene->by_word);
        scene->by_word = next;
    }
}

/* Whether a condition asks if a field with few values has a certain one, or has not. */
static int asks_for_word(const Look *look, const int64_t *node) {
    if (node[0] != FIELD_AGAINST_CONSTANT || node[3] > UNEQUAL) return 0;
    const Column *column = look->log->columns + node[2];
    const Given *constant = look->log->constants + node[4];
    return column->values && column->width == 1 && !column->below && constant->state == KNOWN &&
           constant->below == 1;
}

/* Sorts the events of a type by the values of a field. */
static int sort_by_word(Look *look, ByWord *words, const int32_t *from, int64_t size) {
    const Column *column = look->log->columns + words->column;
    const uint8_t *values = column->values;
    int32_t next[WORDS] = {0};
    int complete = 1;
    for (int64_t i = 0; i < size; i++) {
        int64_t place = place_of(look->scene, from[i]);
        complete &= recorded(column, place);
        next[values[place]]++;
    }
    if (!complete) return 1;
    for (int64_t word = 0; word < WORDS; word++) {
        words->borders[word + 1] = words->borders[word] + next[word];
        next[word] = words->borders[word];
    }
    words->rows = memory(look, size, sizeof(int32_t));
    if (!words->rows) return 0;
    for (int64_t i = 0; i < size; i++) {
        words->rows[next[values[place_of(look->scene, from[i])]]++] = from[i];
    }
    return 1;
}

static ByWord *by_word(Look *look, int64_t type, int64_t column) {
    Scene *scene = look->scene;
    for (ByWord *known = scene->by_word; known; known = known->next) {
        if (known->type == type && known->column == column) return known;
    }
    ByWord *words = calloc(1, sizeof(ByWord));
    if (!words) {
        look->failed = 1;
        return NULL;
    }
    words->type = type;
    words->column = column;
    words->next = scene->by_word;
    scene->by_word = words;
    int64_t first = scene->borders[type], size = scene->borders[type + 1] - first;
    return sort_by_word(look, words, scene->by_type + first, size) ? words : NULL;
}

/* The events of a type of which such a condition holds, and how many they are; NULL where they are not
   sorted by its field. */
static const int32_t *rows_with_word(Look *look, int64_t type, const int64_t *node, int64_t *size) {
    if (!asks_for_word(look, node) || node[3] != EQUAL) return NULL;
    int64_t wanted = look->log->constants[node[4]].above;
    if (wanted < INT8_MIN || wanted > INT8_MAX) return NULL;
    ByWord *words = by_word(look, type, node[2]);
    if (!words || !words->rows) return NULL;
    const int32_t *border = words->borders + (uint8_t)wanted;
    *size = border[1] - border[0];
    return words->rows + border[0];
}

#endif
