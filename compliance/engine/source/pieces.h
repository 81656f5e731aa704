/* Pieces of a log: where a phrase looks, and how surely each row lies there. */

#ifndef PIECES_H
#define PIECES_H

#include "lookouts.h"

/* Cuts off what lies before one row or from another one on. */
static void clip(Pieces *pieces, int64_t low, int64_t high) {
    int32_t kept = 0;
    for (int32_t i = 0; i < pieces->number; i++) {
        Piece piece = pieces->pieces[i];
        if (piece.low < low) piece.low = (int32_t)low;
        if (piece.high > high) piece.high = (int32_t)high;
        if (piece.low < piece.high) pieces->pieces[kept++] = piece;
    }
    pieces->number = kept;
}

/* What lies in both. */
static Pieces overlap(Engine *engine, const Pieces *one, const Pieces *other) {
    Pieces result = {take(engine->scratch, one->number + other->number + 1, sizeof(Piece)), 0};
    int32_t i = 0, j = 0;
    while (i < one->number && j < other->number) {
        Piece a = one->pieces[i], b = other->pieces[j];
        Piece piece = {a.low > b.low ? a.low : b.low, a.high < b.high ? a.high : b.high,
                       (uint8_t)both(a.state, b.state)};
        if (piece.low < piece.high && piece.state != NO) result.pieces[result.number++] = piece;
        if (a.high < b.high) i++;
        else j++;
    }
    return result;
}

/* The same where the other ones are often a single sure piece. */
static void narrow(Engine *engine, Pieces *pieces, const Pieces *other) {
    if (other->number == 1 && other->pieces[0].state == YES) {
        clip(pieces, other->pieces[0].low, other->pieces[0].high);
    } else {
        *pieces = overlap(engine, pieces, other);
    }
}

static Pieces copied(Engine *engine, const Pieces *pieces) {
    Pieces copy = {take(engine->scratch, pieces->number + 1, sizeof(Piece)), pieces->number};
    if (pieces->number) memcpy(copy.pieces, pieces->pieces, (size_t)pieces->number * sizeof(Piece));
    return copy;
}

/* Pieces that are found one after the other, going on or going back. */
typedef struct {
    Piece *list;
    int32_t number, room;
} PieceList;

static void put_piece(Engine *engine, PieceList *list, int64_t low, int64_t high, int state) {
    if (low >= high || state == NO) return;
    Piece *last = list->number ? list->list + list->number - 1 : NULL;
    if (last && last->state == state && (last->high == low || last->low == high)) {
        /* It goes on in the same way. */
        if (last->high == low) last->high = (int32_t)high;
        else last->low = (int32_t)low;
        return;
    }
    if (list->number == list->room) {
        int32_t room = 2 * list->room + 4;
        Piece *larger = take(engine->scratch, room, sizeof(Piece));
        if (list->number) memcpy(larger, list->list, (size_t)list->number * sizeof(Piece));
        list->list = larger;
        list->room = room;
    }
    Piece piece = {(int32_t)low, (int32_t)high, (uint8_t)state};
    list->list[list->number++] = piece;
}

#endif
