/* SPDX-License-Identifier: BSD-3-Clause */
/* Multistep methods for a row of links on a rigid body under gravity alone: the window of chain.c for the links and the mass of the
 * body, which is that of a cart, and one of the body's attitude, as in bodies.c: V = D J_d, D = R+ - R, with the pull u of the first link
 * on it as the covector - u hitch^T. The turn is solved for with the first link (shared/chain-body.h), and what it moves the hitch by is no
 * part of the increments of links.
 *
 * The window of tangent.c has covectors of all together. With F the impulses of the links from the last one on, as in
 * lib/kinds/linkage/carried.c, they are l F of a link, m xdot + F of the body's place, V + F hitch^T of its attitude. */
#include "integrators/shared/chain-body.h"

#include "cable.h"
#include "integrators/shared/tensions.h"

#include <polhode/kit/algebra.h>

enum { BODY = 9, ROWS = PH_MULTISTEP_MOST - 1, POINTS = PH_MULTISTEP_MOST + 1 };

/* The body's part of the carry. */
typedef struct cable_body {
    double h;            /* of the step that made V and changes, which the next one need not have */
    double begin, first; /* of the window in the rings of changes and of points */
    double V[9], V_low[9], b[9];
    double ended[3], rest[3], bent[3]; /* chain_body, ph_hitch */
    double changes[ROWS][2][9];        /* u, c */
    double R[POINTS][9], R_low[POINTS][9];
} cable_body;

typedef struct cable_scratch {
    const ph_multistep *of;
    ph_hitch hitch;
    void *chain;
    size_t n, carried;           /* links; numbers of the chain's carry: the body's follow */
    double h, drop;              /* as in chain.c */
    double Jd[6];                /* as J in carried.h */
    const double *mass, *length; /* (n + 1), of the body and links */
    ph_multistep_window links;   /* of the chain */
} cable_scratch;

static bool cable_takes(const ph_system *system)
{
    const ph_system *links;
    size_t n;
    return ph_system_carrier(system, &links) && !ph_system_has_force(system) &&
           !ph_system_has_further_potential(system) && ph_is_row_of_links(links, &n);
}

static size_t cable_carry(const ph_system *system, const ph_multistep *m)
{
    const ph_system *links;
    (void)ph_system_carrier(system, &links);
    return ph_multistep_chain_carry(links, m) + sizeof(cable_body) / sizeof(double);
}

static void cable_lay(const ph_system *system, ph_lay *l)
{
    cable_scratch counted, *place = ph_lay_line(l, sizeof counted), *w = place ? place : &counted;
    const ph_system *links;
    (void)ph_system_carrier(system, &links);
    const size_t nz = ph_space_ambient(ph_system_space(links));
    double **vectors[] = {&w->links.q, &w->links.low, &w->links.v, &w->links.v_low, &w->links.u, &w->links.a};
    const size_t rows[] = {POINTS, POINTS, 1, 1, ROWS, ROWS};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        *vectors[i] = ph_lay_doubles(l, rows[i] * nz);
    w->chain = ph_multistep_chain_lay(links, l);
}

static void cable_init(void *work, const ph_system *system, const ph_multistep *m, double h)
{
    cable_scratch *w = work;
    const ph_system *links;
    const ph_linkage_body *body = ph_system_carrier(system, &links);
    const ph_linkage *linkage = ph_system_linkage(links);
    w->of = m;
    w->n = ph_space_factors(ph_system_space(links)) - 1;
    w->carried = ph_multistep_chain_carry(links, m);
    w->h = h;
    w->drop = h * h * ph_multistep_sigma(m, 1);
    w->mass = linkage->mass;
    w->length = linkage->length;
    ph_hitch_set(&w->hitch, body, ph_multistep_chain_init(w->chain, links, m, h, &w->hitch.of));
    for (size_t k = 0; k < 6; k++)
        w->Jd[k] = (k < 3 ? 0.5 * (w->hitch.J[0] + w->hitch.J[1] + w->hitch.J[2]) : 0) - w->hitch.J[k];
}

static cable_body *cable_body_of(const cable_scratch *w, double *carry)
{
    return (cable_body *)(void *)(carry + w->carried);
}

/* ---- A step --------------------------------------------------------------------------------------- */

/* b, from the rings. */
static void cable_bracket(const cable_scratch *w, cable_body *of)
{
    size_t row[ROWS];
    for (size_t j = 0; j < w->of->K - 1; j++)
        row[j] = ((size_t)of->begin + j) % (w->of->K - 1);
    ph_multistep_chain_bracket_turn(w->chain, row, (const double *)(const void *)of->changes, of->b);
}

/* Point j of the window. */
static size_t cable_point(const cable_scratch *w, const cable_body *of, size_t j)
{
    return ((size_t)of->first + j) % (w->of->K + 1);
}

static void cable_begin(cable_scratch *w, const cable_body *of)
{
    enum { GUESS = 5 };
    ph_hitch *b = &w->hitch;
    const size_t K = w->of->K;
    double W[9], latest[GUESS][9];
    for (size_t j = 0; j < GUESS; j++)
        memcpy(latest[j], of->R[cable_point(w, of, K + 1 - GUESS + j)], sizeof latest[j]);
    ph_hitch_begin(b, latest[GUESS - 1]);
    for (size_t e = 0; e < 9; e++)
        W[e] = of->V[e] + (of->b[e] + of->V_low[e]);
    joints_spin(latest[GUESS - 1], W, b->b.load);
    joints_expect(9, latest[GUESS - 1], b->b.v);
    memcpy(b->rest, of->rest, sizeof b->rest);
    memcpy(b->bent, of->bent, sizeof b->bent);
    memcpy(b->of.ended, of->ended, sizeof b->of.ended);
}

/* V, its change, and the next attitude; pull: on the first link. */
static void cable_end(const cable_scratch *w, cable_body *of, const double pull[3])
{
    const ph_hitch *b = &w->hitch;
    const size_t K = w->of->K, last = cable_point(w, of, K), next = (size_t)of->first,
                 row = (size_t)of->begin;
    const double *R = of->R[last], *low = of->R_low[last];
    double D[9], low1[9], M[9], N[9], pushed[9];
    turn_matrix(b->b.v, b->b.q0, M);
    ph_multiply3(M, R, D);
    for (size_t r = 0; r < 3; r++)
        apply_symmetric(w->Jd, D + 3 * r, M + 3 * r);
    for (size_t e = 0; e < 9; e++) {
        pushed[e] = -(pull[e / 3] * b->arm[e % 3]);
        M[e] = ((M[e] - of->V[e]) - (of->b[e] + of->V_low[e])) - pushed[e];
    }
    joints_normal_part(R, M, N);
    for (size_t e = 0; e < 9; e++) {
        const double change = pushed[e] + N[e];
        of->changes[row][0][e] = of->b[e] + change;
        of->changes[row][1][e] = change;
        ph_two_sum(of->V[e], (of->b[e] + of->V_low[e]) + change, &of->V[e], &of->V_low[e]);
        ph_two_sum(R[e], D[e] + low[e], &D[e], &low1[e]);
    }
    ph_rotation_correct_sum3(D, low1);
    memcpy(of->R[next], D, sizeof D);
    memcpy(of->R_low[next], low1, sizeof low1);
    of->begin = (double)((row + 1) % (K - 1));
    of->first = (double)((next + 1) % (K + 1));
    for (size_t k = 0; k < 3; k++) {
        of->ended[k] = b->il * b->b.Dc[k];
        of->rest[k] = b->rest[k];
        of->bent[k] = b->bent[k];
    }
    cable_bracket(w, of);
}

static bool cable_step(void *work, double *carry, int *passes)
{
    cable_scratch *w = work;
    cable_body *of = cable_body_of(w, carry);
    double pull[3];
    cable_begin(w, of);
    if (!ph_multistep_chain_step(w->chain, carry, passes, pull))
        return false;
    cable_end(w, of, pull);
    return true;
}

/* ---- The window ------------------------------------------------------------------------------------ */

/* mu <- covectors of v (3 n + 3) of the chain and V. */
static void cable_join(const cable_scratch *w, const double *v, const double *V, double *mu)
{
    double u[3], *q = mu + 12;
    for (size_t a = 0; a < 3; a++)
        u[a] = v[a];
    for (size_t i = 1; i <= w->n; i++)
        for (size_t a = 0; a < 3; a++) {
            u[a] += w->length[i] * v[3 * i + a];
            q[3 * (i - 1) + a] = w->mass[i] * u[a];
        }
    double F[3] = {0, 0, 0};
    for (size_t i = w->n; i-- > 0;)
        for (size_t a = 0; a < 3; a++) {
            F[a] += q[3 * i + a];
            q[3 * i + a] = w->length[i + 1] * F[a];
        }
    for (size_t a = 0; a < 3; a++) {
        mu[a] = w->mass[0] * v[a] + F[a];
        for (size_t k = 0; k < 3; k++)
            mu[3 + 3 * a + k] = V[3 * a + k] + F[a] * w->hitch.arm[k];
    }
}

/* v, V <- back. */
static void cable_part(const cable_scratch *w, const double *mu, double *v, double *V)
{
    const double *q = mu + 12;
    double u[3];
    for (size_t a = 0; a < 3; a++) {
        const double F = q[a] / w->length[1];
        u[a] = v[a] = (mu[a] - F) / w->mass[0];
        for (size_t k = 0; k < 3; k++)
            V[3 * a + k] = mu[3 + 3 * a + k] - F * w->hitch.arm[k];
    }
    for (size_t i = 1; i <= w->n; i++)
        for (size_t a = 0; a < 3; a++) {
            const double F = q[3 * (i - 1) + a] / w->length[i],
                         behind = i < w->n ? q[3 * i + a] / w->length[i + 1] : 0,
                         own = (F - behind) / w->mass[i];
            v[3 * i + a] = (own - u[a]) / w->length[i];
            u[a] = own;
        }
}

static void cable_gather(void *work, double *carry, const ph_multistep_window *to)
{
    cable_scratch *w = work;
    const cable_body *of = cable_body_of(w, carry);
    const ph_multistep_window *links = &w->links;
    const size_t K = w->of->K, m = 3 * w->n + 3, nz = m + BODY;
    const double over = 1 / of->h, twice = over * over / ph_multistep_sigma(w->of, 1);
    double V[9], V_low[9];
    memcpy(w->hitch.of.ended, of->ended, sizeof w->hitch.of.ended);
    ph_multistep_chain_gather(w->chain, carry, links);
    ph_multistep_divide(of->h, of->V, of->V_low, 9, V, V_low);
    cable_join(w, links->v, V, to->v);
    cable_join(w, links->v_low, V_low, to->v_low);
    for (size_t j = 0; j <= K; j++) {
        const size_t point = cable_point(w, of, j);
        memcpy(to->q + j * nz, links->q + j * m, 3 * sizeof(double));
        memcpy(to->q + j * nz + 3, of->R[point], sizeof V);
        memcpy(to->q + j * nz + 12, links->q + j * m + 3, 3 * w->n * sizeof(double));
        memcpy(to->low + j * nz, links->low + j * m, 3 * sizeof(double));
        memcpy(to->low + j * nz + 3, of->R_low[point], sizeof V);
        memcpy(to->low + j * nz + 12, links->low + j * m + 3, 3 * w->n * sizeof(double));
    }
    for (size_t j = 0; j < K - 1; j++) {
        const size_t row = ((size_t)of->begin + j) % (K - 1);
        for (size_t e = 0; e < 9; e++) {
            V[e] = over * of->changes[row][0][e];
            V_low[e] = twice * of->changes[row][1][e];
        }
        cable_join(w, links->u + j * m, V, to->u + j * nz);
        cable_join(w, links->a + j * m, V_low, to->a + j * nz);
    }
}

static void cable_scatter(void *work, const ph_multistep_window *from, double *carry)
{
    cable_scratch *w = work;
    cable_body *of = cable_body_of(w, carry);
    const ph_multistep_window *links = &w->links;
    const size_t K = w->of->K, m = 3 * w->n + 3, nz = m + BODY;
    double V[9], V_low[9];
    memset(of, 0, sizeof *of);
    of->h = w->h;
    cable_part(w, from->v, links->v, V);
    cable_part(w, from->v_low, links->v_low, V_low);
    ph_multistep_multiply(w->h, V, V_low, 9, of->V, of->V_low);
    for (size_t j = 0; j <= K; j++) {
        memcpy(links->q + j * m, from->q + j * nz, 3 * sizeof(double));
        memcpy(of->R[j], from->q + j * nz + 3, sizeof V);
        memcpy(links->q + j * m + 3, from->q + j * nz + 12, 3 * w->n * sizeof(double));
        memcpy(links->low + j * m, from->low + j * nz, 3 * sizeof(double));
        memcpy(of->R_low[j], from->low + j * nz + 3, sizeof V);
        memcpy(links->low + j * m + 3, from->low + j * nz + 12, 3 * w->n * sizeof(double));
    }
    for (size_t j = 0; j < K - 1; j++) {
        cable_part(w, from->u + j * nz, links->u + j * m, V);
        cable_part(w, from->a + j * nz, links->a + j * m, V_low);
        for (size_t e = 0; e < 9; e++) {
            of->changes[j][0][e] = w->h * V[e];
            of->changes[j][1][e] = w->drop * V_low[e];
        }
    }
    ph_multistep_chain_scatter(w->chain, links, carry);
    cable_bracket(w, of);
}

const ph_multistep_kernel ph_multistep_cable = {.takes = cable_takes,
                                                .carry = cable_carry,
                                                .lay = cable_lay,
                                                .init = cable_init,
                                                .step = cable_step,
                                                .gather = cable_gather,
                                                .scatter = cable_scatter};
