/* SPDX-License-Identifier: BSD-3-Clause */
/* Methods with their choices, and what they take: see variants.h. */
#include "variants.h"

#include <polhode/domain/gravitation.h>

/* ---- Methods with their choices --------------------------------------------------------------------- */

size_t variant_list(variant *v)
{
    size_t n = 0;
    for (size_t i = 0; i < ph_methods(); i++) {
        const ph_method *m = ph_method_at(i);
        size_t before = n;
        for (size_t k = 0; k < m->n_options; k++) {
            const char *word = m->options[k].type == PH_OPTION_CHOICE ? m->options[k].choices : "";
            for (size_t length; *word; word += length + (word[length] == ' ')) {
                length = strcspn(word, " ");
                ck_assert_uint_lt(n, VARIANTS);
                v[n] = (variant){.method = m, .n_settings = 1};
                v[n].setting.name = m->options[k].name;
                snprintf(v[n].value, sizeof v[n].value, "%.*s", (int)length, word);
                snprintf(v[n].name, sizeof v[n].name, "%s %s", m->name, v[n].value);
                n++;
            }
        }
        if (n == before) {
            ck_assert_uint_lt(n, VARIANTS);
            v[n] = (variant){.method = m};
            snprintf(v[n++].name, sizeof v->name, "%s", m->name);
        }
    }
    return n;
}

unsigned variant_claims(const variant *v, const ph_system *system, int *order)
{
    double values[32];
    const ph_setting set = {v->setting.name, v->value};
    tk_ok(ph_method_options(v->method, &set, v->n_settings, values, NULL));
    *order = ph_method_order(v->method, system, values);
    return ph_method_claims(v->method, system, values);
}

/* ---- Systems ---------------------------------------------------------------------------------------- */

/* M (nz x nz) <- the second derivative of L by velocities at a random configuration. */
static void inertia_somewhere(const ph_system *system, tk_random *r, double *M)
{
    const size_t nz = ph_space_ambient(ph_system_space(system));
    TK_MEMORY double *z = malloc((2 * nz + 2 * nz * nz + ph_system_work(system)) * sizeof *z);
    double *v = z + nz, *more = v + nz;
    tk_random_motion(system, r, z, v);
    tk_ok(ph_system_lagrangian_hessian(system, 0, z, v, NULL, more, M, more + nz * nz));
}

/* M is of blocks diag(K, K, K) of nine rows, K symmetric: T = (1/2) sum tr(Rdot K Rdot^T). */
static bool is_of_bodies(const ph_space *space, const double *M)
{
    const size_t nz = ph_space_ambient(space);
    bool yes = true;
    for (size_t i = 0; i < ph_space_factors(space); i++)
        yes = yes && ph_space_factor(space, i)->kind == PH_FACTOR_SO3;
    for (size_t i = 0; i < nz && yes; i++)
        for (size_t j = 0; j < nz; j++)
            yes = yes &&
                  M[i * nz + j] == (i / 3 == j / 3 ? M[(i / 9 * 9 + i % 3) * nz + i / 9 * 9 + j % 3] : 0);
    return yes;
}

/* Factors R^d and SO(3) only; M is of such blocks, and diagonal on R^d. */
static bool is_of_free(const ph_space *space, const double *M)
{
    const size_t nz = ph_space_ambient(space);
    for (size_t i = 0; i < ph_space_factors(space); i++) {
        const ph_factor_place *f = ph_space_factor(space, i);
        const bool body = f->kind == PH_FACTOR_SO3;
        if (!body && f->kind != PH_FACTOR_R)
            return false;
        for (size_t a = 0; a < f->nz; a++)
            for (size_t b = 0; b < nz; b++) {
                const size_t c = b - f->z; /* wraps, and is no place of the factor then */
                const bool mine = c < f->nz && (body ? a / 3 == c / 3 : a == c);
                if (M[(f->z + a) * nz + b] !=
                    (mine ? M[(f->z + (body ? a % 3 : a)) * nz + f->z + (body ? c % 3 : c)] : 0))
                    return false;
            }
    }
    return true;
}

/* Is the derivative of U along some direction off the manifold that of the gradient? By differences of order
 * 2, good to 1e-8 of its terms; what is wrong differs by as much as these. */
static bool gradient_fails_outside(const ph_system *system, tk_random *r)
{
    static const double step = 1e-4;
    const size_t nz = ph_space_ambient(ph_system_space(system));
    double *z = malloc(4 * nz * sizeof *z), *along = z + nz, *there = along + nz, *g = there + nz, U[2],
           terms = 0, slope = 0;
    tk_random_motion(system, r, z, along);
    for (size_t i = 0; i < nz; i++) {
        z[i] *= 1.02;
        along[i] = tk_normal(r);
    }
    for (int side = 0; side < 2; side++) {
        for (size_t i = 0; i < nz; i++)
            there[i] = z[i] + (side ? step : -step) * along[i];
        tk_ok(ph_system_potential(system, there, &U[side]));
    }
    tk_ok(ph_system_gradient(system, z, g));
    for (size_t i = 0; i < nz; i++) {
        slope += g[i] * along[i];
        terms += fabs(g[i] * along[i]);
    }
    free(z);
    return fabs((U[1] - U[0]) / (2 * step) - slope) > 1e-4 * terms;
}

static bool force_feels_velocity(const ph_system *system, tk_random *r)
{
    const size_t nz = ph_space_ambient(ph_system_space(system));
    TK_MEMORY double *z = malloc(4 * nz * sizeof *z);
    double *v = z + nz, *f = v + nz, *g = f + nz;
    tk_random_motion(system, r, z, v);
    tk_ok(ph_system_force(system, 0.3, z, v, f));
    for (size_t i = 0; i < nz; i++)
        v[i] *= -2;
    tk_ok(ph_system_force(system, 0.3, z, v, g));
    return tk_max_difference(f, g, nz) > 0;
}

structure structure_of(const ph_system *system)
{
    const ph_space *space = ph_system_space(system);
    if (ph_system_spins(system))
        return (structure){
            .spins = true, .declared = ph_spins_are_declared(system), .damped = ph_spins_are_damped(system)};
    const size_t nz = ph_space_ambient(space);
    tk_random r = {77};
    TK_MEMORY double *M = malloc(2 * nz * nz * sizeof *M);
    double *N = M + nz * nz;
    inertia_somewhere(system, &r, M);
    inertia_somewhere(system, &r, N);
    structure s = {.links = ph_system_linkage(system) || ph_system_inverse_inertia(system),
                   .constrained = ph_system_constraints(system) > 0,
                   .gravitating = ph_system_gravitation(system) != NULL};
    const bool general = ph_system_kind(system) == PH_LAGRANGIAN_GENERAL;
    s.varying = general || tk_max_difference(M, N, nz * nz) > 0;
    s.bodies = !s.varying && is_of_bodies(space, M);
    s.free = !s.varying && is_of_free(space, M);
    s.on_manifold = !general && gradient_fails_outside(system, &r);
    s.damped = force_feels_velocity(system, &r);
    return s;
}

/* ---- Both ------------------------------------------------------------------------------------------- */

/* Is the name in the list? */
static bool is_among(const char *name, const char *const *names, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (!strcmp(names[i], name))
            return true;
    return false;
}

static bool takes_spins(const variant *v, const structure *s)
{
    static const char *const names[] = {"spherical-midpoint",
                                        "spin-splitting",
                                        "gauss",
                                        "rk4",
                                        "rk4-projected",
                                        "rk8",
                                        "rkmk4",
                                        "cf4",
                                        "arkode",
                                        "cvode"};
    if (!is_among(v->method->name, names, sizeof names / sizeof *names))
        return false;
    if (v->n_settings && !strcmp(v->setting.name, "form")) /* the forms are of systems with momenta */
        return !strcmp(v->value, "automatic");
    return strcmp(v->method->name, "spin-splitting") || (s->declared && !s->damped);
}

bool variant_is_of_spins(const variant *v)
{
    static const char *const names[] = {"spherical-midpoint", "spin-splitting"};
    return is_among(v->method->name, names, sizeof names / sizeof *names);
}

bool variant_should_take(const variant *v, const structure *s)
{
    if (s->spins)
        return takes_spins(v, s);
    if (variant_is_of_spins(v))
        return false;
    if (!strcmp(v->method->name, "dla") && !s->constrained)
        return false;
    if (s->constrained && !v->method->takes_constraints)
        return false;
    if (s->constrained && v->n_settings &&
        !strcmp(v->setting.name, "form")) /* the others have no reactions */
        return !strcmp(v->value, "automatic") || !strcmp(v->value, "q-qdot") || !strcmp(v->value, "q-omega");
    if (!strcmp(v->method->name, "multistep"))
        return !s->varying && !s->damped;
    if (!strcmp(v->method->name, "kepler-rotor"))
        return s->gravitating;
    if (!strcmp(v->method->name, "moser-veselov"))
        return s->bodies && !s->damped;
    if (!strcmp(v->method->name, "rotor-splitting"))
        return s->free && !s->damped;
    if (!strcmp(v->value, "tensions"))
        return s->links;
    if (!strcmp(v->value, "midpoint"))
        return !s->on_manifold;
    return true;
}
