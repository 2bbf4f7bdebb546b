/* SPDX-License-Identifier: BSD-3-Clause */
/* Files that appear whole or not at all: written as PATH.part, then flushed to the disk and
 * renamed. The first write error is kept and reported when the file is checked or committed. */
#ifndef PH_ARCHIVE_FILE_H
#define PH_ARCHIVE_FILE_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include <polhode/status.h>

typedef struct ph_file ph_file;

/* Start PATH.part. Two writers of one path exclude each other (PH_E_EXISTS); what a crashed one left
 * is overwritten. PH_E_IO, PH_E_NO_MEMORY. */
ph_status ph_file_open(const char *path, ph_file **file, ph_error *err);

/* Write. Errors are kept; nothing is written after one. Numbers have 17 significant digits and a
 * decimal point, whatever the locale: "nan", "inf", "-inf" if they are not finite. */
void ph_file_text(ph_file *file, const char *text);
void ph_file_bytes(ph_file *file, const char *bytes, size_t n);
void ph_file_number(ph_file *file, double value);
void ph_number_text(double value, char text[64]); /* the same */
void ph_file_count(ph_file *file, int64_t value);
void ph_file_doubles(ph_file *file, const double *values, size_t n); /* little-endian */

/* For formats that are not written in order: write or read n bytes at an offset; cut or extend the file. The
 * position at which the functions above continue does not change. Bytes read beyond the end are zero. */
void ph_file_put_at(ph_file *file, int64_t offset, const void *bytes, size_t n);
void ph_file_get_at(ph_file *file, int64_t offset, void *bytes, size_t n);
void ph_file_resize(ph_file *file, int64_t length);

/* Did all writes go well so far? PH_E_IO. */
ph_status ph_file_check(const ph_file *file, ph_error *err);

/* Complete and rename; frees the file in any case. On failure PATH.part is removed and what stood
 * under PATH stays. */
ph_status ph_file_commit(ph_file *file, ph_error *err);
/* Remove PATH.part, free. NULL is allowed. */
void ph_file_abandon(ph_file *file);

/* Borrows a stream of the caller, to be written like a file; name is for messages. Giving it back flushes but
 * does not close it, and reports whether all writes succeeded. */
ph_status ph_file_borrow(FILE *stream, const char *name, ph_file **file, ph_error *err);
ph_status ph_file_give_back(ph_file *file, ph_error *err);

#endif
