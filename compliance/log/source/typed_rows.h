/* Typed columns of a table: cards, fields that are of several kinds, and which rows are of which types. */

#ifndef TYPED_ROWS_H
#define TYPED_ROWS_H

#include "page_heads.h"

/* ---- cards ------------------------------------------------------------------------------------------ */

static int64_t size_of_card(const uint8_t *at, const uint8_t *end) {
    if (end - at >= 5 && !memcmp(at, "JOKER", 5)) return 5;
    int64_t rank = end - at >= 2 && at[0] == '1' && at[1] == '0' ? 2 : 1;
    if (end - at < rank + 1 || !at[rank] || !strchr("SHDC", at[rank])) return 0;
    return rank == 2 || (*at && strchr("23456789JQKA", *at)) ? rank + 1 : 0;
}

/* Whether texts are lists of cards, written as a typed frame holds them; they are parted by ends of lines. */
int64_t are_cards(const uint8_t *at, int64_t size) {
    const uint8_t *end = at + size;
    for (;;) {
        int64_t card = size_of_card(at, end);
        if (!card) return 0;
        at += card;
        if (at == end) return 1;
        if (*at != ' ' && *at != '\n') return 0;
        at++;
    }
}

/* ---- fields that are of several kinds --------------------------------------------------------------- */

static uint32_t code_at(const uint8_t *codes, int64_t width, int64_t row) {
    return width == 1 ? codes[row] : width == 2 ? ((const uint16_t *)codes)[row] : ((const uint32_t *)codes)[row];
}

/* Which places of a list are used in some rows. */
int64_t used_places(const uint8_t *codes, int64_t width, int64_t rows, const uint8_t *bits, uint8_t *used, int64_t size) {
    for (int64_t row = 0; row < rows; row++) {
        if (!(bits[row >> 3] >> (row & 7) & 1)) continue;
        uint32_t code = code_at(codes, width, row);
        if (code >= size) return REFUSED;
        used[code] = 1;
    }
    return 0;
}

/* What the places of a list stand for in some rows; elsewhere stays what is there. */
int64_t put_in_rows(const uint8_t *codes, int64_t width, int64_t rows, const uint8_t *bits, const int64_t *table,
                    int64_t size, uint8_t *out, int64_t width_out) {
    for (int64_t row = 0; row < rows; row++) {
        if (!(bits[row >> 3] >> (row & 7) & 1)) continue;
        uint32_t code = code_at(codes, width, row);
        if (code >= size) return REFUSED;
        int64_t value = table[code];
        if (width_out == 1) ((int8_t *)out)[row] = (int8_t)value;
        else if (width_out == 2) ((int16_t *)out)[row] = (int16_t)value;
        else if (width_out == 4) ((int32_t *)out)[row] = (int32_t)value;
        else ((int64_t *)out)[row] = value;
    }
    return 0;
}

/* ---- types ------------------------------------------------------------------------------------------ */

/* For each type that occurs the bits of its rows; `rank` is the number of each type among them. */
void rows_of_types(const int16_t *types, int64_t rows, const int64_t *rank, uint8_t *bits, int64_t stride) {
    for (int64_t row = 0; row < rows; row++) {
        bits[rank[types[row]] * stride + (row >> 3)] |= (uint8_t)(1 << (row & 7));
    }
}

/* Which types have a row that is marked; `wanted` says which of them are asked for. */
void types_with(const uint8_t *marked, const uint8_t *bits, int64_t stride, int64_t types, const uint8_t *wanted,
                uint8_t *found) {
    for (int64_t type = 0; type < types; type++) {
        if (!wanted[type]) continue;
        const uint8_t *rows = bits + type * stride;
        int64_t byte = 0;
        for (; byte + 8 <= stride && !found[type]; byte += 8) {
            uint64_t mark, row;
            memcpy(&mark, marked + byte, 8);
            memcpy(&row, rows + byte, 8);
            found[type] = (mark & row) != 0;
        }
        for (; byte < stride && !found[type]; byte++) found[type] = (marked[byte] & rows[byte]) != 0;
    }
}

#endif
