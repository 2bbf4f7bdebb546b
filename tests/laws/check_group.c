/* SPDX-License-Identifier: BSD-3-Clause */
/* The group of motions of a space: laws of its exponential action and of its bracket on every space of
 * spaces.c; and the consequences for Lie-group methods (rkmk4, cf4): motions with constant angular velocity
 * are exact; where the group is commutative they are the classical Runge-Kutta method in the angle; and the
 * configuration never leaves the manifold. */
#include "tests/kit/spaces.h"

#include <float.h>

static const double eps = DBL_EPSILON;

/* ---- Laws ------------------------------------------------------------------------------------------ */

/* A random element whose part in every factor has this length. */
static void random_element(const ph_space *space, tk_random *r, double length, double *u)
{
    for (size_t i = 0; i < ph_space_factors(space); i++) {
        const ph_factor_place *f = ph_space_factor(space, i);
        double square = 0;
        for (size_t k = f->p; k < f->p + f->np; k++) {
            u[k] = tk_normal(r);
            square += u[k] * u[k];
        }
        for (size_t k = f->p; k < f->p + f->np; k++)
            u[k] *= length / sqrt(square);
    }
}

/* The angular velocity of a tangent vector moves z as the geodesic does: 3 eps. (Seen: 1.8.) */
static void act_follows_geodesics(const sample *s, tk_random *r)
{
    double u[MOST_Z], z1[MOST_Z], expected[MOST_Z];
    (void)r;
    ph_space_spin(s->space, s->z, s->v, u);
    ph_space_act(s->space, s->z, u, z1);
    ph_space_exp(s->space, s->z, s->v, expected);
    near(s, z1, expected, 3 * eps * reach(s));
}
LAW(law_act_follows_geodesics, act_follows_geodesics)

/* x <- x turned about u, by Rodrigues' formula in long double. */
static void long_rotate(const double *u, double t, long double *x)
{
    long double size = 0, along = 0, n[3], cross[3];
    for (int i = 0; i < 3; i++)
        size += (long double)u[i] * u[i];
    size = sqrtl(size);
    for (int i = 0; i < 3; i++) {
        n[i] = u[i] / size;
        along += n[i] * x[i];
    }
    for (int i = 0; i < 3; i++)
        cross[i] = n[(i + 1) % 3] * x[(i + 2) % 3] - n[(i + 2) % 3] * x[(i + 1) % 3];
    for (int i = 0; i < 3; i++)
        x[i] = cosl(t * size) * x[i] + sinl(t * size) * cross[i] +
               2 * powl(sinl(t * size / 2), 2) * along * n[i];
}

/* z1 <- exp(u).z factor by factor, by the definition: on S^2 all of q is turned, also by a u that has a part
 * along q; of a rotation the rows, which see -u. */
static void long_act(const ph_space *space, const double *z, const double *u, double *z1)
{
    for (size_t i = 0; i < ph_space_factors(space); i++) {
        const ph_factor_place *f = ph_space_factor(space, i);
        for (size_t row = 0; row < f->nz; row += 3) {
            bool turns = f->kind == PH_FACTOR_S2 || f->kind == PH_FACTOR_SO3;
            size_t n = turns ? 3 : f->nz;
            const double *from = z + f->z + row, *v = u + f->p;
            long double x[MOST_Z], c, sine;
            for (size_t k = 0; k < n; k++)
                x[k] = from[k];
            if (turns) {
                long_rotate(v, f->kind == PH_FACTOR_S2 ? 1 : -1, x);
            } else if (f->kind == PH_FACTOR_S1) {
                c = cosl(v[0]);
                sine = sinl(v[0]);
                x[0] = c * from[0] - sine * from[1];
                x[1] = sine * from[0] + c * from[1];
            } else {
                for (size_t k = 0; k < n; k++)
                    x[k] += v[k];
            }
            for (size_t k = 0; k < n; k++)
                z1[f->z + row + k] = (double)x[k];
            if (!turns)
                break;
        }
    }
}

/* In every direction of the algebra: 3 eps. (Seen: 1.0.) */
static void act_is_the_exponential(const sample *s, tk_random *r)
{
    double u[MOST_Z], z1[MOST_Z], expected[MOST_Z];
    random_element(s->space, r, s->angle, u);
    ph_space_act(s->space, s->z, u, z1);
    long_act(s->space, s->z, u, expected);
    near(s, z1, expected, 3 * eps * reach(s));
}
LAW_IF(law_act_is_the_exponential, act_is_the_exponential, tk_extended())

/* exp(u).(exp(v).(exp(-u).z)) = exp(v + [u, v] + [u, [u, v]]/2! + ...).z; the series for |u| <= 1 by 24
 * terms. */
static void bracket_is_the_adjoint(const sample *s, tk_random *r)
{
    double u[MOST_Z], v[MOST_Z], minus[MOST_Z], term[MOST_Z], next[MOST_Z], a[MOST_Z], b[MOST_Z];
    size_t np = ph_space_momenta(s->space);
    random_element(s->space, r, fmin(s->angle, 1), u);
    random_element(s->space, r, 1, v);
    for (size_t i = 0; i < np; i++)
        minus[i] = -u[i];
    ph_space_act(s->space, s->z, minus, a);
    ph_space_act(s->space, a, v, b);
    ph_space_act(s->space, b, u, a);
    memcpy(term, v, sizeof v);
    for (int k = 1; k <= 24; k++) {
        ph_space_bracket(s->space, u, term, next);
        for (size_t i = 0; i < np; i++) {
            term[i] = next[i] / k;
            v[i] += term[i];
        }
    }
    ph_space_act(s->space, s->z, v, b);
    near(s, a, b, 6 * eps * reach(s));
}
LAW(law_bracket_is_the_adjoint, bracket_is_the_adjoint)

TEST_EACH(all_spaces_have_one, spaces())
{
    TK_OWN(ph_space) *space = make_space(_i);
    ck_assert(ph_space_is_homogeneous(space));
}

/* An embedded manifold has no group: the plane x_3 = 0 as one. */
TEST(embedded_manifolds_are_refused)
{
    static const double A[3] = {0, 0, 1}, MM[36] = {[0] = 1, [7] = 1, [14] = 1, [21] = 1, [28] = 1, [35] = 1};
    static const char *const names[] = {"rkmk4", "cf4"};
    const ph_subspace plane = {1, 3, A};
    const ph_embedding embedding = ph_embedding_subspace(&plane);
    const ph_factor factors[] = {S2, {.kind = PH_FACTOR_EMBEDDED, .embedding = &embedding}};
    ph_integrator *it = NULL;
    ph_error err;
    TK_OWN(ph_space) *space = NULL;
    tk_ok(ph_space_create(factors, 2, &space, &err));
    ck_assert(!ph_space_is_homogeneous(space));
    ph_system_definition d = {.space = space, .ambient_inertia = MM};
    TK_OWN(ph_system) *system = NULL;
    tk_ok(ph_system_create(&d, &system, &err));
    for (int m = 0; m < 2; m++) {
        ck_assert_int_eq(
            ph_integrator_create(system, ph_method_find(names[m], NULL), 0.1, NULL, 0, &it, &err),
            PH_E_UNSUPPORTED);
        ck_assert_msg(strstr(err.message, "group") && strstr(err.message, "rk4-projected"), "%s",
                      err.message);
    }
}

/* ---- Methods --------------------------------------------------------------------------------------- */

static const char *const methods[] = {"rkmk4", "cf4"};
enum { METHODS = sizeof methods / sizeof *methods };

/* Free motion, a ball (every axis is a principal one) and a point on a sphere: the angular velocity is
 * constant, and one step is right however long it is, here a turn by more than 2 rad. */
TEST_EACH(constant_angular_velocity_is_exact, METHODS)
{
    static const ph_factor factors[] = {SO3, S2, R(2)};
    enum { NZ = 14, NP = 8 };
    double MM[NZ * NZ] = {0}, z[NZ], v[NZ], w[NP], worst = 0;
    tk_random r = {31};
    for (size_t i = 0; i < NZ; i++)
        MM[i * NZ + i] = 1 + (i > 8);
    TK_OWN(ph_space) *space = tk_space(factors, 3);
    ph_system_definition d = {.space = space, .ambient_inertia = MM};
    TK_OWN(ph_system) *system = tk_defined(&d);
    for (int trial = 0; trial < 20; trial++) {
        double expected[NZ];
        random_point(space, &r, z);
        random_tangent(space, &r, z, 2.2, v);
        ph_space_spin(space, z, v, w);
        long_act(space, z, w, expected);
        TK_START(it, state, system, methods[_i], "q-omega", 1, z, v);
        tk_ok(ph_integrator_step(it, state, 1));
        worst = tk_max(worst, tk_max_difference(state->z, expected, NZ));
    }
    printf("%s, one step of 2.2 rad at constant angular velocity: off by %.1f eps\n", methods[_i],
           worst / eps);
    ck_assert_double_le(worst, 8 * eps);
}

/* theta'' = -g cos theta, theta counterclockwise from the horizontal: classical RK4 in (theta, omega). */
static void scalar_rk4(double g, double h, double *theta, double *omega)
{
    double a[4], b[4];
    static const double node[4] = {0, 0.5, 0.5, 1};
    for (int j = 0; j < 4; j++) {
        double s = j ? node[j] * h : 0;
        a[j] = *omega + (j ? s * b[j - 1] : 0);
        b[j] = -g * cos(*theta + (j ? s * a[j - 1] : 0));
    }
    *theta += h / 6 * (a[0] + 2 * a[1] + 2 * a[2] + a[3]);
    *omega += h / 6 * (b[0] + 2 * b[1] + 2 * b[2] + b[3]);
}

TEST_EACH(in_the_plane_they_are_the_classical_method, METHODS)
{
    const double g = 9.81, one = 1;
    const ph_parameter_value values[] = {{"mass", &one, 1}, {"length", &one, 1}, {"gravity", &g, 1}};
    TK_OWN(ph_system) *system = tk_build("planar-pendulum", values, 3);
    double theta = 0.4, omega = 1.1, z[2] = {cos(theta), sin(theta)}, v[2] = {-omega * z[1], omega * z[0]};
    TK_START(it, state, system, methods[_i], "q-omega", 0.1, z, v);
    for (int k = 0; k < 50; k++)
        scalar_rk4(g, 0.1, &theta, &omega);
    tk_ok(ph_integrator_step(it, state, 50));
    double off = tk_max(fabs(state->z[0] - cos(theta)), fabs(state->z[1] - sin(theta)));
    off = tk_max(off, fabs(state->p[0] - omega) / fabs(omega));
    printf("%s, 50 steps of a pendulum in the plane: off the classical method in the angle by %.1e\n",
           methods[_i], off);
    ck_assert_double_le(off, 1e-13);
}

/* A torque cos(nu t) about e_3: q turns in a plane by w t + (1 - cos(nu t))/nu^2. */
static const double nu = 3;

static ph_status torque(void *user, double t, const double *q, const double *v, double *f)
{
    (void)user, (void)v;
    f[0] -= cos(nu * t) * q[1];
    f[1] += cos(nu * t) * q[0];
    return PH_OK;
}

TEST_EACH(forces_are_met_at_their_time, 2 * METHODS)
{
    static const char *const forms[] = {"q-qdot", "q-omega"};
    const double inertia = 1, z[3] = {1, 0, 0}, v[3] = {0, 0.7, 0}, T = 1.9;
    const ph_factor sphere = S2;
    double h[3], error[3];
    TK_OWN(ph_space) *space = tk_space(&sphere, 1);
    ph_system_definition d = {.space = space, .inertia = &inertia, .force = torque};
    TK_OWN(ph_system) *system = tk_defined(&d);
    double turn = v[1] * T + (1 - cos(nu * T)) / (nu * nu);
    for (int k = 0; k < 3; k++) {
        h[k] = T / (80 << k);
        TK_START(it, state, system, methods[_i / 2], forms[_i % 2], h[k], z, v);
        tk_ok(ph_integrator_step(it, state, 80 << k));
        error[k] = tk_max(fabs(state->z[0] - cos(turn)), fabs(state->z[1] - sin(turn)));
    }
    printf("%s %s, a torque of time: error %.1e ... %.1e, slope %.3f\n", methods[_i / 2], forms[_i % 2],
           error[0], error[2], tk_slope(h, error, 3));
    ck_assert_double_eq_tol(tk_slope(h, error, 3), 4, 0.1);
}

/* However long the run is, |q| is 1 or a neighbour of it, and six entries of R^T R - I are each a sum of
 * three roundings. pi is perpendicular to q to the rounding of its size. */
TEST_EACH(nothing_leaves_the_manifold, 2 * METHODS)
{
    const int64_t steps = tk_short() ? 2000 : tk_thorough() ? 100000 : 20000;
    static const char *const forms[] = {"q-qdot", "q-omega"};
    TK_OWN(ph_system) *system = tk_model("quadrotor-cable");
    const ph_space *space = ph_system_space(system);
    double z[MOST_Z], v[MOST_Z], unit = 0, rotation = 0, tangency = 0;
    tk_random r = {77};
    ck_assert_uint_le(ph_space_ambient(space), MOST_Z);
    tk_random_motion(system, &r, z, v);
    TK_START(it, state, system, methods[_i / 2], forms[_i % 2], 1e-3, z, v);
    for (int64_t k = 0; k < steps; k++) {
        tk_ok(ph_integrator_step(it, state, 1));
        for (size_t i = 0; i < ph_space_factors(space); i++) {
            double *worst = ph_space_factor(space, i)->kind == PH_FACTOR_SO3 ? &rotation : &unit;
            *worst = tk_max(*worst, ph_space_factor_residual(space, i, state->z));
        }
        tangency = tk_max(tangency, ph_space_momentum_tangency(space, state->z, state->p));
    }
    printf("%s %s, %lld steps: |q| off by %.1e, R^T R by %.1e, q.pi %.1e\n", methods[_i / 2], forms[_i % 2],
           (long long)steps, unit, rotation, tangency);
    ck_assert_double_le(unit, 4e-16);
    ck_assert_double_le(rotation, 1e-15);
    ck_assert_double_le(tangency, 1e-12);
}

int main(void)
{
    return tk_run("group");
}
