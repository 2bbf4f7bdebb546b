/* SPDX-License-Identifier: BSD-3-Clause */
/* JSON that is written into a file: one object, whose members are objects, texts and numbers. */
#ifndef PH_ARCHIVE_DOCUMENT_H
#define PH_ARCHIVE_DOCUMENT_H

#include "file.h"

typedef struct ph_document {
    ph_file *file;
    bool first; /* nothing stands in the innermost braces or brackets yet */
    int depth;
} ph_document;

/* A text in quotes; a number. */
void ph_document_text_value(ph_file *f, const char *text);
void ph_document_number_value(ph_file *f, double value);
/* Begin the next member of the innermost object; its value is to follow. */
void ph_document_key(ph_document *j, const char *name);
void ph_document_begin(ph_document *j); /* an object */
void ph_document_end(ph_document *j);
/* Members. */
void ph_document_text(ph_document *j, const char *name, const char *value);
void ph_document_number(ph_document *j, const char *name, double value);
void ph_document_count(ph_document *j, const char *name, int64_t value);
void ph_document_numbers(ph_document *j, const char *name, const double *values, size_t n);

#endif
