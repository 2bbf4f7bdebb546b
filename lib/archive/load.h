/* SPDX-License-Identifier: BSD-3-Clause */
/* Libraries that are loaded when they are needed: HDF5 and libarchive bring thirty others, and a program that starts would
 * spend most of its time on their symbols. PH_LOADED_HDF5 and PH_LOADED_LIBARCHIVE are the files that configure has
 * found; without them (builds without shared libraries) these are linked as all others.
 *
 * A header of such a library lists the names that are used, has a struct with the address of each, and makes each name a
 * member of it: code that uses them begins with PH_..._OF(where it has the struct). */
#ifndef PH_ARCHIVE_LOAD_H
#define PH_ARCHIVE_LOAD_H

#include <stddef.h>

#include <polhode/status.h>

/* addresses (n pointers) <- of these names in a shared library, which stays loaded until the process ends. `words` is what
 * messages call it. PH_E_UNSUPPORTED: it is not installed, or is another version. */
ph_status ph_load_library(const char *file, const char *words, const char *const *names, size_t n,
                          void *addresses, ph_error *err);

#endif
