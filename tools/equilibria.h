/* SPDX-License-Identifier: BSD-3-Clause */
/* What polhode equilibria finds (equilibria-search.c), and how it is shown (equilibria-words.c, equilibria-figure.c). */
#ifndef POLHODE_TOOLS_EQUILIBRIA_H
#define POLHODE_TOOLS_EQUILIBRIA_H

#include <polhode/domain/equilibria.h>
#include <polhode/scenario.h>

#include "program.h"

/* A point of a family, without its configuration. */
typedef struct family_point {
    double momentum, rate, energy, growth;
    size_t negative;
    ph_stability stability;
    ph_family_mark mark;
} family_point;

typedef struct family {
    size_t from;      /* the equilibrium that it begins at */
    size_t reached;   /* the one that it ends at, PH_NO_INDEX: none */
    bool same;        /* the same as an earlier one, from its other end: without points */
    family_point *at; /* (n) */
    size_t n, room;
    ph_family_end end;
} family;

typedef struct findings {
    const ph_scenario *scenario;
    const ph_system *system;
    const ph_symmetry *symmetry; /* NULL: none, equilibria at rest only */
    ph_equilibria *workspace;
    double momentum, to; /* to: NaN where families are not followed */
    int64_t starts;      /* from which Newton's iteration began */
    ph_equilibrium **at; /* (n), by energy */
    size_t n;
    family *families; /* (n), NULL where they are not followed */
} findings;

/* f->at <- what Newton's iteration finds from the initial configuration and so many random ones; all else of f is
 * given. PH_E_INTERRUPTED, PH_E_NO_MEMORY. */
ph_status equilibria_search(findings *f, int64_t starts, progress *shown, ph_error *err);
/* PH_E_INTERRUPTED after a signal: "interrupted in the search". */
ph_status equilibria_interrupted(const char *what, ph_error *err);
/* f->families <- from f->momentum to f->to. */
ph_status equilibria_follow(findings *f, progress *shown, ph_error *err);
/* z <- a start for the search: directions at random; on R^d, and on embedded manifolds, somewhere about the initial
 * configuration. The next state of the random numbers is kept. */
ph_status equilibria_draw_start(const ph_space *space, const double *initial, uint64_t *state, double *z);
/* f->at <- also where the families arrive that begin at rest, found from so many starts. */
ph_status equilibria_seed(findings *f, int64_t starts, progress *shown, ph_error *err);
/* Is there one with the same energy and curvatures among f->at? Such differ by symmetries: by where a cart stands. */
bool equilibria_is_alike(const findings *f, const ph_equilibrium *found);
/* Is it among f->at, up to the symmetry, or where the system has others too, by being alike? And f->at <- also a copy of it. */
bool equilibria_is_known(const findings *f, const ph_equilibrium *found);
ph_status equilibria_keep(findings *f, const ph_equilibrium *found, ph_error *err);
/* Give back what all of these have made. */
void equilibria_clear(findings *f);

/* The frequencies [rad/s] of the equilibrium, the largest first: the imaginary parts above 0; n at most nx. */
size_t equilibria_frequencies(const ph_equilibrium *at, double *frequencies);

/* DIRECTORY/equilibrium-NUMBER.yaml: the scenario with another initial state, and a comment about it. The exit status. */
int equilibria_write(const ph_scenario *sc, size_t number, const double *z, const double *zdot,
                     const char *about, const char *directory);
/* With velocity constraints: find, print and, where write is not NULL, write the steady motion nearest to the initial state. The
 * exit status. */
int equilibria_steady(const ph_scenario *sc, bool json, bool quiet, const char *write);

/* [[real, imaginary], ...], n of them. */
json_object *equilibria_eigenvalues(builder *b, const double *real, const double *imaginary, size_t n);
void equilibria_print(const findings *f);
int equilibria_print_json(const findings *f);
/* Write the energy-momentum diagram of findings as SVG. PH_E_NO_MEMORY. */
ph_status equilibria_draw(FILE *out, const void *self, ph_error *err);

#endif
