/* SPDX-License-Identifier: BSD-3-Clause */
/* The cache of compiled formulas: a directory of ours, in which a shared object has the name of its key. */
#ifndef PH_FORMULA_CACHE_H
#define PH_FORMULA_CACHE_H

#include <stdbool.h>
#include <stddef.h>

/* A descriptor of $XDG_CACHE_HOME/polhode/formulas, else ~/.cache/polhode/formulas, created where it is missing. -1: it is not
 * for us alone, or is not to be had. */
int ph_cache_open(void);
/* Has the directory an intact file of this name, ours and not writable by others? Then it counts as new. */
bool ph_cache_has(int directory, const char *name);
/* A copy of a file there, in one step for others who look; the oldest are removed, so that 64 MiB remain. */
bool ph_cache_put(int directory, const char *name, const char *from);

#endif
