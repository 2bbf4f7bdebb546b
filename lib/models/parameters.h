/* SPDX-License-Identifier: BSD-3-Clause */
/* Parameters of models, beyond the checks of the catalogue: rows that several models have, and arrays with a
 * number for each link or body, whose lengths say how many there are. */
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

/* The row of gravity where e3 must be vertical: ph_gravity_check_vertical. */
#define PH_VERTICAL_GRAVITY_PARAMETER                                                                        \
    {                                                                                                        \
        "gravity", PH_PARAMETER_GRAVITY, "m/s^2", -DBL_MAX, DBL_MAX, {0, 0, -9.81},                          \
            "acceleration of gravity, along e3; a number g means (0, 0, -g)"                                 \
    }

/* The row of gravity in a plane, against its second axis. */
#define PH_PLANAR_GRAVITY_PARAMETER(text)                                                                    \
    {                                                                                                        \
        "gravity", PH_PARAMETER_NUMBER, "m/s^2", -DBL_MAX, DBL_MAX, {9.81}, text                             \
    }

/* The most links where memory is the limit: about 300 bytes for each link. */
enum { PH_MOST_LINKS = 10000000 };
/* The most bodies where the forces of all pairs are the limit: some seconds for each evaluation. */
enum { PH_MOST_IN_PAIRS = 100000 };

/* Number i of a parameter that is one number for all or one for each. Of a list of one there is no other. */
static inline double ph_parameter_entry(const ph_parameter_value *value, size_t i)
{
    return value->values[ph_parameter_length(value) > 1 ? i : 0];
}

/* How many links or bodies a model has: which rows of its table say so. */
typedef struct ph_numbering {
    const char *what;       /* "links", for messages */
    size_t count;           /* row of their number, 0: as the lists say; PH_NO_INDEX: always `otherwise` */
    size_t lists[4];        /* (n_lists) rows with one number for all or one for each */
    size_t n_lists;         /* how many */
    size_t otherwise, most; /* where neither says; the largest number */
} ph_numbering;

/* PH_E_SIZE when what is not one number for all is a list of other than n numbers, or of more than `most`. */
ph_status ph_parameter_check_lists(const ph_parameter_value *table, const ph_numbering *rule, size_t n,
                                   ph_error *err);

/* *n <- the count, or where that is 0 the length of a list, or else `otherwise`. PH_E_SIZE as above. */
ph_status ph_parameter_number(const ph_parameter_value *table, const ph_numbering *rule, size_t *n,
                              ph_error *err);

#endif
