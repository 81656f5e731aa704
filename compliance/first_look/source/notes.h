/* Answers noted beside a list of rows, the triggers of rules or the rows of a pool: who reads the list
   from its beginning to its end reads them in the same order. */

#ifndef NOTES_H
#define NOTES_H

#include <stdint.h>
#include <stdlib.h>

typedef struct {
    int32_t **of;  /* by the number of the question, for each place of the list; see answers.h */
    int64_t room;
    int64_t size; /* of the list */
} Notes;

static void forget_notes(Notes *notes) {
    for (int64_t i = 0; i < notes->room; i++) free(notes->of[i]);
    free(notes->of);
    notes->of = NULL;
    notes->room = 0;
}

#endif
