/* SPDX-License-Identifier: BSD-3-Clause */
/* C that is compiled by the compiler of the machine, and loaded. */
#ifndef PH_FORMULA_COMPILE_H
#define PH_FORMULA_COMPILE_H

#include <polhode/status.h>

#include <stddef.h>

/* *library <- the text (length) as a shared object, for dlclose: that of the cache, or a new one.
 * PH_E_UNSUPPORTED: no compiler, or it failed; PH_E_IO; PH_E_NO_MEMORY. */
ph_status ph_compile(const char *text, size_t length, void **library, ph_error *err);

#endif
