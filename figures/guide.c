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
        const double *row = c->of->values + i * c->of->columns;
        if (!axis_has(row[c->x], p->log_x) || !axis_has(row[c->y], p->log_y))
            continue;
        const double u = axes_share(row[c->x], x, p->log_x), v = axes_share(row[c->y], y, p->log_y);
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
typedef struct line {
    double scale, power;
} line;

static double height(line l, double x)
{
    return l.scale * pow(x, l.power);
}

/* At the guide, of which what is between from and to is seen. */
static void put_name(FILE *g, const panel *p, const range *x, const range *y, line l, double from, double to,
                     const char *name, const char *style)
{
    static const double shares[] = {0.5, 0.4, 0.6, 0.3, 0.7, 0.2, 0.8, 0.1, 0.9};
    size_t least = (size_t)-1;
    double best = 0;
    bool above = false;
    for (size_t i = 0; i < 2 * (sizeof shares / sizeof *shares); i++) {
        const double share = shares[i / 2], at = pow(from, 1 - share) * pow(to, share);
        const area a = area_at(axes_share(at, x, true), axes_share(height(l, at), y, true), i % 2);
        const size_t cost = cost_of(p, x, y, &a);
        if (cost < least) {
            least = cost;
            best = at;
            above = i % 2;
        }
    }
    fprintf(g, "set label '%s' at %.6g,%.6g %s noenhanced %s\n", name, best, height(l, best),
            above ? "right offset -0.3,0.6" : "left offset 0.3,-0.7", style);
}

void guide_name(FILE *g, const panel *p, const range *x, const range *y, const char *name, const char *style)
{
    for (size_t k = 0; k < p->n; k++) {
        const drawn *c = &p->curves[k];
        if (c->look != LOOK_GUIDE || c->of->rows < 2)
            continue;
        const double *a = c->of->values, *b = a + c->of->columns;
        const double power = log(b[c->y] / a[c->y]) / log(b[c->x] / a[c->x]);
        const line l = {b[c->y] / pow(b[c->x], power), power};
        const double from = fmax(fmax(a[c->x], x->least), pow(y->least / l.scale, 1 / power));
        const double to = fmin(fmin(b[c->x], x->most), pow(y->most / l.scale, 1 / power));
        if (from < to)
            put_name(g, p, x, y, l, from, to, name, style);
    }
}
