/* SPDX-License-Identifier: BSD-3-Clause */
/* Which kind of source a file is, and columns of a source by their names, as the command line gives them. */
#include "source.h"

#include <polhode/text.h>

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

ph_status source_pick(const source *s, const option_texts *names, size_t *picked, size_t *n, ph_error *err)
{
    for (*n = 0; *n < names->n; ++*n) {
        const char *name = names->at[*n];
        if (source_find(s, name, &picked[*n], err))
            return PH_E_UNKNOWN;
        for (size_t i = 0; i < *n; i++)
            if (picked[i] == picked[*n])
                return ph_fail(err, PH_E_INVALID, "--columns has \"%s\" twice", name);
    }
    return PH_OK;
}

/* Does the file begin as an archive does? A pipe is not opened here: it can be read only once. */
static bool is_record(const char *path)
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
    return is_record(path) ? source_open_record(path, s, err) : source_open_csv(path, s, err);
}
