/* SPDX-License-Identifier: BSD-3-Clause */
/* What links and places say together: tensions against the accelerations of the masses, taken as differences of their
 * places along a motion, against closed forms, and under forces that are as good as gravity; places that models state
 * themselves against their potential energies. */
#include "tests/kit/spaces.h"
#include "tests/run/moving.h"

#include <polhode/polhode.h>

#include <float.h>

/* ---- Tensions ---------------------------------------------------------------------------------------- */

enum { MOST = 16 };

/* force (3 x n) <- what the links exert on the masses: -T_i q_i on mass i, T_i q_i on its parent. */
static void pull(const moving *x, const double *tension, double *force)
{
    const ph_space *space = ph_system_space(x->system);
    const ph_linkage *l = ph_system_linkage(x->system);
    memset(force, 0, 3 * ph_space_factors(space) * sizeof *force);
    for (size_t i = 0; i < ph_space_factors(space); i++) {
        const ph_factor_place *f = ph_space_factor(space, i);
        const size_t parent = l->parent ? l->parent[i] : i ? i - 1 : PH_NO_INDEX;
        for (size_t k = 0; k < f->nz && f->kind != PH_FACTOR_R; k++) {
            force[3 * i + k] -= tension[i] * x->state->z[f->z + k];
            if (parent != PH_NO_INDEX)
                force[3 * parent + k] += tension[i] * x->state->z[f->z + k];
        }
    }
}

/* m_k xddot_k = m_k G + what the links exert, on all masses, a cart along its axes. Central differences of places are
 * good to h^2/12 of their fourth derivative, and to 1e-16/h^2 of their size. */
TEST_EACH(newton, 8)
{
    static const char *const models[] = {"chain-pendulum",  "spherical-pendulum", "double-spherical-pendulum",
                                         "planar-pendulum", "planar-chain",       "branching-pendulum",
                                         "cart-chain",      "planar-cart"};
    const double h = 2e-4;
    double places[3][3 * MOST], force[3 * MOST], tension[MOST];
    size_t n = 0;
    MOVING(x, models[_i], NULL, h, "8", 1500);
    const ph_linkage *l = ph_system_linkage(x.system);
    const ph_space *space = ph_system_space(x.system);
    ck_assert(ph_system_has_tensions(x.system));
    for (int k = 0; k < 3; k++) {
        tk_ok(ph_integrator_step(x.integrator, x.state, 1));
        tk_ok(ph_motion_see(x.motion, x.state));
        memcpy(places[k], ph_motion_points(x.motion, &n), 3 * ph_space_factors(space) * sizeof(double));
        if (k == 1) {
            memcpy(tension, ph_motion_tensions(x.motion), ph_space_factors(space) * sizeof *tension);
            pull(&x, tension, force);
        }
    }
    double worst = 0, size = 0;
    for (size_t i = 0; i < n; i++) {
        const bool cart = ph_space_factor(space, i)->kind == PH_FACTOR_R;
        const size_t axes = ph_space_factor(space, i)->nz;
        ck_assert(!cart || tension[i] == 0);
        for (size_t k = 0; k < axes; k++) {
            const double xddot =
                (places[2][3 * i + k] - 2 * places[1][3 * i + k] + places[0][3 * i + k]) / (h * h);
            worst = fmax(worst, fabs(l->mass[i] * (xddot - (cart ? 0 : l->gravity[k])) - force[3 * i + k]));
            size = fmax(size, fabs(force[3 * i + k]));
        }
    }
    printf("%s: m xddot - m G - forces of the links: %.1e N of %.2g N\n", models[_i], worst, size);
    ck_assert_msg(worst <= 2e-5 * size, "%s: %.2e of %.2e N", models[_i], worst, size);
}

/* A chain at rest: each link carries what hangs below it. Upright, it pushes. */
TEST_EACH(weights, 2)
{
    MOVING(x, "chain-pendulum", _i ? "upright" : "hanging", 1e-3, "8", 0);
    const ph_linkage *l = ph_system_linkage(x.system);
    const size_t n = ph_space_factors(ph_system_space(x.system));
    tk_ok(ph_motion_see(x.motion, x.state));
    double below = 0;
    for (size_t i = n; i-- > 0;) {
        below += l->mass[i] * sqrt(ph_dot3(l->gravity, l->gravity));
        const double T = ph_motion_tensions(x.motion)[i], expected = _i ? -below : below;
        ck_assert_msg(fabs(T - expected) <= 1e-13 * below, "link %zu: %.17g, not %.17g", i, T, expected);
    }
}

/* One mass: T = m (l |qdot|^2 + G . q). */
TEST_EACH(pendulum, 2)
{
    MOVING(x, _i ? "planar-pendulum" : "spherical-pendulum", NULL, 1e-2, "8", 0);
    const ph_linkage *l = ph_system_linkage(x.system);
    const size_t d = ph_space_ambient(ph_system_space(x.system));
    for (int k = 0; k < 100; k++) {
        tk_ok(ph_integrator_step(x.integrator, x.state, 1));
        tk_ok(ph_motion_see(x.motion, x.state));
        double square = 0, along = 0;
        for (size_t a = 0; a < d; a++) {
            square += ph_motion_velocity(x.motion)[a] * ph_motion_velocity(x.motion)[a];
            along += l->gravity[a] * x.state->z[a];
        }
        const double T = l->mass[0] * (l->length[0] * square + along);
        const double size = l->mass[0] * (l->length[0] * square + fabs(along));
        ck_assert_msg(fabs(ph_motion_tensions(x.motion)[0] - T) <= 1e-13 * size, "%.17g, not %.17g",
                      ph_motion_tensions(x.motion)[0], T);
    }
}

/* Forces m_k w on all masses, as generalised forces. */
static const double wind[3] = {3, -2, 5}, masses[3] = {1, 2, 0.5}, lengths[3] = {0.7, 0.4, 1.1};

static ph_status blow(void *user, double t, const double *z, const double *zdot, double *f)
{
    (void)user, (void)z, (void)zdot;
    double carried = 0;
    for (int i = 2; i >= 0; i--) {
        carried += masses[i];
        for (int k = 0; k < 3; k++)
            f[3 * i + k] = t * carried * lengths[i] * wind[k];
    }
    return PH_OK;
}

/* ... act like gravity, and grow with time: at t = 2 s, G + 2 w. */
TEST(forces)
{
    const ph_factor factors[3] = {S2, S2, S2};
    TK_OWN(ph_system) *blown = NULL, *heavy = NULL;
    ph_linkage l = {.length = lengths, .mass = masses, .gravity = {0, 0, -9.81}};
    TK_MAKE(ph_space, space, ph_space_create(factors, 3, &space, tk_err));
    tk_ok(ph_system_create(&(ph_system_definition){.space = space, .linkage = &l, .force = blow}, &blown,
                           tk_err));
    for (int k = 0; k < 3; k++)
        l.gravity[k] += 2 * wind[k];
    tk_ok(ph_system_create(&(ph_system_definition){.space = space, .linkage = &l}, &heavy, tk_err));
    ck_assert(ph_system_has_tensions(blown));
    double z[9] = {0.6, 0, 0.8, 0, 1, 0, 0.48, 0.6, -0.64}, zdot[9] = {0, 3, 0, 1, 0, 2, 0, 0, 0}, got[3],
           expected[3];
    TK_MEMORY double *work = malloc(ph_link_tensions_work(blown) * sizeof *work);
    ck_assert_ptr_nonnull(work);
    tk_ok(ph_link_tensions(blown, 2, z, zdot, got, work));
    tk_ok(ph_link_tensions(heavy, 0, z, zdot, expected, work));
    for (int i = 0; i < 3; i++)
        ck_assert_msg(fabs(got[i] - expected[i]) <= 1e-13 * fabs(expected[i]), "link %d: %.17g, not %.17g", i,
                      got[i], expected[i]);
    z[0] = NAN;
    ck_assert_int_ne(ph_link_tensions(heavy, 0, z, zdot, got, work), PH_OK);
    ck_assert(isnan(got[0]) && isnan(got[2]));
}

/* Where there are none, nothing says that there are. */
TEST_EACH(without, 8)
{
    static const char *const models[] = {"free-rigid-body", "rigid-chain",    "coupled-pendula",
                                         "dipole-array",    "sphere-n-body",  "hanging-cable",
                                         "elastic-chain",   "quadrotor-cable"};
    static const char *const word = "tensions", *const one = "tension1";
    ph_columns *c;
    MOVING(x, models[_i], NULL, 1e-3, "8", 0);
    ck_assert(!ph_system_has_tensions(x.system));
    tk_ok(ph_motion_see(x.motion, x.state));
    ck_assert_ptr_null(ph_motion_tensions(x.motion));
    tk_refused(ph_columns_create(x.system, &word, 1, &c, tk_err), PH_E_UNKNOWN,
               "this system has no tensions: only a linkage");
    tk_returns(ph_columns_create(x.system, &one, 1, &c, tk_err), PH_E_UNKNOWN);
}

/* Columns are numbered like the factors; a cart has none. */
TEST(names_and_values)
{
    static const char *const words[] = {"tension4", "tensions"};
    ph_columns *c;
    double values[8];
    char name[PH_COLUMN_NAME];
    MOVING(x, "cart-chain", NULL, 1e-3, "8", 7);
    tk_returns(ph_columns_create(x.system, words, 2, &c, tk_err), PH_E_INVALID); /* twice */
    tk_ok(ph_columns_create(x.system, words + 1, 1, &c, tk_err));
    ck_assert_uint_eq(ph_columns_count(c), 5);
    ck_assert_str_eq(ph_columns_name(c, 0, name), "tension2");
    ck_assert_str_eq(ph_columns_name(c, 4, name), "tension6");
    const ph_row row = {.state = x.state};
    ph_columns_values(c, &row, 0, 5, values);
    ph_motion_see(x.motion, x.state);
    ck_assert_mem_eq(values, ph_motion_tensions(x.motion) + 1, 5 * sizeof *values);
    ph_columns_free(c);
    tk_ok(ph_columns_create(x.system, words, 1, &c, tk_err));
    ph_columns_values(c, &row, 0, 1, values);
    ck_assert_double_eq(values[0], ph_motion_tensions(x.motion)[3]);
    ph_columns_free(c);
}

/* ---- Places that models state ------------------------------------------------------------------------ */

static double apart(const double *x, size_t i, size_t j)
{
    double d[3];
    for (size_t k = 0; k < 3; k++)
        d[k] = x[3 * i + k] - x[3 * j + k];
    return sqrt(ph_dot3(d, d));
}

/* Their defaults: masses of 1 kg, springs of 1 N/m and 0.5 m. */
static double energy_of_pendula(const moving *f, const double *x, size_t n)
{
    double U = 0;
    (void)f;
    for (size_t i = 0; i < n; i++)
        U += 9.81 * x[3 * i + 2];
    for (size_t i = 0; i + 1 < n; i++)
        U += 0.5 * (apart(x, i, i + 1) - 0.5) * (apart(x, i, i + 1) - 0.5);
    return U;
}

static double energy_of_particles(const moving *f, const double *x, size_t n)
{
    double U = 0;
    (void)f;
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < i; j++)
            U -= 1 / tan(2 * asin(apart(x, i, j) / 2));
    return U;
}

static double energy_of_dipoles(const moving *f, const double *x, size_t n)
{
    const double *q = f->state->z;
    double U = 0, e[3];
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < i; j++) {
            const double r = apart(x, i, j);
            for (size_t k = 0; k < 3; k++)
                e[k] = (x[3 * i + k] - x[3 * j + k]) / r;
            U += (ph_dot3(q + 3 * i, q + 3 * j) - 3 * ph_dot3(q + 3 * i, e) * ph_dot3(q + 3 * j, e)) /
                 (r * r * r);
        }
    return U;
}

/* 5 kg in water, less 4/3 pi 0.1^3 m^3 of it. */
static double energy_of_balls(const moving *f, const double *x, size_t n)
{
    double U = 0;
    (void)f;
    for (size_t i = 0; i < n; i++)
        U += (5 - 1000 * 4. / 3 * acos(-1) * 1e-3) * 9.81 * x[3 * i + 2];
    return U;
}

/* 0.5 kg, and links with 0.1 kg each. */
static double energy_of_quadrotor(const moving *f, const double *x, size_t n)
{
    double U = 0.5 * 9.81 * x[2];
    (void)f;
    for (size_t i = 1; i < n; i++) {
        U += 0.1 * 9.81 * x[3 * i + 2];
        ck_assert(fabs(apart(x, i, i - 1) - 0.1) <= 8 * DBL_EPSILON);
    }
    return U;
}

static const struct {
    const char *model;
    double (*energy)(const moving *f, const double *x, size_t n);
    size_t points;
} stated[] = {{"coupled-pendula", energy_of_pendula, 3},
              {"sphere-n-body", energy_of_particles, 2},
              {"dipole-array", energy_of_dipoles, 8},
              {"submerged-pendula", energy_of_balls, 2},
              {"quadrotor-cable", energy_of_quadrotor, 6}};

TEST_EACH(stated_places, sizeof stated / sizeof *stated)
{
    double U;
    size_t n;
    MOVING(x, stated[_i].model, NULL, 1e-3, "8", 50);
    tk_ok(ph_motion_see(x.motion, x.state));
    tk_ok(ph_system_potential(x.system, x.state->z, &U));
    const double *places = ph_motion_points(x.motion, &n);
    ck_assert_uint_eq(n, stated[_i].points);
    const double expected = stated[_i].energy(&x, places, n);
    ck_assert_msg(fabs(U - expected) <= 1e-12 * fmax(1, fabs(U)), "%s: U = %.17g, of the places %.17g",
                  stated[_i].model, U, expected);
}

/* A rectangle of dipoles: rows along e1, by rows and by columns in memory. */
TEST_EACH(places_of_a_rectangle, 2)
{
    static const double number[2][2] = {{6, 3}, {6, 2}};
    const ph_model *model = ph_model_find("dipole-array", NULL);
    const ph_parameter_value arguments[] = {{"dipoles", &number[_i][0], 1}, {"columns", &number[_i][1], 1}};
    double z[18] = {0}, x[18];
    TK_MAKE(ph_system, system, ph_model_build(model, arguments, 2, &system, tk_err));
    tk_ok(ph_system_places(system, 0, z, x));
    for (size_t i = 0; i < 6; i++) {
        const size_t columns = (size_t)number[_i][1];
        ck_assert_double_eq(x[3 * i], (double)(i % columns));
        ck_assert_double_eq(x[3 * i + 1], (double)(i / columns));
        ck_assert_double_eq(x[3 * i + 2], 0);
    }
}

/* Every model has points; spins are points of their spheres. */
TEST(all_models)
{
    for (size_t i = 0; i < ph_models(); i++) {
        MOVING(x, ph_model_at(i)->name, NULL, 1e-4, "8", 0);
        ck_assert_msg(ph_system_points(x.system) > 0 || ph_system_spins(x.system), "%s",
                      ph_model_at(i)->name);
    }
}

int main(void)
{
    return tk_run("link forces");
}
