/* SPDX-License-Identifier: BSD-3-Clause */
/* Kepler's equation, which elements.c solves. */
#ifndef PH_GRAVITY_ANOMALY_H
#define PH_GRAVITY_ANOMALY_H

/* The eccentric anomaly E of an ellipse (e < 1), E - e sin E = M modulo 2 pi, or that of a hyperbola (e > 1), e sinh H - H = M. */
double ph_eccentric_anomaly(double e, double M);

#endif
