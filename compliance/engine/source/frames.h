/* The columns of a frame, all handed over in one go: the C stream interface of Apache Arrow. */

#ifndef FRAMES_H
#define FRAMES_H

#include "layout.h"

#include <string.h>

typedef struct ArrowSchema {
    const char *format, *name, *metadata;
    int64_t flags, n_children;
    struct ArrowSchema **children, *dictionary;
    void (*release)(struct ArrowSchema *);
    void *private_data;
} ArrowSchema;

typedef struct ArrowArray {
    int64_t length, null_count, offset, n_buffers, n_children;
    const void **buffers;
    struct ArrowArray **children, *dictionary;
    void (*release)(struct ArrowArray *);
    void *private_data;
} ArrowArray;

typedef struct ArrowArrayStream {
    int (*get_schema)(struct ArrowArrayStream *, ArrowSchema *);
    int (*get_next)(struct ArrowArrayStream *, ArrowArray *);
    const char *(*get_last_error)(struct ArrowArrayStream *);
    void (*release)(struct ArrowArrayStream *);
    void *private_data;
} ArrowArrayStream;

/* How wide the numbers of a column are, or 0 where they are none that are read here: whole numbers
   with a sign, and places in a list without one. */
static int64_t width_of(const ArrowSchema *schema) {
    static const char forms[] = "cCsSiIlL";
    const char *form = schema->format[0] ? strchr(forms, schema->format[0]) : NULL;
    if (!form || schema->format[1]) return 0;
    int64_t number = form - forms, width = 1 << number / 2;
    if (!schema->dictionary) return number % 2 ? 0 : width;
    return number % 2 && width < 8 ? LISTED + width : 0;
}

static int hand_over(const ArrowSchema *schema, const ArrowArray *column, int64_t before,
                     int64_t in_list, Column *to) {
    int64_t width = width_of(schema), offset = before + column->offset;
    if (!width || (width > LISTED) != in_list) return 0;
    if (column->n_buffers != 2 || !column->buffers[1]) return 0;
    to->values = (const char *)column->buffers[1] + offset * (width % LISTED);
    to->width = width;
    to->valid = column->null_count ? column->buffers[0] : NULL;
    to->offset = offset;
    return 1;
}

/* Gives back what a frame has handed over. */
void close_frame(ArrowArray *held) {
    if (held->release) held->release(held);
}

/* Puts the columns of a frame with so many rows to their numbers, and says how many of them can be
   read here: -1 where the frame does not come in one piece. After the numbers it stands for each
   column whether it is to be one of places in a list. What is `held` is to be given back. */
int64_t open_frame(ArrowArrayStream *stream, int64_t rows, const int64_t *numbers, int64_t size,
                   Column *columns, ArrowArray *held) {
    ArrowSchema schema = {0};
    ArrowArray more = {0};
    int64_t read = -1;
    if (stream->get_schema(stream, &schema)) return -1;
    if (!stream->get_next(stream, held) && held->release && held->length == rows &&
        held->n_children == size && schema.n_children == size && !held->null_count &&
        !stream->get_next(stream, &more) && !more.release) {
        read = 0;
        for (int64_t i = 0; i < size; i++) {
            read += hand_over(schema.children[i], held->children[i], held->offset,
                              numbers[size + i], columns + numbers[i]);
        }
    }
    close_frame(&more);
    schema.release(&schema);
    return read;
}

#endif
