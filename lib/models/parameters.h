/* SPDX-License-Identifier: BSD-3-Clause */
/* Parameters of models, beyond the checks of the catalogue: rows that several models have, and arrays with a
 * number for each link or body. */
#ifndef PH_INTERNAL_PARAMETERS_H
#define PH_INTERNAL_PARAMETERS_H

#include <float.h>

#include <polhode/models.h>

/* The row of gravity; along e3 by default. */
#define PH_GRAVITY_PARAMETER(along_e3)                                                                       \
    {                                                                                                        \
        "gravity", PH_PARAMETER_GRAVITY, "m/s^2", -DBL_MAX, DBL_MAX, {0, 0, along_e3},                       \
            "acceleration of gravity; a number g means (0, 0, -g)"                                           \
    }

/* The most links where memory is the limit: about 300 bytes for each link. */
enum { PH_MOST_LINKS = 10000000 };
/* The most bodies where the forces of all pairs are the limit: some seconds for each evaluation. */
enum { PH_MOST_IN_PAIRS = 100000 };

/* Number i of a parameter that is one number for all or one for each. */
static inline double ph_parameter_entry(const ph_parameter_value *value, size_t i)
{
    return value->values[value->n > 1 ? i : 0];
}

/* The number of links or bodies: the count, or where that is 0 the length of a list among the other
 * parameters, or else `otherwise`. */
static inline size_t ph_parameter_count(const ph_parameter_value *count,
                                        const ph_parameter_value *const *each, size_t n_each,
                                        size_t otherwise)
{
    size_t n = (size_t)count->values[0];
    for (size_t i = 0; !n && i < n_each; i++)
        if (each[i]->n > 1)
            n = each[i]->n;
    return n ? n : otherwise;
}

/* PH_E_SIZE when the parameter has neither 1 nor n numbers; what: "links". */
static inline ph_status ph_parameter_check_each(const ph_parameter_value *v, size_t n, const char *what,
                                                ph_error *err)
{
    if (v->n == 1 || v->n == n)
        return PH_OK;
    return ph_fail(err, PH_E_SIZE,
                   "%s has %zu numbers, but there are %zu %s; give %zu numbers, or one for all", v->name,
                   v->n, n, what, n);
}

#endif
