/* The compiled engine: judges one log by all editions of a plan in one call. It knows nothing of Python;
   one library serves every version of it. */

#include "frames.h"
#include "spoken_of.h"

static int never_falls(const int64_t *moments, int64_t size) {
    int falls = 0;
    for (int64_t i = 1; i < size; i++) falls |= moments[i] < moments[i - 1];
    return !falls;
}

static void prepare(Engine *engine, Checking *checking, Piece *everything) {
    const Task *task = engine->task;
    const Log *log = engine->log;
    engine->code = task->code;
    engine->types = task->number_of_types;
    sort_by_type(engine->kept, log, engine->types, &engine->sorted);
    engine->pools = take_zeros(engine->kept, task->number_of_pools, sizeof(Pool));
    engine->memos =
        take_zeros(engine->kept, (task->number_of_slicings + 1) * task->number_of_memos, sizeof(Memo *));
    engine->elections = take_zeros(engine->kept, task->size_of_code, sizeof(Elections *));
    engine->fixed = take(engine->kept, task->size_of_code, 1);
    memset(engine->fixed, NOT_LOOKED_AT, (size_t)task->size_of_code);
    engine->monotone = never_falls(log->ts, log->size);
    if (log->until != log->ts) engine->monotone &= never_falls(log->until, log->size);
    engine->first_moment = INT64_MAX;
    engine->last_moment = INT64_MIN;
    for (int64_t row = 0; row < log->size; row++) {
        /* Where moments never fall, those in the middle are neither the first nor the last. */
        if (engine->monotone && !log->number_of_lost && row) row = log->size - 1;
        if (is_lost(engine, row)) continue;
        if (log->ts[row] < engine->first_moment) engine->first_moment = log->ts[row];
        if (log->ts[row] > engine->last_moment) engine->last_moment = log->ts[row];
    }
    *everything = (Piece){0, (int32_t)log->size, YES};
    engine->whole.slicing = -1;
    show_region(engine, &engine->whole, (Pieces){everything, log->size > 0});
    engine->whole.memory = engine->kept;
    engine->scene = &engine->whole;
    checking->engine = engine;
    checking->slices = take_zeros(engine->kept, task->number_of_slicings, sizeof(SceneTable));
    checking->keys = take_zeros(engine->kept, task->number_of_slicings, sizeof(KeyList));
    checking->runs = take_zeros(engine->kept, task->number_of_slicings, sizeof(RunScenes));
    checking->triggers = take_zeros(engine->kept, task->number_of_trigger_lists, sizeof(TriggerList));
}

/* Does one thing for each edition. */
typedef void (*Work)(Checking *, int64_t);

static void keep_for_number(Checking *checking, int64_t number) {
    const Task *task = checking->engine->task;
    int64_t start = number ? task->waiting_ends[number - 1] : 0;
    keep_for_edition(checking, number, task->waiting_rows + start, task->waiting_ends[number] - start);
}

static void keep_spoken_of_by(Checking *checking, int64_t number) {
    Engine *engine = checking->engine;
    Place scratch = place_in(engine->scratch);
    uint8_t *visited = take_zeros(engine->scratch, engine->task->size_of_code, 1);
    keep_spoken_of(engine, engine->task->editions[number], visited);
    give_back_to(engine->scratch, scratch);
}

/* Does the work for one edition. Where it takes too many steps, nothing is told of it, and the next log gets
   all that there is. */
static void work_within_limits(Checking *checking, int64_t number, Work work) {
    Engine *engine = checking->engine;
    Result *result = checking->result;
    int64_t written = result ? result->size : 0;
    jmp_buf too_costly;
    engine->too_costly = &too_costly;
    engine->steps = 0;
    if (!setjmp(too_costly)) {
        work(checking, number);
        return;
    }
    give_back_to(engine->scratch, (Place){NULL, 0});
    give_back_to(engine->of_run, (Place){NULL, 0});
    memset(&checking->run, 0, sizeof checking->run);
    engine->evidence = NULL;
    if (engine->kept_rows) memset(engine->kept_rows, 1, (size_t)engine->log->size);
    if (!result) return;
    memset(result->counts + number * COUNTS, 0, COUNTS * sizeof(int64_t));
    result->counts[number * COUNTS + TOO_COSTLY] = 1;
    result->size = written;
}

static int64_t run(const Log *log, const Task *task, Result *result, uint8_t *kept_rows, Work work) {
    jmp_buf failed;
    Arena kept = {.failed = &failed}, scratch = kept, of_run = kept;
    Engine engine = {.log = log, .task = task, .kept = &kept, .scratch = &scratch, .of_run = &of_run,
                     .kept_rows = kept_rows, .most_steps = task->most_steps};
    Checking checking = {.result = result};
    Piece everything;
    volatile int64_t status = 0;
    if (log->size > INT32_MAX - 2) return 1;
    if (setjmp(failed)) {
        status = 1;
    } else {
        prepare(&engine, &checking, &everything);
        for (int64_t number = 0; log->size && number < task->number_of_editions; number++) {
            work_within_limits(&checking, number, work);
        }
    }
    give_back_all(&kept);
    give_back_all(&scratch);
    give_back_all(&of_run);
    return status;
}

/* Judges a log. Says 0, or 1 where there was not enough memory. */
int64_t judge_log(const Log *log, const Task *task, Result *result) {
    return run(log, task, result, NULL, check_edition);
}

/* Marks the rows that the next log needs; the same answers. */
int64_t keep_for_next_log(const Log *log, const Task *task, uint8_t *kept_rows) {
    return run(log, task, NULL, kept_rows, keep_for_number);
}

/* Marks the rows that the editions, which look across tables, can look at. */
int64_t rows_spoken_of(const Log *log, const Task *task, uint8_t *kept_rows) {
    return run(log, task, NULL, kept_rows, keep_spoken_of_by);
}

/* Gives back what was written. */
void forget_result(Result *result) {
    free(result->written);
    result->written = NULL;
    result->size = result->room = 0;
}
