/* SPDX-License-Identifier: BSD-3-Clause */
/* Where the name of a guide stands: below or above it, in the middle or where fewer curves pass. */
#include "guide.h"

#include <math.h>

/* A rectangle in shares of the axes. */
typedef struct area {
    double left, right, below, above;
} area;

/* Of the name at a place of the guide; its letters are smaller in a picture of usual size. */
static area area_at(double u, double v, bool above)
{
    return above ? (area){u - 0.08, u, v + 0.005, v + 0.09} : (area){u, u + 0.08, v - 0.09, v - 0.005};
}

/* How much of a curve is in the area: of each piece between two points PARTS places are looked at. */
static size_t covered(const panel *p, const drawn *c, const range *x, const range *y, const area *a)
{
    enum { PARTS = 8 };
    double u0 = NAN, v0 = NAN;
    size_t n = 0, from, to;
    drawn_rows(c, &from, &to);
    for (size_t i = from; i < to; i++) {
        double at_x, at_y;
        if (!drawn_at(p, c, i, &at_x, &at_y, NULL))
            continue;
        const double u = axes_share(at_x, x, p->log_x), v = axes_share(at_y, y, p->log_y);
        for (int k = 1; k <= PARTS && isfinite(u0); k++) {
            const double at = (double)k / PARTS, s = u0 + at * (u - u0), t = v0 + at * (v - v0);
            n += s > a->left && s < a->right && t > a->below && t < a->above;
        }
        u0 = u;
        v0 = v;
    }
    return n;
}

static size_t cost_of(const panel *p, const range *x, const range *y, const area *a)
{
    enum { OUTSIDE = 1000000 };
    size_t cost = a->left < 0 || a->right > 1 || a->below < 0 || a->above > 1 ? OUTSIDE : 0;
    for (size_t k = 0; k < p->n; k++)
        if (p->curves[k].look != LOOK_GUIDE)
            cost += covered(p, &p->curves[k], x, y, a);
    return cost;
}

/* y = scale x^power */
static double height(const guide *g, double x)
{
    return g->scale * pow(x, g->power);
}

/* Where its name covers least. */
static void place_name(guide *g, const panel *p, const range *x, const range *y)
{
    static const double shares[] = {0.5, 0.4, 0.6, 0.3, 0.7, 0.2, 0.8, 0.1, 0.9};
    size_t least = (size_t)-1;
    for (size_t i = 0; i < 2 * (sizeof shares / sizeof *shares); i++) {
        const double share = shares[i / 2], at = pow(g->from, 1 - share) * pow(g->to, share);
        const area a = area_at(axes_share(at, x, true), axes_share(height(g, at), y, true), i % 2);
        const size_t cost = cost_of(p, x, y, &a);
        if (cost < least) {
            least = cost;
            g->x = at;
            g->y = height(g, at);
            g->above = i % 2;
        }
    }
}

bool guide_find(guide *g, const panel *p, const drawn *c, const range *x, const range *y)
{
    size_t first, last;
    drawn_rows(c, &first, &last);
    while (first < last && drawn_gap(c, first))
        first++;
    while (last > first && drawn_gap(c, last - 1))
        last--;
    if (last < first + 2)
        return false;
    const double *a = c->of->values + first * c->of->columns,
                 *b = c->of->values + (last - 1) * c->of->columns;
    g->power = log(b[c->y] / a[c->y]) / log(b[c->x] / a[c->x]);
    g->scale = b[c->y] / pow(b[c->x], g->power);
    g->from = fmax(fmax(a[c->x], x->least), pow(y->least / g->scale, 1 / g->power));
    g->to = fmin(fmin(b[c->x], x->most), pow(y->most / g->scale, 1 / g->power));
    if (!(g->from < g->to))
        return false;
    g->y_from = height(g, g->from);
    g->y_to = height(g, g->to);
    place_name(g, p, x, y);
    return true;
}
