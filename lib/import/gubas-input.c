/* SPDX-License-Identifier: BSD-3-Clause */
/* GUBAS's ic_input.txt: 85 lines with a value each, in km, kg and s but for the axes, which are in m; in the branches 3-Body and
 * Perturbed-Model 77 and 69. Source of the order: GUBAS's write_icfile.py in each of them. */
#include "gubas.h"

#include <string.h>

/* Which branches have the line. */
typedef enum since { ALL, THREE_BODY, MASTER } since;

typedef struct row {
    ph_gubas_value value;
    size_t n; /* lines, of numbers one behind the other */
    since since;
} row;

/* clang-format off */
#define NUMBERS(name, member, n, unit, since) {{name, PH_GUBAS_NUMBER, PH_GUBAS_AT(member), unit, NULL}, n, since}
#define NUMBER(name, member, unit, since) NUMBERS(name, member, 1, unit, since)
#define WHOLE(name, member, range, since) {{name, PH_GUBAS_WHOLE, PH_GUBAS_AT(member), 1, range}, 1, since}
#define TEXT(name, member) {{name, PH_GUBAS_NAME(member), NULL}, 1, ALL}
#define AXES(i, letter) \
    NUMBER("the first axis of " letter, of.body[i].half_axes[0], 1, ALL), \
    NUMBER("the second axis of " letter, of.body[i].half_axes[1], 1, ALL), \
    NUMBER("the third axis of " letter, of.body[i].half_axes[2], 1, ALL)
#define ORBIT(word, member, since) \
    NUMBER("the mass of the " word, of.member.mass, 1, since), \
    NUMBER("the semimajor axis of the " word, of.member.semimajor_axis, 1000, since), \
    NUMBER("the eccentricity of the " word, of.member.eccentricity, 1, since), \
    NUMBER("the inclination of the " word, of.member.inclination, 1, since), \
    NUMBER("the node of the " word, of.member.node, 1, since), \
    NUMBER("the argument of periapsis of the " word, of.member.argument, 1, since), \
    NUMBER("the time of periapsis of the " word, of.member.periapsis, 1, since)
static const row rows[] = {
    NUMBER("G", of.G, 1e9, ALL),
    WHOLE("the order of the mutual potential", asked, &ph_gubas_orders, ALL),
    WHOLE("the order of A", order[0], &ph_gubas_orders, ALL),
    WHOLE("the order of B", order[1], &ph_gubas_orders, ALL),
    AXES(0, "A"), AXES(1, "B"),
    WHOLE("the shape of A", shape[0], &ph_gubas_shapes, ALL),
    WHOLE("the shape of B", shape[1], &ph_gubas_shapes, ALL),
    NUMBER("the density of A", of.body[0].density, 1e-9, ALL),
    NUMBER("the density of B", of.body[1].density, 1e-9, ALL),
    NUMBER("the start time", of.start, 1, ALL),
    NUMBER("the final time", of.end, 1, ALL),
    TEXT("a file of moments", times), TEXT("a file of moments", times), /* not used */
    TEXT("a file of moments", times), TEXT("a file of moments", times),
    TEXT("the tetrahedron file of A", body[0].faces), TEXT("the vertex file of A", body[0].vertices),
    TEXT("the tetrahedron file of B", body[1].faces), TEXT("the vertex file of B", body[1].vertices),
    NUMBERS("a number of the state", of.state.r[0], 6, 1000, ALL), /* and v */
    NUMBERS("a number of the state", of.state.omega_a[0], 24, 1, ALL),
    WHOLE("the flag for moments", generate, &ph_gubas_toggle, ALL),
    WHOLE("the integrator", integrator, &ph_gubas_integrators, ALL),
    NUMBER("the step", of.step, 1, ALL),
    NUMBER("the tolerance", of.tolerance, 1, ALL),
    WHOLE("the flag for a flyby", planet, &ph_gubas_toggle, THREE_BODY),
    WHOLE("the flag for a heliocentric orbit", sun, &ph_gubas_toggle, MASTER),
    WHOLE("the flag for solar gravity", hill, &ph_gubas_toggle, ALL),
    WHOLE("the flag for tides", tides, &ph_gubas_toggle, ALL),
    ORBIT("planet", planet, THREE_BODY), ORBIT("Sun", sun, MASTER),
    NUMBER("the radius of the solar orbit", orbit_radius, 1, ALL),
    NUMBER("the astronomical unit", au, 1000, ALL),
    NUMBER("the Love number of A", of.body[0].love, 1, ALL),
    NUMBER("the Love number of B", of.body[1].love, 1, ALL),
    NUMBER("the reference radius of A", of.body[0].reference, 1, ALL),
    NUMBER("the reference radius of B", of.body[1].reference, 1, ALL),
    NUMBER("the lag angle of A", of.body[0].lag, 1, ALL),
    NUMBER("the lag angle of B", of.body[1].lag, 1, ALL),
    NUMBER("the mass of the Sun", of.hill_mass, 1, ALL),
};
/* clang-format on */
enum { ROWS = sizeof rows / sizeof rows[0] };
static const size_t lines_of[] = {[ALL] = 69, [THREE_BODY] = 77, [MASTER] = 85};

/* *branch <- by the number of lines that are not empty. */
static ph_status find_branch(const ph_lines *l, since *branch, ph_error *err)
{
    size_t n = 0;
    bool empty = true;
    for (const char *c = l->at; c < l->end; c++) {
        empty = empty && strchr(" \t\r\n", *c);
        if (!empty && (*c == '\n' || c + 1 == l->end)) {
            n++;
            empty = true;
        }
    }
    for (int k = ALL; k <= MASTER; k++)
        if (n == lines_of[k]) {
            *branch = (since)k;
            return PH_OK;
        }
    return ph_fail(
        err, PH_E_PARSE,
        "%s has %zu lines with a value each; GUBAS writes %zu, its branches 3-Body and Perturbed-Model %zu and %zu",
        l->path, n, lines_of[MASTER], lines_of[THREE_BODY], lines_of[ALL]);
}

static ph_status read_row(ph_lines *l, const row *r, ph_gubas_raw *raw, ph_error *err)
{
    ph_gubas_value value = r->value;
    ph_status status = PH_OK;
    for (size_t k = 0; k < r->n && !status; k++, value.offset += sizeof(double)) {
        ph_lines_next(l); /* they were counted */
        status = ph_gubas_take(l, &value, l->line + strspn(l->line, " \t"), raw, err);
    }
    return status;
}

ph_status ph_gubas_read_input(const char *path, ph_gubas_case *of, ph_remarks *words, ph_error *err)
{
    ph_lines lines;
    ph_gubas_raw raw = {0};
    ph_status status = ph_gubas_locate(path, &raw.of, err);
    if (!status)
        status = ph_lines_open(&lines, path, err);
    if (status)
        return status;
    since branch = MASTER;
    status = find_branch(&lines, &branch, err);
    for (size_t i = 0; i < ROWS && !status; i++)
        if (rows[i].since <= branch)
            status = read_row(&lines, &rows[i], &raw, err);
    ph_lines_close(&lines);
    if (status)
        return status;
    ph_gubas_assemble(&raw);
    raw.of.order = raw.of.asked_order; /* here it is the one that counts */
    memcpy(raw.of.name, "Test", sizeof "Test");
    *raw.of.times = '\0';
    status = ph_gubas_check(&raw.of, words, err);
    if (!status)
        *of = raw.of;
    return status;
}
