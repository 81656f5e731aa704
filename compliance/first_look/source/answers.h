/* Answers that several rules ask for at the same event, kept from the first who asks. */

#ifndef ANSWERS_H
#define ANSWERS_H

#include "collecting.h"

/* What was answered at each event of one type: what is above the line, or a truth. */
typedef struct Answers {
    int64_t type;
    uint8_t *state; /* 0 where nobody has asked yet */
    int64_t *above;
    struct Answers *next; /* the same question at events of another type */
} Answers;

enum { NOT_ASKED = 0, NOT_KEPT = 255 };

static int rank_rows(Look *look, Scene *scene) {
    int32_t *rank = malloc((size_t)(scene->size ? scene->size : 1) * sizeof(int32_t));
    if (!rank) {
        look->failed = 1;
        return 0;
    }
    for (int64_t type = 0; type < look->log->number_of_types; type++) {
        int64_t start = scene->borders[type], end = scene->borders[type + 1];
        for (int64_t i = start; i < end; i++) rank[scene->by_type[i]] = (int32_t)(i - start);
    }
    scene->rank = rank;
    return 1;
}

static int more_questions(Look *look, Questions *questions, int64_t number) {
    int64_t larger = 2 * number + 64;
    Answers **moved = realloc(questions->of, (size_t)larger * sizeof(Answers *));
    if (!moved) {
        look->failed = 1;
        return 0;
    }
    memset(moved + questions->room, 0, (size_t)(larger - questions->room) * sizeof(Answers *));
    questions->of = moved;
    questions->room = larger;
    return 1;
}

static Answers *first_answers(Look *look, Questions *questions, int64_t number, int64_t type) {
    Scene *scene = look->scene;
    int64_t size = scene->borders[type + 1] - scene->borders[type];
    Answers *made = calloc(1, sizeof(Answers));
    uint8_t *state = calloc((size_t)size, 1);
    int64_t *above = malloc((size_t)size * sizeof(int64_t));
    if (!made || !state || !above) {
        free(made);
        free(state);
        free(above);
        look->failed = 1;
        return NULL;
    }
    made->type = type;
    made->state = state;
    made->above = above;
    made->next = questions->of[number];
    return questions->of[number] = made;
}

/* There are many slices: of each, only answers at events of a rare type are kept. */
enum { RARE = 2048 };

/* The answers to a question at events of the type of one event, and the place of that event among
   them; NULL where nothing is kept. */
static Answers *answers_at(Look *look, int64_t number, int64_t row, int64_t *place) {
    Scene *scene = look->scene;
    if (number < 0) return NULL;
    Questions *questions = look->slice ? &look->slice->questions : &scene->questions;
    Scene *ranked = scene->base ? scene->base : scene;
    if (!ranked->rank && !rank_rows(look, ranked)) return NULL;
    int64_t type = look->log->types[place_of(scene, row)];
    if (look->slice && scene->borders[type + 1] - scene->borders[type] > RARE) return NULL;
    if (number >= questions->room && !more_questions(look, questions, number)) return NULL;
    Answers *found = questions->of[number];
    while (found && found->type != type) found = found->next;
    *place = ranked->rank[row];
    return found ? found : first_answers(look, questions, number, type);
}

static void forget_answers(Questions *questions) {
    for (int64_t i = 0; i < questions->room; i++) {
        while (questions->of[i]) {
            Answers *next = questions->of[i]->next;
            free(questions->of[i]->state);
            free(questions->of[i]->above);
            free(questions->of[i]);
            questions->of[i] = next;
        }
    }
    free(questions->of);
    questions->of = NULL;
    questions->room = 0;
}

#endif
