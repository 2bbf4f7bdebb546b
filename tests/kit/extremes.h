/* SPDX-License-Identifier: BSD-3-Clause */
/* Models of the catalogue with a parameter so large or small that numbers of their scenes overflow. */
#ifndef POLHODE_TESTS_EXTREMES_H
#define POLHODE_TESTS_EXTREMES_H

#include <polhode/system.h>

/* Calls use(the name of the model, its system) of each that can be built; a refusal must not be one of its parts. Result: how many
 * there were. */
size_t for_extremes(void (*use)(const char *model, const ph_system *system));

#endif
