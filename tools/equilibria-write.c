/* SPDX-License-Identifier: BSD-3-Clause */
/* A relative equilibrium or steady motion as a scenario that begins there. */
#include "equilibria.h"

#include "bench/report/file.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static void put_list(FILE *out, const double *x, size_t n, bool alone)
{
    if (n == 1 && alone) {
        fprintf(out, "%.17g", x[0]);
        return;
    }
    for (size_t i = 0; i < n; i++)
        fprintf(out, "%s%.17g", i ? ", " : "[", x[i]);
    fputs("]", out);
}

/* "{q: [...], omega: [...]}" of the state, malloc; NULL without memory. On embedded manifolds qdot. */
static char *write_initial(const ph_space *space, const double *z, const double *zdot)
{
    bool by_rates = true;
    char *text = NULL;
    size_t size;
    double *omega = calloc(ph_space_momenta(space) + 1, sizeof *omega);
    FILE *out = omega ? open_memstream(&text, &size) : NULL;
    if (!out) {
        free(omega);
        return NULL;
    }
    for (size_t i = 0; i < ph_space_factors(space); i++)
        by_rates &= ph_space_factor(space, i)->kind != PH_FACTOR_EMBEDDED;
    if (by_rates)
        ph_space_spin(space, z, zdot, omega);
    fputs("{q: [", out);
    for (size_t i = 0; i < ph_space_factors(space); i++) {
        const ph_factor_place *p = ph_space_factor(space, i);
        fputs(i ? ", " : "", out);
        put_list(out, z + p->z, p->nz, false);
    }
    fputs(by_rates ? "], omega: [" : "], qdot: [", out);
    for (size_t i = 0; i < ph_space_factors(space); i++) {
        const ph_factor_place *p = ph_space_factor(space, i);
        fputs(i ? ", " : "", out);
        put_list(out, by_rates ? omega + p->p : zdot + p->z, by_rates ? p->np : p->nz,
                 p->kind == PH_FACTOR_S1);
    }
    fputs("]}", out);
    free(omega);
    if (!fclose(out))
        return text;
    free(text);
    return NULL;
}

/* The scenario with another initial state. */
static ph_status write_one(const ph_scenario *sc, size_t number, const double *z, const double *zdot,
                           const char *about, const char *directory, ph_error *err)
{
    size_t length;
    const char *text = ph_scenario_text(sc, &length);
    char name[48], part[4200], *edited = NULL,
                               *initial = write_initial(ph_system_space(ph_scenario_system(sc)), z, zdot);
    snprintf(name, sizeof name, "equilibrium-%zu.yaml", number);
    if (!initial)
        return ph_fail(err, PH_E_NO_MEMORY, "out of memory");
    ph_status status = ph_scenario_edit(text, length, "initial", initial, &edited, err);
    free(initial);
    FILE *out = status ? NULL : report_open(directory, name, part, err);
    if (!status && !out)
        status = err->status;
    if (out) {
        fprintf(out, "# relative equilibrium %zu: %s\n", number, about);
        fputs(edited, out);
        status = report_close(out, part, err);
    }
    free(edited);
    return status;
}

int equilibria_write(const ph_scenario *sc, size_t number, const double *z, const double *zdot,
                     const char *about, const char *directory)
{
    ph_error err;
    if (mkdir(directory, 0777) && errno != EEXIST)
        return complain(EXIT_OUTPUT, "%s: %s", directory, strerror(errno));
    if (write_one(sc, number, z, zdot, about, directory, &err))
        return complain(err.status == PH_E_IO ? EXIT_OUTPUT : EXIT_INPUT, "%s", err.message);
    return EXIT_OK;
}
