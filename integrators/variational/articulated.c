/* SPDX-License-Identifier: BSD-3-Clause */
/* The variational integrator on trees of rigid bodies with ball joints (ph_articulation), of order 2: the
 * step of product.c in time proportional to n, without the matrix of the inertia. F_i is the turn
 * of body i in space (R+ = F R), c_i leads from its joint to its centre of mass and d_i from its parent's
 * joint to its own, all in space at the start of the step. Increments of joints and centres of mass are
 *     Dy_i = Dy_parent + (F_parent - I) d_i,   Dx_i = Dy_i + (F_i - I) c_i,
 * h times what passes through the joint is L_i = m_i Dx_i + sum of the children's L, and -D_1 L_d = p says
 *     R_i = spin(F_i) + c_i x m_i Dx_i + sum over children d x L - h S_i - (h^2/2) tau_i = 0,
 *     spin(F) = vee(F J_d - J_d F^T),   S_i = R_i Pi_i,
 * tau_i the torque of gravity (w x G, w the mass times the lever of all that hangs on the body) and of forces
 * that do not look at the velocity.
 *
 * Unknowns are the vectors v_i of the turns' unit quaternions (q0, v), without trigonometric functions:
 *     spin = 2 q0 J v + 2 v x J v,   (F - I) c = 2 q0 v x c + 2 v x (v x c).
 * Newton's equation for small turns e_i of R+ (on the left) has
 *     d spin = K e,   K = tr(B) I - B,   B = F J_d;   d(F c) = e x c+,   c+ = F c,
 * and is solved by elimination from the leaves, where dL = A dy + beta is known of the children:
 *     Q = K - m S(c) S(c+) - sum S(d) A S(d+),
 *     T = m S(c) + sum S(d) A,   W = -m S(c+) - sum A S(d+),
 *     e = -Q^{-1} (T dy + rho),   rho = R + sum d x beta,
 *     A <- m I + sum A - W Q^{-1} T,   beta <- sum beta - W Q^{-1} rho,
 * 3 x 3 matrices throughout. On the branch from h = 0 every Q begins symmetric and positive definite; a root
 * where one has det Q < 0 is not taken, and where turns are large or Newton is slow the branch is followed.
 *
 * The momentum in the frame of the surroundings is summed up:
 *     S+ - S = (1/h) { (c+ - c) x m Dx + sum (d+ - d) x L } + (h/2) (tau + tau+),
 * whose first part sums to zero over the bodies for any turns (as sum Dx x m Dx), so that what Newton leaves
 * stays out of the momentum map.
 *
 * Sources: Marsden, West, Acta Numerica 10 (2001), parts 1 and 3; Lee, Leok, McClamroch, Comput. Methods
 * Appl. Mech. Engrg. 196 (2007) 2907; Featherstone, Rigid Body Dynamics Algorithms, Springer 2008,
 * chapter 7. */
#include <polhode/algebra.h>

#include "variational.h"

#include <float.h>
#include <string.h>

/* Turns whose v is longer (0.25: by 29 degrees), slower contraction, and larger first corrections are left to
 * the solver that knows what to do about them. */
enum { MAX_PASSES = 6, HISTORY = 5 };
static const double largest_v = 0.25, correction_wanted = 0.02, contraction_wanted = 0.05;
/* What rounding leaves in the residual of one body beside the magnitudes of its terms; the places of n bodies
 * are sums that grow from the root, whose roundings are a walk. And where a residual cannot be told from
 * rounding. */
static const double rounding_floor = 0.5 * DBL_EPSILON, rounding_walk = 0.3, rounding_level = 1e-12;
/* Beside the turns, what no longer matters. */
static const double lost = 0.01 * DBL_EPSILON;
/* Of what Newton's first correction leaves over its square, at most (1/rad): about 1 but for stiff chains. */
static const double curvature = 10;

#define ALWAYS static inline __attribute__((always_inline))

enum { NONE = -1 };

/* What does not change. */
typedef struct joints_body {
    double mass, J[6], c[3], d[3], w[3]; /* in the body frame, d in the parent's; J: xx yy zz yz xz xy */
    ptrdiff_t parent, child, sibling;    /* of the children the last comes first; or NONE */
} joints_body;

/* One body in a step. */
typedef struct joints_node {
    double c[3], d[3], J[6], load[3]; /* at its start, in space; h S + (h^2/2) tau */
    double v[3], q0;                  /* turn: the unknown */
    double Dy[3], Dc[3], Dd[3];       /* increments of joint, c and d */
    double d1[3];                     /* d+ when the matrices were made */
    double P[3], L[3], r[3];          /* m Dx, L and the residual */
    double inverse_size;              /* 1 / magnitude of the residual's terms; ... */
    double reach, heft;               /* ... and sums of magnitudes: of Dy, of L */
    double A[9], W[9], G[9], Q[9];    /* G = Q^{-1} T; Q is the inverse */
    double beta[3], y[3];             /* y = Q^{-1} rho */
    double e[3], dy[3];               /* correction: turn and increment of the joint */
} joints_node;

typedef struct joints_scratch {
    const ph_variational *method;
    const ph_context *context;
    size_t n;
    bool forced;
    double h, G[3];
    joints_body *bodies;           /* (n) */
    joints_node *nodes;            /* (n) */
    double *z1, *z1_low;           /* (9n) */
    double *f, *none;              /* (9n) force, velocity 0 */
    double *p1, *S1, *low1, *tau1; /* (3n) */
    double *S0, *tau;              /* (3n) at the start of a fresh state; torque at the start */
    double *x;                     /* (3n) unknowns of the general solver */
    double s;                      /* its parameter at the latest residual */
    double floor, level;           /* of |r| beside its terms: at rounding; perhaps */
    ph_newton_work newton;
} joints_scratch;

/* What survives a step. */
typedef struct joints_carry {
    double *h;       /* (1) step size of the turns; 0: empty */
    double *count;   /* (1) turns there are, at most HISTORY */
    double *last;    /* (1) which is the latest */
    double *S, *low; /* (3n) momentum in the frame of the surroundings, a compensated sum */
    double *z_low;   /* (9n) low-order part of the rotations */
    double *weight;  /* (3n) torque of gravity */
    double *turns;   /* (HISTORY x 3n) v */
} joints_carry;

/* ---- Memory ------------------------------------------------------------------------------------- */

static void joints_lay(joints_scratch *w, size_t n, bool forced, ph_lay *l)
{
    ph_lay_bytes(l, sizeof *w);
    double **nine[] = {&w->z1, &w->z1_low, &w->f, &w->none}, /* the last two for forces */
        **three[] = {&w->p1, &w->S1, &w->low1, &w->tau1, &w->S0, &w->tau, &w->x};
    w->nodes = ph_lay_bytes(l, n * sizeof(joints_node));
    w->bodies = ph_lay_bytes(l, n * sizeof(joints_body));
    for (size_t i = 0; i < (forced ? 4 : 2); i++)
        *nine[i] = ph_lay_doubles(l, 9 * n);
    for (size_t i = 0; i < sizeof three / sizeof three[0]; i++)
        *three[i] = ph_lay_doubles(l, 3 * n);
    ph_newton_sparse_place(&w->newton, 3 * n, l);
}

static ph_method_size joints_size(const ph_system *system, const double *options)
{
    joints_scratch w;
    ph_lay l = {NULL, 0};
    size_t n = ph_space_factors(ph_system_space(system));
    (void)options;
    joints_lay(&w, n, ph_system_has_force(system), &l);
    return (ph_method_size){.work = l.bytes, .carry = 3 + (6 + HISTORY) * 3 * n};
}

static joints_carry joints_carry_at(double *memory, size_t n)
{
    double *S = memory + 3;
    return (joints_carry){.h = memory,
                          .count = memory + 1,
                          .last = memory + 2,
                          .S = S,
                          .low = S + 3 * n,
                          .z_low = S + 6 * n,
                          .weight = S + 15 * n,
                          .turns = S + 18 * n};
}

/* ---- Structure, once ---------------------------------------------------------------------------- */

static void joints_fill_body(joints_body *b, const ph_articulation *a, size_t i)
{
    const double *J = a->inertia + 9 * i;
    size_t p = a->parent[i];
    *b = (joints_body){.mass = a->mass[i],
                       .J = {J[0], J[4], J[8], J[5], J[2], J[1]},
                       .parent = p == PH_NO_INDEX ? NONE : (ptrdiff_t)p,
                       .child = NONE,
                       .sibling = NONE};
    for (size_t k = 0; k < 3; k++) {
        b->c[k] = -a->joint[3 * i + k];
        b->d[k] = p == PH_NO_INDEX ? 0 : a->anchor[3 * i + k] - a->joint[3 * p + k];
    }
}

/* w, with the mass below in reach for the moment; children. */
static void joints_link_bodies(joints_scratch *w)
{
    for (size_t i = w->n; i-- > 0;) {
        joints_body *b = &w->bodies[i], *p = b->parent == NONE ? NULL : &w->bodies[b->parent];
        double *below = &w->nodes[i].reach;
        *below += b->mass;
        for (size_t k = 0; k < 3; k++)
            b->w[k] += b->mass * b->c[k];
        if (!p)
            continue;
        w->nodes[b->parent].reach += *below;
        for (size_t k = 0; k < 3; k++)
            p->w[k] += *below * b->d[k];
    }
    for (size_t i = 0; i < w->n; i++) { /* so that the last child comes first, as elimination meets them */
        joints_body *b = &w->bodies[i];
        if (b->parent == NONE)
            continue;
        b->sibling = w->bodies[b->parent].child;
        w->bodies[b->parent].child = (ptrdiff_t)i;
    }
}

static ph_status joints_init(ph_variational *method, ph_context *context)
{
    joints_scratch *w = method->work;
    ph_lay l = {method->work, 0};
    const ph_articulation *a = ph_system_articulation(context->system);
    w->method = method;
    w->context = context;
    w->n = ph_space_factors(ph_system_space(context->system));
    w->forced = ph_system_has_force(context->system);
    w->h = context->h;
    w->floor = rounding_floor * (1 + rounding_walk * sqrt((double)w->n));
    w->level = rounding_level / rounding_floor * w->floor;
    memcpy(w->G, a->gravity, sizeof w->G);
    joints_lay(w, w->n, w->forced, &l);
    if (w->forced)
        memset(w->none, 0, 9 * w->n * sizeof *w->none);
    memset(w->nodes, 0, w->n * sizeof *w->nodes);
    for (size_t i = 0; i < w->n; i++)
        joints_fill_body(&w->bodies[i], a, i);
    joints_link_bodies(w);
    return PH_OK;
}

/* ---- Small algebra ------------------------------------------------------------------------------ */

ALWAYS double larger(double a, double b)
{
    return a > b ? a : b;
}

ALWAYS double sum_of_sizes(const double a[3])
{
    return fabs(a[0]) + fabs(a[1]) + fabs(a[2]);
}

ALWAYS double largest_of(const double a[3])
{
    return larger(fabs(a[0]), larger(fabs(a[1]), fabs(a[2])));
}

/* y <- J x, J: xx yy zz yz xz xy */
ALWAYS void apply_symmetric(const double J[6], const double x[3], double y[3])
{
    y[0] = J[0] * x[0] + J[5] * x[1] + J[4] * x[2];
    y[1] = J[5] * x[0] + J[1] * x[1] + J[3] * x[2];
    y[2] = J[4] * x[0] + J[3] * x[1] + J[2] * x[2];
}

/* J1 <- R J R^T */
ALWAYS void turn_tensor(const double *R, const double J[6], double J1[6])
{
    double X[9];
    for (int i = 0; i < 3; i++)
        apply_symmetric(J, R + 3 * i, X + 3 * i);
    for (int k = 0; k < 3; k++)
        J1[k] = ph_dot3(X + 3 * k, R + 3 * k);
    J1[3] = ph_dot3(X + 3, R + 6);
    J1[4] = ph_dot3(X, R + 6);
    J1[5] = ph_dot3(X, R + 3);
}

/* u <- (F - I) a */
ALWAYS void turn_increment(const double v[3], double q0, const double a[3], double u[3])
{
    double w[3] = {2 * v[0], 2 * v[1], 2 * v[2]}, t[3];
    ph_cross3(w, a, t);
    ph_cross3(v, t, u);
    for (int k = 0; k < 3; k++)
        u[k] += q0 * t[k];
}

/* a += b x c */
ALWAYS void joints_add_cross(double a[3], const double b[3], const double c[3])
{
    a[0] += b[1] * c[2] - b[2] * c[1];
    a[1] += b[2] * c[0] - b[0] * c[2];
    a[2] += b[0] * c[1] - b[1] * c[0];
}

/* ---- The step's parts --------------------------------------------------------------------------- */

/* Geometry of body i at the start. */
ALWAYS void joints_place_body(const joints_scratch *w, const double *z, size_t i)
{
    const joints_body *b = &w->bodies[i];
    joints_node *k = &w->nodes[i];
    const double *R = z + 9 * i;
    ph_apply3(R, b->c, k->c);
    turn_tensor(R, b->J, k->J);
    if (b->parent != NONE)
        ph_apply3(z + 9 * b->parent, b->d, k->d);
}

/* From the turn: increments, m Dx, and the residual without the children. */
ALWAYS void joints_move_body(const joints_scratch *w, size_t i, bool measure)
{
    const joints_body *b = &w->bodies[i];
    joints_node *k = &w->nodes[i];
    const double *v = k->v;
    double twice[3] = {2 * v[0], 2 * v[1], 2 * v[2]}, Jw[3], turn[3], spin[3], reach = 0;
    k->q0 = sqrt(1 - ph_dot3(v, v));
    if (b->parent == NONE) {
        memset(k->Dy, 0, sizeof k->Dy);
    } else {
        const joints_node *p = &w->nodes[b->parent];
        turn_increment(p->v, p->q0, k->d, k->Dd);
        for (int a = 0; a < 3; a++)
            k->Dy[a] = p->Dy[a] + k->Dd[a];
        if (measure)
            reach = p->reach + sum_of_sizes(k->Dd);
    }
    turn_increment(v, k->q0, k->c, k->Dc);
    apply_symmetric(k->J, twice, Jw);
    ph_cross3(v, Jw, spin);
    for (int a = 0; a < 3; a++) {
        k->L[a] = k->P[a] = b->mass * (k->Dy[a] + k->Dc[a]);
        spin[a] += k->q0 * Jw[a];
    }
    ph_cross3(k->c, k->P, turn);
    for (int a = 0; a < 3; a++)
        k->r[a] = (spin[a] - k->load[a]) + turn[a];
    if (measure) {
        k->reach = reach;
        k->heft = b->mass * (reach + sum_of_sizes(k->Dc));
        k->inverse_size = sum_of_sizes(spin) + sum_of_sizes(k->load) +
                          sum_of_sizes(k->c) * k->heft; /* its reciprocal later */
    }
}

/* What the children pass on, and with that the residual. */
ALWAYS void joints_gather_children(const joints_scratch *w, size_t i, bool measure)
{
    joints_node *k = &w->nodes[i];
    for (ptrdiff_t c = w->bodies[i].child; c != NONE; c = w->bodies[c].sibling) {
        const joints_node *from = &w->nodes[c];
        for (int a = 0; a < 3; a++)
            k->L[a] += from->L[a];
        joints_add_cross(k->r, from->d, from->L);
        if (measure) {
            k->heft += from->heft;
            k->inverse_size += sum_of_sizes(from->d) * from->heft;
        }
    }
    if (measure)
        k->inverse_size = 1 / (k->inverse_size + DBL_MIN);
}

/* Q <- its inverse; the return value is det Q. */
ALWAYS double joints_invert(double Q[9])
{
    double I[9];
    ph_cross3(Q + 3, Q + 6, I);
    ph_cross3(Q + 6, Q, I + 3);
    ph_cross3(Q, Q + 3, I + 6);
    double determinant = ph_dot3(Q, I), inverse = 1 / determinant;
    for (int r = 0; r < 3; r++)
        for (int c = 0; c < 3; c++)
            Q[3 * r + c] = inverse * I[3 * c + r];
    return determinant;
}

/* Is the symmetric part of Q positive definite? */
static bool joints_is_positive(const double Q[9])
{
    double a = Q[0], b = Q[4], c = Q[8], d = 0.5 * (Q[5] + Q[7]), e = 0.5 * (Q[2] + Q[6]),
           f = 0.5 * (Q[1] + Q[3]);
    double minor = a * b - f * f;
    return a > 0 && minor > 0 && c * minor - (a * d * d - 2 * d * e * f + b * e * e) > 0;
}

/* Q <- K - m S(c) S(c+), the part of the body itself. */
ALWAYS void joints_own_pivot(const joints_node *k, double mass, const double c1[3], double Q[9])
{
    const double *v = k->v, *J = k->J;
    double w[3] = {2 * v[0], 2 * v[1], 2 * v[2]}, x[3] = {k->q0 * w[0], k->q0 * w[1], k->q0 * w[2]}, B[9],
           mc[3];
    double square = 1 - ph_dot3(v, w), half = 0.5 * (J[0] + J[1] + J[2]);
    double F[9] = {square + v[0] * w[0], v[0] * w[1] - x[2],   v[0] * w[2] + x[1],
                   v[1] * w[0] + x[2],   square + v[1] * w[1], v[1] * w[2] - x[0],
                   v[2] * w[0] - x[1],   v[2] * w[1] + x[0],   square + v[2] * w[2]};
    double Jd[6] = {half - J[0], half - J[1], half - J[2], -J[3], -J[4], -J[5]};
    for (int r = 0; r < 3; r++) {
        apply_symmetric(Jd, F + 3 * r, B + 3 * r);
        mc[r] = mass * k->c[r];
    }
    double trace = B[0] + B[4] + B[8] + ph_dot3(mc, c1);
    for (int r = 0; r < 3; r++)
        for (int s = 0; s < 3; s++)
            Q[3 * r + s] = (r == s ? trace : 0) - (B[3 * r + s] + c1[r] * mc[s]);
}

/* Eliminate body i, whose residual is complete: see the head of this file. The return value is det Q. */
ALWAYS double joints_eliminate(const joints_scratch *w, size_t i, bool *positive)
{
    const joints_body *b = &w->bodies[i];
    joints_node *k = &w->nodes[i];
    double m = b->mass, c1[3], rho[3], T[9], WG[9];
    for (int a = 0; a < 3; a++) {
        c1[a] = k->c[a] + k->Dc[a];
        rho[a] = k->r[a];
        k->beta[a] = 0;
    }
    joints_own_pivot(k, m, c1, k->Q);
    double mc[3] = {m * k->c[0], m * k->c[1], m * k->c[2]}, mc1[3] = {m * c1[0], m * c1[1], m * c1[2]};
    const double A0[9] = {m, 0, 0, 0, m, 0, 0, 0, m};
    const double T0[9] = {0, -mc[2], mc[1], mc[2], 0, -mc[0], -mc[1], mc[0], 0};
    const double W0[9] = {0, mc1[2], -mc1[1], -mc1[2], 0, mc1[0], mc1[1], -mc1[0], 0};
    memcpy(k->A, A0, sizeof A0);
    memcpy(T, T0, sizeof T);
    memcpy(k->W, W0, sizeof W0);
    for (ptrdiff_t at = b->child; at != NONE; at = w->bodies[at].sibling) {
        joints_node *from = &w->nodes[at];
        const double *A = from->A, *d = from->d;
        double AS[9];
        for (int r = 0; r < 3; r++)
            from->d1[r] = d[r] + from->Dd[r];
        for (int r = 0; r < 3; r++)
            ph_cross3(A + 3 * r, from->d1, AS + 3 * r); /* A S(d+) */
        for (int s = 0; s < 9; s++) {
            k->A[s] += A[s];
            k->W[s] -= AS[s];
        }
        for (int s = 0; s < 3; s++) { /* S(d) X: columns d x X */
            T[s] += d[1] * A[6 + s] - d[2] * A[3 + s];
            T[3 + s] += d[2] * A[s] - d[0] * A[6 + s];
            T[6 + s] += d[0] * A[3 + s] - d[1] * A[s];
            k->Q[s] -= d[1] * AS[6 + s] - d[2] * AS[3 + s];
            k->Q[3 + s] -= d[2] * AS[s] - d[0] * AS[6 + s];
            k->Q[6 + s] -= d[0] * AS[3 + s] - d[1] * AS[s];
            k->beta[s] += from->beta[s];
        }
        joints_add_cross(rho, d, from->beta);
    }
    if (positive)
        *positive = *positive && joints_is_positive(k->Q);
    double determinant = joints_invert(k->Q);
    ph_multiply3(k->Q, T, k->G);
    ph_apply3(k->Q, rho, k->y);
    ph_multiply3(k->W, k->G, WG);
    for (int s = 0; s < 9; s++)
        k->A[s] -= WG[s];
    for (int a = 0; a < 3; a++)
        k->beta[a] -= ph_dot3(k->W + 3 * a, k->y);
    return determinant;
}

/* The same for another right-hand side: r. */
ALWAYS void joints_reduce(const joints_scratch *w, size_t i)
{
    joints_node *k = &w->nodes[i];
    double rho[3] = {k->r[0], k->r[1], k->r[2]}, beta[3] = {0, 0, 0};
    for (ptrdiff_t at = w->bodies[i].child; at != NONE; at = w->bodies[at].sibling) {
        const joints_node *from = &w->nodes[at];
        for (int a = 0; a < 3; a++)
            beta[a] += from->beta[a];
        joints_add_cross(rho, from->d, from->beta);
    }
    ph_apply3(k->Q, rho, k->y);
    for (int a = 0; a < 3; a++)
        k->beta[a] = beta[a] - ph_dot3(k->W + 3 * a, k->y);
}

/* e of body i, whose parent is done. */
ALWAYS void joints_substitute(const joints_scratch *w, size_t i)
{
    const joints_body *b = &w->bodies[i];
    joints_node *k = &w->nodes[i];
    if (b->parent == NONE) {
        memset(k->dy, 0, sizeof k->dy);
    } else {
        const joints_node *p = &w->nodes[b->parent];
        memcpy(k->dy, p->dy, sizeof k->dy);
        joints_add_cross(k->dy, p->e, k->d1);
    }
    for (int a = 0; a < 3; a++)
        k->e[a] = -(ph_dot3(k->G + 3 * a, k->dy) + k->y[a]);
}

/* The correction of the turn's unknown: the vector of (0, e/2) times the quaternion. */
ALWAYS void joints_correct(const joints_node *k, double dv[3])
{
    ph_cross3(k->e, k->v, dv);
    for (int a = 0; a < 3; a++)
        dv[a] = 0.5 * (k->q0 * k->e[a] + dv[a]);
}

/* ---- Passes over all bodies --------------------------------------------------------------------- */

typedef struct joints_course {
    double norm;    /* largest |r| beside its terms */
    double total;   /* no number if one of them is none */
    double delta;   /* largest correction [rad] */
    double longest; /* largest |v|^2 */
    bool positive;  /* was every det Q > 0? */
} joints_course;

/* The order of differences that the guess extrapolates with. */
static const double extrapolation[HISTORY][HISTORY] = {
    {1}, {2, -1}, {3, -3, 1}, {4, -6, 4, -1}, {5, -10, 10, -5, 1}};

static const double *joints_weights_of(const joints_scratch *w, size_t count)
{
    return w->method->stage ? w->method->stage->increments[count - 1] : extrapolation[count - 1];
}

/* From the root: places, the guess, and what follows from it. */
PH_WITH_FMA static void joints_begin(const joints_scratch *w, const double *z, const joints_carry *c,
                                     const double *tau, joints_course *run)
{
    run->longest = 0;
    size_t count = (size_t)*c->count, last = (size_t)*c->last, np = 3 * w->n;
    const double *weight = joints_weights_of(w, count), *turns[HISTORY];
    for (size_t m = 0; m < count; m++)
        turns[m] = c->turns + (last + HISTORY - m) % HISTORY * np;
    for (size_t i = 0; i < w->n; i++) {
        joints_node *k = &w->nodes[i];
        joints_place_body(w, z, i);
        for (size_t a = 0; a < 3; a++) {
            size_t at = 3 * i + a;
            double v = 0;
            for (size_t m = 0; m < count; m++)
                v += weight[m] * turns[m][at];
            k->v[a] = v;
            k->load[a] = w->h * (c->S[at] + 0.5 * w->h * tau[at]);
        }
        run->longest = larger(ph_dot3(k->v, k->v), run->longest);
        joints_move_body(w, i, true);
    }
}

/* From the leaves: the residual, and elimination. */
PH_WITH_FMA static void joints_descend(const joints_scratch *w, joints_course *run)
{
    run->norm = run->total = 0;
    run->positive = true;
    for (size_t i = w->n; i-- > 0;) {
        joints_gather_children(w, i, true);
        double worst = largest_of(w->nodes[i].r) * w->nodes[i].inverse_size;
        run->norm = larger(worst, run->norm);
        run->total += worst;
        if (!(joints_eliminate(w, i, NULL) > 0))
            run->positive = false;
    }
}

/* The residual alone. */
PH_WITH_FMA static void joints_check(const joints_scratch *w, joints_course *run)
{
    run->norm = run->total = 0;
    for (size_t i = w->n; i-- > 0;) {
        joints_gather_children(w, i, false);
        double worst = largest_of(w->nodes[i].r) * w->nodes[i].inverse_size;
        run->norm = larger(worst, run->norm);
        run->total += worst;
    }
}

PH_WITH_FMA static void joints_reduce_all(const joints_scratch *w)
{
    for (size_t i = w->n; i-- > 0;)
        joints_reduce(w, i);
}

/* From the root: corrections, and what follows from the new turns. */
PH_WITH_FMA static void joints_ascend(const joints_scratch *w, joints_course *run)
{
    run->delta = run->longest = 0;
    for (size_t i = 0; i < w->n; i++) {
        joints_node *k = &w->nodes[i];
        double dv[3];
        joints_substitute(w, i);
        joints_correct(k, dv);
        for (int a = 0; a < 3; a++)
            k->v[a] += dv[a];
        run->delta = larger(largest_of(k->e), run->delta);
        run->longest = larger(ph_dot3(k->v, k->v), run->longest);
        joints_move_body(w, i, false);
    }
}

/* ---- Solving ------------------------------------------------------------------------------------ */

/* Would a further correction be lost beside the turns? Newton's first one leaves about its square, the
 * others, with the same matrices, shrink by the same factor again. What is left is left on the same side in
 * every step, and adds up: a residual that looks like rounding after the first correction is none yet. */
static bool joints_is_last(const joints_course *run, int pass, double before)
{
    double next = pass ? run->delta * (run->delta / before) : curvature * run->delta * run->delta;
    return next * next <= lost * lost * run->longest;
}

/* From the extrapolated turns; false where it is not beyond doubt that this is the root. */
static bool joints_solve_fast(const joints_scratch *w, const ph_state *state, const joints_carry *c,
                              const double *tau, int64_t *passes)
{
    joints_course run = {0};
    joints_begin(w, state->z, c, tau, &run);
    joints_descend(w, &run);
    if (!run.positive || !(run.longest <= largest_v * largest_v))
        return false;
    for (int pass = 0; run.total < INFINITY; pass++) {
        double before = run.delta, norm = run.norm;
        bool rounded = norm <= w->level; /* what follows may be rounding, which is not contracted */
        if (pass > 1 && norm <= w->floor)
            return true;
        if (pass == MAX_PASSES)
            return false;
        if (pass)
            joints_reduce_all(w);
        joints_ascend(w, &run);
        ++*passes;
        if (!(run.longest <= largest_v * largest_v) || !(run.delta <= correction_wanted) ||
            (pass && !rounded && !(run.delta <= contraction_wanted * before)))
            return false;
        joints_check(w, &run);
        if (run.norm <= w->level &&
            (joints_is_last(&run, pass, before) || (rounded && !(run.norm < 0.5 * norm))))
            return true;
    }
    return false;
}

/* The equations for the general solver; what they are at is in w. */
typedef struct joints_problem {
    joints_scratch *w;
    const double *S, *tau;
} joints_problem;

static ph_status joints_residual(void *self, double s, const double *x, double *r, double *scale)
{
    const joints_problem *p = self;
    joints_scratch *w = p->w;
    double h = s * w->h;
    w->s = s;
    for (size_t i = 0; i < w->n; i++) {
        joints_node *k = &w->nodes[i];
        for (size_t a = 0; a < 3; a++) {
            k->v[a] = x[3 * i + a];
            k->load[a] = h * (p->S[3 * i + a] + 0.5 * h * p->tau[3 * i + a]);
        }
        joints_move_body(w, i, true);
    }
    for (size_t i = w->n; i-- > 0;) {
        joints_gather_children(w, i, true);
        for (size_t a = 0; a < 3; a++) {
            r[3 * i + a] = w->nodes[i].r[a];
            scale[3 * i + a] = 1 / w->nodes[i].inverse_size;
        }
    }
    return PH_OK;
}

/* At the latest residual. *sign <- that of det J, the product of all det Q: positive on the branch when it
 * begins, until it turns back. (A single Q may be singular on the way where J is not.) */
static ph_status joints_factor(void *self, int *sign)
{
    const joints_problem *p = self;
    bool regular = true;
    *sign = 1;
    for (size_t i = p->w->n; i-- > 0;) {
        double determinant = joints_eliminate(p->w, i, NULL);
        regular = regular && fabs(determinant) > 0 && fabs(determinant) < INFINITY;
        *sign = determinant > 0 ? *sign : -*sign;
    }
    return regular ? PH_OK : PH_E_SINGULAR;
}

static void joints_solve(void *self, double *r)
{
    const joints_problem *p = self;
    for (size_t i = p->w->n; i-- > 0;) {
        memcpy(p->w->nodes[i].r, r + 3 * i, 3 * sizeof *r);
        joints_reduce(p->w, i);
    }
    for (size_t i = 0; i < p->w->n; i++) {
        double dv[3];
        joints_substitute(p->w, i);
        joints_correct(&p->w->nodes[i], dv);
        for (size_t a = 0; a < 3; a++)
            r[3 * i + a] = -dv[a];
    }
}

static ph_status joints_parameter_derivative(void *self, double *rs)
{
    const joints_problem *p = self;
    for (size_t at = 0; at < 3 * p->w->n; at++)
        rs[at] = -p->w->h * (p->S[at] + p->w->s * p->w->h * p->tau[at]);
    return PH_OK;
}

/* On the branch every Q begins symmetric and positive definite; is its symmetric part so at the root? */
static bool joints_on_the_branch(void *self)
{
    const joints_problem *p = self;
    bool positive = true;
    joints_residual(self, 1, p->w->x, p->w->newton.r, p->w->newton.scale);
    for (size_t i = p->w->n; i-- > 0;)
        joints_eliminate(p->w, i, &positive);
    return positive;
}

static ph_status joints_solve_slowly(joints_scratch *w, ph_context *context, const ph_state *state,
                                     const joints_carry *c, const double *S, const double *tau)
{
    joints_problem p = {w, S, tau};
    const size_t count = *c->h == ph_stage_stamp(w->method->stage, w->h) ? (size_t)*c->count : 0,
                 last = (size_t)*c->last, n = 3 * w->n;
    const ph_implicit_root root = {.equations = {.n = n,
                                                 .size = 0.5, /* v of a turn by about 1 rad */
                                                 .floor = w->level,
                                                 .self = &p,
                                                 .residual = joints_residual,
                                                 .parameter_derivative = joints_parameter_derivative,
                                                 .factor = joints_factor,
                                                 .solve = joints_solve},
                                   .guessed = count > 0,
                                   .on_the_branch = joints_on_the_branch};
    for (size_t i = 0; i < w->n; i++)
        joints_place_body(w, state->z, i);
    for (size_t at = 0; at < n && count; at++) {
        w->x[at] = 0;
        for (size_t m = 0; m < count; m++)
            w->x[at] += joints_weights_of(w, count)[m] * c->turns[(last + HISTORY - m) % HISTORY * n + at];
    }
    return ph_implicit_solve(&root, context, state->t, w->x, &w->newton);
}

/* ---- The end of the step ------------------------------------------------------------------------ */

/* z1 + z1_low <- R+ = R + (F - I) R, corrected. */
static void joints_turn_bodies(const joints_scratch *w, const double *z, const double *z_low)
{
    for (size_t i = 0; i < w->n; i++) {
        const joints_node *k = &w->nodes[i];
        const double *v = k->v, *R = z + 9 * i;
        double *R1 = w->z1 + 9 * i, *low1 = w->z1_low + 9 * i, D[9];
        double u[3] = {2 * v[0], 2 * v[1], 2 * v[2]}, x[3] = {k->q0 * u[0], k->q0 * u[1], k->q0 * u[2]};
        double X[9] = {
            -(v[1] * u[1] + v[2] * u[2]), v[0] * u[1] - x[2],           v[0] * u[2] + x[1],
            v[1] * u[0] + x[2],           -(v[0] * u[0] + v[2] * u[2]), v[1] * u[2] - x[0],
            v[2] * u[0] - x[1],           v[2] * u[1] + x[0],           -(v[0] * u[0] + v[1] * u[1])};
        ph_multiply3(X, R, D);
        for (size_t a = 0; a < 9; a++)
            ph_two_sum(R[a], D[a] + z_low[9 * i + a], &R1[a], &low1[a]);
        ph_rotation_correct_sum3(R1, low1);
    }
}

/* tau (3n) <- torque of gravity at z. */
ALWAYS void joints_weight_at(const joints_scratch *w, size_t i, const double *R, double tau[3])
{
    double lever[3];
    ph_apply3(R, w->bodies[i].w, lever);
    ph_cross3(lever, w->G, tau);
}

/* tau (3n) <- from + the torque of the force f. */
static void joints_add_force(const joints_scratch *w, const double *z, const double *from, double *tau)
{
    for (size_t i = 0; i < w->n; i++) {
        const double *R = z + 9 * i, *f = w->f + 9 * i;
        for (size_t k = 0; k < 3; k++) {
            size_t a = 3 * ((k + 1) % 3), b = 3 * ((k + 2) % 3);
            tau[3 * i + k] = from[3 * i + k] + (ph_dot3(R + a, f + b) - ph_dot3(R + b, f + a));
        }
    }
}

/* S1 + low1 <- S + low + its increment, exact by Knuth's two-sum; p1 from it. tau at the start, end at the
 * end. The return value is no number if one of p1 is none. */
static double joints_new_momenta(const joints_scratch *w, const double *S, const double *low,
                                 const double *tau, const double *end)
{
    double total = 0;
    for (size_t i = 0; i < w->n; i++) {
        const joints_node *k = &w->nodes[i];
        double dS[3];
        ph_cross3(k->Dc, k->P, dS);
        for (ptrdiff_t at = w->bodies[i].child; at != NONE; at = w->bodies[at].sibling)
            joints_add_cross(dS, w->nodes[at].Dd, w->nodes[at].L);
        for (size_t a = 0; a < 3; a++) {
            size_t at = 3 * i + a;
            /* a rounded 1/h would err to one side */
            ph_two_sum(S[at], low[at] + (dS[a] / w->h + 0.5 * w->h * (tau[at] + end[at])), &w->S1[at],
                       &w->low1[at]);
        }
        ph_apply_transposed3(w->z1 + 9 * i, w->S1 + 3 * i, w->p1 + 3 * i);
        total += sum_of_sizes(w->p1 + 3 * i);
    }
    return total;
}

static void joints_commit(const joints_scratch *w, ph_state *state, const joints_carry *c)
{
    size_t n = w->n, bytes = 3 * n * sizeof(double);
    const double stamp = ph_stage_stamp(w->method->stage, w->h);
    size_t next = *c->h == stamp && *c->count > 0 ? ((size_t)*c->last + 1) % HISTORY : 0;
    double *turns = c->turns + next * 3 * n;
    memcpy(state->z, w->z1, 3 * bytes);
    memcpy(c->z_low, w->z1_low, 3 * bytes);
    memcpy(state->p, w->p1, bytes);
    memcpy(c->S, w->S1, bytes);
    memcpy(c->low, w->low1, bytes);
    memcpy(c->weight, w->tau1, bytes);
    for (size_t i = 0; i < n; i++)
        memcpy(turns + 3 * i, w->nodes[i].v, 3 * sizeof *turns);
    *c->count = *c->h != stamp ? 1 : *c->count < HISTORY ? *c->count + 1 : HISTORY;
    *c->last = (double)next;
    *c->h = stamp;
}

static ph_status joints_call_force(joints_scratch *w, const double *z, double t)
{
    return ph_context_judge(w->context, "the force", t,
                            ph_system_force(w->context->system, t, z, w->none, w->f), w->f, 9 * w->n);
}

/* Where the state is fresh: S, and the weight's torque. */
static void joints_begin_fresh(const joints_scratch *w, const ph_state *state)
{
    for (size_t i = 0; i < w->n; i++) {
        ph_apply3(state->z + 9 * i, state->p + 3 * i, w->S0 + 3 * i);
        joints_weight_at(w, i, state->z + 9 * i, w->tau1 + 3 * i);
    }
    memset(w->low1, 0, 3 * w->n * sizeof *w->low1);
}

static ph_status joints_step(ph_variational *method, ph_context *context, ph_state *state)
{
    joints_scratch *w = method->work;
    joints_carry c = joints_carry_at(state->carry, w->n);
    w->h = context->h;
    double t1 = state->t_base + (double)(state->k + 1 - state->k_base) * w->h;
    bool fresh = *c.count == 0;
    const double *S = c.S, *low = c.low, *tau = c.weight, *end = w->tau1;
    ph_status status = PH_OK;
    if (fresh) {
        joints_begin_fresh(w, state);
        S = w->S0;
        low = w->low1;
        memcpy(w->tau, w->tau1, 3 * w->n * sizeof *w->tau);
        tau = w->tau;
    }
    if (w->forced) {
        status = joints_call_force(w, state->z, state->t);
        if (status)
            return status;
        joints_add_force(w, state->z, tau, w->tau);
        tau = w->tau;
    }
    bool warm = !fresh && *c.h == ph_stage_stamp(w->method->stage, w->h);
    if (!warm || !joints_solve_fast(w, state, &c, tau, &context->statistics->newton_passes))
        status = joints_solve_slowly(w, context, state, &c, S, tau);
    if (status)
        return status;
    joints_turn_bodies(w, state->z, c.z_low);
    for (size_t i = 0; i < w->n; i++)
        joints_weight_at(w, i, w->z1 + 9 * i, w->tau1 + 3 * i);
    if (w->forced) {
        status = joints_call_force(w, w->z1, t1);
        if (status)
            return status;
        joints_add_force(w, w->z1, w->tau1, w->x);
        end = w->x;
    }
    if (!isfinite(joints_new_momenta(w, S, low, tau, end)))
        return ph_fail(context->error, PH_E_DIVERGED, "the momentum is not finite after t = %.10g s",
                       state->t);
    joints_commit(w, state, &c);
    return PH_OK;
}

const ph_variational_kernel ph_variational_articulated = {
    .size = joints_size, .init = joints_init, .step = joints_step};
