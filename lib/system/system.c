/* SPDX-License-Identifier: BSD-3-Clause */
/* Mechanical systems: creation with checks, and evaluation of potential, forces and momentum maps. */
#include <polhode/algebra.h>
#include <polhode/memory.h>
#include <polhode/solve.h>
#include <polhode/system.h>
#include <polhode/tensions.h>

#include "lib/internal/missing.h"
#include "lib/internal/space.h"
#include "system.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* ---- Creation ----------------------------------------------------------------------------------- */

/* Relative difference allowed across the diagonal, for rounding errors in the caller's products. */
static const double symmetric_to = 1e-12;

static ph_status check_symmetric(const double *M, size_t n, ph_error *err)
{
    for (size_t i = 0; i < n * n; i++) {
        size_t row = i / n, col = i % n;
        if (!isfinite(M[i]))
            return ph_fail(err, PH_E_NOT_FINITE, "inertia[%zu][%zu] is not a finite number", row, col);
        if (!(fabs(M[i] - M[col * n + row]) <= symmetric_to * (fabs(M[i]) + fabs(M[col * n + row]))))
            return ph_fail(err, PH_E_INVALID,
                           "inertia is not symmetric: [%zu][%zu] is %.17g, [%zu][%zu] is %.17g", row, col,
                           M[i], col, row, M[col * n + row]);
    }
    return PH_OK;
}

static ph_status not_positive(size_t n, ph_error *err)
{
    return ph_fail(
        err, PH_E_SINGULAR,
        "inertia (%zu x %zu) is not positive definite: every motion must have positive kinetic energy", n, n);
}

static ph_status check_inertia(const double *M, size_t n, ph_error *err)
{
    ph_status status = check_symmetric(M, n, err);
    double *copy = status ? NULL : malloc(n * n * sizeof *copy);
    if (status)
        return status;
    if (!copy)
        return ph_fail(err, PH_E_NO_MEMORY, "out of memory");
    memcpy(copy, M, n * n * sizeof *copy);
    if (ph_cholesky_factor(n, copy))
        status = not_positive(n, err);
    free(copy);
    return status;
}

/* Is the inertia positive definite on the tangent spaces at some configurations in general position? (Where
 * it is not so elsewhere, ph_system_velocity fails.) */
static ph_status check_tangent_inertia(const ph_system *s, ph_error *err)
{
    enum { TRIALS = 8 };
    size_t m = ph_space_dimension(s->space);
    double *z = malloc(s->nz * sizeof *z), *E = malloc(ph_space_basis_size(s->space) * sizeof *E),
           *A = malloc((s->articulated ? 1 : m * m) * sizeof *A),
           *work = malloc(ph_system_work(s) * sizeof *work), condition;
    ph_status status = z && E && A && work ? PH_OK : ph_fail(err, PH_E_NO_MEMORY, "out of memory");
    for (size_t k = 0; k < TRIALS && !status; k++) {
        for (size_t i = 0; i < s->nz; i++)
            z[i] = sin(1.7 * (double)(i + 1) * (double)(k + 1) + 0.3 * (double)k);
        if (ph_space_project(s->space, z))
            continue;
        if (s->articulated) {
            if (ph_articulated_regular(s->articulated, z, work, &condition))
                status = ph_fail(err, PH_E_SINGULAR,
                                 "the articulation has a turn that moves no mass, "
                                 "as of a thin rod about itself: give every body a thickness");
            continue;
        }
        ph_space_basis(s->space, z, E);
        status = ph_system_tangent_inertia(s, z, NULL, E, A, work);
        if (status)
            ph_fail(err, status, "the inertia failed at a trial configuration: %s", ph_status_text(status));
        else if (ph_cholesky_factor(m, A))
            status = not_positive(s->nz, err);
    }
    free(z);
    free(E);
    free(A);
    free(work);
    return status;
}

/* Are all factors vectors of the same length, so that one number for each pair can couple them? */
static ph_status check_pairs(const ph_space *space, ph_error *err)
{
    for (size_t i = 0; i < ph_space_factors(space); i++) {
        const ph_factor_place *f = ph_space_factor(space, i);
        if (f->kind == PH_FACTOR_SO3 || f->nz != ph_space_factor(space, 0)->nz)
            return ph_fail(err, PH_E_INVALID,
                           "inertia (a number for each pair of factors) is for vectors of one length; "
                           "factor %zu is not: give ambient_inertia",
                           i + 1);
    }
    return PH_OK;
}

/* Exactly one Lagrangian, with what belongs to it. */
static ph_status check_lagrangian(const ph_system_definition *d, ph_error *err)
{
    bool general = d->lagrangian || d->lagrangian_complex, varying = d->inertia_at || d->ambient_inertia_at;
    int given = !!d->inertia + !!d->ambient_inertia + !!d->linkage + !!d->inverse_inertia + !!d->inertia_at +
                !!d->ambient_inertia_at + !!d->articulation + general;
    if (!d->space || given != 1)
        return ph_fail(
            err, PH_E_INVALID,
            "a system needs a space and one of an inertia "
            "(inertia, ambient_inertia, linkage, inverse_inertia, inertia_at, ambient_inertia_at), "
            "an articulation and a lagrangian; %d of them are given",
            given);
    if (varying != !!d->inertia_dz)
        return ph_fail(err, PH_E_INVALID,
                       varying
                           ? "an inertia that depends on the configuration needs its derivative, inertia_dz"
                           : "inertia_dz is given without inertia_at or ambient_inertia_at");
    if (!general && (d->lagrangian_gradient || d->lagrangian_hessian))
        return ph_fail(err, PH_E_INVALID, "derivatives of a lagrangian are given without it");
    if (general && (d->potential || d->gradient))
        return ph_fail(err, PH_E_INVALID, "potential is given with a lagrangian, but it must be part of L");
    if (d->articulation && (d->potential || d->gradient))
        return ph_fail(err, PH_E_INVALID,
                       "potential is given with an articulation, whose gravity is the whole of U; "
                       "give what else acts as a force");
    if (!d->potential != !d->gradient)
        return ph_fail(err, PH_E_INVALID, "give potential and gradient together, or neither (U = 0)");
    return PH_OK;
}

static ph_status check_definition(const ph_system_definition *d, ph_error *err)
{
    ph_status status = check_lagrangian(d, err);
    if (status)
        return status;
    if (d->force_dv && !d->force)
        return ph_fail(err, PH_E_INVALID, "force_dv is given without force");
    if (d->n_symmetries && !d->symmetries)
        return ph_fail(err, PH_E_INVALID, "n_symmetries is %zu, but symmetries is NULL", d->n_symmetries);
    if (d->ambient_inertia)
        return check_symmetric(d->ambient_inertia, ph_space_ambient(d->space), err);
    if (d->articulation)
        return ph_articulated_check(d->articulation, d->space, err);
    if (d->inertia || d->inertia_at)
        status = check_pairs(d->space, err);
    return status || !d->inertia ? status : check_inertia(d->inertia, ph_space_factors(d->space), err);
}

static char *copy_text(const char *text)
{
    size_t n = strlen(text ? text : "") + 1;
    char *copy = malloc(n);
    if (copy)
        memcpy(copy, text ? text : "", n);
    return copy;
}

static int copy_symmetries(ph_system *s, const ph_system_definition *d)
{
    if (!d->n_symmetries)
        return 1;
    s->symmetries = calloc(d->n_symmetries, sizeof *s->symmetries);
    if (!s->symmetries)
        return 0;
    for (size_t i = 0; i < d->n_symmetries; i++) {
        ph_symmetry *to = &s->symmetries[i];
        *to = d->symmetries[i];
        to->name = copy_text(d->symmetries[i].name);
        to->text = copy_text(d->symmetries[i].text);
        to->unit = copy_text(d->symmetries[i].unit);
        s->is.n_symmetries = i + 1; /* so that a failure frees those copied so far */
        if (!to->name || !to->text || !to->unit)
            return 0;
    }
    return 1;
}

static double *copy_matrix(const double *from, size_t n)
{
    double *to = malloc(n * n * sizeof *to);
    for (size_t i = 0; to && i < n * n; i++)
        to[i] = 0.5 * (from[i] + from[i % n * n + i / n]);
    return to;
}

/* Is MM, in the rows and columns of factors i and j, I_3 (x) N for some 3 x 3 matrix N (0 for i != j)? */
static bool is_body_block(const double *MM, size_t nz, size_t i, size_t j)
{
    for (size_t a = 0; a < 9; a++)
        for (size_t b = 0; b < 9; b++) {
            double entry = MM[(9 * i + a) * nz + 9 * j + b];
            bool zero = i != j || a / 3 != b / 3;
            if (entry != (zero ? 0 : MM[(9 * i + a % 3) * nz + 9 * i + b % 3]))
                return false;
        }
    return true;
}

static void fill_body(ph_body *body, const double *MM, size_t nz, size_t i)
{
    double trace = 0, c[9];
    for (size_t a = 0; a < 3; a++)
        trace += MM[(9 * i + a) * nz + 9 * i + a];
    for (size_t a = 0; a < 9; a++)
        body->J[a] = (a % 4 ? 0 : trace) - MM[(9 * i + a / 3) * nz + 9 * i + a % 3];
    for (size_t a = 0; a < 3; a++) /* rows of the cofactors */
        ph_cross3(body->J + 3 * ((a + 1) % 3), body->J + 3 * ((a + 2) % 3), c + 3 * a);
    double determinant = ph_dot3(body->J, c);
    for (size_t a = 0; a < 9; a++)
        body->inverse[a] = c[3 * (a % 3) + a / 3] / determinant;
}

/* s->bodies <- the bodies, where the inertia is that of independent rigid bodies; false without memory. */
static bool find_bodies(ph_system *s)
{
    for (size_t i = 0; i < s->n; i++)
        if (!s->MM || ph_space_factor(s->space, i)->kind != PH_FACTOR_SO3)
            return true;
    for (size_t i = 0; i < s->n * s->n; i++)
        if (!is_body_block(s->MM, s->nz, i / s->n, i % s->n))
            return true;
    s->bodies = malloc(s->n * sizeof *s->bodies);
    for (size_t i = 0; s->bodies && i < s->n; i++)
        fill_body(&s->bodies[i], s->MM, s->nz, i);
    return s->bodies != NULL;
}

static ph_lagrangian_kind kind_of(const ph_system_definition *d)
{
    bool constant = d->inertia || d->ambient_inertia || d->linkage || d->inverse_inertia || d->articulation;
    return constant                                 ? PH_INERTIA_CONSTANT
           : d->inertia_at || d->ambient_inertia_at ? PH_INERTIA_VARYING
                                                    : PH_LAGRANGIAN_GENERAL;
}

/* s->M or s->MM, exactly symmetric, as the conservation of momentum maps depends on that. For small linkages,
 * nets and articulations as well, for code that works with dense matrices. False without memory. */
static bool make_inertia(ph_system *s, const ph_system_definition *d)
{
    const ph_tree *tree = ph_system_root(s)->tree;
    const ph_net *net = ph_system_root(s)->net;
    bool pairs = (net || (tree && !tree->cart)) && s->n <= PH_DENSE_PAIRS,
         ambient = tree && tree->cart && s->nz <= PH_DENSE_AMBIENT;
    if (d->articulation && !(s->articulated = ph_articulated_create(d->articulation, s->n)))
        return false;
    if (s->articulated && s->n <= PH_DENSE_BODIES) {
        if ((s->MM = malloc(s->nz * s->nz * sizeof *s->MM)))
            ph_articulated_inertia(s->articulated, s->MM);
        return s->MM != NULL;
    }
    if (d->inertia)
        s->M = copy_matrix(d->inertia, s->n);
    else if (d->ambient_inertia)
        s->MM = copy_matrix(d->ambient_inertia, s->nz);
    else if (pairs && (s->M = malloc(s->n * s->n * sizeof *s->M)))
        net ? ph_net_pair_inertia(net, s->M) : ph_tree_pair_inertia(tree, s->M);
    else if (ambient && (s->MM = malloc(s->nz * s->nz * sizeof *s->MM)))
        ph_tree_ambient_inertia(tree, s->nz, s->MM);
    return s->M || s->MM || (!d->inertia && !d->ambient_inertia && !pairs && !ambient);
}

/* Creates a system from a definition that has been checked in part. Takes ownership of `user`, also on
 * failure. */
static ph_status assemble(const ph_system_definition *d, const ph_system *base, ph_system **system,
                          ph_error *err)
{
    ph_system *s = calloc(1, sizeof *s);
    if (!s) {
        if (d->user_free)
            d->user_free(d->user);
        return ph_fail(err, PH_E_NO_MEMORY, "out of memory");
    }
    s->is = *d;
    s->is.n_symmetries = 0;
    s->base = base;
    s->n = ph_space_factors(d->space);
    s->nz = ph_space_ambient(d->space);
    s->kind = base ? base->kind : kind_of(d);
    s->rest = calloc(s->nz, sizeof *s->rest);
    ph_status status = d->linkage           ? ph_tree_create(d, &s->tree, err)
                       : d->inverse_inertia ? ph_net_create(d, &s->net, err)
                                            : PH_OK;
    if (status) {
        ph_system_free(s);
        return status;
    }
    if (!s->rest || !make_inertia(s, d) || ph_space_copy(d->space, &s->space) || !copy_symmetries(s, d) ||
        !find_bodies(s)) {
        ph_system_free(s);
        return ph_fail(err, PH_E_NO_MEMORY, "out of memory");
    }
    bool tried = !base && !s->M && !s->tree && !s->net && s->kind != PH_LAGRANGIAN_GENERAL;
    status = tried ? check_tangent_inertia(s, err) : PH_OK;
    if (status)
        ph_system_free(s);
    else
        *system = s;
    return status;
}

static ph_status refuse(const ph_system_definition *d, ph_status status)
{
    if (d->user_free)
        d->user_free(d->user);
    return status;
}

ph_status ph_system_create(const ph_system_definition *definition, ph_system **system, ph_error *err)
{
    ph_status status = check_definition(definition, err);
    return status ? refuse(definition, status) : assemble(definition, NULL, system, err);
}

ph_status ph_system_create_forced(const ph_system *base, const ph_system_definition *added,
                                  ph_system **system, ph_error *err)
{
    if (!base)
        return refuse(added, ph_not_created(err, "system", "ph_system_create or ph_model_build"));
    ph_system_definition d = *added;
    if (!d.force || d.space || d.inertia || d.ambient_inertia || d.linkage || d.inverse_inertia ||
        d.articulation || d.inertia_at || d.ambient_inertia_at || d.inertia_dz || d.lagrangian ||
        d.lagrangian_complex || d.lagrangian_gradient || d.lagrangian_hessian || d.potential || d.gradient ||
        (d.n_symmetries && !d.symmetries))
        return refuse(
            added, ph_fail(err, PH_E_INVALID,
                           "a forced system needs a force; "
                           "space, inertia, lagrangian and potential are the base's and must be NULL here"));
    const ph_system_definition *root = &ph_system_root(base)->is;
    d.space = base->space;
    d.inertia = base->M;
    d.ambient_inertia = base->MM;
    d.inertia_at = root->inertia_at; /* these set the kind; calls go through the base */
    d.ambient_inertia_at = root->ambient_inertia_at;
    return assemble(&d, base, system, err);
}

void ph_system_free(ph_system *s)
{
    if (!s)
        return;
    for (size_t i = 0; i < s->is.n_symmetries; i++) {
        /* the strings are our copies: see copy_symmetries */
        free((void *)(uintptr_t)s->symmetries[i].name);
        free((void *)(uintptr_t)s->symmetries[i].text);
        free((void *)(uintptr_t)s->symmetries[i].unit);
    }
    free(s->symmetries);
    free(s->M);
    free(s->MM);
    free(s->rest);
    free(s->bodies);
    free(s->tree);
    ph_articulated_free(s->articulated);
    ph_net_free(s->net);
    ph_space_free(s->space);
    if (s->is.user_free)
        s->is.user_free(s->is.user);
    free(s);
}

/* ---- Structure ---------------------------------------------------------------------------------- */

const ph_space *ph_system_space(const ph_system *s)
{
    return s->space;
}

ph_lagrangian_kind ph_system_kind(const ph_system *s)
{
    return s->kind;
}

bool ph_system_has_pair_inertia(const ph_system *s)
{
    return s->M || ph_system_root(s)->is.inertia_at;
}

const double *ph_system_inertia(const ph_system *s)
{
    return s->M;
}

const double *ph_system_ambient_inertia(const ph_system *s)
{
    return s->MM;
}

const ph_linkage *ph_system_linkage(const ph_system *s)
{
    const ph_tree *tree = ph_system_root(s)->tree;
    return tree ? &tree->is : NULL;
}

const ph_articulation *ph_system_articulation(const ph_system *s)
{
    const ph_articulated *bodies = ph_system_root(s)->articulated;
    return bodies ? &bodies->is : NULL;
}

const ph_sparse *ph_system_inverse_inertia(const ph_system *s)
{
    const ph_net *net = ph_system_root(s)->net;
    return net ? &net->is : NULL;
}

bool ph_system_is_dense(const ph_system *s)
{
    return s->M || s->MM || !(ph_system_is_sparse(s) || ph_system_root(s)->articulated);
}

const ph_body *ph_system_bodies(const ph_system *s)
{
    return s->bodies;
}

bool ph_system_has_potential(const ph_system *s)
{
    const ph_system *r = ph_system_root(s);
    return r->is.gradient || (r->tree && r->tree->heavy) ||
           (r->articulated && ph_articulated_is_heavy(r->articulated));
}

bool ph_system_has_potential_beside(const ph_system *s)
{
    return ph_system_root(s)->is.gradient != NULL;
}

bool ph_system_has_force(const ph_system *s)
{
    return s->is.force || (s->base && ph_system_has_force(s->base));
}

bool ph_system_force_ignores_velocity(const ph_system *s)
{
    bool own = !s->is.force || s->is.force_ignores_velocity;
    return own && (!s->base || ph_system_force_ignores_velocity(s->base));
}

size_t ph_system_symmetries(const ph_system *s)
{
    return s->is.n_symmetries;
}

const ph_symmetry *ph_system_symmetry(const ph_system *s, size_t i)
{
    return i < s->is.n_symmetries ? &s->symmetries[i] : NULL;
}

/* ---- Evaluation --------------------------------------------------------------------------------- */

ph_status ph_system_potential(const ph_system *s, const double *z, double *U)
{
    if (!s)
        return PH_E_INVALID;
    *U = 0;
    if (s->base)
        return ph_system_potential(s->base, z, U);
    if (s->kind == PH_LAGRANGIAN_GENERAL)
        return PH_E_UNSUPPORTED;
    ph_status status = s->is.potential ? s->is.potential(s->is.user, z, U) : PH_OK;
    if (s->articulated)
        *U = ph_articulated_potential(s->articulated, z);
    if (s->tree)
        ph_tree_add_potential(s->tree, z, U);
    return status;
}

ph_status ph_system_gradient(const ph_system *s, const double *z, double *dU)
{
    if (!s)
        return PH_E_INVALID;
    if (s->base)
        return ph_system_gradient(s->base, z, dU);
    if (s->kind == PH_LAGRANGIAN_GENERAL)
        return PH_E_UNSUPPORTED;
    ph_status status = PH_OK;
    if (s->is.gradient)
        status = s->is.gradient(s->is.user, z, dU);
    else if (s->articulated)
        ph_articulated_gradient(s->articulated, dU);
    else
        memset(dU, 0, s->nz * sizeof *dU);
    if (s->tree)
        ph_tree_add_gradient(s->tree, dU);
    return status;
}

ph_status ph_system_force(const ph_system *s, double t, const double *z, const double *zdot, double *f)
{
    if (!s)
        return PH_E_INVALID;
    ph_status status = PH_OK;
    if (s->base)
        status = ph_system_force(s->base, t, z, zdot, f);
    else
        memset(f, 0, s->nz * sizeof *f);
    return status || !s->is.force ? status : s->is.force(s->is.user, t, z, zdot, f);
}

/* dfdv += the derivative of this system's force (without its base's) by central differences, with a step of
 * 6e-6, about eps^(1/3), times the largest |v_j| plus 1e-3. */
static ph_status difference_force(const ph_system *s, double t, const double *z, const double *zdot,
                                  double *dfdv, double *work)
{
    size_t m = s->nz;
    double *v = work, *plus = work + m, *minus = work + 2 * m, size = 0;
    for (size_t j = 0; j < m; j++)
        size = fmax(size, fabs(zdot[j]));
    memcpy(v, zdot, m * sizeof *v);
    for (size_t j = 0; j < m; j++) {
        volatile double up = zdot[j] + 6e-6 * (size + 1e-3), down = zdot[j] - 6e-6 * (size + 1e-3);
        memset(plus, 0, 2 * m * sizeof *plus); /* and minus */
        v[j] = up;
        ph_status status = s->is.force(s->is.user, t, z, v, plus);
        v[j] = down;
        if (!status)
            status = s->is.force(s->is.user, t, z, v, minus);
        if (status)
            return status;
        v[j] = zdot[j];
        for (size_t i = 0; i < m; i++)
            dfdv[i * m + j] += (plus[i] - minus[i]) / (up - down);
    }
    return PH_OK;
}

ph_status ph_system_force_dv(const ph_system *s, double t, const double *z, const double *zdot, double *dfdv,
                             double *work)
{
    if (!s)
        return PH_E_INVALID;
    ph_status status = PH_OK;
    if (s->base)
        status = ph_system_force_dv(s->base, t, z, zdot, dfdv, work);
    else
        memset(dfdv, 0, s->nz * s->nz * sizeof *dfdv);
    if (status || !s->is.force || s->is.force_ignores_velocity)
        return status;
    if (s->is.force_dv)
        return s->is.force_dv(s->is.user, t, z, zdot, dfdv);
    return difference_force(s, t, z, zdot, dfdv, work);
}

void ph_system_add_turn(const ph_system *s, size_t i, const double *z, const double *p, double *turns)
{
    const ph_factor_place *f = ph_space_factor(s->space, i);
    const double *q = z + f->z, *own = p + f->p;
    if (f->kind == PH_FACTOR_S2) { /* summed first: the total is what is conserved */
        for (size_t k = 0; k < 3; k++)
            turns[k] += own[k];
    } else if (f->kind == PH_FACTOR_SO3) {
        for (size_t k = 0; k < 3; k++)
            turns[k] += ph_dot3(q + 3 * k, own); /* R Pi */
    } else if (f->kind == PH_FACTOR_S1) {
        turns[2] += own[0];
    } else if (f->nz == 3) { /* R^3, and what is embedded in it */
        double moment[3];
        ph_cross3(q, own, moment);
        for (size_t k = 0; k < 3; k++)
            turns[k] += moment[k];
    } else if (f->nz == 2) {
        turns[2] += q[0] * own[1] - q[1] * own[0];
    }
}

double ph_rotation_map(const double *axis, const double *turns)
{
    return 0 + ph_dot3(axis, turns); /* no -0 */
}

ph_status ph_system_momentum_map(const ph_system *s, size_t i, const double *z, const double *p, double *J,
                                 double *work)
{
    if (!s)
        return PH_E_INVALID;
    const ph_symmetry *symmetry = ph_system_symmetry(s, i);
    if (!symmetry)
        return PH_E_RANGE;
    if (!symmetry->generator) {
        double turns[3] = {0, 0, 0};
        for (size_t j = 0; j < s->n; j++)
            ph_system_add_turn(s, j, z, p, turns);
        *J = ph_rotation_map(symmetry->axis, turns);
        return PH_OK;
    }
    ph_status status = symmetry->generator(s->is.user, z, work);
    if (status)
        return status;
    *J = 0;
    for (size_t j = 0; j < ph_space_momenta(s->space); j++)
        *J += p[j] * work[j];
    return PH_OK;
}
