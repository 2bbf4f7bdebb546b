/* SPDX-License-Identifier: BSD-3-Clause */
/* A surface while it is read: growing lists of vertices and faces, and the lines of a file with their numbers. */
#ifndef PH_SHAPE_SHAPE_H
#define PH_SHAPE_SHAPE_H

#include <polhode/shape.h>

#include <stdbool.h>
#include <stdio.h>

struct ph_shape {
    double unit;
    double *vertex; /* (vertices x 3) */
    uint32_t *face; /* (faces x 3) */
    size_t *line;   /* (faces) of the file, where they stand */
    size_t vertices, faces, vertex_room, face_room, line_room;
};

/* A file of lines. */
typedef struct ph_lines {
    const char *path;
    FILE *file;
    char *line; /* the current one, without its end; may be written to */
    size_t room, number;
} ph_lines;

ph_status ph_lines_open(ph_lines *l, const char *path, ph_error *err);
/* The next line that is not empty; false at the end, or where reading fails, which ph_lines_close reports. */
bool ph_lines_next(ph_lines *l);
/* status, or that of reading. */
ph_status ph_lines_close(ph_lines *l, ph_status status, ph_error *err);
/* PH_E_PARSE with "FILE:LINE: ...". */
ph_status ph_lines_fail(const ph_lines *l, ph_error *err, const char *what, const char *word);

/* The next word of the line at *at, which is cut off there; NULL at its end. Blanks and the characters in `between` part
 * words. */
char *ph_next_word(char **at, const char *between);

/* *shape <- empty. */
ph_status ph_shape_begin(double unit, ph_shape **shape, ph_error *err);
ph_status ph_shape_add_vertex(ph_shape *shape, const double x[3], ph_error *err);
/* line: where it stands, 0: nowhere. */
ph_status ph_shape_add_face(ph_shape *shape, const uint32_t corner[3], size_t line, ph_error *err);

#endif
