/* Many events of which the same is asked: to read a question once for all of them costs less than to
   read it for each. Whatever is not asked of all together is asked of one after the other. */

#ifndef BATCHES_H
#define BATCHES_H

#include "evaluate.h"

enum { BATCH = 256, DEEPEST = 16 };

/* Events of a scene, each the only one in hand, and the segments that they lie in; where they stand in
   a list of rows, their places in it, and what is noted beside this list. */
typedef struct {
    int64_t number;
    Notes *notes; /* or none */
    int gapless;  /* whether they follow each other in the list */
    int32_t rows[BATCH], segments[BATCH], places[BATCH];
} Batch;

static void truths(Look *look, int64_t at, const Batch *batch, uint8_t *said);
static void values(Look *look, int64_t at, const Batch *batch, Value *said);

static inline void begin_batch(Batch *batch, Notes *notes) {
    batch->number = 0;
    batch->notes = notes;
    batch->gapless = 0;
}

static inline void put_in(Batch *batch, int32_t row, int32_t segment, int32_t place) {
    batch->rows[batch->number] = row;
    batch->segments[batch->number] = segment;
    batch->places[batch->number++] = place;
}

/* Puts an event of another batch in, too; only if it is to be kept. */
static inline void pass_on(Batch *batch, const Batch *from, int64_t i, int keep) {
    batch->rows[batch->number] = from->rows[i];
    batch->segments[batch->number] = from->segments[i];
    batch->places[batch->number] = from->places[i];
    batch->number += keep;
}

/* What is noted beside the rows of a pool; of a slice nothing is. */
static inline Notes *notes_of(const Look *look, Pool *pool) {
    if (look->slice) return NULL;
    if (pool->alike) pool = pool->alike;
    pool->notes.size = pool->size;
    return &pool->notes;
}

/* Reads the answers to a question beside the list of a batch, and says whether all are there. */
static int read_notes(const int32_t *notes, const Batch *batch, int32_t *said) {
    int64_t number = batch->number, open = 0;
    if (batch->gapless) {
        memcpy(said, notes + batch->places[0], (size_t)number * sizeof(int32_t));
    } else {
        for (int64_t i = 0; i < number; i++) said[i] = notes[batch->places[i]];
    }
    for (int64_t i = 0; i < number; i++) open += said[i] == NOT_ASKED;
    return !open;
}

/* Puts one event of a batch in hand. */
static inline void take(Look *look, const Batch *batch, int64_t i, int64_t *events) {
    events[0] = batch->rows[i];
    look->segment = batch->segments[i];
}

static void truths_apart(Look *look, int64_t at, const Batch *batch, uint8_t *said) {
    int64_t events[ROOM_FOR_EVENTS];
    for (int64_t i = 0; i < batch->number && !look->failed; i++) {
        take(look, batch, i, events);
        said[i] = (uint8_t)truth(look, at, events);
    }
}

static void values_apart(Look *look, int64_t at, const Batch *batch, Value *said) {
    int64_t events[ROOM_FOR_EVENTS];
    for (int64_t i = 0; i < batch->number && !look->failed; i++) {
        take(look, batch, i, events);
        said[i] = evaluate(look, at, events);
    }
}

/* The rows of a pool that a phrase looks at from each event of a batch. */
typedef struct {
    Pool *pool;
    int all; /* whether all of them are meant */
    int64_t rows; /* how many they are */
    int32_t low[BATCH], high[BATCH];
    uint8_t open[BATCH];
} Windows;

/* The pool of an edge; NULL for none. */
static Pool *pool_at_edge(Look *look, int64_t at) {
    const int64_t *edge = look->code + at;
    return at < 0 ? NULL : pool_of(look, edge[EDGE_POOL], edge[EDGE_PATTERN]);
}

/* Whether an edge is simply the nearest event of a pool. */
static int is_plain_edge(Look *look, int64_t at) {
    if (at < 0) return 1;
    const Pool *pool = pool_at_edge(look, at);
    return pool && pool->costly < 0 && !pool->doubts && look->code[at + EDGE_TIES] < 0;
}

/* Whether the windows of a phrase are found for many events together: they reach to the ends of the
   segment, or where that is one of many, to the nearest event of another kind. */
static int has_plain_windows(Look *look, const int64_t *phrase) {
    if (phrase[PHRASE_PER] != EACH) return 0;
    if (!phrase[PHRASE_NARROWED]) return 1;
    return look->scene->segments > 1 && phrase[PHRASE_INTERVAL] < 0 && phrase[PHRASE_WITHIN] < 0 &&
           phrase[PHRASE_AT_LEAST] < 0 && is_plain_edge(look, phrase[PHRASE_SINCE]) &&
           is_plain_edge(look, phrase[PHRASE_BEFORE]);
}

/* Windows in a scene of many segments; where the rows are far fewer, it is not worth while to find out
   where each segment begins among them. */
static void find_in_segments(Look *look, const int64_t *phrase, const Batch *batch, Windows *windows) {
    const Scene *scene = look->scene;
    Pool *pool = windows->pool;
    Pool *since = pool_at_edge(look, phrase[PHRASE_SINCE]);
    Pool *before = pool_at_edge(look, phrase[PHRASE_BEFORE]);
    int64_t reach = phrase[PHRASE_REACH], later = phrase[PHRASE_INCLUSIVE] != 0;
    if (since && !since->firsts && !find_firsts(look, since)) return;
    if (before && !before->firsts && !find_firsts(look, before)) return;
    for (int64_t i = 0; i < batch->number; i++) {
        int64_t segment = batch->segments[i], row = batch->rows[i];
        int64_t start = scene->starts[segment], end = scene->ends[segment];
        int64_t from = reach == FUTURE ? row + 1 : start, until = reach == PAST ? row + later : end;
        int open = reach != PAST && !scene->complete[segment];
        if (since) {
            int64_t first = since->firsts[segment];
            int64_t place = place_after(since, first, since->firsts[segment + 1], row);
            if (place > first) from = MAX(from, since->rows[place - 1] + 1);
        }
        if (before) {
            int64_t last = before->firsts[segment + 1];
            int64_t place = place_after(before, before->firsts[segment], last, row + 1);
            if (place < last && before->rows[place] < end) {
                until = MIN(until, before->rows[place]);
                open = 0;
            }
        }
        int64_t low, high;
        if (pool->firsts) {
            low = pool->firsts[segment];
            high = pool->firsts[segment + 1];
            if (from > start) low = place_after(pool, low, high, from);
            high = place_after(pool, low, high, until);
        } else {
            low = place_in(pool, from);
            high = until > from ? place_in(pool, until) : low;
        }
        windows->low[i] = (int32_t)low;
        windows->high[i] = (int32_t)high;
        windows->open[i] = (uint8_t)open;
        windows->rows += high - low;
    }
}

static int find_windows(Look *look, const int64_t *phrase, Pool *pool, const Batch *batch,
                        Windows *windows) {
    int64_t events[1], low, high;
    Window window;
    windows->pool = pool;
    windows->rows = 0;
    if (!pool) return 0;
    windows->all = means_all(phrase, pool);
    if (!pool->size && phrase[PHRASE_REACH] == PAST) {
        memset(windows->low, 0, (size_t)batch->number * sizeof(int32_t));
        memset(windows->high, 0, (size_t)batch->number * sizeof(int32_t));
        memset(windows->open, 0, (size_t)batch->number);
        return 1;
    }
    if (look->scene->segments > 1) {
        int few = pool->size * FEW_ROWS < look->scene->segments;
        if (!few && !pool->firsts && !find_firsts(look, pool)) return 0;
        find_in_segments(look, phrase, batch, windows);
        return !look->failed;
    }
    for (int64_t i = 0; i < batch->number; i++) {
        take(look, batch, i, events);
        look_through(look, phrase, events, &window);
        find_ends(look, pool, &window, &low, &high);
        windows->low[i] = (int32_t)low;
        windows->high[i] = (int32_t)high;
        windows->open[i] = (uint8_t)window.open;
        windows->rows += high - low;
    }
    return !look->failed;
}

enum { ASKING = UINT8_MAX };

/* Asks the conditions on other events at some places of a pool. */
static void ask_of_batch(Look *look, Pool *pool, const Batch *batch) {
    uint8_t said[BATCH];
    truths(look, pool->costly, batch, said);
    look->patience -= batch->number;
    if (look->patience < 0) look->failed = 1;
    for (int64_t i = 0; i < batch->number; i++) {
        pool->asked[batch->places[i]] = look->failed ? 0 : (uint8_t)(said[i] + 1);
    }
}

/* The same at all places of windows that are not too long. */
static void ask_in_windows(Look *look, const Windows *windows, const Batch *batch, int64_t most) {
    Pool *pool = windows->pool;
    Batch asked;
    if (pool->costly < 0) return;
    begin_batch(&asked, notes_of(look, pool));
    for (int64_t i = 0; i < batch->number && !look->failed; i++) {
        if (windows->high[i] - windows->low[i] > most) continue;
        for (int64_t place = windows->low[i]; place < windows->high[i]; place++) {
            if (pool->asked[place]) continue;
            pool->asked[place] = ASKING;
            put_in(&asked, pool->rows[place], batch->segments[i], (int32_t)place);
            if (asked.number < BATCH) continue;
            ask_of_batch(look, pool, &asked);
            asked.number = 0;
        }
    }
    if (asked.number) ask_of_batch(look, pool, &asked);
}

/* Whether the row at a place is meant, whose conditions have been asked. */
static inline int was_meant(const Pool *pool, int64_t place) {
    if (pool->costly >= 0 && pool->asked[place] != YES + 1) return pool->asked[place] - 1;
    return pool->doubts && pool->doubts[place] ? UNSURE : YES;
}

#endif
