/* SPDX-License-Identifier: BSD-3-Clause */
/* Making the comparison on one system. */
#ifndef POLHODE_BENCH_BINARY_MAKE_H
#define POLHODE_BENCH_BINARY_MAKE_H

#include "binary.h"

/* names: methods, with options. An interruption is not a failure. */
ph_status binary_make(binary *b, const binary_case *of, const char *const *names, size_t n,
                      const binary_plan *plan, ph_error *err);

#endif
