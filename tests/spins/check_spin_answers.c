/* SPDX-License-Identifier: BSD-3-Clause */
/* What functions of the library that are made for Lagrangian systems answer for a ring of spins, with field, control and
 * symmetries: what is right, or a refusal with its reason; and its columns and diagnostics. */
#include "tests/kit/spinkit.h"

#include <polhode/columns.h>
#include <polhode/constraints.h>
#include <polhode/diagnostics.h>
#include <polhode/domain/equilibria.h>
#include <polhode/domain/reduction.h>
#include <polhode/domain/routh.h>
#include <polhode/domain/steady.h>
#include <polhode/kit/tensions.h>
#include <polhode/motion.h>

enum { N = 5 };

/* B = (0, 0, sin t). */
static ph_status drive(void *user, double t, double *B, double *dB)
{
    (void)user;
    B[0] = B[1] = 0;
    B[2] = sin(t);
    if (dB) {
        dB[0] = dB[1] = 0;
        dB[2] = cos(t);
    }
    return PH_OK;
}

static const double strengths[N] = {1, -0.5, 2, 0.7, 1.3};

/* A ring with exchange and a field along e3, invariant about e3; controlled: with B(t), too. With names of all three momentum
 * maps, of which the last is conserved. */
static ph_system *make(bool controlled)
{
    static const double one = 1, field[] = {0, 0, 0.4};
    static const uint32_t first[N] = {0, 1, 2, 3, 4}, second[N] = {1, 2, 3, 4, 0};
    static const ph_symmetry about[3] = {
        {.name = "J1", .text = "about the first axis", .unit = "", .axis = {1, 0, 0}},
        {.name = "J2", .text = "about the second axis", .unit = "", .axis = {0, 1, 0}},
        {.name = "J3", .text = "about the third axis", .unit = "", .axis = {0, 0, 1}}};
    const ph_bonds ring = {
        .kind = PH_BOND_EXCHANGE, .n = N, .first = first, .second = second, .c = &one, .uniform = true};
    const ph_spins spins = {.n = N,
                            .strengths = strengths,
                            .bonds = &ring,
                            .n_bonds = 1,
                            .field = field,
                            .field_is_uniform = true,
                            .control = controlled ? drive : NULL};
    const ph_system_definition d = {.spins = &spins, .symmetries = about, .n_symmetries = 3};
    ph_system *system = NULL;
    tk_ok(ph_system_create(&d, &system, tk_err));
    return system;
}

static void draw(double *z)
{
    tk_random r = {4711};
    sk_random_spins(&r, N, z);
}

/* ---- What a system is ----------------------------------------------------------------------------------- */

TEST_EACH(structure, 2)
{
    TK_OWN(ph_system) *system = make(_i);
    size_t symmetry = 7;
    ck_assert_int_eq(ph_system_kind(system), PH_PHASE_SPACE);
    ck_assert(!ph_system_has_pair_inertia(system) && !ph_system_inertia(system) &&
              !ph_system_ambient_inertia(system) && !ph_system_linkage(system) &&
              !ph_system_articulation(system) && !ph_system_inverse_inertia(system) &&
              !ph_system_bodies(system));
    ck_assert(!ph_system_is_dense(system) && !ph_system_is_sparse(system) &&
              !ph_system_inertia_is_uniform(system) && !ph_system_has_tensions(system));
    ck_assert_uint_eq(ph_system_points(system), 0);
    ck_assert(ph_system_has_potential(system));
    ck_assert_int_eq(ph_system_has_force(system), _i);
    ck_assert_int_eq(ph_system_depends_on_time(system), _i);
    ck_assert_int_eq(ph_system_is_conservative(system), !_i);
    ck_assert(ph_system_force_ignores_velocity(system) && ph_system_has_power(system));
    ck_assert(!ph_system_whole(system, &symmetry) && !ph_system_gravitation(system));
    ck_assert_uint_eq(ph_system_symmetries(system), 3);
    ck_assert(ph_system_symmetry(system, 2) && !ph_system_symmetry(system, 3));
    ck_assert(ph_system_gradient_is_exact(system) && !ph_system_gradient_on_manifold(system));
    ck_assert_uint_eq(ph_system_constraints(system), 0);
    ck_assert_uint_ge(ph_system_work(system), 3 * N);
}

/* ---- Values --------------------------------------------------------------------------------------------- */

TEST_EACH(quantities, 2)
{
    TK_OWN(ph_system) *system = make(_i);
    const double t = 0.6;
    double z[3 * N], v[3 * N], f[3 * N], g[3 * N], J[3] = {0, 0, 0}, H, U, T, in_time, map, power, sum3 = 0;
    TK_MEMORY double *work = malloc((9 * 9 * N * N + ph_system_work(system)) * sizeof *work);
    draw(z);
    ck_assert(!ph_spins_flow(system, t, z, v));
    ck_assert(!ph_spins_energy(system, t, z, &H));
    ck_assert(!ph_system_energy(system, 0, z, v, &T, &U, work) &&
              !ph_system_potential_in_time(system, t, z, &in_time));
    ck_assert(T == 0);
    ck_assert_double_eq_tol(U + in_time, H, 1e-15);
    /* as a force a control is -dU/dz */
    ck_assert(!ph_system_force(system, t, z, v, f) && !ph_system_gradient_in_time(system, t, z, g));
    for (size_t k = 0; k < 3 * N; k++) {
        ck_assert(f[k] == -g[k]);
        ck_assert(g[k] == (_i && k % 3 == 2 ? -sin(t) : 0));
    }
    ck_assert(!ph_system_force_dv(system, t, z, v, work, work + 9 * N * N));
    for (size_t k = 0; k < 9 * N * N; k++)
        ck_assert(work[k] == 0);
    for (size_t i = 0; i < N; i++) {
        sum3 += z[3 * i + 2];
        for (size_t k = 0; k < 3; k++)
            J[k] += strengths[i] * z[3 * i + k];
    }
    ck_assert(!ph_system_power(system, t, z, v, &power, work));
    ck_assert_double_eq_tol(power, _i ? -cos(t) * sum3 : 0, 1e-15);
    for (size_t i = 0; i < 3; i++) {
        ck_assert(!ph_system_momentum_map(system, i, z, NULL, &map, work));
        ck_assert_double_eq_tol(map, J[i], 1e-15);
    }
    /* no momenta, and a velocity that the state has by itself */
    ck_assert(!ph_system_momentum(system, 0, z, v, NULL, work));
    ck_assert(!ph_system_velocity_at(system, t, z, NULL, g, work));
    ck_assert(!memcmp(g, v, sizeof v));
    /* constraints: none */
    ck_assert(!ph_system_constraint_rows(system, t, z, NULL, NULL));
    ck_assert(!ph_system_constraint_error(system, t, z, v, &map, work) && map == 0);
    ck_assert(!ph_system_constraint_project(system, t, z, v, &map, NULL));
}

/* ---- What has no meaning for spins ---------------------------------------------------------------------- */

TEST_EACH(refused_by_status, 2)
{
    TK_OWN(ph_system) *system = make(_i);
    enum { ROOM = 20 * 9 * N * N };
    double z[3 * N], v[3 * N], y[3 * N], L, *A = malloc(ROOM * sizeof *A), *b = malloc(ROOM * sizeof *b),
                                            *work = malloc(ROOM * sizeof *work), *E = calloc(ROOM, sizeof *E);
    draw(z);
    ck_assert(!ph_spins_flow(system, 0, z, v));
    const ph_status all[] = {
        ph_system_pair_inertia(system, z, A, NULL),
        ph_system_lagrangian(system, 0, z, v, &L, work),
        ph_system_lagrangian_gradient(system, 0, z, v, y, y, work),
        ph_system_lagrangian_hessian(system, 0, z, v, A, A, A, work),
        ph_system_euler_lagrange(system, 0, z, v, A, b, work),
        ph_system_tangent_inertia(system, 0, z, NULL, E, A, work),
        ph_system_velocity(system, 0, z, v, y, work),
        ph_system_covector(system, 0, z, v, y, work),
        ph_system_covector_velocity(system, 0, z, v, y, work),
        ph_reduction_generator(system, 2, z, y),
        ph_reduction_locked_inertia(system, 2, z, &L, work),
        ph_reduction_locked_inertia_gradient(system, 2, z, y, work),
    };
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        ck_assert_msg(all[i] == PH_E_UNSUPPORTED, "number %zu: %s", i, ph_status_name(all[i]));
    /* the turn about an axis is one of spins, too */
    double turned[3 * N];
    memcpy(turned, z, sizeof z);
    ph_routh_turn(system, 2, 0.3, turned, work);
    for (size_t i = 0; i < N; i++) {
        ck_assert_double_eq_tol(turned[3 * i], cos(0.3) * z[3 * i] - sin(0.3) * z[3 * i + 1], 1e-15);
        ck_assert_double_eq_tol(turned[3 * i + 2], z[3 * i + 2], 1e-15);
    }
    free(A);
    free(b);
    free(work);
    free(E);
}

static void says(ph_status status, const ph_error *err, const char *said)
{
    ck_assert_msg(status == PH_E_UNSUPPORTED && strstr(err->message, said) != NULL, "%s: %s (not: %s)",
                  ph_status_name(status), err->message, said);
}

TEST(refused_with_reason)
{
    ph_system *system = make(false), *other = NULL;
    double z[3 * N], v[3 * N], rate, *work = malloc(2000 * sizeof *work);
    const size_t third = 2;
    size_t index;
    draw(z);
    ck_assert(!ph_spins_flow(system, 0, z, v));
    says(ph_reduction_connection(system, 2, z, v, &rate, work, tk_err), tk_err, "spins have none");
    says(ph_reduction_amended_potential(system, 2, z, 1, &rate, v, work, tk_err), tk_err, "spins have none");
    says(ph_routh_create(system, 2, &other, tk_err), tk_err, "spins are a phase space");
    says(ph_routh_all_rotations(system, &index, tk_err), tk_err, "not reduced by rotations");
    says(ph_routh_align(system, z, v, work, tk_err), tk_err, "not reduced by rotations");
    ph_equilibria *equilibria = NULL;
    says(ph_equilibria_create(system, &third, 1, &equilibria, tk_err), tk_err, "spins are a phase space");
    ph_steady *steady = NULL;
    says(ph_steady_create(system, &steady, tk_err), tk_err, "spins are a phase space");
    const ph_system_definition added = {.potential_in_time = NULL};
    tk_refused(ph_system_create_forced(system, &added, &other, tk_err), PH_E_UNSUPPORTED,
               "spins take no forces");
    ck_assert(!other && !equilibria && !steady);
    size_t taken = 0;
    for (size_t i = 0; i < ph_methods(); i++) { /* each takes spins, or says why not */
        const ph_method *method = ph_method_at(i);
        ph_error why = {PH_OK, ""};
        const ph_status status = ph_method_supports(method, system, &why);
        taken += !status;
        ck_assert_int_eq(!status, method->takes_spins);
        ck_assert_msg(!status || strlen(why.message) > 20, "%s", method->name);
    }
    ck_assert_uint_ge(taken, 4);
    free(work);
    ph_system_free(system);
}

/* ---- States, diagnostics, columns ----------------------------------------------------------------------- */

TEST_EACH(columns_of_a_state, 2)
{
    TK_OWN(ph_system) *system = make(_i);
    TK_OWN(ph_integrator) *it = sk_bind(system, "rk8", 0.01, NULL, 0);
    double z[3 * N], v[3 * N], J[3], H;
    draw(z);
    TK_OWN(ph_state) *state = sk_state(it, z);
    ck_assert(!ph_integrator_step(it, state, 3));
    ck_assert(!ph_spins_flow(system, state->t, state->z, v) &&
              !ph_spins_energy(system, state->t, state->z, &H) && !ph_spins_momentum(system, state->z, J));
    ph_measures m;
    TK_MAKE(ph_diagnostics, d, ph_diagnostics_create(system, &d, NULL));
    tk_ok(ph_diagnostics_measure(d, state, &m));
    ck_assert_double_eq_tol(m.energy, H, 1e-15);
    double off = 0;
    for (size_t i = 0; i < N; i++)
        off = fmax(off, fabs(sqrt(ph_dot3(state->z + 3 * i, state->z + 3 * i)) - 1));
    ck_assert(m.kinetic == 0 && m.tangency == 0);
    ck_assert_double_eq_tol(m.constraint_error, off, 1e-15);
    for (size_t k = 0; k < 3; k++)
        ck_assert_double_eq_tol(m.momenta[k], J[k], 1e-15);
    TK_MAKE(ph_motion, motion, ph_motion_create(system, &motion, NULL));
    tk_ok(ph_motion_see(motion, state));
    const double *omega = ph_motion_omega(motion);
    ck_assert(!memcmp(ph_motion_velocity(motion), v, sizeof v));
    for (size_t i = 0; i < N; i++) { /* the angular velocity s x s' turns s by s' */
        double turn[3];
        ph_cross3(omega + 3 * i, state->z + 3 * i, turn);
        for (size_t k = 0; k < 3; k++)
            ck_assert_double_eq_tol(turn[k], v[3 * i + k], 1e-15);
        ck_assert_double_eq_tol(ph_dot3(omega + 3 * i, state->z + 3 * i), 0, 1e-15);
    }
    static const char *const words[] = {"t",         "configuration", "velocity", "omega",       "energy",
                                        "power",     "momentum_maps", "momentum", "quaternions", "positions",
                                        "tensions",  "reactions",     "reduced",  "shape",       "orbit",
                                        "distances", "euler",         "spin",     "libration",   "binding",
                                        "clearance", "escape",        "energies", "tangency",    "step"};
    for (size_t w = 0; w < sizeof words / sizeof *words; w++) {
        TK_OWN(ph_columns) *columns = NULL;
        const ph_status status = ph_columns_create(system, &words[w], 1, &columns, tk_err);
        if (status) { /* there are no such quantities: with a reason */
            printf("%s: %s\n", words[w], tk_err->message);
            ck_assert_msg((w > 6 || (w == 5 && !_i)) && strlen(tk_err->message) > 10, "%s", words[w]);
            continue;
        }
        const size_t n = ph_columns_count(columns);
        TK_MEMORY double *values = malloc((n + 1) * sizeof *values);
        const ph_row row = {.state = state, .measures = &m};
        ph_columns_values(columns, &row, 0, n, values);
        for (size_t k = 0; k < n; k++) {
            ck_assert_msg(isfinite(values[k]), "%s: column %zu is %g", words[w], k, values[k]);
            if (w == 1)
                ck_assert(values[k] == state->z[k]);
            if (w == 2)
                ck_assert(values[k] == v[k]);
            if (w == 3)
                ck_assert(values[k] == omega[k]);
        }
        if (w < 7)
            ck_assert_uint_eq(n, w == 0 || w == 4 || w == 5 ? 1 : w == 6 ? 3 : 3 * N);
    }
}

/* ---- Definitions that are refused ------------------------------------------------------------------------ */

/* Three spins with one group of each kind of part; one thing is then wrong. */
typedef struct description {
    double c[3], strengths[3], damping[3], K[3], field[9], moments[3];
    uint32_t first[3], second[3];
    ph_bonds bonds;
    ph_anisotropy anisotropy;
    ph_spins spins;
    ph_symmetry symmetry;
    ph_system_definition d;
} description;

static ph_status no_energy(void *user, const double *z, double *U)
{
    (void)user, (void)z;
    *U = 0;
    return PH_OK;
}

static ph_status turning(void *user, const double *z, double *xi)
{
    (void)user, (void)z;
    memset(xi, 0, 9 * sizeof *xi);
    return PH_OK;
}

static ph_status pull(void *user, double t, const double *z, const double *v, double *f)
{
    (void)user, (void)t, (void)z, (void)v;
    memset(f, 0, 9 * sizeof *f);
    return PH_OK;
}

static ph_status bond(void *user, double x, double *f)
{
    (void)user;
    *f = x;
    return PH_OK;
}

static void describe(description *w)
{
    *w = (description){.c = {1, 2, 3},
                       .strengths = {1, -1, 2},
                       .damping = {0.1, 0, 0.1},
                       .K = {0.1, 0.2, 0.3},
                       .field = {0, 0, 1, 0, 0, 1, 0, 0, 1},
                       .moments = {1, 1, 1},
                       .first = {0, 1, 0},
                       .second = {1, 2, 2}};
    w->bonds = (ph_bonds){.kind = PH_BOND_AXIAL,
                          .n = 3,
                          .first = w->first,
                          .second = w->second,
                          .c = w->c,
                          .axis = {0, 0.6, 0.8}};
    w->anisotropy = (ph_anisotropy){.axis = {1, 0, 0}, .K = w->K};
    w->spins = (ph_spins){.n = 3,
                          .strengths = w->strengths,
                          .damping = w->damping,
                          .bonds = &w->bonds,
                          .n_bonds = 1,
                          .field = w->field,
                          .anisotropies = &w->anisotropy,
                          .n_anisotropies = 1,
                          .moments = w->moments};
    w->d.spins = &w->spins;
}

static const struct {
    const char *said;
    ph_status status;
} wrongs[] = {
    {"there are 0 spins", PH_E_INVALID},
    {"number of groups is given", PH_E_INVALID},
    {"number of groups is given", PH_E_INVALID},
    {"strengths: number 2 is inf", PH_E_NOT_FINITE},
    {"the strength of spin 3 is 0", PH_E_INVALID},
    {"damping: number 1 is nan", PH_E_NOT_FINITE},
    {"the damping of spin 3 is -0.1", PH_E_RANGE},
    {"kind 9; there are kinds 0 to 4", PH_E_INVALID},
    {"either all_pairs alone, or n with the lists", PH_E_INVALID},
    {"either all_pairs alone, or n with the lists", PH_E_INVALID},
    {"between all pairs of one spin", PH_E_INVALID},
    {"one coefficient for all", PH_E_INVALID},
    {"group 1 of bonds (axial) has no coefficients", PH_E_INVALID},
    {"kind function and its callback belong together", PH_E_INVALID},
    {"kind function and its callback belong together", PH_E_INVALID},
    {"the core is -1", PH_E_RANGE},
    {"the coefficients of bonds: number 3 is inf", PH_E_NOT_FINITE},
    {"the axis has length 1.1", PH_E_INVALID},
    {"bond 2 of group 1 joins spins 2 and 4", PH_E_RANGE},
    {"bond 1 of group 1 joins spin 2 with itself", PH_E_INVALID},
    {"anisotropy 1: the axis has length 2", PH_E_INVALID},
    {"anisotropy 1 has no coefficients K", PH_E_INVALID},
    {"K of an anisotropy: number 1 is nan", PH_E_NOT_FINITE},
    {"the field: number 9 is inf", PH_E_NOT_FINITE},
    {"the constant: number 1 is nan", PH_E_NOT_FINITE},
    {"moments: number 2 is inf", PH_E_NOT_FINITE},
    {"spins have neither inertia nor Lagrangian", PH_E_INVALID},
    {"potential and gradient together, or neither", PH_E_INVALID},
    {"symmetry 1 has a generator", PH_E_INVALID},
    {"the space of 3 spins is as many factors PH_FACTOR_SPIN", PH_E_INVALID},
};
enum { WRONGS = sizeof wrongs / sizeof wrongs[0] };

TEST_EACH(definitions_refused, WRONGS)
{
    description w;
    const ph_factor plane = {.kind = PH_FACTOR_S2};
    ph_system *system = NULL;
    describe(&w);
    tk_ok(ph_system_create(&w.d, &system, tk_err));
    ph_system_free(system);
    TK_OWN(ph_space) *space = NULL;
    switch (_i) {
    case 0:
        w.spins.n = 0;
        break;
    case 1:
        w.spins.bonds = NULL;
        break;
    case 2:
        w.spins.anisotropies = NULL;
        break;
    case 3:
        w.strengths[1] = INFINITY;
        break;
    case 4:
        w.strengths[2] = 0;
        break;
    case 5:
        w.damping[0] = NAN;
        break;
    case 6:
        w.damping[2] = -0.1;
        break;
    case 7:
        w.bonds.kind = 9;
        break;
    case 8:
        w.bonds.all_pairs = true;
        break;
    case 9:
        w.bonds.second = NULL;
        break;
    case 10:
        w.bonds = (ph_bonds){.kind = PH_BOND_EXCHANGE, .all_pairs = true, .c = w.c, .uniform = true};
        w.spins.n = 1;
        break;
    case 11:
        w.bonds = (ph_bonds){.kind = PH_BOND_EXCHANGE, .all_pairs = true, .c = w.c};
        break;
    case 12:
        w.bonds.c = NULL;
        break;
    case 13:
        w.bonds.kind = PH_BOND_FUNCTION;
        break;
    case 14:
        w.bonds.function = bond;
        break;
    case 15:
        w.bonds.core = -1;
        break;
    case 16:
        w.c[2] = INFINITY;
        break;
    case 17:
        w.bonds.axis[0] = sqrt(0.21);
        break;
    case 18:
        w.second[1] = 3;
        break;
    case 19:
        w.first[0] = 1;
        break;
    case 20:
        w.anisotropy.axis[0] = 2;
        break;
    case 21:
        w.anisotropy.K = NULL;
        break;
    case 22:
        w.K[0] = NAN;
        break;
    case 23:
        w.field[8] = INFINITY;
        break;
    case 24:
        w.spins.constant = NAN;
        break;
    case 25:
        w.moments[1] = INFINITY;
        break;
    case 26:
        w.d.force = pull;
        break;
    case 27:
        w.d.potential = no_energy;
        break;
    case 28:
        w.symmetry = (ph_symmetry){.name = "turn", .generator = turning};
        w.d.symmetries = &w.symmetry;
        w.d.n_symmetries = 1;
        break;
    default:
        tk_ok(ph_space_create_power(&plane, 3, &space, tk_err));
        w.d.space = space;
        break;
    }
    system = NULL;
    tk_refused(ph_system_create(&w.d, &system, tk_err), wrongs[_i].status, wrongs[_i].said);
    ck_assert_ptr_null(system);
}

int main(void)
{
    return tk_run("answers for spins");
}
