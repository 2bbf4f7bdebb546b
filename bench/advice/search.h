/* SPDX-License-Identifier: BSD-3-Clause */
/* The search among the candidates: its parts, and the whole. */
#ifndef POLHODE_BENCH_SEARCH_H
#define POLHODE_BENCH_SEARCH_H

#include "advisor.h"
#include "bench/common/contender.h"

/* All candidates, searched and ranked; those that meet the accuracy timed, the first of them confirmed. */
ph_status advisor_search(advisor *w, ph_error *err);

/* ---- Candidates (candidates.c) --------------------------------------------------------------------- */

/* w->a->rows <- a row for each method of the catalogue that takes the system, in each of its orders and
 * compositions. */
void candidates_list(advisor *w);
/* A trajectory that is extrapolated beyond the span has to be so many times better than is required: a factor on its errors. */
double search_margin(const advisor *w);
/* Does it choose its own steps, by a tolerance? */
bool candidate_is_adaptive(const advice_row *row);
/* What a contender claims on this system; *order <- its order there. */
unsigned candidate_claims(const advisor *w, const contender *c, int *order);
/* May its energy error be taken not to drift? */
bool candidate_keeps_structure(const advisor *w, unsigned claims);
/* row <- what a run through the span, in m steps a stretch, predicts for the horizon. */
void candidate_predict(const advisor *w, advice_row *row, const span_run *r, int64_t m);
/* The error at the horizon that the accuracy is a bound on: of the energy, or of the trajectory. */
double candidate_error(const advisor *w, const advice_row *row);
/* Is an energy error asked for that is extrapolated? Then it has to be of a method that keeps the energy, unless the method is given. */
bool candidates_must_keep(const advisor *w);
/* a->order and a->best by verdict, then by CPU time. */
void candidates_rank(const advisor *w);

/* ---- The search for a setting (step-search.c, tolerance-search.c) ----------------------------------- */

/* The largest step that meets the accuracy, in at most `bound` s of CPU time, about. */
void search_step(advisor *w, advice_row *row, double bound);
/* The smallest number of steps a stretch that is at least m; slightly more where that gives a step of few
 * digits. */
int64_t search_round_up(const advisor *w, double m);

/* Half digits of the tolerance of an adaptive method: 8 is 1e-4, 9 is 3e-5, 10 is 1e-5, ... */
enum { HALVES_LEAST = 8, HALVES_MOST = 28, HALVES_FINEST = 30 };

/* The loosest tolerance that meets the accuracy, as search_step. */
void search_tolerance(advisor *w, advice_row *row, double bound);
/* A run through the span with that many half digits, which are entered in the row. */
span_run search_run_tolerance(const advisor *w, advice_row *row, int halves, double bound);
/* Stops in a stretch, of an adaptive method. */
int64_t search_stops(const advisor *w);
/* text <- METHOD with that tolerance. */
void search_write_tolerance(char *text, size_t size, const ph_method *method, int halves);

/* ---- Afterwards (confirm.c) -------------------------------------------------------------------------- */

/* Follow the first row to the horizon, or as far as the budget allows, until it is confirmed there; one that is not
 * as good as predicted gets a smaller step or tolerance, and the rows are ranked again. begun: when the search began [s]. */
ph_status search_confirm(advisor *w, double begun, ph_error *err);

#endif
