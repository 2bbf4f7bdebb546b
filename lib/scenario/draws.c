/* SPDX-License-Identifier: BSD-3-Clause */
/* ensemble.sample.KEY: what a value is drawn from. A covariance C is factorised as L L^T, also where it is singular, and a
 * tangent vector is L n with independent normal numbers n. */
#include "draws.h"

#include "parts.h"

#include <polhode/kit/elementary.h>
#include <polhode/kit/vector.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { UNIFORM, NORMAL, LOG_UNIFORM, SPHERE, WITHIN, CONCENTRATION, ROTATION, TANGENT, COVARIANCE, KEYS };
static const ph_scenario_key keys[KEYS] = {
    [UNIFORM] = {"uniform", "`[a, b]`", "another key", "A number between a and b."},
    [NORMAL] = {"normal", "`[mean, deviation]`", "another key", "A normal number."},
    [LOG_UNIFORM] = {"log-uniform", "`[a, b]`, > 0", "another key",
                     "A number between a and b, whose logarithm is uniform."},
    [SPHERE] = {"sphere", "`uniform` or an axis `[x, y, z]`", "another key",
                "A unit vector: anywhere, or about an axis, with `within` or `concentration`."},
    [WITHIN] = {"within", "an angle in rad, or as 90 deg", "`concentration`",
                "With an axis: uniform where the angle to it is at most this."},
    [CONCENTRATION] =
        {"concentration", "a number > 0", "`within`",
         "With an axis: k of the density exp(k cos), the angle's cosine, by von Mises and Fisher; the "
         "angle is some 1/sqrt(k) rad."},
    [ROTATION] = {"rotation", "`uniform`", "another key", "A rotation, by Haar's measure, as a quaternion."},
    [TANGENT] =
        {"tangent", "a deviation, or a list of them", "another key",
         "Of `initial.q[i]`, `initial.omega[i]` and `initial` (a list) only: the state is moved by independent "
         "normal numbers of these standard deviations, along the manifold."},
    [COVARIANCE] = {"covariance", "a matrix, list of rows", "another key", "Likewise, of this covariance."}};
const ph_scenario_map ph_draw_keys = {"ensemble.sample.KEY", keys, KEYS};

/* ---- Parts --------------------------------------------------------------------------------------------------- */

static ph_status read_pair(const ph_node *at, ph_draw *d, ph_draw_kind kind, ph_error *err)
{
    double pair[2];
    ph_status status =
        ph_node_numbers(at, kind == PH_DRAW_NORMAL ? "[mean, deviation]" : "[a, b]", pair, 2, err);
    if (status)
        return status;
    d->kind = kind;
    d->a = pair[0];
    d->b = pair[1];
    if (kind == PH_DRAW_NORMAL && !(d->b >= 0))
        return ph_node_fail(at, err, PH_E_RANGE, "has the deviation %g; a number >= 0 is expected", d->b);
    if (kind != PH_DRAW_NORMAL && !(d->a <= d->b && isfinite(d->b - d->a)))
        return ph_node_fail(at, err, PH_E_RANGE, "is from %g to %g; [a, b] with a <= b is expected", d->a,
                            d->b);
    if (kind == PH_DRAW_LOG_UNIFORM && !(d->a > 0 && isfinite(d->b / d->a)))
        return ph_node_fail(at, err, PH_E_RANGE, "begins at %g; bounds > 0 are expected", d->a);
    return PH_OK;
}

static bool is_uniform(const ph_node *at)
{
    return ph_is_word(at, "uniform");
}

static ph_status read_sphere(const ph_node *values, ph_draw *d, ph_error *err)
{
    const ph_node *at = &values[SPHERE];
    const bool within = values[WITHIN].node, dense = values[CONCENTRATION].node;
    double angle = 0;
    d->kind = PH_DRAW_SPHERE;
    if (is_uniform(at) && !within && !dense)
        return PH_OK;
    if (is_uniform(at) || within == dense)
        return ph_node_fail(
            at, err, PH_E_PARSE,
            "is uniform, or an axis with one of \"within\" and \"concentration\", as in {sphere: [0, 0, -1], "
            "within: 10 deg}");
    ph_status status = ph_node_numbers(at, "uniform, or an axis [x, y, z],", d->axis, 3, err);
    const double length = ph_norm3(d->axis);
    if (!status && !(length > 0 && isfinite(length)))
        status = ph_node_fail(at, err, PH_E_RANGE, "is not an axis: its length is %g", length);
    for (int i = 0; i < 3; i++)
        d->axis[i] /= length;
    if (status)
        return status;
    d->kind = within ? PH_DRAW_CAP : PH_DRAW_AROUND;
    status = within ? ph_read_angle(&values[WITHIN], &angle, err)
                    : ph_node_number(&values[CONCENTRATION], "a number > 0", &d->a, err);
    if (!status && within && !(angle > 0 && angle <= 3.15))
        status = ph_node_fail(&values[WITHIN], err, PH_E_RANGE,
                              "is %g rad; an angle from 0 to pi is expected (degrees as 10 deg)", angle);
    if (!status && dense && !(d->a > 0))
        status =
            ph_node_fail(&values[CONCENTRATION], err, PH_E_RANGE, "is %g; a number > 0 is expected", d->a);
    if (within)
        d->a = 2 * ph_sin(angle / 2) * ph_sin(angle / 2);
    return status;
}

static ph_status allocate(ph_draw *d, size_t n, ph_error *err)
{
    d->kind = PH_DRAW_TANGENT;
    d->n = n;
    d->factor = n ? calloc(n * n, sizeof *d->factor) : NULL;
    return d->factor || !n ? PH_OK : ph_fail(err, PH_E_NO_MEMORY, "out of memory");
}

/* A number for all, or a list. */
static ph_status read_deviations(const ph_node *at, ph_draw *d, ph_error *err)
{
    size_t n = 0;
    double s = 0;
    if (!ph_node_is_list(at)) {
        ph_status status = ph_node_number(at, "a standard deviation, or a list of them,", &d->b, err);
        return status      ? status
               : d->b >= 0 ? allocate(d, 0, err)
                           : ph_node_fail(at, err, PH_E_RANGE, "is %g; a deviation >= 0 is expected", d->b);
    }
    ph_status status = ph_node_list(at, "a list of standard deviations", &n, err);
    if (!status && !n)
        status = ph_node_fail(at, err, PH_E_SIZE, "is empty; a list of standard deviations is expected");
    if (!status)
        status = allocate(d, n, err);
    for (size_t i = 0; i < n && !status; i++) {
        const ph_node item = ph_node_item(at, i);
        status = ph_node_number(&item, "a standard deviation", &s, err);
        if (!status && !(s >= 0))
            status = ph_node_fail(&item, err, PH_E_RANGE, "is %g; a deviation >= 0 is expected", s);
        if (!status)
            d->factor[i * n + i] = s;
    }
    return status;
}

/* L (n x n) <- the lower triangle with L L^T = C, in place. *bad <- the first row that shows that C is not positive
 * semidefinite, beyond rounding; n: it is. A pivot that is 0 within rounding has a column of zeros. */
static void factorise(double *C, size_t n, size_t *bad)
{
    double scale = 0;
    for (size_t i = 0; i < n; i++)
        scale = fmax(scale, C[i * n + i]);
    const double small = (double)n * 1e-14 * scale;
    *bad = n;
    for (size_t j = 0; j < n; j++) {
        double pivot = C[j * n + j];
        for (size_t k = 0; k < j; k++)
            pivot -= C[j * n + k] * C[j * n + k];
        if (!(pivot >= -small)) {
            *bad = j;
            return;
        }
        const bool none = pivot <= small;
        C[j * n + j] = none ? 0 : sqrt(pivot);
        for (size_t i = j + 1; i < n; i++) {
            double sum = C[i * n + j];
            for (size_t k = 0; k < j; k++)
                sum -= C[i * n + k] * C[j * n + k];
            if (none && fabs(sum) > sqrt(small * scale)) {
                *bad = i;
                return;
            }
            C[i * n + j] = none ? 0 : sum / C[j * n + j];
        }
    }
    for (size_t i = 0; i < n; i++)
        memset(C + i * n + i + 1, 0, (n - 1 - i) * sizeof *C);
}

static ph_status read_covariance(const ph_node *at, ph_draw *d, ph_error *err)
{
    size_t n = 0, bad;
    ph_status status = ph_node_list(at, "a matrix, a list of rows,", &n, err);
    if (!status && !n)
        status = ph_node_fail(at, err, PH_E_SIZE, "is empty; a matrix, a list of rows, is expected");
    if (!status)
        status = allocate(d, n, err);
    for (size_t i = 0; i < n && !status; i++) {
        const ph_node row = ph_node_item(at, i);
        status = ph_node_numbers(&row, "a row of a square matrix", d->factor + i * n, n, err);
    }
    for (size_t i = 0; i < n && !status; i++)
        for (size_t j = 0; j < i && !status; j++) {
            const double a = d->factor[i * n + j], b = d->factor[j * n + i];
            if (!(fabs(a - b) <= 1e-12 * fmax(fabs(a), fabs(b))))
                status = ph_node_fail(at, err, PH_E_RANGE,
                                      "is not symmetric: entry [%zu][%zu] is %.17g, [%zu][%zu] is %.17g", i,
                                      j, a, j, i, b);
        }
    if (status)
        return status;
    factorise(d->factor, n, &bad);
    return bad == n
               ? PH_OK
               : ph_node_fail(
                     at, err, PH_E_RANGE,
                     "is not positive semidefinite, as row %zu shows; no random vector has this covariance",
                     bad);
}

/* ---- The whole ------------------------------------------------------------------------------------------------ */

ph_status ph_read_draw(const ph_node *at, ph_draw *d, ph_error *err)
{
    ph_node values[KEYS];
    ph_status status = ph_node_keys(at, "a map, as in {uniform: [0, 1]},", &ph_draw_keys, values, err);
    if (status)
        return status;
    *d = (ph_draw){.file = at->file, .at = ph_yaml_index(at->file, at->node)};
    size_t given = 0;
    for (size_t i = 0; i < KEYS; i++)
        given += values[i].node && i != WITHIN && i != CONCENTRATION;
    if (given != 1 || (!values[SPHERE].node && (values[WITHIN].node || values[CONCENTRATION].node)))
        return ph_node_fail(
            at, err, PH_E_PARSE,
            "is not one distribution; one of uniform, normal, log-uniform, sphere, rotation, tangent and "
            "covariance is expected, as in {uniform: [0, 1]}");
    if (values[SPHERE].node)
        return read_sphere(values, d, err);
    if (values[TANGENT].node)
        return read_deviations(&values[TANGENT], d, err);
    if (values[COVARIANCE].node)
        return read_covariance(&values[COVARIANCE], d, err);
    d->kind = PH_DRAW_ROTATION;
    if (values[ROTATION].node)
        return is_uniform(&values[ROTATION])
                   ? PH_OK
                   : ph_node_fail(&values[ROTATION], err, PH_E_UNKNOWN,
                                  "is not a distribution of rotations; uniform is expected");
    const int key = values[UNIFORM].node ? UNIFORM : values[NORMAL].node ? NORMAL : LOG_UNIFORM;
    return read_pair(&values[key], d,
                     key == UNIFORM  ? PH_DRAW_UNIFORM
                     : key == NORMAL ? PH_DRAW_NORMAL
                                     : PH_DRAW_LOG_UNIFORM,
                     err);
}

size_t ph_draw_numbers(const ph_draw *d, bool *list)
{
    *list = d->kind >= PH_DRAW_SPHERE;
    return d->kind == PH_DRAW_TANGENT ? d->n : d->kind == PH_DRAW_ROTATION ? 4 : *list ? 3 : 1;
}

/* values <- L n, or b n. */
static void draw_tangent(const ph_draw *d, const ph_stream *s, double *values)
{
    for (size_t i = 0; i < d->n; i++)
        values[i] = ph_random_normal(s, (uint32_t)i) * (d->factor ? 1 : d->b);
    for (size_t i = d->n; i-- > 0 && d->factor;) { /* from below, as the rows above are still n */
        double sum = 0;
        for (size_t j = 0; j <= i; j++)
            sum += d->factor[i * d->n + j] * values[j];
        values[i] = sum;
    }
}

void ph_draw_values(const ph_draw *d, const ph_stream *s, double *values)
{
    switch (d->kind) {
    case PH_DRAW_UNIFORM: {
        const double u = ph_random_uniform(s, 0);
        *values = (1 - u) * d->a + u * d->b;
        break;
    }
    case PH_DRAW_NORMAL:
        *values = d->a + d->b * ph_random_normal(s, 0);
        break;
    case PH_DRAW_LOG_UNIFORM:
        *values = d->a * ph_exp(ph_random_uniform(s, 0) * ph_log(d->b / d->a));
        break;
    case PH_DRAW_SPHERE:
        ph_random_direction(s, 0, values);
        break;
    case PH_DRAW_CAP:
        ph_random_cap(s, 0, d->axis, d->a, values);
        break;
    case PH_DRAW_AROUND:
        ph_random_around(s, 0, d->axis, d->a, values);
        break;
    case PH_DRAW_ROTATION:
        ph_random_rotation(s, 0, values);
        break;
    case PH_DRAW_TANGENT:
        draw_tangent(d, s, values);
        break;
    }
}
