/* SPDX-License-Identifier: BSD-3-Clause */
/* Systems as formulas: the energy as text, on any product of R^d, S^1, S^2, SO(3) and spheres as phase
 * space; gradients, second derivatives and derivatives of the inertia follow from it, exactly. With z in
 * ambient coordinates and d(e) = sum_k (de/dz_k) zdot_k + de/dt,
 *
 *     space {r: R1, q: S2}    where {p: r*q}
 *     kinetic m/2*dot(d(p), d(p))    potential k/2*(r - l)^2 + m*g*p.z
 *
 * is a mass on a spring. The language is described in doc/reference/formulas.md. What L = kinetic - potential
 * is (constant inertia, one that depends on z, any function) is seen from the structure of the expressions;
 * the system is created with what it needs, like any other (ph_system_create). */
#ifndef POLHODE_FORMULA_H
#define POLHODE_FORMULA_H

#include <stddef.h>

#include <polhode/definition.h>
#include <polhode/status.h>

PH_BEGIN_DECLS

/** A name and its text. */
typedef struct ph_formula_line {
    const char *name; /**< what it is called */
    const char *text; /**< a formula; of a factor its kind */
    const char *unit; /**< nullable: of a coordinate of R^d, which is m without */
} ph_formula_line;

/** A number, a vector or a matrix. One that is exactly 0 is part of the structure. */
typedef struct ph_formula_parameter {
    const char *name;     /**< what it is called */
    unsigned rank;        /**< 0: a number, 1: a vector, 2: a matrix */
    size_t rows;          /**< of a number 1 */
    size_t columns;       /**< of a number and a vector 1 */
    const double *values; /**< (rows x columns), row-major, in its unit */
    const char *unit;     /**< nullable; units of formulas are checked where each parameter has one */
} ph_formula_parameter;

/** A force, by one of three pairs of formulas; the others are NULL. */
typedef struct ph_formula_force {
    const char *at;     /**< the place of a point, on which a force acts: a vector */
    const char *force;  /**< with it: the force, a vector of the same length [N] */
    const char *on;     /**< the name of a factor, on which a moment or a torque acts */
    const char *moment; /**< with a factor SO3: a vector in the body frame [N m] */
    const char *torque; /**< with a factor S2 or S1: a torque in space, a vector or a number [N m] */
} ph_formula_force;

/** A symmetry by its generator xi, in the form that pairs with the momenta (ph_generator_fn). */
typedef struct ph_formula_generator {
    const char *name; /**< of its momentum map, a column: one word */
    const char *unit; /**< nullable: of the momentum map */
    /** (n_of) xi by name of a factor, "q" or "q[2]": on R1, R2, ... the velocity, on S1 and S2 the angular
     * velocity, on SO3 that in the body frame; of other factors 0. */
    const ph_formula_line *of;
    size_t n_of; /**< how many */
} ph_formula_generator;

/** What a system is made of. Zero-initialise, then fill in. All texts are copied. */
typedef struct ph_formula_definition {
    /** (n_space) Factors: "R3", "S2", "SO3", "S2[n]", ...; their order is that of z. */
    const ph_formula_line *space;
    size_t n_space;                         /**< how many */
    const ph_formula_parameter *parameters; /**< (n_parameters) */
    size_t n_parameters;                    /**< how many */
    /** (n_where) Abbreviations "p", "p[0]", "p[i=1..n]", each by those before it. */
    const ph_formula_line *where;
    size_t n_where;         /**< how many */
    const char *kinetic;    /**< [J]; NULL with lagrangian or energy */
    const char *potential;  /**< [J], may depend on t; nullable */
    const char *lagrangian; /**< [J] in place of kinetic, potential; or NULL */
    const char *energy;     /**< of spheres as phase space, in place of these; or NULL */
    /** For spins, numbers or parameters, one for all or a list; NULL: 1. */
    const char *strengths;
    const char *damping;            /**< likewise; NULL: 0 */
    const char *dissipation;        /**< [W] Rayleigh's function D(z, zdot): f = -dD/dzdot; nullable */
    const ph_formula_force *forces; /**< (n_forces) */
    size_t n_forces;                /**< how many */
    /** (n_constraints) On velocities, linear in them: "a = b", numbers or vectors. */
    const char *const *constraints;
    size_t n_constraints;          /**< how many texts */
    const char *const *symmetries; /**< (n_symmetries) "rotation about e3", "translation along e1" */
    size_t n_symmetries;           /**< how many */
    /** (n_generators) Further symmetries; L must not change along them, which is tried at some states. */
    const ph_formula_generator *generators;
    size_t n_generators;           /**< how many */
    const ph_formula_line *points; /**< (n_points) for figures: vectors of up to 3; names may be NULL */
    size_t n_points;               /**< how many; "p[i=1..n]" stands for n points */
    /** (n_lines) For figures: names of points, or `origin`, with spaces between them; a line goes from each
     * to the next, through all of a list. */
    const char *const *lines;
    size_t n_lines; /**< how many; 0: what follows from the rest is drawn (scene.h) */
    /** (n_bodies) For figures: the name of a factor SO3, and of the point where it is, or `origin`: axes and,
     * where the inertia is constant, the ellipsoid of its moments. */
    const ph_formula_line *bodies;
    size_t n_bodies; /**< how many */
    /** (n_columns) Columns of its own (columns.h): numbers, vectors with the names vx, vy, vz, or v_1, ... of
     * more than three, and matrices Mxx, ...; they may depend on t and velocities, and have abs, min, max,
     * atan2 and angle. */
    const ph_formula_line *columns;
    size_t n_columns; /**< how many */
    /** (n_events) Formulas, numbers, whose zeros an event may be (ph_event has the same text as its column);
     * the name of a column is left alone. */
    const char *const *events;
    size_t n_events; /**< how many */
} ph_formula_definition;

/** What was found in the formulas, for people. */
typedef struct ph_formula_found {
    char text[256]; /**< "a constant inertia by pairs: a chain of 4 links under gravity" */
} ph_formula_found;

/** Create a system from formulas; free it with ph_system_free. PH_E_PARSE with a message of three lines, of
 * which the second is the formula and the third a caret below the place; PH_E_INVALID, PH_E_UNKNOWN,
 * PH_E_RANGE, and what ph_system_create returns. Units: J, N, m, s where parameters have theirs. found:
 * nullable. Thread-safe. */
PH_API ph_status ph_formula_system_create(const ph_formula_definition *definition, ph_system **system,
                                          ph_formula_found *found, ph_error *err);

/** Compile the callbacks of a system of formulas: the same bits in less time. The C compiler is the one that
 * configure found, or that POLHODE_CC names in the environment by an absolute path. What it makes is kept in
 * $XDG_CACHE_HOME/polhode/formulas (else ~/.cache/polhode/formulas) and taken from there next time; only a
 * directory and files of the user that nobody else may write are. PH_E_INVALID: not a system of formulas;
 * PH_E_UNSUPPORTED: there is no compiler, or it failed, or there are more than 50000 operations; PH_E_IO;
 * PH_E_NO_MEMORY. The system then is as it was. No other thread may use the system meanwhile. */
PH_API ph_status ph_formula_compile(ph_system *system, ph_error *err);
/** How many operations are in the derivatives that a step evaluates; a function counts as ten. 0: it is not a
 * system of formulas. */
PH_API size_t ph_formula_operations(const ph_system *system);

/** A function that a step of a system of formulas evaluates: a derivative. */
typedef struct ph_formula_callback {
    const char *name;  /**< "gradient" */
    int part;          /**< which one it is: for ph_formula_evaluate */
    size_t operations; /**< sums, products, quotients, square roots */
    size_t calls;      /**< of other functions */
    size_t n;          /**< how many numbers it returns */
} ph_formula_callback;

enum {
    PH_FORMULA_CALLBACKS = 12, /**< the most that a system has */
    PH_FORMULA_LANES = 8       /**< points that are evaluated together in lanes */
};

/** How a callback is evaluated: always with the same bits. */
typedef enum ph_formula_way {
    PH_FORMULA_INTERPRETED, /**< at a point */
    PH_FORMULA_COMPILED,    /**< at a point, by what ph_formula_compile has made */
    PH_FORMULA_IN_LANES     /**< interpreted, at eight points: number i of point l is [8 i + l] */
} ph_formula_way;

/** List the derivatives that a step evaluates, and return their number: 0 where it is not a system of
 * formulas, or all of it was found to be constant. */
PH_API size_t ph_formula_callbacks(const ph_system *system,
                                   ph_formula_callback callbacks[PH_FORMULA_CALLBACKS]);
/** Evaluate a part of a system (ph_formula_callback): out (n) <- its numbers at t, z (nz) and v (nz), in
 * lanes eight of each. A derivative along a direction is taken along the motion: dt = 1, dz = v.
 * PH_E_INVALID: there is no such part; PH_E_UNSUPPORTED: it is not compiled. Thread-safe, no allocation. */
PH_API ph_status ph_formula_evaluate(const ph_system *system, int part, ph_formula_way way, const double *t,
                                     const double *z, const double *v, double *out, ph_error *err);

PH_END_DECLS
#endif
