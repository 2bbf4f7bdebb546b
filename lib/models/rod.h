/* SPDX-License-Identifier: BSD-3-Clause */
/* Slender rods and cables as chains of n links that do not stretch (ph_linkage), with a direction at the
 * root, a constant force F on the tip and a spring from the tip to a fixed point:
 *     U = (1/2) sum_{i=1..n} k_i |q_i - q_{i-1}|^2 - F . x_n + (1/2) K |x_n - a|^2,      x_n = sum l_i q_i,
 * in addition to gravity; q_0 is the clamped direction. As |q_i - q_{i-1}|^2 / 2 = 1 - cos theta_i, the
 * energies of the joints are the midpoint rule for (EI/2) int kappa^2 ds, with each joint standing for the
 * halves of the two links that meet there:
 *     k_i = EI / ((l_{i-1} + l_i)/2),      k_1 = EI / (l_1/2) at a clamp,
 * an error of order 2 in the lengths. Inertia and weight have an error of the same order where half of the
 * mass of each link is at each of its ends: the last point mass is half of the others, and the other half
 * rests on the fixed point. U is quadratic in the q's, so that its second derivative is constant, also off
 * the spheres; it costs O(n). */
#ifndef PH_INTERNAL_ROD_H
#define PH_INTERNAL_ROD_H

#include "model.h"

/* The rows that these models begin with: a uniform rod by its totals. */
enum { PH_ROD_LENGTH, PH_ROD_MASS, PH_ROD_LINKS, PH_ROD_GRAVITY, PH_ROD_PARAMETERS };
enum { PH_ROD_MOST = 1000000 };

#define PH_ROD_LINKS_ROW(n, text) PH_COUNT("links", PH_FROM((n) > 0, PH_ROD_MOST), n, text)
#define PH_ROD_ROWS(length, mass, links)                                                                     \
    [PH_ROD_LENGTH] = PH_NUMBER("length", "m", PH_POSITIVE, length, "its whole length"),                     \
    [PH_ROD_MASS] = PH_NUMBER("mass", "kg", PH_POSITIVE, mass, "its whole mass, spread evenly"),             \
    [PH_ROD_LINKS] = links, [PH_ROD_GRAVITY] = PH_GRAVITY(-9.81)
#define PH_ROD_BENDING(EI)                                                                                   \
    PH_NUMBER("bending_stiffness", "N m^2", PH_NOT_NEGATIVE, EI, "EI, the same in all directions")

/* A rod; one block, free() it. */
typedef struct ph_rod {
    size_t n;
    double G[3];
    double clamp[3];        /* q_0, a unit vector; zeros: a ball joint */
    double load[3];         /* F */
    double anchor[3], hold; /* a, K */
    double *length, *mass;  /* (n) l_i, m_i */
    double *joint;          /* (n) k_i, of the joint before link i */
    double storage[];
} ph_rod;

/* *rod <- n equal links with the whole length and mass and the gravity of the table, all else 0; the last mass is half as large
 * as the others. PH_E_NO_MEMORY. */
ph_status ph_rod_create(const ph_model_table *table, size_t n, ph_rod **rod, ph_error *err);
/* Sets k_i from EI. Lengths and clamp must be set before. */
void ph_rod_stiffen(ph_rod *rod, double EI);
/* clamp <- the direction; PH_E_INVALID where it is 0. */
ph_status ph_rod_clamp(ph_rod *rod, const ph_parameter_value *direction, ph_error *err);

/* *system <- the system of the rod. Takes ownership of the rod, also on failure. */
ph_status ph_rod_build(ph_rod *rod, ph_system **system, ph_error *err);

/* Sum of the lengths. */
double ph_rod_reach(const ph_rod *rod);
/* Right-handed frame: along the clamp, or horizontal without one; the direction nearest to that of gravity
 * that is perpendicular to it; and the third one across. */
void ph_rod_frame(const ph_rod *rod, double along[3], double down[3], double across[3]);

/* q (3 n) <- all links along gravity, or -e3 without. */
void ph_rod_hang(const ph_rod *rod, double *q);
/* q (3 n) <- the stable equilibrium of a clamped rod that is reached downhill from the straight rod
 * (bent very slightly, so that a column that buckles does so). hold must be 0. PH_E_NO_CONVERGENCE,
 * PH_E_NO_MEMORY. */
ph_status ph_rod_settle(const ph_rod *rod, double *q, ph_error *err);

/* v <- v/|v| to rounding, whatever its size; zero stays. Returns |v|. */
double ph_rod_direction(double v[3]);

#endif
