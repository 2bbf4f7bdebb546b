/* SPDX-License-Identifier: BSD-3-Clause */
/* Spins on a lattice as a system that is declared by parts: see magnet.h. */
#include "magnet.h"
#include "gravity.h"

#include <polhode/domain/scene.h>
#include <polhode/domain/spins.h>
#include <polhode/kit/elementary.h>

static const double e3[3] = {0, 0, 1};

void ph_magnet_read(const ph_model_table *table, size_t exchange, size_t field, ph_magnet *m)
{
    *m = (ph_magnet){.J = ph_number(table, exchange),
                     .delta = ph_number(table, exchange + 1),
                     .K = ph_number(table, exchange + 2),
                     .strengths = &table->row[field + 1],
                     .damping = &table->row[field + 2]};
    memcpy(m->field, ph_vector(table, field), sizeof m->field);
}

/* ---- Symmetries ----------------------------------------------------------------------------------------- */

static size_t find_symmetries(const ph_magnet *m, ph_symmetry symmetries[3])
{
    static const ph_symmetry all[] = {{"Jx", "sum of Gamma s, component e1", "J s", {1, 0, 0}, NULL},
                                      {"Jy", "sum of Gamma s, component e2", "J s", {0, 1, 0}, NULL},
                                      {"Jz", "sum of Gamma s, component e3", "J s", {0, 0, 1}, NULL}};
    const double *directions[5], *u = NULL;
    size_t n = 0, bonds = 0;
    for (size_t a = 0; a < 3; a++) {
        const size_t along = ph_lattice_bonds(&m->lattice, a);
        if (along && !ph_all_zero(3, m->twist[a]))
            directions[n++] = m->twist[a];
        bonds += along;
    }
    if (m->K != 0 || (bonds && m->J != 0 && m->delta != 1))
        directions[n++] = e3;
    if (!ph_all_zero(3, m->field))
        directions[n++] = m->field;
    if (!ph_all_zero(ph_parameter_length(m->damping), m->damping->values))
        return 0;
    memcpy(symmetries, all, sizeof all);
    if (!n)
        return 3;
    u = directions[n - 1];
    const double size = ph_norm3(u);
    double axis[3] = {u[0] / size, u[1] / size, u[2] / size};
    for (size_t i = 0; i < n; i++)
        if (!ph_is_along(axis, directions[i]))
            return 0;
    for (size_t a = 0; a < 3; a++)
        if (ph_is_along(axis, all[a].axis)) {
            symmetries[0] = all[a];
            return 1;
        }
    symmetries[0] = (ph_symmetry){"Jn", "sum of Gamma s along the axis of field and bonds", "J s", {0}, NULL};
    memcpy(symmetries[0].axis, axis, sizeof axis);
    return 1;
}

/* ---- Parts ---------------------------------------------------------------------------------------------- */

/* What the description points to. */
typedef struct parts {
    uint32_t *first, *second; /* bonds along the axes, one after another */
    double *strengths, *damping;
    double axial, twist[3];
    ph_bonds bonds[9];
    size_t groups;
} parts;

static void add_group(parts *p, const ph_bonds *bonds)
{
    if (bonds->c[0] != 0)
        p->bonds[p->groups++] = *bonds;
}

/* The groups of all axes: exchange, then what is added to it along e3, then twists. */
static void add_bonds(const ph_magnet *m, parts *p)
{
    static const ph_bond_kind kinds[] = {PH_BOND_EXCHANGE, PH_BOND_AXIAL, PH_BOND_TWIST};
    p->axial = m->J * (m->delta - 1);
    for (size_t kind = 0; kind < 3; kind++) {
        size_t begin = 0;
        for (size_t a = 0; a < 3; a++) {
            const size_t n = ph_lattice_bonds(&m->lattice, a);
            ph_bonds b = {.kind = kinds[kind],
                          .n = n,
                          .first = p->first + begin,
                          .second = p->second + begin,
                          .c = kind == 0   ? &m->J
                               : kind == 1 ? &p->axial
                                           : &p->twist[a],
                          .uniform = true,
                          .axis = {0, 0, 1}};
            begin += n;
            p->twist[a] = ph_norm3(m->twist[a]);
            for (size_t k = 0; k < 3 && kind == 2 && p->twist[a] > 0; k++)
                b.axis[k] = m->twist[a][k] / p->twist[a];
            if (n)
                add_group(p, &b);
        }
    }
}

static double *spread(const ph_parameter_value *v, double *to, size_t n)
{
    for (size_t i = 0; i < n; i++)
        to[i] = ph_parameter_entry(v, i);
    return to;
}

/* The lines of the lattice along an axis, each through all of its sites: the bonds but those that close lines. */
static void draw_bonds(const ph_lattice *lattice, size_t axis, ph_part_list *list)
{
    enum { MOST = 2000 };
    const size_t n = ph_lattice_sites(lattice), *side = lattice->side, length = side[axis];
    if (length < 2 || n / length > MOST)
        return;
    for (size_t i = 0; i < n; i++) {
        const size_t at[3] = {i % side[0], i / side[0] % side[1], i / side[0] / side[1]};
        if (at[axis])
            continue;
        ph_scene_part *line = ph_part_add(list, PH_SCENE_LINE, PH_NO_INDEX, PH_NO_INDEX);
        line->name = "bond";
        for (size_t k = 0; k < 3; k++)
            line->a.at[k] = line->b.at[k] = (double)at[k];
        line->b.at[axis] = (double)(length - 1);
    }
}

/* An arrow at each site of the lattice, which has the spacing 1, half of it on each side, and the bonds. */
static void draw(const ph_lattice *lattice, ph_part_list *list)
{
    const size_t n = ph_lattice_sites(lattice), *side = lattice->side;
    for (size_t i = 0; i < n && n <= PH_SCENE_MOST; i++) {
        const double at[3] = {(double)(i % side[0]), (double)(i / side[0] % side[1]),
                              (double)(i / side[0] / side[1])};
        ph_scene_part *arrow = ph_part_shift(ph_part_add(list, PH_SCENE_ARROW, PH_NO_INDEX, i), -0.4, 0, 0);
        ph_part_end(arrow, PH_NO_INDEX, i, 0.4, 0, 0);
        memcpy(arrow->a.at, at, sizeof at);
        memcpy(arrow->b.at, at, sizeof at);
    }
    for (size_t axis = 0; axis < 3 && n <= PH_SCENE_MOST; axis++)
        draw_bonds(lattice, axis, list);
}

ph_status ph_magnet_build(const ph_magnet *m, ph_system **system, ph_error *err)
{
    const size_t n = ph_lattice_sites(&m->lattice);
    size_t bonds = 0, begin = 0;
    for (size_t a = 0; a < 3; a++)
        bonds += ph_lattice_bonds(&m->lattice, a);
    ph_symmetry symmetries[3];
    parts p = {.first = malloc((bonds + 1) * sizeof *p.first),
               .second = malloc((bonds + 1) * sizeof *p.second),
               .strengths = malloc(2 * n * sizeof *p.strengths)};
    ph_status status = PH_OK;
    if (!p.first || !p.second || !p.strengths)
        status = ph_fail(err, PH_E_NO_MEMORY, "no memory for %zu spins", n);
    for (size_t a = 0; a < 3 && !status; a++) {
        ph_lattice_list(&m->lattice, a, p.first + begin, p.second + begin);
        begin += ph_lattice_bonds(&m->lattice, a);
    }
    if (!status) {
        add_bonds(m, &p);
        p.damping = spread(m->damping, p.strengths + n, n);
        spread(m->strengths, p.strengths, n);
        const ph_anisotropy easy = {.axis = {0, 0, 1}, .K = &m->K, .uniform = true};
        const ph_spins spins = {.n = n,
                                .strengths = p.strengths,
                                .damping = ph_all_zero(n, p.damping) ? NULL : p.damping,
                                .bonds = p.bonds,
                                .n_bonds = p.groups,
                                .field = ph_all_zero(3, m->field) ? NULL : m->field,
                                .field_is_uniform = true,
                                .anisotropies = &easy,
                                .n_anisotropies = m->K != 0};
        ph_system_definition definition = {
            .spins = &spins, .symmetries = symmetries, .n_symmetries = find_symmetries(m, symmetries)};
        ph_part_list drawn = {0};
        draw(&m->lattice, &drawn);
        status = ph_part_create(&drawn, &definition, system, err);
    }
    free(p.first);
    free(p.second);
    free(p.strengths);
    return status;
}

ph_status ph_magnet_steepness(double J, double delta, double K, double *steepness, ph_error *err)
{
    const double ratio = J > 0 ? K / J : 0, more = delta - 1 + ratio;
    if (!(J > 0 && more > 0))
        return ph_fail(
            err, PH_E_RANGE,
            "exchange is %g J, delta %g, anisotropy with that of bonds along the wall %g J; a domain wall needs a positive exchange and e3 "
            "as an easy axis: delta + anisotropy/exchange above 1",
            J, delta, K);
    *steepness = ph_log1p(more + sqrt(more * (more + 2)));
    return PH_OK;
}
