/* SPDX-License-Identifier: BSD-3-Clause */
/* A bad disk under SQLite: as its default VFS it fails at any chosen operation, and it knows what would be
 * left of a file if the power were cut now: what was flushed, and any part of what was written since. */
#ifndef POLHODE_TESTS_DISK_H
#define POLHODE_TESTS_DISK_H

#include <stdbool.h>

#include "testkit.h"

/* Between these two calls all files that SQLite opens are on this disk. */
void disk_attach(void);
void disk_detach(void);

/* The n-th operation from now fails (0: none does), alone or with all that follow; writes because the disk is full or for
 * another reason. Operations: to open, read, write, flush, cut or delete a file, and to share memory. */
void disk_fail(long n, bool forever, bool full);
long disk_operations(void); /* since the latest disk_fail */

/* Calls `before` before each operation that changes the contents of the disk; NULL: no longer. */
void disk_watch(void (*before)(void));

/* Everything written so far counts as flushed. */
void disk_forget(void);

/* What is left in a folder if the power is cut now; random, so it may differ at each call. */
typedef struct disk_image disk_image;
disk_image *disk_cut(const char *folder, tk_random *r);
void disk_put(const disk_image *image, const char *folder);
void disk_free(disk_image *image);

#endif
