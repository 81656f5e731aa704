/* What one table leaves behind, the next one needs again: memory is kept between them. */

#ifndef MEMORY_H
#define MEMORY_H

#ifdef __linux__
#include <malloc.h>
#endif

enum { LARGEST_KEPT = 4 << 20, KEPT_AT_MOST = 32 << 20 };

/* To ask the system for fresh memory, which it first clears, takes a sixth of the time of a few
   rules on a table. Larger blocks than these are few, and still go back to the system at once. */
void keep_freed_memory(void) {
#if defined(M_MMAP_THRESHOLD) && defined(M_TRIM_THRESHOLD)
    mallopt(M_MMAP_THRESHOLD, LARGEST_KEPT);
    mallopt(M_TRIM_THRESHOLD, KEPT_AT_MOST);
#endif
}

#endif
