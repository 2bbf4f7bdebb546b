/* SPDX-License-Identifier: BSD-3-Clause */
/* Surfaces from files: the same cube as OBJ, with quadrilaterals, and as tables; lines that are not understood. */
#include <polhode/shape.h>

#include "tests/kit/testkit.h"

#include <unistd.h>

static char folder[200];

static void make_place(void)
{
    tk_make_folder(folder, sizeof folder, 1 << 20);
}

static const char *const names[] = {"cube.obj", "vertices", "faces"};

static void remove_place(void)
{
    char path[300];
    for (size_t i = 0; i < 3; i++) {
        snprintf(path, sizeof path, "%s/%s", folder, names[i]);
        unlink(path);
    }
    rmdir(folder);
}

static const char *put(size_t which, const char *text)
{
    static char paths[3][300];
    snprintf(paths[which], sizeof paths[which], "%s/%s", folder, names[which]);
    FILE *out = fopen(paths[which], "w");
    ck_assert_ptr_nonnull(out);
    fputs(text, out);
    fclose(out);
    return paths[which];
}

static const char obj[] =
    "# a cube\r\no cube\nv 0 0 0\nv 0 0 1\nv 0 1 0\nv 0 1 1\nv 1 0 0\nv 1 0 1\nv 1 1 0 1.0\nv 1 1 1\n\nvn 0 0 1\n"
    "f 1/1/1 2/1/1 4 3\nf 5 7 8 6\nf 1 5 6 2\nf -6 -5 -1 -2\nf 1 3 7 5\nf 2 6 8 4\n";
static const char vertices[] =
    "1,0,0,0\n0,0,0,1\n3,0,1,0,\n\n4;0;1;1\n5,1e0,0,0\n# a comment\n6,1,0,1\n7 1 1 0\n8,\t1,1,1\n";
static const char faces[] =
    "1,2,4\n1,4,3,\n5,7,8\n5,8,6\n1,5,6\n1,6,2\n3,4,8\n3,8,7\n1,3,7\n1,7,5\n2,6,8\n2,8,4\n";

START_TEST(cubes)
{
    ph_shape *shape;
    ph_mass body[2];
    int turned;
    double centre[3];
    tk_ok(ph_shape_read_obj(put(0, obj), 1, &shape, NULL));
    ph_mesh mesh = ph_shape_mesh(shape);
    ck_assert_uint_eq(mesh.vertices, 8);
    ck_assert_uint_eq(mesh.faces, 12);
    tk_ok(ph_mass_polyhedron(&mesh, 1, &body[0], &turned, NULL));
    ck_assert_int_eq(turned, 0);
    ph_shape_free(shape);
    tk_ok(ph_shape_read_tables(put(1, vertices), put(2, faces), 1000, &shape, NULL));
    mesh = ph_shape_mesh(shape);
    tk_ok(ph_mass_polyhedron(&mesh, 1e-9, &body[1], &turned, NULL));
    ph_shape_free(shape);
    ck_assert_double_eq_tol(body[0].moment[0], 1, 1e-15);
    ck_assert_double_eq_tol(body[1].moment[0], 1, 1e-15);
    ph_mass_center(&body[0], centre);
    for (size_t k = 0; k < 3; k++) {
        ck_assert_double_eq_tol(centre[k], 0.5, 1e-15);
        ck_assert_double_eq_tol(body[0].J[4 * k], 1. / 6, 1e-14);
    }
    for (size_t i = 1; i < 4; i++) /* the first moments, in km */
        ck_assert_double_eq_tol(body[1].moment[i], 500, 1e-12);
    ph_mesh none = ph_shape_mesh(NULL);
    ck_assert_uint_eq(none.faces, 0);
    ph_shape_free(NULL);
}
END_TEST

static const struct {
    const char *obj, *vertices, *faces, *says;
    ph_status status;
} bad[] = {{"v 0 0 0\nv 0 zero 1\n", NULL, NULL, "cube.obj:2: a coordinate is not a finite number: \"zero\"",
            PH_E_PARSE},
           {"v 0 0\n", NULL, NULL, "cube.obj:1: a vertex has fewer than three coordinates", PH_E_PARSE},
           {"v 0 0 0\nf 1 2.5 3\n", NULL, NULL, "cube.obj:2: the number of a vertex is not a whole number",
            PH_E_PARSE},
           {"v 0 0 0\nf 1 -2 1\n", NULL, NULL, "cube.obj:2: there is no vertex of this number", PH_E_PARSE},
           {"v 0 0 0\nf 1 1\n", NULL, NULL, "cube.obj:2: a face has fewer than three corners", PH_E_PARSE},
           {NULL, "1,2\n", "", "vertices:1: a vertex is three numbers", PH_E_PARSE},
           {NULL, "0,1,2,3\n0,1,2,x\n", "", "vertices:2: this is not a number: \"x\"", PH_E_PARSE},
           {NULL, "0,1,2,3\n", "\n1,1,2\n", "faces:2: a face has a number that no vertex has", PH_E_PARSE},
           {NULL, "0,1,2,3\n", "1,1\n", "faces:1: a face is the numbers of three vertices", PH_E_PARSE},
           {NULL, "0,1,2,3,4,5\n", "", "vertices:1: there are more than four numbers", PH_E_PARSE}};

START_TEST(bad_files)
{
    ph_error err = {0};
    ph_shape *shape;
    const ph_status status =
        bad[_i].obj ? ph_shape_read_obj(put(0, bad[_i].obj), 1, &shape, &err)
                    : ph_shape_read_tables(put(1, bad[_i].vertices), put(2, bad[_i].faces), 1, &shape, &err);
    ck_assert_int_eq(status, bad[_i].status);
    ck_assert_msg(strstr(err.message, bad[_i].says), "%s", err.message);
    ck_assert_ptr_null(shape);
}
END_TEST

START_TEST(no_files)
{
    ph_error err = {0};
    ph_shape *shape;
    ck_assert_int_eq(ph_shape_read_obj("/nowhere/x.obj", 1, &shape, &err), PH_E_IO);
    ck_assert_ptr_nonnull(strstr(err.message, "/nowhere/x.obj: cannot be opened"));
    ck_assert_ptr_null(shape);
    ck_assert_int_eq(ph_shape_read_tables(put(1, vertices), "/nowhere/x", 1, &shape, &err), PH_E_IO);
    ck_assert_ptr_null(shape);
    ck_assert_int_eq(ph_shape_read_obj(put(0, obj), 0, &shape, &err), PH_E_RANGE);
    ck_assert_int_eq(ph_shape_read_obj(folder, 1, &shape, &err), PH_E_IO); /* a directory */
    ck_assert_ptr_null(shape);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("shape");
    TCase *all = tcase_create("all");
    tcase_add_checked_fixture(all, make_place, remove_place);
    tcase_add_test(all, cubes);
    tcase_add_loop_test(all, bad_files, 0, (int)(sizeof bad / sizeof bad[0]));
    tcase_add_test(all, no_files);
    suite_add_tcase(suite, all);
    return tk_main(suite);
}
