/* Answers that several rules ask for at the same event, kept from the first who asks. */

#ifndef ANSWERS_H
#define ANSWERS_H

#include "collecting.h"

/* What was answered at each event of one type: what is above the line, or a truth, and in the last
   bits what is known of it. Answers are many: what needs more bits is asked anew each time. */
typedef struct Answers {
    int64_t type;
    int32_t *said;
    struct Answers *next; /* the same question at events of another type */
} Answers;

enum { NOT_ASKED = 0, BITS_OF_STATE = 2, MOST_KEPT = 1 << 29 };

/* An answer with its state, which is 1 to 3. */
static inline int32_t packed(int64_t above, int state) {
    return (int32_t)(above * (1 << BITS_OF_STATE) + state);
}

static inline int state_of(int32_t said) {
    return said & ((1 << BITS_OF_STATE) - 1);
}

static inline int64_t above_of(int32_t said) {
    return said >> BITS_OF_STATE;
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
    int32_t *said = calloc((size_t)size, sizeof(int32_t));
    if (!made || !said) {
        free(made);
        free(said);
        look->failed = 1;
        return NULL;
    }
    made->type = type;
    made->said = said;
    made->next = questions->of[number];
    return questions->of[number] = made;
}

/* There are many slices: of each, only answers at events of a rare type are kept. */
enum { RARE = 2048 };

/* The answers to a question at events of one type; NULL where none are kept. */
static inline Answers *answers_at(Look *look, int64_t number, int64_t type) {
    Scene *scene = look->scene;
    if (number < 0) return NULL;
    Questions *questions = look->slice ? &look->slice->questions : &scene->questions;
    if (look->slice && scene->borders[type + 1] - scene->borders[type] > RARE) return NULL;
    if (number >= questions->room && !more_questions(look, questions, number)) return NULL;
    Answers *found = questions->of[number];
    while (found && found->type != type) found = found->next;
    return found ? found : first_answers(look, questions, number, type);
}

/* Where the answer to a question at an event is kept; NULL where it is not. */
static inline int32_t *answer_at(Look *look, int64_t number, int64_t row) {
    Answers *found = answers_at(look, number, look->log->types[place_of(look->scene, row)]);
    return found ? found->said + look->scene->rank[row] : NULL;
}

/* The answers to a question beside a list of rows; NULL where there is no memory. */
static inline int32_t *notes_on(Look *look, Notes *notes, int64_t number) {
    if (number >= notes->room) {
        int64_t larger = 2 * number + 16;
        int32_t **moved = realloc(notes->of, (size_t)larger * sizeof(int32_t *));
        if (!moved) {
            look->failed = 1;
            return NULL;
        }
        memset(moved + notes->room, 0, (size_t)(larger - notes->room) * sizeof(int32_t *));
        notes->of = moved;
        notes->room = larger;
    }
    if (!notes->of[number]) {
        notes->of[number] = calloc((size_t)(notes->size ? notes->size : 1), sizeof(int32_t));
    }
    if (!notes->of[number]) look->failed = 1;
    return notes->of[number];
}

/* What an answer says, as a truth and as a value. */
static inline int truth_kept(int32_t answer) {
    return state_of(answer) == KNOWN + 1 ? above_of(answer) != 0 : UNSURE;
}

static inline Value value_kept(int32_t answer) {
    Value value = {above_of(answer), 1, state_of(answer) - 1};
    return value;
}

static inline void keep_value(int32_t *answer, Value value) {
    int fits = value.below == 1 && -MOST_KEPT <= value.above && value.above < MOST_KEPT;
    if (fits) *answer = packed(value.above, value.state + 1);
}

static void forget_answers(Questions *questions) {
    for (int64_t i = 0; i < questions->room; i++) {
        while (questions->of[i]) {
            Answers *next = questions->of[i]->next;
            free(questions->of[i]->said);
            free(questions->of[i]);
            questions->of[i] = next;
        }
    }
    free(questions->of);
    questions->of = NULL;
    questions->room = 0;
}

#endif
