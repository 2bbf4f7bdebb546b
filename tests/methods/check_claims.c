/* SPDX-License-Identifier: BSD-3-Clause */
/* What methods claim in their tables, measured on the models of the catalogue with their default parameters
 * and on some of them with forces: that they converge to the motion that Lagrange-d'Alembert's principle
 * gives (truth.h), with their order; reversal, the symplectic form, momentum maps, the manifold. A claim
 * must hold on every model, and where there is none it must be seen not to hold (claims.h). Each method must
 * support the systems that it should support, and no others. New models and methods, and every value of a
 * method's options, are included automatically. Methods on spheres as phase space are measured by
 * check_spin_claims.c. */
#include "claims.h"
#include "tests/kit/form.h"
#include "truth.h"

enum { MOST = 128, MAPS = 8 };

/* ---- Motions -------------------------------------------------------------------------------------- */

/* Vertical forces on all links or bodies, which conserve the angular momentum about the vertical and the
 * horizontal momenta. They oscillate, depend on the positions of others, so that they have no potential, and
 * may damp. */
typedef struct drive {
    const ph_space *space;
    double inertia[FM_NX];          /* (factors) kg m^2 */
    double strength, damping, rate; /* in units of these inertias: rad/s^2, 1/s; rad/s */
} drive;

static const double point[3] = {0.4, 0.3, 0.8}; /* of a body, where forces act */

/* A potential that depends on time and on the heights h_i of arrows and of points of the bodies alone, neighbours
 * coupled: U = strength sum_i inertia_i (cos(rate t + i) h_i + sin(rate t) h_i h_next / 2). gradient NULL: not needed. */
static double sway(const drive *d, double t, const double *z, double *gradient)
{
    const size_t n = ph_space_factors(d->space);
    double U = 0, height[FM_NX], slope[FM_NX] = {0};
    for (size_t i = 0; i < n; i++) {
        const ph_factor_place *f = ph_space_factor(d->space, i);
        const double *up = z + f->z + f->nz - 3;
        height[i] = f->kind == PH_FACTOR_SO3 ? ph_dot3(up, point) : f->kind == PH_FACTOR_S2 ? up[2] : 0;
    }
    for (size_t i = 0; i < n; i++) {
        const double one = d->strength * d->inertia[i] * cos(d->rate * t + (double)i),
                     two = 0.5 * d->strength * d->inertia[i] * sin(d->rate * t);
        U += (one + two * height[(i + 1) % n]) * height[i];
        slope[i] += one + two * height[(i + 1) % n];
        slope[(i + 1) % n] += two * height[i];
    }
    for (size_t i = 0; i < n && gradient; i++) {
        const ph_factor_place *f = ph_space_factor(d->space, i);
        double *up = gradient + f->z + f->nz - 3;
        for (size_t a = 0; a < 3 && f->kind == PH_FACTOR_SO3; a++)
            up[a] += slope[i] * point[a];
        if (f->kind == PH_FACTOR_S2)
            up[2] += slope[i];
    }
    return U;
}

static ph_status sway_potential(void *user, double t, const double *z, double *U)
{
    *U = sway(user, t, z, NULL);
    return PH_OK;
}

static ph_status sway_gradient(void *user, double t, const double *z, double *dU)
{
    sway(user, t, z, dU);
    return PH_OK;
}

static ph_status push(void *user, double t, const double *z, const double *zdot, double *f)
{
    const drive *d = user;
    const size_t n = ph_space_factors(d->space);
    for (size_t i = 0; i < n; i++) {
        const ph_factor_place *own = ph_space_factor(d->space, i),
                              *next = ph_space_factor(d->space, (i + 1) % n);
        const size_t up = own->z + own->nz - 3;
        double height = z[next->z + next->nz - 1], speed = 0, force;
        if (own->kind != PH_FACTOR_S2 && own->kind != PH_FACTOR_SO3)
            continue;
        if (next->kind == PH_FACTOR_R)
            height = 0;
        for (size_t a = 0; a < 3 && own->kind == PH_FACTOR_SO3; a++)
            speed += zdot[up + a] * point[a];
        if (own->kind == PH_FACTOR_S2)
            speed = zdot[up + 2];
        force = d->inertia[i] * (d->strength * (cos(d->rate * t) + height) - d->damping * speed);
        for (size_t a = 0; a < 3; a++)
            f[up + a] += own->kind == PH_FACTOR_SO3 ? force * point[a] : a == 2 ? force : 0;
    }
    return PH_OK;
}

/* Models with such forces: S^2 and a body in both ways, as forces without velocities have special steps; a
 * cart; an inertia that depends on the configuration. Swayed: by a potential that depends on time instead, with
 * which a step is to be symplectic, too. */
typedef enum driving { SHAKEN, DAMPED, SWAYED } driving;
static const struct {
    const char *model;
    driving by;
} driven[] = {{"chain-pendulum", SHAKEN}, {"chain-pendulum", DAMPED},    {"heavy-top", SHAKEN},
              {"heavy-top", DAMPED},      {"cart-chain", DAMPED},        {"submerged-pendula", DAMPED},
              {"chain-pendulum", SWAYED}, {"heavy-top", SWAYED},         {"rigid-chain", SWAYED},
              {"cart-chain", SWAYED},     {"submerged-pendula", SWAYED}, {"branching-pendulum", SWAYED},
              {"suslov", SWAYED}};
enum { DRIVEN = sizeof driven / sizeof *driven };

static size_t motions(void)
{
    return ph_models() + DRIVEN;
}

/* With what the motion is driven, if it is. */
typedef struct forces {
    ph_system *base;
    drive drive;
    bool swayed; /* by a potential that depends on time */
} forces;

static forces driven_by;
/* Where gravity breaks all symmetries of a model, the motion without it, whose maps are measured; system NULL: elsewhere. */
static motion weightless_motion;

/* The first preset of a model with a random velocity added, so that the motion is generic also where the
 * preset is at rest or in a plane. */
static void begin_motion(motion *m, size_t model, bool weightless)
{
    static const double nothing = 0;
    static const ph_parameter_value gravity = {"gravity", &nothing, 1};
    const char *name = ph_model_at(model)->name;
    tk_random r = {1300 + model};
    *m = (motion){
        .system = tk_build(name, &gravity, weightless), .wanted = 1.5e-12, .step = 0.1, .long_step = 0.3};
    snprintf(m->name, sizeof m->name, "%s", name);
    ck_assert_uint_le(ph_space_ambient(ph_system_space(m->system)), MOST);
    tk_preset(name, &gravity, weightless, NULL, m->z, m->zdot);
    double before[MOST];
    memcpy(before, m->zdot, sizeof before);
    m->rate = tk_push(m->system, &r, m->z, m->zdot);
    /* bodies under mutual gravity would meet, whatever the method */
    for (size_t k = 0; ph_system_gravitation(m->system) && k < ph_space_ambient(ph_system_space(m->system));
         k++)
        m->zdot[k] = before[k] + 0.1 * (m->zdot[k] - before[k]);
}

/* Units: turns in rad; lengths in the length that has the same inertia; momenta in those of the motion's own
 * rate. */
static void choose_units(const motion *m, fm_units *units)
{
    const ph_space *space = ph_system_space(m->system);
    size_t nx = ph_space_dimension(space);
    double E[FM_NX * FM_NZ], A[FM_NX * FM_NX], own[FM_NX], turning = 0, turns = 0;
    ck_assert(nx <= FM_NX && ph_space_basis_size(space) <= FM_NX * FM_NZ);
    ph_space_basis(space, m->z, E);
    TK_MEMORY double *work = malloc(ph_system_work(m->system) * sizeof *work);
    tk_ok(ph_system_tangent_inertia(m->system, 0, m->z, m->zdot, E, A, work));
    for (size_t a = 0; a < nx; a++)
        for (size_t b = 0; b < a; b++)
            A[b * nx + a] = A[a * nx + b];
    for (size_t a = 0; a < nx; a++) {
        double copy[FM_NX * FM_NX], e[FM_NX] = {0};
        memcpy(copy, A, nx * nx * sizeof *A);
        e[a] = 1;
        ck_assert_int_eq(tk_solve(nx, copy, e), 0);
        own[a] = 1 / e[a];
        units->x[a] = 1;
    }
    for (size_t i = 0; i < ph_space_factors(space); i++) {
        const ph_factor_place *f = ph_space_factor(space, i);
        for (size_t a = f->x; a < f->x + f->nx && f->kind != PH_FACTOR_R; a++, turns++)
            turning += own[a];
    }
    for (size_t i = 0; i < ph_space_factors(space); i++) {
        const ph_factor_place *f = ph_space_factor(space, i);
        for (size_t a = f->x; a < f->x + f->nx && f->kind == PH_FACTOR_R && turns > 0; a++)
            units->x[a] = sqrt(turning / turns / own[a]);
    }
    for (size_t a = 0; a < nx; a++)
        units->p[a] = own[a] * units->x[a] * m->rate;
}

/* Translations of a cart. */
static ph_status along(const drive *d, size_t axis, double *xi)
{
    memset(xi, 0, ph_space_momenta(d->space) * sizeof *xi);
    xi[ph_space_factor(d->space, 0)->p + axis] = 1;
    return PH_OK;
}

static ph_status along_x(void *user, const double *z, double *xi)
{
    (void)z;
    return along(user, 0, xi);
}

static ph_status along_y(void *user, const double *z, double *xi)
{
    (void)z;
    return along(user, 1, xi);
}

/* The strength is a third of what would produce the fastest motion, with the inertia of a factor whose
 * neighbours are free to follow. The symmetries are those of the model about the vertical, and of a cart. */
static void add_forces(motion *m, driving by)
{
    fm_units units;
    const ph_space *space = ph_system_space(m->system);
    const ph_factor_place *first = ph_space_factor(space, 0);
    ph_symmetry kept[MAPS];
    size_t n = 0;
    choose_units(m, &units);
    driven_by.drive = (drive){.space = space,
                              .strength = 0.3 * m->rate * m->rate,
                              .damping = by == DAMPED ? 0.1 * m->rate : 0,
                              .rate = 0.7 * m->rate};
    for (size_t i = 0; i < ph_space_factors(space); i++) {
        const ph_factor_place *f = ph_space_factor(space, i);
        driven_by.drive.inertia[i] = INFINITY; /* the least of them */
        for (size_t a = f->x; a < f->x + f->nx; a++)
            driven_by.drive.inertia[i] = fmin(driven_by.drive.inertia[i], units.p[a] / m->rate);
    }
    for (size_t i = 0; i < ph_system_symmetries(m->system); i++) {
        const ph_symmetry *s = ph_system_symmetry(m->system, i);
        if (!s->generator && s->axis[0] == 0 && s->axis[1] == 0)
            kept[n++] = *s;
    }
    if (first->kind == PH_FACTOR_R && first->nz == 2) {
        kept[n++] = (ph_symmetry){.name = "px", .text = "along e1", .unit = "kg m/s", .generator = along_x};
        kept[n++] = (ph_symmetry){.name = "py", .text = "along e2", .unit = "kg m/s", .generator = along_y};
    }
    const ph_system_definition added = {
        .force = by == SWAYED ? NULL : push,
        .force_ignores_velocity = by != DAMPED,
        .potential_in_time = by == SWAYED ? sway_potential : NULL,
        .gradient_in_time = by == SWAYED ? sway_gradient : NULL,
        .user = &driven_by.drive,
        .symmetries = kept,
        .n_symmetries = n,
    };
    driven_by.swayed = by == SWAYED;
    driven_by.base = m->system;
    tk_ok(ph_system_create_forced(driven_by.base, &added, &m->system, NULL));
    snprintf(m->name + strlen(m->name), sizeof m->name - strlen(m->name), "%s",
             by == SWAYED   ? ", swayed"
             : by == DAMPED ? ", damped"
                            : ", shaken");
}

/* Has the model velocity constraints? Most methods refuse those, and dla all others. Is it one of spins, which have no
 * momenta and are measured by check_spin_claims.c? */
typedef enum model_class { UNKNOWN, FREE, CONSTRAINED, SPINS } model_class;

static model_class class_of(size_t model)
{
    static model_class known[CL_MOTIONS];
    if (model < ph_models() && known[model] == UNKNOWN) {
        TK_OWN(ph_system) *system = tk_model(ph_model_at(model)->name);
        known[model] = ph_system_spins(system) ? SPINS : ph_system_constraints(system) ? CONSTRAINED : FREE;
    }
    return model < ph_models() ? known[model] : FREE;
}

/* Sets up the motion of this number: first the models, then those with forces. */
static void set_out(motion *m, size_t number)
{
    size_t model = number, d = number - ph_models();
    driven_by = (forces){.base = NULL};
    for (size_t k = 0; number >= ph_models() && k < ph_models(); k++)
        if (!strcmp(ph_model_at(k)->name, driven[d].model))
            model = k;
    if (class_of(number) == SPINS) {
        *m = (motion){.system = tk_model(ph_model_at(model)->name), .rate = 1};
        snprintf(m->name, sizeof m->name, "%s", ph_model_at(model)->name);
        m->is = structure_of(m->system);
        return;
    }
    begin_motion(m, model, false);
    if (number >= ph_models())
        add_forces(m, driven[d].by);
    m->is = structure_of(m->system);
    ck_assert(m->is.damped == (number >= ph_models() && driven[d].by == DAMPED));
}

static void end_motion(motion *m)
{
    ph_system_free(m->system);
    ph_system_free(driven_by.base);
}

/* Is the motion Hamiltonian, in time or not, so that the symplectic form is conserved? */
static bool is_hamiltonian(const motion *m)
{
    return !m->is.constrained && (!ph_system_has_force(m->system) || driven_by.swayed);
}

/* ---- Reversal ------------------------------------------------------------------------------------- */

/* (z, p) off (z0, p0) in units of their largest numbers; sign -1: p is to be -p0. */
static double off_start(const ph_state *state, const double *z0, const double *p0, double sign)
{
    double dz = tk_max_difference(state->z, z0, state->nz), dp = 0;
    for (size_t i = 0; i < state->np; i++)
        dp = tk_max(dp, fabs(state->p[i] - sign * p0[i]));
    return tk_max(dz / tk_max(1, ph_max_norm(z0, state->nz)), dp / ph_max_norm(p0, state->np));
}

/* Do velocity constraints demand a motion? Then -v does not fulfil them. */
static bool is_affine(const motion *m)
{
    const size_t k = ph_system_constraints(m->system), nz = ph_space_ambient(ph_system_space(m->system));
    TK_MEMORY double *A = malloc((k * nz + k) * sizeof *A);
    double *b = A + k * nz;
    tk_ok(ph_system_constraint_rows(m->system, 0, m->z, A, b));
    return ph_max_norm(b, k) > 0;
}

/* The error of reversal: a few steps and as many back, with -h, and, without forces, also with -p. For a
 * multistep method only with -h, which reverses its history, and not from the start, which is made by another
 * method. */
static double reversal(const motion *m, const variant *v)
{
    enum { STEPS = 6, START = 2 };
    const bool multistep = v->method->claims & PH_CLAIM_MULTISTEP;
    double z0[MOST], p0[MOST], p1[MOST], worst, h = step_size(m, v);
    TK_BEGIN(it, state, begin, m, v, h);
    advance(m, v, it, state, multistep ? START : 0);
    memcpy(z0, state->z, state->nz * sizeof *z0);
    memcpy(p0, state->p, state->np * sizeof *p0);
    advance(m, v, it, state, STEPS);
    ck_assert_double_gt(off_start(state, z0, p0, 1), 0.01); /* it did move */
    tk_ok(ph_integrator_set_step_size(it, -h));
    advance(m, v, it, state, STEPS);
    worst = off_start(state, z0, p0, 1);
    if (!multistep && !ph_system_has_force(m->system) && !is_affine(m)) {
        tk_ok(ph_integrator_set_step_size(it, h));
        tk_ok(ph_state_set_velocity(it, state, 0, m->z, m->zdot, PH_STRICT, NULL));
        advance(m, v, it, state, STEPS);
        for (size_t i = 0; i < state->np; i++)
            p1[i] = -state->p[i];
        tk_ok(ph_state_set(it, state, 0, state->z, p1, PH_PROJECT, NULL));
        advance(m, v, it, state, STEPS);
        worst = tk_max(worst, off_start(state, z0, p0, -1));
    }
    return worst;
}

/* ---- The symplectic form -------------------------------------------------------------------------- */

/* The error of the symplectic form over three steps: the first without a guess, the others with one. Without
 * forces only. Methods of high order that do not claim it take long steps, as the error would be too small to
 * be seen otherwise. */
static double form_error(const motion *m, const variant *v, int claimed)
{
    const bool symplectic = v->method->claims & PH_CLAIM_SYMPLECTIC;
    const bool long_steps =
        !symplectic && (claimed > 4 || (claimed == 4 && v->method->claims & PH_CLAIM_SYMMETRIC));
    tk_random r = {4100};
    fm_units units;
    choose_units(m, &units);
    const double rate =
        v->method->claims & PH_CLAIM_MULTISTEP ? 3 * m->rate : m->rate; /* they begin by a step that is */
    TK_BEGIN(it, state, begin, m, v, long_steps ? (has_odd_terms(v) ? 0.6 : 1) / rate : step_size(m, v));
    return fm_form_error_along(it, state, 3, &units, tk_thorough() ? 8 : symplectic ? 4 : 2, &r);
}

/* ---- Momentum maps and the manifold --------------------------------------------------------------- */

/* J <- the momentum maps p . xi, size <- the sums of the magnitudes of their terms: xi_j is the map of
 * p = e_j. */
static void maps(const ph_system *system, const ph_state *state, double *J, double *size)
{
    double work[MOST], e[MOST] = {0}, xi;
    for (size_t i = 0; i < ph_system_symmetries(system); i++) {
        tk_ok(ph_system_momentum_map(system, i, state->z, state->p, &J[i], work));
        size[i] = 0;
        for (size_t j = 0; j < state->np; j++) {
            e[j] = 1;
            tk_ok(ph_system_momentum_map(system, i, state->z, e, &xi, work));
            e[j] = 0;
            size[i] += fabs(xi * state->p[j]);
        }
    }
}

/* Over some steps: change of the maps in units of the largest sum of magnitudes so far; the constraints;
 * Newton's iterations in a step. */
static void run(const motion *m, const variant *v, figures *f)
{
    const ph_space *space = ph_system_space(m->system);
    enum { LOOK = 5 };
    /* those of adaptive methods are longer, and so are those of explicit ones of high order; what a
     * driven motion gains may leave the finite numbers where an explicit method follows it for long */
    const int steps = v->method->claims & PH_CLAIM_ADAPTIVE    ? (tk_thorough() ? 30 : 10)
                      : !tk_thorough() || has_odd_terms(v)     ? 100
                      : v->method->claims & PH_CLAIM_SYMMETRIC ? 300
                                                               : 200;
    double first[MAPS], J[MAPS], size[MAPS], largest[MAPS];
    size_t n = ph_system_symmetries(m->system);
    ck_assert_uint_le(n, MAPS);
    TK_BEGIN(it, state, begin, m, v, step_size(m, v));
    maps(m->system, state, first, largest);
    f->maps = n;
    f->map = n ? 0 : (double)NAN;
    f->unit = f->rotation = 0;
    for (int k = 0; k < steps; k++) {
        advance(m, v, it, state, 1);
        if ((k + 1) % LOOK == 0)
            maps(m->system, state, J, size);
        for (size_t i = 0; i < n && (k + 1) % LOOK == 0; i++) {
            largest[i] = tk_max(largest[i], size[i]);
            f->map = tk_max(f->map, fabs(J[i] - first[i]) / largest[i]);
        }
        for (size_t i = 0; i < ph_space_factors(space); i++) {
            double *worst = ph_space_factor(space, i)->kind == PH_FACTOR_SO3 ? &f->rotation : &f->unit;
            *worst = tk_max(*worst, ph_space_factor_residual(space, i, state->z));
        }
    }
    f->iterations = (double)ph_integrator_statistics(it)->newton_passes / steps;
}

/* ---- Claims --------------------------------------------------------------------------------------- */

/* Measured: reversal 1.6e-14 (where p grows from little), the form 1e-12 (truncation of its differences),
 * maps 1.1e-15. On the manifold sqrt(q.q) is 1 or a neighbour of it; six entries of R^T R - I are each a sum
 * of three roundings, of which methods that carry low-order parts leave those of R alone. */
static const question questions[] = {
    {"reversal", PH_CLAIM_SYMMETRIC, AT(reversal), 1e-13, 1e-9},
    {"symplectic form", PH_CLAIM_SYMPLECTIC, AT(form), 4e-12, 1e-8},
    {"momentum map", PH_CLAIM_MOMENTUM, AT(map), 1e-14, 1e-9},
    {"|q|", PH_CLAIM_MANIFOLD, AT(unit), 2.3e-16, 1e-9},
    {"R^T R", PH_CLAIM_MANIFOLD, AT(rotation), 5e-16,
     1e-10}, /* of methods that are symmetric half: see below */
};
/* Can the model be without weight, which gives it a symmetry? */
static bool has_gravity(const char *name)
{
    const ph_model *model = ph_model_find(name, NULL);
    for (size_t i = 0; model && i < model->n_parameters; i++)
        if (!strcmp(model->parameters[i].name, "gravity"))
            return true;
    return false;
}

/* Which figures are asked of a motion? All must then be numbers. */
static bool is_asked(const motion *m, const question *q)
{
    bool bodies = false, others = false;
    const ph_space *space = ph_system_space(m->system);
    for (size_t i = 0; i < ph_space_factors(space); i++) {
        const ph_factor_kind kind = ph_space_factor(space, i)->kind;
        bodies = bodies || kind == PH_FACTOR_SO3;
        others = others || kind == PH_FACTOR_S1 || kind == PH_FACTOR_S2;
    }
    return q->at == AT(form)       ? is_hamiltonian(m)
           : q->at == AT(rotation) ? bodies
           : q->at == AT(unit)     ? others
           : q->at == AT(map)
               ? ph_system_symmetries(m->system) ||
                     (!ph_system_has_force(m->system) && !m->is.constrained && has_gravity(m->name))
               : true;
}

static void measure(const motion *m, const variant *v, unsigned claims, int claimed, figures *f)
{
    (void)claims;
    f->slope = measured_order(m, v, claimed, &f->last);
    f->reversal = reversal(m, v);
    if (is_hamiltonian(m))
        f->form = form_error(m, v, claimed);
    run(weightless_motion.system ? &weightless_motion : m, v, f);
}

/* The largest inertia over the least, where momenta are what the form integrates, as q-pi does, which joined bodies have by
 * default; else 1. */
static double inertia_spread(const motion *m, const variant *v)
{
    static const char *const others[] = {"q-qdot", "q-omega", "x-xdot"};
    fm_units units;
    double least = INFINITY, most = 0;
    bool momenta = in_momenta(v) || ph_system_articulation(m->system);
    for (size_t k = 0; k < sizeof others / sizeof *others; k++)
        momenta = momenta && strcmp(v->value, others[k]);
    if (!momenta)
        return 1;
    choose_units(m, &units);
    for (size_t a = 0; a < ph_space_dimension(ph_system_space(m->system)); a++) {
        least = fmin(least, units.p[a]);
        most = fmax(most, units.p[a]);
    }
    return most / least;
}

/* Of order 8 the next ones may show as far as errors do, and make it look higher: tests/methods/check_compositions.c
 * finds 8. Some motions with velocity constraints are so smooth that a few steps already have the error of the
 * reference, and 8 does not show yet: check_dla.c finds it. Symmetric multistep methods come to their order late
 * where modes are fast, from above or below (6 looks like 7.2 on the coupled pendula, 8 like 7.8 to 12); but it is
 * even, and on most models no 6 looks like more than 6.1. tests/methods/check_multistep.c finds it. The odd terms of
 * explicit methods of high order show likewise, from 7.1 on: tests/methods/runge-kutta.sh finds 8 from their coefficients. Of
 * splittings into a large and a small part the terms with the small one alone show, which are of higher orders:
 * tests/methods/check_kepler_rotor.c finds those of h, splittings.sh all of them from their coefficients. Those of gauss above 8
 * tests/methods/check_gauss.c finds in long double. Of rotor-splitting steps of this error are half a radian, where 6 looks
 * like 5.5 on a top. */
static bool order_is(const variant *v, double slope, int claimed, bool constrained)
{
    if (claimed > 4 && v->method->claims & PH_CLAIM_MULTISTEP)
        return slope >= claimed - 0.8;
    if (has_odd_terms(v))
        return slope >= claimed - 0.9;
    if (!strcmp(v->method->name, "kepler-rotor"))
        return slope >= claimed - 0.25;
    if (claimed > 4 && !strcmp(v->method->name, "rotor-splitting")) /* check_rotor_splitting.c finds 6 */
        return slope >= claimed - 0.75;
    if (claimed > 8) /* steps of this error are so long that the order hardly shows, or there are too few */
        return isnan(slope) || slope >= 0.25 * claimed;
    return slope >= claimed - (claimed > 6   ? (constrained ? 1.5 : 0.3)
                               : claimed > 2 ? 0.25
                                             : 0.1) &&
           (claimed > 6 || slope <= claimed + (claimed > 2 ? 0.25 : 0.1));
}

/* ---- Who is measured where ------------------------------------------------------------------------- */

/* These represent the kinds of systems for which methods have special steps, or forms with other terms:
 * chains, in space and in a plane; bodies, free, with a potential, and joined; a cart; a tree; an inertia
 * that varies; forces between all pairs, whose gradient is right on the manifold only. */
static const char *const chosen[] = {"chain-pendulum",     "planar-chain",      "free-rigid-body",
                                     "heavy-top",          "rigid-chain",       "cart-chain",
                                     "branching-pendulum", "submerged-pendula", "sphere-n-body"};
enum { CHOSEN = sizeof chosen / sizeof *chosen };

static bool is_chosen(size_t model)
{
    for (size_t i = 0; i < CHOSEN; i++)
        if (model < ph_models() && !strcmp(chosen[i], ph_model_at(model)->name))
            return true;
    return false;
}

/* Where the turn of a variant begins: its place among those of dla, or among all others. */
static size_t turn_of(size_t method)
{
    static variant all[VARIANTS];
    size_t before = 0;
    (void)variant_list(all);
    const bool dla = !strcmp(all[method].method->name, "dla");
    for (size_t i = 0; i < method; i++)
        before += !strcmp(all[i].method->name, "dla") == dla;
    return before;
}

/* A method that takes bodies under mutual gravity only: everyday it is measured on two of these. */
static bool is_for_gravity(size_t method)
{
    static variant all[VARIANTS];
    (void)variant_list(all);
    return !strcmp(all[method].method->name, "kepler-rotor");
}

/* A form that takes linkages only, of which the few models of the short form need have none. */
static bool is_by_tensions(size_t method)
{
    static variant all[VARIANTS];
    (void)variant_list(all);
    return !strcmp(all[method].value, "tensions");
}

/* Is this variant measured on that motion? All are in the thorough form. Everyday each is on a free body, which all
 * but one form take; on the chosen models (those that claim the manifold, which are many, on every other of these);
 * and, so that time grows with the sum of methods and models and not with their product, on one of the other models, or
 * two, and two of the driven ones, in turn. In the short form each is on a free body, and two of the other models and a
 * driven one in turn. */
static bool is_among_measured(size_t method, size_t place)
{
    static variant all[VARIANTS];
    const size_t turn = turn_of(method);
    (void)variant_list(all);
    size_t models = 0, others = 0, rank = 0, chosen_rank = 0, place_rank = 0;
    if (class_of(place) == SPINS)
        return false;
    if (is_for_gravity(method) && place < ph_models() && !strcmp(ph_model_at(place)->name, "n-body"))
        return false; /* it begins with a body in the barycentre of the two before it: no hierarchy as listed */
    if (tk_thorough())
        return true;
    if (tk_short() && is_by_tensions(method) && place < ph_models())
        return !strcmp(ph_model_at(place)->name, "chain-pendulum");
    if (is_for_gravity(method) && place < ph_models())
        return !strcmp(ph_model_at(place)->name, "binary") ||
               !strcmp(ph_model_at(place)->name, "rigid-n-body");
    if (place >= ph_models())
        return (turn + place - ph_models()) % (tk_short() ? DRIVEN : DRIVEN / 2) == 0;
    for (size_t k = 0; k < ph_models(); k++) {
        if (class_of(k) != class_of(place))
            continue;
        place_rank += k < place;
        rank += k < place && !is_chosen(k);
        chosen_rank += k < place && is_chosen(k);
        others += !is_chosen(k);
        models++;
    }
    if (!strcmp(ph_model_at(place)->name, "free-rigid-body"))
        return true;
    if (tk_short())
        return (turn + place_rank) % ((models + 1) / 2) == 0;
    if (is_chosen(place))
        return !(all[method].method->claims & PH_CLAIM_MANIFOLD) || (turn + chosen_rank) % 2 == 0;
    return (turn + rank) % ((others + 1) / 2) == 0;
}

/* ---- Tests ----------------------------------------------------------------------------------------- */

/* Points under mutual gravity: what the step of variational has to solve are turns, and there are none. */
static bool are_points(const motion *m)
{
    const ph_gravitation *g = ph_system_gravitation(m->system);
    return g && ph_gravitation_attitudes(g) == 0;
}

/* Hundreds of internal steps (of cvode at 1e-10) may each be off by the tolerance; a tolerance for
 * momenta is one for velocities divided by the inertia, so that the ratio of the largest inertia to the
 * smallest enters; and at the loosest tolerance the few steps that are taken anyway make the error
 * smaller than necessary. At rounding no order shows: wheels that turn steadily are exact by exponentials. Without low-order parts
 * that is where roundings of some thousand steps add up, on stiff motions to 1e-11. */
static bool follows(const motion *m, const variant *v, const figures *f, int order)
{
    if (!strcmp(v->method->name, "rotor-splitting") && !ph_system_has_potential(m->system) &&
        !ph_system_has_force(m->system)) /* exact */
        return f->last <= 2 * m->doubt[order > 4 ? FAR : NEAR];
    return v->method->claims & PH_CLAIM_ADAPTIVE ? f->slope >= 0.5 && f->last <= 1000 * inertia_spread(m, v)
                                                 : order_is(v, f->slope, order, m->is.constrained) ||
                                                       f->last < (cl_is_carried() ? 2e-14 : 2e-11);
}

static bool is_measured(const motion *m, size_t method, size_t place)
{
    (void)m;
    return is_among_measured(method, place);
}

static const claim_suite asked = {.questions = questions,
                                  .n_questions = sizeof questions / sizeof *questions,
                                  .is_measured = is_measured,
                                  .measure = measure,
                                  .is_asked = is_asked,
                                  .follows = follows,
                                  .needs_no_iterations = are_points};

/* Motions that are slower than the fastest rate: these are followed for longer, so that methods of high order need more than some steps. */
static bool is_slow(const char *name)
{
    return !strncmp(name, "heavy-top", 9) || !strncmp(name, "branching-pendulum", 18);
}

/* The reference motion, compared with the same motion by a method of another family, `variational` (or `dla`) with
 * compositions of order 8: where these differ by more than rounding, one of them is wrong. How much rounding
 * errors grow depends on the motion: some 1e-14, and 1.7e-13 on the spherical pendulum, which passes close to
 * its lowest point. */
static void find_truth(motion *m, list *wrong)
{
    const variant other = {.method = ph_method_find(tk_variational(m->system), NULL),
                           .setting.name = "order",
                           .n_settings = 1,
                           .value = "8"};
    const ph_space *space = ph_system_space(m->system);
    double p0[MOST];
    tk_momentum(m->system, m->z, m->zdot, p0);
    const double start = ph_max_norm(p0, ph_space_momenta(space));
    for (int k = 0; k < ENDS; k++) {
        double *p = m->end[k] + ph_space_ambient(space);
        m->T[k] = (is_slow(m->name) ? 1.7 : 1) * ends[k] / m->rate;
        truth_follow(m->system, m->z, m->zdot, m->T[k], 1 / m->rate, m->end[k], p);
        m->unit[k] = fmax(start, ph_max_norm(p, ph_space_momenta(space)));
        for (size_t i = 0; i < ph_space_momenta(space); i++)
            p[i] /= m->unit[k];
        m->doubt[k] = error_at(m, &other, k, (int64_t)((m->is.constrained ? 60 : 40) * ends[k]));
    }
    printf("%s: the truth and variational of order 8 differ by %.1e, %.1e\n", m->name, m->doubt[NEAR],
           m->doubt[FAR]);
    if (tk_max(m->doubt[NEAR], m->doubt[FAR]) > MOST_DOUBT)
        add(wrong, "the truth and variational of order 8 differ by %.1e, %.1e; ", m->doubt[NEAR],
            m->doubt[FAR]);
}

TEST_EACH(claims_hold_on_the_motion, motions())
{
    static motion m;
    static list wrong;
    weightless_motion = (motion){.system = NULL};
    *wrong.text = 0;
    set_out(&m, (size_t)_i);
    if (!m.is.spins)
        find_truth(&m, &wrong);
    if (!m.is.spins && !ph_system_symmetries(m.system) && !ph_system_has_force(m.system) &&
        !m.is.constrained && has_gravity(m.name)) {
        begin_motion(&weightless_motion, (size_t)_i, true);
        ck_assert_uint_gt(ph_system_symmetries(weightless_motion.system), 0);
    }
    cl_judge_all(&asked, &m, (size_t)_i, &wrong);
    ck_assert_msg(!*wrong.text, "on %s %s", m.name, wrong.text);
    end_motion(&m);
    ph_system_free(weightless_motion.system);
}

/* Behind these. */
TEST(every_result_is_there)
{
    static variant all[VARIANTS];
    const size_t variants = variant_list(all);
    size_t found = 0;
    for (size_t k = 0; k < ph_models(); k++)
        found += is_chosen(k);
    ck_assert_uint_eq(found, CHOSEN);
    for (size_t k = 0; k < motions(); k++)
        for (size_t i = 0; i < variants; i++) {
            const record *r = &records[k][i];
            ck_assert_msg(r->state != MISSING && (r->state != TAKEN || !is_among_measured(i, k)),
                          "nothing is known of %s on motion %zu", all[i].name, k);
        }
}

TEST_EACH(no_method_refuses_all, cl_variants())
{
    static variant all[VARIANTS];
    size_t taken = 0, measured = 0, of_spins = 0;
    ck_assert_uint_lt(_i, variant_list(all));
    for (size_t k = 0; k < motions(); k++) {
        taken += records[k][_i].state >= TAKEN;
        measured += records[k][_i].state == MEASURED;
    }
    ck_assert_msg(taken > 0 || variant_is_of_spins(&all[_i]), "%s refuses every model", all[_i].name);
    for (size_t k = 0; k < ph_models(); k++) /* those are measured elsewhere */
        of_spins += records[k][_i].state == TAKEN && class_of(k) == SPINS;
    ck_assert_msg(measured > 0 || taken == of_spins, "%s takes %zu models and is measured on none",
                  all[_i].name, taken);
}

/* Not in the short form, where there are too few models for it. */
TEST_EACH(what_is_not_claimed_is_seen_not_to_hold, tk_short() ? 0 : cl_variants())
{
    cl_show_what_is_not_claimed(&asked, (size_t)_i, motions());
}

int main(void)
{
    return cl_run("claims", motions());
}
