/* SPDX-License-Identifier: BSD-3-Clause */
/* Point vortices: motions with closed forms (two, rings, a pole, a street, the collapse of three and its reverse), a
 * many-digit reference, the stability of rings, the least distance as a column and event, and what is refused. */
#include "tests/kit/spinkit.h"

#include <polhode/columns.h>
#include <polhode/events.h>

enum { MOST = 200 };
static const double e3[3] = {0, 0, 1};
static const double pi = 3.1415926535897932385;

static double chord(const double *z, size_t i, size_t j)
{
    const double d[3] = {z[3 * i] - z[3 * j], z[3 * i + 1] - z[3 * j + 1], z[3 * i + 2] - z[3 * j + 2]};
    return ph_norm3(d);
}

/* All turned by `angle` about the axis: how far is z from that, now? */
static double off_turn(const double *axis, double angle, const double *start, const double *z, size_t n)
{
    double worst = 0;
    for (size_t i = 0; i < n; i++) {
        double s[3] = {start[3 * i], start[3 * i + 1], start[3 * i + 2]};
        sk_turn(axis, angle, s);
        worst = tk_max(worst, tk_max_difference(s, z + 3 * i, 3));
    }
    return worst;
}

/* ---- Relative equilibria -------------------------------------------------------------------------------- */

TEST_EACH(two_vortices, 6)
{
    tk_random r = {900 + (uint64_t)_i};
    double circulations[2] = {tk_uniform(&r, 0.3, 2), (_i % 2 ? -1 : 1) * tk_uniform(&r, 0.3, 2)}, z[6],
           start[6], M[3];
    const ph_parameter_value values[] = {{"circulations", circulations, 2}};
    TK_OWN(ph_system) *system = sk_model("point-vortices", "two", values, 1, z);
    memcpy(start, z, sizeof z);
    tk_ok(ph_spins_momentum(system, z, M));
    const double d = chord(z, 0, 1), size = ph_norm3(M), T = 20;
    ck_assert_double_eq_tol(d, 2 * sin(0.5), 1e-15);
    sk_move(system, "rk8", T, 2000, z);
    for (size_t k = 0; k < 3; k++)
        M[k] /= size;
    const double off = off_turn(M, T * size / (2 * pi * d * d), start, z, 2);
    printf("two: off by %.1e\n", off);
    ck_assert_double_le(off, 1e-12);
}

/* Rings of 2 to 8 at any colatitude, with a vortex at the pole or without: they turn as a whole. Unstable ones leave by
 * rounding, 1e-16 exp(lambda T). */
TEST_EACH(rings, 14)
{
    tk_random r = {920 + (uint64_t)_i};
    const size_t N = 2 + (size_t)_i % 7;
    const bool with_pole = _i >= 7;
    const double strength = tk_uniform(&r, 0.5, 2), pole = tk_uniform(&r, -1, 1),
                 colatitude = tk_uniform(&r, 0.4, 2.7), count = (double)(N + with_pole), T = 10;
    double circulations[9], z[27], start[27];
    for (size_t i = 0; i < N; i++)
        circulations[i] = strength;
    circulations[N] = pole;
    const ph_parameter_value values[] = {{"circulations", circulations, N + with_pole},
                                         {"vortices", &count, 1},
                                         {"colatitude", &colatitude, 1}};
    TK_OWN(ph_system) *system =
        sk_model("point-vortices", with_pole ? "ring-with-pole" : "ring", values, 3, z);
    memcpy(start, z, sizeof z);
    const double c = cos(colatitude), s = sin(colatitude),
                 rate = strength * (double)(N - 1) * c / (4 * pi * s * s) +
                        (with_pole ? pole / (4 * pi * (1 - c)) : 0);
    sk_move(system, "rk8", T, 2000, z);
    const double off = off_turn(e3, rate * T, start, z, N + with_pole);
    printf("ring of %zu%s: off by %.1e\n", N, with_pole ? " with a pole" : "", off);
    ck_assert_double_le(off, 1e-11);
}

/* A push in the pattern of the mode k along the ring grows or swings with
 * lambda^2 = (Gamma/(4 pi sin^2 th))^2 k (N - k) (k (N - k) - (N - 1) (1 + cos^2 th)). The linear motion in the turning
 * frame, from differences of the flow: d'' = lambda^2 d for the heights, as each mode has both signs of lambda. */
TEST_EACH(stability_of_rings, 12)
{
    const size_t N = 3 + (size_t)_i % 6, k = 1 + (size_t)_i % (N - 1);
    const double th = 0.4 + 0.17 * _i, count = (double)N, c = cos(th), s = sin(th), h = 2e-3;
    const double rate = (double)(N - 1) * c / (4 * pi * s * s), mode = (double)(k * (N - k)),
                 squared = mode * (mode - (double)(N - 1) * (1 + c * c)) / pow(4 * pi * s * s, 2);
    const ph_parameter_value values[] = {{"vortices", &count, 1}, {"colatitude", &th, 1}};
    double start[27], second[9] = {0}, worst = 0;
    TK_OWN(ph_system) *system = sk_model("point-vortices", "ring", values, 2, start);
    /* twice the linear vector field L, on tangent vectors (north, east) at each vortex: u = along meridians */
    double u[18] = {0};
    for (size_t i = 0; i < N; i++)
        u[2 * i] = cos(2 * pi * (double)(i * k) / count);
    for (int twice = 0; twice < 2; twice++) {
        static const double weight[4] = {4. / 5, -1. / 5, 4. / 105, -1. / 280};
        double change[27] = {0};
        for (int m = 0; m < 4; m++)
            for (int side = -1; side <= 1; side += 2) {
                double z[27], v[27];
                for (size_t i = 0; i < N; i++) {
                    const double *q = start + 3 * i, east[3] = {-q[1] / s, q[0] / s, 0},
                                 south[3] = {c * q[0] / s, c * q[1] / s, -s};
                    for (size_t a = 0; a < 3; a++)
                        z[3 * i + a] =
                            q[a] + side * (m + 1) * h * (u[2 * i] * south[a] + u[2 * i + 1] * east[a]);
                    const double size = ph_norm3(z + 3 * i);
                    for (size_t a = 0; a < 3; a++)
                        z[3 * i + a] /= size;
                }
                tk_ok(ph_spins_flow(system, 0, z, v));
                for (size_t i = 0; i < N; i++) { /* in the turning frame, as angles south and east times s */
                    double *q = z + 3 * i, *w = v + 3 * i;
                    const double out = hypot(q[0], q[1]),
                                 turn = (q[0] * w[1] - q[1] * w[0]) / (out * out) - rate;
                    change[2 * i] -= side * weight[m] / h * w[2] / out;
                    change[2 * i + 1] += side * weight[m] / h * turn * s;
                }
            }
        memcpy(u, change, sizeof u);
    }
    for (size_t i = 0; i < N; i++) {
        second[i] = u[2 * i];
        worst = tk_max(worst, fabs(second[i] - squared * cos(2 * pi * (double)(i * k) / count)));
    }
    printf("ring of %zu, mode %zu: lambda^2 = %.4f, off by %.1e\n", N, k, squared, worst);
    ck_assert_double_le(worst, 1e-9 * (1 + fabs(squared)));
}

/* Of the street the rate is the sum over both rings for one vortex: all turn alike by symmetry. */
TEST(street)
{
    double z[36], start[36], rate = 0, T = 10;
    TK_OWN(ph_system) *system = sk_model("point-vortices", "street", NULL, 0, z);
    memcpy(start, z, sizeof z);
    for (size_t j = 1; j < 12; j++) { /* azimuth of the velocity of vortex 1, at azimuth 0 */
        const double of = j < 6 ? 1 : -1, along = ph_dot3(z, z + 3 * j);
        /* (s_j x s_1)_2 / s_1x */
        rate += of / (4 * pi * (1 - along)) * (z[3 * j + 2] * z[0] - z[3 * j] * z[2]) / z[0];
    }
    sk_move(system, "rk8", T, 1000, z);
    const double off = off_turn(e3, rate * T, start, z, 12);
    printf("street: turns at %.4f, off by %.1e\n", rate, off);
    ck_assert_double_le(off, 1e-11);
}

/* ---- Collapse ------------------------------------------------------------------------------------------- */

/* The height of the plane of the three points. */
static double height(const double *z)
{
    double a[3], b[3], n[3];
    for (size_t k = 0; k < 3; k++) {
        a[k] = z[3 + k] - z[k];
        b[k] = z[6 + k] - z[k];
    }
    ph_cross3(a, b, n);
    return ph_dot3(n, z) / ph_norm3(n);
}

/* The height grows (or falls) by t/(4 pi sqrt 23), and the triangle keeps its shape. To 0.9 of the time of collapse; each
 * error is amplified by the approach as (t_c - t)^-1 at least. */
TEST_EACH(collapse_and_expansion, 2)
{
    const double sense = _i ? -1 : 1, T = 0.9 * 4 * pi * (sqrt(23) - sqrt(17)), p0 = sqrt(17. / 23);
    double z[9];
    TK_OWN(ph_system) *system = sk_model("point-vortices", _i ? "expansion" : "collapse", NULL, 0, z);
    ck_assert_double_eq_tol(T / 0.9, 8.4537229523135845950576616202244, 1e-14);
    ck_assert_double_eq_tol(height(z), p0, 1e-15);
    sk_move(system, "rk8", T, 16000, z);
    const double p = p0 + sense * T / (4 * pi * sqrt(23)), size = (1 - p * p) / (6. / 23),
                 d12 = chord(z, 0, 1), d23 = chord(z, 1, 2), d31 = chord(z, 2, 0);
    printf("height off by %.1e, chords by %.1e\n", height(z) - p, d12 * d12 - 0.75 * size);
    ck_assert_double_eq_tol(height(z), p, 1e-11);
    ck_assert_double_eq_tol(d12 * d12, 0.75 * size, 1e-11);
    ck_assert_double_eq_tol(d23 * d23, 0.5 * size, 1e-11);
    ck_assert_double_eq_tol(d31 * d31, size, 1e-11);
}

typedef struct seen {
    size_t n;
    double t;
} seen;

static ph_status note(void *self, const ph_occurrence *occurrence, ph_error *err)
{
    seen *s = self;
    (void)err;
    s->n++;
    s->t = occurrence->t;
    return PH_OK;
}

/* An event of the column at the chord d stops the run where (1 - p(t)^2)/(6/23) = 2 d^2. */
TEST(event_at_a_distance)
{
    static const double at = 0.05;
    const double p = sqrt(1 - 2 * at * at * 6 / 23), T = 4 * pi * (sqrt(23) * p - sqrt(17)), h = 1e-3;
    const ph_event event = {
        .name = "close", .column = "least_distance", .level = at, .direction = -1, .action = PH_EVENT_STOP};
    double z[9];
    seen s = {0, 0};
    const ph_event_sink sink = {note, &s};
    TK_OWN(ph_system) *system = sk_model("point-vortices", "collapse", NULL, 0, z);
    TK_OWN(ph_integrator) *it = sk_bind(system, "rk8", h, NULL, 0);
    TK_OWN(ph_state) *state = sk_state(it, z);
    TK_MAKE(ph_events, events, ph_events_create(it, &event, 1, &sink, &events, tk_err));
    tk_ok(ph_events_begin(events, state, tk_err));
    ph_status status = PH_OK;
    for (int k = 0; k < 9000 && !status; k++) {
        tk_steps(it, state, 1);
        status = ph_events_look(events, state, tk_err);
    }
    ck_assert_msg(status == PH_E_STOPPED, "%d: %s", status, tk_err->message);
    printf("at a distance of 0.05 at %.12f, off by %.1e\n", s.t, s.t - T);
    ck_assert_uint_eq(s.n, 1);
    ck_assert_double_eq_tol(s.t, T, 1e-10);
}

/* ---- Others --------------------------------------------------------------------------------------------- */

TEST(reference)
{
    static const double circulations[4] = {1, -0.5, 0.75, 1.25};
    const sk_problem *p = &sk_problems[SK_VORTICES];
    const ph_parameter_value values[] = {{"circulations", circulations, 4}};
    double z[12];
    TK_OWN(ph_system) *system = sk_model("point-vortices", "ring", values, 1, z);
    ck_assert_uint_eq(ph_system_symmetries(system), 3);
    memcpy(z, p->start, sizeof z);
    sk_move(system, "rk8", p->T, 2000, z);
    ck_assert_double_le(tk_max_difference(z, p->end, 12), 1e-12);
}

/* H with cores, from its definition. */
TEST(energy_with_cores)
{
    tk_random r = {990};
    static const double circulations[5] = {1, -0.5, 0.75, 1.25, -1}, core = 0.3;
    const ph_parameter_value values[] = {{"circulations", circulations, 5}, {"core", &core, 1}};
    double z[15], H, sum = 0;
    TK_OWN(ph_system) *system = sk_model("point-vortices", "five", values, 2, z);
    sk_random_spins(&r, 5, z);
    for (size_t i = 0; i < 5; i++)
        for (size_t j = 0; j < i; j++)
            sum -= circulations[i] * circulations[j] / (4 * pi) *
                   log(2 - 2 * ph_dot3(z + 3 * i, z + 3 * j) + core * core);
    tk_ok(ph_spins_energy(system, 0, z, &H));
    ck_assert_double_eq_tol(H, sum, 1e-14);
}

/* The cloud: no total circulation, no close pairs, spread over the sphere, another one by another seed. */
TEST(cloud)
{
    static double z[3 * MOST], other[3 * MOST];
    static const double second = 7;
    double least = 2, sum = 0, mean[3] = {0, 0, 0}, value;
    ph_system *system = sk_model("point-vortices", "cloud", NULL, 0, z);
    const ph_spins *is = ph_system_spins(system);
    ck_assert_uint_eq(is->n, MOST);
    for (size_t i = 0; i < MOST; i++) {
        sum += is->strengths[i];
        for (size_t k = 0; k < 3; k++)
            mean[k] += z[3 * i + k] / MOST;
        for (size_t j = 0; j < i; j++)
            least = fmin(least, chord(z, i, j));
    }
    ck_assert_double_eq(sum, 0);
    ck_assert_double_ge(least, 0.7 / sqrt(MOST));
    ck_assert_double_le(ph_norm3(mean), 4 / sqrt(MOST)); /* its mean square is 1/MOST */
    static const char *const words[] = {"least_distance"};
    ph_columns *columns = NULL;
    tk_ok(ph_columns_create(system, words, 1, &columns, NULL));
    ph_integrator *it = sk_bind(system, "rk8", 1e-3, NULL, 0);
    ph_state *state = sk_state(it, z);
    const ph_row row = {.state = state};
    ph_columns_values(columns, &row, 0, 1, &value);
    ck_assert_double_eq(value, least);
    ph_columns_free(columns);
    ph_state_free(state);
    ph_integrator_free(it);
    ph_system_free(system);
    const ph_parameter_value values[] = {{"seed", &second, 1}};
    ph_system_free(sk_model("point-vortices", "cloud", values, 1, other));
    ck_assert_double_ge(tk_max_difference(z, other, 3 * MOST), 0.1);
}

/* ---- Refused -------------------------------------------------------------------------------------------- */

/* At one point: by name, whether the vortices are all bound, and not with a core. */
TEST_EACH(meeting_refused, 2)
{
    static const double circulations[4] = {1, -0.5, 0.75, 1.25}, core = 0.1, none = 0;
    const ph_parameter_value values[] = {{"circulations", circulations, 4}, {"core", _i ? &core : &none, 1}};
    double z[12], no_momentum[1] = {0};
    TK_OWN(ph_system) *system = sk_model("point-vortices", "ring", values, 2, z);
    memcpy(z + 9, z + 3, 3 * sizeof *z);
    TK_OWN(ph_integrator) *it = sk_bind(system, "rk8", 0.01, NULL, 0);
    TK_MAKE(ph_state, state, ph_state_create(it, &state, tk_err));
    const ph_status status = ph_state_set(it, state, 0, z, no_momentum, PH_STRICT, tk_err);
    ck_assert_int_eq(status, _i ? PH_OK : PH_E_INVALID);
    if (status)
        ck_assert_msg(strstr(tk_err->message, "vortices 2 and 4 are both at (") &&
                          strstr(tk_err->message, "a core"),
                      "%s", tk_err->message);
    else
        ck_assert(!ph_integrator_step(it, state, 10));
}

/* A column that systems without two spins do not have. */
TEST(column_refused)
{
    static const char *const words[] = {"least_distance"};
    double z[3];
    ph_columns *columns = NULL;
    ph_system *systems[2] = {sk_model("bloch-sphere", NULL, NULL, 0, z), tk_model("spherical-pendulum")};
    for (int k = 0; k < 2; k++) {
        tk_refused(ph_columns_create(systems[k], words, 1, &columns, tk_err), PH_E_UNKNOWN,
                   "it has no two spins or vortices");
        ph_system_free(systems[k]);
    }
}

int main(void)
{
    return tk_run("point vortices");
}
