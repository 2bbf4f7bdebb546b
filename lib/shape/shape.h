/* SPDX-License-Identifier: BSD-3-Clause */
/* A surface while it is read: growing lists of vertices and faces, and the lines of a file with their numbers. */
#ifndef PH_SHAPE_SHAPE_H
#define PH_SHAPE_SHAPE_H

#include <polhode/domain/shape.h>

#include <stdbool.h>
#include <stdio.h>

struct ph_shape {
    double unit;
    double *vertex; /* (vertices x 3) */
    uint32_t *face; /* (faces x 3), until ph_shape_number as the file has them */
    size_t *line;   /* (faces) of the file, where they stand; 0: nowhere */
    size_t vertices, faces, vertex_room, face_room, line_room;
};

/* ---- Lines (lines.c) ----------------------------------------------------------------------------------------- */

/* A file in memory, which is read line by line. */
typedef struct ph_lines {
    const char *path;
    char *text; /* malloc */
    char *at;   /* behind the current line */
    char *end;
    char *line; /* the current one, without blanks at its end; may be written to */
    size_t number;
} ph_lines;

/* At the beginning, behind a byte-order mark. PH_E_IO, PH_E_SIZE, PH_E_NO_MEMORY. */
ph_status ph_lines_open(ph_lines *l, const char *path, ph_error *err);
/* The next line that is not empty; false at the end. */
bool ph_lines_next(ph_lines *l);
void ph_lines_close(ph_lines *l);
/* PH_E_PARSE with "FILE:LINE: ...". */
ph_status ph_lines_fail(const ph_lines *l, ph_error *err, const char *what, const char *word);
/* Likewise, of a file that ends before `what`. */
ph_status ph_lines_short(const ph_lines *l, ph_error *err, const char *what);

/* The next word of the line at *at, which is cut off there; NULL at its end. Blanks and the characters in `between` part
 * words. */
char *ph_next_word(char **at, const char *between);
/* x (at most `most`) <- the numbers of the line at `at`, to its end or a word that begins with #; *n <- how many. Blanks,
 * commas and semicolons part them. */
ph_status ph_lines_numbers(const ph_lines *l, char *at, double *x, size_t most, size_t *n, ph_error *err);
/* Is the number one of how many, or of a vertex? */
bool ph_is_whole(double x);

/* ---- Lists (shape.c) ------------------------------------------------------------------------------------------ */

ph_status ph_shape_add_vertex(ph_shape *shape, const double x[3], ph_error *err);

/* A face of any number of corners, as triangles from the first. Begin with zeros; it is complete where n >= 3. */
typedef struct ph_fan {
    uint32_t corner[3];
    size_t n;
} ph_fan;
/* The next corner, by the number of its vertex in the file; line: where it stands, 0: nowhere. */
ph_status ph_shape_add_corner(ph_shape *shape, ph_fan *fan, double number, size_t line, ph_error *err);

/* From which number on does the file count its vertices? */
typedef enum ph_first { PH_FROM_0, PH_FROM_1, PH_FROM_ANY } ph_first;
/* The corners of all faces <- counted from 0, checked. ids: the ids of the vertices, where they have any that count up.
 * PH_FROM_ANY: from 0 where a face has a 0, or no face has the last number and ids count from 0; else from 1. PH_E_PARSE
 * with the line in this file. */
ph_status ph_shape_number(ph_shape *shape, ph_first first, ph_first ids, const char *path, ph_error *err);
/* Vertices at the same place become one; faces that are left with fewer than three corners go. */
ph_status ph_shape_weld(ph_shape *shape, ph_error *err);
/* The same where the surface is closed by it, and is not closed as it stands. PH_E_NO_MEMORY. */
ph_status ph_shape_close(ph_shape *shape, ph_error *err);

/* ---- Formats: the file from its beginning -> the shape, empty before ------------------------------------------ */

/* Does a line of such a file begin with this word? */
bool ph_obj_knows(const char *word);
ph_status ph_shape_from_obj(ph_lines *l, ph_shape *shape, ph_error *err);
ph_status ph_shape_from_off(ph_lines *l, ph_shape *shape, ph_error *err);
ph_status ph_shape_from_ply(ph_lines *l, ph_shape *shape, ph_error *err);
ph_status ph_shape_from_stl_text(ph_lines *l, ph_shape *shape, ph_error *err);
ph_status ph_shape_from_stl(ph_lines *l, ph_shape *shape, ph_error *err);
/* The number of vertices, and in the same line or behind them that of faces (tables.c). */
ph_status ph_shape_from_plates(ph_lines *l, ph_shape *shape, ph_error *err);

/* Two files (tables.c). */
ph_status ph_shape_from_tables(const char *vertices, const char *faces, ph_shape *shape, ph_error *err);

/* A number of binary files: size bytes, the last one first where `big` is false. */
uint64_t ph_bytes_whole(const char *at, size_t size, bool big);
double ph_bytes_real(const char *at, size_t size, bool big); /* size: 4 or 8 */

#endif
