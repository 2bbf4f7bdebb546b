/* SPDX-License-Identifier: BSD-3-Clause */
/* Parts of a scene, put together one after another: see list.h. */
#include "list.h"

#include "lib/system/parts.h"

#include <polhode/domain/extents.h>
#include <polhode/kit/elementary.h>
#include <polhode/kit/sphere.h>
#include <polhode/kit/vector.h>
#include <polhode/system.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const ph_scene_part nothing = {.a = {.point = PH_NO_INDEX, .frame = PH_NO_INDEX},
                                      .b = {.point = PH_NO_INDEX, .frame = PH_NO_INDEX},
                                      .link = PH_NO_INDEX,
                                      .spin = PH_NO_INDEX};

/* Room for one more part, or the spare one. */
static ph_scene_part *next_part(ph_part_list *list)
{
    if (list->n == list->room) {
        const size_t room = list->room ? 2 * list->room : 16;
        ph_scene_part *more = realloc(list->at, room * sizeof *more);
        if (!more) {
            list->failed = true;
            return &list->spare;
        }
        list->at = more;
        list->room = room;
    }
    return &list->at[list->n++];
}

ph_scene_part *ph_part_add(ph_part_list *list, ph_scene_kind kind, size_t point, size_t frame)
{
    ph_scene_part *part = next_part(list);
    *part = nothing;
    part->kind = kind;
    part->a.point = point;
    part->a.frame = frame;
    return part;
}

static void set(double to[3], double x, double y, double z)
{
    to[0] = x;
    to[1] = y;
    to[2] = z;
}

ph_scene_part *ph_part_end(ph_scene_part *part, size_t point, size_t frame, double x, double y, double z)
{
    part->b.point = point;
    part->b.frame = frame;
    set(part->b.offset, x, y, z);
    return part;
}

ph_scene_part *ph_part_shift(ph_scene_part *part, double x, double y, double z)
{
    set(part->a.offset, x, y, z);
    return part;
}

ph_scene_part *ph_part_size(ph_scene_part *part, double a, double b, double c)
{
    set(part->size, a, b, c);
    return part;
}

ph_scene_part *ph_part_lay(ph_scene_part *part, int axis)
{
    static const double to[2][9] = {{0, 0, 1, 1, 0, 0, 0, 1, 0}, {0, 1, 0, 0, 0, 1, 1, 0, 0}};
    memcpy(part->R, to[axis], sizeof to[0]);
    return part;
}

/* R <- turns the third axis of the part to the direction d (3) of its frame; as it is where d is 0 or not finite. Returns the part. */
static ph_scene_part *direct(ph_scene_part *part, const double d[3])
{
    const double size = ph_norm3(d);
    double unit[3], across[3], other[3];
    if (!(size > 0 && isfinite(size)))
        return part;
    for (size_t k = 0; k < 3; k++)
        unit[k] = d[k] / size;
    ph_unit_correct3(unit);
    ph_tangent_basis3(unit, across, other);
    for (size_t k = 0; k < 3; k++) {
        part->R[3 * k] = across[k];
        part->R[3 * k + 1] = other[k];
        part->R[3 * k + 2] = unit[k];
    }
    return part;
}

double ph_part_links(ph_part_list *list, const ph_linkage *l, size_t first, size_t n, bool tensions)
{
    double heaviest = 0, length = 0;
    for (size_t i = first; i < n; i++) {
        heaviest = fmax(heaviest, l->mass[i]);
        length += l->length[i] / (double)(n - first);
    }
    for (size_t i = first; i < n; i++) {
        const size_t parent = l->parent ? l->parent[i] : i ? i - 1 : PH_NO_INDEX;
        ph_scene_part *line = ph_part_add(list, PH_SCENE_LINE, parent, PH_NO_INDEX);
        ph_part_end(line, i, PH_NO_INDEX, 0, 0, 0);
        line->size[0] = 0.012 * length;
        line->link = tensions ? i : PH_NO_INDEX;
        ph_part_add(list, PH_SCENE_BALL, i, PH_NO_INDEX)->size[0] =
            0.08 * length * ph_cbrt(l->mass[i] / heaviest);
    }
    return length;
}

ph_scene_part *ph_part_mark(ph_part_list *list, size_t point, const double *d, const char *name)
{
    ph_scene_part *mark = ph_part_add(list, PH_SCENE_MARK, point, PH_NO_INDEX);
    mark->name = name;
    return d ? direct(mark, d) : mark;
}

double ph_part_inertia(ph_part_list *list, size_t point, size_t frame, double mass, const double J[9],
                       double largest)
{
    enum { THIN = 50 };
    ph_mass body = {.moment = {mass}};
    double R[9], half[3];
    memcpy(body.J, J, sizeof body.J);
    ph_mass_extents(&body, R, half);
    if (!(half[0] > 0))
        return 0;
    const double scale = largest > 0 ? largest / half[0] : 1;
    ph_scene_part *part = ph_part_add(list, PH_SCENE_ELLIPSOID, point, frame);
    memcpy(part->R, R, sizeof R);
    for (size_t k = 0; k < 3; k++)
        part->size[k] = scale * fmax(half[k], half[0] / THIN);
    return scale * half[0];
}

static bool is_finite(const ph_scene_part *p)
{
    return ph_all_finite(p->a.at, 3) && ph_all_finite(p->a.offset, 3) && ph_all_finite(p->b.at, 3) &&
           ph_all_finite(p->b.offset, 3) && ph_all_finite(p->R, 9) && ph_all_finite(p->size, 3);
}

void ph_part_give(const ph_part_list *list, ph_system_definition *definition)
{
    bool good = true;
    if (list->failed) {
        definition->parts = NULL;
        definition->n_parts = PH_PARTS_REFUSED;
        return;
    }
    for (size_t i = 0; good && i < list->n; i++)
        good = is_finite(&list->at[i]);
    definition->parts = good ? list->at : NULL;
    definition->n_parts = good ? list->n : 0;
}
