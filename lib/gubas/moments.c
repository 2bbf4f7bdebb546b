/* SPDX-License-Identifier: BSD-3-Clause */
/* Moments of a body as GUBAS has them. Ellipsoids: T_200 = M a^2/5, T_400 = 3 M a^4/35, T_220 = M a^2 b^2/35.
 * Polyhedra by tetrahedra (0, v1, v2, v3),
 *
 *     T_abc = rho sum_faces |det| a! b! c!/(n+3)! [h_n(v1.d, v2.d, v3.d)]_abc,
 *     h_n(s1) = s1^n,  h_n(s1, ..., sk) = sk h_(n-1)(s1, ..., sk) + h_n(s1, ..., s(k-1)),
 *
 * with |det| where det would be right: a body that is not star-shaped about the origin gets too large a mass.
 *
 * The image x -> C x turns the forms A_n(d) = sum T_abc d^abc/(a! b! c!) into A_n(C^T d). For a rotation this
 * is the body turned; inside a Runge-Kutta step of GUBAS C is not one, and there its force depends on the
 * moments' trace, which drops out for a rotation. */
#include "moments.h"

#include "case.h"

#include <polhode/shape.h>

#include <math.h>
#include <string.h>

static double factorial(size_t n)
{
    double f = 1;
    for (size_t k = 2; k <= n; k++)
        f *= (double)k;
    return f;
}

static size_t place(size_t b, size_t c)
{
    return (b + c) * (b + c + 1) / 2 + c;
}

/* to (degree n+1) += l.d times form (degree n). */
static void add_product(size_t n, const double *form, const double l[3], double *to)
{
    for (size_t s = 0; s <= n; s++)
        for (size_t c = 0; c <= s; c++) {
            const size_t b = s - c;
            const double f = form[place(b, c)];
            to[place(b, c)] += l[0] * f;
            to[place(b + 1, c)] += l[1] * f;
            to[place(b, c + 1)] += l[2] * f;
        }
}

/* ---- Shapes -------------------------------------------------------------------------------------------- */

static void fill_ellipsoid(const ph_gubas_body *body, size_t degree, ph_gubas_moments *to)
{
    const size_t top = body->shape == PH_GUBAS_SPHERE || body->order == 0 ? 0 : body->order < 4 ? 2 : 4;
    double q[3];
    for (size_t k = 0; k < 3; k++) {
        const double a = body->half_axes[k] / 1000;
        q[k] = a * a;
    }
    const double M = 4 * (body->density * 1e9) * 3.14159265358979323846 * (body->half_axes[0] / 1000) *
                     (body->half_axes[1] / 1000) * (body->half_axes[2] / 1000) / 3;
    to->T[0][0] = M;
    for (size_t k = 0; k < 3; k++)
        to->J[k] = M * (q[(k + 1) % 3] + q[(k + 2) % 3]) / 5;
    if (top >= 2 && degree >= 2) {
        to->T[2][place(0, 0)] = M * q[0] / 5;
        to->T[2][place(2, 0)] = M * q[1] / 5;
        to->T[2][place(0, 2)] = M * q[2] / 5;
    }
    if (top >= 4 && degree >= 4) {
        to->T[4][place(0, 0)] = 3 * M * q[0] * q[0] / 35;
        to->T[4][place(4, 0)] = 3 * M * q[1] * q[1] / 35;
        to->T[4][place(0, 4)] = 3 * M * q[2] * q[2] / 35;
        to->T[4][place(2, 0)] = M * q[0] * q[1] / 35;
        to->T[4][place(2, 2)] = M * q[1] * q[2] / 35;
        to->T[4][place(0, 2)] = M * q[0] * q[2] / 35;
    }
}

/* h (degree + 1 forms) <- the complete symmetric forms of three linear ones. */
static void symmetric_forms(size_t degree, const double v[3][3], ph_gubas_form *h)
{
    memset(h, 0, (degree + 1) * sizeof *h);
    h[0][0] = 1;
    for (size_t n = 0; n < degree; n++)
        add_product(n, h[n], v[0], h[n + 1]);
    for (size_t k = 1; k < 3; k++)
        for (size_t n = 0; n < degree; n++)
            add_product(n, h[n], v[k], h[n + 1]);
}

static void add_tetrahedron(size_t degree, const double v[3][3], double density, ph_gubas_moments *to)
{
    ph_gubas_form h[PH_GUBAS_DEGREE + 1];
    const double det = v[0][0] * (v[1][1] * v[2][2] - v[1][2] * v[2][1]) +
                       v[0][1] * (v[1][2] * v[2][0] - v[1][0] * v[2][2]) +
                       v[0][2] * (v[1][0] * v[2][1] - v[1][1] * v[2][0]);
    const size_t most = degree < 2 ? 2 : degree; /* J needs degree 2 */
    double second[3];
    symmetric_forms(most, v, h);
    for (size_t n = 0; n <= most; n++) {
        const double weight = density * fabs(det) / factorial(n + 3);
        for (size_t s = 0; s <= n && n <= degree; s++)
            for (size_t c = 0; c <= s; c++) {
                const size_t b = s - c, a = n - s;
                to->T[n][place(b, c)] +=
                    weight * factorial(a) * factorial(b) * factorial(c) * h[n][place(b, c)];
            }
    }
    for (size_t k = 0; k < 3; k++)
        second[k] = density * fabs(det) / 120 * 2 *
                    h[2][k == 0   ? place(0, 0)
                         : k == 1 ? place(2, 0)
                                  : place(0, 2)];
    for (size_t k = 0; k < 3; k++)
        to->J[k] += second[(k + 1) % 3] + second[(k + 2) % 3];
}

static ph_status fill_polyhedron(const ph_gubas_case *of, const ph_gubas_body *body, size_t degree,
                                 ph_gubas_moments *to, ph_error *err)
{
    ph_shape *shape = NULL;
    ph_status status = ph_gubas_read_shape(of, body, &shape, err);
    if (status)
        return status;
    const ph_mesh mesh = ph_shape_mesh(shape);
    for (size_t f = 0; f < mesh.faces; f++) {
        double v[3][3];
        for (size_t i = 0; i < 3; i++)
            for (size_t k = 0; k < 3; k++)
                v[i][k] = mesh.vertex[3 * mesh.face[3 * f + i] + k] / 1000;
        add_tetrahedron(degree, v, body->density * 1e9, to);
    }
    ph_shape_free(shape);
    return PH_OK;
}

ph_status ph_gubas_moments_of(const ph_gubas_case *of, size_t i, size_t degree, ph_gubas_moments *to,
                              ph_error *err)
{
    const ph_gubas_body *body = &of->body[i];
    ph_status status = PH_OK;
    *to = (ph_gubas_moments){.degree = degree};
    if (body->shape == PH_GUBAS_POLYHEDRON)
        status = fill_polyhedron(of, body, degree, to, err);
    else
        fill_ellipsoid(body, degree, to);
    if (!status && !(to->T[0][0] > 0 && to->J[0] > 0 && to->J[1] > 0 && to->J[2] > 0))
        status = ph_fail(err, PH_E_RANGE, "%s has the mass %g kg and no volume",
                         i ? "the secondary" : "the primary", to->T[0][0]);
    return status;
}

/* ---- Their image --------------------------------------------------------------------------------------- */

/* image (degree n) <- that of A_n(C^T d), images of the monomials being rows of `mono` (a form each). */
static void substitute(size_t n, const double *T, ph_gubas_form *mono, double *image)
{
    const size_t size = (n + 1) * (n + 2) / 2;
    memset(image, 0, size * sizeof *image);
    for (size_t s = 0; s <= n; s++)
        for (size_t c = 0; c <= s; c++) {
            const size_t b = s - c, at = place(b, c);
            const double weight = T[at] / (factorial(n - s) * factorial(b) * factorial(c));
            for (size_t k = 0; k < size && weight != 0; k++)
                image[k] += weight * mono[at][k];
        }
}

ph_status ph_gubas_moments_turn(const ph_gubas_moments *moments, const double C[9], ph_mass *to)
{
    ph_gubas_form forms[2][PH_GUBAS_FORM], *mono = forms[0], *next = forms[1], image[PH_GUBAS_DEGREE + 1];
    const size_t degree = moments->degree;
    mono[0][0] = 1;
    for (size_t n = 0; n <= degree; n++) {
        substitute(n, moments->T[n], mono, image[n]);
        memset(next, 0, sizeof forms[0]);
        for (size_t s = 0; s <= n + 1 && n < degree; s++)
            for (size_t c = 0; c <= s; c++) { /* by the last variable that occurs */
                const size_t b = s - c, j = c ? 2 : b ? 1 : 0;
                const double l[3] = {C[j], C[3 + j], C[6 + j]};
                add_product(n, mono[place(b - (j == 1), c - (j == 2))], l, next[place(b, c)]);
            }
        ph_gubas_form *const last = mono;
        mono = next;
        next = last;
    }
    double flat[(PH_GUBAS_DEGREE + 1) * (PH_GUBAS_DEGREE + 2) * (PH_GUBAS_DEGREE + 3) / 6], *T = flat;
    for (size_t a = 0; a <= degree; a++)
        for (size_t b = 0; b <= degree - a; b++)
            for (size_t c = 0; c <= degree - a - b; c++)
                *T++ = image[a + b + c][place(b, c)] * factorial(a) * factorial(b) * factorial(c);
    return ph_mass_from_moments(flat, degree, 0, to, NULL);
}
