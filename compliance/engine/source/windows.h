/* Where a phrase looks from an event: which rows, how surely, and whether more may come. */

#ifndef WINDOWS_H
#define WINDOWS_H

#include "runs.h"

typedef struct {
    Pieces pieces;
    Piece single; /* where there is only one, mostly */
    int open;     /* whether further events may come */
    int doubtful; /* MISSING or OPEN where a length of time is not known, else NO */
    Bound since, before;
    int awaited;  /* whether its bounds may still come to be witnesses, or to be none */
    Rows unclear; /* lost records that may begin or end the run that it looks into */
    int64_t anchor;
    int timed; /* whether each row's distance in time is still to be looked at */
    int64_t within, at_least; /* or -1 */
} View;

/* What is left since the nearest of some events: what lies behind one that may be it is in doubt. */
static void narrow_since(Engine *engine, Pieces *pieces, Bound bound) {
    if (bound.nearest < 0) return;
    if (bound.nearest == bound.sure) {
        clip(pieces, (int64_t)bound.sure + 1, INT32_MAX);
        return;
    }
    int64_t low = (int64_t)bound.sure + 1;
    int64_t pending = bound.pending >= 0 ? (int64_t)bound.pending + 1 : low;
    PieceList list = {0};
    put_piece(engine, &list, low, pending, OPEN);
    put_piece(engine, &list, pending, (int64_t)bound.nearest + 1, MISSING);
    put_piece(engine, &list, (int64_t)bound.nearest + 1, INT32_MAX, YES);
    Pieces left = {list.list, list.number};
    *pieces = overlap(engine, pieces, &left);
}

static void narrow_before(Engine *engine, Pieces *pieces, Bound bound) {
    if (bound.nearest < 0) return;
    if (bound.nearest == bound.sure) {
        clip(pieces, 0, bound.sure);
        return;
    }
    int64_t high = bound.sure >= 0 ? bound.sure : INT32_MAX;
    int64_t pending = bound.pending >= 0 ? bound.pending : high;
    PieceList list = {0};
    put_piece(engine, &list, 0, bound.nearest, YES);
    put_piece(engine, &list, bound.nearest, pending, MISSING);
    put_piece(engine, &list, pending, high, OPEN);
    Pieces left = {list.list, list.number};
    *pieces = overlap(engine, pieces, &left);
}

/* A length of time in microseconds; where it is not known, the window is in doubt. */
static int length_of(Engine *engine, int64_t at, int32_t *hand, View *view, int64_t *length) {
    Value value = value_apart(engine, at, hand);
    if (is_known(value) && value.below == 1) {
        *length = value.above;
        return 1;
    }
    view->doubtful = value.state == STATE_OPEN || view->doubtful == OPEN ? OPEN : MISSING;
    return 0;
}

/* Keeps the rows from where all surely are near enough; between there and where the first may be, lost
   records are in doubt. */
static void keep_from(Engine *engine, Pieces *pieces, int64_t possible, int64_t sure) {
    if (possible >= sure) {
        clip(pieces, sure, INT32_MAX);
        return;
    }
    PieceList list = {0};
    put_piece(engine, &list, possible, sure, MISSING);
    put_piece(engine, &list, sure, INT32_MAX, YES);
    Pieces left = {list.list, list.number};
    *pieces = overlap(engine, pieces, &left);
}

static void keep_until(Engine *engine, Pieces *pieces, int64_t sure, int64_t possible) {
    if (possible <= sure) {
        clip(pieces, 0, sure);
        return;
    }
    PieceList list = {0};
    put_piece(engine, &list, 0, sure, YES);
    put_piece(engine, &list, sure, possible, MISSING);
    Pieces left = {list.list, list.number};
    *pieces = overlap(engine, pieces, &left);
}

static int64_t limited_sum(int64_t moment, int64_t length) {
    int64_t sum;
    if (!__builtin_add_overflow(moment, length, &sum)) return sum;
    return length > 0 ? INT64_MAX : INT64_MIN;
}

static void narrow_by_time(Engine *engine, const EventsNode *node, int32_t *hand, View *view) {
    const Log *log = engine->log;
    int64_t moment = log->ts[view->anchor], size = log->size, length;
    view->within = view->at_least = -1;
    if (node->within >= 0 && length_of(engine, node->within, hand, view, &length)) {
        if (node->reach == REACH_FUTURE && engine->last_moment > limited_sum(moment, length)) view->open = 0;
        if (length < 0) {
            view->pieces.number = 0;
        } else if (!engine->monotone || node->reach == REACH_WHOLE) {
            view->timed = 1;
            view->within = length;
        } else if (node->reach == REACH_PAST) {
            int64_t from = limited_sum(moment, -length);
            keep_from(engine, &view->pieces, row_at_moment(log->until, 0, size, from, 0),
                      row_at_moment(log->ts, 0, size, from, 0));
        } else {
            int64_t until = limited_sum(moment, length);
            keep_until(engine, &view->pieces, row_at_moment(log->until, 0, size, until, 1),
                       row_at_moment(log->ts, 0, size, until, 1));
        }
    }
    if (node->at_least >= 0 && length_of(engine, node->at_least, hand, view, &length) && length > 0) {
        if (!engine->monotone || node->reach == REACH_WHOLE) {
            view->timed = 1;
            view->at_least = length;
        } else if (node->reach == REACH_PAST) {
            int64_t until = limited_sum(moment, -length);
            keep_until(engine, &view->pieces, row_at_moment(log->until, 0, size, until, 1),
                       row_at_moment(log->ts, 0, size, until, 1));
        } else {
            int64_t from = limited_sum(moment, length);
            keep_from(engine, &view->pieces, row_at_moment(log->until, 0, size, from, 0),
                      row_at_moment(log->ts, 0, size, from, 0));
        }
    }
}

static int64_t distance(int64_t one, int64_t other) {
    Wide away = (Wide)one - other;
    if (away < 0) away = -away;
    return away > INT64_MAX ? INT64_MAX : (int64_t)away;
}

/* Whether a row is near enough in time, and far enough away. */
static int is_in_time(const Engine *engine, const View *view, int64_t row) {
    int64_t moment = engine->log->ts[view->anchor];
    int64_t first = engine->log->ts[row], last = engine->log->until[row];
    int64_t nearest = distance(first, moment), furthest = distance(last, moment);
    if (nearest > furthest) {
        int64_t swapped = nearest;
        nearest = furthest;
        furthest = swapped;
    }
    if ((first < moment && moment < last) || (last < moment && moment < first)) nearest = 0;
    int state = YES;
    if (view->within >= 0) {
        state = furthest <= view->within ? YES : nearest <= view->within ? MISSING : NO;
    }
    if (view->at_least >= 0) {
        int far = nearest >= view->at_least ? YES : furthest >= view->at_least ? MISSING : NO;
        state = both(state, far);
    }
    return state;
}

/* Whether only what is still to come can tell if there is a run at all. */
static int is_yet_to_be(const Region *run) {
    int may_be = run->growing;
    for (int32_t i = 0; i < run->pieces.number; i++) {
        if (run->pieces.pieces[i].state == YES) return 0;
        if (run->pieces.pieces[i].state == OPEN) may_be = 1;
    }
    return may_be;
}

/* Where a phrase looks. */
static APART void look(Engine *engine, const EventsNode *node, int32_t *hand, View *view) {
    const Scene *scene = engine->scene;
    int64_t anchor = hand[node->at], low = 0, high = INT32_MAX;
    view->anchor = anchor;
    view->open = !scene->complete;
    view->doubtful = NO;
    view->timed = 0;
    view->awaited = 0;
    view->unclear = (Rows){NULL, 0};
    view->since = view->before = (Bound){-1, -1, -1};
    if (node->reach == REACH_PAST) {
        high = node->inclusive ? anchor + 1 : anchor;
        view->open = 0;
    } else if (node->reach == REACH_FUTURE) {
        low = anchor + 1;
    }
    if (node->after >= 0 && hand[node->after] >= low) low = (int64_t)hand[node->after] + 1;
    if (node->interval >= 0) {
        Region run = run_from(engine, node->interval, (int)node->which, anchor, &view->single);
        if (!run.growing && !run.pieces.number) {
            /* There is nothing to look at, and no bound can change that. */
            view->pieces = run.pieces;
            view->open = 0;
            return;
        }
        if (!run.growing) view->open = 0;
        /* Whether there is such a run decides whether its bounds are witnesses. */
        if (node->since >= 0 || node->before >= 0) view->awaited = is_yet_to_be(&run);
        if (engine->evidence) {
            view->unclear = lost_borders(engine, node->interval, anchor, &run.pieces, engine->scratch);
        }
        view->pieces = run.pieces;
        clip(&view->pieces, low, high);
        /* The scene's own region counts where its rows are matched; here it only ends the rows. */
        if (scene->region.number == 1 && scene->region.pieces[0].state == YES) {
            clip(&view->pieces, scene->region.pieces[0].low, scene->region.pieces[0].high);
        } else {
            narrow(engine, &view->pieces, &scene->region);
        }
    } else {
        if (scene->region.number == 1) {
            view->single = scene->region.pieces[0];
            view->pieces = (Pieces){&view->single, 1};
        } else {
            view->pieces = copied(engine, &scene->region);
        }
        clip(&view->pieces, low, high);
    }
    if (node->since >= 0) {
        view->since = bound_by(engine, node->since, 0, anchor, 1, 0, hand);
        narrow_since(engine, &view->pieces, view->since);
    }
    if (node->before >= 0) {
        view->before = bound_by(engine, node->before, anchor + 1, INT32_MAX, 0, 0, hand);
        narrow_before(engine, &view->pieces, view->before);
        if (view->before.sure < 0 && !scene->complete) view->awaited = 1;
        if (view->before.sure >= 0) view->open = 0;
    }
    if (node->within >= 0 || node->at_least >= 0) narrow_by_time(engine, node, hand, view);
    if (engine->log->number_of_lost) {
        for (int32_t i = 0; i < view->pieces.number; i++) {
            if (view->pieces.pieces[i].state == MISSING) engine->lost_met = 1;
        }
    }
}

/* The events that bound where a phrase looks are witnesses of what it finds. */
static void see_bounds(Engine *engine, const View *view) {
    if (!engine->evidence) return;
    if (view->since.nearest >= 0) see(engine, view->since.nearest, PART_SINCE);
    if (view->since.sure >= 0) see(engine, view->since.sure, PART_SINCE);
    if (view->before.nearest >= 0) see(engine, view->before.nearest, PART_BEFORE);
    if (view->before.sure >= 0) see(engine, view->before.sure, PART_BEFORE);
    if (view->open || view->awaited || view->doubtful == OPEN) note_unsettled(engine);
    if (view->since.pending >= 0 || view->before.pending >= 0) note_unsettled(engine);
    see_unclear(engine, &view->unclear);
}

#endif
