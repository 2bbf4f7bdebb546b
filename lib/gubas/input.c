/* SPDX-License-Identifier: BSD-3-Clause */
/* GUBAS's ic_input.txt: 85 lines with a value each, in km, kg and s but for the axes, which are in m; in the branches 3-Body and
 * Perturbed-Model 77 and 69. Source of the order: GUBAS's write_icfile.py in each of them. */
#include "case.h"

#include "lib/shape/shape.h"

#include <polhode/text.h>

#include <stdio.h>
#include <string.h>

typedef enum kind { NUMBER, WHOLE, TEXT, STATE, IGNORED } kind;

/* Numbers that a case has in another form. */
typedef struct input {
    double order, body_order[2], shape[2], state[30], generate, integrator;
    double planet, sun, hill, tides, orbit_radius, au; /* [au], [m] */
    ph_gubas_case of;
} input;

/* Which branches have the line. */
typedef enum since { ALL, THREE_BODY, MASTER } since;

typedef struct row {
    const char *what;
    kind kind;
    size_t offset;
    double unit; /* of numbers; the size of a text */
    since since;
} row;

#define AT(member) offsetof(input, member)
#define OF(member) offsetof(input, of.member)
/* clang-format off */
#define AXES(i, letter) \
    {"the first axis of " letter, NUMBER, OF(body[i].half_axes[0]), 1, ALL}, {"the second axis of " letter, NUMBER, OF(body[i].half_axes[1]), 1, ALL}, \
    {"the third axis of " letter, NUMBER, OF(body[i].half_axes[2]), 1, ALL}
#define FILES(i, letter) \
    {"the tetrahedron file of " letter, TEXT, OF(body[i].faces), sizeof((ph_gubas_body *)0)->faces, ALL}, \
    {"the vertex file of " letter, TEXT, OF(body[i].vertices), sizeof((ph_gubas_body *)0)->vertices, ALL}
#define ORBIT(word, member, since) \
    {"the mass of the " word, NUMBER, OF(member.mass), 1, since}, {"the semimajor axis of the " word, NUMBER, OF(member.semimajor_axis), 1000, since}, \
    {"the eccentricity of the " word, NUMBER, OF(member.eccentricity), 1, since}, {"the inclination of the " word, NUMBER, OF(member.inclination), 1, since}, \
    {"the node of the " word, NUMBER, OF(member.node), 1, since}, {"the argument of periapsis of the " word, NUMBER, OF(member.argument), 1, since}, \
    {"the time of periapsis of the " word, NUMBER, OF(member.periapsis), 1, since}
static const row rows[] = {
    {"G", NUMBER, OF(G), 1e9, ALL},
    {"the order of the mutual potential", WHOLE, AT(order), 1, ALL},
    {"the order of A", WHOLE, AT(body_order[0]), 1, ALL},
    {"the order of B", WHOLE, AT(body_order[1]), 1, ALL},
    AXES(0, "A"), AXES(1, "B"),
    {"the shape of A", WHOLE, AT(shape[0]), 1, ALL},
    {"the shape of B", WHOLE, AT(shape[1]), 1, ALL},
    {"the density of A", NUMBER, OF(body[0].density), 1e-9, ALL},
    {"the density of B", NUMBER, OF(body[1].density), 1e-9, ALL},
    {"the start time", NUMBER, OF(start), 1, ALL},
    {"the final time", NUMBER, OF(end), 1, ALL},
    {"a file of moments", IGNORED, 0, 0, ALL}, {"a file of moments", IGNORED, 0, 0, ALL},
    {"a file of moments", IGNORED, 0, 0, ALL}, {"a file of moments", IGNORED, 0, 0, ALL},
    FILES(0, "A"), FILES(1, "B"),
    {"a number of the state", STATE, AT(state), 30, ALL},
    {"the flag for moments", WHOLE, AT(generate), 1, ALL},
    {"the integrator", WHOLE, AT(integrator), 1, ALL},
    {"the step", NUMBER, OF(step), 1, ALL},
    {"the tolerance", NUMBER, OF(tolerance), 1, ALL},
    {"the flag for a flyby", WHOLE, AT(planet), 1, THREE_BODY},
    {"the flag for a heliocentric orbit", WHOLE, AT(sun), 1, MASTER},
    {"the flag for solar gravity", WHOLE, AT(hill), 1, ALL},
    {"the flag for tides", WHOLE, AT(tides), 1, ALL},
    ORBIT("planet", planet, THREE_BODY), ORBIT("Sun", sun, MASTER),
    {"the radius of the solar orbit", NUMBER, AT(orbit_radius), 1, ALL},
    {"the astronomical unit", NUMBER, AT(au), 1000, ALL},
    {"the Love number of A", NUMBER, OF(body[0].love), 1, ALL},
    {"the Love number of B", NUMBER, OF(body[1].love), 1, ALL},
    {"the reference radius of A", NUMBER, OF(body[0].reference), 1, ALL},
    {"the reference radius of B", NUMBER, OF(body[1].reference), 1, ALL},
    {"the lag angle of A", NUMBER, OF(body[0].lag), 1, ALL},
    {"the lag angle of B", NUMBER, OF(body[1].lag), 1, ALL},
    {"the mass of the Sun", NUMBER, OF(hill_mass), 1, ALL},
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

static ph_status fail(const ph_lines *l, ph_error *err, const char *what, const char *value,
                      const char *expected)
{
    return ph_fail(err, PH_E_PARSE, "%s:%zu: %s is \"%.40s\"; %s is expected", l->path, l->number, what,
                   value, expected);
}

static ph_status read_row(ph_lines *l, const row *r, input *in, ph_error *err)
{
    char *const at = (char *)in + r->offset;
    double *const number = (double *)(void *)at; /* the members of all kinds but texts are doubles */
    const size_t n = r->kind == STATE ? 30 : 1;
    ph_status status = PH_OK;
    int64_t count = 0;
    for (size_t k = 0; k < n && !status; k++) {
        ph_lines_next(l); /* they were counted */
        const char *value = l->line + strspn(l->line, " \t");
        if (r->kind == TEXT) {
            if (strlen(value) >= (size_t)r->unit)
                return fail(l, err, r->what, value, "a shorter name");
            memcpy(at, value, strlen(value) + 1);
        } else if (r->kind == WHOLE) {
            if (ph_parse_count(value, &count))
                return fail(l, err, r->what, value, "a whole number");
            *number = (double)count;
        } else if (r->kind != IGNORED) {
            if (ph_parse_number(value, number + k))
                return fail(l, err, r->what, value, "a number");
            number[k] *= r->kind == NUMBER ? r->unit : 1;
        }
    }
    return status;
}

static ph_status check_choices(const char *path, const input *in, ph_error *err)
{
    const struct {
        const char *what;
        double value, least, most;
    } choices[] = {{"the order of the mutual potential", in->order, 0, 8},
                   {"the order of A", in->body_order[0], 0, 8},
                   {"the order of B", in->body_order[1], 0, 8},
                   {"the shape of A", in->shape[0], 0, 2},
                   {"the shape of B", in->shape[1], 0, 2},
                   {"the integrator", in->integrator, 1, 4}};
    for (size_t i = 0; i < sizeof choices / sizeof choices[0]; i++)
        if (!(choices[i].value >= choices[i].least && choices[i].value <= choices[i].most))
            return ph_fail(err, PH_E_RANGE, "%s: %s is %g; it must be from %g to %g", path, choices[i].what,
                           choices[i].value, choices[i].least, choices[i].most);
    return PH_OK;
}

static void assemble(input *in)
{
    ph_gubas_case *of = &in->of;
    const double *x = in->state;
    of->order = of->asked_order = (size_t)in->order;
    for (size_t i = 0; i < 2; i++) {
        of->body[i].order = (size_t)in->body_order[i];
        of->body[i].shape = (ph_gubas_shape)in->shape[i];
    }
    for (size_t k = 0; k < 3; k++) {
        of->state.r[k] = 1000 * x[k];
        of->state.v[k] = 1000 * x[3 + k];
    }
    memcpy(of->state.omega_a, x + 6, sizeof of->state.omega_a);
    memcpy(of->state.omega_b, x + 9, sizeof of->state.omega_b);
    memcpy(of->state.Cc, x + 12, sizeof of->state.Cc);
    memcpy(of->state.C, x + 21, sizeof of->state.C);
    of->read_integrals = in->generate == 0;
    of->integrator = (ph_gubas_integrator)in->integrator;
    of->planet.on = in->planet == 1;
    of->sun.on = in->sun == 1;
    of->hill = in->hill == 1;
    of->tides = in->tides == 1;
    of->hill_radius = in->orbit_radius * in->au;
    of->tables = true;
    memcpy(of->name, "Test", sizeof "Test");
}

ph_status ph_gubas_read_input(const char *path, ph_gubas_case *of, ph_error *err)
{
    ph_lines lines;
    input in = {0};
    ph_status status = ph_gubas_locate(path, &in.of, err);
    if (!status)
        status = ph_lines_open(&lines, path, err);
    if (status)
        return status;
    since branch = MASTER;
    status = find_branch(&lines, &branch, err);
    for (size_t i = 0; i < ROWS && !status; i++)
        if (rows[i].since <= branch)
            status = read_row(&lines, &rows[i], &in, err);
    ph_lines_close(&lines);
    if (!status)
        status = check_choices(path, &in, err);
    if (status)
        return status;
    assemble(&in);
    status = ph_gubas_check(path, &in.of, err);
    if (!status)
        *of = in.of;
    return status;
}
