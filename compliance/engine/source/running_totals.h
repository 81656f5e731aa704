/* Counts and sums since the log began, in the slice of one player or seat: each who looks goes on where the
   one before stopped, instead of adding up everything again. */

#ifndef RUNNING_TOTALS_H
#define RUNNING_TOTALS_H

#include "many_phrases.h"

typedef struct Running {
    int64_t at;                  /* the node that asks */
    const int32_t *next, *end;   /* places of the pool that are still to come */
    int32_t until;               /* the first row that is not counted yet */
    int64_t number, sum;
    int in_doubt, lost;          /* whether it must be asked by itself from here on */
    struct Running *other;
} Running;

/* Whether all events that a phrase looks for lie in the past of who looks, in order of the log. */
static int goes_on(const Phrase *phrase) {
    const EventsNode *node = phrase->node;
    return node->reach == REACH_PAST && node->interval < 0 && !phrase->since && !phrase->joins &&
           phrase->ties < 0 && !phrase->pool->states;
}

/* What was added up so far in a slice; none where its events are not known by one key. */
static Running *running_in(Engine *engine, const Phrase *phrase, int64_t at, Scene *scene) {
    for (Running *known = scene->running; known; known = known->other) {
        if (known->at == at) return known;
    }
    Running *running = take_zeros(engine->kept, 1, sizeof(Running));
    running->at = at;
    running->other = scene->running;
    running->in_doubt = 1;
    scene->running = running;
    if (scene->keys != 1 || !is_known(scene->values[0]) || scene->values[0].below != 1) return running;
    int64_t column = column_of_all(engine, scene, phrase->pool);
    if (column < 0) return running;
    Steps steps = {.next = 0, .end = phrase->pool->size};
    use_index(engine, phrase->pool, column, scene->values[0].above, &steps);
    running->next = steps.one;
    running->end = steps.one_end;
    running->in_doubt = steps.other != steps.other_end;
    return running;
}

/* The total as one of many sees it; NOT_PLAIN where it must be asked by itself. */
static Plain running_total(Engine *engine, const Phrase *phrase, int64_t at, const Many *many, int32_t i,
                           const int32_t *column) {
    Scene *scene = many->scenes[i];
    const Pool *pool = phrase->pool;
    int32_t end = many->hand[phrase->node->at][i] + (int32_t)phrase->node->inclusive;
    Running *running = running_in(engine, phrase, at, scene);
    if (running->in_doubt || end < running->until) return (Plain){0, NOT_PLAIN, 0};
    engine->scene = scene;
    engine->lost_met = 0;
    running->until = end;
    while (running->next < running->end && pool->rows[*running->next] < end) {
        int32_t place = *running->next++, hand[MOST_VARS] = {pool->rows[place]};
        int state = phrase->edge->costly >= 0 ? truth(engine, phrase->edge->costly, hand) : YES;
        int lacking = column && column[place] == NO_NUMBER;
        running->lost |= engine->lost_met;
        if (state == NO) continue;
        if (state != YES || lacking) {
            running->in_doubt = 1;
            return (Plain){0, NOT_PLAIN, 0};
        }
        running->number++;
        running->sum += column ? column[place] : 0;
    }
    return (Plain){column ? running->sum : running->number, STATE_KNOWN, (uint8_t)running->lost};
}

#endif
