/* SPDX-License-Identifier: BSD-3-Clause */
/* Distributions of the values of a key in ensemble.sample. */
#ifndef PH_SCENARIO_DRAWS_H
#define PH_SCENARIO_DRAWS_H

#include "lib/random/random.h"

#include "yaml.h"

/* What is drawn. */
typedef enum ph_draw_kind {
    PH_DRAW_UNIFORM,
    PH_DRAW_NORMAL,
    PH_DRAW_LOG_UNIFORM,
    PH_DRAW_SPHERE, /* 3 numbers */
    PH_DRAW_CAP,    /* likewise, within an angle of an axis */
    PH_DRAW_AROUND, /* likewise, by von Mises and Fisher */
    PH_DRAW_ROTATION /* a quaternion, 4 numbers */,
    PH_DRAW_TANGENT /* a tangent vector, by which the state is moved */
} ph_draw_kind;

typedef struct ph_draw {
    ph_draw_kind kind;
    double a, b; /* bounds; mean and standard deviation; of a cap 1 - cos of its angle; the concentration */
    double axis[3]; /* unit */
    size_t n;       /* numbers of a tangent vector; 0: as many as the factor has, with the deviation b each */
    double
        *factor; /* (n x n) lower triangular, whose square is the covariance; or NULL: b is the deviation */
    ph_yaml *file;
    int at; /* the node that says it, for messages */
} ph_draw;

/* Reads one; draw->factor is malloc's also where it fails. */
ph_status ph_read_draw(const ph_node *at, ph_draw *draw, ph_error *err);
/* How many numbers it has, and whether they are those of a list. */
size_t ph_draw_numbers(const ph_draw *draw, bool *list);
/* values <- of this stream. */
void ph_draw_values(const ph_draw *draw, const ph_stream *stream, double *values);

#endif
