/* SPDX-License-Identifier: BSD-3-Clause */
/* JSON that is written: every number that is not finite is null; every text is escaped, and unreadable bytes become U+FFFD. */
#include "document.h"

#include <polhode/kit/text.h>

#include <math.h>
#include <stdio.h>

/* Must the character be escaped? Control characters, as JSON requires, and those that YAML readers (including
 * ours) reject. */
static bool needs_escape(unsigned code)
{
    return code < 0x20 || (code >= 0x7f && code < 0xa0) || (code >= 0x2028 && code <= 0x2029) ||
           code == 0xfeff || code == 0xfffe || code == 0xffff;
}

/* A text as JSON, in quotes: bytes that are not UTF-8 become U+FFFD. */
void ph_document_text_value(ph_file *f, const char *text)
{
    char escape[16];
    size_t n;
    ph_file_bytes(f, "\"", 1);
    for (const char *s = text; *s; s += n) {
        unsigned code = ph_utf8_next(s, &n);
        if (code == '"' || code == '\\') {
            ph_file_bytes(f, "\\", 1);
            ph_file_bytes(f, s, 1);
        } else if (needs_escape(code) || (code == 0xfffd && n == 1)) {
            snprintf(escape, sizeof escape, "\\u%04x", code & 0xffffu);
            ph_file_text(f, escape);
        } else {
            ph_file_bytes(f, s, n);
        }
    }
    ph_file_bytes(f, "\"", 1);
}

/* A number; null where it is not finite. */
void ph_document_number_value(ph_file *f, double value)
{
    if (isfinite(value))
        ph_file_number(f, value);
    else
        ph_file_text(f, "null");
}

/* Begin the next member of the innermost object. */
void ph_document_key(ph_document *j, const char *name)
{
    ph_file_text(j->file, j->first ? "\n" : ",\n");
    for (int i = 0; i < j->depth; i++)
        ph_file_text(j->file, "  ");
    j->first = false;
    ph_document_text_value(j->file, name);
    ph_file_text(j->file, ": ");
}

void ph_document_begin(ph_document *j)
{
    ph_file_text(j->file, "{");
    j->depth++;
    j->first = true;
}

/* An empty object stays on one line. */
void ph_document_end(ph_document *j)
{
    j->depth--;
    if (!j->first) {
        ph_file_text(j->file, "\n");
        for (int i = 0; i < j->depth; i++)
            ph_file_text(j->file, "  ");
    }
    ph_file_text(j->file, "}");
    j->first = false;
}

void ph_document_text(ph_document *j, const char *name, const char *value)
{
    ph_document_key(j, name);
    ph_document_text_value(j->file, value);
}

void ph_document_number(ph_document *j, const char *name, double value)
{
    ph_document_key(j, name);
    ph_document_number_value(j->file, value);
}

void ph_document_count(ph_document *j, const char *name, int64_t value)
{
    ph_document_key(j, name);
    ph_file_count(j->file, value);
}

void ph_document_numbers(ph_document *j, const char *name, const double *values, size_t n)
{
    ph_document_key(j, name);
    ph_file_text(j->file, "[");
    for (size_t i = 0; i < n; i++) {
        if (i)
            ph_file_text(j->file, ", ");
        ph_document_number_value(j->file, values[i]);
    }
    ph_file_text(j->file, "]");
}
