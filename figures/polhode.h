/* SPDX-License-Identifier: BSD-3-Clause */
/* A picture of polhodes as SVG: the paths of a rigid body's momentum in the body frame, on its energy ellipsoid. It
 * needs no other program, and stands alone or inside a page. */
#ifndef POLHODE_FIGURES_POLHODE_H
#define POLHODE_FIGURES_POLHODE_H

#include <stddef.h>
#include <stdio.h>

/* The path of one method; those that come later are drawn over those before. */
typedef struct polhode_line {
    const char *title;    /* written below the picture, in its colour, or NULL */
    const char *colour;   /* "#c1272d" */
    const double *points; /* (n x 3) momenta in the body frame [kg m^2/s], in any order; each becomes a dot */
    size_t n;
} polhode_line;

typedef struct polhode {
    double J[9]; /* inertia tensor in the body frame, row-major [kg m^2] */
    /* (3) momentum at the start: its energy is that of the ellipsoid, and the picture is seen from the side of the
     * axis around which it goes */
    const double *start;
    const polhode_line *lines;
    size_t n;
} polhode;

/* Write one <svg> element with its description in words, which is escaped. */
void polhode_draw(FILE *f, const polhode *p, const char *words);
/* Write the ellipsoid, from where it is seen, and the paths as data (data.h), all in principal axes and in units of the momentum's
 * length at the start. A line without a title has that of `titles` (n), nullable. */
void polhode_data(FILE *f, const polhode *p, const char *const *titles);

#endif
