/* Cuts a table's log by the `for each` keys of a rule: which values the keys have, and which
   triggers belong to each of them. The slices are those of columnar/keyed_slices.py, in its order. */

#ifndef SLICING_H
#define SLICING_H

#include "pools.h"

/* By what to cut: the fields of the keys, and the event types that matter. */
typedef struct {
    int64_t keys;
    const int64_t *columns;
    const uint8_t *bears; /* for each key, which event types have the field */
    const int64_t *triggers, *relevant;
    int64_t number_of_triggers, number_of_relevant;
} Cutting;

/* Slices one after the other, and their triggers, which end at `ends`. */
typedef struct {
    Slice *slices;
    int64_t *values, *rows, *ends;
    int64_t number;
    int64_t size; /* of all triggers together */
} Slices;

/* Values of the keys that some event names together. What it does not say is 0, and not known. */
typedef struct {
    int64_t known; /* a bit for each key */
    int64_t first; /* the first relevant row that says them all, or -1 */
    int64_t size;  /* how many triggers of the type in hand name them, or may be meant by it */
    int64_t total; /* the same of all types so far */
    int64_t slice; /* its number, or -1 */
} Owner;

typedef struct {
    int64_t keys;
    Owner *owners;
    int64_t *values; /* of each owner, one for each key */
    int64_t number, room;
    int32_t *places; /* where to find owners by their values; -1 where there is none */
    int64_t width;   /* a power of two */
} Owners;

enum { MOST_KEYS = 8, FIRST_OWNERS = 64 };

static void forget_owners(Owners *all) {
    free(all->owners);
    free(all->values);
    free(all->places);
}

static uint64_t scattered(const int64_t *values, int64_t keys, int64_t known) {
    uint64_t code = (uint64_t)known;
    for (int64_t i = 0; i < keys; i++) code = (code ^ (uint64_t)values[i]) * 0x9E3779B97F4A7C15u;
    return code ^ code >> 32;
}

/* Where an owner stands, or where there is room for it. */
static int32_t *place_of_owner(const Owners *all, const int64_t *values, int64_t known) {
    uint64_t place = scattered(values, all->keys, known);
    size_t width = (size_t)all->keys * sizeof(int64_t);
    for (;; place++) {
        int32_t *found = all->places + (place & (uint64_t)(all->width - 1));
        if (*found < 0) return found;
        if (all->owners[*found].known == known &&
            !memcmp(all->values + *found * all->keys, values, width)) {
            return found;
        }
    }
}

/* Makes room for as many owners again; says 0 where there is no memory. */
static int more_owners(Owners *all) {
    int64_t room = all->room ? 2 * all->room : FIRST_OWNERS, width = 4 * room;
    if (room > INT32_MAX / 8) return 0;
    Owner *owners = realloc(all->owners, (size_t)room * sizeof *owners);
    if (owners) all->owners = owners;
    int64_t *values = realloc(all->values, (size_t)(room * all->keys) * sizeof *values);
    if (values) all->values = values;
    int32_t *places = malloc((size_t)width * sizeof *places);
    if (!owners || !values || !places) {
        free(places);
        return 0;
    }
    free(all->places);
    all->places = places;
    all->room = room;
    all->width = width;
    memset(places, -1, (size_t)width * sizeof *places);
    for (int64_t i = 0; i < all->number; i++) {
        *place_of_owner(all, values + i * all->keys, owners[i].known) = (int32_t)i;
    }
    return 1;
}

/* The owner with some values; NULL where there is no memory for a new one. */
static Owner *owner_of(Owners *all, const int64_t *values, int64_t known) {
    if (all->number == all->room && !more_owners(all)) return NULL;
    int32_t *place = place_of_owner(all, values, known);
    if (*place < 0) {
        *place = (int32_t)all->number;
        memcpy(all->values + all->number * all->keys, values, (size_t)all->keys * sizeof *values);
        all->owners[all->number++] = (Owner){known, -1, 0, 0, -1};
    }
    return all->owners + *place;
}

/* What an event says of the keys: which ones it tells, as bits. */
static int64_t keys_at(const Column *const *columns, int64_t keys, int64_t place, int64_t *values) {
    int64_t known = 0;
    for (int64_t i = 0; i < keys; i++) {
        int told = columns[i]->values && recorded(columns[i], place);
        values[i] = told ? number_at(columns[i], place) : 0;
        known |= (int64_t)told << i;
    }
    return known;
}

/* An owner to be sorted. */
typedef struct {
    const int64_t *values;
    int64_t known, keys, number;
} Sorted;

/* The last key counts most; what is not known comes before the same number. */
static int in_order_of_keys(const void *one, const void *other) {
    const Sorted *a = one, *b = other;
    for (int64_t i = a->keys - 1; i >= 0; i--) {
        if (a->values[i] != b->values[i]) return a->values[i] < b->values[i] ? -1 : 1;
        int64_t known = (a->known >> i & 1) - (b->known >> i & 1);
        if (known) return (int)known;
    }
    return 0;
}

static int in_order_of_rows(const void *one, const void *other) {
    int64_t a = *(const int64_t *)one, b = *(const int64_t *)other;
    return (a > b) - (a < b);
}

/* One cutting at work. */
typedef struct {
    const Scene *scene;
    const Cutting *by;
    const Column *columns[MOST_KEYS];
    Owners all;
    Slices *found;
} Cut;

static int64_t keys_borne(const Cutting *by, int64_t type, int64_t number_of_types) {
    int64_t borne = 0;
    for (int64_t i = 0; i < by->keys; i++) borne += by->bears[i * number_of_types + type];
    return borne;
}

static const int32_t *rows_of_type(const Scene *scene, int64_t type, int64_t *size) {
    *size = scene->borders[type + 1] - scene->borders[type];
    return scene->by_type + scene->borders[type];
}

/* Finds for all owners where an event first says all the keys. */
static int see_firsts(Cut *cut) {
    const Cutting *by = cut->by;
    int64_t values[MOST_KEYS], all_keys = ((int64_t)1 << by->keys) - 1;
    for (int64_t i = 0; i < by->number_of_relevant; i++) {
        int64_t size, type = by->relevant[i];
        if (keys_borne(by, type, cut->scene->log->number_of_types) < by->keys) continue;
        const int32_t *rows = rows_of_type(cut->scene, type, &size);
        for (int64_t j = 0; j < size; j++) {
            int64_t known = keys_at(cut->columns, by->keys, place_of(cut->scene, rows[j]), values);
            if (known != all_keys) continue;
            Owner *owner = owner_of(&cut->all, values, known);
            if (!owner) return 0;
            if (owner->first < 0 || rows[j] < owner->first) owner->first = rows[j];
        }
    }
    return 1;
}

/* Counts for all owners the triggers of one type: those that name them, or where a trigger names
   nobody those after which they were seen. */
static int count_triggers(Cut *cut, int64_t type, int borne) {
    int64_t size, values[MOST_KEYS];
    const int32_t *rows = rows_of_type(cut->scene, type, &size);
    for (int64_t i = 0; i < cut->all.number; i++) {
        Owner *owner = cut->all.owners + i;
        owner->size = borne || owner->first < 0 ? 0 : size - lower_bound(rows, size, owner->first);
    }
    for (int64_t i = 0; borne && i < size; i++) {
        int64_t place = place_of(cut->scene, rows[i]);
        int64_t known = keys_at(cut->columns, cut->by->keys, place, values);
        Owner *owner = owner_of(&cut->all, values, known);
        if (!owner) return 0;
        owner->size++;
    }
    return 1;
}

/* Numbers the slices that come with the triggers of one type, and adds to the sizes of all. */
static int number_slices(Cut *cut) {
    Owners *all = &cut->all;
    Sorted *sorted = malloc((size_t)(all->number + 1) * sizeof *sorted);
    int64_t number = 0, keys = all->keys;
    if (!sorted) return 0;
    for (int64_t i = 0; i < all->number; i++) {
        Owner *owner = all->owners + i;
        owner->total += owner->size;
        cut->found->size += owner->size;
        if (owner->size && owner->slice < 0) {
            sorted[number++] = (Sorted){all->values + i * keys, owner->known, keys, i};
        }
    }
    qsort(sorted, (size_t)number, sizeof *sorted, in_order_of_keys);
    for (int64_t i = 0; i < number; i++) {
        all->owners[sorted[i].number].slice = cut->found->number++;
    }
    free(sorted);
    return 1;
}

/* Writes the triggers of one type behind those that their slices have; `ends` says where. */
static void put_triggers(Cut *cut, int64_t type, int borne) {
    int64_t size, values[MOST_KEYS], *ends = cut->found->ends, *to = cut->found->rows;
    const int32_t *rows = rows_of_type(cut->scene, type, &size);
    for (int64_t i = 0; !borne && i < cut->all.number; i++) {
        const Owner *owner = cut->all.owners + i;
        if (owner->first < 0) continue;
        for (int64_t j = lower_bound(rows, size, owner->first); j < size; j++) {
            to[ends[owner->slice]++] = rows[j];
        }
    }
    for (int64_t i = 0; borne && i < size; i++) {
        int64_t place = place_of(cut->scene, rows[i]);
        int64_t known = keys_at(cut->columns, cut->by->keys, place, values);
        to[ends[cut->all.owners[*place_of_owner(&cut->all, values, known)].slice]++] = rows[i];
    }
}

static int room_for_slices(Slices *found, int64_t keys) {
    size_t number = (size_t)found->number + 1, size = (size_t)found->size + 1;
    found->slices = calloc(number, sizeof *found->slices);
    found->values = calloc(number * (size_t)keys, sizeof *found->values);
    found->ends = calloc(number, sizeof *found->ends);
    found->rows = malloc(size * sizeof *found->rows);
    return found->slices && found->values && found->ends && found->rows;
}

/* Writes whose slices these are, and where the triggers of each begin. */
static void put_slices(Cut *cut) {
    const Cutting *by = cut->by;
    Slices *found = cut->found;
    int64_t start = 0, all_keys = ((int64_t)1 << by->keys) - 1;
    for (int64_t i = 0; i < cut->all.number; i++) {
        const Owner *owner = cut->all.owners + i;
        if (owner->slice < 0) continue;
        int64_t *values = found->values + owner->slice * by->keys;
        memcpy(values, cut->all.values + i * by->keys, (size_t)by->keys * sizeof *values);
        found->slices[owner->slice] = (Slice){.number = by->keys, .columns = by->columns,
            .values = values, .bears = by->bears, .certain = owner->known == all_keys};
        found->ends[owner->slice] = owner->total;
    }
    for (int64_t i = 0; i < found->number; i++) {
        int64_t size = found->ends[i];
        found->ends[i] = start;
        start += size;
    }
}

static int cut_all(Cut *cut) {
    const Cutting *by = cut->by;
    Slices *found = cut->found;
    int64_t types = cut->scene->log->number_of_types, number = by->number_of_triggers, start = 0;
    int nameless = 0;
    for (int64_t i = 0; i < number; i++) {
        int64_t borne = keys_borne(by, by->triggers[i], types);
        if (borne && borne < by->keys) return 0;
        nameless |= !borne;
    }
    if (nameless && !see_firsts(cut)) return 0;
    for (int64_t i = 0; i < number; i++) {
        int borne = keys_borne(by, by->triggers[i], types) > 0;
        if (!count_triggers(cut, by->triggers[i], borne) || !number_slices(cut)) return 0;
    }
    if (!room_for_slices(found, by->keys)) return 0;
    put_slices(cut);
    for (int64_t i = 0; i < number; i++) {
        put_triggers(cut, by->triggers[i], keys_borne(by, by->triggers[i], types) > 0);
    }
    for (int64_t i = 0; number > 1 && i < found->number; i++) {
        /* Those of one type came after those of another. */
        qsort(found->rows + start, (size_t)(found->ends[i] - start), sizeof *found->rows,
              in_order_of_rows);
        start = found->ends[i];
    }
    return 1;
}

/* Gives back the memory of slices, after what was worked out for each. */
void forget_cut(Slices *found) {
    free(found->slices);
    free(found->values);
    free(found->rows);
    free(found->ends);
    memset(found, 0, sizeof *found);
}

/* All slices of a scene; says 0 where triggers of one type name some keys and not others, and where
   there is no memory. */
int64_t cut_by_keys(const Scene *scene, const Cutting *by, Slices *found) {
    Cut cut = {.scene = scene, .by = by, .all = {.keys = by->keys}, .found = found};
    memset(found, 0, sizeof *found);
    if (by->keys > MOST_KEYS) return 0;
    for (int64_t i = 0; i < by->keys; i++) cut.columns[i] = scene->log->columns + by->columns[i];
    int done = more_owners(&cut.all) && cut_all(&cut);
    forget_owners(&cut.all);
    if (!done) forget_cut(found);
    return done;
}

#endif
