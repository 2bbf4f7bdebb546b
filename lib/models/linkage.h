/* SPDX-License-Identifier: BSD-3-Clause */
/* Massless links with a point mass at the end of each, which hang on one another: from a fixed point or
 * from a cart, in space or in a plane, as a chain or as a tree. What the models of them share: rows of
 * parameters, building, initial conditions. With q_i the direction of link i, in d coordinates (S^2 in
 * space, d = 3; S^1 in a plane, d = 2; the last one points up), mass i is at
 *     x_i = y + l_i q_i + sum of l_j q_j over the links j that i hangs on,
 * y the fixed point, the cart or the body that carries them. So with G the acceleration of gravity
 *     T = (1/2) sum_ij M_ij qdot_i . qdot_j,     M_ij = l_i l_j (sum of m_k over what hangs on i and on j),
 *     U = - sum_i (sum of m_k over what hangs on i) l_i G . q_i
 * (Lee, Leok, McClamroch, two-spheres, section V, for a chain), where i hangs on itself. With a cart of
 * mass m_0 in R^(d-1), m_c = sum m_k, c_i = (sum_{k>=i} m_k) l_i and (.)_h the horizontal part, T also has
 *     (1/2) (m_0 + m_c) |ydot|^2 + ydot . sum c_i (qdot_i)_h
 * (Lee, Leok, McClamroch, Dynamics and control of a chain pendulum on a cart, CDC 2012). */
#ifndef PH_MODELS_LINKAGE_H
#define PH_MODELS_LINKAGE_H

#include "model.h"

/* ---- Parameters ----------------------------------------------------------------------------------- */

/* The rows that models of chains begin with. Their names and defaults differ, and whether there is a number for each
 * link (kind PER_LINK) or one link only (NUMBER); link: "link" or "rod". */
enum { PH_LINKS_MASS, PH_LINKS_LENGTH };
#define PH_LINKS_ROWS(kind, mass, m, length, l, link)                                                        \
    [PH_LINKS_MASS] = PH_ROW(kind, mass, "kg", PH_POSITIVE, m, "point mass at the end of a " link),          \
    [PH_LINKS_LENGTH] = PH_ROW(kind, length, "m", PH_POSITIVE, l, "length of a " link)

/* The row of their number, which may be 0 and is then that of the numbers in `lists`, or 5. */
enum { PH_LINKS_DEFAULT = 5 };
#define PH_LINKS_NUMBER(most, lists)                                                                         \
    PH_COUNT("links", PH_FROM(0, most), 0,                                                                   \
             "number of links; 0: as many as a list of " lists " has numbers, or 5")

/* ---- Building ------------------------------------------------------------------------------------- */

/* Links as the parameters of a model describe them. */
typedef struct ph_links {
    size_t n, d;                             /* how many; coordinates of each: 3 or 2 */
    const ph_parameter_value *mass, *length; /* [kg], [m] one for all or one for each */
    double G[3];                             /* [m/s^2] (d) acceleration of gravity */
    double cart;                             /* [kg] m_0; 0: they hang from a fixed point */
    bool carried;         /* for presets: by a cart or a body, so that the last axis is up */
    const size_t *parent; /* (n) as in ph_linkage; NULL: a chain */
} ph_links;

/* *links <- those of a table that begins with the rows above, numbered by the rule, in d coordinates; all
 * else 0. PH_E_SIZE where a list has neither one number nor as many as there are links. */
ph_status ph_links_read(const ph_model_table *table, const ph_numbering *rule, size_t d, ph_links *links,
                        ph_error *err);

/* *system <- their system. rest: its definition without space and inertia, whose user block it takes, also on
 * failure; NULL: no forces, and the rotations that gravity leaves as symmetries (links from a fixed point).
 * The errors of ph_system_create. */
ph_status ph_links_build(const ph_links *links, const ph_system_definition *rest, ph_system **system,
                         ph_error *err);

/* Generators of symmetries: the cart or body moves along e1, e2 or e3, links and attitude stay. The user block begins with the
 * number of numbers of a momentum (size_t), which is that of xi, in the layout of angular velocities. */
ph_status ph_links_move1(void *user, const double *z, double *xi);
ph_status ph_links_move2(void *user, const double *z, double *xi);
ph_status ph_links_move3(void *user, const double *z, double *xi);

/* ---- Initial conditions --------------------------------------------------------------------------- */

/* The presets of a chain, in this order. */
enum { PH_LINKS_CURVED, PH_LINKS_HANGING, PH_LINKS_HORIZONTAL, PH_LINKS_UPRIGHT };

/* What is said of them: in space, and of links that hang from a fixed point ("along x"). */
#define PH_LINKS_CURVED_TEXT                                                                                 \
    "q_i = (cos 0.3(i-1), 0, -sin 0.3(i-1)); mass i of n moves at 0.5 i/n m/s along e2"
#define PH_LINKS_STRAIGHT_PRESETS(link, horizontal)                                                          \
    {"hanging", "all " link "s along gravity, at rest: the stable equilibrium"},                             \
        {"horizontal", "all " link "s " horizontal ", at rest"},                                             \
    {                                                                                                        \
        "upright", "all " link "s against gravity, at rest: the unstable equilibrium"                        \
    }

/* z, zdot <- that preset of a chain, a cart at rest at the origin. Straight links are at rest, along
 * gravity, against it or horizontal; carried, or without gravity, by the last axis. `curved` bends by 0.3
 * rad from link to link downwards from the horizontal and moves at right angles to the plane (d = 3), or
 * carried in it (d = 2), so that l_i |qdot_i| = 0.5/n m/s; in a plane from a fixed point it is at rest,
 * too. */
void ph_links_preset(const ph_links *links, int preset, double *z, double *zdot);

/* q (d n) <- n times the direction (d). */
void ph_links_align(size_t n, size_t d, const double *direction, double *q);

/* q <- the direction in a plane at this angle from where gravity points (0, -1 without), counterclockwise. */
void ph_links_direction(const ph_links *links, double angle, double q[2]);

#endif
