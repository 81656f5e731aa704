/* What a call has in hand: the log, the plan, the scene that a rule sees now, and what was found so far. */

#ifndef ENGINE_H
#define ENGINE_H

#include "cards.h"
#include "log.h"
#include "sorted_rows.h"

enum { MOST_VARS = 16 };

/* The numbers of the rows of a pool by the value of a field; those that do not say it stand apart, and
   lost records are not among them. */
typedef struct Index {
    int64_t column;
    int32_t known, unknown;
    const int64_t *values;       /* in order, for each known place */
    const int32_t *places;       /* by value, then in order */
    const int32_t *without;      /* places without a value */
    struct Index *next;
} Index;

/* Sums of a field over the first rows of a pool, and how many of these do not say it. */
typedef struct Totals {
    int64_t column;
    Wide *sums;
    int32_t *lacking;
    struct Totals *next;
} Totals;

/* A field of the rows of a pool one after the other, where all its values are small whole numbers. */
typedef struct Numbers {
    int64_t column;
    const int32_t *of_places; /* NO_NUMBER where a row does not say it; NULL: they are not small */
    struct Numbers *next;
} Numbers;

enum { NO_NUMBER = INT32_MIN };

/* The lost records among the rows of a pool, apart from all others: nothing is asked of them, so they are
   counted and passed over instead of being looked at one by one. */
typedef struct {
    const int32_t *before; /* by place: how many of them stand before it */
    const int32_t *places; /* theirs */
    const int32_t *others; /* the places of all others */
    const int64_t *times;  /* how many records the first of them stand for; at most INT64_MAX */
} LostPlaces;

/* The events of some types of which what their own fields say holds or may hold. */
typedef struct {
    int made;
    int32_t size;
    const int32_t *rows;
    const uint8_t *states; /* YES or MISSING; none: all are sure */
    int64_t pattern;
    Index *indexes;
    Totals *totals;
    Numbers *numbers;
    struct Electorate *electorates; /* its rows by what was elected there; see electorates.h */
    const LostPlaces *lost; /* none where no lost record may be one of them; see lost_places */
    int lost_made;
    int32_t finger, other_finger; /* where one looked last */
} Pool;

/* A piece of a log: the rows from `low` to before `high`, and how surely they are meant. */
typedef struct {
    int32_t low, high;
    uint8_t state;
} Piece;

/* Pieces in order that do not overlap. */
typedef struct {
    Piece *pieces;
    int32_t number;
} Pieces;

/* Some rows, in order. */
typedef struct {
    int32_t *rows;
    int32_t number;
} Rows;

/* An event that begins or ends a run of an interval, or may do so; and whether a run goes on just before
   and just after it. */
typedef struct {
    int32_t row;
    uint8_t opens, closes, before, after;
} Mark;

typedef struct Runs {
    int made;
    int64_t table;
    int32_t number, finger;
    Mark *marks;
    const int32_t *own; /* where several tables are seen together: the rows of this one */
    int32_t number_of_own;
    int32_t low, high; /* the run that was met last, where it is sure: from which row to before which */
    int growing;       /* and whether more events may come into it */
    struct Runs *next; /* of another table */
} Runs;

/* The part of a log that a rule sees: all of it, one player's slice, or one run of an interval. */
typedef struct Scene {
    int32_t number;               /* every scene has its own, from 1 */
    int64_t slicing;              /* its number, or -1 for the whole log */
    const SlicingNode *by;        /* NULL for the whole log */
    int64_t keys;
    const Value *values;          /* of the keys */
    int keyed_by_unknown;         /* whether some key is not known */
    Pieces region;
    int is_plain;                 /* whether the region is one sure piece: from `low` to before `high` */
    int32_t low, high;
    int complete;
    Runs *runs;                   /* by interval */
    Arena *memory;                /* as long as the scene */
    int lost_border;              /* whether a lost record may begin or end its run */
    Rows unclear;                 /* the lost records that may do so */
    struct Running **running;     /* what was found in it so far; open addressing; see running.h */
    int64_t number_of_running, room_for_running;
} Scene;

typedef struct {
    int64_t row, part;
} Seen;

/* By which events an answer was reached; only asked for where a check is shown. */
typedef struct {
    Seen *list;
    int64_t number, room;
    int unsettled; /* whether something was looked at that the rest of the log may still change */
} Evidence;

/* The answers to one question at all events of a type, by their rank; see evaluate.h. */
typedef struct {
    void *answers;
} Memo;

typedef struct {
    const Log *log;
    const Task *task;
    const int64_t *code;
    Arena *kept;    /* as long as the call */
    Arena *scratch; /* as long as one question */
    Arena *of_run;  /* as long as one run of an interval is looked at */
    uint8_t *fixed; /* by node: the answer that is the same at every event, or NOT_FIXED; see folding.h */
    const struct Elections **elections; /* by node: where conditions on options change; see pools.h */
    ByType sorted;
    Pool *pools;
    Memo **memos;   /* by slicing, memo and type */
    int64_t first_moment, last_moment;
    Scene whole;
    int32_t number_of_scenes;
    Scene **always_whole; /* the whole log, many times; see whole_for */
    int64_t number_of_whole;
    Scene *scene;
    Evidence *evidence; /* NULL where nobody asks */
    int monotone;
    int lost_met; /* whether a lost record left something in doubt */
    int64_t steps;      /* how many events an edition has looked at, and how many it may look at */
    int64_t most_steps;
    jmp_buf *too_costly;
    uint8_t *kept_rows; /* where it is asked what the next log needs: a mark for each row; see keeping.h */
    int64_t types;
} Engine;

enum { NOT_FIXED = 4, NOT_LOOKED_AT = 5 };

/* What is large stays apart from what is asked most often, which is small. */
#define APART __attribute__((noinline))
#define NODE(kind, engine, at) ((const kind##Node *)((engine)->code + (at)))

static inline int is_lost(const Engine *engine, int64_t row) {
    return engine->log->types[row] >= engine->types;
}

/* An event is a witness. */
static void see(Engine *engine, int64_t row, int64_t part) {
    Evidence *evidence = engine->evidence;
    if (!evidence) return;
    if (evidence->number == evidence->room) {
        int64_t room = 2 * evidence->room + 64;
        Seen *list = take(engine->kept, room, sizeof(Seen));
        if (evidence->number) memcpy(list, evidence->list, (size_t)evidence->number * sizeof(Seen));
        evidence->list = list;
        evidence->room = room;
    }
    Seen seen = {row, part};
    evidence->list[evidence->number++] = seen;
}

/* So many events are looked at. A rule whose work grows faster than the log ends here, and no other does. */
static inline void spend(Engine *engine, int64_t steps) {
    engine->steps += steps;
    if (__builtin_expect(engine->steps > engine->most_steps, 0)) longjmp(*engine->too_costly, 1);
}

/* The next log needs a row. */
static inline void keep_row(Engine *engine, int64_t row) {
    if (__builtin_expect(engine->kept_rows != NULL, 0) && row >= 0) engine->kept_rows[row] = 1;
}

/* Something was looked at that the rest of the log may still change. */
static inline void note_unsettled(Engine *engine) {
    if (engine->evidence) engine->evidence->unsettled = 1;
}

/* Gives a new scene the part of the log that it shows. */
static void show_region(Engine *engine, Scene *scene, Pieces region) {
    scene->number = ++engine->number_of_scenes;
    scene->region = region;
    scene->is_plain = region.number == 1 && region.pieces[0].state == YES;
    if (scene->is_plain) {
        scene->low = region.pieces[0].low;
        scene->high = region.pieces[0].high;
    }
}

/* The whole log as the scene of so many events. */
static Scene *const *whole_for(Engine *engine, int64_t number) {
    if (number > engine->number_of_whole) {
        engine->always_whole = take(engine->kept, number, sizeof(Scene *));
        engine->number_of_whole = number;
        for (int64_t i = 0; i < number; i++) engine->always_whole[i] = &engine->whole;
    }
    return engine->always_whole;
}

/* Events in hand, many times, each with the scene in which it is asked; see many.h. */
typedef struct {
    int32_t number;
    int vars;
    const int32_t *hand[MOST_VARS];
    Scene *const *scenes;
} Many;

/* An answer may have BY_LOSS beside it: a lost record left it in doubt. */
enum { AT_ONCE = 512, ANSWER = 7, BY_LOSS = 8 };

static void truth_many(Engine *engine, int64_t at, const Many *many, uint8_t *answers);
static Value evaluate(Engine *engine, int64_t at, int32_t *hand);
static int truth(Engine *engine, int64_t at, int32_t *hand);

#endif
