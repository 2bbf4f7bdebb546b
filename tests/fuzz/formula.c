/* SPDX-License-Identifier: BSD-3-Clause */
/* Systems of formulas from any bytes: a line for each text, whose first letter says what it is. A system that is made has its
 * callbacks called. Nothing but a status may come of it.
 * fuzz: lib/expression lib/formula; 50000 inputs of at most 2048 bytes */
#include "fuzz.h"

#include <polhode/domain/formula.h>

enum { MOST = 16, LONGEST = 4096, COORDINATES = 64 };

/* "name:text" becomes both. */
static ph_formula_line split(char *text)
{
    char *colon = strchr(text, ':');
    if (!colon)
        return (ph_formula_line){text, text, NULL};
    *colon = '\0';
    return (ph_formula_line){text, colon + 1, NULL};
}

/* The texts of a system; what is too much is left out. */
typedef struct texts {
    ph_formula_definition d;
    ph_formula_line space[MOST], where[MOST], points[MOST];
    ph_formula_force forces[MOST];
    const char *constraints[MOST], *symmetries[MOST], *lines[MOST];
} texts;

static void take_line(texts *t, char kind, char *text)
{
    ph_formula_definition *d = &t->d;
    if (kind == 's' && d->n_space < MOST)
        t->space[d->n_space++] = split(text);
    else if (kind == 'w' && d->n_where < MOST)
        t->where[d->n_where++] = split(text);
    else if (kind == 'p' && d->n_points < MOST)
        t->points[d->n_points++] = split(text);
    else if (kind == 'c' && d->n_constraints < MOST)
        t->constraints[d->n_constraints++] = text;
    else if (kind == 'y' && d->n_symmetries < MOST)
        t->symmetries[d->n_symmetries++] = text;
    else if (kind == 'l' && d->n_lines < MOST)
        t->lines[d->n_lines++] = text;
    else if (strchr("fmt", kind) && d->n_forces < MOST) {
        const ph_formula_line line = split(text);
        ph_formula_force *f = &t->forces[d->n_forces++];
        *(kind == 'f' ? &f->at : &f->on) = line.name;
        *(kind == 'f' ? &f->force : kind == 'm' ? &f->moment : &f->torque) = line.text;
    } else if (kind == 'T')
        d->kinetic = text;
    else if (kind == 'U')
        d->potential = text;
    else if (kind == 'L')
        d->lagrangian = text;
    else if (kind == 'E')
        d->energy = text;
    else if (kind == 'D')
        d->dissipation = text;
}

static void call(const ph_system *system)
{
    double z[COORDINATES] = {0.6, 0.8}, zdot[COORDINATES] = {0.8, -0.6}, f[COORDINATES], kinetic, potential;
    TK_MEMORY double *work = malloc((ph_system_work(system) + 1) * sizeof *work);
    const size_t nz = ph_space_ambient(ph_system_space(system));
    for (size_t i = 2; i < nz && i < COORDINATES; i++) {
        z[i] = 0.1 * (double)i - 0.3;
        zdot[i] = 0.2 - 0.1 * (double)i;
    }
    if (nz <= COORDINATES) {
        (void)ph_system_energy(system, 0, z, zdot, &kinetic, &potential, work);
        (void)ph_system_gradient(system, z, f);
        (void)ph_system_force(system, 0.5, z, zdot, f);
    }
}

FUZZ_TARGET(formula)
{
    static const double n = 3, list[3] = {1, 0.5, 0}, tensor[9] = {2, 0.1, 0, 0.1, 3, 0, 0, 0, 4};
    static const ph_formula_parameter parameters[] = {{"n", 0, 1, 1, &n, NULL},
                                                      {"m", 0, 1, 1, list, NULL},
                                                      {"k", 1, 3, 1, list, NULL},
                                                      {"J", 2, 3, 3, tensor, NULL}};
    char copy[LONGEST + 1];
    if (size > LONGEST)
        return FUZZ_USELESS;
    memcpy(copy, data, size);
    copy[size] = '\0';
    TK_MEMORY texts *t = calloc(1, sizeof *t);
    for (char *line = copy, *end; line && *line; line = end) {
        end = strchr(line, '\n');
        if (end)
            *end++ = '\0';
        if (*line)
            take_line(t, *line, line + 1);
    }
    t->d.space = t->space;
    t->d.where = t->where;
    t->d.points = t->points;
    t->d.forces = t->forces;
    t->d.constraints = t->constraints;
    t->d.symmetries = t->symmetries;
    t->d.lines = t->lines;
    t->d.parameters = parameters;
    t->d.n_parameters = sizeof parameters / sizeof parameters[0];
    TK_OWN(ph_system) *system = NULL;
    ph_formula_found found;
    ph_error err = {PH_OK, ""};
    if (fuzz_judge(ph_formula_system_create(&t->d, &system, &found, &err), &err))
        call(system);
    return FUZZ_TAKEN;
}
