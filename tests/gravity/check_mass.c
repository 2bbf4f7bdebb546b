/* SPDX-License-Identifier: BSD-3-Clause */
/* Mass distributions: polyhedra, ellipsoids, harmonics, sums of turned and shifted parts against moments known in closed form;
 * surfaces that are refused. */
#include <polhode/domain/mass.h>

#include "tests/kit/testkit.h"

enum { DEGREE = PH_MASS_DEGREE, COUNT = (DEGREE + 1) * (DEGREE + 2) * (DEGREE + 3) / 6 };

static double factorial(size_t n)
{
    return n < 2 ? 1 : (double)n * factorial(n - 1);
}

/* n!! = n (n - 2) ..., of n - 1 >= -1. */
static double odd_factorial(size_t n_plus_1)
{
    return n_plus_1 < 2 ? 1 : (double)(n_plus_1 - 1) * odd_factorial(n_plus_1 - 2);
}

typedef double (*moment_fn)(const void *data, size_t a, size_t b, size_t c);

static ph_mass from(moment_fn T, const void *data)
{
    double list[COUNT], *to = list;
    ph_mass body;
    for (size_t a = 0; a <= DEGREE; a++)
        for (size_t b = 0; b <= DEGREE - a; b++)
            for (size_t c = 0; c <= DEGREE - a - b; c++)
                *to++ = T(data, a, b, c);
    ck_assert_int_eq(to - list, COUNT);
    tk_ok(ph_mass_from_moments(list, DEGREE, 1, &body, NULL));
    return body;
}

/* All numbers of each degree to `within` of the largest of that degree (or of size^n times the mass). */
static void same(const ph_mass *body, const ph_mass *expected, double size, double within)
{
    for (size_t n = 0; n <= DEGREE; n++) {
        const double *x = body->moment + n * n, *y = expected->moment + n * n;
        const double scale =
            fmax(ph_max_norm(y, 2 * n + 1), 0.1 * expected->moment[0] * pow(size, (double)n) / factorial(n));
        for (size_t i = 0; i < 2 * n + 1; i++)
            ck_assert_msg(fabs(x[i] - y[i]) <= within * scale, "degree %zu, number %zu: %.17g, not %.17g", n,
                          i, x[i], y[i]);
    }
    ck_assert_double_le(tk_max_difference(body->J, expected->J, 9), within * ph_max_norm(expected->J, 9));
}

/* ---- Polyhedra -------------------------------------------------------------------------------------------------- */

static double of_tetrahedron(const void *density, size_t a, size_t b, size_t c)
{
    return *(const double *)density * factorial(a) * factorial(b) * factorial(c) / factorial(a + b + c + 3);
}

static const double corner[] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1};
static const uint32_t corner_faces[] = {0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3};

TEST(tetrahedron)
{
    const ph_mesh mesh = {4, corner, 4, corner_faces};
    const double density = 2.5;
    const ph_mass expected = from(of_tetrahedron, &density);
    ph_mass body;
    int turned = 7;
    tk_ok(ph_mass_polyhedron(&mesh, density, &body, &turned, NULL));
    ck_assert_int_eq(turned, 0);
    same(&body, &expected, 1, 1e-14);
    ck_assert_double_eq(body.radius, 1);
    uint32_t other[12];
    for (size_t f = 0; f < 4; f++)
        for (size_t k = 0; k < 3; k++)
            other[3 * f + k] = corner_faces[3 * f + 2 - k];
    const ph_mesh inside_out = {4, corner, 4, other};
    tk_ok(ph_mass_polyhedron(&inside_out, density, &body, &turned, NULL));
    ck_assert_int_eq(turned, 1);
    same(&body, &expected, 1, 1e-14);
}

/* int over [from, from + 1]^3 */
static double of_cube(const void *data, size_t a, size_t b, size_t c)
{
    const double *from = data;
    const size_t powers[3] = {a, b, c};
    double product = 1;
    for (size_t k = 0; k < 3; k++)
        product *= (pow(from[k] + 1, (double)powers[k] + 1) - pow(from[k], (double)powers[k] + 1)) /
                   ((double)powers[k] + 1);
    return product;
}

/* Not star-shaped about the origin, which is outside. */
TEST_EACH(cube, 2)
{
    static const uint32_t faces[] = {0, 2, 3, 0, 3, 1, 4, 5, 7, 4, 7, 6, 0, 1, 5, 0, 5, 4,
                                     2, 6, 7, 2, 7, 3, 0, 4, 6, 0, 6, 2, 1, 3, 7, 1, 7, 5};
    const double from_at[3] = {_i ? 2.0 : -0.5, _i ? -1.5 : -0.5, _i ? 0.25 : -0.5};
    double vertices[24];
    for (size_t i = 0; i < 8; i++)
        for (size_t k = 0; k < 3; k++)
            vertices[3 * i + k] = from_at[k] + (double)(i >> (2 - k) & 1);
    const ph_mesh mesh = {8, vertices, 12, faces};
    const ph_mass expected = from(of_cube, from_at);
    ph_mass body, centred;
    double center[3];
    int turned;
    tk_ok(ph_mass_polyhedron(&mesh, 1, &body, &turned, NULL));
    same(&body, &expected, 3, 2e-14);
    centred = body;
    ph_mass_center(&centred, center);
    for (size_t k = 0; k < 3; k++) {
        ck_assert_double_eq_tol(center[k], from_at[k] + 0.5, 1e-14);
        ck_assert_double_eq_tol(centred.J[4 * k], 1. / 6, 1e-12);
        ck_assert_double_eq(centred.moment[1 + k], 0);
    }
    const double middle[3] = {-0.5, -0.5, -0.5};
    const ph_mass about = from(of_cube, middle);
    same(&centred, &about, 3, 1e-9); /* what cancels is 3^8 times as large */
}

TEST_EACH(refused_surfaces, 7)
{
    double vertex[12];
    uint32_t face[12];
    ph_mesh mesh = {4, vertex, 4, face};
    ph_mass body;
    static const struct {
        size_t at, vertices, faces;
        uint32_t face;
        double coordinate;
        ph_status status;
        const char *says;
    } bad[] = {{0, 4, 4, 7, 0, PH_E_INVALID, "face 1 has vertex 8, but there are 4"},
               {1, 4, 4, 0, 0, PH_E_INVALID, "face 1 has a vertex twice: 1, 1, 2"},
               {12, 4, 4, 0, 0, PH_E_INVALID, "faces 1 and 2 go along the edge between vertices 1 and 2"},
               {13, 4, 4, 0, 0, PH_E_NOT_FINITE, "coordinate 3 of vertex 4"},
               {14, 4, 4, 0, 0, PH_E_INVALID, "no volume"},
               {15, 4, 3, 0, 0, PH_E_INVALID, "not a closed surface"},
               {16, 5, 5, 0, 0, PH_E_INVALID, "is in 1 face (face 5)"}};
    double more_vertices[15];
    uint32_t more_faces[15];
    memcpy(vertex, corner, sizeof vertex);
    memcpy(face, corner_faces, sizeof face);
    if (bad[_i].at < 12)
        face[bad[_i].at] = bad[_i].face;
    if (bad[_i].at == 12) {
        face[1] = corner_faces[2];
        face[2] = corner_faces[1];
    }
    if (bad[_i].at == 13)
        vertex[11] = NAN;
    if (bad[_i].at == 14)
        vertex[11] = 0;
    mesh.vertices = bad[_i].vertices;
    mesh.faces = bad[_i].faces;
    if (bad[_i].at == 16) { /* a face that sticks out */
        memcpy(more_vertices, corner, sizeof corner);
        memcpy(more_faces, corner_faces, sizeof corner_faces);
        more_vertices[12] = more_vertices[13] = more_vertices[14] = 2;
        more_faces[12] = 2;
        more_faces[13] = 3;
        more_faces[14] = 4;
        mesh.vertex = more_vertices;
        mesh.face = more_faces;
        more_faces[12] = 0;
        more_faces[13] = 4;
        more_faces[14] = 2;
    }
    const ph_status status = ph_mass_polyhedron(&mesh, 1, &body, NULL, tk_err);
    ck_assert_int_eq(status, bad[_i].status);
    ck_assert_msg(strstr(tk_err->message, bad[_i].at == 16 ? "the edge between vertices" : bad[_i].says),
                  "%s", tk_err->message);
    tk_returns(ph_mass_polyhedron(&mesh, 0, &body, NULL, tk_err), PH_E_RANGE);
}

/* ---- Ellipsoids, harmonics -------------------------------------------------------------------------------------------- */

static double of_ellipsoid(const void *data, size_t a, size_t b, size_t c)
{
    const double *axes = data;
    const size_t n = a + b + c;
    if (a % 2 || b % 2 || c % 2)
        return 0;
    return 3 * 4.0 * pow(axes[0], (double)a) * pow(axes[1], (double)b) * pow(axes[2], (double)c) *
           odd_factorial(a) * odd_factorial(b) * odd_factorial(c) / ((double)(n + 3) * odd_factorial(n + 2));
}

TEST_EACH(ellipsoid, 4)
{
    static const double axes[][3] = {{1.3, 0.9, 0.7}, {0.8, 1.1, 0.8}, {1, 1, 0.6}, {0.5, 0.5, 0.5}};
    const ph_mass expected = from(of_ellipsoid, axes[_i]);
    ph_mass body;
    tk_ok(ph_mass_ellipsoid(4, axes[_i], &body, NULL));
    same(&body, &expected, 1, 1e-14);
}

/* C_20 = (2c^2 - a^2 - b^2) / 10, C_22 = (a^2 - b^2) / 20, C_40 = 15/7 (C_20^2 + 2 C_22^2), C_42 = 5/7 C_20 C_22,
 * C_44 = 5/28 C_22^2 of an ellipsoid (Balmino, Celest. Mech. Dyn. Astron. 60 (1994) 331), in units of the reference radius. */
TEST(harmonics)
{
    const double axes[3] = {1.3, 0.9, 0.7}, radius = 1.7, R2 = radius * radius;
    double C[15] = {1}, S[15] = {0};
    C[3] = (2 * 0.49 - 1.69 - 0.81) / (10 * R2);
    C[5] = (1.69 - 0.81) / (20 * R2);
    C[10] = 15. / 7 * (C[3] * C[3] + 2 * C[5] * C[5]);
    C[12] = 5. / 7 * C[3] * C[5];
    C[14] = 5. / 28 * C[5] * C[5];
    ph_mass body, expected;
    tk_ok(ph_mass_ellipsoid(4, axes, &expected, NULL));
    tk_ok(ph_mass_from_harmonics(4, radius, 4, C, S, expected.J, 1.3, &body, NULL));
    for (size_t i = 25; i < PH_MASS_MOMENTS; i++)
        expected.moment[i] = 0;
    same(&body, &expected, 1, 1e-14);
    /* turned by 30 degrees about the third axis: C_22 + i S_22 by 60 degrees */
    const double c = cos(acos(-1) / 6), s = sin(acos(-1) / 6), turn[9] = {c, -s, 0, s, c, 0, 0, 0, 1},
                 origin[3] = {0, 0, 0};
    ph_mass turned = {{0}, {0}, 0}, other;
    ph_mass_add(&expected, origin, turn, &turned);
    for (size_t n = 2; n <= 4; n += 2)
        for (size_t m = 2; m <= n; m += 2) {
            const double was = C[n * (n + 1) / 2 + m], angle = (double)m * acos(-1) / 6;
            C[n * (n + 1) / 2 + m] = was * cos(angle);
            S[n * (n + 1) / 2 + m] = was * sin(angle);
        }
    tk_ok(ph_mass_from_harmonics(4, radius, 4, C, S, turned.J, 1.3, &other, NULL));
    same(&turned, &other, 1, 1e-14);
}

/* ---- Sums -------------------------------------------------------------------------------------------------------------- */

enum { POINTS = 5 };

static double of_points(const void *data, size_t a, size_t b, size_t c)
{
    const double *p = data;
    double sum = 0;
    for (size_t i = 0; i < POINTS; i++, p += 4)
        sum += p[3] * pow(p[0], (double)a) * pow(p[1], (double)b) * pow(p[2], (double)c);
    return sum;
}

/* Points one by one; and the whole turned and shifted again. */
TEST(sums)
{
    tk_random r = {4};
    double points[4 * POINTS], moved[4 * POINTS], x[3], R[9], place[3], moments[3], axes[9];
    static const double identity[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
    ph_mass whole = {{0}, {0}, 0}, other = whole;
    for (size_t k = 0; k < 3; k++) {
        x[k] = tk_uniform(&r, -2, 2);
        place[k] = tk_uniform(&r, -1, 1);
    }
    ph_exp3(x, R);
    for (size_t i = 0; i < POINTS; i++) {
        ph_mass point;
        double *p = points + 4 * i, *q = moved + 4 * i;
        for (size_t k = 0; k < 3; k++)
            p[k] = tk_uniform(&r, -1, 1);
        q[3] = p[3] = tk_uniform(&r, 0.5, 2);
        tk_ok(ph_mass_sphere(p[3], 0, &point, NULL));
        ph_mass_add(&point, p, identity, &whole);
        ph_apply3(R, p, q);
        for (size_t k = 0; k < 3; k++)
            q[k] += place[k];
    }
    ph_mass expected = from(of_points, points);
    same(&whole, &expected, 1, 1e-13);
    ph_mass_add(&whole, place, R, &other);
    expected = from(of_points, moved);
    same(&other, &expected, 2, 1e-13);
    /* principal axes, about the centre of mass: turned back it is what it was */
    ph_mass_center(&other, place);
    const ph_mass centred = other;
    ph_mass_principal(&other, axes, moments);
    ck_assert(moments[0] <= moments[1] && moments[1] <= moments[2] && moments[0] > 0);
    ph_mass back = {{0}, {0}, 0};
    const double origin[3] = {0, 0, 0};
    ph_mass_add(&other, origin, axes, &back);
    same(&back, &centred, 2, 1e-13);
}

TEST(refused_numbers)
{
    ph_mass body = {{7}, {0}, 0};
    const double flat[3] = {1, 1, 0}, T[1] = {NAN};
    double many[400] = {1};
    tk_returns(ph_mass_sphere(0, 1, &body, tk_err), PH_E_RANGE);
    tk_returns(ph_mass_sphere(1, -1, &body, tk_err), PH_E_RANGE);
    tk_returns(ph_mass_sphere(INFINITY, 1, &body, tk_err), PH_E_NOT_FINITE);
    tk_returns(ph_mass_ellipsoid(1, flat, &body, tk_err), PH_E_RANGE);
    tk_returns(ph_mass_from_moments(T, 0, 0, &body, tk_err), PH_E_NOT_FINITE);
    tk_refused(ph_mass_from_moments(many, 9, 0, &body, tk_err), PH_E_RANGE, "above 8");
    many[5] = INFINITY;
    tk_refused(ph_mass_from_moments(many, 2, 0, &body, tk_err), PH_E_NOT_FINITE, "T_020 is not finite");
    const double C[6] = {1}, S[6] = {0, 0, NAN}, J[9] = {0, INFINITY};
    tk_refused(ph_mass_from_harmonics(1, 1, 2, C, S, NULL, 1, &body, tk_err), PH_E_NOT_FINITE,
               "a coefficient of the harmonics");
    tk_refused(ph_mass_from_harmonics(1, 1, 2, C, C, J, 1, &body, tk_err), PH_E_NOT_FINITE,
               "or J, is not finite");
    ck_assert_double_eq(body.moment[0], 7);
}

int main(void)
{
    return tk_run("mass");
}
