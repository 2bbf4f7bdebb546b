/* SPDX-License-Identifier: BSD-3-Clause */
/* GUBAS's motion: end states that GUBAS itself wrote, for its own example with each of its perturbations; the
 * moments and the image of moments against those of the library; the multistep method against the Runge-Kutta
 * method. */
#include <polhode/gubas.h>

#include "lib/gubas/motion.h"
#include "tests/kit/testkit.h"

enum { NONE, PLANET, SUN, HILL, TIDES };

/* GUBAS's example, Didymos: the moments of the primary's 1996 faces [kg km^n], summed with 40 digits (its
 * table of vertices and faces is in GUBAS's distribution), and the half-axes of the secondary. */
static const ph_gubas_moments primary = {
    .degree = 4,
    .T =
        {
            {547579190041.90828},
            {3.2511928763060216e-6, 8.8236706777759079e-7, -1.7279370737055111e-5},
            {17467018845.114698, -7.7669691108199135e-6, -3.8531504339802148e-7, 16868255154.198805,
             1.5063848004122814e-7, 15957090957.594896},
            {-51534633.095037656, 75420789.85506971, 49439639.313297516, 12042439.123043608,
             -53219901.930189618, 32585443.721930299, 114567328.54035493, -13828268.160899826,
             -175528082.51588498, -25840144.011537361},
            {1219847507.9630029, -4031229.3849943699, -13848588.237639494, 380110682.45557619,
             -9624322.7953265024, 348566780.34060216, -1129376.9899448778, 7657483.2767583025,
             5658746.2746687369, 5727615.9433208803, 1141624399.3905265, 27503517.927305096,
             336142002.24976323, -18659398.322912519, 1034642503.9342474},
        },
    .J = {32825346111.793701, 33424109802.709594, 34335273999.313503}};

static ph_gubas_case example(size_t order, int integrator, int what)
{
    ph_gubas_case c = {.G = 6.67e-11, .order = order, .asked_order = order, .end = 7200, .step = 30};
    const double density = 2203.111036687207, axes[3] = {103.16, 79.35, 66.13};
    c.integrator = (ph_gubas_integrator)integrator;
    c.body[0] = (ph_gubas_body){.shape = PH_GUBAS_POLYHEDRON, .order = order, .density = density};
    c.body[1] = (ph_gubas_body){.shape = PH_GUBAS_ELLIPSOID, .order = order, .density = density};
    memcpy(c.body[1].half_axes, axes, sizeof axes);
    for (int i = 0; i < 2; i++) {
        c.body[i].love = 0.1;
        c.body[i].reference = i ? 0.225 : 0.66;
        c.body[i].lag = 0.4;
    }
    c.state = (ph_gubas_state){.r = {1200},
                               .v = {0, 0.175704287113523},
                               .omega_a = {0, 0, 0.000772269580528},
                               .omega_b = {0, 0, 0.000146420239261},
                               .Cc = {1, 0, 0, 0, 1, 0, 0, 0, 1},
                               .C = {1, 0, 0, 0, 1, 0, 0, 0, 1}};
    c.planet = (ph_gubas_orbit){what == PLANET, 5.9722e24, -11072e3, 9.1284, 0.1745, 0.1745, 0.1745, 3600};
    c.sun = (ph_gubas_orbit){what == SUN, 1.988e30,          246013901.32e3, 0.38362664,
                             0.059475759, 1.277649080300677, 5.573215038,    2582993.15688};
    c.hill = what == HILL;
    c.hill_radius = 149597870.7e3;
    c.hill_mass = 1.989e30;
    c.tides = what == TIDES;
    return c;
}

/* End states at 7200 s that GUBAS (master 8db57ff, built from source) wrote for it with h = 30 s: r, v [km,
 * s], w_A, w_B, the first rows of Cc and C. */
static const struct {
    const char *name;
    size_t order;
    int integrator, what;
    double end[18];
} written[] = {
    /* clang-format off */
    {"order 4, LGVI", 4, 2, NONE,
     {-0.24489637673556847, 1.1756111229420623, 7.78854113598113e-05, -0.0001719416087037689, -3.570431433651659e-05, 2.8259645300615502e-08, -5.0295657737768765e-09, -8.403241738362107e-10, 0.0007722645264051356, 4.755915878218088e-09, -8.633041837923172e-10, 0.0001463835307722117, 0.7502378940034319, 0.6611679834959647, 1.0832422272053005e-06, -0.20424553069377235, -0.9789196919010051, 2.4436780572137205e-07}},
    {"order 4, RK4", 4, 1, NONE,
     {-0.24547877770384893, 1.1754867875157105, 7.788215573926552e-05, -0.00017192413300854236, -3.579038454473149e-05, 2.8256716060079933e-08, -5.028836504586734e-09, -8.39837659031488e-10, 0.0007722645261211378, 4.757266079799597e-09, -8.606331014493158e-10, 0.00014638358497880336, 0.7499088302731097, 0.6615411897696238, 1.0811224414348511e-06, -0.20472931615990062, -0.9788186282241486, 2.515107221250616e-07}},
    {"order 2, RK4, flyby at 9.0e4 km, 3600 s", 2, 1, PLANET,
     {-0.24562779652301733, 1.159413122242873, -0.013072727898092967, -0.00017382938575129602, -3.944298490479044e-05, -3.184765952423529e-06, -8.961007456038057e-11, -4.6214371232846354e-10, 0.0007722616503053651, -6.645655480009825e-07, 8.446954366657276e-09, 0.00014624580939000286, 0.7499088174035178, 0.6615412043591943, -7.54928790235481e-08, -0.20423790413233828, -0.9789212822722735, -3.852136731209782e-05}},
    {"order 2, RK4, heliocentric", 2, 1, SUN,
     {-0.24573331988426872, 1.1750771522497563, -7.206213442268878e-07, -0.00017198198992003253, -3.5837885447421705e-05, -1.9063965925979126e-10, -3.914021329854643e-15, -2.4842423342393373e-14, 0.0007722618641063186, -3.625004212747152e-11, 8.607526471252309e-13, 0.00014642070662598868, 0.7499088324746276, 0.6615411872749116, -4.994072682011998e-12, -0.20485136073535964, -0.9787930934875158, -1.7883920213344146e-09}},
    {"order 2, RK4, solar gravity (Hill)", 2, 1, HILL,
     {-0.24488675440247443, 1.1769441849801179, 0.0, -0.0001718647762217604, -3.5207855447195546e-05, 0.0, 0.0, 0.0, 0.0007722618792407434, 0.0, 0.0, 0.0001463916058013685, 0.7499088256709573, 0.6615411949874069, 0.0, -0.20480951581478302, -0.9788018502667927, 0.0}},
    {"order 2, RK4, tides (k 0.1, lag 0.4)", 2, 1, TIDES,
     {-0.2457321646824147, 1.1750778808552436, 0.0, -0.0001719816028258804, -3.58377572971599e-05, 0.0, 0.0, 0.0, 0.0007722619088089882, 0.0, 0.0, 0.0001464458955898377, 0.7499089389644393, 0.6615410665603377, 0.0, -0.20476150800525872, -0.9788118944380382, 0.0}}, /* clang-format on */
};

static ph_gubas_motion *begin(const ph_gubas_case *c)
{
    ph_gubas_moments A = primary, B;
    ph_gubas_motion *motion;
    A.degree = c->order;
    tk_ok(ph_gubas_moments_of(c, 1, c->order, &B, NULL));
    tk_ok(ph_gubas_motion_begin(c, &A, &B, &motion, NULL));
    return motion;
}

START_TEST(end_states)
{
    const double scale[18] = {1.2,    1.2,    1.2,    1.8e-4, 1.8e-4, 1.8e-4, 7.7e-4, 7.7e-4, 7.7e-4,
                              7.7e-4, 7.7e-4, 7.7e-4, 1,      1,      1,      1,      1,      1};
    const ph_gubas_case c = example(written[_i].order, written[_i].integrator, written[_i].what);
    ph_gubas_motion *motion = begin(&c);
    ph_gubas_state x;
    double t, worst = 0;
    for (int k = 0; k < 240; k++)
        tk_ok(ph_gubas_motion_step(motion, NULL));
    ph_gubas_motion_look(motion, &t, &x, NULL);
    ck_assert(t == 7200);
    for (int k = 0; k < 3; k++) {
        const double got[6] = {x.r[k] / 1000, x.v[k] / 1000, x.omega_a[k], x.omega_b[k], x.Cc[k], x.C[k]};
        for (int i = 0; i < 6; i++)
            worst = tk_max(worst, fabs(got[i] - written[_i].end[3 * i + k]) / scale[3 * i + k]);
    }
    printf("%s: %.1e\n", written[_i].name, worst);
    /* rounding of 240 steps in GUBAS's order of operations and in ours */
    ck_assert(worst < 4e-13);
    ph_gubas_motion_free(motion);
}
END_TEST

/* Where one of GUBAS's perturbations is on, its end state differs from the others by far more than the bound
 * above: the table would not pass without them. */
START_TEST(perturbations_count)
{
    double end[18];
    int others = 0;
    for (size_t i = 0; i < sizeof written / sizeof written[0]; i++)
        if (written[i].order == 2) {
            if (others++)
                ck_assert(tk_max_difference(end, written[i].end, 3) > 1e-9);
            memcpy(end, written[i].end, sizeof end);
        }
    ck_assert_int_eq(others, 4);
}
END_TEST

/* Adams-Bashforth-Moulton converges to the same motion as Runge-Kutta, with order 4. */
START_TEST(multistep)
{
    ph_gubas_case c = example(2, PH_GUBAS_RK4, TIDES);
    ph_gubas_state reference, x;
    double error[2];
    c.step = 2;
    c.end = 2400;
    ph_gubas_motion *motion = begin(&c);
    for (int k = 0; k < 1200; k++)
        tk_ok(ph_gubas_motion_step(motion, NULL));
    ph_gubas_motion_look(motion, NULL, &reference, NULL);
    ph_gubas_motion_free(motion);
    c.integrator = PH_GUBAS_ABM;
    for (int i = 0; i < 2; i++) {
        c.step = i ? 30 : 60;
        motion = begin(&c);
        for (int k = 0; k < (i ? 80 : 40); k++)
            tk_ok(ph_gubas_motion_step(motion, NULL));
        ph_gubas_motion_look(motion, NULL, &x, NULL);
        ph_gubas_motion_free(motion);
        error[i] = tk_max_difference(x.r, reference.r, 3);
    }
    const double order = log2(error[0] / error[1]);
    printf("multistep: errors %.1e, %.1e m, order %.2f\n", error[0], error[1], order);
    ck_assert(error[1] < 1e-2 && order > 3.5 && order < 5.5);
}
END_TEST

/* The image of moments under a rotation attracts as the body turned by ph_attract. */
START_TEST(image)
{
    tk_random r = {77};
    ph_gubas_case c = {
        .body = {{.shape = PH_GUBAS_ELLIPSOID, .order = 4, .half_axes = {700, 500, 300}, .density = 2000}}};
    ph_gubas_moments B;
    ph_mass a, b, turned;
    ph_attraction one, two;
    const double identity[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1}, axes[3] = {0.9, 0.8, 0.4};
    double q[4], worst = 0;
    tk_ok(ph_mass_ellipsoid(1e11, axes, &a, NULL));
    tk_ok(ph_gubas_moments_of(&c, 0, 8, &B, NULL));
    tk_ok(ph_gubas_moments_turn(&B, identity, &b));
    for (int n = 0; n < 20; n++) {
        const double place[3] = {tk_uniform(&r, 2, 4), tk_uniform(&r, -1, 1), tk_uniform(&r, -1, 1)};
        double C[9], size = 0;
        for (int k = 0; k < 4; k++) {
            q[k] = tk_normal(&r);
            size += q[k] * q[k];
        }
        for (int k = 0; k < 4; k++)
            q[k] /= sqrt(size);
        const double made[9] = {1 - 2 * (q[2] * q[2] + q[3] * q[3]), 2 * (q[1] * q[2] - q[0] * q[3]),
                                2 * (q[1] * q[3] + q[0] * q[2]),     2 * (q[1] * q[2] + q[0] * q[3]),
                                1 - 2 * (q[1] * q[1] + q[3] * q[3]), 2 * (q[2] * q[3] - q[0] * q[1]),
                                2 * (q[1] * q[3] - q[0] * q[2]),     2 * (q[2] * q[3] + q[0] * q[1]),
                                1 - 2 * (q[1] * q[1] + q[2] * q[2])};
        memcpy(C, made, sizeof C);
        tk_ok(ph_gubas_moments_turn(&B, C, &turned));
        ph_attract(&a, &b, 8, 6.67e-20, place, C, &one);
        ph_attract(&a, &turned, 8, 6.67e-20, place, identity, &two);
        const double scale = sqrt(one.force[0] * one.force[0] + one.force[1] * one.force[1]);
        worst = tk_max(worst, tk_max_difference(one.force, two.force, 3) / scale);
        worst = tk_max(worst, tk_max_difference(one.torque_a, two.torque_a, 3) / scale);
    }
    printf("image under a rotation: %.1e\n", worst);
    ck_assert(worst < 1e-14); /* rounding */
}
END_TEST

/* An octahedron, and a pyramid with its tip pushed in so that it is not star-shaped about the origin: GUBAS's
 * sum of |det|. */
static char folder[200];

static void make_place(void)
{
    tk_make_folder(folder, sizeof folder, 1 << 20);
}

static void put(const char *name, const char *text)
{
    char path[300];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *out = fopen(path, "w");
    ck_assert_ptr_nonnull(out);
    fputs(text, out);
    fclose(out);
}

static void remove_place(void)
{
    static const char *const names[] = {"v.csv", "f.csv"};
    char path[300];
    for (size_t i = 0; i < 2; i++) {
        snprintf(path, sizeof path, "%s/%s", folder, names[i]);
        remove(path);
    }
    remove(folder);
}

static ph_gubas_case polyhedron(const char *vertices, const char *faces)
{
    ph_gubas_case c = {
        .body = {{.shape = PH_GUBAS_POLYHEDRON, .density = 2000, .vertices = "v.csv", .faces = "f.csv"}}};
    snprintf(c.folder, sizeof c.folder, "%s/", folder);
    put("v.csv", vertices);
    put("f.csv", faces);
    return c;
}

START_TEST(shapes)
{
    static const char octahedron[] = "0,400,0,0\n0,-400,0,0\n0,0,300,0\n0,0,-300,0\n0,0,0,200\n0,0,0,-200\n",
                      faces[] = "1,3,5\n3,2,5\n2,4,5\n4,1,5\n3,1,6\n2,3,6\n4,2,6\n1,4,6\n";
    ph_gubas_case c = polyhedron(octahedron, faces);
    ph_gubas_moments m;
    tk_ok(ph_gubas_moments_of(&c, 0, 4, &m, NULL));
    /* T_ijk/M = i! j! k! 3!/(n+3)! a^i b^j c^k, all even, n = i + j + k: Dirichlet's integral over |x| + |y|
     * + |z| <= 1 */
    const double M = 2000e9 * 4 * 0.4 * 0.3 * 0.2 / 3;
    ck_assert_double_eq_tol(m.T[0][0] / M, 1, 1e-14);
    ck_assert_double_eq_tol(m.T[2][0] / (M * 0.16 / 10), 1, 1e-14);
    ck_assert_double_eq_tol(m.J[0] / (M * (0.09 + 0.04) / 10), 1, 1e-14);
    ck_assert_double_eq_tol(m.J[2] / (M * (0.16 + 0.09) / 10), 1, 1e-14);
    ck_assert_double_eq_tol(m.T[4][0] / (M * 0.0256 / 35), 1, 1e-14);
    ck_assert_double_eq_tol(m.T[4][3] / (M * 0.16 * 0.09 / 210), 1, 1e-13);
    /* faces the wrong way round have the same moments: |det| */
    c = polyhedron(octahedron, "3,1,5\n3,2,5\n2,4,5\n4,1,5\n3,1,6\n2,3,6\n4,2,6\n4,1,6\n");
    tk_ok(ph_gubas_moments_of(&c, 0, 4, &m, NULL));
    ck_assert_double_eq_tol(m.T[0][0] / M, 1, 1e-14);
    /* shifted so that the origin is outside: its mass comes out too large, as it does in GUBAS */
    c = polyhedron("0,900,0,0\n0,100,0,0\n0,500,300,0\n0,500,-300,0\n0,500,0,200\n0,500,0,-200\n", faces);
    tk_ok(ph_gubas_moments_of(&c, 0, 2, &m, NULL));
    printf("outside: mass %.3f of the right one\n", m.T[0][0] / M);
    ck_assert(m.T[0][0] > 1.2 * M);
}
END_TEST

START_TEST(refusals)
{
    ph_gubas_case c = example(2, PH_GUBAS_RK78, NONE);
    ph_gubas_motion *motion;
    ph_error err = {0};
    ck_assert_int_eq(ph_gubas_motion_create(&c, &motion, &err), PH_E_UNSUPPORTED);
    ck_assert_ptr_nonnull(strstr(err.message, "RK 7(8)"));
    ck_assert_ptr_null(motion);
    c = example(1, PH_GUBAS_RK4, NONE);
    ck_assert_int_eq(ph_gubas_motion_create(&c, &motion, &err), PH_E_UNSUPPORTED);
    ck_assert_ptr_nonnull(strstr(err.message, "an ellipsoid of order 1"));
    c = example(2, PH_GUBAS_ABM, NONE);
    c.start = 1000;
    ck_assert_int_eq(ph_gubas_motion_create(&c, &motion, &err), PH_E_UNSUPPORTED);
    c = example(2, PH_GUBAS_RK4, NONE);
    strcpy(c.body[0].vertices, "/nowhere/v.csv");
    strcpy(c.body[0].faces, "/nowhere/f.csv");
    ck_assert_int_eq(ph_gubas_motion_create(&c, &motion, &err), PH_E_IO);
    ck_assert_ptr_nonnull(strstr(err.message, "/nowhere/v.csv"));
    ck_assert_ptr_null(motion);
    ph_gubas_motion_free(NULL);
}
END_TEST

/* The bodies in one place: the step fails and the state stays. */
START_TEST(divergence)
{
    ph_gubas_case c = example(2, PH_GUBAS_RK4, NONE);
    ph_gubas_state before, after;
    ph_error err = {0};
    double t;
    c.state.r[0] = 0;
    ph_gubas_motion *motion = begin(&c);
    ph_gubas_motion_look(motion, NULL, &before, NULL);
    ck_assert_int_eq(ph_gubas_motion_step(motion, &err), PH_E_DIVERGED);
    ph_gubas_motion_look(motion, &t, &after, NULL);
    ck_assert(t == 0 && !memcmp(&before, &after, sizeof before));
    ph_gubas_motion_free(motion);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("gubas motion");
    TCase *all = tcase_create("all");
    tcase_add_checked_fixture(all, make_place, remove_place);
    tcase_set_timeout(all, 60);
    tcase_add_loop_test(all, end_states, 0, (int)(sizeof written / sizeof written[0]));
    tcase_add_test(all, perturbations_count);
    tcase_add_test(all, multistep);
    tcase_add_test(all, image);
    tcase_add_test(all, shapes);
    tcase_add_test(all, refusals);
    tcase_add_test(all, divergence);
    suite_add_tcase(suite, all);
    return tk_main(suite);
}
