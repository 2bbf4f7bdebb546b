/* SPDX-License-Identifier: BSD-3-Clause */
/* What turns each spin by itself, exactly.
 *
 * A family: parts of the energy that depend on the u_i = a . s_i of one axis a alone, bonds among them. They keep
 * all u_i, so that s_i turns about a by the angle h (dH/du_i)/Gamma_i, which is known at the start:
 *
 *     dH/du_i = - sum_j c_ij u_j - 2 K_i u_i - a . B_i.
 *
 * (The angle must be exact: one that is replaced by a function of it, such as Cayley's, depends on the other u_j
 * by another rate than theirs on u_i, and the map would not be symplectic.)
 *
 * The field: s_i turns by the rotation vector -h (B_i + moment_i B(t))/Gamma_i.
 *
 * A turn by b: s <- s + (sin|b|/|b|) b x s + ((1 - cos|b|)/|b|^2) b x (b x s). Both numbers are rounded, and the same in
 * every step for a spin whose b stays the same: what is perpendicular to b would grow or shrink steadily. Each turn
 * therefore ends with a correction of the length that leaves the component along b as it is. */
#define WIDTH 4
#include "group.h"

#include <polhode/kit/elementary.h>

#include <math.h>

/* sin|b|/|b| and (1 - cos|b|)/|b|^2 by series where |b| <= 1; what they leave out is below 2^-56. x: |b|^2. */
INLINE void turn_series(vector x, vector *sine, vector *versine)
{
    static const double odd[] = {1,
                                 1. / 6,
                                 1. / 120,
                                 1. / 5040,
                                 1. / 362880,
                                 1. / 39916800,
                                 1. / 6227020800,
                                 1. / 1307674368000,
                                 1. / 355687428096000},
                        even[] = {1. / 2,
                                  1. / 24,
                                  1. / 720,
                                  1. / 40320,
                                  1. / 3628800,
                                  1. / 479001600,
                                  1. / 87178291200,
                                  1. / 20922789888000,
                                  1. / 6402373705728000};
    enum { TERMS = sizeof odd / sizeof odd[0] };
    vector s = all_lanes(odd[TERMS - 1]), v = all_lanes(even[TERMS - 1]);
    for (int k = TERMS - 2; k >= 0; k--) {
        s = odd[k] - x * s;
        v = even[k] - x * v;
    }
    *sine = s;
    *versine = v;
}

/* The same for any |b|, lane by lane. */
INLINE void turn_numbers(vector x, vector *sine, vector *versine)
{
    turn_series(x, sine, versine);
    if (!any(x > 1) && !any(x != x))
        return;
    for (int k = 0; k < WIDTH; k++)
        if (!(x[k] <= 1)) {
            const double angle = sqrt(x[k]), half = ph_sin(0.5 * angle) / angle;
            (*sine)[k] = ph_sin(angle) / angle;
            (*versine)[k] = 2 * half * half;
        }
}

/* The length of s by its part P perpendicular to the unit vector a: s <- s - E P/(2 P.P), E = |s|^2 - 1. Where P is small,
 * 1/P.P becomes P.P/((P.P)^2 + 2^-16), and the rest is corrected along s. */
INLINE void correct_across(OF(group) *f, const vector *a)
{
    const double little = 0x1p-16;
    vector s[3], across[3], inward[3];
    OF(spins)(f, s);
    OF(cross)(a, s, across);
    OF(cross)(a, across, inward); /* -P */
    const vector half = 0.5 * OF(excess)(f), PP = OF(dot)(across, across), part = half / (PP * PP + little),
                 by = part * PP, rest = part * little;
    for (int k = 0; k < 3; k++)
        OF(add)(f, k, by * inward[k] - rest * s[k]);
}

/* The spins at places from i on, as many as there are, at most OF(group). */
INLINE OF(group) some_from(const ph_turned *s, size_t i, size_t count)
{
    const uint32_t at[WIDTH] = {(uint32_t)i, (uint32_t)i + 1, (uint32_t)i + 2, (uint32_t)i + 3};
    return count < WIDTH ? OF(group_gathered)(s, at, count) : OF(from)(s, i);
}

INLINE void some_to(const ph_turned *s, size_t i, size_t count, const OF(group) *f)
{
    const uint32_t at[WIDTH] = {(uint32_t)i, (uint32_t)i + 1, (uint32_t)i + 2, (uint32_t)i + 3};
    if (count < WIDTH)
        OF(group_scattered)(s, at, count, f);
    else
        OF(to)(s, i, f);
}

/* ---- Families ------------------------------------------------------------------------------------- */

/* u (n) <- a . s */
INLINE void components(const ph_turned *s, size_t n, const double *a, double *u)
{
    for (size_t i = 0; i < n; i += WIDTH) {
        const size_t count = n - i < WIDTH ? n - i : WIDTH;
        const OF(group) f = some_from(s, i, count);
        vector own[3];
        OF(spins)(&f, own);
        const vector along = a[0] * own[0] + a[1] * own[1] + a[2] * own[2];
        for (size_t k = 0; k < count; k++)
            u[i + k] = along[k];
    }
}

/* rate (n) += what the bonds add to dH/du. */
static void add_bonds(const ph_spin_splitting *w, const ph_axial_term *term)
{
    const ph_bonds *b = term->bonds;
    double *rate = w->rate;
    const double *u = w->u;
    if (b->all_pairs) {
        double sum = 0;
        for (size_t i = 0; i < w->n; i++)
            sum += u[i];
        for (size_t i = 0; i < w->n; i++)
            rate[i] -= term->scale * b->c[0] * (sum - u[i]);
    }
    for (size_t k = 0; k < b->n; k++) {
        const size_t i = w->place[b->first[k]], j = w->place[b->second[k]];
        const double c = term->scale * b->c[b->uniform ? 0 : k];
        rate[i] -= c * u[j];
        rate[j] -= c * u[i];
    }
}

static void set_rates(const ph_spin_splitting *w, const ph_family *family)
{
    const ph_spins *is = w->is;
    const double *a = family->axis;
    for (size_t i = 0; i < w->n; i++) {
        const double *B = family->field ? is->field + (is->field_is_uniform ? 0 : 3 * w->site[i]) : NULL;
        w->rate[i] = B ? -(a[0] * B[0] + a[1] * B[1] + a[2] * B[2]) : 0;
    }
    for (size_t m = 0; m < family->n_terms; m++) {
        const ph_axial_term *term = &family->terms[m];
        if (term->bonds)
            add_bonds(w, term);
        else
            for (size_t i = 0; i < w->n; i++)
                w->rate[i] -= 2 * term->scale * term->easy->K[term->easy->uniform ? 0 : w->site[i]] * w->u[i];
    }
}

/* Every spin about a by the angle h rate/Gamma. */
INLINE void turn_about(const ph_turning *x, const double *axis)
{
    const ph_spin_splitting *w = x->w;
    const ph_turned spins = x->s;
    const vector a[3] = {all_lanes(axis[0]), all_lanes(axis[1]), all_lanes(axis[2])};
    for (size_t i = 0; i < w->n; i += WIDTH) {
        const size_t count = w->n - i < WIDTH ? w->n - i : WIDTH;
        OF(group) f = some_from(&spins, i, count);
        vector s[3], across[3], inward[3], sine, versine;
        const vector angle = x->h * OF(first_of)(w->rate + i, count) / OF(first_of)(w->G + i, count),
                     square = angle * angle;
        OF(spins)(&f, s);
        OF(cross)(a, s, across);
        OF(cross)(a, across, inward); /* a . of both is 0 but for roundings that have no mean */
        turn_numbers(square, &sine, &versine);
        sine *= angle;
        versine *= square;
        for (int k = 0; k < 3; k++)
            OF(add)(&f, k, sine * across[k] + versine * inward[k]);
        OF(settle)(&f);
        correct_across(&f, a);
        some_to(&spins, i, count, &f);
    }
}

PH_LANES_TWICE(PH_LANES_AVX2, void, components, (const ph_turned *s, size_t n, const double *a, double *u),
               components(s, n, a, u);)
PH_LANES_TWICE(PH_LANES_AVX2, void, turn_about, (const ph_turning *x, const double *axis),
               turn_about(x, axis);)

void ph_spin_splitting_turn_family(ph_turning *x, const ph_family *family)
{
    const ph_spin_splitting *w = x->w;
    (w->kernel != PLAIN ? components_wide : components_plain)(&x->s, w->n, family->axis, w->u);
    set_rates(w, family);
    (w->kernel != PLAIN ? turn_about_wide : turn_about_plain)(x, family->axis);
}

/* ---- The field ------------------------------------------------------------------------------------ */

/* b (3) <- rotation vectors of the spins at up to OF(group) places. B: the control. */
INLINE void field_turn(const ph_turning *x, const double *B, size_t i, size_t count, vector *b)
{
    const ph_spin_splitting *w = x->w;
    const ph_spins *is = w->is;
    for (size_t k = 0; k < WIDTH; k++) {
        const size_t at = i + (k < count ? k : 0), site = w->site[at];
        const double *own = is->field ? is->field + (is->field_is_uniform ? 0 : 3 * site) : NULL,
                     moment = is->moments ? is->moments[site] : 1;
        for (int a = 0; a < 3; a++)
            b[a][k] = -x->h * ((own ? own[a] : 0) + moment * B[a]) / w->G[at];
    }
}

/* unit <- the directions of b, 0 where there is none. */
INLINE void directions(const vector *b, vector *unit)
{
    const vector square = OF(dot)(b, b);
    for (int k = 0; k < WIDTH; k++) {
        const double over = square[k] > 0 ? 1 / sqrt(square[k]) : 0;
        for (int a = 0; a < 3; a++)
            unit[a][k] = b[a][k] * over;
    }
}

INLINE void turn_all(const ph_turning *x, const double *B)
{
    const ph_spin_splitting *w = x->w;
    const ph_spins *is = w->is;
    const ph_turned spins = x->s;
    const bool same = w->alike && (!is->field || is->field_is_uniform) && (!is->control || !is->moments);
    vector b[3] = {{0, 0, 0, 0}, {0, 0, 0, 0}, {0, 0, 0, 0}}, unit[3] = {b[0], b[0], b[0]}, sine = b[0],
           versine = b[0];
    for (size_t i = 0; i < w->n; i += WIDTH) {
        const size_t count = w->n - i < WIDTH ? w->n - i : WIDTH;
        OF(group) f = some_from(&spins, i, count);
        vector s[3], once[3], twice[3];
        if (!i || !same) {
            field_turn(x, B, i, count, b);
            turn_numbers(OF(dot)(b, b), &sine, &versine);
            directions(b, unit);
        }
        OF(spins)(&f, s);
        OF(cross)(b, s, once);
        OF(cross)(b, once, twice);
        for (int a = 0; a < 3; a++)
            OF(add)(&f, a, sine * once[a] + versine * twice[a]);
        OF(settle)(&f);
        correct_across(&f, unit);
        some_to(&spins, i, count, &f);
    }
}

PH_LANES_TWICE(PH_LANES_AVX2, void, turn_all, (const ph_turning *x, const double *B), turn_all(x, B);)

void ph_spin_splitting_turn_field(ph_turning *x)
{
    double B[3] = {0, 0, 0};
    const bool control = x->w->is->control != NULL;
    const ph_status status = control ? ph_spins_control(x->context->system, x->t, B) : PH_OK;
    if (control)
        x->status = ph_context_judge(x->context, "the control", x->t, status, B, 3);
    if (!x->status)
        (x->w->kernel != PLAIN ? turn_all_wide : turn_all_plain)(x, B);
}
