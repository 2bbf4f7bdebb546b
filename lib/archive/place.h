/* SPDX-License-Identifier: BSD-3-Clause */
/* Where files lie. */
#ifndef PH_ARCHIVE_PLACE_H
#define PH_ARCHIVE_PLACE_H

#include <stdbool.h>

#include <polhode/status.h>

/* Where a file lies or is to lie, with no link on the way; with `follow` the one that a link at the path
 * leads to. malloc's; NULL without memory. */
char *ph_file_place(const char *path, bool follow);
/* a + b + c, malloc's, or NULL without memory. */
char *ph_path_join(const char *a, const char *b, const char *c);
/* May a file be created at path? Not if a file exists there, unless force, and never if a directory does.
 * PH_E_EXISTS, PH_E_IO. */
ph_status ph_file_target(const char *path, bool force, ph_error *err);
/* Makes the directory and its parents, as far as they do not exist; path is cut at each slash in turn and
 * restored. PH_E_IO. */
ph_status ph_make_directories(char *path, ph_error *err);
/* [bytes] free on the disk of the directory, or of the first of its parents that exists; INFINITY: not known. */
double ph_disk_room(const char *directory);
/* Synchronises the directory of path, so that a new name survives a power cut, where the system supports
 * that. path is cut after the directory. */
void ph_sync_directory(char *path);
/* The kind of network file system that a path is on, as "NFS"; NULL: none that is known. */
const char *ph_file_network(const char *path);
/* Where it is on one, a remark on how an archive is written there; message may be NULL. */
void ph_file_note_network(const char *path, void (*message)(void *self, const char *text), void *self);

#endif
