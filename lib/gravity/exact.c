/* SPDX-License-Identifier: BSD-3-Clause */
/* The exact field of a homogeneous polyhedron (polhode/domain/gravity.h). With r_e, r_f from p to a point of the edge e, the face f,
 *     U = -(G rho m / 2) { sum_e r_e . E_e r_e L_e - sum_f r_f . F_f r_f w_f },
 *     force = G rho m { - sum_e E_e r_e L_e + sum_f F_f r_f w_f },
 *     E_e = n n_e^T + n' n'_e^T,   F_f = n n^T,   L_e = ln((a + b + e)/(a + b - e)) = 2 artanh(e / (a + b)),
 *     w_f = 2 atan2(r1 . r2 x r3, r1 r2 r3 + r1 (r2 . r3) + r2 (r3 . r1) + r3 (r1 . r2)),
 * n the normal of a face, n_e in the face, across the edge and outwards, a, b the distances of the ends of the edge, e its
 * length. The sum of the w_f is the solid angle: 4 pi inside, 0 outside. */
#include "mesh.h"

#include <polhode/domain/gravity.h>
#include <polhode/kit/elementary.h>
#include <polhode/kit/vector.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct side {
    uint32_t from, to;
    double length;
    double E[9];
} side;

typedef struct plane {
    uint32_t corner[3];
    double n[3];
} plane;

struct ph_polyhedron {
    size_t sides, planes;
    double density;
    double *vertex; /* (vertices x 3) */
    side *side;
    plane *plane;
};

static ph_status make_plane(const ph_mesh *mesh, size_t f, plane *p, ph_error *err)
{
    const double *v[3];
    double a[3], b[3];
    for (size_t k = 0; k < 3; k++) {
        p->corner[k] = mesh->face[3 * f + k];
        v[k] = mesh->vertex + 3 * p->corner[k];
    }
    for (size_t k = 0; k < 3; k++) {
        a[k] = v[1][k] - v[0][k];
        b[k] = v[2][k] - v[0][k];
    }
    ph_cross3(a, b, p->n);
    const double area = ph_norm3(p->n);
    if (!(area > 1e-14 * ph_norm3(a) * ph_norm3(b)))
        return ph_fail(err, PH_E_INVALID, "face %zu has no area: its vertices are in a line", f + 1);
    for (size_t k = 0; k < 3; k++)
        p->n[k] /= area;
    return PH_OK;
}

/* E += n n_e^T of one of the two faces of an edge, which goes along it from v (towards w), or from w. */
static void add_face(const plane *p, const double *v, const double *w, double length, bool forward,
                     double E[9])
{
    double along[3], across[3];
    for (size_t k = 0; k < 3; k++)
        along[k] = (forward ? 1 : -1) * (w[k] - v[k]) / length;
    ph_cross3(along, p->n, across);
    for (size_t i = 0; i < 9; i++)
        E[i] += p->n[i / 3] * across[i % 3];
}

static void make_sides(const ph_mesh *mesh, const ph_edge *edges, ph_polyhedron *made)
{
    for (size_t i = 0; i < made->sides; i++) {
        const ph_edge *edge = edges + 2 * i;
        const double *v = mesh->vertex + 3 * edge->from, *w = mesh->vertex + 3 * edge->to;
        const double d[3] = {w[0] - v[0], w[1] - v[1], w[2] - v[2]};
        side *s = &made->side[i];
        *s = (side){edge->from, edge->to, ph_norm3(d), {0}};
        for (size_t k = 0; k < 2; k++)
            add_face(&made->plane[edge[k].face], v, w, s->length, edge[k].forward, s->E);
    }
}

static ph_status fill(const ph_mesh *mesh, const ph_edge *edges, ph_polyhedron *made, ph_error *err)
{
    ph_status status = PH_OK;
    memcpy(made->vertex, mesh->vertex, 3 * mesh->vertices * sizeof *made->vertex);
    for (size_t f = 0; f < mesh->faces && !status; f++)
        status = make_plane(mesh, f, &made->plane[f], err);
    if (!status)
        make_sides(mesh, edges, made);
    return status;
}

ph_status ph_polyhedron_create(const ph_mesh *mesh, double density, ph_polyhedron **polyhedron, ph_error *err)
{
    ph_mass body;
    ph_edge *edges = NULL;
    int turned = 0;
    *polyhedron = NULL;
    ph_status status = ph_mass_polyhedron(mesh, density, &body, &turned, err);
    if (!status && turned)
        return ph_fail(err, PH_E_INVALID,
                       "all faces are clockwise seen from outside; exchange two vertices of each");
    if (!status)
        status = ph_mesh_check(mesh, &edges, err);
    if (status)
        return status;
    ph_polyhedron *made = calloc(1, sizeof *made);
    if (made) {
        made->density = density;
        made->planes = mesh->faces;
        made->sides = 3 * mesh->faces / 2;
        made->vertex = malloc(3 * mesh->vertices * sizeof *made->vertex);
        made->plane = malloc(made->planes * sizeof *made->plane);
        made->side = malloc(made->sides * sizeof *made->side);
    }
    status = made && made->vertex && made->plane && made->side
                 ? fill(mesh, edges, made, err)
                 : ph_fail(err, PH_E_NO_MEMORY, "out of memory");
    free(edges);
    if (status)
        ph_polyhedron_free(made);
    else
        *polyhedron = made;
    return status;
}

void ph_polyhedron_free(ph_polyhedron *polyhedron)
{
    if (!polyhedron)
        return;
    free(polyhedron->vertex);
    free(polyhedron->plane);
    free(polyhedron->side);
    free(polyhedron);
}

/* r <- from p to the vertex; returns its length. */
static double reach(const ph_polyhedron *body, uint32_t vertex, const double p[3], double r[3])
{
    for (size_t k = 0; k < 3; k++)
        r[k] = body->vertex[3 * vertex + k] - p[k];
    return ph_norm3(r);
}

/* *sum += r_e . E_e r_e L_e, pull -= E_e r_e L_e. On the edge itself E_e r_e is 0. */
static void add_side(const ph_polyhedron *body, const side *s, const double p[3], double *sum, double pull[3])
{
    double from[3], to[3], moved[3];
    const double far = reach(body, s->from, p, from) + reach(body, s->to, p, to);
    if (!(far > s->length))
        return;
    const double L = 2 * ph_atanh(s->length / far);
    ph_apply3(s->E, from, moved);
    *sum += L * ph_dot3(from, moved);
    for (size_t k = 0; k < 3; k++)
        pull[k] -= L * moved[k];
}

/* *sum -= r_f . F_f r_f w_f, pull += F_f r_f w_f; returns w_f. */
static double add_plane(const ph_polyhedron *body, const plane *f, const double p[3], double *sum,
                        double pull[3])
{
    double r[3][3], across[3], size[3];
    for (size_t k = 0; k < 3; k++)
        size[k] = reach(body, f->corner[k], p, r[k]);
    ph_cross3(r[1], r[2], across);
    const double height = ph_dot3(f->n, r[0]),
                 w = 2 * ph_atan2(ph_dot3(r[0], across),
                                  size[0] * size[1] * size[2] + size[0] * ph_dot3(r[1], r[2]) +
                                      size[1] * ph_dot3(r[2], r[0]) + size[2] * ph_dot3(r[0], r[1]));
    *sum -= height * height * w;
    for (size_t k = 0; k < 3; k++)
        pull[k] += height * w * f->n[k];
    return w;
}

void ph_polyhedron_attract(const ph_polyhedron *body, double G, double mass, const double p[3], double *U,
                           double force[3], double *inside)
{
    static const double whole = 12.566370614359172954; /* 4 pi */
    double sum = 0, pull[3] = {0, 0, 0}, angle = 0;
    if (!body) { /* it was not created */
        *U = NAN;
        for (size_t k = 0; force && k < 3; k++)
            force[k] = NAN;
        return;
    }
    for (size_t i = 0; i < body->sides; i++)
        add_side(body, &body->side[i], p, &sum, pull);
    for (size_t i = 0; i < body->planes; i++)
        angle += add_plane(body, &body->plane[i], p, &sum, pull);
    const double scale = G * body->density * mass;
    *U = -0.5 * scale * sum;
    for (size_t k = 0; force && k < 3; k++)
        force[k] = scale * pull[k];
    if (inside)
        *inside = angle / whole;
}
