/* SPDX-License-Identifier: BSD-3-Clause */
/* Names of the numbers of a factor, and where they are in a configuration or momentum. */
#ifndef PH_RUN_COLUMN_NAMES_H
#define PH_RUN_COLUMN_NAMES_H

#include <stdbool.h>

#include "lib/internal/space.h"

/* How the numbers of factor i are called. */
const ph_symbol *ph_number_symbol(const ph_space *space, size_t i, bool momentum);
/* name <- of the k-th number of factor i. */
void ph_number_name(const ph_space *space, size_t i, bool momentum, size_t k, char *name);
/* Where the numbers of factor i begin in z, or in p. */
size_t ph_first_number(const ph_space *space, size_t i, bool momentum);
/* How many they are. */
size_t ph_count_numbers(const ph_space *space, size_t i, bool momentum);
/* The factor that has the number `at` of the configuration or momentum. */
size_t ph_factor_of_number(const ph_space *space, bool momentum, size_t at);

#endif
