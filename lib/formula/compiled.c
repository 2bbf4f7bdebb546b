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

enum { MOST = 50000 }; /* operations */

/* The names of those that a step evaluates. */
static const char *const names[PH_PARTS] = {
    [PH_PART_GRADIENT] = "gradient",           [PH_PART_IN_TIME_DZ] = "gradient in time",
    [PH_PART_SPIN_HESSIAN] = "spin Hessian",   [PH_PART_INERTIA] = "inertia",
    [PH_PART_INERTIA_DZ] = "its derivative",   [PH_PART_L_RATE] = "rate of L",
    [PH_PART_LV_RATE] = "its gradient's rate", [PH_PART_SLOPES] = "gradient of L",
    [PH_PART_CURVATURES] = "Hessian of L",     [PH_PART_FORCE] = "force",
    [PH_PART_FORCE_DV] = "its slope",          [PH_PART_CONSTRAINT] = "constraint",
    [PH_PART_CONSTRAINT_RATE] = "its rate",    [PH_PART_CONSTRAINT_ALONG] = "along motion"};

_Static_assert((int)PH_FORMULA_LANES == (int)PH_TAPE_LANES, "the public number of lanes is that of tapes");

static const ph_formula_user *user_of(const ph_system *system)
{
    return system ? ph_system_user(system, ph_formula_user_free) : NULL;
}

size_t ph_formula_callbacks(const ph_system *system, ph_formula_callback callbacks[PH_FORMULA_CALLBACKS])
{
    const ph_formula_user *u = user_of(system);
    size_t n = 0;
    for (int i = 0; u && i < PH_PARTS && n < PH_FORMULA_CALLBACKS; i++)
        if (u->part[i] && names[i])
            callbacks[n++] = (ph_formula_callback){names[i], i, ph_tape_operations(u->part[i]),
                                                   ph_tape_calls(u->part[i]), ph_tape_outs(u->part[i])};
    return n;
}

size_t ph_formula_operations(const ph_system *system)
{
    static const size_t call = 10; /* as an operation takes about a tenth of the time of a function */
    ph_formula_callback callbacks[PH_FORMULA_CALLBACKS];
    const size_t found = ph_formula_callbacks(system, callbacks);
    size_t n = 0;
    for (size_t i = 0; i < found; i++)
        n += callbacks[i].operations + call * callbacks[i].calls;
    return n;
}

ph_status ph_formula_evaluate(const ph_system *system, int part, ph_formula_way way, const double *t,
                              const double *z, const double *v, double *out, ph_error *err)
{
    const ph_formula_user *u = user_of(system);
    if (!system)
        return ph_not_created(err, "system", "ph_formula_system_create");
    if (!u || part < 0 || part >= PH_PARTS || !u->part[part])
        return ph_fail(err, PH_E_INVALID,
                       "there is no part %d of a system of formulas; ph_formula_callbacks lists them", part);
    if (way == PH_FORMULA_COMPILED && !u->compiled[part])
        return ph_fail(err, PH_E_UNSUPPORTED, "the system is not compiled; ph_formula_compile does it");
    const size_t arrays = ph_formula_arrays(part), n = ph_tape_outs(u->part[part]);
    const bool adds = ph_formula_adds(part);
    double *to[3] = {out};
    for (size_t i = 1; i < arrays; i++)
        to[i] = to[i - 1] + n / arrays;
    const ph_tape_place at = {.t = *t, .dt = 1, .z = z, .v = v, .dz = v, .out = to};
    if (adds)
        memset(out, 0, n * (way == PH_FORMULA_IN_LANES ? PH_FORMULA_LANES : 1) * sizeof *out);
    if (way == PH_FORMULA_IN_LANES) {
        const ph_tape *tapes[PH_TAPE_LANES];
        for (size_t l = 0; l < PH_TAPE_LANES; l++)
            tapes[l] = u->part[part];
        ph_tape_run_lanes(tapes, PH_TAPE_LANES, t, z, v, adds, out);
    } else if (way == PH_FORMULA_COMPILED)
        u->compiled[part](&ph_tape_elementary, ph_tape_known(u->part[part]), &at);
    else
        ph_tape_run_at(u->part[part], &at, arrays, adds);
    return PH_OK;
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
        status = ph_compile(text, length, &library, err);
    free(text);
    return status ? status : take_functions(u, library, err);
}
