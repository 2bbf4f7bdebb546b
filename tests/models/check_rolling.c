/* SPDX-License-Identifier: BSD-3-Clause */
/* Models that roll, slide on blades or are tested by one constraint: kinematics of every model (starts, derivatives of the
 * constraints, what their symmetries do), motions against 17 digits that were computed from the explicit equations of
 * each (Newton-Euler with the contact force, extrapolation in 34 digits), and closed forms. */
#include <polhode/constraints.h>
#include <polhode/kit/rolling.h>

#include "lib/equations/equations.h"
#include "tests/kit/testkit.h"

enum { NZ = 32, WORK = 20000 };

static double work[WORK];

/* ---- Kinematics of every model -------------------------------------------------------------------- */

/* Starts are on the constraint, and its rows are independent there. */
TEST_EACH(starts, ph_models())
{
    const ph_model *model = ph_model_at((size_t)_i);
    TK_OWN(ph_system) *system = tk_model(model->name);
    if (!ph_system_constraints(system))
        return;
    ck_assert_uint_le(ph_system_constraint_work(system), WORK);
    for (size_t k = 0; k < model->n_presets; k++) {
        double z[NZ], v[NZ], p[NZ], error;
        tk_preset(model->name, NULL, 0, model->presets[k].name, z, v);
        memcpy(p, v, sizeof p);
        tk_ok(ph_system_constraint_error(system, 0, z, v, &error, work));
        ck_assert_msg(error <= 1e-15, "%s, %s: off by %.1e", model->name, model->presets[k].name, error);
        tk_ok(ph_system_constraint_project(system, 0, z, p, work, NULL));
        ck_assert_double_lt(tk_max_difference(p, v, ph_space_ambient(ph_system_space(system))),
                            1e-14 * (1 + ph_max_norm(v, 8)));
    }
}

/* The derivative of A v - b, as it is given, against differences of order 8 of the rows along geodesics. */
TEST_EACH(derivatives, ph_models())
{
    static const double weights[] = {4. / 5, -1. / 5, 4. / 105, -1. / 280}, h = 1. / 256;
    const ph_model *model = ph_model_at((size_t)_i);
    TK_OWN(ph_system) *system = tk_model(model->name);
    if (!ph_system_constraints(system))
        return;
    const ph_space *space = ph_system_space(system);
    const size_t m = ph_system_constraints(system), nz = ph_space_ambient(space);
    tk_random r = {(uint64_t)_i + 3};
    for (int trial = 0; trial < 20; trial++) {
        double z[NZ], v[NZ], dz[NZ], along[NZ] = {0}, seen[NZ], A[NZ * NZ], b[NZ], size = 0;
        tk_random_motion(system, &r, z, v);
        memcpy(dz, v, sizeof dz);
        for (size_t k = 0; k < nz; k++)
            dz[k] = tk_normal(&r);
        ph_space_project_tangent(space, z, dz);
        for (int j = 0; j < 8; j++) {
            const double by = (j % 2 ? -1 : 1) * (j / 2 + 1) * h;
            double there[NZ];
            for (size_t k = 0; k < nz; k++)
                there[k] = z[k] + by * dz[k];
            tk_ok(ph_system_constraint_rows(system, 0, there, A, b));
            for (size_t i = 0; i < m; i++) {
                const double value = ph_dot(A + i * nz, v, nz) - b[i];
                along[i] += (j % 2 ? -1 : 1) * weights[j / 2] / h * value;
                size = fmax(size, fabs(value));
            }
        }
        tk_ok(ph_system_constraint_along(system, 0, z, v, 0, dz, seen, work));
        ck_assert_msg(tk_max_difference(seen, along, m) < 1e-9 * (1 + size), "%s: off by %.1e of %.1e",
                      model->name, tk_max_difference(seen, along, m), size);
    }
}

/* The constraint allows the motions of the symmetries, A zeta = 0: a reaction has none of their momentum. */
TEST_EACH(symmetries, ph_models())
{
    TK_OWN(ph_system) *system = tk_model(ph_model_at((size_t)_i)->name);
    if (!ph_system_constraints(system))
        return;
    const ph_space *space = ph_system_space(system);
    tk_random r = {(uint64_t)_i + 5};
    for (size_t s = 0; s < ph_system_symmetries(system); s++)
        for (int trial = 0; trial < 5; trial++) {
            double z[NZ], v[NZ], p[NZ], A[NZ * NZ], b[NZ], J;
            tk_random_motion(system, &r, z, v);
            tk_ok(ph_system_constraint_rows(system, 0, z, A, b));
            for (size_t i = 0; i < ph_system_constraints(system); i++) {
                ph_space_momentum(space, z, A + i * ph_space_ambient(space), p);
                tk_ok(ph_system_momentum_map(system, s, z, p, &J, work));
                ck_assert_double_lt(fabs(J), 1e-13);
            }
            tk_momentum(system, z, v, p);
            tk_ok(ph_system_momentum_map(system, s, z, p, &J, work));
            ck_assert_double_gt(fabs(J), 1e-3); /* but others do */
        }
}

/* A point of the body that touches the plane has no velocity, or that of the plane: by differences of its place along the
 * motion. The places of ball, disk and ellipsoid are centre and contact. */
TEST_EACH(contacts, 5)
{
    static const char *const names[] = {"chaplygin-ball", "turntable-ball", "belt-ball", "rolling-disk",
                                        "rattleback"};
    TK_OWN(ph_system) *system = tk_model(names[_i]);
    tk_random r = {(uint64_t)_i + 8};
    for (int trial = 0; trial < 10; trial++) {
        double z[NZ], v[NZ], x[6], omega[NZ], space_omega[3], velocity[3], plane[3] = {0}, A[NZ * NZ], b[NZ],
                                                                           there[NZ], after[6], before[6];
        const double h = 1e-5;
        tk_random_motion(system, &r, z, v);
        tk_ok(ph_system_constraint_project(system, 0, z, v, work, NULL));
        tk_ok(ph_system_places(system, 0, z, x));
        /* of the centre, by differences: it has a height */
        for (int side = 0; side < 2; side++) {
            for (size_t k = 0; k < 11; k++)
                there[k] = z[k] + (side ? h : -h) * v[k];
            tk_ok(ph_system_places(system, 0, there, side ? after : before));
        }
        ph_space_spin(ph_system_space(system), z, v, omega);
        ph_apply3(z + 2, omega + 2, space_omega);
        const double arm[3] = {x[3] - x[0], x[4] - x[1], x[5] - x[2]};
        ph_cross3(space_omega, arm, velocity);
        for (int k = 0; k < 3; k++)
            velocity[k] += (after[k] - before[k]) / (2 * h);
        ck_assert_double_lt(fabs(x[5]), 1e-14); /* on the plane */
        tk_ok(ph_system_constraint_rows(system, 0, z, A, b));
        memcpy(plane, b, 2 * sizeof *b);
        ck_assert_msg(tk_max_difference(velocity, plane, 3) < 1e-7, "%s: %g %g %g", names[_i], velocity[0],
                      velocity[1], velocity[2]);
    }
}

/* ---- Motions ------------------------------------------------------------------------------------------ */

/* The state at the end as the reference has it: configuration and body angular velocities, or rates. */
static const struct {
    const char *model, *preset;
    double T, steps[2]; /* of order 2, halved; of order 8 */
    size_t nz, nw;      /* numbers of z, and of the velocities behind them that are compared */
    double z[16], w[16];
} known[] = {
    {"contact-oscillator",
     "reference",
     10,
     {2000, 300},
     3,
     3,
     {-0.3777296100079576, -0.54402111088936981, -1.1465891713873092},
     {0.33327928269210495, -0.83907152907645245, 0.61262196635578621}},
    {"chaotic-quartic",
     "chaotic",
     10,
     {4000, 300},
     7,
     7,
     {-0.82440523431730622, 0.57078108093189165, 0.50387573545275284, 0.16570303874245943, 1.0014369061774225,
      0.49912378854959514, -1.417743176194665},
     {-0.10266383106627409, 0.5657684113328311, 0.53861360752828427, -0.15143165158309759,
      0.38625916782851424, -0.15336299800495388, -0.24459238142726807}},
    {"chaplygin-ball",
     "tumbling",
     10,
     {1000, 150},
     11,
     3,
     {-2.310094489588273, -3.2261656184928702, -0.0063487328059446614, 0.55565124757599291,
      0.83139123441313799, 0.50103275382051029, -0.71775160574829392, 0.48352746772523852,
      0.86540503418387546, 0.4196240263771705, -0.27384266157086822},
     {1.1556409070320008, 0.94108976371283933, -0.20785807979317059}},
    {"rubber-ball",
     "tumbling",
     10,
     {1000, 150},
     11,
     3,
     {-1.5406640251038898, -4.5179201271319561, 0.49743629783975568, -0.84848121570517954,
      0.18065645902358008, 0.75006173944153967, 0.52529439952679547, 0.4018372566745339, -0.43584919022227143,
      -0.064384939397688084, 0.89771379791186583},
     {0.11320416024610876, -0.5144146445172032, 0.01806743518731983}},
    {"turntable-ball",
     "tumbling",
     10,
     {1000, 150},
     11,
     3,
     {0.57177314944273586, -1.0256570253287247, -0.42401260788885644, 0.7614351425951313, 0.49033644772994689,
      -0.16614026770956604, -0.59762482516995639, 0.78437362257152221, 0.89028687499967369,
      0.25111967657216971, 0.37990549909366181},
     {1.3860237658400673, 1.0088975072108956, 0.22863601148096913}},
    {"veselova",
     "turning",
     10,
     {1000, 150},
     9,
     3,
     {0.41938328995679831, -0.86058689453844956, 0.28897725352297113, 0.78909961702754956,
      0.50295886397401279, 0.35263887414314535, -0.44882006473862846, 0.080140988879835988,
      0.89002133198557402},
     {0.080857903258441696, -0.51531400494619592, 0.08717591424691604}},
    {"suslov",
     "turning",
     10,
     {1000, 150},
     9,
     3,
     {0.57023047890164927, 0.68174945228840486, 0.45831745028534067, 0.77441931639053108, -0.6322530436679534,
      -0.023039339700424169, 0.27406554568719188, 0.36806762025077539, -0.8884899006686079},
     {0.11297271754607405, 0.80126351981193388, 0}},
    {"rolling-disk",
     "wobbling",
     4,
     {4000, 400},
     11,
     3,
     {-0.68067438366118355, -0.27449814067710221, 0.44798033078768348, 0.87731131924770382,
      -0.17215827702207987, -0.5571174241888869, 0.12332791682876932, -0.82122493909757515,
      -0.69923801304884559, 0.46380499571536491, 0.54401390336734298},
     {1.627574050627982, -0.67989706173802006, 2.0550744618776563}},
};
enum { KNOWN = sizeof known / sizeof known[0] };

/* The largest error of z and of the last nw angular or other velocities, after n steps. */
static double miss(const ph_system *system, int which, const char *order, double n)
{
    const ph_setting setting = {"order", order};
    const size_t np = ph_space_momenta(ph_system_space(system));
    double z[NZ], v[NZ], turn[NZ];
    tk_preset(known[which].model, NULL, 0, known[which].preset, z, v);
    TK_MAKE(ph_integrator, it,
            ph_integrator_create(system, ph_method_find("dla", NULL), known[which].T / n, &setting, 1, &it,
                                 NULL));
    TK_MAKE(ph_state, state, ph_state_create(it, &state, NULL));
    tk_ok(ph_state_set_velocity(it, state, 0, z, v, PH_STRICT, NULL));
    tk_steps(it, state, (int64_t)n);
    tk_ok(ph_system_velocity(system, 0, state->z, state->p, v, work));
    ph_space_spin(ph_system_space(system), state->z, v, turn);
    const double error =
        tk_max(tk_max_difference(state->z, known[which].z, known[which].nz),
               tk_max_difference(turn + np - known[which].nw, known[which].w, known[which].nw));
    return error;
}

TEST_EACH(known_motions, KNOWN)
{
    TK_OWN(ph_system) *system = tk_model(known[_i].model);
    const double n = known[_i].steps[0], coarse = miss(system, _i, "2", n / 2),
                 fine = miss(system, _i, "2", n), high = miss(system, _i, "8", known[_i].steps[1]),
                 slope = log2(coarse / fine);
    printf("%s: error %.1e by order 2 (slope %.3f), %.1e by order 8\n", known[_i].model, fine, slope, high);
    ck_assert_double_lt(fabs(slope - 2), 0.03);
    ck_assert_double_lt(high, 3e-12);
}

/* The same of the snakeboard, whose reference has angles from the board. */
TEST(known_snakeboard)
{
    static const double x[2] = {-0.46041237244728907, -0.27779942611230741},
                        angles[4] = {0.40036540925776335, 4.7065494715321037, -0.47491675669947171,
                                     -1.1251527706473095},
                        xdot[2] = {-0.1014591913895081, 0.057572510197392878},
                        rates[4] = {0.28029884321696062, 1.222681886575079, -1.1481333142639168,
                                    -6.9255108810206325};
    static const ph_setting order = {"order", "8"};
    TK_OWN(ph_system) *system = tk_model("snakeboard");
    double z[NZ], v[NZ], turn[NZ], error;
    tk_preset("snakeboard", NULL, 0, "wriggling", z, v);
    TK_MAKE(ph_integrator, it,
            ph_integrator_create(system, ph_method_find("dla", NULL), 3. / 400, &order, 1, &it, NULL));
    TK_MAKE(ph_state, state, ph_state_create(it, &state, NULL));
    tk_ok(ph_state_set_velocity(it, state, 0, z, v, PH_STRICT, NULL));
    tk_steps(it, state, 400);
    tk_ok(ph_system_velocity(system, 0, state->z, state->p, v, work));
    ph_space_spin(ph_system_space(system), state->z, v, turn);
    error = tk_max(tk_max_difference(state->z, x, 2), tk_max_difference(turn, xdot, 2));
    for (int i = 0; i < 4; i++) {
        const double angle = angles[i] + (i ? angles[0] : 0), rate = rates[i] + (i ? rates[0] : 0);
        const double *q = state->z + 2 + 2 * i;
        error = tk_max(error, hypot(q[0] - cos(angle), q[1] - sin(angle)));
        error = tk_max(error, fabs(turn[2 + i] - rate));
    }
    printf("snakeboard: error %.1e by order 8\n", error);
    ck_assert_double_lt(error, 1e-10);
}

/* The reaction on a knife edge that turns at 1 rad/s from rest on an incline: heading t, speed G sin t, and across the blade
 * lambda = m (speed + G sin t) = 2 m G sin t. */
TEST(reaction_of_a_knife_edge)
{
    static const ph_setting order = {"order", "8"};
    TK_OWN(ph_system) *system = tk_model("knife-edge");
    double z[NZ], v[NZ], lambda;
    ck_assert_uint_le(ph_system_reactions_work(system), WORK);
    tk_preset("knife-edge", NULL, 0, "turning", z, v);
    TK_MAKE(ph_integrator, it,
            ph_integrator_create(system, ph_method_find("dla", NULL), 0.05, &order, 1, &it, NULL));
    TK_MAKE(ph_state, state, ph_state_create(it, &state, NULL));
    tk_ok(ph_state_set_velocity(it, state, 0, z, v, PH_STRICT, NULL));
    for (int k = 0; k < 100; k++) {
        tk_steps(it, state, 1);
        tk_ok(ph_system_velocity(system, 0, state->z, state->p, v, work));
        tk_ok(ph_system_reactions(system, state->t, state->z, v, &lambda, work));
        ck_assert_double_lt(fabs(lambda - 2 * 4.905 * sin(state->t)), 1e-13 * 9.81);
        ck_assert_double_lt(fabs(state->z[0] - 0.25 * 4.905 * (1 - cos(2 * state->t))), 1e-13);
    }
}

/* ---- Bodies on a plane: recognised, with a kernel and equations of their own --------------------------- */

static const char *const rollers[] = {"chaplygin-ball", "rubber-ball",  "turntable-ball",
                                      "belt-ball",      "rolling-disk", "rattleback"};
enum { ROLLERS = sizeof rollers / sizeof rollers[0] };

static ph_status push_nothing(void *user, double t, const double *z, const double *zdot, double *f)
{
    (void)user, (void)t, (void)z, (void)zdot, (void)f;
    return PH_OK;
}

/* All six are found to be what their parameters say, with others than the defaults, too; not with a force, and no other model is. */
TEST(rolling_bodies_are_recognised)
{
    size_t found = 0;
    for (size_t i = 0; i < ph_models(); i++) {
        const char *name = ph_model_at(i)->name;
        TK_OWN(ph_system) *system = tk_model(name);
        bool rolls = false;
        for (size_t k = 0; k < ROLLERS; k++)
            rolls = rolls || !strcmp(name, rollers[k]);
        ck_assert_msg(!!ph_system_rolling(system) == rolls, "%s", name);
        found += rolls;
        if (!rolls)
            continue;
        const ph_system_definition pushed = {.force = push_nothing};
        TK_MAKE(ph_system, forced, ph_system_create_forced(system, &pushed, &forced, NULL));
        ck_assert_ptr_null(ph_system_rolling(forced));
    }
    ck_assert_uint_eq(found, ROLLERS);
    ck_assert_ptr_null(ph_system_rolling(NULL));

    const double mass = 2.5, axes[3] = {0.3, 0.5, 0.4}, centre[3] = {0.02, -0.03, 0.05},
                 inertia[3] = {0.3, 0.25, 0.2}, products[3] = {0.01, -0.02, 0.03}, gravity = 3.7,
                 none[3] = {0}, turn = -1.7, pull[3] = {0.4, -0.9, 0};
    const ph_parameter_value egg[] = {{"mass", &mass, 1},        {"axes", axes, 3},
                                      {"centre", centre, 3},     {"inertia", inertia, 3},
                                      {"products", products, 3}, {"gravity", &gravity, 1}};
    TK_OWN(ph_system) *system = tk_build("rattleback", egg, 6);
    const ph_rolling *r = ph_system_rolling(system);
    ck_assert_ptr_nonnull(r);
    for (int k = 0; k < 3; k++) {
        ck_assert_double_lt(fabs(r->square[k] - axes[k] * axes[k]), 1e-15);
        ck_assert_double_lt(fabs(r->centre[k] - centre[k]), 1e-15);
        ck_assert_double_lt(fabs(r->J[4 * k] - inertia[k]), 1e-15);
    }
    ck_assert_double_lt(fabs(r->weight - mass * gravity), 1e-13);
    ck_assert_double_eq(r->radius, 0);
    ck_assert(r->spins);

    const ph_parameter_value table[] = {{"turn", &turn, 1}, {"pull", pull, 3}, {"products", none, 3}};
    TK_OWN(ph_system) *other = tk_build("turntable-ball", table, 3);
    r = ph_system_rolling(other);
    ck_assert_ptr_nonnull(r);
    ck_assert_double_eq(r->mass, 1.3);
    ck_assert_double_lt(fabs(r->radius - 0.9), 1e-15);
    ck_assert_double_lt(fabs(r->carried[1] + turn), 1e-15);
    ck_assert_double_lt(fabs(r->carried[2] - turn), 1e-15);
    for (int k = 0; k < 2; k++)
        ck_assert_double_lt(fabs(r->pull[k] - 1.3 * pull[k]), 1e-15);
    TK_OWN(ph_system) *rubber = tk_model("rubber-ball");
    ck_assert(!ph_system_rolling(rubber)->spins);
}

/* A ball of formulas on a plane with this potential. */
static ph_system *ball_in(const char *potential)
{
    const ph_formula_line space[] = {{"x", "R2", NULL}, {"R", "SO3", NULL}},
                          where[] = {{"w", "vee(Rdot*R.T)", NULL}};
    const char *const rolls[] = {"xdot = 0.5*[w.y, -w.x]", "w.z = 0"};
    const ph_formula_definition d = {.space = space,
                                     .n_space = 2,
                                     .where = where,
                                     .n_where = 1,
                                     .kinetic = "dot(xdot, xdot) + 0.3*dot(w, w)",
                                     .potential = potential,
                                     .constraints = rolls,
                                     .n_constraints = 2};
    ph_system *system = NULL;
    tk_ok(ph_formula_system_create(&d, &system, NULL, tk_err));
    return system;
}

/* A pull is part of what is recognised. Walls that nothing tells of near the origin, time that begins to count late, and higher powers
 * are not: the numbers of the callbacks at some places say nothing of others then. */
TEST(what_is_not_plain_is_not_recognised)
{
    static const char *const potentials[] = {"0.4*x.x - x.y", "0.4*x.x + exp(80*(x.x - 3))",
                                             "0.4*x.x + exp(80*(t - 5))", "0.4*x.x + (x.x/100)^10",
                                             "0.4*x.x + 1000*(sqrt((R[3,3] - 0.999)^2) + R[3,3] - 0.999)"};
    for (size_t i = 0; i < sizeof potentials / sizeof potentials[0]; i++) {
        TK_OWN(ph_system) *system = ball_in(potentials[i]);
        ck_assert_msg(!!ph_system_rolling(system) == (i == 0), "%s", potentials[i]);
    }
}

/* Steps of the kernel against those of the general form, which `exponential` names; forwards and back, composed, from every
 * preset, with iterations that do not fail. */
TEST_EACH(kernel_and_general_step, ROLLERS)
{
    TK_OWN(ph_system) *system = tk_model(rollers[_i]);
    const ph_model *model = ph_model_find(rollers[_i], NULL);
    const bool back = !strcmp(rollers[_i], "rattleback");
    for (size_t k = 0; k < model->n_presets; k++)
        for (int order = 2; order <= 4; order += 2) {
            double z[NZ], v[NZ], off;
            ph_integrator *it[2];
            ph_state *state[2];
            const double h = back ? 0.002 : 0.01;
            const int64_t n = 300;
            tk_preset(rollers[_i], NULL, 0, model->presets[k].name, z, v);
            for (int form = 0; form < 2; form++) {
                const ph_setting settings[] = {{"order", order == 2 ? "2" : "4"},
                                               {"discrete-lagrangian", form ? "exponential" : "automatic"}};
                tk_ok(ph_integrator_create(system, ph_method_find("dla", NULL), h, settings, 2, &it[form],
                                           NULL));
                tk_ok(ph_state_create(it[form], &state[form], NULL));
                tk_ok(ph_state_set_velocity(it[form], state[form], 0, z, v, PH_STRICT, NULL));
                tk_steps(it[form], state[form], n);
            }
            off = tk_max(tk_max_difference(state[0]->z, state[1]->z, 11),
                         tk_max_difference(state[0]->p, state[1]->p, 5));
            const ph_statistics *seen = ph_integrator_statistics(it[0]);
            const double passes = (double)seen->newton_passes / (double)n;
            printf("%s, %s, order %d: %.1e from the general step, %.2f iterations a step, %lld branches\n",
                   rollers[_i], model->presets[k].name, order, off, passes, (long long)seen->branches);
            ck_assert_double_lt(off, back ? 1e-10 : 2e-13);
            ck_assert_int_le(seen->branches, order == 2 ? 1 : 5);
            tk_end(it[0], state[0]);
            tk_end(it[1], state[1]);
        }
}

/* Their equations in (x, R, xdot, Omega) against those by multipliers, at random motions on the constraint. */
TEST_EACH(short_equations, ROLLERS)
{
    TK_OWN(ph_system) *system = tk_model(rollers[_i]);
    tk_random r = {(uint64_t)_i + 21};
    ck_assert_uint_le(ph_product_work(system), WORK);
    for (int trial = 0; trial < 20; trial++) {
        double y[NZ], v[NZ], fast[NZ], plain[NZ], t = 0.3 * trial;
        tk_random_motion(system, &r, y, v);
        tk_ok(ph_system_constraint_project(system, t, y, v, work, NULL));
        ph_space_spin(ph_system_space(system), y, v, y + 11);
        tk_ok(ph_product_spin(system, t, y, plain, work));
        ph_rolling_spin(ph_system_rolling(system), y, fast);
        ck_assert_double_lt(tk_max_difference(fast, plain, 16), 1e-12 * (1 + ph_max_norm(plain, 16)));
    }
}

/* ---- Many steps ----------------------------------------------------------------------------------------- */

typedef struct course {
    ph_system *system;
    ph_integrator *it;
    ph_state *state;
    ph_diagnostics *diagnostics;
} course;

static course begin_course(const char *model, const ph_parameter_value *values, size_t n, const char *preset,
                           const char *order, double h)
{
    const ph_setting setting = {"order", order};
    double z[NZ], v[NZ];
    course c;
    c.system = tk_build(model, values, n);
    tk_preset(model, values, n, preset, z, v);
    tk_ok(ph_integrator_create(c.system, ph_method_find("dla", NULL), h, &setting, 1, &c.it, NULL));
    tk_ok(ph_state_create(c.it, &c.state, NULL));
    tk_ok(ph_state_set_velocity(c.it, c.state, 0, z, v, PH_STRICT, NULL));
    tk_ok(ph_diagnostics_create(c.system, &c.diagnostics, NULL));
    return c;
}

static void end_course(course *c)
{
    ph_diagnostics_free(c->diagnostics);
    tk_end(c->it, c->state);
    ph_system_free(c->system);
}

/* Of rows of one length, without a potential, the energy is exact; what walks is its rounding, and that of the conserved
 * momenta. On the constraint after every step. */
static const struct {
    const char *model, *preset;
    double energy; /* 0: not exact */
} exact[] = {{"vertical-disk", "circle", 1e-13},
             {"vertical-disk", "straight", 1e-13},
             {"chaplygin-sleigh", "turning", 1e-13},
             {"chaplygin-ball", "tumbling", 0},
             {"veselova", "turning", 0}};

TEST_EACH(what_is_exact, sizeof exact / sizeof exact[0])
{
    const int64_t n = tk_thorough() ? 1000000 : 10000;
    TK_ENDS(end_course) course c = begin_course(exact[_i].model, NULL, 0, exact[_i].preset, "2", 0.05);
    ph_measures m;
    double first[4], worst[4] = {0, 0, 0, 0};
    tk_ok(ph_diagnostics_measure(c.diagnostics, c.state, &m));
    const double E = m.energy, size = m.momentum_size;
    memcpy(first, m.momenta, ph_system_symmetries(c.system) * sizeof *first);
    for (int64_t k = 0; k < n; k += 10) {
        tk_steps(c.it, c.state, 10);
        tk_ok(ph_diagnostics_measure(c.diagnostics, c.state, &m));
        worst[0] = fmax(worst[0], fabs(m.energy - E));
        worst[1] = fmax(worst[1], m.velocity_constraint_error);
        for (size_t i = 0; i < ph_system_symmetries(c.system); i++) {
            const double off = fabs(m.momenta[i] - first[i]) / size;
            worst[2] = fmax(worst[2], off);
            if (!strcmp(ph_system_symmetry(c.system, i)->name, "Mz"))
                worst[3] = fmax(worst[3], off);
        }
    }
    printf("%s, %s, %lld steps: energy %.1e, constraint %.1e, momenta %.1e, Mz %.1e\n", exact[_i].model,
           exact[_i].preset, (long long)n, worst[0], worst[1], worst[2], worst[3]);
    if (exact[_i].energy > 0)
        ck_assert_double_lt(worst[0], exact[_i].energy);
    ck_assert_double_le(worst[1], 1e-15);
    ck_assert_double_lt(worst[2], tk_thorough() ? 1e-13 : 2e-14);
    /* that about the vertical gets no increments: no walk either, but the rounding of the state alone */
    ck_assert_double_lt(worst[3], 3e-15);
}

/* A solid ball on a turntable: its velocity turns at 2/7 W, and E - W J_z is kept, also by the discretisation. */
TEST(homogeneous_ball_on_a_turntable)
{
    const double mass = 1.3, r = 0.9, k = 0.4 * mass * r * r, inertia[3] = {k, k, k}, none[3] = {0}, W = 0.8;
    const ph_parameter_value values[] = {{"inertia", inertia, 3}, {"products", none, 3}};
    for (int high = 0; high < 2; high++) {
        TK_ENDS(end_course)
        course c = begin_course("turntable-ball", values, 2, "tumbling", high ? "8" : "2", high ? 0.2 : 0.05);
        double v[NZ], moving[2], spin[3];
        double start[4];
        ph_measures m;
        for (int at = 0; at < 2; at++) {
            if (at)
                tk_steps(c.it, c.state, high ? 100 : 20000);
            tk_ok(ph_diagnostics_measure(c.diagnostics, c.state, &m));
            tk_ok(ph_system_velocity(c.system, 0, c.state->z, c.state->p, v, work));
            ph_apply3(c.state->z + 2, c.state->p + 2, spin);
            moving[at] = m.energy - W * (mass * (c.state->z[0] * v[1] - c.state->z[1] * v[0]) + spin[2]);
            if (!at) {
                memcpy(start, c.state->z, 2 * sizeof *start);
                memcpy(start + 2, v, 2 * sizeof *start);
            }
        }
        ck_assert_double_lt(fabs(moving[1] - moving[0]), 1e-12);
        const double w = 2 * W / 7, a = w * c.state->t,
                     x = start[0] + (start[2] * sin(a) - start[3] * (1 - cos(a))) / w,
                     y = start[1] + (start[3] * sin(a) + start[2] * (1 - cos(a))) / w;
        if (high)
            ck_assert_double_lt(hypot(c.state->z[0] - x, c.state->z[1] - y), 1e-12);
    }
}

/* The gearbox with an asymmetric driver: order 2 drifts, linearly in time, order 6 much less. This is what the method
 * does not do. */
TEST(the_gearbox_drifts)
{
    const double asymmetry = 0.25;
    const ph_parameter_value value = {"asymmetry", &asymmetry, 1};
    double change[2][2];
    for (int high = 0; high < 2; high++) {
        TK_ENDS(end_course)
        course c = begin_course("gearbox", &value, 1, NULL, high ? "6" : "2", high ? 0.4 : 0.1);
        ph_measures m;
        tk_ok(ph_diagnostics_measure(c.diagnostics, c.state, &m));
        const double E = m.energy;
        for (int half = 0; half < 2; half++) {
            double mean = 0; /* over some turns, so that what oscillates does not count */
            tk_steps(c.it, c.state, high ? 2500 : 10000);
            for (int k = 0; k < 500; k++) {
                tk_steps(c.it, c.state, 1);
                tk_ok(ph_diagnostics_measure(c.diagnostics, c.state, &m));
                mean += (m.energy - E) / 500;
            }
            change[high][half] = mean;
        }
    }
    printf("gearbox: mean energy off by %.1e, %.1e by order 2, %.1e, %.1e by order 6\n", change[0][0],
           change[0][1], change[1][0], change[1][1]);
    ck_assert_double_lt(change[0][1], 1.5 * change[0][0]);
    ck_assert_double_lt(change[0][1], -1e-3);
    ck_assert_double_lt(fabs(change[1][1]), 0.1 * fabs(change[0][1]));
}

int main(void)
{
    return tk_run("rolling");
}
