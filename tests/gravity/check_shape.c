/* SPDX-License-Identifier: BSD-3-Clause */
/* Surfaces from files: the same cube as OBJ, with quadrilaterals, and as tables; a box and a tetrahedron in every format that is
 * read, with exact volumes and moments; lines and formats that are not understood. */
#include <polhode/domain/shape.h>

#include "tests/kit/testkit.h"

#include <math.h>
#include <string.h>
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

TEST(cubes)
{
    ph_shape *shape;
    ph_mass body[2];
    int turned;
    double centre[3];
    tk_ok(ph_shape_read(put(0, obj), 1, &shape, NULL));
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

/* ---- Two bodies in every format ---------------------------------------------------------------------------- */

typedef struct solid {
    size_t vertices, faces;
    double vertex[8][3];
    int face[12][3];
    double volume, center[3], J[9]; /* of density 1, J about the centre */
} solid;
static const solid solids[] = {
    {8,
     12,
     {{100, 80, 60},
      {100, 80, -60},
      {100, -80, 60},
      {100, -80, -60},
      {-100, 80, 60},
      {-100, 80, -60},
      {-100, -80, 60},
      {-100, -80, -60}},
     {{0, 2, 3},
      {0, 3, 1},
      {4, 5, 7},
      {4, 7, 6},
      {0, 1, 5},
      {0, 5, 4},
      {2, 6, 7},
      {2, 7, 3},
      {0, 4, 6},
      {0, 6, 2},
      {1, 3, 7},
      {1, 7, 5}},
     3.84e6,
     {0, 0, 0},
     {3.84e6 / 12 * 40000, 0, 0, 0, 3.84e6 / 12 * 54400, 0, 0, 0, 3.84e6 / 12 * 65600}},
    /* V = det/6 = 20, int x_i x_j = V/20 (sum_a x_ai x_aj + s_i s_j) over the corners a, s their sum; the corner 0 is in all
     * faces but one */
    {4,
     4,
     {{0, 0, 0}, {6, 0, 0}, {1, 5, 0}, {2, 1, 4}},
     {{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {2, 0, 3}},
     20,
     {2.25, 1.5, 1},
     {29, 6.5, 1, 6.5, 32.75, 2, 1, 2, 37.75}}};

static void put_bytes(FILE *out, double value, char type, bool big)
{
    unsigned char bytes[8];
    const float single = (float)value;
    uint64_t bits;
    uint32_t half;
    memcpy(&bits, &value, sizeof bits);
    memcpy(&half, &single, sizeof half);
    const size_t size = type == 'd' ? 8 : type == 'f' || type == 'i' ? 4 : type == 's' ? 2 : 1;
    if (type != 'd')
        bits = type == 'f' ? half : (uint64_t)value;
    for (size_t i = 0; i < size; i++)
        bytes[big ? size - 1 - i : i] = (unsigned char)(bits >> 8 * i);
    fwrite(bytes, 1, size, out);
}

enum format {
    OBJ,
    OBJ_FROM_0,
    OBJ_MARKED,
    OFF,
    OFF_BARE,
    COFF,
    PLY,
    PLY_LITTLE,
    PLY_BIG,
    STL,
    STL_BINARY,
    DAMIT,
    DAMIT_FROM_0,
    PDS,
    TABLES,
    TABLES_FROM_0,
    TABLES_LETTERS,
    TETGEN,
    TETGEN_FROM_1,
    FORMATS
};

static void put_head(FILE *out, enum format as, const solid *s)
{
    const unsigned long n = s->vertices, m = s->faces;
    switch (as) {
    case OBJ_MARKED:
        fputs("\xef\xbb\xbf", out);
        break;
    case OBJ:
        fputs("# an object\r\nmtllib none\r\no it\r\n", out);
        break;
    case OFF:
        fprintf(out, "OFF\n# comment\n%lu %lu 0\n\n", n, m);
        break;
    case COFF:
        fprintf(out, "COFF %lu %lu 0 # in one line\n", n, m);
        break;
    case OFF_BARE:
        fprintf(out, "%lu %lu 18\n", n, m);
        break;
    case PLY:
        fprintf(
            out,
            "ply\nformat ascii 1.0\ncomment made up\nelement vertex %lu\nproperty float nx\nproperty float x\nproperty float "
            "y\nproperty double z\nelement face %lu\nproperty uchar red\nproperty list uchar int vertex_indices\nelement edge "
            "1\nproperty int vertex1\nend_header\n",
            n, m);
        break;
    case PLY_LITTLE:
    case PLY_BIG: /* with an element before the vertices, and other types than usual */
        fprintf(
            out,
            "ply\nformat binary_%s_endian 1.0\nelement note 1\nproperty list short uint8 letters\nelement vertex %lu\n"
            "property double x\nproperty float32 y\nproperty float z\nproperty uchar red\nelement face %lu\n"
            "property list uint8 %s vertex_index\nproperty list uchar float texcoord\nend_header\n",
            as == PLY_BIG ? "big" : "little", n, m, as == PLY_BIG ? "ushort" : "int");
        put_bytes(out, 2, 's', as == PLY_BIG);
        fputs("\n\n", out);
        break;
    case STL:
        fputs("solid it\n", out);
        break;
    case STL_BINARY:
        fprintf(out, "solid %-74s", "is how some begin, too");
        put_bytes(out, (double)m, 'i', false);
        break;
    case DAMIT:
    case DAMIT_FROM_0:
        fprintf(out, "   %lu   %lu\n", n, m);
        break;
    case PDS:
        fprintf(out, " %lu\r\n", n);
        break;
    case TETGEN:
        fprintf(out, "# Node count, dimensions, attributes, markers\n%lu 3 2 1\n", n);
        break;
    case TETGEN_FROM_1:
        fprintf(out, "%lu  3  0  0\n", n);
        break;
    default:
        break;
    }
}

static void put_vertex(FILE *out, enum format as, size_t i, const double *x)
{
    switch (as) {
    case OBJ:
    case OBJ_FROM_0:
    case OBJ_MARKED:
    case TABLES_LETTERS:
        fprintf(out, "v %g %g %g\n", x[0], x[1], x[2]);
        break;
    case COFF:
        fprintf(out, "%g %g %g 0.5 0.5 0.5 1\n", x[0], x[1], x[2]);
        break;
    case PLY:
        fprintf(out, "7 %g %g %g\n", x[0], x[1], x[2]);
        break;
    case PLY_LITTLE:
    case PLY_BIG:
        put_bytes(out, x[0], 'd', as == PLY_BIG);
        put_bytes(out, x[1], 'f', as == PLY_BIG);
        put_bytes(out, x[2], 'f', as == PLY_BIG);
        put_bytes(out, 200, 'c', as == PLY_BIG);
        break;
    case PDS:
    case TETGEN_FROM_1:
        fprintf(out, "%lu %g %g %g\r\n", (unsigned long)i + 1, x[0], x[1], x[2]);
        break;
    case TETGEN:
        fprintf(out, "%lu %g %g %g 0.1 0.2 1\n", (unsigned long)i, x[0], x[1], x[2]);
        break;
    case TABLES_FROM_0:
        fprintf(out, "%lu,%g,%g,%g,\n", (unsigned long)i, x[0], x[1], x[2]);
        break;
    default:
        fprintf(out, "%g %g %g\n", x[0], x[1], x[2]);
    }
}

static void put_triangle(FILE *out, enum format as, const solid *s, const int *f)
{
    if (as == STL)
        fputs("  facet normal 0 0 0\n    OUTER LOOP\n", out);
    for (int k = -1; k < 3; k++) {
        const double none[3] = {0}, *x = k < 0 ? none : s->vertex[f[k]];
        if (as == STL && k >= 0)
            fprintf(out, "      vertex %.3e %.3e %.3e\n", x[0] == 0 ? -0.0 : x[0], x[1], x[2]);
        for (int j = 0; j < 3 && as == STL_BINARY; j++)
            put_bytes(out, x[j], 'f', false);
    }
    if (as == STL)
        fputs("    endloop\n  endfacet\n", out);
    else
        put_bytes(out, 0, 's', false);
}

static void put_face(FILE *out, enum format as, const solid *s, size_t i)
{
    const int *f = s->face[i], n = (int)i;
    const bool big = as == PLY_BIG;
    switch (as) {
    case OBJ:
        fprintf(out, "f %d//1 %d//2 %d//3\n", f[0] + 1, f[1] + 1, f[2] + 1);
        break;
    case OBJ_FROM_0:
        fprintf(out, "f %d %d %d\n", f[0], f[1], f[2]);
        break;
    case OBJ_MARKED:
    case TABLES_LETTERS:
        fprintf(out, "f %d %d %d\n", f[0] + 1, f[1] + 1, f[2] + 1);
        break;
    case OFF:
        fprintf(out, "3 %d %d %d 255 0 0\n", f[0], f[1], f[2]);
        break;
    case OFF_BARE:
    case COFF:
        fprintf(out, "3 %d %d %d # comment\n", f[0], f[1], f[2]);
        break;
    case PLY:
        fprintf(out, "255 3 %d %d %d\n", f[0], f[1], f[2]);
        break;
    case PLY_LITTLE:
    case PLY_BIG:
        put_bytes(out, 3, 'c', big);
        for (int k = 0; k < 3; k++)
            put_bytes(out, f[k], big ? 's' : 'i', big);
        put_bytes(out, 1, 'c', big);
        put_bytes(out, NAN, 'f', big);
        break;
    case STL:
    case STL_BINARY:
        put_triangle(out, as, s, f);
        break;
    case DAMIT_FROM_0:
    case TABLES:
        fprintf(out, "%d %d %d\n", f[0] + (as == TABLES), f[1] + (as == TABLES), f[2] + (as == TABLES));
        break;
    case TABLES_FROM_0:
        fprintf(out, "%d; %d; %d; %d\n", n, f[0], f[1], f[2]);
        break;
    case TETGEN:
        fprintf(out, "%d %d %d %d 1\n", n, f[0], f[1], f[2]);
        break;
    case PDS:
    case TETGEN_FROM_1:
        fprintf(out, "%d %d %d %d\n", n + 1, f[0] + 1, f[1] + 1, f[2] + 1);
        break;
    default:
        fprintf(out, "%d %d %d\n", f[0] + 1, f[1] + 1, f[2] + 1);
    }
}

static FILE *begin(size_t which)
{
    FILE *out = fopen(put(which, ""), "wb");
    ck_assert_ptr_nonnull(out);
    return out;
}

static void write_solid(enum format as, const solid *s)
{
    FILE *out = begin(1);
    put_head(out, as, s);
    for (size_t i = 0; i < s->vertices && as != STL && as != STL_BINARY; i++)
        put_vertex(out, as, i, s->vertex[i]);
    if (as >= TABLES) {
        fclose(out);
        out = begin(2);
        if (as >= TETGEN)
            fprintf(out, "%lu %d\n", (unsigned long)s->faces, as == TETGEN);
    } else if (as == PDS) {
        fprintf(out, "%lu\n", (unsigned long)s->faces);
    }
    for (size_t i = 0; i < s->faces; i++)
        put_face(out, as, s, i);
    if (as >= TETGEN)
        fputs("# Generated by hand\n", out);
    if (as == STL)
        fputs("endsolid it\n", out);
    if (as == PLY)
        fputs("0\n", out);
    fclose(out);
}

TEST_EACH(formats, 2 * FORMATS)
{
    const enum format as = (enum format)(_i / 2);
    const solid *s = &solids[_i % 2];
    ph_shape *shape;
    ph_mass body;
    int turned;
    double center[3], unit = as == PDS ? 1000 : 1;
    write_solid(as, s);
    char paths[2][300];
    for (size_t i = 0; i < 2; i++)
        snprintf(paths[i], sizeof paths[i], "%s/%s", folder, names[1 + i]);
    const ph_status status = as >= TABLES ? ph_shape_read_tables(paths[0], paths[1], unit, &shape, tk_err)
                                          : ph_shape_read(paths[0], unit, &shape, tk_err);
    ck_assert_msg(!status, "format %d: %s", (int)as, tk_err->message);
    const ph_mesh mesh = ph_shape_mesh(shape);
    ck_assert_uint_eq(mesh.vertices, s->vertices);
    ck_assert_uint_eq(mesh.faces, s->faces);
    tk_ok(ph_mass_polyhedron(&mesh, 1, &body, &turned, NULL));
    ph_shape_free(shape);
    ck_assert_int_eq(turned, 0);
    const double volume = s->volume * unit * unit * unit;
    ck_assert_double_eq_tol(body.moment[0] / volume, 1, 1e-14);
    ph_mass_center(&body, center);
    for (size_t k = 0; k < 3; k++)
        ck_assert_double_eq_tol(center[k] / unit, s->center[k], 1e-12);
    for (size_t k = 0; k < 9; k++) /* the sums of integers round in the last digits */
        ck_assert_double_eq_tol(body.J[k] / (s->J[8] * volume / s->volume * unit * unit), s->J[k] / s->J[8],
                                1e-14);
}

/* ---- Mistakes ---------------------------------------------------------------------------------------------- */

#define PLY_HEAD                                                                                             \
    "ply\nformat ascii 1.0\nelement vertex 4\nproperty float x\nproperty float y\nproperty float z\nelement face 1\n"
#define CORNER "property list uchar int vertex_index\nend_header\n"

/* vertices: the text of one file, or with faces of two. */
static const struct {
    const char *vertices, *faces, *says;
} bad[] = {
    {"v 0 0 0\nv 0 zero 1\n", NULL,
     "vertices:2: a coordinate is not a finite number: \"zero\"; the file looks like OBJ"},
    {"v 0 0\n", NULL, "vertices:1: a vertex has fewer than three coordinates"},
    {"v 0 0 0\nf 1 2.5 3\n", NULL, "vertices:2: the number of a vertex is not a whole number"},
    {"v 0 0 0\nf 1 -2 1\n", NULL, "vertices:2: there is no vertex of this number"},
    {"v 0 0 0\nf 1 1\n", NULL, "vertices:2: a face has fewer than three corners"},
    {"v 0 0 0\n\nf 1 2 3\n", NULL, "vertices:3: face 1 has the vertex 2, but there are 1, counted from 1"},
    {"v 0 0 0\nf 0 0 0\nf 0 1 0", NULL,
     "vertices:3: face 2 has the vertex 1, but there are 1, counted from 0, as a face has the vertex 0"},
    {"v 0 0 0\nvertex 1 0 0\n", NULL, "vertices:2: no line of an OBJ file begins with this word: \"vertex\""},
    {"1,2\n", "", "vertices:1: a vertex is three numbers"},
    {"0,1,2,3\n0,1,2,x\n", "", "vertices:2: this is not a number: \"x\""},
    {"0,1,2,3\n", "\n1,1,2\n", "faces:2: face 1 has the vertex 2, but there are 1, counted from 1"},
    {"0,1,2,3\n", "1,1\n", "faces:1: a face is the numbers of three vertices, or an id before them: \"1,1\""},
    {"0,1,2,3\n", "1,1,1,1\n3,1,1,1\n", "faces:2: a face with four numbers begins with an id that counts up"},
    {"0,1,2,3\n", "1,1,1,1\n1,1,1\n", "faces:2: some lines of this table have an id before their numbers"},
    {"0,1,2,3\n", "1,1.5,1\n", "faces:1: a face has a number that no vertex has: \"1,1.5,1\""},
    {"0,1,2,3,4,5\n", "", "vertices:1: there are more than 4 numbers"},
    {"2 3 0 1\n1 0 0 0 1\n2 0 0 0\n", "", "vertices:3: this line has other numbers than the first line says"},
    {"2 1\n0 0 0\n", NULL,
     "vertices: ends after line 2, before the last vertex; the file looks like a table of vertices and"},
    {"1 1\n0 0 0\n1 1 1\n1 2 3\n", NULL,
     "vertices:4: there are more lines than vertices and faces: \"1 2 3\""},
    {"1 1\n0 0 0\n1 1 7\n", NULL, "vertices:3: face 1 has the vertex 7"},
    {"1\n0 0 0\n1.5\n", NULL, "vertices:3: whole numbers, of vertices and faces, are expected: \"1.5\""},
    {"OFF\n1 1 0\n0 0 0 1\n", NULL,
     "vertices:3: there are more than 3 numbers: \"1\"; the file looks like OFF"},
    {"OFF\n1 1 0\n0 0 0\n3 0 0\n", NULL, "vertices:4: a face has fewer corners than its first number says"},
    {"OFF\n1 1 0\n0 0 0\n2 0 0\n", NULL,
     "vertices:4: a face begins with the number of its corners, 3 or more: \"2\""},
    {"OFF\n1 1 0\n0 0 0\n3 0 0 1\n", NULL,
     "vertices:4: face 1 has the vertex 1, but there are 1, counted from 0;"},
    {"OFF\n1 1 0\n0 0 0\n3 0 0 -1\n", NULL,
     "vertices:4: the number of a vertex is not a whole number: \"-1\""},
    {"OFF\n1\n", NULL, "vertices:2: the numbers of vertices, faces and edges are expected"},
    {"OFF BINARY\n1 1 0\n", NULL, "vertices:1: OFF in binary is not read"},
    {"4OFF\n1 1 0\n", NULL, "vertices:1: this kind of OFF is not read"},
    {"OFF\n", NULL, "vertices: ends after line 1, before the numbers of vertices and faces"},
    {"ply\nelement vertex x\n", NULL,
     "vertices:2: an element has a name and a whole number: \"x\"; the file looks like PLY"},
    {"ply\nformat text 1.0\n", NULL,
     "vertices:2: ascii, binary_little_endian or binary_big_endian is expected: \"text\""},
    {"ply\nproperty float x\n", NULL, "vertices:2: a property stands behind its element"},
    {"ply\nelement vertex 1\nproperty real x\n", NULL, "vertices:3: this type is not one of PLY: \"real\""},
    {"ply\nelement vertex 1\nproperty float x\nend_header\n", NULL,
     "vertices:4: the head has no line \"format\""},
    {"ply\nformat ascii 1.0\nelement vertex 1\nproperty float x\nend_header\n", NULL,
     "vertices:5: an element \"vertex\" with x, y, z and an"},
    {"ply\nform ascii\n", NULL,
     "vertices:2: no line of the head of a PLY file begins with this word: \"form\""},
    {"ply\nformat ascii 1.0\n", NULL, "vertices: ends after line 2, before \"end_header\""},
    {PLY_HEAD "property list float int vertex_index\n", NULL, "vertices:8: the type of the number of a list"},
    {PLY_HEAD CORNER "0 0 0\n1 0 0\n0 1 x\n", NULL, "vertices:12: this is not a number: \"x\""},
    {PLY_HEAD CORNER "0 0 0\n1 0 0\n0 1\n", NULL, "vertices:12: the line has too few numbers"},
    {PLY_HEAD CORNER "0 0 0\n1 0 0\n0 1 1\n", NULL,
     "vertices: ends after line 12, before the last of its elements"},
    {PLY_HEAD CORNER "0 0 0\n1 0 0\n0 1 1\n1 1 1\n3 0 1 4\n", NULL,
     "vertices:14: face 1 has the vertex 4, but there are 4, counted from 0"},
    {PLY_HEAD CORNER "0 0 0\n1 0 0\n0 1 1\n1 1 1\n2 0 1\n", NULL,
     "vertices:14: behind 4 vertices and 0 triangles: a face has fewer than three corners: 2"},
    {PLY_HEAD CORNER "0 0 0\n1 0 0\n0 1 1\n1 1 1\n-1 0 1\n", NULL,
     "vertices:14: behind 4 vertices and 0 triangles: the number of a list is not one: -1"},
    {PLY_HEAD CORNER "0 0 0\n1 0 0\n0 1 1\n1 1 1\n3 0 1 1.5\n", NULL,
     "vertices:14: behind 4 vertices and 0 triangles: no vertex has this number: 1.5"},
    {"ply\nformat binary_big_endian 1.0\nelement vertex 4000000000\nproperty float x\nproperty float y\nproperty float z\n"
     "element face 1\n" CORNER "abcdefgh",
     NULL, "vertices: ends after 0 vertices and 0 triangles, before its last element"},
    {"ply\nformat binary_big_endian 1.0\nelement vertex 1\nproperty float x\nproperty float y\nproperty float z\n"
     "element face 1\n" CORNER "abcd\x7f\xff\xff\xff"
     "efgh",
     NULL, "vertices: behind 0 vertices and 0 triangles: a coordinate is not finite"},
    {"solid a\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 0 0 1\nendloop\n", NULL,
     "vertices:6: a loop ends that has fewer than three vertices; the file looks like STL as text"},
    {"solid a\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nfacet\n", NULL,
     "vertices:5: \"vertex\" or \"endloop\" is expected: \"facet\""},
    {"solid a\nface\n", NULL, "vertices:2: no line of an STL file begins with this word: \"face\""},
    {"solid a\nvertex 1 2\n", NULL, "vertices:2: a vertex has fewer than three coordinates"},
    {"solid a\nvertex 1 2 3\n", NULL, "vertices: ends after line 2, before the end of its last triangle"},
    {"0.5 1 2\n1 2 3\n", NULL,
     "looks like a table of numbers, which is not read as a surface; a table of vertices and one of faces"},
    {"8 3 0 0\n0 1 2 3\n", NULL, "also TetGen's .node and .face, are given as \"vertices\" and \"faces\""},
    {"# vtk DataFile Version 3.0\n", NULL,
     "looks like a file of VTK, which is not read as a surface; write it as PLY or OBJ"},
    {"0\n1 0 0\n0 1 0\n0 0 1\n1 1 0\n1 0 1\n1 1 1\n", NULL,
     "looks like implicitly connected quadrilaterals (ICQ)"},
    {"MeshVersionFormatted 2\n", NULL, "looks like a mesh of Medit"},
    {"\x1f\x8b\x08", NULL, "looks like compressed by gzip"},
    {"PDS_VERSION_ID = PDS3\r\n", NULL, "looks like a label of the PDS"},
    {"nonsense\n", NULL,
     "is not a surface that is read here: OBJ, OFF, PLY, STL, or vertices and faces behind their numbers, as of DAMIT and the "
     "PDS; it begins with \"nonsense\""},
    {"# only a comment\n", NULL, "it is empty"}};

TEST_EACH(bad_files, sizeof bad / sizeof bad[0])
{
    ph_shape *shape;
    const char *path = put(1, bad[_i].vertices);
    const ph_status status = bad[_i].faces
                                 ? ph_shape_read_tables(path, put(2, bad[_i].faces), 1, &shape, tk_err)
                                 : ph_shape_read(path, 1, &shape, tk_err);
    ck_assert_int_eq(status, PH_E_PARSE);
    ck_assert_msg(strstr(tk_err->message, bad[_i].says), "%s", tk_err->message);
    ck_assert_ptr_null(shape);
}

/* A tetrahedron with a corner of its own for each triangle, as textures make it, is closed by joining them; one that lacks a
 * triangle is not, and keeps its numbers. A face may continue in the next line. */
TEST(doubled)
{
    const solid *s = &solids[1];
    ph_shape *shape;
    ph_mass body;
    for (size_t n = 4; n >= 3; n--) {
        FILE *out = begin(1);
        for (size_t f = 0; f < 4; f++)
            for (int k = 0; k < 3; k++)
                put_vertex(out, OBJ, 0, s->vertex[s->face[f][k]]);
        for (unsigned long f = 0; f < n; f++)
            fprintf(out, "f %lu %lu \\\r\n%lu\n", 3 * f + 1, 3 * f + 2, 3 * f + 3);
        fclose(out);
        char path[300];
        snprintf(path, sizeof path, "%s/%s", folder, names[1]);
        tk_ok(ph_shape_read(path, 1, &shape, tk_err));
        const ph_mesh mesh = ph_shape_mesh(shape);
        ck_assert_uint_eq(mesh.vertices, n == 4 ? 4 : 12);
        ck_assert_uint_eq(ph_shape_line(shape, 1), 12 + 3);
        ck_assert(!ph_mass_polyhedron(&mesh, 1, &body, NULL, NULL) == (n == 4));
        if (n == 4)
            ck_assert_double_eq_tol(body.moment[0], s->volume, 1e-13);
        ph_shape_free(shape);
    }
}

/* A triangle whose coordinates are not numbers; one that is cut off is no STL. */
TEST(bad_binary_stl)
{
    ph_shape *shape;
    for (int cut = 0; cut < 2; cut++) {
        FILE *out = begin(1);
        fprintf(out, "%80s", "");
        put_bytes(out, 1, 'i', false);
        for (int i = 0; i < 12; i++)
            put_bytes(out, i == 7 ? NAN : 1, 'f', false);
        if (!cut)
            put_bytes(out, 0, 's', false);
        fclose(out);
        char path[300];
        snprintf(path, sizeof path, "%s/%s", folder, names[1]);
        tk_refused(ph_shape_read(path, 1, &shape, tk_err), PH_E_PARSE,
                   cut ? "is not a surface that is read here"
                       : "triangle 1 has a coordinate that is not finite; the file looks like STL in binary");
    }
}

TEST(no_files)
{
    ph_shape *shape;
    tk_refused(ph_shape_read("/nowhere/x.obj", 1, &shape, tk_err), PH_E_IO,
               "/nowhere/x.obj: cannot be opened");
    ck_assert_ptr_null(shape);
    tk_returns(ph_shape_read_tables(put(1, vertices), "/nowhere/x", 1, &shape, tk_err), PH_E_IO);
    ck_assert_ptr_null(shape);
    tk_returns(ph_shape_read(put(0, obj), 0, &shape, tk_err), PH_E_RANGE);
    tk_returns(ph_shape_read(folder, 1, &shape, tk_err), PH_E_IO); /* a directory */
    ck_assert_ptr_null(shape);
}

int main(void)
{
    return tk_run_in("shape", make_place, remove_place);
}
