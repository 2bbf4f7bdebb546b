/* SPDX-License-Identifier: BSD-3-Clause */
/* Which columns an archive has, as stored in its table meta under `columns`: the words that chose them, one
 * on each line. An absent entry means all. So a choice takes memory for its words, not for its columns. */
#include "database.h"

#include <stdlib.h>
#include <string.h>

ph_status ph_choice_text(const char *const *words, size_t n, char **text, size_t *length, ph_error *err)
{
    size_t room = 1;
    *length = 0;
    for (size_t i = 0; i < n; i++) {
        if (strchr(words[i], '\n'))
            return ph_fail(err, PH_E_INVALID,
                           "the name of a column has a line break; an archive keeps one name a line");
        room += strlen(words[i]) + 1;
    }
    *text = malloc(room);
    if (!*text)
        return ph_fail(err, PH_E_NO_MEMORY, "out of memory");
    for (size_t i = 0; i < n; i++) {
        const size_t word = strlen(words[i]);
        if (i)
            (*text)[(*length)++] = '\n';
        memcpy(*text + *length, words[i], word);
        *length += word;
    }
    return PH_OK;
}

/* Splits the text into lines; the words and a copy of the text are in one block of memory. */
static ph_status split(const char *text, ph_choice *c, ph_error *err)
{
    size_t n = 1;
    for (const char *s = text; *s; s++)
        n += *s == '\n';
    c->words = malloc(n * sizeof *c->words + strlen(text) + 1);
    if (!c->words)
        return ph_fail(err, PH_E_NO_MEMORY, "out of memory");
    char *to = strcpy((char *)(c->words + n), text);
    for (c->n = 0; c->n < n; c->n++) {
        c->words[c->n] = to;
        to += strcspn(to, "\n");
        *to++ = '\0';
    }
    return PH_OK;
}

ph_status ph_choice_read(const ph_database *database, ph_choice *c, ph_error *err)
{
    sqlite3_stmt *s = NULL;
    *c = (ph_choice){NULL, 0};
    ph_status status = ph_database_prepare(database, "SELECT value FROM meta WHERE key = 'columns'", &s, err);
    const int code = status ? SQLITE_DONE : sqlite3_step(s);
    const char *text = code == SQLITE_ROW ? (const char *)sqlite3_column_text(s, 0) : NULL;
    if (text)
        status = split(text, c, err);
    else if (code != SQLITE_DONE)
        status = ph_database_fail(database, "reading what its columns are", err);
    sqlite3_finalize(s);
    return status;
}

void ph_choice_free(ph_choice *c)
{
    free(c->words);
}
