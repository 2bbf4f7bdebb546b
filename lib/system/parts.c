/* SPDX-License-Identifier: BSD-3-Clause */
/* The parts of a definition (polhode/domain/parts.h): what is wrong with them, and the copies that a system keeps. */
#include "parts.h"

#include <polhode/kit/rotation.h>

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

size_t ph_parts_points(const ph_space *space, size_t own)
{
    size_t n = own;
    for (size_t i = 0; !own && i < ph_space_factors(space); i++)
        n += ph_factor_is_place(ph_space_factor(space, i));
    return n;
}

static ph_factor_kind kind_of(const ph_parts_stage *s, size_t factor)
{
    return s->space ? ph_space_factor(s->space, factor)->kind : s->listed[factor].kind;
}

static size_t numbers_of(const ph_parts_stage *s, size_t factor)
{
    return s->space ? ph_space_factor(s->space, factor)->nz : s->listed[factor].nz;
}

static bool is_rotation(const double R[9])
{
    double off[9], normal[3], largest = 0;
    for (size_t i = 0; i < 9; i++)
        largest = fmax(largest, fabs(R[i]));
    if (largest == 0)
        return true; /* stands for the identity */
    ph_rotation_residual3(R, off);
    for (size_t i = 0; i < 9; i++)
        if (!(fabs(off[i]) < 1e-9))
            return false;
    ph_cross3(R, R + 3, normal);
    return ph_dot3(normal, R + 6) > 0;
}

static ph_status check_place(const ph_parts_stage *s, size_t part, const char *which,
                             const ph_scene_place *place, ph_error *err)
{
    const size_t n = s->factors;
    if (!ph_all_finite(place->at, 3) || !ph_all_finite(place->offset, 3))
        return ph_fail(err, PH_E_NOT_FINITE, "part %zu: %s has a number that is not finite", part, which);
    if (place->point != PH_NO_INDEX && place->point >= s->points)
        return ph_fail(err, PH_E_RANGE,
                       "part %zu: point %zu of %s does not exist; there are %zu, numbered from 0, or %s",
                       part, place->point, which, s->points, s->none);
    if (place->frame != PH_NO_INDEX && place->frame >= n)
        return ph_fail(err, PH_E_RANGE,
                       "part %zu: frame %zu of %s is no factor; there are %zu, numbered from 0, or %s", part,
                       place->frame, which, n, s->none);
    if (place->frame != PH_NO_INDEX && kind_of(s, place->frame) != PH_FACTOR_SO3 &&
        numbers_of(s, place->frame) > 3)
        return ph_fail(err, PH_E_RANGE,
                       "part %zu: frame %zu of %s has %zu numbers; it must be SO(3), or have at most 3", part,
                       place->frame, which, numbers_of(s, place->frame));
    return PH_OK;
}

bool ph_part_has_end(ph_scene_kind kind)
{
    return kind == PH_SCENE_LINE || kind == PH_SCENE_TUBE || kind == PH_SCENE_ARROW;
}

static ph_status check_spin(const ph_parts_stage *s, size_t i, const ph_scene_part *part, ph_error *err)
{
    if (part->spin == PH_NO_INDEX)
        return PH_OK;
    if (part->spin >= s->factors)
        return ph_fail(err, PH_E_RANGE,
                       "part %zu: spin %zu is no factor; there are %zu, numbered from 0, or %s", i,
                       part->spin, s->factors, s->none);
    if (kind_of(s, part->spin) != PH_FACTOR_S1)
        return ph_fail(err, PH_E_INVALID,
                       "part %zu: spin %zu is a factor that has no angle; it must be S^1, or %s", i,
                       part->spin, s->none);
    if (ph_part_has_end(part->kind))
        return ph_fail(err, PH_E_INVALID,
                       "part %zu: lines, tubes and arrows have no attitude, and no spin: %s", i, s->none);
    return PH_OK;
}

static ph_status check_mesh(size_t i, const ph_scene_part *part, ph_error *err)
{
    const ph_mesh *mesh = part->mesh;
    if (part->kind != PH_SCENE_MESH)
        return mesh ? ph_fail(err, PH_E_INVALID, "part %zu has a mesh, and is of another kind", i) : PH_OK;
    if (!mesh || !mesh->vertices || !mesh->faces)
        return ph_fail(err, PH_E_INVALID, "part %zu is a mesh without %s", i,
                       mesh && mesh->vertices ? "triangles" : "vertices");
    if (mesh->vertices > PH_SCENE_MESH_MOST || mesh->faces > PH_SCENE_MESH_MOST)
        return ph_fail(err, PH_E_SIZE,
                       "part %zu: its mesh has %zu vertices and %zu triangles; at most %d of each are drawn",
                       i, mesh->vertices, mesh->faces, (int)PH_SCENE_MESH_MOST);
    if (!ph_all_finite(mesh->vertex, 3 * mesh->vertices))
        return ph_fail(err, PH_E_NOT_FINITE, "part %zu: a vertex of its mesh has a number that is not finite",
                       i);
    for (size_t k = 0; k < 3 * mesh->faces; k++)
        if (mesh->face[k] >= mesh->vertices)
            return ph_fail(
                err, PH_E_RANGE,
                "part %zu: triangle %zu of its mesh has vertex %lu; there are %zu, numbered from 0", i, k / 3,
                (unsigned long)mesh->face[k], mesh->vertices);
    return PH_OK;
}

ph_status ph_part_check(const ph_parts_stage *s, size_t i, const ph_scene_part *part, ph_error *err)
{
    if ((unsigned)part->kind > PH_SCENE_MESH)
        return ph_fail(err, PH_E_RANGE, "part %zu: there is no kind %d of parts", i, (int)part->kind);
    ph_status status = check_place(s, i, "a", &part->a, err);
    if (!status && ph_part_has_end(part->kind))
        status = check_place(s, i, "b", &part->b, err);
    if (status)
        return status;
    if (!ph_all_finite(part->R, 9) || !ph_all_finite(part->size, 3))
        return ph_fail(err, PH_E_NOT_FINITE, "part %zu has a number that is not finite", i);
    if (!is_rotation(part->R))
        return ph_fail(err, PH_E_INVALID, "part %zu: R is not a rotation matrix; zeros mean the identity", i);
    for (size_t k = 0; k < 3; k++)
        if (part->size[k] < 0)
            return ph_fail(err, PH_E_RANGE, "part %zu: size[%zu] is %g; sizes are at least 0", i, k,
                           part->size[k]);
    if (part->kind == PH_SCENE_TUBE &&
        (part->a.point == PH_NO_INDEX || part->b.point == PH_NO_INDEX || part->b.point <= part->a.point))
        return ph_fail(err, PH_E_RANGE, "part %zu: a tube goes from a point a to a later point b", i);
    if (part->link != PH_NO_INDEX && part->link >= s->factors)
        return ph_fail(err, PH_E_RANGE,
                       "part %zu: link %zu is no factor; there are %zu, numbered from 0, or %s", i,
                       part->link, s->factors, s->none);
    status = check_mesh(i, part, err);
    return status ? status : check_spin(s, i, part, err);
}

ph_status ph_parts_check(const ph_system_definition *d, const ph_space *space, size_t own, ph_error *err)
{
    if (!ph_all_finite(d->up, 3))
        return ph_fail(err, PH_E_NOT_FINITE, "up has a number that is not finite");
    if (d->n_parts && !d->parts)
        return ph_fail(err, PH_E_INVALID, "n_parts is %zu, but parts is NULL", d->n_parts);
    if (!d->n_parts) /* nor are the factors of a large space listed */
        return PH_OK;
    const ph_parts_stage s = {.space = space,
                              .factors = ph_space_factors(space),
                              .points = ph_parts_points(space, own),
                              .none = "PH_NO_INDEX"};
    ph_status status = PH_OK;
    for (size_t i = 0; i < d->n_parts && !status; i++)
        status = ph_part_check(&s, i, &d->parts[i], err);
    return status;
}

/* Bytes of the copy of a mesh: itself, its coordinates, its triangles; a multiple of the size of a double. */
static size_t mesh_bytes(const ph_mesh *mesh)
{
    const size_t faces = (3 * mesh->faces * sizeof *mesh->face + sizeof(double) - 1) / sizeof(double);
    return sizeof *mesh + (3 * mesh->vertices + faces) * sizeof(double);
}

/* The copy of a mesh at `to`, where there is room for mesh_bytes. */
static const ph_mesh *copy_mesh(const ph_mesh *mesh, unsigned char *to)
{
    ph_mesh *copy = (ph_mesh *)(void *)to;
    double *vertex = (double *)(void *)(to + sizeof *copy);
    uint32_t *face = (uint32_t *)(void *)(vertex + 3 * mesh->vertices);
    memcpy(vertex, mesh->vertex, 3 * mesh->vertices * sizeof *vertex);
    memcpy(face, mesh->face, 3 * mesh->faces * sizeof *face);
    *copy = (ph_mesh){mesh->vertices, vertex, mesh->faces, face};
    return copy;
}

/* Has the part a mesh that can be copied? Others are refused later on, by ph_parts_check. */
static bool has_mesh(const ph_scene_part *part)
{
    return part->mesh && !check_mesh(0, part, NULL);
}

/* Bytes behind the parts of a definition: meshes first, then names. */
static size_t bytes_behind(const ph_system_definition *d, size_t *meshes)
{
    size_t letters = 0;
    *meshes = 0;
    for (size_t i = 0; i < d->n_parts; i++) {
        letters += d->parts[i].name ? strlen(d->parts[i].name) + 1 : 0;
        *meshes += has_mesh(&d->parts[i]) ? mesh_bytes(d->parts[i].mesh) : 0;
    }
    return letters + *meshes;
}

bool ph_parts_copy(const ph_system_definition *d, ph_scene_part **parts)
{
    *parts = NULL;
    if (d->n_parts == PH_PARTS_REFUSED)
        return false;
    if (!d->n_parts || !d->parts)
        return true;
    size_t meshes;
    const size_t behind = bytes_behind(d, &meshes);
    if (behind > SIZE_MAX / 2 || d->n_parts > SIZE_MAX / 4 / sizeof **parts)
        return false;
    ph_scene_part *copy = malloc(d->n_parts * sizeof *copy + behind);
    if (!copy)
        return false;
    unsigned char *mesh = (unsigned char *)(copy + d->n_parts);
    char *name = (char *)mesh + meshes;
    for (size_t i = 0; i < d->n_parts; i++) {
        const size_t length = d->parts[i].name ? strlen(d->parts[i].name) + 1 : 0;
        copy[i] = d->parts[i];
        if (has_mesh(&d->parts[i])) {
            copy[i].mesh = copy_mesh(d->parts[i].mesh, mesh);
            mesh += mesh_bytes(d->parts[i].mesh);
        }
        if (length) {
            memcpy(name, d->parts[i].name, length);
            copy[i].name = name;
            name += length;
        }
    }
    *parts = copy;
    return true;
}
