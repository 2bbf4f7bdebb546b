/* SPDX-License-Identifier: BSD-3-Clause */
/* A long curve in planes, thinned while its points are read, so that the picture is that of all points to less than a cell of its raster:
 * a piece of the curve is kept where it covers a cell that no piece before it covers. Memory does not grow with the number of points. */
#ifndef POLHODE_FIGURES_THIN_H
#define POLHODE_FIGURES_THIN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "picture.h"

enum { THIN_PLANES = 3, THIN_NUMBERS = 9 };

/* Two numbers of a point, and where they are drawn. */
typedef struct thin_plane {
    size_t x, y; /* numbers of a point; time is number 0 */
    bool turns;  /* x is an angle in (-pi, pi]: the curve leaves on one side and comes back on the other */
    double x_least, x_most, y_least, y_most;
} thin_plane;

typedef struct thin {
    size_t n; /* numbers of a point: time and coordinates */
    thin_plane planes[THIN_PLANES];
    size_t n_planes;
    bool dots;                        /* points, else lines between neighbouring ones */
    size_t cells;                     /* of a raster in each direction */
    size_t most;                      /* points kept; beyond them the cells become twice as wide */
    unsigned char *seen[THIN_PLANES]; /* (cells x cells) bits */
    table kept; /* rows of n; NaN as time separates lines; NaN as x interrupts one plane */
    int64_t entered;
    double before[THIN_NUMBERS], last[THIN_NUMBERS]; /* the point before, and the last one that is kept */
    bool begun, joined; /* is there one before? are all since the last one within a cell of it? */
} thin;

/* *t <- empty, with rasters of cells x cells (a power of two, at least 8), for at most `most` points (at least 16). PH_E_NO_MEMORY.
 * thin_free also after an error. */
ph_status thin_start(thin *t, size_t n, const thin_plane *planes, size_t n_planes, bool dots, size_t cells,
                     size_t most, ph_error *err);
/* Enters the next point (n). A coordinate that is not finite interrupts the curve. PH_E_NO_MEMORY. */
ph_status thin_enter(thin *t, const double *point, ph_error *err);
/* The largest share of a plane's cells that is covered. */
double thin_covered(const thin *t);
void thin_free(thin *t);

/* Extent of the points of a curve, and how far apart they are, which says how it is drawn. */
typedef struct extent {
    size_t n;
    int64_t entered;
    double first[THIN_NUMBERS], before[THIN_NUMBERS]; /* the first and the last point */
    double least[THIN_NUMBERS], most[THIN_NUMBERS], way[THIN_NUMBERS];
    unsigned angles; /* bit i: number i is an angle */
} extent;

extent extent_start(size_t n, unsigned angles);
void extent_enter(extent *e, const double *point);
/* How far a point is from the one before it, on average, in parts of these widths: the larger of two directions. */
double extent_stride(const extent *e, size_t x, double width, size_t y, double height);

#endif
