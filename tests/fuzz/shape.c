/* SPDX-License-Identifier: BSD-3-Clause */
/* Surfaces from files of any bytes: OBJ, OFF, PLY, STL and tables by what they contain, or two tables with a line "---" between
 * them. A surface has vertices that exist, and is given to the moments and, if it is small, to the exact field.
 * fuzz: lib/shape lib/text lib/gravity/mass.c lib/gravity/mesh.c lib/gravity/polyhedron.c lib/gravity/exact.c; 50000 inputs of at most 4096 bytes */
#include "fuzz.h"

#include <polhode/domain/gravity.h>
#include <polhode/domain/shape.h>

static void use(const ph_shape *shape)
{
    const ph_mesh mesh = ph_shape_mesh(shape);
    TK_OWN(ph_polyhedron) *polyhedron = NULL;
    ph_mass mass;
    ph_error err = {PH_OK, ""};
    double U, force[3], inside;
    const double p[3] = {0.7, -0.4, 2.2};
    int turned;
    fuzz_finite(mesh.vertex, 3 * mesh.vertices);
    for (size_t i = 0; i < 3 * mesh.faces; i++)
        ck_assert_uint_lt(mesh.face[i], mesh.vertices);
    for (size_t i = 0; i <= mesh.faces; i++)
        (void)ph_shape_line(shape, i);
    if (fuzz_judge(ph_mass_polyhedron(&mesh, 2000, &mass, &turned, &err), &err)) {
        fuzz_finite(mass.moment, PH_MASS_MOMENTS);
        fuzz_finite(mass.J, 9);
        ck_assert_double_gt(mass.moment[0], 0);
        ph_mass_center(&mass, NULL);
    }
    if (mesh.faces < 100 && fuzz_judge(ph_polyhedron_create(&mesh, 2000, &polyhedron, &err), &err))
        ph_polyhedron_attract(polyhedron, 1, 1, p, &U, force, &inside);
}

FUZZ_TARGET(shape)
{
    static const char *const names[] = {"input", "second"};
    TK_OWN(ph_shape) *shape = NULL;
    ph_error err = {PH_OK, ""};
    const ph_status status = fuzz_split(data, size, names, 2) == 2
                                 ? ph_shape_read_tables("input", "second", 1, &shape, &err)
                                 : ph_shape_read("input", 1, &shape, &err);
    if (fuzz_judge(status, &err))
        use(shape);
    else
        ck_assert_ptr_null(shape);
    return FUZZ_TAKEN;
}
