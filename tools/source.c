/* SPDX-License-Identifier: BSD-3-Clause */
/* Columns of a source by their names, as the command line gives them. */
#include "source.h"

#include <polhode/text.h>

#include <stdlib.h>
#include <string.h>

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

ph_status source_pick(const source *s, const char *list, size_t *picked, size_t *n, ph_error *err)
{
    char *copy = strdup(list), *rest = NULL;
    ph_status status = copy ? PH_OK : ph_fail(err, PH_E_NO_MEMORY, "out of memory");
    *n = 0;
    for (char *name = copy ? strtok_r(copy, ",", &rest) : NULL; name && !status;
         name = strtok_r(NULL, ",", &rest)) {
        size_t at = 0;
        status = source_find(s, name, &at, err);
        for (size_t i = 0; i < *n && !status; i++)
            if (picked[i] == at)
                status = ph_fail(err, PH_E_INVALID, "--columns has \"%s\" twice", name);
        if (!status)
            picked[(*n)++] = at;
    }
    free(copy);
    return status ? status : *n ? PH_OK : ph_fail(err, PH_E_INVALID, "--columns names no column");
}
