/* SPDX-License-Identifier: BSD-3-Clause */
/* The formulas of `polhode bench formulas`, and by hand: the double pendulum by its angles, chains, a pair of bodies with
 * quadrupoles (MacCullagh), spins with biquadratic exchange. Magnetic terms have L found to be of general form. */
#include "systems.h"

#include <math.h>

/* ---- By hand ------------------------------------------------------------------------------------- */

/* L_z, L_v of m1 = 1, m2 = 2, l1 = 1.5, l2 = 0.7 with the term c a bdot, c = 0.1. */
static void double_pendulum(const double *k, const double *z, const double *v, double *out)
{
    (void)k;
    const double c = cos(z[0] - z[1]), s = sin(z[0] - z[1]), x = 2.1 * s * v[0] * v[1];
    out[0] = 0.1 * v[1] - x - 44.145 * sin(z[0]);
    out[1] = x - 13.734 * sin(z[1]);
    out[2] = 6.75 * v[0] + 2.1 * c * v[1];
    out[3] = 0.98 * v[1] + 2.1 * c * v[0] + 0.1 * z[0];
}

/* n links with masses k[0], ..., lengths k[n], ..., gravity k[2n]; the first in a magnetic field k[2n + 1] along e3. */
static void chain(size_t n, const double *k, const double *z, const double *v, double *out)
{
    const double *m = k, *l = k + n, field = k[2 * n + 1];
    double *Lv = out + 3 * n, u[3] = {0}, p[3] = {0}, weight = 0;
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < 3; j++) {
            u[j] += l[i] * v[3 * i + j];
            Lv[3 * i + j] = m[i] * u[j];
        }
    for (size_t i = n; i-- > 0;) {
        weight += m[i];
        for (size_t j = 0; j < 3; j++) {
            p[j] += Lv[3 * i + j];
            Lv[3 * i + j] = l[i] * p[j];
            out[3 * i + j] = j == 2 ? -k[2 * n] * l[i] * weight : 0;
        }
    }
    const double c = field / 2 * l[0] * l[0];
    out[0] += c * v[1], out[1] -= c * v[0];
    Lv[0] -= c * z[1], Lv[1] += c * z[0];
}

static void chain_5(const double *k, const double *z, const double *v, double *out)
{
    chain(5, k, z, v, out);
}

static void chain_20(const double *k, const double *z, const double *v, double *out)
{
    chain(20, k, z, v, out);
}

/* U(x, B, C) of m1 = 3, m2 = 2, I1 = diag(1, 1.2, 1.5), I2 = diag(0.5, 0.6, 0.8), G = 1. */
static void pair(const double *k, const double *z, const double *v, double *out)
{
    static const double I1[3] = {2, 2.4, 3}, I2[3] = {1.5, 1.8, 2.4};
    double A[3], C[3], sum = 0;
    const double i2 = 1 / (z[0] * z[0] + z[1] * z[1] + z[2] * z[2]), i3 = sqrt(i2) * i2, q = 3 * i3 * i2;
    (void)k, (void)v;
    for (size_t j = 0; j < 3; j++) {
        const double a = z[3 + j] * z[0] + z[6 + j] * z[1] + z[9 + j] * z[2],
                     c = z[12 + j] * z[0] + z[15 + j] * z[1] + z[18 + j] * z[2];
        A[j] = I1[j] * a, C[j] = I2[j] * c;
        sum += a * A[j] + c * C[j];
        A[j] *= q, C[j] *= q;
    }
    const double along = 6 * i3 + 19.65 * i3 * i2 - 2.5 * q * i2 * sum;
    for (size_t i = 0; i < 3; i++) {
        out[i] = along * z[i];
        for (size_t j = 0; j < 3; j++) {
            out[i] += z[3 + 3 * i + j] * A[j] + z[12 + 3 * i + j] * C[j];
            out[3 + 3 * i + j] = z[i] * A[j];
            out[12 + 3 * i + j] = z[i] * C[j];
        }
    }
}

/* Twenty spins: -k[0] sum (s_i . s_j)^2 over neighbours. */
static void spins(const double *k, const double *z, const double *v, double *out)
{
    (void)v;
    for (size_t i = 0; i < 60; i++)
        out[i] = 0;
    for (size_t i = 0; i < 57; i += 3) {
        const double c = -2 * k[0] * (z[i] * z[i + 3] + z[i + 1] * z[i + 4] + z[i + 2] * z[i + 5]);
        for (size_t j = i; j < i + 3; j++) {
            out[j] += c * z[j + 3];
            out[j + 3] += c * z[j];
        }
    }
}

/* ---- Formulas ------------------------------------------------------------------------------------ */

#define ANGLES                                                                                               \
    "  space: {a: {in: R1, unit: rad}, b: {in: R1, unit: rad}}\n"                                            \
    "  parameters: {m1: 1, m2: 2, l1: 1.5, l2: 0.7, g: 9.81, c: 0.1}\n"                                      \
    "  where: {p: '[l1*sin(a), -l1*cos(a)]', s: 'p + [l2*sin(b), -l2*cos(b)]', T: 'm1/2*dot(d(p), d(p)) + "  \
    "m2/2*dot(d(s), d(s))', U: m1*g*p.y + m2*g*s.y}\n"
#define FIVE(text) text text text text text
#define TWENTY(text) FIVE(text text text text)
#define SPHERES(times) "initial: {q: [" times("{theta: 2, phi: 0.5}, ") "]}\n"
#define CHAIN(n, times)                                                                                      \
    "  space: {q: 'S2[n]'}\n"                                                                                \
    "  parameters: {n: " #n ", m: [" times("0.5, ") "], l: [" times(                                         \
        "0.7, ") "], g: 9.81, c: 0.1}\n"                                                                     \
                 "  where: {'p[0]': '0*e1', 'p[i=1..n]': 'p[i-1] + l[i]*q[i]', T: 'sum(i=1..n, m[i]/2*dot(d(p[i]), d(p[i])))', U: 'sum(i=1..n, m[i]*g*p[i].z)'}\n"
#define MAGNETIC "  lagrangian: T - U + c/2*dot(e3, cross(p[1], d(p[1])))\n"
#define FIVE_NUMBERS(x) x, x, x, x, x
#define TWENTY_NUMBERS(x) FIVE_NUMBERS(x), FIVE_NUMBERS(x), FIVE_NUMBERS(x), FIVE_NUMBERS(x)

const formulas_row formulas_rows[FORMULAS] = {
    {"elastic-pendulum", "a mass on a spring",
     .model = "  space: {r: R1, q: S2}\n"
              "  parameters: {m: 1, k: 40, l: 1, g: 9.81}\n"
              "  where: {p: r*q}\n"
              "  kinetic: m/2*dot(d(p), d(p))\n"
              "  potential: k/2*(r - l)^2 + m*g*p.z\n"
              "initial: {q: [1.2, {theta: 2, phi: 0.3}]}\n"},
    {"double-pendulum", "a double pendulum on two circles",
     .model = "  space: {a: S1, b: S1}\n"
              "  parameters: {m1: 1, m2: 2, l1: 1, l2: 0.7, g: 9.81}\n"
              "  where: {p: l1*a, s: p + l2*b}\n"
              "  kinetic: m1/2*dot(d(p), d(p)) + m2/2*dot(d(s), d(s))\n"
              "  potential: m1*g*p.y + m2*g*s.y\n"
              "initial: {q: [{angle: 0.1}, {angle: -0.9}]}\n"},
    {"double-pendulum-angles", "the same by its angles",
     .model = ANGLES "  kinetic: T\n  potential: U\n"
                     "initial: {q: [0.1, -0.9]}\n"},
    {"double-pendulum-L", "the same as a general L",
     .model = ANGLES "  lagrangian: T - U + c*a*bdot\n"
                     "initial: {q: [0.1, -0.9]}\n",
     RIVAL_HAND, "gradient of L", double_pendulum},
    {"driven-pivot", "a pendulum whose pivot vibrates",
     .model = "  space: {a: S1}\n"
              "  parameters: {m: 1, l: 1, g: 9.81, h: 0.1, w: 60}\n"
              "  where: {p: '[0, h*sin(w*t)] + l*a'}\n"
              "  kinetic: m/2*dot(d(p), d(p))\n"
              "  potential: m*g*p.y\n"
              "initial: {q: [{angle: 1.4}]}\n"},
    {"rotating-hoop", "a bead on a hoop whose rate varies",
     .model = "  space: {a: S1}\n"
              "  parameters: {m: 1, r: 0.5, g: 9.81, w: 6, e: 0.2, nu: 3}\n"
              "  where: {p: 'r*[a.x, 0, a.y]', u: 'd(p) + cross(w*(1 + e*sin(nu*t))*e3, p)'}\n"
              "  kinetic: m/2*dot(u, u)\n"
              "  potential: m*g*p.z\n"
              "initial: {q: [{angle: -1.2}]}\n"},
    {"magnetic-mirror", "a charge in a magnetic mirror",
     .model = "  space: {x: R3}\n"
              "  parameters: {m: 1, e: 1, B: 5, c: 2}\n"
              "  where: {A: 'B/2*(1 + x.z^2/c^2)*[-x.y, x.x, 0]'}\n"
              "  lagrangian: m/2*dot(xdot, xdot) + e*dot(A, xdot)\n"
              "initial: {q: [[0.4, 0.1, 0]]}\n"},
    {"heavy-top", "a heavy top by its angular velocity",
     .model = "  space: {B: SO3}\n"
              "  parameters: {m: 1.5, r: [0.1, 0, 0.4], J: [0.3, 0.4, 0.2], g: 9.81}\n"
              "  where: {p: B*r}\n"
              "  kinetic: m/2*dot(d(p), d(p)) + dot(omega(B), diag(J[1], J[2], J[3])*omega(B))/2\n"
              "  potential: m*g*p.z\n"
              "initial: {q: [{axis: [1, 0.2, 0], angle: 0.6}]}\n"},
    {"two-bodies", "two bodies on ball joints, with a spring",
     .model =
         "  space: {B: SO3, C: SO3}\n"
         "  parameters: {m: 1, J: [0.1, 0.12, 0.05], c: [0, 0.1, -0.5], a: [0, 0, -1], k: 3, g: 9.81}\n"
         "  where: {p: B*c, s: B*a + C*c}\n"
         "  kinetic: m/2*(dot(d(p), d(p)) + dot(d(s), d(s))) + (dot(omega(B), diag(J[1], J[2], J[3])*omega(B)) + "
         "dot(omega(C), diag(J[1], J[2], J[3])*omega(C)))/2\n"
         "  potential: g*m*(p.z + s.z) + k/2*(norm(p - s) - 0.3)^2\n"
         "initial: {q: [{axis: [1, 0, 0], angle: 1}, {axis: [0, 1, 0.5], angle: -0.7}]}\n"},
    {"chain-5", "a chain of 5 links", .model = CHAIN(5, FIVE) "  kinetic: T\n  potential: U\n" SPHERES(FIVE)},
    {"chain-20", "a chain of 20 links",
     .model = CHAIN(20, TWENTY) "  kinetic: T\n  potential: U\n" SPHERES(TWENTY)},
    {"chain-5-L", "a chain of 5 links as a general L", .model = CHAIN(5, FIVE) MAGNETIC SPHERES(FIVE),
     RIVAL_LOOPS, "gradient of L", chain_5,
     (const double[]){FIVE_NUMBERS(0.5), FIVE_NUMBERS(0.7), 9.81, 0.1}},
    {"chain-20-L", "a chain of 20 links as a general L", .model = CHAIN(20, TWENTY) MAGNETIC SPHERES(TWENTY),
     RIVAL_LOOPS, "gradient of L", chain_20,
     (const double[]){TWENTY_NUMBERS(0.5), TWENTY_NUMBERS(0.7), 9.81, 0.1}},
    {"quadrotor", "a quadrotor with an elastic cable of three links",
     .model =
         "  space: {x: R3, B: SO3, q: 'S2[3]'}\n"
         "  parameters: {M: 1, J: [0.1, 0.1, 0.2], r: [0, 0, -0.1], m: 0.1, l: 0.5, k: 0.3, g: 9.81, F: 13}\n"
         "  where: {'p[0]': x + B*r, 'p[i=1..3]': 'p[i-1] + l*q[i]'}\n"
         "  kinetic: M/2*dot(xdot, xdot) + dot(omega(B), diag(J[1], J[2], J[3])*omega(B))/2 + sum(i=1..3, "
         "m/2*dot(d(p[i]), d(p[i])))\n"
         "  potential: M*g*x.z + sum(i=1..3, m*g*p[i].z) + k/2*sum(i=1..2, dot(q[i+1] - q[i], q[i+1] - q[i])^2)\n"
         "  forces: [{at: x, force: F*B*e3}]\n"
         "initial: {q: [[0, 0, 0], {axis: [1, 0, 0], angle: 0.1}, [0, 0, -1], [0, 0, -1], [0, 0, -1]]}\n"},
    {"rolling-disk", "a disk that rolls",
     .model = "  space: {x: R3, B: SO3}\n"
              "  parameters: {m: 1, r: 0.5, J: [0.0625, 0.0625, 0.125], g: 9.81}\n"
              "  where: {n: B*e3, h: 'cross(n, cross(e3, n))/norm(cross(e3, n))'}\n"
              "  kinetic: m/2*dot(xdot, xdot) + dot(omega(B), diag(J[1], J[2], J[3])*omega(B))/2\n"
              "  potential: m*g*x.z\n"
              "  constraints: ['xdot - cross(B*omega(B), r*h) = 0*e1']\n"
              "initial: {q: [[0, 0, 0.44], {axis: [1, 0, 0], angle: 1.07}]}\n"},
    {"quadrupoles", "two bodies with quadrupoles",
     .model =
         "  space: {x: R3, B: SO3, C: SO3}\n"
         "  parameters: {G: 1, m1: 3, m2: 2, I1: [[1, 0, 0], [0, 1.2, 0], [0, 0, 1.5]], I2: [[0.5, 0, 0], [0, 0.6, "
         "0], [0, 0, 0.8]]}\n"
         "  where: {r: norm(x), a: B.T*x, b: C.T*x}\n"
         "  kinetic: m1*m2/(m1 + m2)/2*dot(xdot, xdot) + (dot(omega(B), I1*omega(B)) + dot(omega(C), I2*omega(C)))/2\n"
         "  potential: -G*m1*m2/r - G/(2*r^3)*(m2*trace(I1) + m1*trace(I2)) + 3*G/(2*r^5)*(m2*dot(a, I1*a) + m1*dot(b, "
         "I2*b))\n"
         "initial: {q: [[1.5, 0.7, -1.1], {axis: [1, 0, 0], angle: 1}, {axis: [0, 1, 0], angle: 2}]}\n",
     RIVAL_HAND, "gradient", pair},
    {"spins", "twenty spins with biquadratic exchange",
     .model =
         "  space: {s: 'spin[n]'}\n"
         "  parameters: {n: 20, J: 1, K: 0.3, b: 0.2}\n"
         "  energy: -J*sum(i=1..n-1, dot(s[i], s[i+1])) - K*sum(i=1..n, s[i].z^2) - b*sum(i=1..n-1, dot(s[i], "
         "s[i+1])^2)\n" SPHERES(TWENTY),
     RIVAL_LOOPS, "gradient", spins, (const double[]){0.2}},
    {"driven-cart", "a driven cart with friction and a pendulum",
     .model = "  space: {x: R1, a: S1}\n"
              "  parameters: {M: 2, m: 0.5, l: 0.8, g: 9.81, c: 0.6, F: 3, w: 4}\n"
              "  where: {p: '[x, 0] + l*a'}\n"
              "  kinetic: M/2*xdot^2 + m/2*dot(d(p), d(p))\n"
              "  potential: m*g*p.y\n"
              "  dissipation: c/2*xdot^2\n"
              "  forces: [{at: '[x, 0]', force: '[F*sin(w*t), 0]'}]\n"
              "initial: {q: [0, {angle: -0.4}]}\n"},
    {"kepler", "Kepler's problem",
     .model = "  space: {x: R3}\n"
              "  parameters: {m: 1, mu: 1}\n"
              "  kinetic: m/2*dot(xdot, xdot)\n"
              "  potential: -m*mu/norm(x)\n"
              "initial: {q: [[1, 0, 0]]}\n",
     RIVAL_CATALOGUE, "gradient", .twin = "model: kepler\nparameters: {G: 1, masses: 1}\n"},
    {"three-bodies", "three points under mutual gravity",
     .model = "  space: {x: 'R3[3]'}\n"
              "  parameters: {m: [1, 1, 1], G: 1}\n"
              "  kinetic: sum(i=1..3, m[i]/2*dot(d(x[i]), d(x[i])))\n"
              "  potential: -G*sum(i=1..2, sum(j=i+1..3, m[i]*m[j]/norm(x[i] - x[j])))\n"
              "initial: {q: [[1, 0, 0], [0, 1, 0], [0, 0, 1]]}\n",
     RIVAL_CATALOGUE, "gradient", .twin = "model: n-body\n"},
    {"snakeboard", "the model of the catalogue", .model = "model: snakeboard\n"},
    {"car-trailers", "the model of the catalogue", .model = "model: car-trailers\n"},
    {"chaotic-quartic", "the model of the catalogue", .model = "model: chaotic-quartic\n"},
    {"belt-ball", "the model of the catalogue", .model = "model: belt-ball\n"},
};
