/* SPDX-License-Identifier: BSD-3-Clause */
/* The version, kept here only: configure.ac reads it from this file. */
#ifndef POLHODE_VERSION_H
#define POLHODE_VERSION_H

#include <polhode/export.h>

/** The version of these headers. */
#define PH_VERSION "0.1.0"

PH_BEGIN_DECLS

/** The version of the library that is linked, which may differ from PH_VERSION of the headers.
 * A static string; thread-safe. */
PH_API const char *ph_version(void);

PH_END_DECLS
#endif
