/* SPDX-License-Identifier: BSD-3-Clause */
/* Polhodes on the energy ellipsoid, by parallel projection. In principal axes, with momenta in units of their length
 * at the start, the ellipsoid is sum x_k^2/a_k^2 = 1 with a_k^2 = 2 E I_k/|Pi|^2, and polhodes are where spheres
 * around the centre cut it. */
#include "polhode.h"
#include "data.h"
#include "utf8.h"

#include <math.h>
#include <string.h>

enum { SIDE = 400, BELOW = 24, MARGIN = 12 };
static const double pi = 3.14159265358979323846;

typedef struct view {
    double axes[3][3];             /* principal axes, in the body frame */
    double a[3];                   /* half axes of the ellipsoid */
    double unit;                   /* 1 / |Pi| at the start */
    double right[3], up[3], to[3]; /* of the picture and to the viewer, in principal axes */
    double scale;                  /* pixels for a length of 1 */
} view;

static double dot(const double *x, const double *y)
{
    return x[0] * y[0] + x[1] * y[1] + x[2] * y[2];
}

static void cross(const double *x, const double *y, double *z)
{
    for (size_t i = 0; i < 3; i++)
        z[i] = x[(i + 1) % 3] * y[(i + 2) % 3] - x[(i + 2) % 3] * y[(i + 1) % 3];
}

static void normalise(double *x)
{
    const double length = sqrt(dot(x, x));
    for (size_t i = 0; i < 3; i++)
        x[i] /= length;
}

/* ---- Principal axes -------------------------------------------------------------------------------- */

/* Turn in the plane of p and q, so that A[p][q] vanishes: A is symmetric, the rows of V are the axes so far. */
static void rotate(double A[3][3], double V[3][3], size_t p, size_t q)
{
    if (A[p][q] == 0)
        return;
    const double angle = 0.5 * atan2(2 * A[p][q], A[q][q] - A[p][p]), c = cos(angle), s = sin(angle);
    for (size_t i = 0; i < 3; i++) {
        const double x = A[i][p], y = A[i][q];
        A[i][p] = c * x - s * y;
        A[i][q] = s * x + c * y;
    }
    for (size_t i = 0; i < 3; i++) {
        const double x = A[p][i], y = A[q][i], v = V[p][i], w = V[q][i];
        A[p][i] = c * x - s * y;
        A[q][i] = s * x + c * y;
        V[p][i] = c * v - s * w;
        V[q][i] = s * v + c * w;
    }
}

/* Jacobi's iteration: the rows of V <- principal axes, moments (3) <- their moments. */
static void principal_axes(const double *J, double V[3][3], double *moments)
{
    double A[3][3];
    memcpy(A, J, sizeof A);
    for (size_t i = 0; i < 9; i++)
        V[i / 3][i % 3] = i % 4 == 0;
    for (int sweep = 0; sweep < 12; sweep++) {
        rotate(A, V, 0, 1);
        rotate(A, V, 0, 2);
        rotate(A, V, 1, 2);
    }
    for (size_t i = 0; i < 3; i++)
        moments[i] = A[i][i];
}

/* ---- View ------------------------------------------------------------------------------------------ */

static void to_axes(const view *v, const double *momentum, double *x)
{
    for (size_t i = 0; i < 3; i++)
        x[i] = v->unit * dot(v->axes[i], momentum);
}

static int is_visible(const view *v, const double *x)
{
    double normal = 0;
    for (size_t i = 0; i < 3; i++)
        normal += v->to[i] * x[i] / (v->a[i] * v->a[i]);
    return normal > 0;
}

/* Axes by their half axes: the shortest, the middle one, the longest. */
static void order_axes(const view *v, size_t order[3])
{
    order[0] = order[2] = 0;
    for (size_t i = 1; i < 3; i++) {
        order[0] = v->a[i] < v->a[order[0]] ? i : order[0];
        order[2] = v->a[i] >= v->a[order[2]] ? i : order[2];
    }
    order[1] = 3 - order[0] - order[2];
}

/* The momentum goes around the axis of the least or of the greatest moment, by the side of the separatrix on which it is. */
static void look_from(view *v, const double *x)
{
    size_t order[3];
    order_axes(v, order);
    const size_t k = v->a[order[1]] > 1 ? order[0] : order[2], i = (k + 1) % 3, j = (k + 2) % 3;
    double top[3] = {0}, q[2] = {0};
    v->to[k] = copysign(0.85, x[k]);
    v->to[i] = 0.30;
    v->to[j] = 0.44;
    normalise(v->to);
    top[j] = 1;
    cross(top, v->to, v->right);
    normalise(v->right);
    cross(v->to, v->right, v->up);
    for (size_t l = 0; l < 3; l++) {
        q[0] += v->a[l] * v->a[l] * v->right[l] * v->right[l];
        q[1] += v->a[l] * v->a[l] * v->up[l] * v->up[l];
    }
    v->scale = (0.5 * SIDE - MARGIN) / sqrt(fmax(q[0], q[1]));
}

static void open_view(view *v, const polhode *p)
{
    double moments[3], x[3], twice_energy = 0;
    principal_axes(p->J, v->axes, moments);
    v->unit = 1 / sqrt(dot(p->start, p->start));
    to_axes(v, p->start, x);
    for (size_t i = 0; i < 3; i++)
        twice_energy += x[i] * x[i] / moments[i];
    for (size_t i = 0; i < 3; i++)
        v->a[i] = sqrt(twice_energy * moments[i]);
    look_from(v, x);
}

/* ---- Drawing --------------------------------------------------------------------------------------- */

static void put_point(FILE *f, const view *v, const double *x, const char *before)
{
    fprintf(f, "%s%.1f %.1f", before, 0.5 * SIDE + v->scale * dot(x, v->right),
            0.5 * SIDE - v->scale * dot(x, v->up));
}

/* The outline of the ellipsoid: x = A A d' / |A d'| over the unit vectors d' of the plane of the picture. */
static void put_outline(FILE *f, const view *v)
{
    enum { SIDES = 120 };
    fputs("<path fill=\"url(#shade)\" stroke=\"#8a94a0\" d=\"", f);
    for (size_t n = 0; n < SIDES; n++) {
        double x[3], length = 0;
        for (size_t i = 0; i < 3; i++) {
            const double angle = 2 * pi * (double)n / SIDES;
            x[i] = v->a[i] * (cos(angle) * v->right[i] + sin(angle) * v->up[i]);
            length += x[i] * x[i];
        }
        for (size_t i = 0; i < 3; i++)
            x[i] *= v->a[i] / sqrt(length);
        put_point(f, v, x, n ? "L" : "M");
    }
    fputs("Z\"/>\n", f);
}

/* The polhodes of a sphere of this radius around axis k: sign +-1. From sum x^2 = r^2 and sum x^2/a^2 = 1 the two other
 * components lie on an ellipse. */
static void put_level(FILE *f, const view *v, size_t k, double sign, double r)
{
    enum { SIDES = 90 };
    const size_t i = (k + 1) % 3, j = (k + 2) % 3;
    const double whole = 1 - r * r / (v->a[k] * v->a[k]);
    const double ci = 1 / (v->a[i] * v->a[i]) - 1 / (v->a[k] * v->a[k]);
    const double cj = 1 / (v->a[j] * v->a[j]) - 1 / (v->a[k] * v->a[k]);
    int pen = 0;
    if (!(whole / ci > 0) || !(whole / cj > 0))
        return; /* a body with two equal moments */
    for (size_t n = 0; n <= SIDES; n++) {
        const double angle = 2 * pi * (double)n / SIDES;
        double x[3];
        x[i] = sqrt(whole / ci) * cos(angle);
        x[j] = sqrt(whole / cj) * sin(angle);
        x[k] = sign * sqrt(fmax(0, r * r - x[i] * x[i] - x[j] * x[j]));
        if (!is_visible(v, x)) {
            pen = 0;
            continue;
        }
        put_point(f, v, x, pen ? "L" : "M");
        pen = 1;
    }
}

static void put_levels(FILE *f, const view *v)
{
    enum { LEVELS = 5 };
    size_t order[3];
    order_axes(v, order);
    const size_t least = order[0], most = order[2];
    const double middle = v->a[order[1]];
    fputs("<path fill=\"none\" stroke=\"#8a94a0\" stroke-width=\".7\" d=\"", f);
    for (int n = 1; n <= LEVELS; n++)
        for (int sign = -1; sign <= 1; sign += 2) {
            const double part = (n - 0.02) / LEVELS;
            put_level(f, v, least, sign, v->a[least] + part * (middle - v->a[least]));
            put_level(f, v, most, sign, v->a[most] + part * (middle - v->a[most]));
        }
    fputs("\"/>\n", f);
}

/* Dots in front, or those behind. */
static void put_dots(FILE *f, const view *v, const polhode_line *line, int front)
{
    fprintf(
        f,
        "<path fill=\"none\" stroke-linecap=\"round\" stroke=\"%s\" stroke-width=\"%s\" opacity=\"%s\" d=\"",
        line->colour, front ? "2.2" : "1.4", front ? "1" : ".18");
    for (size_t n = 0; n < line->n; n++) {
        double x[3];
        to_axes(v, &line->points[3 * n], x);
        if (is_visible(v, x) != front)
            continue;
        put_point(f, v, x, "M");
        fputs("h0", f);
    }
    fputs("\"/>\n", f);
}

void polhode_draw(FILE *f, const polhode *p, const char *words)
{
    view v = {0};
    size_t titles = 0;
    open_view(&v, p);
    for (size_t i = 0; i < p->n; i++)
        titles += p->lines[i].title != NULL;
    fprintf(f,
            "<svg class=\"polhode\" xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %zu\" role=\"img\" "
            "font-family=\"system-ui,sans-serif\" font-size=\"17\" font-weight=\"600\">\n",
            SIDE, SIDE + BELOW * titles);
    markup_between(f, "<title>", words, "</title>\n");
    fputs("<defs><radialGradient id=\"shade\" cx=\".36\" cy=\".3\" r=\".85\"><stop offset=\"0\" "
          "stop-color=\"#ffffff\"/><stop offset=\".6\" stop-color=\"#e6ebf0\"/><stop offset=\"1\" "
          "stop-color=\"#b4bec9\"/></radialGradient></defs>\n",
          f);
    put_outline(f, &v);
    put_levels(f, &v);
    for (int front = 0; front < 2; front++)
        for (size_t i = 0; i < p->n; i++)
            put_dots(f, &v, &p->lines[i], front);
    for (size_t i = 0, row = 0; i < p->n; i++) {
        if (!p->lines[i].title)
            continue;
        fprintf(f, "<text x=\"%d\" y=\"%zu\" text-anchor=\"middle\" fill=\"%s\">", SIDE / 2,
                SIDE + BELOW * row++ + 15, p->lines[i].colour);
        markup_between(f, "", p->lines[i].title, "</text>\n");
    }
    fputs("</svg>\n", f);
}

static void put_path(FILE *f, const view *v, const polhode_line *line, const char *title)
{
    fputs("{\"label\":", f);
    data_text(f, title ? title : "");
    fprintf(f, ",\"colour\":\"%s\",\"points\":[", line->colour);
    for (size_t n = 0; n < line->n; n++) {
        double x[3];
        to_axes(v, &line->points[3 * n], x);
        fprintf(f, "%s%.4f,%.4f,%.4f", n ? "," : "", x[0], x[1], x[2]);
    }
    fputs("]}", f);
}

void polhode_data(FILE *f, const polhode *p, const char *const *titles)
{
    view v = {0};
    open_view(&v, p);
    data_begin(f);
    fputs("{\"kind\":\"polhode\",\"half\":[", f);
    data_numbers(f, false, v.a, 3, 1);
    fputs("],\"to\":[", f);
    data_numbers(f, false, v.to, 3, 1);
    fputs("],\"up\":[", f);
    data_numbers(f, false, v.up, 3, 1);
    fputs("],\"lines\":[", f);
    for (size_t i = 0; i < p->n; i++) {
        fputs(i ? "," : "", f);
        put_path(f, &v, &p->lines[i], !p->lines[i].title && titles ? titles[i] : p->lines[i].title);
    }
    fputs("]}", f);
    data_end(f);
}
