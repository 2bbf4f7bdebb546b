/* SPDX-License-Identifier: BSD-3-Clause */
/* Slender rods and cables: see rod.h. */
#include "rod.h"
#include "gravity.h"
#include "linkage.h"
#include <polhode/domain/scene.h>
#include <stdint.h>

/* ---- What it is made of ------------------------------------------------------------------------- */

/* Half of each link's mass is at each of its ends: the last mass is half as large. */
ph_status ph_rod_create(const ph_model_table *table, size_t n, ph_rod **rod, ph_error *err)
{
    const double length = ph_number(table, PH_ROD_LENGTH), mass = ph_number(table, PH_ROD_MASS);
    ph_rod *r = calloc(1, sizeof *r + 3 * n * sizeof(double));
    *rod = r;
    if (!r)
        return ph_fail(err, PH_E_NO_MEMORY, "no memory for a rod of %zu links", n);
    *r = (ph_rod){.n = n, .length = r->storage, .mass = r->storage + n, .joint = r->storage + 2 * n};
    memcpy(r->G, ph_vector(table, PH_ROD_GRAVITY), sizeof r->G);
    for (size_t i = 0; i < n; i++) {
        r->length[i] = length / (double)n;
        r->mass[i] = mass / (double)(i + 1 < n ? n : 2 * n);
    }
    return PH_OK;
}

/* k_i = EI / (half of the two links that meet); at a clamp EI / (l_1/2), on a ball joint 0. */
void ph_rod_stiffen(ph_rod *r, double EI)
{
    r->joint[0] = ph_all_zero(3, r->clamp) ? 0 : 2 * EI / r->length[0];
    for (size_t i = 1; i < r->n; i++)
        r->joint[i] = 2 * EI / (r->length[i - 1] + r->length[i]);
}

/* Scaled by the largest entry first: |v|^2 may be too large or too small for a double. */
double ph_rod_direction(double v[3])
{
    double largest = fmax(fabs(v[0]), fmax(fabs(v[1]), fabs(v[2]))), size;
    if (largest == 0)
        return 0;
    for (int a = 0; a < 3; a++)
        v[a] /= largest;
    size = ph_norm3(v);
    for (int a = 0; a < 3; a++)
        v[a] /= size;
    ph_unit_correct3(v);
    return size * largest;
}

ph_status ph_rod_clamp(ph_rod *r, const ph_parameter_value *direction, ph_error *err)
{
    memcpy(r->clamp, direction->values, sizeof r->clamp);
    if (ph_rod_direction(r->clamp) == 0)
        return ph_fail(err, PH_E_INVALID,
                       "%s is (0, 0, 0); give the vector along which the rod leaves its clamp",
                       direction->name);
    return PH_OK;
}

double ph_rod_reach(const ph_rod *r)
{
    double sum = 0;
    for (size_t i = 0; i < r->n; i++)
        sum += r->length[i];
    return sum;
}

/* Where the clamp is vertical, any direction across it is as near to gravity's as another. */
void ph_rod_frame(const ph_rod *r, double along[3], double down[3], double across[3])
{
    ph_gravity_frame(r->G, along, across, down);
    if (ph_all_zero(3, r->clamp))
        return;
    double part = ph_dot3(down, r->clamp), other[3];
    memcpy(along, r->clamp, sizeof r->clamp);
    for (int a = 0; a < 3; a++)
        down[a] -= part * along[a];
    if (ph_norm3(down) < 1e-3)
        ph_tangent_basis3(along, down, other);
    ph_rod_direction(down);
    ph_cross3(along, down, across);
}

void ph_rod_hang(const ph_rod *r, double *q)
{
    double along[3], across[3], down[3];
    ph_gravity_frame(r->G, along, across, down);
    ph_links_align(r->n, 3, down, q);
}

/* ---- Callbacks ---------------------------------------------------------------------------------- */

/* P <- dU/dx_n. */
static void pull_at_tip(const ph_rod *r, const double *q, double P[3])
{
    double x[3] = {0};
    for (size_t i = 0; i < r->n && r->hold > 0; i++)
        for (size_t a = 0; a < 3; a++)
            x[a] += r->length[i] * q[3 * i + a];
    for (size_t a = 0; a < 3; a++)
        P[a] = r->hold * (x[a] - r->anchor[a]) - r->load[a];
}

/* U = (1/2) sum k_i |q_i - q_{i-1}|^2 + (K/2) |x_n - a|^2 - F . x_n; gravity is the linkage's. */
static ph_status potential(void *user, const double *z, double *U)
{
    const ph_rod *r = user;
    const double *before = r->clamp;
    double bent = 0, x[3] = {0}, off[3];
    for (size_t i = 0; i < r->n; i++) {
        double square = 0;
        for (size_t a = 0; a < 3; a++) {
            double turn = z[3 * i + a] - before[a];
            square += turn * turn;
            x[a] += r->length[i] * z[3 * i + a];
        }
        bent += r->joint[i] * square;
        before = z + 3 * i;
    }
    for (size_t a = 0; a < 3; a++)
        off[a] = x[a] - r->anchor[a];
    *U = 0.5 * (bent + r->hold * ph_dot3(off, off)) - ph_dot3(r->load, x);
    return PH_OK;
}

/* dU/dq_i = k_i (q_i - q_{i-1}) - k_{i+1} (q_{i+1} - q_i) + l_i P with P = K (x_n - a) - F: O(n). */
static ph_status gradient(void *user, const double *z, double *dU)
{
    const ph_rod *r = user;
    double P[3], moment[3];
    pull_at_tip(r, z, P);
    for (size_t a = 0; a < 3; a++)
        moment[a] = r->joint[0] * (z[a] - r->clamp[a]);
    for (size_t i = 0; i + 1 < r->n; i++, z += 3, dU += 3) {
        double k = r->joint[i + 1], l = r->length[i];
        for (size_t a = 0; a < 3; a++) {
            double next = k * (z[3 + a] - z[a]);
            dU[a] = (moment[a] - next) + l * P[a];
            moment[a] = next;
        }
    }
    for (size_t a = 0; a < 3; a++)
        dU[a] = moment[a] + r->length[r->n - 1] * P[a];
    return PH_OK;
}

/* ---- Building ----------------------------------------------------------------------------------- */

/* The rotations of gravity that leave clamp, load and anchor invariant, too. */
static size_t find_symmetries(const ph_rod *r, ph_symmetry symmetries[3])
{
    const double *const vectors[] = {r->clamp, r->load, r->anchor};
    size_t n = r->hold > 0 ? 3 : 2, candidates = ph_gravity_symmetries(r->G, symmetries);
    for (size_t i = 0; i < n && candidates == 3; i++)
        if (!ph_all_zero(3, vectors[i])) { /* no gravity, but one of these vectors */
            symmetries[0] = (ph_symmetry){.name = "Ja",
                                          .text = "angular momentum about the axis of clamp and loads",
                                          .unit = "kg m^2/s"};
            memcpy(symmetries[0].axis, vectors[i], 3 * sizeof(double));
            ph_rod_direction(symmetries[0].axis);
            candidates = 1;
        }
    for (size_t i = 0; i < n; i++)
        if (!ph_all_zero(3, vectors[i]) && !ph_is_along(symmetries[0].axis, vectors[i]))
            return 0;
    return candidates;
}

/* A rod that bends: a tube from the fixed end through the masses; a cable that is held or pulled: its links. Where they are held there
 * are marks. (What only hangs has its links with their tensions.) */
static void draw(const ph_rod *r, ph_part_list *parts)
{
    const double radius = 0.008 * ph_rod_reach(r);
    if (ph_all_zero(r->n, r->joint)) {
        ph_part_links(parts, &(ph_linkage){.length = r->length, .mass = r->mass}, 0, r->n, false);
    } else {
        ph_part_rod(parts, PH_NO_INDEX, 0, radius)->name = "rod";
        if (r->n > 1) {
            ph_scene_part *tube = ph_part_rod(parts, 0, r->n - 1, radius);
            tube->kind = PH_SCENE_TUBE;
            tube->name = "rod";
        }
    }
    if (ph_all_zero(3, r->clamp))
        ph_part_mark(parts, PH_NO_INDEX, r->G, "pivot");
    else
        ph_part_mark(parts, PH_NO_INDEX, r->clamp, "clamp");
    if (r->hold > 0)
        memcpy(ph_part_mark(parts, PH_NO_INDEX, r->G, "anchor")->a.at, r->anchor, sizeof r->anchor);
}

ph_status ph_rod_build(ph_rod *r, ph_system **system, ph_error *err)
{
    ph_symmetry symmetries[3];
    const ph_parameter_value mass = {NULL, r->mass, r->n}, length = {NULL, r->length, r->n};
    const ph_links links = {
        .n = r->n, .d = 3, .mass = &mass, .length = &length, .G = {r->G[0], r->G[1], r->G[2]}};
    const bool springs = !ph_all_zero(r->n, r->joint) || !ph_all_zero(3, r->load) || r->hold > 0;
    ph_system_definition rest = {.potential = springs ? potential : NULL,
                                 .gradient = springs ? gradient : NULL,
                                 .symmetries = symmetries,
                                 .n_symmetries = find_symmetries(r, symmetries),
                                 .user = r,
                                 .user_free = free};
    ph_part_list parts = {0};
    if (springs && r->n <= PH_SCENE_MOST)
        draw(r, &parts);
    ph_part_give(&parts, &rest);
    const ph_status status = ph_links_build(&links, &rest, system, err);
    free(parts.at);
    return status;
}
