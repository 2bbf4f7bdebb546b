/* SPDX-License-Identifier: BSD-3-Clause */
/* What the kinds of `polhode bench` share. */
#ifndef POLHODE_TOOLS_BENCH_H
#define POLHODE_TOOLS_BENCH_H

#include "bench/common/contender.h"
#include "bench/common/problem.h"
#include "bench/report/page.h"

/* As command_bench; argv[0] is the word behind `bench`. */
int bench_scaling(int argc, char **argv);
int bench_peers(int argc, char **argv);
int bench_archive(int argc, char **argv);
int bench_roundoff(int argc, char **argv);

/* *value <- the positive number of seconds. 0, or an exit code + 1. */
int bench_seconds(const char *text, const char *what, double *value);
/* The directory is there, and none of the files, unless they may be replaced. */
ph_status bench_prepare(const char *directory, int force, const char *const *names, size_t n, ph_error *err);
/* *list <- the contenders that were named, in an array to be freed. */
ph_status bench_contenders(const char *const *names, size_t n, contender **list, ph_error *err);
/* A problem of the table, or one made of a scenario file; p->name is then the name given here. */
ph_status bench_load(const char *name, problem *p, ph_scenario **scenario, ph_error *err);
/* A word on figures that are not there, for the line that says what was written. */
const char *bench_figures(report_figures figures);

#endif
