/* SPDX-License-Identifier: BSD-3-Clause */
/* The drifts of kepler-rotor: Kepler motion and the turn of a free body against values of 50 digits (universal variables
 * by another iteration; Taylor series of order 40); back again; energy and angular momentum over many steps; the
 * forces of a hierarchy against the differences of the large terms in 128 bits. */
#include "integrators/kepler-rotor/hierarchy.h"
#include "integrators/shared/kepler.h"
#include "integrators/shared/rotor-turn.h"
#include "tests/kit/testkit.h"

#include <float.h>

/* ---- Kepler motion ------------------------------------------------------------------------------------------------- */

/* From r, v to r1, v1. */
/* clang-format off */
static const struct {
    const char *name;
    double mu, tau, r[3], v[3], r1[3], v1[3];
} known[] = {
    {"nearly circular, a short step", 36.6, 120.0, {1200.0, 0.0, 0.0}, {0.0, 0.1757, 0.0},
     {1199.817004820687788029285, 21.08292824813115172485218, 0.0},
     {-0.003049839311430170526141251, 0.1756732065054613335173249, 0.0}},
    {"the same, backwards", 36.6, -437.4375, {1190.5, 30.25, -4.0}, {0.0125, 0.171875, 0.015625},
     {1182.552996074460190098602, -44.94522041634889871726252, -10.82185165741160783825168},
     {0.02385723936220135547061875, 0.1718035422452625037559015, 0.01555396084211412790932343}},
    {"half a revolution", 1.0, 3.25, {1.0, 0.0, 0.0}, {0.0, 1.0, 0.125},
     {-1.031224864249284418243389, -0.03228107219297570791429483, -0.004035134024121963489286854},
     {0.03128805537982706232525631, -0.968741176302760190287941, -0.1210926470378450237859926}},
    {"seven revolutions and a bit", 1.0, 45.5, {1.0, 0.5, 0.0}, {-0.25, 0.75, 0.125},
     {1.03262900556815110651582, 0.1249115392415970327245696, -0.05591470907749693150476295},
     {0.1232953525545264237941808, 0.8622661260410981916170763, 0.1143740642519764256742837}},
    {"eccentric (0.96), through the pericentre", 1.0, 2.75, {1.875, 0.0, 0.25}, {0.0, 0.1875, 0.0},
     {0.5116545330252797121290497, 0.3206136367030358280552501, 0.0682206044033706282838733},
     {-1.47459776593950610851168, -0.2369052643691679636398994, -0.1966130354586008144682239}},
    {"eccentric, from the pericentre, long", 1.0, 2.5, {0.0625, 0.0, 0.0}, {0.0, 5.5, 0.0},
     {-0.3938225733436946987184437, -0.254524101422772400267631, 0.0},
     {1.579045297827954568364508, 0.1476682381148359651459036, 0.0}},
    {"parabola", 2.0, 3.5, {1.0, 0.0, 0.0}, {0.0, 2.0, 0.0},
     {-2.031048745819311410760223, 3.481981473712524743742828, 0.0},
     {-0.8637904657748839399429237, 0.4961488005011707260598739, 0.0}},
    {"almost a parabola", 2.0, 1000.0, {1.0, 0.5, 0.0}, {0.03125, 1.9375, -0.125},
     {-308.6400727638252555459659, 359.872332639402953645193, -33.44340611520751749061307},
     {-0.2943673536419379455553931, 0.3370035208862977986242041, -0.03149185025738320464402606}},
    {"hyperbola", 1.0, 10.0, {1.0, 0.0, 0.0}, {0.0, 1.75, 0.5},
     {-4.143262935676996667507198, 11.7401773044449739415913, 3.354336372698563983311799},
     {-0.5203023985632330376153176, 1.051934786356539880417737, 0.3005527961018685372622107}},
    {"hyperbola, far", 1.0, 1000000.0, {1.0, 0.0, 0.25}, {-0.5, 2.0, 0.0},
     {-871780.3326825805176151678, 1236912.344746845868557058, -140638.0616239672626189758},
     {-0.8717784057212468030463358, 1.236907316550983692065403, -0.1406378941458752200074963}},
    {"hyperbola, backwards through the pericentre", 1.0, -20.0, {20.0, 1.0, 0.0}, {1.0, 0.0625, 0.0},
     {2.617780464466500064251347, 1.796569488701900635407263, 0.0},
     {-1.063665327194469994565853, -0.6344873818004474187299277, 0.0}},
    {"almost radial", 1.0, 1.5, {1.0, 0.0, 0.0}, {-0.5, 0.0009765625, 0.0},
     {0.9906967687909098862431998, -0.0009853189115317812460911143, 0.0},
     {0.51844085715469214147782, 0.0004701064277247377012767034, 0.0}},
    {"radial, outwards", 1.0, 2.0, {1.0, 0.0, 0.0}, {1.25, 0.0, 0.0}, {2.614124912977221997848777, 0.0, 0.0},
     {0.5723411405209701004906479, 0.0, 0.0}},
    {"a minute on the way about the Sun", 1.32712440018e+20, 60.0, {149600000000.0, 0.0, 1000000000.0},
     {100.0, 29785.0, -3.0},
     {149600005989.326869165833, 1787099.999957500108118481, 999999819.9286555477868298},
     {99.64422897695321221512402, 29784.99999787500544853722, -3.002378148288054489512126}},
    {"half a year of it", 1.32712440018e+20, 15768000.0, {149600000000.0, 0.0, 1000000000.0},
     {100.0, 29785.0, -3.0},
     {-149605775783.4669170551292, 2413328523.618629770334581, -1000335844.138860592828144},
     {-380.4069079091480671753352, -29777.71365997541050475784, 1.124724856238095411095414}},
};
/* clang-format on */
enum { KNOWN = sizeof known / sizeof *known };

static ph_kepler_orbit orbit_of(const double r[3], const double v[3])
{
    ph_kepler_orbit o = {{r[0], r[1], r[2]}, {0, 0, 0}, {v[0], v[1], v[2]}, {0, 0, 0}};
    return o;
}

/* What the rounding of the numbers that it starts from does to the result in the end: the largest change by variations of
 * 2^-30, per relative variation. */
static void condition(size_t i, double *of_r, double *of_v)
{
    static const double small = 0x1p-30;
    int64_t n = 0;
    ph_kepler_orbit there = orbit_of(known[i].r, known[i].v);
    ck_assert(ph_kepler_drift(known[i].mu, known[i].tau, &there, &n));
    *of_r = ph_norm3(there.r);
    *of_v = ph_norm3(there.v);
    for (size_t k = 0; k < 8; k++) {
        ph_kepler_orbit o = orbit_of(known[i].r, known[i].v);
        double dr[3], dv[3], mu = known[i].mu, tau = known[i].tau;
        if (k < 3)
            o.r[k] += small * ph_norm3(o.r);
        else if (k < 6)
            o.v[k - 3] += small * ph_norm3(o.v);
        else
            *(k == 6 ? &mu : &tau) *= 1 + small;
        ck_assert(ph_kepler_drift(mu, tau, &o, &n));
        for (size_t c = 0; c < 3; c++) {
            dr[c] = (o.r[c] - there.r[c]) / small;
            dv[c] = (o.v[c] - there.v[c]) / small;
        }
        *of_r = fmax(*of_r, ph_norm3(dr));
        *of_v = fmax(*of_v, ph_norm3(dv));
    }
}

/* A few roundings of numbers that the result depends on, each as the motion magnifies it; the far hyperbola has
 * exponentials of 14, in which that of the exponent counts as often. */
TEST_EACH(kepler_against_many_digits, KNOWN)
{
    const size_t i = (size_t)_i;
    double of_r, of_v, dr[3], dv[3];
    int64_t iterations = 0;
    ph_kepler_orbit o = orbit_of(known[i].r, known[i].v);
    ck_assert(ph_kepler_drift(known[i].mu, known[i].tau, &o, &iterations));
    condition(i, &of_r, &of_v);
    for (size_t k = 0; k < 3; k++) {
        dr[k] = (o.r[k] - known[i].r1[k]) + o.r_low[k];
        dv[k] = (o.v[k] - known[i].v1[k]) + o.v_low[k];
    }
    printf("%s: off by %.1e and %.1e of what the motion makes of a relative change, %d iterations\n",
           known[i].name, ph_norm3(dr) / of_r, ph_norm3(dv) / of_v, (int)iterations);
    const double bound = strstr(known[i].name, "far") ? 14e-15 : 1e-15;
    ck_assert_double_le(ph_norm3(dr) / of_r, bound);
    ck_assert_double_le(ph_norm3(dv) / of_v, bound);
    ck_assert_int_le(iterations, 100);
    /* and back */
    ck_assert(ph_kepler_drift(known[i].mu, -known[i].tau, &o, &iterations));
    ck_assert_double_le(tk_max_difference(o.r, known[i].r, 3) / ph_norm3(known[i].r),
                        1e-15 * (1 + of_r) * (1 + of_v) * 2);
}

/* Random orbits of every kind from very short to long times: one drift against two halves, which share no equation. */
TEST(kepler_in_halves)
{
    tk_random r = {31};
    double worst = 0;
    int64_t most = 0;
    for (int i = 0; i < (tk_thorough() ? 200000 : tk_short() ? 500 : 20000); i++) {
        double x[3], v[3], d[3];
        int64_t whole = 0, halves = 0;
        tk_unit(&r, x);
        tk_unit(&r, v);
        const double speed = tk_log_uniform(&r, 1e-3, 10),
                     tau = tk_log_uniform(&r, 1e-4, 30) * (i % 2 ? -1 : 1);
        for (size_t k = 0; k < 3; k++)
            v[k] *= speed;
        ph_kepler_orbit a = orbit_of(x, v), b = a;
        ck_assert(ph_kepler_drift(1, tau, &a, &whole));
        ck_assert(ph_kepler_drift(1, 0.5 * tau, &b, &halves) && ph_kepler_drift(1, 0.5 * tau, &b, &halves));
        most = whole > most ? whole : most;
        for (size_t k = 0; k < 3; k++)
            d[k] = a.r[k] - b.r[k];
        /* relative to distance and speed, and to what a rounding of the time, and of the energy, does: both grow
         * where the pericentre is close */
        double L[3];
        ph_cross3(x, v, L);
        const double energy = fabs(0.5 * speed * speed - 1), pericentre = fmin(1, ph_dot3(L, L) / 2),
                     passes = 1 + fabs(tau) * pow(2 * energy, 1.5);
        const double off = ph_norm3(d) / (1 + ph_norm3(a.r)) * sqrt(pericentre) * pericentre / passes;
        worst = tk_max(worst, off);
    }
    printf("random orbits in one part and in two: off by %.1e, at most %d iterations\n", worst, (int)most);
    ck_assert_double_le(worst, 2e-14);
    ck_assert_int_le(most, 100); /* of several parts, towards a fast passage */
}

/* Energy and angular momentum in 64 bits of mantissa, relative to their first values. */
static void invariants_of(const ph_kepler_orbit *o, double mu, long double *E, long double *L)
{
    long double r[3], v[3], r2 = 0, v2 = 0;
    for (size_t k = 0; k < 3; k++) {
        r[k] = (long double)o->r[k] + o->r_low[k];
        v[k] = (long double)o->v[k] + o->v_low[k];
        r2 += r[k] * r[k];
        v2 += v[k] * v[k];
    }
    *E = v2 / 2 - mu / sqrtl(r2);
    *L = r[0] * v[1] - r[1] * v[0];
}

/* What rounding does in n steps is a random walk: each is off by some 1e-17 (steps of a tenth of a radian move by a tenth
 * of the distance), and by less in the energy. A trend of a rounded constant was 3e-18 a step. */
TEST(kepler_walks)
{
    static const struct {
        double e, turn, bound;
    } orbits[] = {{0, 0.03, 1e-13},  {0.01, 0.03, 1e-14}, {0.3, 0.03, 1e-14}, {0.01, 0.1, 4e-14},
                  {0.3, 0.1, 4e-14}, {0.3, 0.5, 3e-13},   {0.9, 0.1, 1e-12}};
    const int steps = tk_thorough() ? 1000000 : tk_short() ? 2000 : 200000;
    for (size_t i = 0; i < sizeof orbits / sizeof *orbits; i++) {
        const double e = orbits[i].e, mu = 36.7, a = 1200, speed = sqrt(mu / a * (1 + e) / (1 - e));
        const double r[3] = {a * (1 - e), 0, 0}, v[3] = {0, 0.6 * speed, 0.8 * speed};
        ph_kepler_orbit o = orbit_of(r, v);
        long double E0, L0, E, L;
        int64_t iterations = 0;
        invariants_of(&o, mu, &E0, &L0);
        for (int k = 0; k < steps; k++)
            ck_assert(ph_kepler_drift(mu, orbits[i].turn * sqrt(a * a * a / mu), &o, &iterations));
        invariants_of(&o, mu, &E, &L);
        printf("e = %.2f, %d steps of %.2f rad: energy %+.1Le, angular momentum %+.1Le, %.1f iterations\n", e,
               steps, orbits[i].turn, (E - E0) / E0, (L - L0) / L0, (double)iterations / steps);
        if (tk_extended()) {
            ck_assert_double_le((double)fabsl((E - E0) / E0), orbits[i].bound);
            ck_assert_double_le((double)fabsl((L - L0) / L0), orbits[i].bound);
        }
    }
}

TEST(kepler_without_an_orbit)
{
    static const double zero[3] = {0, 0, 0}, one[3] = {1, 0, 0}, nowhere[3] = {NAN, 0, 0},
                        far[3] = {1e300, 0, 0};
    int64_t n = 0;
    ph_kepler_orbit o = orbit_of(zero, one), before = o;
    ck_assert(!ph_kepler_drift(1, 1, &o, &n));
    ck_assert_mem_eq(&o, &before, sizeof o);
    o = orbit_of(nowhere, one);
    ck_assert(!ph_kepler_drift(1, 1, &o, &n));
    o = orbit_of(one, far);
    ck_assert(!ph_kepler_drift(1, 1, &o, &n));
    o = orbit_of(one, zero);
    before = o;
    ck_assert(ph_kepler_drift(1, 0, &o, &n));
    ck_assert_mem_eq(&o, &before, sizeof o);
}

/* ---- Free rotors ---------------------------------------------------------------------------------------------------- */

/* R after tau from R = 1 with these moments and rates. */
/* clang-format off */
static const struct {
    double I[3], W[3], tau, R[9];
} turned[] = {
    {{1.0, 3.625, 4.0}, {0.3125, 1.0, -0.5}, 0.125,
     {0.9902774224228442989975, 0.06645106976504270456983, 0.1222083547334183633722,
      -0.06144042401364851592585, 0.997126003777724893513, -0.04432614225587022793579,
      -0.1248026479550441027937, 0.03638664476625989634543, 0.9915141507543214772837}},
    {{1.0, 3.625, 4.0}, {0.3125, 1.0, -0.5}, -1.75,
     {-0.3954318036079455549489, -0.1786548529918305247807, -0.9009529023194467741881,
      0.480826214943314940617, 0.7954924029015111103586, -0.3687790503123313512104, 0.7825853561872035673857,
      -0.5790287388622842282957, -0.2286610588904468039323}},
    {{1.0, 3.625, 4.0}, {0.3125, 1.0, -0.5}, 40,
     {0.9900981997333970274433, 0.06843322563023513471042, 0.122566098553097362856,
      0.03090140009049736548644, 0.7454550582060835437092, -0.6658392145761704874449,
      -0.1369330433355413883355, 0.6630336717126860405271, 0.7359590286273148366279}},
    {{2.25, 2.5, 3.0}, {0.0625, -0.125, 1.0}, 0.75,
     {0.7280752178232323052856, -0.6828890738852270680578, -0.05974102409424965752386,
      0.6784454376217813993187, 0.7303120920750765357156, -0.07972475361589057010147,
      0.0980727554514624410667, 0.01751459211919645853849, 0.9950251120956977261422}},
    {{1.0, 1.0, 1.5}, {0.5, -0.25, 2.0}, 0.5,
     {0.5389397279663005446089, -0.8392623061533264834348, 0.07199132649014084184825,
      0.825981161505256695364, 0.5097729237803565053093, -0.2405965232892069287829, 0.165224363996467003221,
      0.1891305042837535630508, 0.96795173531087594896}},
    {{1.0, 1.0, 1.5}, {0.5, -0.25, 2.0}, -33,
     {0.156041455227240384147, -0.9876123600203199295601, 0.01651940028146020251711,
      0.9873167540168048644162, 0.1564466959343204862498, 0.0270195960175999941622,
      -0.0292692925825885006197, 0.01209370358195712773574, 0.999498399621223299094}},
    {{2.0, 1.25, 2.0}, {0.5, -1.25, 0.125}, 5,
     {0.4670046496102738388065, -0.3270291092473433745292, -0.8215586521650627172685,
      0.7145669281378487439961, 0.6868506240123097733351, 0.1327792359728703286676, 0.520865397635534883095,
      -0.6490671629336904185388, 0.5544466210079977636367}},
};
/* clang-format on */
enum { TURNED = sizeof turned / sizeof *turned };

static ph_free_turn turn_of(const double J[9], const double R[9], const double W[3], const ph_free_rotor *r)
{
    ph_free_turn m = {{0}, {0}, {0}, {0}};
    double A[9], Pi[3];
    ph_multiply3(R, r->axes, A);
    ph_rotor_quaternion(A, m.q);
    ph_apply3(J, W, Pi);
    ph_apply3(R, Pi, m.S);
    return m;
}

static void attitude_of(const ph_free_rotor *r, const ph_free_turn *m, double R[9])
{
    double A[9];
    ph_rotor_matrix(m->q, A);
    for (size_t i = 0; i < 3; i++)
        ph_apply3(r->axes, A + 3 * i, R + 3 * i);
}

/* In its principal axes, and in a frame that is turned against them, where J is full. */
TEST(rotor_against_many_digits)
{
    const double tilt[3] = {0.3, -1.1, 0.7}, none[3] = {0, 0, 0};
    for (size_t i = 0; i < TURNED; i++)
        for (int full = 0; full < 2; full++) {
            double F[9], J[9], K[9], W[3], R[9], I[9] = {0}, wanted[9], start[9];
            ph_free_rotor r;
            int64_t iterations = 0;
            for (size_t k = 0; k < 3; k++)
                I[4 * k] = turned[i].I[k];
            ph_exp3(full ? tilt : none, F); /* axes of the frame, seen from the principal axes */
            ph_multiply3(I, F, K);
            ph_transposed_multiply3(F, K, J);
            ph_apply_transposed3(F, turned[i].W, W);
            memcpy(start, F, sizeof start); /* R_frame = R_axes F */
            ph_free_rotor_begin(J, &r);
            ph_free_turn m = turn_of(J, start, W, &r);
            const ph_free_turn before = m;
            ck_assert(ph_free_rotor_can_turn(&r, turned[i].tau, &m));
            ck_assert(ph_free_rotor_turn(&r, turned[i].tau, &m, &iterations));
            attitude_of(&r, &m, R);
            ph_multiply3(turned[i].R, F, wanted);
            const double off = tk_max_difference(R, wanted, 9),
                         angle = fabs(turned[i].tau) * ph_norm3(turned[i].W);
            printf("moments %g %g %g%s, %g rad: off by %.1e, %d iterations\n", turned[i].I[0], turned[i].I[1],
                   turned[i].I[2], full ? ", full" : "", angle, off, (int)iterations);
            /* the series' error of 2e-16 in a part of 0.15 rad, and rounding of rates times the angle */
            ck_assert_double_le(off, 1e-15 * (2 + 2 * angle));
            ck_assert(ph_free_rotor_turn(&r, -turned[i].tau, &m, &iterations));
            const double q = tk_max_difference(m.q, before.q, 4);
            double opposite[4] = {-m.q[0], -m.q[1], -m.q[2], -m.q[3]};
            ck_assert_double_le(fmin(q, tk_max_difference(opposite, before.q, 4)), 1e-15 * (1 + angle));
            ck_assert_mem_eq(m.S, before.S, sizeof m.S);
        }
}

TEST(rotor_kinds)
{
    static const double round[9] = {2, 0, 0, 0, 2, 0, 0, 0, 2}, disk[9] = {1, 0, 0, 0, 1.5, 0, 0, 0, 1},
                        other[9] = {1, 0, 0, 0, 1 + 1e-13, 0, 0, 0, 2};
    ph_free_rotor r;
    ph_free_rotor_begin(round, &r);
    ck_assert_int_eq(r.kind, PH_ROTOR_ROUND);
    ph_free_rotor_begin(disk, &r);
    ck_assert_int_eq(r.kind, PH_ROTOR_SYMMETRIC);
    ck_assert_int_eq(r.axis, 1);
    ph_free_rotor_begin(other, &r);
    ck_assert_int_eq(r.kind, PH_ROTOR_GENERAL);
    /* a sphere turns by W tau about W: 1000 turns and a quarter */
    double R[9], e[9], W[3] = {0.48, -0.6, 0.64};
    const double unit[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1}, tau = 6284.756101;
    int64_t n = 0;
    ph_free_rotor_begin(round, &r);
    ph_free_turn m = turn_of(round, unit, W, &r);
    ck_assert(ph_free_rotor_turn(&r, tau, &m, &n));
    attitude_of(&r, &m, R);
    for (size_t k = 0; k < 3; k++)
        W[k] *= remainder(tau, 6.283185307179586);
    ph_exp3(W, e);
    ck_assert_double_le(tk_max_difference(R, e, 9), 2e-12); /* the rounding of |W| times tau */
    m.S[0] = 1e300;
    ph_free_rotor_begin(other, &r);
    ck_assert(!ph_free_rotor_can_turn(&r, 1, &m));
    ck_assert(!ph_free_rotor_turn(&r, 1, &m, &n));
}

/* ---- Hierarchies ---------------------------------------------------------------------------------------------------- */

enum { MOST = 6 };

typedef struct tree {
    ph_hierarchy h;
    ph_pair pair[MOST];
    size_t order[MOST], index[2 * MOST];
    double joins[2 * MOST], work[5 * MOST];
} tree;

static void plant(tree *t, size_t n, const double *mass, const double *x)
{
    t->h = (ph_hierarchy){n, t->pair, t->order, mass};
    if (x)
        ph_hierarchy_find(n, mass, x, t->work, t->joins);
    else
        ph_hierarchy_list(n, t->joins);
    ph_hierarchy_lay(&t->h, t->joins, t->index);
}

/* Two binaries that are listed crosswise, and a body far away: the pairs are found, then the two, then the last. */
TEST(hierarchy_by_periods)
{
    static const double mass[5] = {3, 5, 1, 0.5, 1000},
                        x[15] = {0, 0, 0, 40, 0, 0, 1, 0, 0, 40, 0.5, 0, 0, 1e6, 0};
    static const double wanted[8] = {1, 3, 0, 2, 6, 5, 7, 4};
    tree t;
    plant(&t, 5, mass, x);
    for (size_t i = 0; i < 8; i += 2) {
        const double *j = t.joins + i, *w = wanted + i;
        ck_assert_msg((j[0] == w[0] && j[1] == w[1]) || (j[0] == w[1] && j[1] == w[0]), "node %zu: %g %g",
                      i / 2, j[0], j[1]);
    }
}

/* There and back; the kinetic energy is the sum of those of the pairs and the barycentre. */
TEST(hierarchy_coordinates)
{
    tk_random r = {5};
    for (int round = 0; round < 20; round++) {
        const size_t n = 2 + (size_t)round % (MOST - 1);
        double mass[MOST], x[3 * MOST], back[3 * MOST], pair[3 * MOST], center[3], to_center[3],
            offset[3 * MOST], T = 0, sum = 0, total = 0;
        tree t;
        for (size_t i = 0; i < n; i++)
            mass[i] = tk_log_uniform(&r, 0.1, 10);
        for (size_t i = 0; i < 3 * n; i++)
            x[i] = tk_normal(&r);
        plant(&t, n, mass, round % 2 ? x : NULL);
        ph_hierarchy_read(&t.h, x, t.work, pair, center);
        ph_hierarchy_place(&t.h, 1, pair, 3, offset, back, to_center, NULL);
        for (size_t i = 0; i < 3 * n; i++) {
            ck_assert_double_le(fabs(back[i] + (center[i % 3] - to_center[i % 3]) - x[i]), 4e-15);
            T += 0.5 * mass[i / 3] * x[i] * x[i];
        }
        for (size_t i = 0; i + 1 < n; i++)
            sum += 0.5 * t.pair[i].left * t.pair[i].right / t.pair[i].whole *
                   ph_dot3(pair + 3 * i, pair + 3 * i);
        for (size_t i = 0; i < n; i++)
            total += mass[i];
        ck_assert_double_le(fabs(sum + 0.5 * total * ph_dot3(center, center) - T), 1e-14 * T);
    }
}

/* The accelerations of all pairs by the forces, and by Kepler's problems, are those of Newton's forces between all bodies;
 * the former have the precision of what is small. In long double, for a close pair and others far away. */
TEST(hierarchy_forces)
{
    tk_random r = {9};
    double worst = 0;
    int judged = 0;
    for (int round = 0; round < 60; round++) {
        const size_t n = 3 + (size_t)round % (MOST - 2);
        double mass[MOST], x[3 * MOST], pair[3 * MOST], center[3], near[3 * MOST], f[3 * MOST],
            offset[3 * MOST], to_center[3];
        tree t;
        for (size_t i = 0; i < n; i++) {
            const double far = i < 2 ? 1 : pow(round % 4 ? 10 : 100, (double)i - 1);
            mass[i] = tk_log_uniform(&r, 0.1, 10);
            for (size_t k = 0; k < 3; k++)
                x[3 * i + k] = far * tk_normal(&r);
        }
        plant(&t, n, mass, round % 2 ? x : NULL);
        ph_hierarchy_read(&t.h, x, t.work, pair, center);
        ph_hierarchy_place(&t.h, 1.5, pair, 3, offset, near, to_center, f);
        /* the same in long double from the pairs' coordinates: places, Newton's accelerations, those of the pairs */
        long double X[3 * MOST] = {0}, A[3 * MOST] = {0}, left[MOST] = {0}, right[MOST] = {0};
        for (size_t i = 0; i + 1 < n; i++)
            for (size_t b = t.pair[i].first; b < t.pair[i].end; b++)
                (b < t.pair[i].middle ? left : right)[i] += mass[t.order[b]];
        for (size_t i = 0; i + 1 < n; i++)
            for (size_t b = t.pair[i].first; b < t.pair[i].end; b++)
                for (size_t k = 0; k < 3; k++)
                    X[3 * t.order[b] + k] +=
                        (b < t.pair[i].middle ? -right[i] : left[i]) / (left[i] + right[i]) * pair[3 * i + k];
        long double most = 0; /* whose rounding the reference has in it */
        for (size_t i = 0; i < 3 * n; i++)
            most = fmaxl(most, fabsl(X[i]));
        for (size_t i = 0; i < n; i++)
            for (size_t b = 0; b < n; b++) {
                long double d[3], d2 = 0;
                for (size_t k = 0; k < 3; k++) {
                    d[k] = X[3 * b + k] - X[3 * i + k];
                    d2 += d[k] * d[k];
                    /* within the first pair exact to rounding of its size, others to that of their distances */
                    const size_t *first = t.order + t.pair[0].first;
                    const bool inside = (i == first[0] || i == first[1]) && (b == first[0] || b == first[1]);
                    ck_assert_double_le((double)fabsl(d[k] - (near[3 * b + k] - near[3 * i + k])),
                                        (inside ? 1e-15 * (ph_norm3(near + 3 * b) + ph_norm3(near + 3 * i))
                                                : 2e-15 * ph_max_norm(near, 3 * n)) +
                                            (double)(4 * LDBL_EPSILON * most));
                }
                for (size_t k = 0; k < 3 && i != b; k++)
                    A[3 * i + k] += 1.5L * mass[b] * d[k] / (d2 * sqrtl(d2));
            }
        long double largest = 0;
        for (size_t i = 0; i < 3 * n; i++)
            largest = fmaxl(largest, fabsl(A[i]));
        for (size_t i = 0; i + 1 < n; i++) {
            const ph_pair *p = &t.pair[i];
            double a[3], terms = 0, off = 0;
            long double d2 = 0, wanted[3];
            ph_hierarchy_acceleration(&t.h, i, f, a);
            for (size_t k = 0; k < 3; k++)
                d2 += (long double)pair[3 * i + k] * pair[3 * i + k];
            /* forces of a group, each relative to its size; their sum is smaller, where the group is small */
            for (size_t b = p->first; b < p->end; b++)
                terms += ph_norm3(f + 3 * t.order[b]) / (b < p->middle ? p->left : p->right);
            for (size_t k = 0; k < 3; k++) {
                wanted[k] = 1.5L * (left[i] + right[i]) * pair[3 * i + k] / (d2 * sqrtl(d2));
                for (size_t b = p->first; b < p->end; b++)
                    wanted[k] += (b < p->middle ? -1 / left[i] : 1 / right[i]) * mass[t.order[b]] *
                                 A[3 * t.order[b] + k];
                off = fmax(off, (double)fabsl(wanted[k] - a[k]));
            }
            /* the reference itself cancels: what its rounding, also of places, leaves of the large terms */
            const double noise = (double)(64 * LDBL_EPSILON * (1 + most / sqrtl(d2)) *
                                          (largest + 1.5L * (left[i] + right[i]) / d2));
            if (noise < 1e-13 * terms) {
                worst = tk_max(worst, (off - noise) / terms);
                judged++;
            }
        }
    }
    printf("accelerations of %d pairs by what is left: off by %.1e of its terms\n", judged, worst);
    if (tk_extended()) {
        ck_assert_double_le(worst, 4e-15);
        ck_assert_int_gt(judged, 30);
    }
}

int main(void)
{
    return tk_run("drifts");
}
