/* SPDX-License-Identifier: BSD-3-Clause */
/* Lock files: what keeps two writers of one file apart. */
#ifndef PH_ARCHIVE_LOCK_H
#define PH_ARCHIVE_LOCK_H

#include <stdbool.h>
#include <stddef.h>

/* Make a file and lock it for its only writer: its descriptor, or -1 with errno; *blocked: does another
 * writer hold it? The lock ends with its process: what a crash has left, and what else stands there (links
 * are not followed), is removed, not written to. */
int ph_file_lock(const char *name, bool *blocked);
/* Removes the file and releases the lock. */
void ph_file_unlock(int fd, const char *name);
/* Does a writer hold it? This only looks, and keeps nobody out. text (size > 0 bytes) <- how it begins, ""
 * if it is not held. */
bool ph_file_locked(const char *name, char *text, size_t size);

#endif
