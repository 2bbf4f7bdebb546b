/* SPDX-License-Identifier: BSD-3-Clause */
/* A bad disk under SQLite: as its default VFS it fails at any operation that one likes, and it knows what of a file
 * would be left if the power were cut now: what was flushed, and of what was written since any part. */
#ifndef POLHODE_TESTS_DISK_H
#define POLHODE_TESTS_DISK_H

#include <stdbool.h>

#include "testkit.h"

/* Between these all files that SQLite opens are on it. */
void disk_attach(void);
void disk_detach(void);

/* The n-th operation from now fails (0: none does), alone or with all that follow; writes because the disk is full or for
 * another reason. Operations: to open, read, write, flush, cut or delete a file, and to share memory. */
void disk_fail(long n, bool forever, bool full);
long disk_operations(void); /* since the latest disk_fail */

/* Call `before` in front of each operation that changes what is on the disk; NULL: no longer. */
void disk_watch(void (*before)(void));

/* All that is there now is on the disk for good. */
void disk_forget(void);

/* What is left in a folder if the power is cut now: each time it may be something else. */
typedef struct disk_image disk_image;
disk_image *disk_cut(const char *folder, tk_random *r);
void disk_put(const disk_image *image, const char *folder);
void disk_free(disk_image *image);

#endif
