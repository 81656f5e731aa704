/* Where a phrase looks from an event: from which row to which, and whether more may come. */

#ifndef WINDOWS_H
#define WINDOWS_H

#include "fields.h"

/* A phrase in the code. An edge (since, before) is a pattern with its ties; -1 where there is none. */
enum {
    PHRASE_AT,
    PHRASE_OWN,
    PHRASE_POOL,
    PHRASE_PATTERN,
    PHRASE_TIES,
    PHRASE_REACH,
    PHRASE_INCLUSIVE,
    PHRASE_INTERVAL,
    PHRASE_WHICH,
    PHRASE_SINCE,
    PHRASE_BEFORE,
    PHRASE_WITHIN,
    PHRASE_AT_LEAST,
    PHRASE_NARROWED,
    PHRASE_KEY,
    PHRASE_KEY_VALUE,
    PHRASE_PER,
    PHRASE_PER_FIELDS
};
enum { EACH, LATEST, EARLIEST };
enum { EDGE_OWN, EDGE_POOL, EDGE_PATTERN, EDGE_TIES };
enum { PAST, FUTURE, WHOLE };
enum { THIS, PREVIOUS, NEXT };

typedef struct {
    int64_t low, high;
    int open;    /* whether further events may come */
    int unclear; /* whether the window itself is in doubt */
    int timed;   /* whether each row's distance in time is still to be looked at */
    int64_t moment, within, at_least;
    int nowhere;            /* whether there is no run to look into, and none can come */
    int64_t since, before;  /* the events that bound it, or -1 */
} Window;

/* Whether a row of a pool is meant, its ties to the other events included. */
static int matches(Look *look, Pool *pool, int64_t place, int64_t own, int64_t ties,
                   int64_t *events) {
    int answer = meant(look, pool, place);
    if (answer == NO || ties < 0) return answer;
    events[own] = pool->rows[place];
    int tied = answer_of(look, ties, events);
    if (tied == NO) return NO;
    return tied == UNSURE ? UNSURE : answer;
}

/* The nearest row before (or after) a row that matches; -1 for none, -2 where that is in doubt. */
static int64_t nearest(Look *look, const int64_t *edge, int64_t from, int64_t until, int backwards,
                       int64_t *events) {
    Pool *pool = pool_of(look, edge[EDGE_POOL], edge[EDGE_PATTERN]);
    if (!pool) return -2;
    int64_t step = backwards ? -1 : 1;
    int64_t place = backwards ? place_near(look, pool, until) - 1 : place_near(look, pool, from);
    for (; place >= 0 && place < pool->size; place += step) {
        if (backwards ? pool->rows[place] < from : pool->rows[place] >= until) break;
        int answer = matches(look, pool, place, edge[EDGE_OWN], edge[EDGE_TIES], events);
        if (--look->patience < 0) look->failed = 1;
        if (answer == UNSURE || look->failed) return -2;
        if (answer == YES) return pool->rows[place];
    }
    return -1;
}

/* The number of the run around a row, or -1. */
static int64_t run_around(Runs *runs, int64_t row) {
    int64_t number = runs->finger;
    if (number >= runs->number || runs->last[number] < row || (number && runs->last[number - 1] >= row)) {
        /* Mostly it is the next one. */
        int64_t next = number + 1;
        if (next >= runs->number || runs->last[number] >= row || runs->last[next] < row) {
            next = lower_bound(runs->last, runs->number, row);
        }
        number = runs->finger = next;
    }
    return number < runs->number && runs->first[number] <= row ? number : -1;
}

/* The run before or after a row, in the row's own segment, or -1. */
static int64_t run_beside(const Look *look, Runs *runs, int which, int64_t row) {
    const Scene *scene = look->scene;
    int64_t own = run_around(runs, row), number;
    if (which == NEXT) {
        /* The next run may begin with the very event that ends this one. */
        number = lower_bound(runs->first, runs->number, row);
        if (number < runs->number ? number == own : runs->number - 1 == own) number++;
    } else {
        int64_t start = own >= 0 ? runs->first[own] : row;
        number = lower_bound(runs->first, runs->number, start) - 1;
        if (number >= 0 && runs->last[number] > start) number--;
    }
    if (number < 0 || number >= runs->number) return -1;
    int64_t first = runs->first[number];
    return scene->starts[look->segment] <= first && first < scene->ends[look->segment] ? number : -1;
}

/* The first row from `low` to `high` whose moment is not before (or is after) another. */
static int64_t row_at(const Scene *scene, int64_t low, int64_t high, int64_t moment, int after) {
    while (low < high) {
        int64_t middle = low + (high - low) / 2, ts = ts_of(scene, middle);
        if (after ? ts <= moment : ts < moment) low = middle + 1;
        else high = middle;
    }
    return low;
}

#define MAX(a, b) ((a) > (b) ? (a) : (b))
#define MIN(a, b) ((a) < (b) ? (a) : (b))

/* A length of time in a rule; anything that is no plain length leaves the window in doubt. */
static int length_of(Look *look, int64_t node, int64_t *events, int64_t *length) {
    Value value = evaluate(look, node, events);
    if (value.state != KNOWN || value.below != 1 || value.above < 0) return 0;
    *length = MIN(value.above, (int64_t)1 << 60);
    return 1;
}

static void narrow_by_time(Look *look, const int64_t *phrase, int64_t anchor, int64_t *events,
                           Window *window) {
    const Scene *scene = look->scene;
    int64_t segment = look->segment, moment = ts_of(scene, anchor);
    int64_t start = scene->starts[segment], end = scene->ends[segment];
    int past = phrase[PHRASE_REACH] == PAST;
    window->moment = moment;
    window->within = window->at_least = -1;
    if (phrase[PHRASE_WITHIN] >= 0) {
        if (!length_of(look, phrase[PHRASE_WITHIN], events, &window->within)) window->unclear = 1;
        else if (phrase[PHRASE_REACH] == FUTURE &&
                 scene->known_until[segment] > moment + window->within) window->open = 0;
    }
    if (phrase[PHRASE_AT_LEAST] >= 0) {
        if (!length_of(look, phrase[PHRASE_AT_LEAST], events, &window->at_least)) window->unclear = 1;
    }
    if (window->unclear) return;
    if (!scene->monotone || phrase[PHRASE_REACH] == WHOLE) {
        window->timed = 1;
        return;
    }
    if (window->within >= 0) {
        if (past) window->low = MAX(window->low, row_at(scene, start, end, moment - window->within, 0));
        else window->high = MIN(window->high, row_at(scene, start, end, moment + window->within, 1));
    }
    if (window->at_least >= 0) {
        if (past) window->high = MIN(window->high, row_at(scene, start, end, moment - window->at_least, 1));
        else window->low = MAX(window->low, row_at(scene, start, end, moment + window->at_least, 0));
    }
}

static int in_time(const Scene *scene, const Window *window, int64_t row) {
    if (!window->timed) return 1;
    int64_t away = ts_of(scene, row) - window->moment;
    if (away < 0) away = -away;
    return (window->within < 0 || away <= window->within) &&
           (window->at_least < 0 || away >= window->at_least);
}

/* What makes the rows fewer that a phrase looks at. */
static APART void narrow(Look *look, const int64_t *phrase, int64_t anchor, int64_t *events,
                         Window *window) {
    const Scene *scene = look->scene;
    int64_t segment = look->segment;
    int64_t start = scene->starts[segment], end = scene->ends[segment];
    int complete = scene->complete[segment];
    if (phrase[PHRASE_INTERVAL] >= 0) {
        Runs *runs = scene->runs + phrase[PHRASE_INTERVAL];
        int which = (int)phrase[PHRASE_WHICH];
        int64_t number =
            which == THIS ? run_around(runs, anchor) : run_beside(look, runs, which, anchor);
        if (number >= 0) {
            window->low = MAX(window->low, runs->first[number]);
            window->high = MIN(window->high, runs->last[number] + 1);
            window->open = window->open && !runs->closed[number];
        } else {
            /* One that is still to come has bounds, too. */
            window->nowhere = which != NEXT || complete;
            window->high = 0;
            window->open = !window->nowhere;
        }
    }
    if (phrase[PHRASE_SINCE] >= 0) {
        int64_t row = nearest(look, look->code + phrase[PHRASE_SINCE], start, anchor, 1, events);
        if (row == -2) window->unclear = 1;
        window->since = row;
        window->low = MAX(window->low, row + 1);
    }
    if (phrase[PHRASE_BEFORE] >= 0) {
        int64_t row = nearest(look, look->code + phrase[PHRASE_BEFORE], anchor + 1, end, 0, events);
        if (row == -2) window->unclear = 1;
        window->before = row;
        if (row >= 0) {
            window->high = MIN(window->high, row);
            window->open = 0;
        }
    }
    if (phrase[PHRASE_WITHIN] >= 0 || phrase[PHRASE_AT_LEAST] >= 0) {
        narrow_by_time(look, phrase, anchor, events, window);
    }
}

/* The rows that a phrase looks at from an event. */
static inline void look_through(Look *look, const int64_t *phrase, int64_t *events, Window *window) {
    const Scene *scene = look->scene;
    int64_t anchor = events[phrase[PHRASE_AT]], segment = look->segment;
    window->unclear = window->timed = window->nowhere = 0;
    window->since = window->before = -1;
    window->low = phrase[PHRASE_REACH] == FUTURE ? anchor + 1 : scene->starts[segment];
    if (phrase[PHRASE_REACH] == PAST) {
        window->high = phrase[PHRASE_INCLUSIVE] ? anchor + 1 : anchor;
        window->open = 0;
    } else {
        window->high = scene->ends[segment];
        window->open = !scene->complete[segment];
    }
    if (phrase[PHRASE_NARROWED]) narrow(look, phrase, anchor, events, window);
}

#endif
