/* SPDX-License-Identifier: BSD-3-Clause */
/* The turn of a rigid body that a chain hangs on: see chain-body.h. */
#include "chain-body.h"

#include "tensions.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* The first row's lead, from s and what bends beyond what was expected. */
static void lead(ph_hitch *w, const double bent[3])
{
    double moved[3];
    ph_cross3(w->s, w->c1, moved);
    for (int k = 0; k < 3; k++)
        w->of.lead[k] = w->il * (moved[k] + bent[k]);
}

/* q0, Dc and spin of the turn v. */
static void turn(ph_hitch *w, double spin[3])
{
    joints_node *b = &w->b;
    b->q0 = sqrt(1 - ph_dot3(b->v, b->v));
    turn_increment(b->v, b->q0, b->c, b->Dc);
    spin_of_turn(b, b->v, b->q0, spin);
}

static void meet(chain_body *body, const double q[AXES], double mu, double h, bool first)
{
    ph_hitch *w = (ph_hitch *)body;
    joints_node *b = &w->b;
    double pulled[3], moved[3], r[3], size = 0;
    if (!first) {
        memset(w->rest, 0, sizeof w->rest);
        memset(w->bent, 0, sizeof w->bent);
    }
    turn(w, w->spin);
    w->q0 = b->q0;
    memcpy(w->guess, b->v, sizeof w->guess);
    memcpy(w->Dc, b->Dc, sizeof w->Dc);
    memset(w->e, 0, sizeof w->e);
    ph_cross3(b->c, q, pulled);
    for (int k = 0; k < 3; k++) {
        const double pull = h * mu * pulled[k];
        w->c1[k] = b->c[k] + b->Dc[k];
        w->of.turned[k] = w->il * b->Dc[k];
        r[k] = -(((w->spin[k] + pull) - b->load[k]) + w->rest[k]);
        size += fabs(w->spin[k]) + fabs(pull) + fabs(b->load[k]);
    }
    w->rounding = DBL_EPSILON * (size + DBL_MIN);
    joints_own_pivot(b, 0, w->c1, w->K);
    memcpy(b->Q, w->K, sizeof w->K);
    body->positive = joints_invert(b->Q) > 0 && ph_dot3(b->v, b->v) <= 0.0625;
    ph_apply3(b->Q, r, w->s);
    lead(w, w->bent);
    ph_apply3(b->Q, pulled, r);
    ph_cross3(r, w->c1, moved);
    for (int k = 0; k < 3; k++)
        body->mobility[k] = w->il * (w->w * q[k] + moved[k]);
}

static void follow(chain_body *body, const double pull[AXES], double h)
{
    ph_hitch *w = (ph_hitch *)body;
    joints_node *b = &w->b;
    double turned[3], e[3], before[3], spin[3], Ke[3], moved[3], rest[3], bent[3], r[3], more[3];
    ph_cross3(b->c, pull, turned);
    ph_apply3(b->Q, turned, e);
    for (int k = 0; k < 3; k++) {
        e[k] = w->s[k] - h * e[k];
        w->e[k] += e[k];
    }
    ph_cross3(w->e, w->guess, turned);
    for (int k = 0; k < 3; k++)
        b->v[k] = w->guess[k] + 0.5 * (w->q0 * w->e[k] + turned[k]);
    memcpy(before, b->Dc, sizeof before);
    turn(w, spin);
    ph_apply3(w->K, w->e, Ke);
    ph_cross3(w->e, w->c1, moved);
    body->moved = false;
    for (int k = 0; k < 3; k++) {
        body->moves[k] = b->Dc[k] - before[k];
        rest[k] = (spin[k] - w->spin[k]) - Ke[k];
        bent[k] = (b->Dc[k] - w->Dc[k]) - moved[k];
        more[k] = bent[k] - w->bent[k];
        r[k] = w->rest[k] - rest[k];
        body->moved |= !(fabs(r[k]) <= w->rounding);
    }
    /* differences of what is rounded: less than this is noise */
    body->moved |= !(fabs(ph_dot3(body->q1, more)) <= 2 * DBL_EPSILON * sum_of_sizes(b->Dc));
    body->large = !(largest_of(e) <= PH_LARGEST_CORRECTION);
    memcpy(w->rest, rest, sizeof rest);
    memcpy(w->bent, bent, sizeof bent);
    ph_apply3(b->Q, r, w->s);
    lead(w, more);
}

void ph_hitch_set(ph_hitch *w, const ph_linkage_body *body, const chain *links)
{
    const double *J = body->inertia, own[6] = {J[0], J[4], J[8], J[5], J[2], J[1]};
    memset(w, 0, sizeof *w);
    w->of.meet = meet;
    w->of.follow = follow;
    memcpy(w->J, own, sizeof own);
    memcpy(w->arm, body->hitch, sizeof w->arm);
    w->w = links->cart_w;
    w->il = links->parts->il[0];
}

void ph_hitch_begin(ph_hitch *w, const double *R)
{
    ph_apply3(R, w->arm, w->b.c);
    turn_tensor(R, w->J, w->b.J);
}
