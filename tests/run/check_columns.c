/* SPDX-License-Identifier: BSD-3-Clause */
/* Columns: the names and units of the numbers of every kind of factor; groups; unknown names and names given
 * twice. Values are distinct numbers put into a state by hand, so that each must come from its place. */
#include <polhode/constraints.h>

#include "tests/kit/embeddings.h"

/* ---- A system with a factor of each kind ----------------------------------------------------------- */

/* S^1 x SO(3) x S^2 x R^2, or with an embedded sphere for S^2. */
enum { NZ = 16, NP = 9, FACTORS = 4 };

typedef struct fixture {
    ph_space *space;
    ph_system *system;
    ph_columns *columns;
    ph_error err;
} fixture;

static void begin(fixture *x, bool embedded)
{
    static const ph_symmetry symmetries[] = {{"Jz", "about e3", "kg m^2/s", {0, 0, 1}, NULL},
                                             {"a, \"b\" [c]", "about e3 once more", NULL, {0, 0, 1}, NULL}};
    static double unit[NZ * NZ];
    const ph_embedding sphere = em_embedding(em_at(EM_SPHERE), EM_BEND);
    ph_factor factors[FACTORS] = {{.kind = PH_FACTOR_S1},
                                  {.kind = PH_FACTOR_SO3},
                                  {.kind = PH_FACTOR_S2},
                                  {.kind = PH_FACTOR_R, .d = 2}};
    *x = (fixture){.err = {PH_OK, ""}};
    if (embedded)
        factors[2] = (ph_factor){.kind = PH_FACTOR_EMBEDDED, .embedding = &sphere};
    for (size_t i = 0; i < NZ; i++)
        unit[i * NZ + i] = 1;
    tk_ok(ph_space_create(factors, FACTORS, &x->space, NULL));
    const ph_system_definition d = {
        .space = x->space, .ambient_inertia = unit, .symmetries = symmetries, .n_symmetries = 2};
    ph_status status = ph_system_create(&d, &x->system, &x->err);
    ck_assert_msg(!status, "%s", x->err.message);
}

static void end(fixture *x)
{
    ph_columns_free(x->columns);
    ph_system_free(x->system);
    ph_space_free(x->space);
}

static ph_status choose(fixture *x, const char *const *words, size_t n)
{
    ph_columns_free(x->columns);
    x->columns = NULL;
    return ph_columns_create(x->system, words, n, &x->columns, &x->err);
}

static const char *heading(const fixture *x, size_t i)
{
    static char whole[128];
    char room[PH_COLUMN_NAME];
    const char *unit = ph_columns_unit(x->columns, i);
    snprintf(whole, sizeof whole, unit ? "%s[%s]" : "%s", ph_columns_name(x->columns, i, room), unit);
    return whole;
}

/* ---- Names ----------------------------------------------------------------------------------------- */

static const char *const round_one[] = {"t[s]",
                                        "step",
                                        "q1x[1]",
                                        "q1y[1]",
                                        "R2xx[1]",
                                        "R2xy[1]",
                                        "R2xz[1]",
                                        "R2yx[1]",
                                        "R2yy[1]",
                                        "R2yz[1]",
                                        "R2zx[1]",
                                        "R2zy[1]",
                                        "R2zz[1]",
                                        "q3x[1]",
                                        "q3y[1]",
                                        "q3z[1]",
                                        "x4_1[m]",
                                        "x4_2[m]",
                                        "pi1[kg m^2/s]",
                                        "Pi2x[kg m^2/s]",
                                        "Pi2y[kg m^2/s]",
                                        "Pi2z[kg m^2/s]",
                                        "pi3x[kg m^2/s]",
                                        "pi3y[kg m^2/s]",
                                        "pi3z[kg m^2/s]",
                                        "p4_1[kg m/s]",
                                        "p4_2[kg m/s]",
                                        "energy[J]",
                                        "energy_error[J]",
                                        "constraint_error[1]",
                                        "tangency[kg m^2/s]",
                                        "Jz[kg m^2/s]",
                                        "a, \"b\" [c][]",
                                        "newton_passes"};
static const char *const embedded[] = {"x3_1[m]",      "x3_2[m]",      "x3_3[m]",
                                       "p3_1[kg m/s]", "p3_2[kg m/s]", "p3_3[kg m/s]"};
enum { ALL = sizeof round_one / sizeof round_one[0] };

/* The name of the i-th column; numbers of an embedded factor are named like those of R^d. */
static const char *expected(size_t i, bool is_embedded)
{
    if (is_embedded && i >= 13 && i < 16)
        return embedded[i - 13];
    return is_embedded && i >= 22 && i < 25 ? embedded[i - 22 + 3] : round_one[i];
}

TEST_EACH(names, 2)
{
    fixture x;
    begin(&x, _i);
    tk_ok(choose(&x, NULL, 0));
    ck_assert_uint_eq(ph_columns_count(x.columns), ALL);
    for (size_t i = 0; i < ALL; i++)
        ck_assert_str_eq(heading(&x, i), expected(i, _i));
    end(&x);
}

/* Names and units of several at once, from anywhere to anywhere, are those of each. */
TEST_EACH(together, 2)
{
    fixture x;
    begin(&x, _i);
    tk_ok(choose(&x, NULL, 0));
    for (size_t first = 0; first < ALL; first++)
        for (size_t n = 0; n <= ALL - first; n++) {
            char room[ALL * PH_COLUMN_NAME], one[PH_COLUMN_NAME];
            const char *names[ALL], *units[ALL];
            ph_columns_names(x.columns, first, n, room, names, units);
            for (size_t i = 0; i < n; i++) {
                ck_assert_str_eq(names[i], ph_columns_name(x.columns, first + i, one));
                ck_assert_ptr_eq(units[i], ph_columns_unit(x.columns, first + i));
            }
        }
    end(&x);
}

/* Each by its name, alone. */
TEST_EACH(by_name, 2)
{
    fixture x, all;
    char room[PH_COLUMN_NAME];
    begin(&x, _i);
    begin(&all, _i);
    tk_ok(choose(&all, NULL, 0));
    for (size_t i = 0; i < ALL; i++) {
        const char *name = ph_columns_name(all.columns, i, room);
        tk_ok(choose(&x, &name, 1));
        ck_assert_uint_eq(ph_columns_count(x.columns), 1);
        ck_assert_str_eq(heading(&x, 0), expected(i, _i));
        unsigned needs = (i >= 27 && i < ALL - 1 ? PH_COLUMN_MEASURES : 0u) |
                         (i == 28 || i == ALL - 1 ? PH_COLUMN_RUN : 0u);
        ck_assert_uint_eq(ph_columns_needs(x.columns), needs);
    }
    end(&all);
    end(&x);
}

TEST_EACH(groups, 11)
{
    static const struct {
        const char *word;
        size_t first, count; /* of all */
    } row[] = {{"q1", 2, 2},
               {"R2", 4, 9},
               {"q3", 13, 3},
               {"x4", 16, 2},
               {"pi1", 18, 1},
               {"Pi2", 19, 3},
               {"pi3", 22, 3},
               {"p4", 25, 2},
               {"momentum_maps", 31, 2},
               {"configuration", 2, NZ},
               {"momentum", 18, NP}};
    fixture x;
    const char *words[3] = {"energy", row[_i].word, "t"};
    begin(&x, false);
    tk_ok(choose(&x, words, 3));
    ck_assert_uint_eq(ph_columns_count(x.columns), row[_i].count + 2);
    ck_assert_str_eq(heading(&x, 0), "energy[J]");
    for (size_t i = 0; i < row[_i].count; i++)
        ck_assert_str_eq(heading(&x, 1 + i), round_one[row[_i].first + i]);
    ck_assert_str_eq(heading(&x, 1 + row[_i].count), "t[s]");
    end(&x);
}

TEST_EACH(wrong_words, 14)
{
    static const struct {
        const char *words[3];
        size_t n;
        ph_status status;
        const char *message;
    } row[] = {
        {{"q5x"}, 1, PH_E_UNKNOWN, "unknown column \"q5x\"; did you mean \"q1x\"?"},
        {{"q3w"}, 1, PH_E_UNKNOWN, "unknown column \"q3w\"; did you mean \"q3x\"?"},
        {{"q1z"}, 1, PH_E_UNKNOWN, "did you mean \"q1x\"?"},
        {{"x4_3"}, 1, PH_E_UNKNOWN, "did you mean \"x4_1\"?"},
        {{"R2xw"}, 1, PH_E_UNKNOWN, "did you mean \"R2xx\"?"},
        {{"p1"}, 1, PH_E_UNKNOWN, "did you mean \"pi1\"?"},
        {{"q0x"}, 1, PH_E_UNKNOWN, "did you mean \"q1x\"?"},
        {{"q99999999999999999999999x"}, 1, PH_E_UNKNOWN, "unknown column"},
        {{"enrgy"}, 1, PH_E_UNKNOWN, "did you mean \"energy\"?"},
        {{"Jy"}, 1, PH_E_UNKNOWN, "did you mean \"Jz\"?"},
        {{""}, 1, PH_E_UNKNOWN, "unknown column \"\""},
        {{"q1x", "t", "q1x"},
         3,
         PH_E_INVALID,
         "the column \"q1x\" is named twice, the second time by \"q1x\""},
        {{"R2", "q3y", "configuration"},
         3,
         PH_E_INVALID,
         "the column \"R2xx\" is named twice, the second time by \"configuration\""},
        {{"t", "configuration", "q3"}, 3, PH_E_INVALID, "the column \"q3x\" is named twice"},
    };
    fixture x;
    begin(&x, false);
    ck_assert_int_eq(choose(&x, row[_i].words, row[_i].n), row[_i].status);
    ck_assert_msg(strstr(x.err.message, row[_i].message) != NULL, "%s", x.err.message);
    ck_assert_ptr_null(x.columns);
    end(&x);
}

/* Time and step lead, whether they are named or not, and wherever. */
TEST_EACH(trajectory, 6)
{
    static const struct {
        const char *words[4];
        size_t n, first, count; /* of all, behind time and step */
    } row[] = {{{"pi3"}, 1, 22, 3},
               {{"q3x", "t"}, 2, 13, 1},
               {{"step", "R2", "t"}, 3, 4, 9},
               {{"t", "step", "energy", "energy_error"}, 4, 27, 2},
               {{"step", "t"}, 2, 2, 0},
               {{NULL}, 0, 2, ALL - 2}};
    const char *const wrong[] = {"q1x", "t", "t"}, *const unknown = "q9x";
    fixture x;
    begin(&x, false);
    tk_ok(ph_columns_create_trajectory(x.system, row[_i].words, row[_i].n, &x.columns, &x.err));
    ck_assert_uint_eq(ph_columns_count(x.columns), 2 + row[_i].count);
    ck_assert_str_eq(heading(&x, 0), "t[s]");
    ck_assert_str_eq(heading(&x, 1), "step");
    for (size_t i = 0; i < row[_i].count; i++)
        ck_assert_str_eq(heading(&x, 2 + i), round_one[row[_i].first + i]);
    ph_columns_free(x.columns);
    x.columns = NULL;
    ck_assert_int_eq(ph_columns_create_trajectory(x.system, wrong, 3, &x.columns, &x.err), PH_E_INVALID);
    ck_assert_int_eq(ph_columns_create_trajectory(x.system, &unknown, 1, &x.columns, &x.err), PH_E_UNKNOWN);
    ck_assert_ptr_null(x.columns);
    end(&x);
}

/* Factors with numbers of several digits. */
TEST(many_factors)
{
    static const char *const words[] = {"q7z", "pi1234x", "q1235"};
    const double links = 1235;
    const ph_parameter_value number = {"links", &links, 1};
    fixture x = {.system = tk_build("chain-pendulum", &number, 1)};
    tk_ok(choose(&x, words, 3));
    ck_assert_uint_eq(ph_columns_count(x.columns), 5);
    ck_assert_str_eq(heading(&x, 0), "q7z[1]");
    ck_assert_str_eq(heading(&x, 1), "pi1234x[kg m^2/s]");
    ck_assert_str_eq(heading(&x, 4), "q1235z[1]");
    const char *beyond = "q1236x";
    ck_assert_int_eq(choose(&x, &beyond, 1), PH_E_UNKNOWN);
    end(&x);
}

/* ---- Values ---------------------------------------------------------------------------------------- */

/* A row of numbers that are their places among all columns. */
TEST(values)
{
    double z[NZ], p[NP], maps[2] = {31, 32}, all[ALL], some[8] = {0};
    fixture x;
    begin(&x, false);
    for (size_t i = 0; i < NZ; i++)
        z[i] = 2 + (double)i;
    for (size_t i = 0; i < NP; i++)
        p[i] = 18 + (double)i;
    const ph_state state = {.t = 0, .k = 1, .z = z, .p = p, .nz = NZ, .np = NP};
    const ph_measures measures = {.energy = 27, .constraint_error = 29, .tangency = 30, .momenta = maps};
    const ph_row row = {&state, &measures, -1, ALL - 1};
    tk_ok(choose(&x, NULL, 0));
    ph_columns_values(x.columns, &row, 0, ALL, all);
    for (size_t i = 0; i < ALL; i++)
        ck_assert_double_eq(all[i], (double)i);
    for (size_t first = 0; first + 7 <= ALL; first++) { /* in parts, and not one more */
        ph_columns_values(x.columns, &row, first, 7, some);
        for (size_t i = 0; i < 7; i++)
            ck_assert_double_eq(some[i], (double)(first + i));
        ck_assert_double_eq(some[7], 0);
    }
    static const char *const words[] = {"pi3", "step", "q3z", "R2zz"};
    static const double at[] = {22, 23, 24, 1, 15, 12};
    tk_ok(choose(&x, words, 4));
    const ph_row bare = {.state = &state};
    ph_columns_values(x.columns, &bare, 0, 6, some);
    for (size_t i = 0; i < 6; i++)
        ck_assert_double_eq(some[i], at[i]);
    end(&x);
}

/* f = -c zdot, and a field along e3 that oscillates. */
static ph_status drag(void *user, double t, const double *z, const double *v, double *f)
{
    (void)user, (void)t, (void)z;
    for (int k = 0; k < 3; k++)
        f[k] -= 0.3 * v[k];
    return PH_OK;
}

static ph_status field(void *user, double t, const double *z, double *U)
{
    (void)user;
    *U = 2 * sin(3 * t) * z[2];
    return PH_OK;
}

static ph_status field_gradient(void *user, double t, const double *z, double *dU)
{
    (void)user, (void)z;
    dU[2] += 2 * sin(3 * t);
    return PH_OK;
}

static ph_status field_rate(void *user, double t, const double *z, double *rate)
{
    (void)user;
    *rate = 6 * cos(3 * t) * z[2];
    return PH_OK;
}

/* The power of a drag and of a potential that depends on time, which the energy contains; none of what has no force, and
 * of a potential without a rate. */
TEST(power)
{
    const char *const words[] = {"energy", "power"};
    TK_OWN(ph_system) *pendulum = tk_model("spherical-pendulum"), *both = NULL, *unknown = NULL;
    ph_system_definition added = {.force = drag,
                                  .potential_in_time = field,
                                  .gradient_in_time = field_gradient,
                                  .potential_rate = field_rate};
    tk_ok(ph_system_create_forced(pendulum, &added, &both, NULL));
    added.potential_rate = NULL;
    tk_ok(ph_system_create_forced(pendulum, &added, &unknown, NULL));
    tk_random r = {31};
    double z[3], v[3], number[4], work[256], T, U;
    ph_columns *columns;
    tk_random_motion(both, &r, z, v);
    TK_BEGIN(it, state, tk_start_with, both, ph_method_find("rk4", NULL), NULL, NULL, 0.01, 0.7, z, v);
    tk_ok(ph_columns_create_trajectory(both, words, 2, &columns, tk_err));
    ck_assert_str_eq(ph_columns_unit(columns, 3), "W");
    ph_diagnostics *d;
    ph_measures m;
    tk_ok(ph_diagnostics_create(both, &d, NULL));
    tk_ok(ph_diagnostics_measure(d, state, &m));
    const ph_row row = {.state = state, .measures = &m};
    ph_columns_values(columns, &row, 0, 4, number);
    ck_assert_uint_le(ph_system_work(pendulum), 256);
    tk_ok(ph_system_energy(pendulum, 0, z, v, &T, &U, work));
    ck_assert_double_eq_tol(number[2], T + U + 2 * sin(2.1) * z[2], 1e-14 * (T + fabs(U)));
    ck_assert_double_eq_tol(number[3], 6 * cos(2.1) * z[2] - 0.3 * ph_dot3(v, v), 1e-13);
    ph_columns_free(columns);
    ph_diagnostics_free(d);
    for (int i = 0; i < 2; i++) {
        tk_refused(ph_columns_create(i ? unknown : pendulum, words + 1, 1, &columns, tk_err), PH_E_UNKNOWN,
                   "no force acts on it");
    }
}

static ph_status squares(void *user, double t, const double *z, const double *zdot, double *out)
{
    (void)user;
    out[0] = t;
    out[1] = ph_dot3(zdot, zdot);
    out[2] = z[2];
    return z[2] < 2 ? PH_OK : PH_E_RANGE;
}

/* Columns of a definition's own, also of a system that is based on it: by name, together, unlisted; what is wrong about
 * them. */
TEST(own)
{
    ph_own_column own[] = {{"time", "s", false}, {"speed", NULL, false}, {"z - 1", "m", true}};
    const char *const words[] = {"own", "z - 1"};
    const ph_factor line = {.kind = PH_FACTOR_R, .d = 3};
    TK_OWN(ph_space) *space = NULL;
    ph_system *system = NULL, *forced = NULL;
    tk_ok(ph_space_create(&line, 1, &space, NULL));
    const double unit[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1}, z[] = {1, 2, 0.5}, v[] = {3, 0, 4};
    ph_system_definition d = {
        .space = space, .ambient_inertia = unit, .columns = squares, .own_columns = own, .n_columns = 3};
    tk_ok(ph_system_create(&d, &system, tk_err));
    tk_ok(ph_system_create_forced(system, &(ph_system_definition){.force = drag}, &forced, tk_err));
    for (int i = 0; i < 2; i++) {
        const ph_system *s = i ? forced : system;
        ph_columns *columns;
        double number[3];
        TK_BEGIN(it, state, tk_start_with, s, ph_method_find("rk4", NULL), NULL, NULL, 0.01, 0.7, z, v);
        tk_ok(ph_columns_create(s, words, 2, &columns, tk_err));
        ck_assert_uint_eq(ph_columns_count(columns), 3);
        ck_assert_str_eq(ph_columns_unit(columns, 1), "");
        ph_columns_values(columns, &(ph_row){.state = state}, 0, 3, number);
        ck_assert_double_eq(number[0], 0.7);
        ck_assert_double_eq(number[1], 25);
        ck_assert_double_eq(number[2], 0.5);
        state->z[2] = 3;
        ph_columns_values(columns, &(ph_row){.state = state}, 0, 3, number);
        ck_assert(isnan(number[0])); /* the callback failed */
        ph_columns_free(columns);
    }
    ph_system_free(forced);
    ph_system_free(system);
    own[1].name = "two words";
    tk_refused(ph_system_create(&d, &system, tk_err), PH_E_INVALID, "own_columns[1]: 'two words' is no name");
    own[1].name = "time";
    tk_refused(ph_system_create(&d, &system, tk_err), PH_E_INVALID, "two with the name time");
    own[0].unlisted = true;
    tk_refused(ph_system_create(&d, &system, tk_err), PH_E_INVALID, "comes behind unlisted ones");
    d.columns = NULL;
    tk_refused(ph_system_create(&d, &system, tk_err), PH_E_INVALID, "together, or none");
}

/* Of a state whose momentum was pushed off the constraint, as evaluated from its velocity; a pendulum has no such
 * column. */
TEST(velocity_constraints)
{
    const char *const word[] = {"velocity_constraint_error"};
    TK_OWN(ph_system) *disk = tk_model("rolling-disk"), *pendulum = tk_model("spherical-pendulum");
    double z[11], v[11], work[4000], value[3], error;
    ph_columns *columns;
    ck_assert_uint_le(ph_system_constraint_work(disk) + ph_system_work(disk), 4000);
    tk_preset("rolling-disk", NULL, 0, NULL, z, v);
    TK_START(it, state, disk, "dla", NULL, 0.01, z, v);
    tk_ok(ph_columns_create_trajectory(disk, word, 1, &columns, tk_err));
    ck_assert_uint_eq(ph_columns_count(columns), 3);
    const ph_row row = {.state = state};
    ph_columns_values(columns, &row, 0, 3, value);
    ck_assert_double_le(value[2], 2e-15);
    state->p[0] += 0.1;
    ph_columns_values(columns, &row, 0, 3, value);
    tk_ok(ph_system_velocity(disk, 0, state->z, state->p, v, work));
    tk_ok(ph_system_constraint_error(disk, 0, state->z, v, &error, work));
    ck_assert_double_eq(value[2], error);
    ck_assert_double_gt(error, 1e-4);
    ph_columns_free(columns);
    tk_refused(ph_columns_create(pendulum, word, 1, &columns, tk_err), PH_E_UNKNOWN,
               "has no velocity constraints");
}

int main(void)
{
    return tk_run("columns");
}
