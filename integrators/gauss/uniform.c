/* SPDX-License-Identifier: BSD-3-Clause */
/* The lifted field of a system whose inertia is the same at every configuration in the frames of its bodies, omega = K pi with K known from
 * the beginning: particles, single bodies, bodies under mutual gravity. All stages are in lanes. With zhat = q/|q| and pi = q x p,
 *     q' = omega x q,     p' = omega x p - (I - zhat zhat^T) (U_z - f) / |q|,
 * likewise on S^1; on R^d q' = omega, p' = f - U_z; on SO(3)
 *     x' = (1/2) x Omega,     y' = (1/2) y Omega + 2 x tau / |x|^2,     tau the moment of f - U_z.
 * The stages are eight systems for the kernels of ensembles: forces and torques of gravitation, gradients of formulas. Callbacks that have
 * no such kernel are called stage by stage, as those of forces are. */
#include "gauss.h"

#include "lib/internal/lanes.h"

#include <polhode/domain/gravitation.h>
#include <polhode/kit/lanes.h>
#include <polhode/kit/solve.h>
#include <polhode/kit/vector.h>

#include <math.h>
#include <string.h>

enum { EIGHT = PH_METHOD_LANES, MOST_MOMENTA = 300 }; /* of which a dense matrix is kept */

typedef struct uniform_kind {
    void (*enter)(const gauss_scratch *w, const double *Y); /* z, p, omega, over <- of the stages */
    bool (*leave)(const gauss_scratch *w, const double *Y, double *F); /* F <- by push; is that finite? */
} uniform_kind;

typedef struct uniform_own {
    const uniform_kind *kind;
    const ph_gravitation *gravitation; /* NULL: of a gradient */
    gauss_push of; /* z; push: the gradient less forces, or of gravitation forces and torques */
    size_t nz, np;
    double *p, *omega, *over; /* (8 np), (8 factors) */
    double *turning;          /* (np) of one stage */
    double *K;                /* (np x np), whose rows have entries from begin to end */
    size_t *begin, *end;
    double *E, *A, *column, *work; /* what K is made with */
    int *pivot;
} uniform_own;

static bool uniform_takes(const ph_system *system)
{
    return ph_system_kind(system) == PH_INERTIA_CONSTANT && ph_system_inertia_is_uniform(system) &&
           ph_space_momenta(ph_system_space(system)) <= MOST_MOMENTA;
}

static void *uniform_lay(const ph_system *system, size_t lanes, ph_lay *l)
{
    uniform_own counted, *placed = ph_lay_bytes(l, sizeof counted), *own = placed ? placed : &counted;
    const ph_space *space = ph_system_space(system);
    const size_t np = ph_space_momenta(space), nx = ph_space_dimension(space);
    (void)lanes;
    ph_gauss_push_lay(&own->of, system, l);
    own->p = ph_lay_line(l, EIGHT * np * sizeof(double));
    own->omega = ph_lay_line(l, EIGHT * np * sizeof(double));
    own->over = ph_lay_line(l, EIGHT * ph_space_factors(space) * sizeof(double));
    own->turning = ph_lay_doubles(l, np);
    own->K = ph_lay_doubles(l, np * np);
    own->begin = ph_lay_bytes(l, np * sizeof *own->begin);
    own->end = ph_lay_bytes(l, np * sizeof *own->end);
    own->E = ph_lay_doubles(l, ph_space_basis_size(space));
    own->A = ph_lay_doubles(l, nx * nx);
    own->column = ph_lay_doubles(l, nx);
    own->work = ph_lay_doubles(l, ph_system_work(system));
    own->pivot = ph_lay_bytes(l, nx * sizeof *own->pivot);
    return placed;
}

#define LANES_WIDTH 8
#include "integrators/shared/lanes-width.h"

#include "uniform-lanes.h"
#define LANES_WIDTH 4
#include "integrators/shared/lanes-width.h"

#include "uniform-lanes.h"
#define LANES_WIDTH 2
#include "integrators/shared/lanes-width.h"

#include "uniform-lanes.h"
#define LANES_WIDTH 0
#include "integrators/shared/lanes-width.h"

/* ---- The inverse inertia ---------------------------------------------------------------------------------- */

/* The factors of the inertia at some configuration. */
static ph_status factor_inertia(uniform_own *own, const ph_system *system)
{
    const ph_space *space = ph_system_space(system);
    const size_t nx = ph_space_dimension(space);
    double *z = own->of.one;
    memset(z, 0, own->nz * sizeof *z);
    memset(own->of.velocity, 0, own->nz * sizeof *own->of.velocity);
    for (size_t i = 0; i < ph_space_factors(space); i++) {
        const ph_factor_place *at = ph_space_factor(space, i);
        for (size_t k = 0; k < at->nz && at->kind != PH_FACTOR_R; k += at->kind == PH_FACTOR_SO3 ? 4 : at->nz)
            z[at->z + k] = 1;
    }
    ph_space_basis(space, z, own->E);
    const ph_status status =
        ph_system_tangent_inertia(system, 0, z, own->of.velocity, own->E, own->A, own->work);
    for (size_t a = 0; a < nx; a++)
        for (size_t b = 0; b < a; b++)
            own->A[b * nx + a] = own->A[a * nx + b];
    return status ? status : ph_lu_factor(nx, own->A, own->pivot, NULL);
}

/* K: tangent coordinates of bodies and circles are the numbers of their momenta; of a sphere, whose inertia is its own, one of two equal
 * ones stands for all directions. */
static ph_status invert_inertia(uniform_own *own, const ph_system *system)
{
    const ph_space *space = ph_system_space(system);
    const size_t nx = ph_space_dimension(space), np = own->np;
    const ph_status status = factor_inertia(own, system);
    if (status)
        return status;
    memset(own->K, 0, np * np * sizeof *own->K);
    for (size_t j = 0; j < ph_space_factors(space); j++) {
        const ph_factor_place *to = ph_space_factor(space, j);
        for (size_t k = 0; k < to->np; k++) {
            memset(own->column, 0, nx * sizeof *own->column);
            own->column[to->x + (to->kind == PH_FACTOR_S2 ? 0 : k)] = 1;
            ph_lu_solve(nx, own->A, own->pivot, own->column);
            if (to->kind == PH_FACTOR_S2)
                own->K[(to->p + k) * np + to->p + k] = own->column[to->x];
            else
                for (size_t i = 0; i < ph_space_factors(space); i++) {
                    const ph_factor_place *from = ph_space_factor(space, i);
                    for (size_t l = 0; l < from->np && from->kind != PH_FACTOR_S2; l++)
                        own->K[(from->p + l) * np + to->p + k] = own->column[from->x + l];
                }
        }
    }
    for (size_t i = 0; i < np; i++) {
        own->begin[i] = 0;
        own->end[i] = np;
        while (own->begin[i] < i && own->K[i * np + own->begin[i]] == 0)
            own->begin[i]++;
        while (own->end[i] > i + 1 && own->K[i * np + own->end[i] - 1] == 0)
            own->end[i]--;
    }
    return PH_OK;
}

static ph_status uniform_init(void *memory, const ph_system *system, size_t lanes)
{
    uniform_own *own = memory;
    const ph_space *space = ph_system_space(system);
    own->nz = ph_space_ambient(space);
    own->np = ph_space_momenta(space);
    own->kind = GAUSS_KIND(lanes, kind);
    own->gravitation =
        ph_system_is_gravitation(system) && !ph_gravitation_has_tides(ph_system_gravitation(system))
            ? ph_system_gravitation(system)
            : NULL;
    ph_gauss_push_init(&own->of, system, lanes, !own->gravitation,
                       !own->gravitation && ph_system_has_force(system));
    return invert_inertia(own, system);
}

/* ---- The field -------------------------------------------------------------------------------------------- */

/* push <- forces and torques of bodies under mutual gravity. */
static void attract(const gauss_scratch *w, double t, double h)
{
    const uniform_own *own = w->own;
    const ph_gravitation *g = own->gravitation;
    const gauss_push *of = &own->of;
    const size_t torques = 3 * ph_gravitation_places(g), lanes = w->tableau.lanes;
    bool done = ph_gravitation_forces_lanes(g, lanes, PH_ATTRACT_ALL, t, of->z, of->push,
                                            of->push + EIGHT * torques, NULL);
    for (size_t lane = 0; lane < lanes && !done; lane++) {
        if (!w->tableau.used[lane])
            continue;
        ph_gauss_take_stage(of->z, own->nz, lane, of->one);
        ph_gravitation_forces(g, PH_ATTRACT_ALL, t + w->tableau.node[lane] * h, of->one, of->f,
                              of->f + torques, NULL);
        ph_gauss_give_stage(of->f, own->np, lane, of->push);
    }
}

/* zdot <- the velocities of the stages, which forces depend on. */
static void turn_stages(const gauss_scratch *w)
{
    const uniform_own *own = w->own;
    const gauss_push *of = &own->of;
    for (size_t lane = 0; lane < w->tableau.lanes; lane++) {
        ph_gauss_take_stage(of->z, own->nz, lane, of->one);
        ph_gauss_take_stage(own->omega, own->np, lane, own->turning);
        ph_space_turn(ph_system_space(w->system), of->one, own->turning, of->velocity);
        ph_gauss_give_stage(of->velocity, own->nz, lane, of->zdot);
    }
}

static ph_status uniform_field(gauss_scratch *w, double t, double h, const double *Y, double *F)
{
    uniform_own *own = w->own;
    ph_status status = PH_OK;
    own->kind->enter(w, Y);
    if (own->of.has_force)
        turn_stages(w);
    if (own->gravitation)
        attract(w, t, h);
    else
        status = ph_gauss_push(w, &own->of, t, h);
    if (status || own->kind->leave(w, Y, F))
        return status;
    return ph_gauss_note(w, t, "the gradient", PH_E_NOT_FINITE, NULL, 0);
}

const gauss_lift ph_gauss_uniform = {
    .always = true,
    .takes = uniform_takes,
    .lay = uniform_lay,
    .init = uniform_init,
    .field = uniform_field,
};
