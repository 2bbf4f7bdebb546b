/* SPDX-License-Identifier: BSD-3-Clause */
/* Which kind of source a file is, and columns of a source by their names, as the command line gives them. */
#include "source.h"

#include <polhode/kit/text.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

ph_status source_find(const source *s, const char *name, size_t *at, ph_error *err)
{
    for (*at = 0; *at < s->n; ++*at)
        if (!strcmp(s->columns[*at].name, name))
            return PH_OK;
    const char **names = malloc(s->n * sizeof *names);
    if (!names)
        return ph_fail(err, PH_E_NO_MEMORY, "out of memory");
    for (size_t i = 0; i < s->n; i++)
        names[i] = s->columns[i].name;
    ph_fail_unknown(err, "column", name, names, s->n);
    free(names);
    return PH_E_UNKNOWN;
}

/* ---- Words for several columns -------------------------------------------------------------------------- */

/* How the names of the columns begin that a group has, behind which is the number of a factor or point. */
static const struct {
    const char *word, *letters[4], *others[4]; /* others: whole names */
} groups[] = {{"configuration", {"q", "x", "R", "s"}, {NULL}},
              {"momentum", {"pi", "p", "Pi"}, {NULL}},
              {"velocity", {"qdot", "xdot", "Rdot", "sdot"}, {NULL}},
              {"omega", {"omega", "Omega", "v"}, {NULL}},
              {"quaternions", {"quaternion"}, {NULL}},
              {"positions", {"position"}, {NULL}},
              {"orbit", {"orbit"}, {NULL}},
              {"distances", {"distance"}, {NULL}},
              {"euler", {"euler"}, {NULL}},
              {"spin", {"spin"}, {NULL}},
              {"libration", {"libration"}, {NULL}},
              {"binding", {"binding"}, {NULL}},
              {"energies", {"rotation"}, {"translation", "potential_points", "potential_shapes"}}};

/* Are these the letters of the column, with a number behind? */
bool has_letters(const char *column, const char *letters)
{
    const size_t n = strlen(letters);
    return !strncmp(column, letters, n) && strspn(column + n, "0123456789") > 0;
}

/* Does the word mean this column, as one of several: "q1" q1x, "x2" x2_1, "configuration" all q, x and R? */
static bool does_mean(const char *word, const char *column)
{
    for (size_t g = 0; g < sizeof groups / sizeof *groups; g++)
        for (size_t k = 0; k < 4 && !strcmp(word, groups[g].word); k++)
            if ((groups[g].letters[k] && has_letters(column, groups[g].letters[k])) ||
                (groups[g].others[k] && !strcmp(column, groups[g].others[k])))
                return true;
    const size_t n = strlen(word);
    if (!n || !strchr("0123456789", word[n - 1]) || strncmp(column, word, n))
        return false;
    const char *rest = column + n;
    return *rest == '_' || (*rest && strspn(rest, "wxyz") == strlen(rest));
}

/* Appends one column; PH_E_INVALID: it is there. */
static ph_status pick_one(const source *s, size_t at, const char *word, size_t *picked, size_t *n,
                          ph_error *err)
{
    for (size_t i = 0; i < *n; i++)
        if (picked[i] == at)
            return ph_fail(err, PH_E_INVALID, "--columns has \"%s\" twice, the second time by \"%.60s\"",
                           s->columns[at].name, word);
    picked[(*n)++] = at;
    return PH_OK;
}

ph_status source_pick(const source *s, const option_texts *names, size_t *picked, size_t *n, ph_error *err)
{
    ph_status status = PH_OK;
    *n = 0;
    for (size_t k = 0; k < names->n && !status; k++) {
        const char *word = names->at[k];
        const size_t before = *n;
        size_t at;
        for (size_t i = 0; i < s->n && !status; i++)
            if (does_mean(word, s->columns[i].name))
                status = pick_one(s, i, word, picked, n, err);
        if (status || *n > before)
            continue;
        status = source_find(s, word, &at, err);
        if (!status)
            status = pick_one(s, at, word, picked, n, err);
    }
    return status;
}

/* Does the file begin as an archive does? A pipe is not opened here: it can be read only once. */
bool source_is_record(const char *path)
{
    static const char mark[] = "SQLite format 3";
    char begin[sizeof mark] = "";
    struct stat file;
    FILE *stream = !stat(path, &file) && S_ISREG(file.st_mode) ? fopen(path, "rb") : NULL;
    bool is =
        stream && fread(begin, 1, sizeof mark, stream) == sizeof mark && !memcmp(begin, mark, sizeof mark);
    if (stream)
        fclose(stream);
    return is;
}

ph_status source_open(const char *path, source *s, ph_error *err)
{
    if (source_is_record(path))
        return source_open_record(path, s, err);
    ph_status status = source_open_csv(path, s, err);
    if (status || strcmp(s->columns[0].name, "event"))
        return status;
    s->close(s->self);
    return ph_fail(
        err, PH_E_PARSE,
        "%s: is a table of events, which have names; export those of the archive: polhode export ARCHIVE --events",
        path);
}
