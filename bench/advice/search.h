/* SPDX-License-Identifier: BSD-3-Clause */
/* The search among the candidates. */
#ifndef POLHODE_BENCH_SEARCH_H
#define POLHODE_BENCH_SEARCH_H

#include "advisor.h"

/* All candidates, searched and ranked; those that meet the accuracy timed, the first of them confirmed. */
ph_status advisor_search(advisor *w, ph_error *err);

#endif
