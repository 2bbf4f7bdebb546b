/* SPDX-License-Identifier: BSD-3-Clause */
/* The files of GUBAS, the General Use Binary Asteroid Simulator, read: its configuration
 * `hou_config.cfg`, what it makes of it for its integrator, `ic_input.txt`, and Fahnestock's pair of
 * files. Part of libpolhode-io.
 *
 * All numbers of a case are in SI units, whatever the file has: GUBAS mixes m, km, g/cm^3, kg/km^3 and
 * astronomical units. The frames are GUBAS's: A and B are the axes of the two bodies, N does not turn; a
 * vector in A has its components along A's axes, also where it is a velocity against N.
 *
 * Source: Davis, Scheeres, Icarus 341 (2020) 113439; Hou, Scheeres, Xin, Celest. Mech. Dyn. Astron. 127
 * (2017) 369; the files as GUBAS's own sources read them. */
#ifndef POLHODE_GUBAS_H
#define POLHODE_GUBAS_H

#include <stdbool.h>
#include <stddef.h>

#include <polhode/mass.h>
#include <polhode/status.h>

PH_BEGIN_DECLS

/** How GUBAS describes a shape. */
typedef enum ph_gubas_shape {
    PH_GUBAS_SPHERE,     /**< the first axis is the radius; gravity of a point */
    PH_GUBAS_ELLIPSOID,  /**< homogeneous */
    PH_GUBAS_POLYHEDRON, /**< from two tables */
} ph_gubas_shape;

/** One of its integrators. */
typedef enum ph_gubas_integrator {
    PH_GUBAS_RK4 = 1,  /**< classical Runge-Kutta */
    PH_GUBAS_LGVI = 2, /**< the variational integrator; it knows no perturbations */
    PH_GUBAS_RK78 = 3, /**< adaptive Runge-Kutta of order 7 and 8 */
    PH_GUBAS_ABM = 4,  /**< Adams-Bashforth-Moulton of order 4 */
} ph_gubas_integrator;

/** A body. */
typedef struct ph_gubas_body {
    ph_gubas_shape shape; /**< see there */
    size_t order;         /**< to which its moments count ("inertia integral truncation order") */
    double half_axes[3];  /**< along its axes x, y, z [m] */
    double density;       /**< [kg/m^3] */
    char vertices[512];   /**< name of the table of vertices [m], as the file has it */
    char faces[512];      /**< name of the table of faces ("tetrahedron file") */
    double love;          /**< k2, of tides */
    double reference;     /**< radius of tides [m] */
    double lag;           /**< angle of tides [rad] */
} ph_gubas_body;

/** A body far away on a Kepler orbit about the barycentre, axes N. */
typedef struct ph_gubas_orbit {
    bool on;                            /**< is it there? */
    double mass;                        /**< [kg] */
    double semimajor_axis;              /**< negative of a hyperbola [m] */
    double eccentricity;                /**< above 1 of a hyperbola */
    double inclination, node, argument; /**< [rad] */
    double periapsis;                   /**< time there [s] */
} ph_gubas_orbit;

/** A state, in the order of its files: 30 numbers. */
typedef struct ph_gubas_state {
    double r[3];       /**< place of B relative to A, in A [m] */
    double v[3];       /**< its velocity against N, in A [m/s] */
    double omega_a[3]; /**< A's angular velocity, in A [rad/s] */
    double omega_b[3]; /**< B's, in A [rad/s] */
    double Cc[9];      /**< from A to N, row-major */
    double C[9];       /**< from B to A, row-major */
} ph_gubas_state;

/** All that its files say. Plain data. */
typedef struct ph_gubas_case {
    char file[1024];       /**< which was read */
    char folder[1024];     /**< that it is in, with a "/" at the end; or empty */
    double G;              /**< [m^3/(kg s^2)] */
    size_t order;          /**< N, as GUBAS uses it: the larger one of the bodies' orders */
    size_t asked_order;    /**< "gravity expansion truncation order", which GUBAS does not use */
    ph_gubas_body body[2]; /**< A, the primary, and B */

    ph_gubas_state state; /**< at the start */

    double start, end;              /**< [s] */
    ph_gubas_integrator integrator; /**< see there */
    double step;                    /**< [s], of all but RK78 */
    double tolerance;               /**< of RK78 */

    bool read_integrals; /**< moments from files of an earlier run; the shape is used all the same */
    double interval;     /**< between outputs [s]; 0: each step; -1: the times of a file */
    bool tables;         /**< does it write CSV files? */
    char times[512];     /**< name of the file of times */
    char name[128];      /**< "case name" */

    ph_gubas_orbit planet; /**< "flyby" */
    ph_gubas_orbit sun;    /**< "heliocentric orbit" */
    bool hill;             /**< "solar gravity": a circular orbit, in Hill's limit */
    double hill_radius;    /**< of that orbit [m] */
    double hill_mass;      /**< of the Sun there [kg] */
    bool tides;            /**< by the Love numbers of the bodies */
} ph_gubas_case;

/** What a reader has to say about a file that it could read: unknown keys, values that GUBAS does not
 * use, units that look wrong. A line without an end; it need not be kept. `to` is what the caller passed.
 * */
typedef void ph_gubas_remark(void *to, const char *text);

/** *of <- what a directory of GUBAS has: its hou_config.cfg, with Fahnestock's pair of files where that
 * says so, or, where there is none, its ic_input.txt; or the file of this path, whatever its name (a
 * configuration if it has a line "[...]"). remark: nullable. Then what was read is compared with itself:
 * masses, distance and velocity that contradict each other look like wrong units, and are remarks.
 * PH_E_IO: no such file; PH_E_PARSE: file, line and key, and what would be right; PH_E_RANGE: a value that
 * cannot be. */
PH_API ph_status ph_gubas_read(const char *path, ph_gubas_case *of, ph_gubas_remark *remark, void *to,
                               ph_error *err);

/** *of <- from a configuration: INI, keys in any case. Keys that it must have and has not, or has
 * twice, are errors; unknown ones are remarks. Where there is no "Sun Mass", as in the branches Legacy,
 * Perturbed-Model and 3-Body, "Solar Mass" is also that of the circular Sun, and may be given twice.
 * Fahnestock's pair is read from the folder of the file. Errors as above. */
PH_API ph_status ph_gubas_read_config(const char *path, ph_gubas_case *of, ph_gubas_remark *remark, void *to,
                                      ph_error *err);

/** *of <- from the 85 lines of an ic_input.txt, or the 69 and 77 of the branches Perturbed-Model and
 * 3-Body, which know no orbit of the Sun, and of a planet. It has no name, no outputs and no request for
 * tables: those get "Test", each step, and true. Errors as above. */
PH_API ph_status ph_gubas_read_input(const char *path, ph_gubas_case *of, ph_error *err);

/** G, densities and the state of *of <- from Fahnestock's files `systemdata_standard_MKS_units` and
 * `initstate_standard_MKS_units`. Errors as above. */
PH_API ph_status ph_gubas_read_fahnestock(const char *system, const char *state, ph_gubas_case *of,
                                          ph_error *err);

/** A body of a case as it is, not as GUBAS takes it: signed volumes, about its centre of mass, with its whole
 * inertia tensor, and an ellipsoid with all its moments; where its order is below 4 those of degree 2 alone,
 * where it is 0 none, as asked. */
typedef struct ph_gubas_solid {
    ph_mass mass; /**< [kg m^n] */
    double
        center[3]; /**< where the centre of mass was in the frame of the file, which GUBAS takes for it [m] */
    int turned;    /**< were all faces inside out? They were taken the other way round */
} ph_gubas_solid;

/** *to <- body i (0: A, 1: B). Errors of ph_shape_read_tables and ph_mass_polyhedron, which name the face. */
PH_API ph_status ph_gubas_solid_of(const ph_gubas_case *of, size_t i, ph_gubas_solid *to, ph_error *err);

/** text <- the number as Python prints it: the fewest digits that are read as the same number, "7200.0",
 * "1e-05". */
PH_API void ph_gubas_number(double value, char text[32]);

/* ---- GUBAS's own equations ----------------------------------------------------------------------------- */

/** The motion of a case as GUBAS computes it, with all that differs from the right equations, for
 * comparisons with its results: its 30 numbers by RK4, Adams-Bashforth-Moulton or its variational
 * integrator, in km, kg and s. The differences are listed in the manual, "From GUBAS and GRIT", and in
 * lib/gubas/motion.c. */
typedef struct ph_gubas_motion ph_gubas_motion;

/** *motion <- at the start. Shapes are read from the folder of the case. PH_E_UNSUPPORTED: the
 * integrator is RK 7(8), which has no fixed steps, or what GUBAS itself does not compute; errors of
 * ph_shape_read_tables; PH_E_NO_MEMORY. */
PH_API ph_status ph_gubas_motion_create(const ph_gubas_case *of, ph_gubas_motion **motion, ph_error *err);
PH_API void ph_gubas_motion_free(ph_gubas_motion *motion); /**< Free; NULL is allowed. */

/** One step. PH_E_DIVERGED where the state is no longer finite, PH_E_NO_SOLUTION where the variational
 * step has none; the state stays then. */
PH_API ph_status ph_gubas_motion_step(ph_gubas_motion *motion, ph_error *err);

/** t, x, U (each nullable) <- the time [s], the state, the mutual potential [J]. */
PH_API void ph_gubas_motion_look(const ph_gubas_motion *motion, double *t, ph_gubas_state *x, double *U);

/** planet, sun (6, each nullable) <- place and velocity [m, m/s] against the barycentre, axes N, as GUBAS
 * writes them: those of the step before, but at the start. Zeros where it has none. */
PH_API void ph_gubas_motion_perturbers(const ph_gubas_motion *motion, double planet[6], double sun[6]);

/** Masses and inertia tensors of a pair, as tables need them. */
typedef struct ph_gubas_pair {
    double mass[2]; /**< [kg] */
    double J[2][9]; /**< in the axes of each [kg m^2] */
} ph_gubas_pair;

/** Those of the motion; the tensors are diagonal, as GUBAS takes them. */
PH_API void ph_gubas_motion_pair(const ph_gubas_motion *motion, ph_gubas_pair *pair);

/* ---- GUBAS's output ------------------------------------------------------------------------------------ */

/** The files that GUBAS writes, LagrangianStateOut_..., HamiltonianStateOut_..., FHamiltonianStateOut_...,
 * Energy+AngMom_..., Conservation_Energy+AngMom_..., and HyperbolicState_..., SolarState_... where there is
 * such a perturbation, with its columns, units and numbers; each appears whole, when they are closed. */
typedef struct ph_gubas_tables ph_gubas_tables;

/** *tables <- begun in this folder, which must be there. The names have the case's final time,
 * interval, step, order, integrator and name (PH_E_RANGE: it has a "/", which would lead elsewhere).
 * steps: also output_t/t_out.bin and output_x/x_out.bin, and output_h/h_out.bin, output_sun/sun_out.bin
 * with the perturbations (ph_gubas_tables_step). PH_E_IO, PH_E_NO_MEMORY; PH_E_EXISTS: somebody else
 * writes them. */
PH_API ph_status ph_gubas_tables_open(const char *folder, const ph_gubas_case *of, const ph_gubas_pair *pair,
                                      bool steps, ph_gubas_tables **tables, ph_error *err);
/** A row of each table: time, state, mutual potential [J]; planet, sun (6): [m, m/s], NULL where there is
 * none. */
PH_API void ph_gubas_tables_row(ph_gubas_tables *tables, double t, const ph_gubas_state *x, double U,
                                const double *planet, const double *sun);
/** A row of the binary files. */
PH_API void ph_gubas_tables_step(ph_gubas_tables *tables, double t, const ph_gubas_state *x,
                                 const double *planet, const double *sun);
/** Complete and free. PH_E_IO: something could not be written, and nothing of it appears. */
PH_API ph_status ph_gubas_tables_close(ph_gubas_tables *tables, ph_error *err);
PH_API void ph_gubas_tables_abandon(ph_gubas_tables *tables); /**< Nothing appears. NULL is allowed. */

PH_END_DECLS
#endif
