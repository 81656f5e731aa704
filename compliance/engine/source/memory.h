/* Memory of one call: taken piece by piece, given back all at once. Where there is none left, the call
   ends with an error from wherever it is. */

#ifndef MEMORY_H
#define MEMORY_H

#include <setjmp.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

typedef struct Block {
    struct Block *next;
    size_t used, room;
} Block;

typedef struct {
    Block *blocks;  /* the newest first */
    Block *spare;   /* a block that was given back, for the next who asks */
    jmp_buf *failed;
} Arena;

typedef struct {
    Block *block;
    size_t used;
} Place;

enum { SMALLEST_BLOCK = 1 << 20, ALIGNED = 16, KEPT_AT_MOST = 48 << 20 };

/* What one call leaves behind, the next one needs again: to ask the system for fresh memory, which it
   first clears, takes a sixth of the time of a few rules on a table. */
static _Thread_local Block *left_behind;
static _Thread_local size_t left_bytes;

static void fail(Arena *arena) {
    longjmp(*arena->failed, 1);
}

static void add_block(Arena *arena, size_t size) {
    Block *block = arena->spare;
    if (block && block->room >= size) {
        arena->spare = NULL;
    } else if (left_behind && left_behind->room >= size) {
        block = left_behind;
        left_behind = block->next;
        left_bytes -= block->room;
    } else {
        size_t room = size > SMALLEST_BLOCK ? size : SMALLEST_BLOCK;
        block = malloc(sizeof(Block) + ALIGNED + room);
        if (!block) fail(arena);
        block->room = room;
    }
    block->used = 0;
    block->next = arena->blocks;
    arena->blocks = block;
}

static inline char *start_of(Block *block) {
    uintptr_t at = (uintptr_t)(block + 1);
    return (char *)((at + ALIGNED - 1) / ALIGNED * ALIGNED);
}

/* Memory for so many things of a size. */
static void *take(Arena *arena, int64_t number, size_t size) {
    if (number < 0 || (uint64_t)number > ((uint64_t)1 << 40) / size) fail(arena);
    size_t bytes = ((size_t)number * size + ALIGNED - 1) / ALIGNED * ALIGNED;
    if (!arena->blocks || arena->blocks->room - arena->blocks->used < bytes) add_block(arena, bytes);
    Block *block = arena->blocks;
    void *at = start_of(block) + block->used;
    block->used += bytes;
    return at;
}

static void *take_zeros(Arena *arena, int64_t number, size_t size) {
    void *at = take(arena, number, size);
    memset(at, 0, (size_t)number * size);
    return at;
}

/* Where an arena stands, and back to there: what was taken since is given back. */
static inline Place place_in(Arena *arena) {
    Place place = {arena->blocks, arena->blocks ? arena->blocks->used : 0};
    return place;
}

static void give_back_to(Arena *arena, Place place) {
    while (arena->blocks != place.block) {
        Block *block = arena->blocks;
        arena->blocks = block->next;
        if (arena->spare && arena->spare->room >= block->room) {
            free(block);
        } else {
            free(arena->spare);
            arena->spare = block;
        }
    }
    if (arena->blocks) arena->blocks->used = place.used;
}

/* Leaves a block to the next call, if that is not too much. */
static void leave_behind(Block *block) {
    if (!block) return;
    if (block->room > SMALLEST_BLOCK || left_bytes + block->room > KEPT_AT_MOST) {
        free(block);
        return;
    }
    block->next = left_behind;
    left_behind = block;
    left_bytes += block->room;
}

static void give_back_all(Arena *arena) {
    while (arena->blocks) {
        Block *block = arena->blocks;
        arena->blocks = block->next;
        leave_behind(block);
    }
    leave_behind(arena->spare);
    arena->spare = NULL;
}

#endif
