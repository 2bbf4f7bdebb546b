/* SPDX-License-Identifier: BSD-3-Clause */
/* Texts from outside (file.c). */
#ifndef PH_TEXT_FILE_H
#define PH_TEXT_FILE_H

#include <stddef.h>

#include <polhode/status.h>

/* Reads a file into memory (to be freed); of a file that is longer than `longest`, only slightly more than
 * `longest` bytes. The message has no position. PH_E_IO, PH_E_NO_MEMORY. */
ph_status ph_text_slurp(const char *path, size_t longest, char **text, size_t *length, ph_error *err);

/* Text from a file or a file's name made fit for a message: one line, no control characters, cut to
 * size. Returns to. */
char *ph_text_show(char *to, size_t size, const char *text);

#endif
