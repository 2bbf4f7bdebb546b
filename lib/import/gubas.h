/* SPDX-License-Identifier: BSD-3-Clause */
/* A case of GUBAS, the General Use Binary Asteroid Simulator, as its files have it: in SI units, whatever the file has (GUBAS
 * mixes m, km, g/cm^3, kg/km^3 and astronomical units). The frames are GUBAS's: A and B are the axes of the two bodies, N
 * does not turn; a vector in A has its components along A's axes, also where it is a velocity against N.
 *
 * Source: Davis, Scheeres, Icarus 341 (2020) 113439; Hou, Scheeres, Xin, Celest. Mech. Dyn. Astron. 127 (2017) 369; the files
 * as GUBAS's own sources read them. */
#ifndef PH_IMPORT_GUBAS_H
#define PH_IMPORT_GUBAS_H

#include "import.h"

#include "lib/shape/shape.h"

#include <polhode/domain/mass.h>

typedef enum ph_gubas_shape {
    PH_GUBAS_SPHERE,     /* the first axis is the radius; gravity of a point */
    PH_GUBAS_ELLIPSOID,  /* homogeneous */
    PH_GUBAS_POLYHEDRON, /* from two tables */
} ph_gubas_shape;

typedef enum ph_gubas_integrator {
    PH_GUBAS_RK4 = 1,  /* classical Runge-Kutta */
    PH_GUBAS_LGVI = 2, /* the variational integrator; it knows no perturbations */
    PH_GUBAS_RK78 = 3, /* adaptive Runge-Kutta of order 7 and 8 */
    PH_GUBAS_ABM = 4,  /* Adams-Bashforth-Moulton of order 4 */
} ph_gubas_integrator;

typedef struct ph_gubas_body {
    ph_gubas_shape shape;
    size_t order;        /* to which its moments count ("inertia integral truncation order") */
    double half_axes[3]; /* along its axes x, y, z [m] */
    double density;      /* [kg/m^3] */
    char vertices[512];  /* name of the table of vertices [m], as the file has it */
    char faces[512];     /* name of the table of faces ("tetrahedron file") */
    double love;         /* k2, of tides */
    double reference;    /* radius of tides [m] */
    double lag;          /* angle of tides [rad] */
} ph_gubas_body;

/* A body far away on a Kepler orbit about the barycentre, axes N. */
typedef struct ph_gubas_orbit {
    bool on;
    double mass;                        /* [kg] */
    double semimajor_axis;              /* negative of a hyperbola [m] */
    double eccentricity;                /* above 1 of a hyperbola */
    double inclination, node, argument; /* [rad] */
    double periapsis;                   /* time there [s] */
} ph_gubas_orbit;

typedef struct ph_gubas_state {
    double r[3];       /* place of B relative to A, in A [m] */
    double v[3];       /* its velocity against N, in A [m/s] */
    double omega_a[3]; /* A's angular velocity, in A [rad/s] */
    double omega_b[3]; /* B's, in A [rad/s] */
    double Cc[9];      /* from A to N, row-major */
    double C[9];       /* from B to A, row-major */
} ph_gubas_state;

typedef struct ph_gubas_case {
    char file[1024];       /* which was read */
    char folder[1024];     /* that it is in, with a "/" at the end; or empty */
    double G;              /* [m^3/(kg s^2)] */
    size_t order;          /* N, as GUBAS uses it: the larger one of the bodies' orders */
    size_t asked_order;    /* "gravity expansion truncation order", which GUBAS does not use */
    ph_gubas_body body[2]; /* A, the primary, and B */

    ph_gubas_state state; /* at the start */

    double start, end;              /* [s] */
    ph_gubas_integrator integrator; /* see there */
    double step;                    /* [s], of all but RK78 */
    double tolerance;               /* of RK78 */

    bool read_integrals; /* moments from files of an earlier run; the shape is used all the same */
    double interval;     /* between outputs [s]; 0: each step; -1: the times of a file */
    char times[512];     /* name of the file of times */
    char name[128];      /* "case name" */

    ph_gubas_orbit planet; /* "flyby" */
    ph_gubas_orbit sun;    /* "heliocentric orbit" */
    bool hill;             /* "solar gravity": a circular orbit, in Hill's limit */
    double hill_radius;    /* of that orbit [m] */
    double hill_mass;      /* of the Sun there [kg] */
    bool tides;            /* by the Love numbers of the bodies */
} ph_gubas_case;

/* ---- Values (gubas-case.c) ------------------------------------------------------------------------------ */

/* A case while it is read: numbers that it has in another form are doubles here. */
typedef struct ph_gubas_raw {
    double fahnestock, euler_b, euler_a, angles_b[3], angles_a[3], omega_b[3]; /* of a configuration */
    double shape[2], order[2], asked, integrator, generate, tables, planet, sun, hill, tides;
    double orbit_radius, au; /* [au], [m] */
    ph_gubas_case of;
} ph_gubas_raw;

typedef enum ph_gubas_kind { PH_GUBAS_NUMBER, PH_GUBAS_WHOLE, PH_GUBAS_FLAG, PH_GUBAS_TEXT } ph_gubas_kind;

/* A value of a file: its name, where it belongs in a ph_gubas_raw, and its unit in SI; of a text the room for it. */
typedef struct ph_gubas_value {
    const char *name;
    ph_gubas_kind kind;
    size_t offset;
    double unit;
    const struct ph_gubas_range *range; /* of a whole number, or NULL */
} ph_gubas_value;
typedef struct ph_gubas_range {
    double least, most;
    const char *right; /* in words */
} ph_gubas_range;
extern const ph_gubas_range ph_gubas_shapes, ph_gubas_integrators, ph_gubas_orders, ph_gubas_toggle;

#define PH_GUBAS_AT(member) offsetof(ph_gubas_raw, member)
#define PH_GUBAS_NAME(member)                                                                                \
    PH_GUBAS_TEXT, offsetof(ph_gubas_raw, of.member), sizeof(((ph_gubas_case *)0)->member)

/* The member of *raw <- the text of a value. PH_E_PARSE, PH_E_RANGE with file and line. */
ph_status ph_gubas_take(const ph_lines *l, const ph_gubas_value *value, const char *text, ph_gubas_raw *raw,
                        ph_error *err);
/* raw->of <- its members that the numbers in front give, but for attitudes. */
void ph_gubas_assemble(ph_gubas_raw *raw);

/* What does not depend on the form of the file: axes that must be positive, matrices that must be rotations (PH_E_RANGE); remarks on
 * values that contradict each other, which look like wrong units. */
ph_status ph_gubas_check(const ph_gubas_case *of, ph_remarks *words, ph_error *err);
/* of->file, of->folder <- those of this path. PH_E_RANGE: too long. */
ph_status ph_gubas_locate(const char *path, ph_gubas_case *of, ph_error *err);
/* to (size) <- the path of a file that the case names: in its folder, unless the name begins with "/".
 * PH_E_RANGE: too long. */
ph_status ph_gubas_beside(const ph_gubas_case *of, const char *name, char *to, size_t size, ph_error *err);

/* ---- Readers -------------------------------------------------------------------------------------------- */

/* From a configuration, INI: keys in any case. Keys that it must have and has not, or has twice, are errors; unknown ones are
 * remarks. */
ph_status ph_gubas_read_config(const char *path, ph_gubas_case *of, ph_remarks *words, ph_error *err);
/* From the 85 lines of an ic_input.txt, or the 69 and 77 of the branches Perturbed-Model and 3-Body, which know no orbit of the
 * Sun, and of a planet. It has no name and no outputs: those get "Test" and each step. */
ph_status ph_gubas_read_input(const char *path, ph_gubas_case *of, ph_remarks *words, ph_error *err);
/* G, densities and the state of *of <- from Fahnestock's pair of files in its folder. */
ph_status ph_gubas_read_fahnestock(ph_gubas_case *of, ph_error *err);

/* A body of a case as it is, not as GUBAS takes it: signed volumes, about its centre of mass, with its whole inertia tensor, and
 * an ellipsoid with all its moments; where its order is below 4 those of degree 2 alone, where it is 0 none, as asked. */
typedef struct ph_gubas_solid {
    ph_mass mass; /* [kg m^n] */
    double
        center[3]; /* where the centre of mass was in the frame of the file, which GUBAS takes for it [m] */
    double
        absolute; /* the mass of a polyhedron as GUBAS adds it: absolute volumes of tetrahedra from the origin [kg] */
    int turned; /* were all faces inside out? They were taken the other way round */
} ph_gubas_solid;

/* *to <- body i (0: A, 1: B). Errors of ph_shape_read_tables and ph_mass_polyhedron, which name the face. */
ph_status ph_gubas_solid_of(const ph_gubas_case *of, size_t i, ph_gubas_solid *to, ph_error *err);

/* The radius [m] that gives the law of tides here the torque of GUBAS's, whose R^5 is (3 M/4 pi rho)^2/R of the reference radius. */
double ph_gubas_tide_radius(const ph_gubas_body *body, const ph_mass *mass);
/* How many steps it takes, as GUBAS counts them: until the time is not below the end. */
double ph_gubas_steps(const ph_gubas_case *c);

/* ---- The scenario (gubas-words.c) ---------------------------------------------------------------------- */

/* In words, what is taken differently from GUBAS, and why. */
void ph_gubas_differences(ph_remarks *words, const ph_gubas_case *c, const ph_gubas_solid solid[2]);

/* ---- Tables (gubas-tables.c) --------------------------------------------------------------------------- */

/* *of <- a directory or a file of either format (words: nullable). PH_E_INVALID: it is one of GRIT; other errors as for ph_import_read. */
ph_status ph_gubas_read(const char *path, ph_gubas_case *of, ph_remarks *words, ph_error *err);

#endif
