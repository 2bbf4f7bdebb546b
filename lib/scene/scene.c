/* SPDX-License-Identifier: BSD-3-Clause */
/* What scenes (polhode/domain/scene.h) say: their points, places and attitudes in a configuration. That of a reduced system with
 * z = (r, phi) is the scene of the whole at q = R(phi) r. */
#include "scene.h"

#include <polhode/domain/routh.h>
#include <polhode/kit/vector.h>

#include "lib/internal/missing.h"
#include "lib/system/generator.h"

#include <stdlib.h>
#include <string.h>

void ph_scene_free(ph_scene *s)
{
    if (!s)
        return;
    ph_scene_points_free(&s->points);
    while (s->meshes) {
        ph_scene_mesh *first = s->meshes;
        s->meshes = first->next;
        free(first->vertex);
        free(first->face);
        free(first);
    }
    free(s->made);
    free(s->factors);
    free(s->columns);
    free(s->letters);
    free(s->text);
    free(s);
}

/* ---- Configurations ---------------------------------------------------------------------------------- */

/* Room for a configuration of what turns. */
enum { TURNED_MOST = PH_ROUTH_MOST + 1 };

/* z as it is in space: the same, or in room (TURNED_MOST) that of a reduced system turned by its phase. */
static const double *in_space(const ph_scene *s, const double *z, double *room)
{
    double work[18];
    if (!s->turns)
        return z;
    const ph_turn turn = ph_turn_by(s->axis, z[s->factors[s->phase].z]);
    memcpy(room, z, s->nz * sizeof *room);
    for (size_t i = 0; i < s->n_factors; i++) {
        const ph_scene_factor *f = &s->factors[i];
        if (i != s->phase && (f->kind == PH_FACTOR_SO3 || f->nz == 3 || f->nz == 2)) /* others do not turn */
            ph_turn_factor(&turn, f->kind, f->nz, room + f->z, work);
    }
    return room;
}

/* F (9) <- the least turn that takes e1 to the unit vector x (3); about e3 where that is -e1. */
static void turn_first_axis(const double *x, double F[9])
{
    const double s = 1 + x[0];
    if (s < 1e-12) {
        F[0] = F[4] = -1;
        return;
    }
    F[0] = x[0];
    for (size_t a = 1; a < 3; a++) {
        F[a] = -x[a];
        F[3 * a] = x[a];
        for (size_t b = 1; b < 3; b++)
            F[3 * a + b] = (a == b) - x[a] * x[b] / s;
    }
}

/* F (9) <- how what stands in the frame of a factor is turned; `from`, a configuration of the system that is drawn. */
static void attitude_of(const ph_scene *s, size_t frame, const double *from, double F[9])
{
    static const double identity[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
    memcpy(F, identity, sizeof identity);
    if (frame == PH_NO_INDEX)
        return;
    const ph_scene_factor *f = &s->factors[frame];
    const double *q = from + f->z;
    if (f->kind == PH_FACTOR_SO3)
        memcpy(F, q, 9 * sizeof *F);
    else if (f->kind == PH_FACTOR_S1) {
        F[0] = F[4] = q[0];
        F[3] = q[1];
        F[1] = -q[1];
    } else if (f->kind == PH_FACTOR_S2 || f->kind == PH_FACTOR_SPIN)
        turn_first_axis(q, F);
}

/* ---- What it says ------------------------------------------------------------------------------------ */

size_t ph_scene_ambient(const ph_scene *s)
{
    return s->nz;
}

const char *ph_scene_column(const ph_scene *s, size_t i)
{
    return s->columns[i];
}

const ph_scene_factor *ph_scene_factors(const ph_scene *s, size_t *n)
{
    *n = s->n_factors;
    return s->factors;
}

size_t ph_scene_count(const ph_scene *s)
{
    return s->points.n;
}

bool ph_scene_is_affine(const ph_scene *s)
{
    for (size_t k = 0; k < s->points.n; k++)
        if (s->points.unknown[k])
            return false;
    return true;
}

ph_status ph_scene_points(const ph_scene *s, const double *z, double *x, ph_error *err)
{
    if (!s)
        return ph_not_created(err, "scene", "ph_scene_create or ph_scene_read");
    const ph_scene_points_list *list = &s->points;
    double room[TURNED_MOST];
    if (!ph_scene_is_affine(s))
        return ph_fail(err, PH_E_UNSUPPORTED,
                       "points of this system are no affine functions of its configuration; "
                       "ph_system_places gives them");
    z = in_space(s, z, room);
    for (size_t k = 0; k < list->n; k++) {
        double *to = x + 3 * k;
        for (size_t a = 0; a < 3; a++)
            to[a] = (list->from[k] == PH_NO_INDEX ? 0 : x[3 * list->from[k] + a]) + list->at[3 * k + a];
        for (size_t i = list->begin[k]; i < list->begin[k + 1]; i++)
            to[list->terms[i].axis] += list->terms[i].coefficient * z[list->terms[i].at];
    }
    return PH_OK;
}

const ph_scene_part *ph_scene_parts(const ph_scene *s, size_t *n)
{
    *n = s->n_parts;
    return s->parts;
}

void ph_scene_up(const ph_scene *s, double up[3])
{
    memcpy(up, s->up, 3 * sizeof *up);
}

const char *ph_scene_text(const ph_scene *s)
{
    return s->text;
}

void ph_scene_locate(const ph_scene *s, const ph_scene_place *place, const double *z, const double *points,
                     double x[3])
{
    const double *rho = place->offset;
    for (size_t a = 0; a < 3; a++)
        x[a] = place->at[a] + (place->point == PH_NO_INDEX ? 0 : points[3 * place->point + a]);
    if (place->frame == PH_NO_INDEX) {
        for (size_t a = 0; a < 3; a++)
            x[a] += rho[a];
        return;
    }
    double room[TURNED_MOST];
    const ph_scene_factor *f = &s->factors[place->frame];
    const double *q = in_space(s, z, room) + f->z;
    if (f->kind == PH_FACTOR_SO3)
        for (size_t a = 0; a < 3; a++)
            x[a] += q[3 * a] * rho[0] + q[3 * a + 1] * rho[1] + q[3 * a + 2] * rho[2];
    else if (f->kind == PH_FACTOR_S1) {
        x[0] += q[0] * rho[0] - q[1] * rho[1];
        x[1] += q[1] * rho[0] + q[0] * rho[1];
        x[2] += rho[2];
    } else
        for (size_t a = 0; a < f->nz; a++)
            x[a] += rho[0] * q[a];
}

void ph_scene_attitude(const ph_scene *s, const ph_scene_part *part, const double *z, double R[9])
{
    static const double identity[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
    double room[TURNED_MOST], F[9], own[9], S[9];
    bool turned = false;
    z = in_space(s, z, room);
    for (size_t i = 0; i < 9; i++)
        turned = turned || part->R[i] != 0;
    attitude_of(s, part->a.frame, z, F);
    attitude_of(s, part->spin, z, S);
    ph_multiply3(turned ? part->R : identity, S, own);
    ph_multiply3(F, own, R);
}
