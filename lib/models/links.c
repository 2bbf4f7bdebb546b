/* SPDX-License-Identifier: BSD-3-Clause */
/* Links that hang from a moving support: see links.h. */
#include "links.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { DEFAULT_LINKS = 5 };

ph_status ph_links_count(const ph_parameter_value *table, size_t most, size_t *n, ph_error *err)
{
    const ph_parameter_value *each[] = {&table[PH_LINKS_MASS], &table[PH_LINKS_LENGTH]};
    ph_status status = PH_OK;
    *n = ph_parameter_count(&table[PH_LINKS_NUMBER], each, 2, DEFAULT_LINKS);
    for (size_t i = 0; i < 2 && !status; i++) {
        if (each[i]->n > most)
            return ph_fail(err, PH_E_SIZE, "%s has %zu numbers; this model has at most %zu links",
                           each[i]->name, each[i]->n, most);
        status = ph_parameter_check_each(each[i], *n, "links", err);
    }
    return status;
}

double ph_links_moments(const ph_parameter_value *table, size_t n, double *moments)
{
    double below = 0;
    for (size_t i = n; i-- > 0;) {
        below += ph_parameter_entry(&table[PH_LINKS_MASS], i);
        moments[i] = below * ph_parameter_entry(&table[PH_LINKS_LENGTH], i);
    }
    return below;
}

void ph_links_inertia(const ph_parameter_value *table, size_t n, const double *moments, size_t d, double *MM,
                      size_t nz, size_t at)
{
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j <= i; j++) {
            double value = moments[i] * ph_parameter_entry(&table[PH_LINKS_LENGTH], j);
            for (size_t k = 0; k < d; k++) {
                size_t row = at + d * i + k, column = at + d * j + k;
                MM[row * nz + column] = MM[column * nz + row] = value;
            }
        }
}

ph_status ph_links_space(const ph_factor *first, size_t n_first, ph_factor_kind kind, size_t n,
                         ph_space **space, ph_error *err)
{
    ph_factor *factors = calloc(n_first + n, sizeof *factors);
    if (!factors)
        return ph_fail(err, PH_E_NO_MEMORY, "no memory for %zu links", n);
    memcpy(factors, first, n_first * sizeof *first);
    for (size_t i = 0; i < n; i++)
        factors[n_first + i].kind = kind;
    ph_status status = ph_space_create(factors, n_first + n, space, err);
    free(factors);
    return status;
}

ph_status ph_links_check_vertical(const ph_parameter_value *gravity, const char *reason, ph_error *err)
{
    const double *G = gravity->values;
    if (G[0] == 0 && G[1] == 0)
        return PH_OK;
    return ph_fail(err, PH_E_INVALID,
                   "%s is (%g, %g, %g) m/s^2; it must be along e3, as a number g or (0, 0, -g): %s",
                   gravity->name, G[0], G[1], G[2], reason);
}

void ph_links_preset(const ph_parameter_value *table, size_t n, size_t d, int preset, double *q, double *qdot)
{
    memset(q, 0, d * n * sizeof *q);
    memset(qdot, 0, d * n * sizeof *qdot);
    for (size_t i = 0; i < n; i++, q += d, qdot += d) {
        double angle = preset == PH_LINKS_CURVED ? 0.3 * (double)i : 0;
        double rate = 0.5 / ((double)n * ph_parameter_entry(&table[PH_LINKS_LENGTH], i));
        q[0] = preset == PH_LINKS_HANGING ? 0 : cos(angle);
        q[d - 1] = preset == PH_LINKS_HANGING ? -1 : -sin(angle);
        if (preset == PH_LINKS_CURVED && d == 3) {
            qdot[1] = rate;
        } else if (preset == PH_LINKS_CURVED) {
            qdot[0] = -rate * q[1];
            qdot[1] = rate * q[0];
        }
    }
}
