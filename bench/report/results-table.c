/* SPDX-License-Identifier: BSD-3-Clause */
/* Results as tables: CSV, lines of a terminal, tables of a page. */
#include "file.h"
#include "markup.h"
#include "results.h"

#include <assert.h>
#include <inttypes.h>
#include <math.h>
#include <stdalign.h>
#include <stdlib.h>
#include <string.h>

/* ---- Lines ---------------------------------------------------------------------------------------- */

/* A line of a table: a row of each level, NULL where a part is absent. */
typedef struct line {
    result_path path;
    size_t levels;
    const void *rows[RESULT_LEVELS];
    void (*put)(const struct line *l, void *self);
    void *self;
} line;

static void put_level(line *l, size_t level, const void *of)
{
    alignas(max_align_t) char room[RESULT_ROOM];
    if (level == RESULT_LEVELS || !l->path[level]) {
        l->put(l, l->self);
        return;
    }
    const result_rows *rows = l->path[level];
    size_t i = 0, n = 0;
    for (; (l->rows[level] = of ? result_next(rows, of, &i, room) : NULL); n++)
        put_level(l, level + 1, l->rows[level]);
    if (!n && rows->most == 1) /* a part that is absent */
        put_level(l, level + 1, NULL);
}

static void put_lines(line *l, const void *of)
{
    while (l->levels < RESULT_LEVELS && l->path[l->levels])
        l->levels++;
    put_level(l, 0, of);
}

/* *row <- what has the field; csv: by its name in CSV, `name` being n characters of a longer text. */
static const result_field *find_field(const line *l, const char *name, size_t n, bool csv, const void **row)
{
    for (size_t i = l->levels; i--;)
        for (const result_field *f = l->path[i]->fields; f->type; f++) {
            const char *own = csv && f->csv ? f->csv : f->name;
            *row = l->rows[i];
            if (strlen(own) == n && !strncmp(own, name, n))
                return f;
        }
    assert(!"a column without a field");
    return NULL;
}

/* ---- CSV ------------------------------------------------------------------------------------------ */

static void put_csv_value(FILE *f, const char *format, result_value v)
{
    switch (v.type) {
    case VALUE_NUMBER:
        fprintf(f, format ? format : "%.9g", v.number);
        break;
    case VALUE_WHOLE:
        fprintf(f, "%" PRId64, v.whole);
        break;
    case VALUE_FLAG:
        fputs(v.whole ? "yes" : "no", f);
        break;
    case VALUE_WORD:
        field_text(f, v.word);
        break;
    default:
        break;
    }
}

typedef struct csv {
    FILE *f;
    const char *head;
} csv;

static void put_csv(const line *l, void *self)
{
    const csv *c = self;
    for (const char *at = c->head; *at;) {
        const void *row;
        const result_field *field = find_field(l, at, strcspn(at, "[,"), true, &row);
        if (field)
            put_csv_value(c->f, field->format, result_value_of(field, row));
        at += strcspn(at, ",");
        if (*at)
            fputc(*at++, c->f);
    }
    fputc('\n', c->f);
}

void result_csv(FILE *f, const char *head, result_path path, const void *of)
{
    csv c = {f, head};
    line l = {.path = path, .put = put_csv, .self = &c};
    fprintf(f, "%s\n", head);
    put_lines(&l, of);
}

/* ---- For readers ---------------------------------------------------------------------------------- */

typedef struct shown {
    FILE *f;
    const char *indent;
    const result_column *columns;
    void (*after)(FILE *out, const void *row);
} shown;

static result_value column_value(const line *l, const result_column *c)
{
    const void *row;
    const result_field *field = find_field(l, c->name, strlen(c->name), false, &row);
    result_value v = field ? result_value_of(field, row) : value_absent;
    if (v.type == VALUE_WHOLE)
        v = value_number((double)v.whole);
    else if (v.type == VALUE_FLAG)
        v = value_word(v.whole ? "yes" : "no");
    if (c->scale != 0)
        v.number *= c->scale;
    return v;
}

/* ---- A terminal ----------------------------------------------------------------------------------- */

/* The text with what is before the width in the format, and as wide. */
static void put_padded(FILE *out, const char *format, const char *text)
{
    const int before = (int)strcspn(format, "%");
    fprintf(out, "%.*s%*s", before, format, format[before] ? (int)strtol(format + before + 1, NULL, 10) : 0,
            text);
}

static void put_words(const line *l, void *self)
{
    const shown *s = self;
    for (const result_column *c = s->columns; c->name; c++) {
        fputs(c == s->columns ? s->indent : " ", s->f);
        if (c->put) {
            c->put(s->f, l->rows[l->levels - 1]);
            continue;
        }
        const result_value v = column_value(l, c);
        if (v.type == VALUE_NUMBER)
            fprintf(s->f, c->format, v.number);
        else
            put_padded(s->f, c->format, v.type == VALUE_WORD ? v.word : "-");
    }
    if (s->after)
        s->after(s->f, l->rows[l->levels - 1]);
    fputc('\n', s->f);
}

/* The line of a head, from 0 on; NULL behind the last. */
static const char *head_line(const char *head, size_t which)
{
    for (; which && head; which--) {
        head = strchr(head, '\n');
        head = head ? head + 1 : NULL;
    }
    return head;
}

/* A line of the heads. False: none has that many. */
static bool put_heads(FILE *out, const char *indent, const result_column *columns, size_t which)
{
    bool any = false;
    for (const result_column *c = columns; c->name && c->head; c++)
        any |= head_line(c->head, which) != NULL;
    for (const result_column *c = columns; any && c->name && c->head; c++) {
        char head[80];
        const char *at = head_line(c->head, which);
        snprintf(head, sizeof head, "%.*s", at ? (int)strcspn(at, "\n") : 0, at ? at : "");
        fputs(c == columns ? indent : " ", out);
        put_padded(out, c->format, head);
    }
    fputs(any ? "\n" : "", out);
    return any;
}

void result_words(FILE *out, const char *indent, const result_column *columns, result_path path,
                  const void *of, void (*after)(FILE *out, const void *row))
{
    shown s = {out, indent, columns, after};
    line l = {.path = path, .put = put_words, .self = &s};
    for (size_t i = 0; put_heads(out, indent, columns, i); i++)
        ;
    put_lines(&l, of);
}

/* ---- A page --------------------------------------------------------------------------------------- */

static void put_page(const line *l, void *self)
{
    const shown *s = self;
    for (const result_column *c = s->columns; c->name; c++) {
        if (c->put) {
            c->put(s->f, l->rows[l->levels - 1]);
            continue;
        }
        const result_value v = column_value(l, c);
        if (c == s->columns)
            markup_between(s->f, "<tr><th scope=\"row\">", v.type == VALUE_WORD ? v.word : "", "</th>");
        else if (v.type == VALUE_WORD)
            markup_cell_text(s->f, c->head, v.word);
        else
            markup_cell(s->f, c->head, c->format, v.type == VALUE_NUMBER ? v.number : (double)NAN);
    }
    fputs("</tr>\n", s->f);
}

void result_page(FILE *f, const char *caption, const result_column *columns, result_path path, const void *of)
{
    enum { MOST = 16 };
    const char *heads[MOST];
    size_t n = 0;
    shown s = {.f = f, .columns = columns};
    line l = {.path = path, .put = put_page, .self = &s};
    while (n < MOST && columns[n].name) {
        heads[n] = columns[n].head;
        n++;
    }
    markup_table(f, caption, heads, n);
    put_lines(&l, of);
    markup_table_end(f);
}
