/* SPDX-License-Identifier: BSD-3-Clause */
/* A system of formulas compiled: all its tapes in one C file. */
#define _GNU_SOURCE
#include "callbacks.h"
#include "compile.h"
#include "lib/internal/missing.h"
#include "lib/system/structure.h"

#include <polhode/domain/formula.h>

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

enum { LARGE = 2000, MOST = 50000 }; /* operations: with less optimisation, and not at all */

size_t ph_formula_operations(const ph_system *system)
{
    static const size_t call = 10; /* as an operation takes about a tenth of the time of a function */
    const ph_formula_user *u = system ? ph_system_user(system, ph_formula_user_free) : NULL;
    size_t n = 0;
    for (unsigned i = 0; u && i < PH_PARTS; i++)
        if (u->part[i] && i != PH_PART_POTENTIAL && i != PH_PART_IN_TIME && i != PH_PART_RATE &&
            i != PH_PART_LAGRANGIAN && i != PH_PART_L_RATE && i != PH_PART_LV_RATE &&
            i <= PH_PART_CONSTRAINT_ALONG)
            n += ph_tape_operations(u->part[i]) + call * ph_tape_calls(u->part[i]);
    return n;
}

/* *text <- malloc's. */
static ph_status write_all(const ph_formula_user *u, char **text, size_t *length)
{
    FILE *to = open_memstream(text, length);
    ph_status status = to ? PH_OK : PH_E_NO_MEMORY;
    if (to)
        ph_tape_write_head(to);
    for (unsigned i = 0; i < PH_PARTS && !status; i++)
        if (u->part[i])
            status = ph_tape_write(u->part[i], i, ph_formula_arrays(i), ph_formula_adds(i), to);
    return to && fclose(to) ? PH_E_NO_MEMORY : status;
}

/* All of them, or none. */
static ph_status take_functions(ph_formula_user *u, void *library, ph_error *err)
{
    ph_tape_compiled *found[PH_PARTS] = {NULL};
    char name[16];
    for (unsigned i = 0; i < PH_PARTS; i++) {
        snprintf(name, sizeof name, "f%u", i);
        void *symbol = u->part[i] ? dlsym(library, name) : NULL;
        memcpy(&found[i], &symbol, sizeof symbol); /* a function, as POSIX has it */
        if (u->part[i] && !symbol) {
            dlclose(library);
            return ph_fail(err, PH_E_UNSUPPORTED, "compiled formulas have no function %s", name);
        }
    }
    memcpy(u->compiled, found, sizeof found);
    u->library = library;
    return PH_OK;
}

ph_status ph_formula_compile(ph_system *system, ph_error *err)
{
    ph_formula_user *u = system ? ph_system_user(system, ph_formula_user_free) : NULL;
    char *text = NULL;
    size_t length = 0, operations = 0;
    void *library = NULL;
    if (!system)
        return ph_not_created(err, "system", "ph_formula_system_create");
    if (!u)
        return ph_fail(err, PH_E_INVALID, "there is no system of formulas: one of ph_formula_system_create");
    if (u->library)
        return PH_OK;
    for (unsigned i = 0; i < PH_PARTS; i++)
        operations += u->part[i] ? ph_tape_operations(u->part[i]) + ph_tape_calls(u->part[i]) : 0;
    if (operations > MOST)
        return ph_fail(err, PH_E_UNSUPPORTED, "%zu operations are too many: there may be %d", operations,
                       MOST);
    ph_status status = write_all(u, &text, &length);
    if (status)
        status = ph_fail(err, status, "out of memory");
    else
        status = ph_compile(text, length, operations > LARGE, &library, err);
    free(text);
    return status ? status : take_functions(u, library, err);
}
