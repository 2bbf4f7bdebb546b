/* SPDX-License-Identifier: BSD-3-Clause */
/* Bundles: their creation from data, and a point of the base: metric, connection, affine part and potential
 * moved to the algebra of the base (bundle.h), with derivatives along it. With v = tau(x) omega,
 *     K <- (tau, 1)^T K (tau, 1),      W <- w tau.
 * tau is linear in x on S^1, S^2 and SO(3), and 1 on R^d. */
#include <polhode/algebra.h>

#include "bundle.h"
#include "lib/internal/missing.h"

#include <math.h>
#include <stdlib.h>

static const double width = 1.0 / 128;
enum { POINTS = 4 };
static const double weight[POINTS] = {8. / 5, -4. / 5, 8. / 35, -1. / 35};

/* ---- Creation --------------------------------------------------------------------------------------- */

static ph_status check_definition(const ph_bundle_definition *d, ph_error *err)
{
    if (!d->base)
        return ph_not_created(err, "base", "ph_space_create");
    if (!d->data)
        return ph_fail(err, PH_E_INVALID, "a bundle needs a callback data: K, V, w and xi at x");
    if ((unsigned)d->group.kind > PH_GROUP_SO3)
        return ph_fail(err, PH_E_INVALID, "group.kind is %d: it is to be R^k, S^1, SE(2) or SO(3)",
                       (int)d->group.kind);
    if (d->group.kind == PH_GROUP_R && (d->group.k < 1 || d->group.k > PH_GROUP_MOST))
        return ph_fail(err, PH_E_INVALID, "the group R^k has k = %zu: it is to be 1 to %d", d->group.k,
                       PH_GROUP_MOST);
    if (!ph_space_is_homogeneous(d->base))
        return ph_fail(err, PH_E_UNSUPPORTED,
                       "the base has an embedded manifold; it is to be a product of R^d, S^1, S^2 and SO(3)");
    return PH_OK;
}

/* A copy of a space. */
static ph_status copy_space(const ph_space *space, ph_space **copy, ph_error *err)
{
    const size_t n = ph_space_factors(space);
    ph_factor *factor = calloc(n, sizeof *factor);
    if (!factor)
        return ph_fail(err, PH_E_NO_MEMORY, "out of memory");
    for (size_t i = 0; i < n; i++) {
        const ph_factor_place *place = ph_space_factor(space, i);
        factor[i].kind = place->kind;
        factor[i].d = place->kind == PH_FACTOR_R ? place->nx : 0;
    }
    ph_status status = ph_space_create(factor, n, copy, err);
    free(factor);
    return status;
}

/* Base and fibre, and the sizes that follow. */
ph_status ph_bundle_shape(ph_bundle *b, const ph_space *base, ph_group group, ph_error *err)
{
    ph_status status = copy_space(base, &b->base, err);
    if (!status)
        status = ph_group_space(group, &b->fibre, err);
    if (status)
        return status;
    b->is.base = b->base;
    b->is.group = group;
    b->na = ph_space_ambient(b->base);
    b->np = ph_space_momenta(b->base);
    b->nb = ph_space_dimension(b->base);
    b->g = ph_group_dimension(group);
    b->n = b->np + b->g;
    b->N = b->na + b->g;
    b->nh = ph_space_ambient(b->fibre);
    return PH_OK;
}

ph_status ph_bundle_create(const ph_bundle_definition *definition, ph_bundle **bundle, ph_error *err)
{
    if (!definition)
        return ph_fail(err, PH_E_INVALID, "there is no definition (it is NULL)");
    ph_status status = check_definition(definition, err);
    ph_bundle *b = status ? NULL : calloc(1, sizeof *b);
    if (!status && !b)
        status = ph_fail(err, PH_E_NO_MEMORY, "out of memory");
    if (status) {
        if (definition->user_free)
            definition->user_free(definition->user);
        return status;
    }
    b->is = *definition;
    status = ph_bundle_shape(b, definition->base, definition->group, err);
    if (status)
        ph_bundle_free(b);
    else
        *bundle = b;
    return status;
}

void ph_bundle_free(ph_bundle *b)
{
    if (!b)
        return;
    if (b->is.user_free)
        b->is.user_free(b->is.user);
    ph_space_free(b->base);
    ph_space_free(b->fibre);
    free(b->base_z);
    free(b->fibre_z);
    free(b);
}

const ph_space *ph_bundle_base(const ph_bundle *b)
{
    return b->base;
}

const ph_space *ph_bundle_fibre(const ph_bundle *b)
{
    return b->fibre;
}

size_t ph_bundle_group_dimension(const ph_bundle *b)
{
    return b->g;
}

/* ---- Points ------------------------------------------------------------------------------------------ */

/* Scratch of a point and of its derivative. */
typedef struct scratch {
    double *raw, *rate, *T, *dT, *product, *x, *values, *unit, *system;
} scratch;

static size_t place(const ph_bundle *b, double *work, scratch *s)
{
    const size_t size[] = {ph_raw_size(b),   ph_raw_size(b), b->N * b->n,
                           b->N * b->n,      b->N * b->n,    2 * b->na,
                           ph_point_size(b), b->np,          b->system ? ph_bundle_system_work(b) : 0};
    double **part[] = {&s->raw, &s->rate,   &s->T,    &s->dT,    &s->product,
                       &s->x,   &s->values, &s->unit, &s->system};
    size_t used = 0;
    for (size_t i = 0; i < sizeof size / sizeof size[0]; i++) {
        *part[i] = work ? work + used : NULL;
        used += size[i];
    }
    return used;
}

size_t ph_bundle_point_work(const ph_bundle *b)
{
    scratch s;
    return place(b, NULL, &s);
}

/* T (N x n) <- (tau(x), 1), or without the parts that do not depend on x. */
static void carry_frame(const ph_bundle *b, const double *x, bool varying, double *T, double *unit, double *v)
{
    memset(T, 0, b->N * b->n * sizeof *T);
    for (size_t j = 0; j < b->np; j++) {
        for (size_t i = 0; i < b->np; i++)
            unit[i] = i == j;
        ph_space_turn(b->base, x, unit, v);
        for (size_t i = 0; i < b->na; i++)
            T[i * b->n + j] = v[i];
    }
    if (!varying) {
        for (size_t i = 0; i < b->g; i++)
            T[(b->na + i) * b->n + b->np + i] = 1;
        return;
    }
    for (size_t k = 0; k < ph_space_factors(b->base); k++) {
        const ph_factor_place *f = ph_space_factor(b->base, k);
        if (f->kind == PH_FACTOR_R)
            memset(T + f->z * b->n, 0, f->nz * b->n * sizeof *T);
    }
}

/* out (n x n) += S^T K T, product <- K T. */
static void add_product(const ph_bundle *b, const double *S, const double *K, const double *T, double *out,
                        double *product)
{
    for (size_t i = 0; i < b->N; i++)
        for (size_t j = 0; j < b->n; j++) {
            double sum = 0;
            for (size_t k = 0; k < b->N; k++)
                sum += K[i * b->N + k] * T[k * b->n + j];
            product[i * b->n + j] = sum;
        }
    for (size_t i = 0; i < b->n; i++)
        for (size_t j = 0; j < b->n; j++)
            for (size_t k = 0; k < b->N; k++)
                out[i * b->n + j] += S[k * b->n + i] * product[k * b->n + j];
}

/* W (g x np) += w tau. */
static void add_connection(const ph_bundle *b, const double *w, const double *T, double *W)
{
    for (size_t i = 0; i < b->g; i++)
        for (size_t j = 0; j < b->np; j++)
            for (size_t k = 0; k < b->na; k++)
                W[i * b->np + j] += w[i * b->na + k] * T[k * b->n + j];
}

/* s->raw <- what the callback or the system say at x. */
static ph_status read_raw(const ph_bundle *b, const double *x, scratch *s)
{
    double condition;
    memset(s->raw, 0, ph_raw_size(b) * sizeof *s->raw);
    const ph_bundle_data d = ph_raw_parts(b, s->raw);
    ph_status status = b->system ? ph_bundle_system_data(b, 0, x, NULL, s->raw, &condition, s->system)
                                 : b->is.data(b->is.user, x, &d);
    return status || ph_all_finite(s->raw, ph_raw_size(b)) ? status : PH_E_NOT_FINITE;
}

/* P <- raw in the frame s->T. */
static void trivialise(const ph_bundle *b, double *raw, double *P, const scratch *s)
{
    const ph_bundle_data from = ph_raw_parts(b, raw), to = ph_point_parts(b, P);
    memset(P, 0, ph_point_size(b) * sizeof *P);
    add_product(b, s->T, from.K, s->T, to.K, s->product);
    add_connection(b, from.w, s->T, to.w);
    memcpy(to.xi, from.xi, b->g * sizeof *to.xi);
    *to.V = *from.V;
}

ph_status ph_bundle_point(const ph_bundle *b, const double *x, double *P, double *work)
{
    scratch s;
    place(b, work, &s);
    ph_status status = read_raw(b, x, &s);
    if (status)
        return status;
    carry_frame(b, x, false, s.T, s.unit, s.x);
    trivialise(b, s.raw, P, &s);
    return PH_OK;
}

ph_status ph_bundle_point_differences(const ph_bundle *b, const double *x, const double *eta, double *dP,
                                      double *work)
{
    const size_t size = ph_point_size(b);
    scratch s;
    place(b, work, &s);
    memset(dP, 0, size * sizeof *dP);
    for (int j = 1; j <= POINTS; j++)
        for (int sign = -1; sign <= 1; sign += 2) {
            for (size_t i = 0; i < b->np; i++)
                s.unit[i] = sign * j * width * eta[i];
            ph_space_act(b->base, x, s.unit, s.x + b->na);
            ph_status status = read_raw(b, s.x + b->na, &s);
            if (status)
                return status;
            carry_frame(b, s.x + b->na, false, s.T, s.unit, s.x);
            trivialise(b, s.raw, s.values, &s);
            for (size_t i = 0; i < size; i++)
                dP[i] += sign * weight[j - 1] * s.values[i] / (2 * j * width);
        }
    return PH_OK;
}

ph_status ph_bundle_point_along(const ph_bundle *b, const double *x, const double *eta, double *dP,
                                double *work)
{
    if (!b->is.along)
        return ph_bundle_point_differences(b, x, eta, dP, work);
    scratch s;
    place(b, work, &s);
    double *dx = s.x + b->na;
    const ph_bundle_data to = ph_point_parts(b, dP), raw = ph_raw_parts(b, s.raw),
                         rate = ph_raw_parts(b, s.rate);
    ph_status status = read_raw(b, x, &s);
    if (status)
        return status;
    memset(s.rate, 0, ph_raw_size(b) * sizeof *s.rate);
    ph_space_turn(b->base, x, eta, dx);
    status = b->is.along(b->is.user, x, dx, &rate);
    if (!status && !ph_all_finite(s.rate, ph_raw_size(b)))
        status = PH_E_NOT_FINITE;
    if (status)
        return status;
    carry_frame(b, x, false, s.T, s.unit, s.x);
    carry_frame(b, dx, true, s.dT, s.unit, s.x);
    trivialise(b, s.rate, dP, &s);
    add_product(b, s.T, raw.K, s.dT, to.K, s.product);
    add_product(b, s.dT, raw.K, s.T, to.K, s.product);
    add_connection(b, raw.w, s.dT, to.w);
    return PH_OK;
}

ph_status ph_bundle_force(const ph_bundle *b, double t, const double *x, const double *omega,
                          const double *zeta, double *f, double *work)
{
    scratch s;
    place(b, work, &s);
    ph_status status = PH_OK;
    memset(f, 0, b->n * sizeof *f);
    if (!b->is.force && !(b->system && ph_system_has_force(b->system)))
        return PH_OK;
    memset(s.raw, 0, b->N * sizeof *s.raw);
    ph_space_turn(b->base, x, omega, s.x);
    if (b->system)
        status = ph_bundle_system_force(b, t, x, NULL, s.x, zeta, s.raw, s.system);
    else
        status = b->is.force(b->is.user, t, x, s.x, zeta, s.raw);
    if (!status && !ph_all_finite(s.raw, b->N))
        status = PH_E_NOT_FINITE;
    if (status)
        return status;
    ph_space_momentum(b->base, x, s.raw, f);
    memcpy(f + b->np, s.raw + b->na, b->g * sizeof *f);
    return PH_OK;
}

/* ---- Algebra on a point ------------------------------------------------------------------------------ */

void ph_bundle_basis(const ph_bundle *b, const double *x, double *beta, double *work)
{
    memset(beta, 0, b->nb * b->np * sizeof *beta);
    ph_space_basis(b->base, x, work);
    for (size_t k = 0; k < ph_space_factors(b->base); k++) {
        const ph_factor_place *f = ph_space_factor(b->base, k);
        for (size_t i = 0; i < f->nx; i++) {
            double *row = beta + (f->x + i) * b->np + f->p;
            if (f->kind == PH_FACTOR_S2)
                ph_cross3(x + f->z, work, row); /* w = q x v */
            else
                row[i] = 1;
            work += f->nz;
        }
    }
}

void ph_bundle_lower(const ph_bundle *b, const double *P, const double *D, double *r)
{
    for (size_t i = 0; i < b->n; i++)
        r[i] = ph_dot(P + i * b->n, D, b->n);
}

void ph_bundle_horizontal(const ph_bundle *b, const double *P, const double *beta, double *A, double *work)
{
    const double *W = P + b->n * b->n;
    double *lift = work, *low = work + b->n;
    for (size_t i = 0; i < b->nb; i++) {
        const double *row = beta + i * b->np;
        memcpy(lift, row, b->np * sizeof *lift);
        for (size_t k = 0; k < b->g; k++)
            lift[b->np + k] = -ph_dot(W + k * b->np, row, b->np);
        ph_bundle_lower(b, P, lift, low);
        for (size_t j = 0; j < b->nb; j++) {
            const double *other = beta + j * b->np;
            double sum = ph_dot(low, other, b->np);
            for (size_t k = 0; k < b->g; k++)
                sum -= low[b->np + k] * ph_dot(W + k * b->np, other, b->np);
            A[i * b->nb + j] = sum;
        }
    }
}
