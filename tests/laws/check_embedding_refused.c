/* SPDX-License-Identifier: BSD-3-Clause */
/* Embedded manifolds: callbacks that fail, invalid embeddings, and points and velocities that are not admitted, each
 * with its message. */
#include "lib/internal/space.h"
#include "tests/laws/embedded.h"

/* ---- Failing callbacks ---------------------------------------------------------------------------- */

/* A sphere whose callbacks fail one at a time. */
enum { GOOD, BAD_G, BAD_A, BAD_BEND, BAD_P, BAD_ALONG, NAN_G, NAN_A, NAN_BEND, NAN_P, FAULTS };
static int fault;

static ph_status answer(int bad, int nan, double *out)
{
    if (fault == nan)
        out[0] = NAN;
    return fault == bad ? PH_E_CALLBACK : PH_OK;
}

static ph_status bad_g(void *user, const double *x, double *g)
{
    (void)user;
    g[0] = dot(3, x, x) - 1;
    return answer(BAD_G, NAN_G, g);
}

static ph_status bad_A(void *user, const double *x, double *A)
{
    (void)user;
    for (int i = 0; i < 3; i++)
        A[i] = 2 * x[i];
    return answer(BAD_A, NAN_A, A);
}

static ph_status bad_bend(void *user, const double *x, const double *v, double *dA)
{
    (void)user, (void)x;
    for (int i = 0; i < 3; i++)
        dA[i] = 2 * v[i];
    return answer(BAD_BEND, NAN_BEND, dA);
}

static ph_status bad_P(void *user, const double *x, double *P)
{
    (void)user;
    for (int i = 0; i < 9; i++)
        P[i] = (i % 4 == 0) - x[i / 3] * x[i % 3];
    return answer(BAD_P, NAN_P, P);
}

static ph_status bad_along(void *user, const double *x, const double *v, double *dP)
{
    (void)user;
    for (int i = 0; i < 9; i++)
        dP[i] = -v[i / 3] * x[i % 3] - x[i / 3] * v[i % 3];
    return answer(BAD_ALONG, -1, dP);
}

static ph_space *bad_space(bool projection)
{
    const ph_embedding constraints = {.name = "bad",
                                      .n = 3,
                                      .dimension = 2,
                                      .constraint = bad_g,
                                      .jacobian = bad_A,
                                      .bend = bad_bend},
                       projections = {.name = "bad",
                                      .n = 3,
                                      .dimension = 2,
                                      .projection = bad_P,
                                      .projection_along = bad_along};
    const ph_factor factor = {.kind = PH_FACTOR_EMBEDDED,
                              .embedding = projection ? &projections : &constraints};
    return tk_space(&factor, 1);
}

#define all_nan(n, out, expected)                                                                            \
    for (size_t all_i = 0; all_i < (n); all_i++)                                                             \
    ck_assert_msg(isnan((out)[all_i]) == (expected), "fault %d: %g", fault, (out)[all_i])

TEST(failing_constraints)
{
    const double x[3] = {0.6, 0, 0.8}, v[3] = {0, 0.1, 0}, dv[3] = {0.8, 0.5, -0.6};
    TK_OWN(ph_space) *space = bad_space(false);
    for (fault = GOOD; fault < FAULTS; fault++) {
        const bool g = fault == BAD_G || fault == NAN_G, A = fault == BAD_A || fault == NAN_A,
                   bend = fault == BAD_BEND || fault == NAN_BEND;
        double out[9], z[3] = {0.61, 0.01, 0.79}, off;
        const ph_status passed_on = fault == NAN_G || fault == NAN_A ? PH_E_NOT_FINITE
                                    : g || A                         ? PH_E_CALLBACK
                                                                     : PH_OK;
        ph_error err = {PH_OK, ""};
        ph_space_exp(space, x, v, out);
        all_nan(3, out, g || A);
        ph_space_dexp(space, x, v, dv, out);
        all_nan(3, out, g || A);
        ck_assert_int_eq(ph_space_log(space, x, x, out), passed_on);
        ck_assert_int_eq(ph_space_project(space, z), fault == BAD_G || fault == BAD_A || fault == BAD_BEND
                                                         ? PH_E_CALLBACK
                                                     : g || A || bend ? PH_E_NOT_ON_MANIFOLD
                                                                      : PH_OK);
        ck_assert((z[0] == 0.61 && z[1] == 0.01 && z[2] == 0.79) == (g || A || bend));
        ph_space_basis(space, x, out);
        all_nan(6, out, A);
        ph_space_projection(space, x, out);
        all_nan(9, out, A);
        ph_space_projection_along(space, x, dv, dv, out);
        all_nan(3, out, A || bend);
        memcpy(out, dv, sizeof dv);
        ph_space_project_tangent(space, x, out);
        all_nan(3, out, A);
        ph_space_momentum(space, x, dv, out);
        all_nan(3, out, A);
        off = ph_space_residual(space, x);
        ck_assert(isnan(off) == (g || A));
        off = ph_space_tangency(space, x, dv);
        ck_assert(isnan(off) == A);
        memcpy(out, x, sizeof x);
        ph_space_correct(space, out);
        all_nan(3, out, g || A);
        memcpy(z, x, sizeof x);
        ck_assert_int_eq(ph_space_admit_point(space, false, z, &err), passed_on);
        ck_assert(!passed_on ||
                  strstr(err.message, g ? "constraint of factor 1 (bad) failed at x = (0.5"
                                        : "constraint Jacobian of factor 1 (bad) failed at x = (0.5"));
        ck_assert_msg(!passed_on || strstr(err.message, ph_status_text(passed_on)), "%s", err.message);
    }
}

TEST(failing_projection)
{
    const double x[3] = {0.6, 0, 0.8}, dv[3] = {0.8, 0.5, -0.6};
    TK_OWN(ph_space) *space = bad_space(true);
    for (fault = GOOD; fault < FAULTS; fault++) {
        const bool P = fault == BAD_P || fault == NAN_P;
        const ph_status passed_on = fault == BAD_P ? PH_E_CALLBACK : P ? PH_E_NOT_FINITE : PH_OK;
        double out[9], z[3], off;
        ph_error err = {PH_OK, ""};
        ph_space_basis(space, x, out);
        all_nan(6, out, P);
        ph_space_projection(space, x, out);
        all_nan(9, out, P);
        ph_space_projection_along(space, x, dv, dv, out);
        all_nan(3, out, fault == BAD_ALONG);
        ph_space_momentum(space, x, dv, out);
        all_nan(3, out, P);
        off = ph_space_residual(space, x);
        ck_assert(isnan(off) == P);
        off = ph_space_tangency(space, x, dv);
        ck_assert(isnan(off) == P);
        memcpy(z, x, sizeof x);
        ck_assert_int_eq(ph_space_admit_point(space, false, z, &err), passed_on);
        ck_assert(!passed_on || strstr(err.message, "projection of factor 1 (bad) failed at x = (0.5"));
    }
}

/* ---- Invalid embeddings --------------------------------------------------------------------------- */

static ph_embedding good(void)
{
    return em_embedding(em_at(EM_SPHERE), EM_BEND);
}

static ph_status refused(const ph_embedding *e, const char *text)
{
    const ph_factor factors[] = {{.kind = PH_FACTOR_S2}, {.kind = PH_FACTOR_EMBEDDED, .embedding = e}};
    ph_space *space = (ph_space *)&space;
    ph_error err = {PH_OK, ""};
    ph_status status = ph_space_create(factors, 2, &space, &err);
    ck_assert_int_eq(status, PH_E_INVALID);
    ck_assert_ptr_null(space);
    ck_assert_msg(strstr(err.message, text) && strstr(err.message, "factor 2"), "%s", err.message);
    return status;
}

TEST(bad_embeddings)
{
    ph_embedding e;
    const double A[6] = {1, 0, 0, 0, 1, 0};
    const ph_subspace full = {.m = 3, .n = 3, .A = A};
    refused(NULL, "its embedding is NULL");
    e = good(), e.n = 1, e.dimension = 1;
    refused(&e, "(sphere) is embedded in R^n with n = 1; it must be 2 to 48");
    e = good(), e.n = 49;
    refused(&e, "n = 49; it must be 2 to 48");
    e = good(), e.dimension = 0;
    refused(&e, "has dimension 0 in R^3; it must be 1 to 2");
    e = good(), e.dimension = 3;
    refused(&e, "has dimension 3 in R^3; it must be 1 to 2");
    e = good(), e.jacobian = NULL;
    refused(&e, "has no jacobian");
    e = good(), e.constraint = NULL;
    refused(&e, "has no constraint");
    e = good(), e.projection = em_at(EM_SPHERE)->projection;
    refused(&e, "(sphere) is given in both ways");
    e = good(), e.projection_along = bad_along;
    refused(&e, "in both ways");
    e = good(), e.constraint = NULL, e.jacobian = NULL, e.bend = NULL;
    refused(&e, "by nothing");
    e.projection_along = bad_along;
    refused(&e, "has projection_along, but no projection");
    e = good(), e.name = NULL, e.n = 0;
    refused(&e, "(embedded manifold)");
    e = ph_embedding_subspace(&full);
    refused(&e, "(subspace) has dimension 0 in R^3; it must be 1 to 2");
}

/* ---- Points that are not admitted ----------------------------------------------------------------- */

/* Two planes of R^3 that are one, a.x = 0 and a.x (2 + x) = 0: rank 1 everywhere, but for rounding. */
static const double slope[3] = {0.1, 0.3, 0.7};

static ph_status twice(void *user, const double *x, double *g)
{
    (void)user;
    g[0] = dot(3, slope, x);
    g[1] = 1e5 * dot(3, slope, x) * (2 + x[0]);
    return PH_OK;
}

static ph_status twice_jacobian(void *user, const double *x, double *A)
{
    (void)user;
    for (int i = 0; i < 3; i++) {
        A[i] = slope[i];
        A[3 + i] = 1e5 * (slope[i] * (2 + x[0]) + (i == 0 ? dot(3, slope, x) : 0));
    }
    return PH_OK;
}

/* P of the sphere, and what could be wrong with it. */
enum { UNSYMMETRIC, OBLIQUE, TWO_PLANES };
static int wrong;

static ph_status wrong_P(void *user, const double *x, double *P)
{
    (void)user;
    for (int i = 0; i < 9; i++)
        P[i] = (i % 4 == 0) - x[i / 3] * x[i % 3];
    P[1] += wrong == UNSYMMETRIC ? 1e-9 : 0;
    P[4] += wrong == OBLIQUE ? 1e-9 : 0;
    for (int i = 0; i < 9 && wrong == TWO_PLANES; i++)
        P[i] = x[i / 3] * x[i % 3];
    return PH_OK;
}

static ph_status admit(const ph_embedding *e, bool project, double *z, ph_error *err)
{
    const ph_factor factor = {.kind = PH_FACTOR_EMBEDDED, .embedding = e};
    TK_OWN(ph_space) *space = tk_space(&factor, 1);
    return ph_space_admit_point(space, project, z, err);
}

static void check_message(ph_status status, ph_status expected, const ph_error *err, const char *text)
{
    ck_assert_msg(status == expected, "%s: %s", ph_status_name(status), err->message);
    ck_assert_msg(!expected || strstr(err->message, text), "%s", err->message);
}

TEST(admission)
{
    const ph_embedding same = {.name = "plane, twice",
                               .n = 3,
                               .dimension = 1,
                               .constraint = twice,
                               .jacobian = twice_jacobian},
                       sphere = em_embedding(em_at(EM_SPHERE), EM_NO_BEND),
                       spheroid = em_embedding(em_at(EM_SPHEROID), EM_BEND),
                       projection = {.name = "wrong", .n = 3, .dimension = 2, .projection = wrong_P};
    ph_error err = {PH_OK, ""};
    double z[3] = {0.5, 1, -0.5}, centre[3] = {0}, off[3] = {0.6, 0, 0.9}, rough[3] = {0.6, 0, 0.8 + 1e-13};
    for (int project = 0; project < 2; project++)
        check_message(
            admit(&same, project, z, &err), project ? PH_E_NOT_ON_MANIFOLD : PH_E_SINGULAR, &err,
            project ? "factor 1 (plane, twice): no nearest point"
                    : "constraint Jacobian of factor 1 (plane, twice) has rank 1 of 2 at x = (0.5, 1, -0.5)");
    check_message(admit(&sphere, false, centre, &err), PH_E_SINGULAR, &err,
                  "constraint Jacobian of factor 1 (sphere) has rank 0 of 1 at x = (0, 0, 0)");
    check_message(admit(&sphere, true, centre, &err), PH_E_NOT_ON_MANIFOLD, &err,
                  "factor 1 (sphere): no nearest point of the manifold was found");
    check_message(admit(&sphere, false, off, &err), PH_E_NOT_ON_MANIFOLD, &err,
                  "factor 1 is off the manifold (sphere): its largest |g_i|/|row i of dg/dx| is 0.0786; "
                  "the projection (PH_PROJECT) would give (0.5547");
    off[0] = 0.6, off[2] = 0.9;
    check_message(admit(&sphere, true, off, &err), PH_OK, &err, "");
    ck_assert(fabs(off[0] - 0.6 / sqrt(1.17)) <= eps && fabs(off[2] - 0.9 / sqrt(1.17)) <= eps);
    check_message(admit(&sphere, false, rough, &err), PH_OK, &err, "");
    ck_assert(fabs(dot(3, rough, rough) - 1) <= 4 * eps); /* corrected */
    double pole[3] = {0, 0, 0.8};
    check_message(admit(&spheroid, false, pole, &err), PH_OK, &err, "");
    static const char *const words[] = {"is not symmetric at x = (0.5", "is not a projection at x = (0.5",
                                        "has rank 1 (its trace) at x = (0.5"};
    for (wrong = UNSYMMETRIC; wrong <= TWO_PLANES; wrong++)
        for (int project = 0; project < 2; project++) {
            double x[3] = {0.6, 0, 0.8};
            check_message(admit(&projection, project, x, &err), PH_E_INVALID, &err, words[wrong]);
            ck_assert(strstr(err.message, "factor 1 (wrong)") != NULL);
        }
    wrong = -1;
    double on[3] = {0.6, 0, 0.8}, inside[3] = {0.6, 0, 0.79};
    check_message(admit(&projection, true, on, &err), PH_OK, &err, "");
    check_message(admit(&projection, false, inside, &err), PH_E_INVALID, &err, "is x on the manifold?");
}

/* Velocities and momenta with a normal part, in a product, and the projection of them. */
TEST(admission_of_velocities)
{
    const ph_embedding e = em_embedding(em_at(EM_SPHERE), EM_BEND);
    const ph_factor factors[] = {{.kind = PH_FACTOR_R, .d = 1},
                                 {.kind = PH_FACTOR_EMBEDDED, .embedding = &e}};
    const double z[4] = {5, 0.6, 0, 0.8};
    for (int momentum = 0; momentum < 2; momentum++) {
        ph_error err = {PH_OK, ""};
        TK_OWN(ph_space) *space = tk_space(factors, 2);
        ph_status (*admit_it)(const ph_space *, const double *, bool, double *, ph_error *) =
            momentum ? ph_space_admit_momentum : ph_space_admit_velocity;
        double v[4] = {7, 1, 3, 0};
        check_message(
            admit_it(space, z, false, v, &err), PH_E_NOT_TANGENT, &err,
            momentum ? "p2 is not tangent to the manifold (sphere): its normal part is of size 0.6"
                     : "velocity2 is not tangent to the manifold (sphere): its normal part is of size 0.6");
        ck_assert_msg(strstr(err.message, "would give (0.64"), "%s", err.message);
        v[1] = 1, v[2] = 3, v[3] = 0;
        tk_ok(admit_it(space, z, true, v, &err));
        ck_assert(fabs(v[1] - 0.64) <= 4 * eps && v[2] == 3 && fabs(v[3] + 0.48) <= 4 * eps && v[0] == 7);
        v[3] += 1e-13;
        tk_ok(admit_it(space, z, false, v, &err));
    }
}

/* A message has room for some of 48 coordinates, and says that there are more. */
static ph_status big_sphere(void *user, const double *x, double *g)
{
    (void)user;
    g[0] = dot(48, x, x) - 1;
    return PH_OK;
}

static ph_status big_sphere_jacobian(void *user, const double *x, double *A)
{
    (void)user;
    for (int i = 0; i < 48; i++)
        A[i] = 2 * x[i];
    return PH_OK;
}

TEST(the_largest)
{
    const ph_embedding e = {
        .n = 48, .dimension = 47, .constraint = big_sphere, .jacobian = big_sphere_jacobian};
    const ph_factor factor = {.kind = PH_FACTOR_EMBEDDED, .embedding = &e};
    double z[48], v[48], z1[48], along = 0;
    ph_error err = {PH_OK, ""};
    tk_random r = {90};
    for (int i = 0; i < 48; i++) {
        z[i] = 0.2 + 1e-3 * tk_normal(&r);
        v[i] = 0.1 * tk_normal(&r);
    }
    TK_OWN(ph_space) *space = tk_space(&factor, 1);
    ck_assert_int_eq(ph_space_admit_point(space, false, z, &err), PH_E_NOT_ON_MANIFOLD);
    ck_assert_msg(strstr(err.message, ", ...)") != NULL, "%s", err.message);
    tk_ok(ph_space_project(space, z));
    ck_assert(fabs(dot(48, z, z) - 1) <= 16 * eps);
    ph_space_project_tangent(space, z, v);
    ph_space_exp(space, z, v, z1);
    along = sqrt(1 - dot(48, v, v));
    for (int i = 0; i < 48; i++)
        ck_assert(fabs(z1[i] - (along * z[i] + v[i])) <= 16 * eps);
}

int main(void)
{
    return tk_run("embedded manifolds that are refused");
}
