/* SPDX-License-Identifier: BSD-3-Clause */
/* What a step of eight systems at once (product-lanes.c) does in vectors: included for each width of them, with the names of
 * lanes-width.h. Arrays have eight numbers, one of each system, in place of each. The sums are those of product.c in the same order;
 * terms that are 0 because a basis on R^d has one entry in a row are left out, which changes no bit. */
#include "integrators/shared/lanes-eight.h"

#include <polhode/kit/elementary.h>

/* The sum of products of row a of a factor's basis with v (8 nz), from +0 on. */
INLINE number OF(row_dot)(const product_eight *w, const ph_part *f, size_t a, const double *v, size_t at)
{
    const number none = {0};
    const double *of = v + EIGHT * f->z + at;
    if (f->kind == PH_FACTOR_R)
        return none + OF(load)(w->length + at) * OF(load)(of + EIGHT * a);
    const double *row = w->E + EIGHT * f->e + at;
    return none + OF(load)(row) * OF(load)(of) + OF(load)(row + EIGHT) * OF(load)(of + EIGHT);
}

/* E, p.E, and x by the increments y of the steps before. */
INLINE void OF(begin_part)(const product_eight *w, const ph_state *state, const ph_stage *stage,
                           const double *y, double count, size_t at)
{
    const number none = {0};
    for (const ph_part *f = w->parts; f < w->parts + w->n; f++) {
        const double *q = state->z + EIGHT * f->z + at, *p = state->p + EIGHT * f->x + at;
        if (f->kind == PH_FACTOR_S1) {
            const number x = OF(load)(q), y0 = OF(load)(q + EIGHT), turn = OF(load)(p);
            double *row = w->E + EIGHT * f->e + at;
            OF(store)(-y0, row);
            OF(store)(x, row + EIGHT);
            OF(store)(none + -y0 * (-turn * y0) + x * (turn * x), w->pE + EIGHT * f->x + at);
        }
        for (size_t a = 0; a < f->nx && f->kind == PH_FACTOR_R; a++) {
            const number own = OF(load)(w->length + at) * OF(load)(p + EIGHT * a);
            OF(store)(none + own, w->pE + EIGHT * (f->x + a) + at);
        }
    }
    for (size_t k = 0; k < w->nx; k++) {
        const double *own = y + EIGHT * k + at;
        const size_t back = EIGHT * w->nx;
        const number y1 = OF(load)(own), y2 = OF(load)(own + back), y3 = OF(load)(own + 2 * back);
        const double *by = stage ? stage->increments[(size_t)count - 1] : NULL;
        OF(store)(by          ? by[0] * y1 + by[1] * y2 + by[2] * y3
                  : count < 2 ? y1
                  : count < 3 ? 2 * y1 - y2
                              : 3 * (y1 - y2) + y3,
                  w->x + EIGHT * k + at);
    }
}

/* D <- the increments for x; v <- D / h where forces depend on it. */
INLINE void OF(place_part)(const product_eight *w, size_t at)
{
    const number none = {0};
    for (const ph_part *f = w->parts; f < w->parts + w->n; f++) {
        double *D = w->D + EIGHT * f->z + at;
        const double *x = w->x + EIGHT * f->x + at;
        for (size_t a = 0; a < f->nx && f->kind == PH_FACTOR_R; a++) {
            const number own = OF(load)(w->length + at) * OF(load)(x + EIGHT * a);
            OF(store)(none + own, D + EIGHT * a);
        }
        if (f->kind == PH_FACTOR_S1) {
            const double *row = w->E + EIGHT * f->e + at, *q = w->z + EIGHT * f->z + at;
            number half = none, sine = none;
            for (int l = 0; l < WIDTH; l++) {
                half[l] = ph_sin(0.5 * x[l]);
                sine[l] = ph_sin(x[l]);
            }
            OF(store)(sine, w->sine + EIGHT * f->x + at);
            for (size_t k = 0; k < 2; k++) {
                const number down = 2 * half * half * OF(load)(q + EIGHT * k);
                OF(store)(sine * OF(load)(row + EIGHT * k) - down, D + EIGHT * k);
            }
        }
    }
    for (size_t k = at; k < EIGHT * w->nz && w->velocity; k += EIGHT)
        OF(store)(OF(load)(w->D + k) / w->h, w->v + k);
}

/* mu, and r with its scale; norm (8) <- max |r_i| / scale_i, NaN if anything is. */
INLINE void OF(residual_part)(const product_eight *w, const double *g, size_t at)
{
    const number none = {0};
    const double h = w->h, half = 0.5 * h;
    number least = none;
    for (size_t k = 0; k < w->nx; k++)
        least = OF(larger)(least, OF(absolute)(OF(load)(w->x + EIGHT * k + at)));
    least *= DBL_EPSILON;
    for (const ph_part *f = w->parts; f < w->parts + w->n; f++)
        for (size_t k = 0; k < f->nz; k++) { /* as in ph_increment_grain */
            const size_t a = f->kind == PH_FACTOR_R ? k : 0;
            const number row = f->kind == PH_FACTOR_R
                                   ? OF(load)(w->length + at)
                                   : OF(absolute)(OF(load)(w->E + EIGHT * (f->e + k) + at)),
                         x = OF(absolute)(OF(load)(w->x + EIGHT * (f->x + a) + at)),
                         D = OF(absolute)(OF(load)(w->D + EIGHT * (f->z + k) + at));
            OF(store)(OF(larger)(OF(larger)(least, x) * row, D), w->grain + EIGHT * (f->z + k) + at);
        }
    for (size_t i = 0; i < w->nz; i++) {
        const double *row = w->MM + EIGHT * i * w->nz + at;
        number sum = none, magnitude = none;
        for (size_t j = 0; j < w->nz; j++) {
            const number M = OF(load)(row + EIGHT * j);
            sum += M * OF(load)(w->D + EIGHT * j + at);
            magnitude += OF(absolute)(M) * OF(load)(w->grain + EIGHT * j + at);
        }
        const number push = h * (half * (OF(load)(g + EIGHT * i + at) - OF(load)(w->f + EIGHT * i + at)));
        OF(store)(sum, w->mu + EIGHT * i + at);
        OF(store)(sum + push, w->column + EIGHT * i + at);
        OF(store)(magnitude + OF(absolute)(push), w->size + EIGHT * i + at);
    }
    number largest = none, all = none;
    for (const ph_part *f = w->parts; f < w->parts + w->n; f++)
        for (size_t a = 0; a < f->nx; a++) {
            const number turn = h * OF(load)(w->pE + EIGHT * (f->x + a) + at),
                         r = OF(row_dot)(w, f, a, w->column, at) - turn;
            number scale = OF(absolute)(turn);
            if (f->kind == PH_FACTOR_R)
                scale += OF(load)(w->length + at) * OF(load)(w->size + EIGHT * (f->z + a) + at);
            for (size_t k = 0; k < f->nz && f->kind != PH_FACTOR_R; k++)
                scale += OF(absolute)(OF(load)(w->E + EIGHT * (f->e + k) + at)) *
                         OF(load)(w->size + EIGHT * (f->z + k) + at);
            const number e = OF(absolute)(r) / (scale + DBL_MIN);
            largest = OF(larger)(largest, e);
            all += e;
            OF(store)(r, w->r + EIGHT * (f->x + a) + at);
        }
    for (int l = 0; l < WIDTH; l++)
        w->norm[at + (size_t)l] = all[l] < INFINITY ? largest[l] : (double)NAN;
}

/* dD <- the derivatives of D by x, where it was placed last, laid like E; those on R^d are E itself. */
INLINE void OF(derive_part)(const product_eight *w, size_t at)
{
    for (const ph_part *f = w->parts; f < w->parts + w->n; f++) {
        if (f->kind == PH_FACTOR_R)
            continue;
        const double *x = w->x + EIGHT * f->x + at;
        const number sine = OF(load)(w->sine + EIGHT * f->x + at);
        number cosine = {0};
        for (int l = 0; l < WIDTH; l++)
            cosine[l] = ph_cos(x[l]);
        for (size_t k = 0; k < 2; k++) {
            const number row = OF(load)(w->E + EIGHT * (f->e + k) + at),
                         q = OF(load)(w->z + EIGHT * (f->z + k) + at);
            OF(store)(cosine * row - sine * q, w->dD + EIGHT * (f->e + k) + at);
        }
    }
}

/* J <- E^T (MM - weight df/dv) Y, Y laid like E. */
INLINE void OF(fill_part)(const product_eight *w, const double *Y, double weight, size_t at)
{
    const number none = {0}, length = OF(load)(w->length + at);
    for (const ph_part *from = w->parts; from < w->parts + w->n; from++)
        for (size_t b = 0; b < from->nx; b++) {
            const double *y = Y + EIGHT * from->e + at;
            const bool linear = from->kind == PH_FACTOR_R;
            for (size_t k = 0; k < w->nz; k++) {
                const size_t row = EIGHT * (k * w->nz + from->z) + at;
                number sum = none;
                for (size_t l = linear ? b : 0; l < (linear ? b + 1 : from->nz); l++)
                    sum += OF(load)(w->MM + row + EIGHT * l) * (linear ? length : OF(load)(y + EIGHT * l));
                for (size_t l = linear ? b : 0; weight != 0 && l < (linear ? b + 1 : from->nz); l++)
                    sum -= weight * OF(load)(w->dfdv + row + EIGHT * l) *
                           (linear ? length : OF(load)(y + EIGHT * l));
                OF(store)(sum, w->column + EIGHT * k + at);
            }
            for (const ph_part *f = w->parts; f < w->parts + w->n; f++)
                for (size_t a = 0; a < f->nx; a++) {
                    double *J = w->J + EIGHT * ((f->x + a) * w->nx + from->x + b) + at;
                    OF(store)(OF(row_dot)(w, f, a, w->column, at), J);
                }
        }
}

/* Of which systems is the symmetric part of that matrix positive definite? By Cholesky, as ph_cholesky_factor. */
INLINE unsigned OF(positive_part)(const product_eight *w, const double *Y, size_t at)
{
    const size_t n = w->nx;
    truth good = (number){0} == 0;
    OF(fill_part)(w, Y, w->velocity ? 0.5 * w->h : 0, at);
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < i; j++) {
            double *J = w->J + EIGHT * (i * n + j) + at;
            OF(store)(0.5 * (OF(load)(J) + OF(load)(w->J + EIGHT * (j * n + i) + at)), J);
        }
    for (size_t i = 0; i < n; i++) {
        double *row = w->J + EIGHT * i * n + at;
        number d = OF(load)(row + EIGHT * i), root = d; /* of each lane below */
        for (size_t j = 0; j < i; j++) {
            const double *other = w->J + EIGHT * j * n + at;
            number sum = OF(load)(row + EIGHT * j);
            for (size_t k = 0; k < j; k++)
                sum -= OF(load)(row + EIGHT * k) * OF(load)(other + EIGHT * k);
            sum *= OF(load)(other + EIGHT * j);
            OF(store)(sum, row + EIGHT * j);
            d -= sum * sum;
        }
        good &= (d > 0) & (d < (double)INFINITY);
        for (int l = 0; l < WIDTH; l++)
            root[l] = sqrt(d[l]);
        OF(store)(1 / root, row + EIGHT * i);
    }
    return OF(bits)(good) << at;
}

/* dS += weight times the moments of the covector B at A, as ph_add_moments. */
INLINE void OF(add_moments)(const product_eight *w, const double *A, const double *B, double weight,
                            size_t at)
{
    for (const ph_part *f = w->parts; f < w->parts + w->n; f++) {
        const double *a = A + EIGHT * f->z + at, *b = B + EIGHT * f->z + at;
        double *m = w->dS + EIGHT * f->x + at;
        for (size_t k = 0; k < f->nz && f->kind == PH_FACTOR_R; k++) {
            const number own = OF(load)(m + EIGHT * k);
            OF(store)(own + weight * OF(load)(b + EIGHT * k), m + EIGHT * k);
        }
        if (f->kind == PH_FACTOR_S1) {
            const number turn = OF(load)(a) * OF(load)(b + EIGHT) - OF(load)(a + EIGHT) * OF(load)(b);
            OF(store)(OF(load)(m) + weight * turn, m);
        }
    }
}

/* z1 and its low-order part; dS <- what turns and the push at the start give. */
INLINE void OF(move_part)(const product_eight *w, const double *g, const double *low, size_t at)
{
    const number none = {0};
    for (size_t k = at; k < EIGHT * w->nz; k += EIGHT) {
        number sum, rest;
        OF(two_sum)(OF(load)(w->z + k), OF(load)(w->D + k) + OF(load)(low + k), &sum, &rest);
        OF(store)(sum, w->z1 + k);
        OF(store)(rest, w->z1_low + k);
        OF(store)(OF(load)(g + k) - OF(load)(w->f + k), w->column + k);
    }
    for (size_t k = at; k < EIGHT * w->nx; k += EIGHT)
        OF(store)(none, w->dS + k);
    OF(add_moments)(w, w->z, w->column, -0.5 * w->h, at);
    for (const ph_part *f = w->parts; f < w->parts + w->n; f++) {
        if (f->kind == PH_FACTOR_R)
            continue;
        const double *D = w->D + EIGHT * f->z + at, *mu = w->mu + EIGHT * f->z + at;
        double *m = w->dS + EIGHT * f->x + at, *q = w->z1 + EIGHT * f->z + at,
               *rest = w->z1_low + EIGHT * f->z + at;
        const number G0 = OF(load)(mu) / w->h, G1 = OF(load)(mu + EIGHT) / w->h,
                     turn = OF(load)(D) * G1 - OF(load)(D + EIGHT) * G0;
        OF(store)(OF(load)(m) + turn, m);
        for (size_t l = 0; l < WIDTH; l++) {
            double of[3] = {q[l], q[EIGHT + l], 0}, lost[3] = {rest[l], rest[EIGHT + l], 0};
            ph_unit_correct_sum3(of, lost);
            q[l] = of[0], q[EIGHT + l] = of[1];
            rest[l] = lost[0], rest[EIGHT + l] = lost[1];
        }
    }
}

/* S1 and its low-order part, with the push at the end. Returns which systems are not finite there. */
INLINE unsigned OF(end_part)(const product_eight *w, const double *S, const double *low, size_t at)
{
    number sum = {0};
    for (size_t k = at; k < EIGHT * w->nz; k += EIGHT) {
        const number g = OF(load)(w->g1 + k), f = OF(load)(w->f + k);
        OF(store)(g - f, w->column + k);
        sum += 0 * g + 0 * f + 0 * OF(load)(w->z1 + k);
    }
    OF(add_moments)(w, w->z1, w->column, -0.5 * w->h, at);
    for (size_t k = at; k < EIGHT * w->nx; k += EIGHT) {
        number S1, rest;
        OF(two_sum)(OF(load)(S + k), OF(load)(low + k) + OF(load)(w->dS + k), &S1, &rest);
        OF(store)(S1, w->S1 + k);
        OF(store)(rest, w->low1 + k);
        sum += 0 * S1;
    }
    return OF(bits)(sum != 0) << at;
}

#define EACH_PART(result, name, parameters, ...)                                                             \
    static TARGET result OF(name) parameters                                                                 \
    {                                                                                                        \
        for (size_t at = 0; at < EIGHT; at += WIDTH)                                                         \
            __VA_ARGS__                                                                                      \
    }
EACH_PART(void, begin,
          (const product_eight *w, const ph_state *state, const ph_stage *stage, const double *y,
           double count),
          OF(begin_part)(w, state, stage, y, count, at);)
EACH_PART(void, place, (const product_eight *w), OF(place_part)(w, at);)
EACH_PART(void, residual, (const product_eight *w, const double *g), OF(residual_part)(w, g, at);)
EACH_PART(void, jacobian, (const product_eight *w, double weight), {
    OF(derive_part)(w, at);
    OF(fill_part)(w, w->dD, weight, at);
})
EACH_PART(void, move, (const product_eight *w, const double *g, const double *low),
          OF(move_part)(w, g, low, at);)
#undef EACH_PART

static TARGET unsigned OF(on_the_branch)(const product_eight *w)
{
    unsigned good = 0;
    for (size_t at = 0; at < EIGHT; at += WIDTH) {
        OF(derive_part)(w, at);
        unsigned own = OF(positive_part)(w, w->dD, at);
        if (w->velocity)
            own &= OF(positive_part)(w, w->E, at);
        good |= own;
    }
    return good;
}

static TARGET unsigned OF(end)(const product_eight *w, const double *S, const double *low)
{
    unsigned unbounded = 0;
    for (size_t at = 0; at < EIGHT; at += WIDTH)
        unbounded |= OF(end_part)(w, S, low, at);
    return unbounded;
}

static const product_kind OF(kind) = {OF(begin),         OF(place), OF(residual), OF(jacobian),
                                      OF(on_the_branch), OF(move),  OF(end)};
