/* SPDX-License-Identifier: BSD-3-Clause */
/* Slender rods and cables as chains of n links that do not stretch (ph_linkage), with a direction at the
 * root, a constant force F on the tip and a spring from the tip to a fixed point:
 *     U = (1/2) sum_{i=1..n} k_i |q_i - q_{i-1}|^2 - F . x_n + (1/2) K |x_n - a|^2,      x_n = sum l_i q_i,
 * beside gravity; q_0 is the clamped direction. As |q_i - q_{i-1}|^2 / 2 = 1 - cos theta_i, the energies of
 * the joints are the midpoint rule for (EI/2) int kappa^2 ds where the joint stands for the half links beside
 * it:
 *     k_i = EI / ((l_{i-1} + l_i)/2),      k_1 = EI / (l_1/2) at a clamp,
 * an error of order 2 in the lengths. Inertia and weight have one of this order, too, when the mass of a half
 * link is at each of its ends: the last point mass has half of what the others have, and as much rests on the
 * fixed point. All of U is quadratic in the q's, of constant second derivative also off the spheres, and
 * costs O(n). */
#ifndef PH_INTERNAL_ROD_H
#define PH_INTERNAL_ROD_H

#include "parameters.h"

/* The rows that these models begin with: a uniform rod by its totals. */
enum { PH_ROD_LENGTH, PH_ROD_MASS, PH_ROD_LINKS, PH_ROD_GRAVITY, PH_ROD_PARAMETERS };
enum { PH_ROD_MOST = 1000000 };

#define PH_ROD_LINKS_ROW(n, text)                                                                            \
    {                                                                                                        \
        "links", PH_PARAMETER_COUNT, "1", (n) > 0, PH_ROD_MOST, {n}, text                                    \
    }
#define PH_ROD_TABLE(length, mass, links)                                                                    \
    [PH_ROD_LENGTH] = {"length", PH_PARAMETER_NUMBER, "m", DBL_MIN, DBL_MAX, {length}, "its whole length"},  \
    [PH_ROD_MASS] =                                                                                          \
        {"mass", PH_PARAMETER_NUMBER, "kg", DBL_MIN, DBL_MAX, {mass}, "its whole mass, spread evenly"},      \
    [PH_ROD_LINKS] = links, [PH_ROD_GRAVITY] = PH_GRAVITY_PARAMETER(-9.81)

#define PH_ROD_BENDING_ROW(EI)                                                                               \
    {                                                                                                        \
        "bending_stiffness", PH_PARAMETER_NUMBER, "N m^2", 0, DBL_MAX, {EI},                                 \
            "EI, the same in all directions"                                                                 \
    }

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

/* *rod <- n links, all else 0. PH_E_NO_MEMORY. */
ph_status ph_rod_create(size_t n, ph_rod **rod, ph_error *err);
/* Lengths and masses of n equal links; the last mass is half as large. */
void ph_rod_spread(ph_rod *rod, double length, double mass);
/* k_i from EI; lengths and clamp are there. */
void ph_rod_stiffen(ph_rod *rod, double EI);
/* clamp <- the direction; PH_E_INVALID where it is 0. */
ph_status ph_rod_clamp(ph_rod *rod, const ph_parameter_value *direction, ph_error *err);

/* *system <- its system; takes the rod, also when it fails. */
ph_status ph_rod_build(ph_rod *rod, ph_system **system, ph_error *err);

/* Sum of the lengths. */
double ph_rod_reach(const ph_rod *rod);
/* Right-handed frame: along the clamp, or horizontal without one; the direction next to gravity's that is
 * perpendicular to it; across. */
void ph_rod_frame(const ph_rod *rod, double along[3], double down[3], double across[3]);

/* q (3 n) <- all links along gravity, or -e3 without. */
void ph_rod_hang(const ph_rod *rod, double *q);
/* q (3 n) <- of a clamped rod the stable equilibrium that is downhill from the straight rod (bent by next to
 * nothing, so that one that buckles does so). hold is 0. PH_E_NO_CONVERGENCE, PH_E_NO_MEMORY. */
ph_status ph_rod_settle(const ph_rod *rod, double *q, ph_error *err);

/* v <- v/|v| to rounding, whatever its size; zero stays. Returns |v|. */
double ph_rod_direction(double v[3]);

#endif
