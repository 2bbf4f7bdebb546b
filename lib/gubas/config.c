/* SPDX-License-Identifier: BSD-3-Clause */
/* GUBAS's configuration, hou_config.cfg: sections and lines "key: value" or "key = value", comments that
 * begin with # or ; , keys in any case, as Python's configparser reads them. Each key is a row here: its
 * section, the kind of its value, its unit in SI, and when it is needed. Source of the list: GUBAS's
 * hou_config_funcs.py. */
#define _POSIX_C_SOURCE 200809L
#include "case.h"

#include "lib/shape/shape.h"

#include <polhode/text.h>

#include <math.h>
#include <string.h>
#include <strings.h>

/* When a key has to be there. GUBAS itself needs all of them. */
typedef enum need {
    ALWAYS,
    STATE, /* where the state does not come from Fahnestock's files */
    ANGLES_B,
    ANGLES_A,
    MATRIX_B,
    MATRIX_A,
    AXES_A, /* of a sphere or an ellipsoid */
    AXES_B,
    FILES_A,
    FILES_B,
    PLANET,
    SUN,
    HILL,
    TIDES,
    LIST, /* of times */
    ADAPTIVE,
    NOWHERE, /* its default will do */
} need;

typedef enum kind { NUMBER, WHOLE, FLAG, TEXT } kind;

/* What the file has; numbers that a case does not have in this form are in front. */
typedef struct config {
    double fahnestock, euler_b, euler_a, angles_b[3], angles_a[3], matrix_b[9], matrix_a[9], omega_b[3];
    double shape[2], order[2], asked, integrator, generate, tables, planet, sun, hill, tides;
    double orbit_radius, au; /* [au], [m] */
    ph_gubas_case of;
} config;

typedef struct row {
    const char *section, *key;
    kind kind;
    need need;
    size_t offset;
    double unit; /* of numbers; the size of a text */
    double initial;
} row;

#define AT(member) offsetof(config, member)
#define OF(member) offsetof(config, of.member)
static const char gravity[] = "Gravity Parameter", initial[] = "Initial Conditions",
                  settings[] = "Integration Settings", output[] = "Output Settings",
                  bodies[] = "Body Model Definitions", expansion[] = "Mutual Gravity Expansion Parameters",
                  forces[] = "Additional Forces and Perturbations", solar_mass[] = "Solar Mass",
                  sun_mass[] = "Sun Mass", helio[] = "Heliocentric Orbit";
static const char *const sections[] = {gravity, initial, settings, output, bodies, expansion, forces};
enum { SECTIONS = sizeof sections / sizeof sections[0] };

/* clang-format off */
#define MATRIX(name, need, member) \
    {initial, name " (1,1)", NUMBER, need, AT(member[0]), 1, 0}, {initial, name " (1,2)", NUMBER, need, AT(member[1]), 1, 0}, \
    {initial, name " (1,3)", NUMBER, need, AT(member[2]), 1, 0}, {initial, name " (2,1)", NUMBER, need, AT(member[3]), 1, 0}, \
    {initial, name " (2,2)", NUMBER, need, AT(member[4]), 1, 0}, {initial, name " (2,3)", NUMBER, need, AT(member[5]), 1, 0}, \
    {initial, name " (3,1)", NUMBER, need, AT(member[6]), 1, 0}, {initial, name " (3,2)", NUMBER, need, AT(member[7]), 1, 0}, \
    {initial, name " (3,3)", NUMBER, need, AT(member[8]), 1, 0}
#define VECTOR(name, member) \
    {initial, name " X", NUMBER, STATE, member, 1, 0}, {initial, name " Y", NUMBER, STATE, member + sizeof(double), 1, 0}, \
    {initial, name " Z", NUMBER, STATE, member + 2 * sizeof(double), 1, 0}
#define ANGLES(name, need, member) \
    {initial, name " Euler 1 X", NUMBER, need, AT(member[0]), 1, 0}, {initial, name " Euler 2 Y", NUMBER, need, AT(member[1]), 1, 0}, \
    {initial, name " Euler 3 Z", NUMBER, need, AT(member[2]), 1, 0}
#define BODY(word, i, axes, files) \
    {bodies, word " Shape Flag", WHOLE, ALWAYS, AT(shape[i]), 1, 0}, \
    {bodies, word " Semi-Major Axis", NUMBER, axes, OF(body[i].half_axes[0]), 1, 0}, \
    {bodies, word " Semi-Intermediate Axis", NUMBER, axes, OF(body[i].half_axes[1]), 1, 0}, \
    {bodies, word " Semi-Minor Axis", NUMBER, axes, OF(body[i].half_axes[2]), 1, 0}, \
    {bodies, word " Vertex File", TEXT, files, OF(body[i].vertices), sizeof((ph_gubas_body *)0)->vertices, 0}, \
    {bodies, word " Tetrahedron File", TEXT, files, OF(body[i].faces), sizeof((ph_gubas_body *)0)->faces, 0}, \
    {bodies, word " Density", NUMBER, STATE, OF(body[i].density), 1000, 0}, \
    {expansion, word " Inertia Integral Truncation Order", WHOLE, ALWAYS, AT(order[i]), 1, 0}, \
    {forces, word " Love Number", NUMBER, TIDES, OF(body[i].love), 1, 0}, \
    {forces, word " Reference Radius", NUMBER, TIDES, OF(body[i].reference), 1, 0}, \
    {forces, word " Tidal Lag Angle", NUMBER, TIDES, OF(body[i].lag), 1, 0}
#define ORBIT(mass_key, word, time_key, need, member) \
    {forces, mass_key, NUMBER, need, OF(member.mass), 1, 0}, \
    {forces, word "Semimajor Axis", NUMBER, need, OF(member.semimajor_axis), 1000, 0}, \
    {forces, word "Eccentricity", NUMBER, need, OF(member.eccentricity), 1, 0}, \
    {forces, word "Inclination", NUMBER, need, OF(member.inclination), 1, 0}, \
    {forces, word "RAAN", NUMBER, need, OF(member.node), 1, 0}, \
    {forces, word "Argument of Periapsis", NUMBER, need, OF(member.argument), 1, 0}, \
    {forces, time_key, NUMBER, need, OF(member.periapsis), 1, 0}
static const row rows[] = {
    {gravity, "G", NUMBER, STATE, OF(G), 1, 0},
    {initial, "Fahnestock Input File Flag", FLAG, ALWAYS, AT(fahnestock), 1, 0},
    VECTOR("Relative Position", OF(state.r)),
    VECTOR("Relative Velocity", OF(state.v)),
    VECTOR("Primary Angular Velocity", OF(state.omega_a)),
    VECTOR("Secondary Angular Velocity", AT(omega_b)),
    MATRIX("B into A", MATRIX_B, matrix_b),
    {initial, "B into A Euler Flag", FLAG, STATE, AT(euler_b), 1, 0},
    ANGLES("B into A", ANGLES_B, angles_b),
    MATRIX("A into N", MATRIX_A, matrix_a),
    {initial, "A into N Euler Flag", FLAG, STATE, AT(euler_a), 1, 0},
    ANGLES("A into N", ANGLES_A, angles_a),
    {settings, "Start Time", NUMBER, ALWAYS, OF(start), 1, 0},
    {settings, "Final Time", NUMBER, ALWAYS, OF(end), 1, 0},
    {settings, "Integrator Flag", WHOLE, ALWAYS, AT(integrator), 1, 0},
    {settings, "Fixed Time Step", NUMBER, ALWAYS, OF(step), 1, 0},
    {settings, "Absolute Tolerance", NUMBER, ADAPTIVE, OF(tolerance), 1, 0},
    {output, "Post Processing", WHOLE, NOWHERE, AT(tables), 1, 1},
    {output, "Fixed Output Frequency", NUMBER, NOWHERE, OF(interval), 1, 0},
    {output, "Specified Time List Filename", TEXT, LIST, OF(times), sizeof((ph_gubas_case *)0)->times, 0},
    {output, "Case Name", TEXT, NOWHERE, OF(name), sizeof((ph_gubas_case *)0)->name, 0},
    {bodies, "Inertia Integral Generation Flag", WHOLE, NOWHERE, AT(generate), 1, 1},
    BODY("Primary", 0, AXES_A, FILES_A),
    BODY("Secondary", 1, AXES_B, FILES_B),
    {expansion, "Gravity Expansion Truncation Order", WHOLE, NOWHERE, AT(asked), 1, -1},
    {forces, "Flyby", WHOLE, NOWHERE, AT(planet), 1, 0},
    {forces, helio, WHOLE, NOWHERE, AT(sun), 1, 0},
    {forces, "Solar Gravity", WHOLE, NOWHERE, AT(hill), 1, 0},
    {forces, "Tidal Torque", WHOLE, NOWHERE, AT(tides), 1, 0},
    ORBIT("Planetary Mass", "", "Flyby Time", PLANET, planet),
    ORBIT(solar_mass, "Heliocentric ", "Time of periapsis passage", SUN, sun),
    {forces, "Solar Orbit Radius", NUMBER, HILL, AT(orbit_radius), 1, 0},
    {forces, "AU Definition", NUMBER, HILL, AT(au), 1, 0},
    {forces, sun_mass, NUMBER, HILL, OF(hill_mass), 1, 0},
};
/* clang-format on */
enum { ROWS = sizeof rows / sizeof rows[0] };

typedef struct reading {
    ph_lines lines;
    config c;
    const char *section; /* one of ours, or NULL before the first and in an unknown one */
    size_t seen[ROWS];   /* line of each key; 0: not there */
    size_t twice;        /* line where "Solar Mass" is for a second time; 0: nowhere */
    bool old;            /* a configuration of Perturbed-Model or 3-Body */
    ph_gubas_remarks remarks;
} reading;

/* ---- A line -------------------------------------------------------------------------------------------- */

static ph_status fail(const reading *f, ph_error *err, const char *key, const char *value, const char *right)
{
    return ph_fail(err, PH_E_PARSE, "%s:%zu: %s is \"%.40s\"; %s", f->lines.path, f->lines.number, key, value,
                   right);
}

static ph_status begin_section(reading *f, ph_error *err)
{
    char *name = f->lines.line + 1, *end = strchr(name, ']');
    if (!end)
        return ph_lines_fail(&f->lines, err, "a section needs its closing bracket, \"[Name]\"", name);
    *end = '\0';
    f->section = NULL;
    for (size_t i = 0; i < SECTIONS; i++)
        if (!strcmp(name, sections[i]))
            f->section = sections[i];
    if (f->section)
        return PH_OK;
    const char *meant = ph_suggest(name, sections, SECTIONS);
    ph_gubas_say(&f->remarks, "%s:%zu: GUBAS has no section [%.60s], what is in it has no effect%s%s%s",
                 f->lines.path, f->lines.number, name, meant ? "; did you mean [" : "", meant ? meant : "",
                 meant ? "]?" : "");
    return PH_OK;
}

/* The row of the key in this section, ROWS if there is none. */
static size_t find_row(const char *section, const char *key)
{
    size_t i = 0;
    while (i < ROWS && (rows[i].section != section || strcasecmp(rows[i].key, key)))
        i++;
    return i;
}

static void remark_unknown(const reading *f, const char *key)
{
    const char *names[ROWS];
    for (size_t i = 0; i < ROWS; i++) {
        if (!strcasecmp(rows[i].key, key)) {
            ph_gubas_say(&f->remarks, "%s:%zu: %s belongs to [%s]; here GUBAS does not see it", f->lines.path,
                         f->lines.number, rows[i].key, rows[i].section);
            return;
        }
        names[i] = rows[i].section == f->section ? rows[i].key : NULL;
    }
    const char *meant = ph_suggest(key, names, ROWS);
    ph_gubas_say(&f->remarks, "%s:%zu: GUBAS has no key \"%.60s\", it has no effect%s%s%s", f->lines.path,
                 f->lines.number, key, meant ? "; did you mean \"" : "", meant ? meant : "",
                 meant ? "\"?" : "");
}

/* *flag <- what Python's configparser takes for one. */
static bool read_flag(const char *value, double *flag)
{
    static const char *const words[2][4] = {{"0", "no", "false", "off"}, {"1", "yes", "true", "on"}};
    for (size_t k = 0; k < 8; k++)
        if (!strcasecmp(words[k / 4][k % 4], value)) {
            *flag = (double)(k / 4);
            return true;
        }
    return false;
}

static ph_status read_value(reading *f, const row *r, const char *value, ph_error *err)
{
    char *const at = (char *)&f->c + r->offset;
    double *const number = (double *)(void *)at; /* the members of these kinds are doubles */
    int64_t count = 0;
    switch (r->kind) {
    case TEXT:
        if (strlen(value) >= (size_t)r->unit)
            return fail(f, err, r->key, value, "this is too long");
        memcpy(at, value, strlen(value) + 1);
        return PH_OK;
    case FLAG:
        return read_flag(value, number) ? PH_OK : fail(f, err, r->key, value, "0 or 1 is expected");
    case WHOLE:
        if (ph_parse_count(value, &count) || strpbrk(value, ".eE"))
            return fail(f, err, r->key, value, "a whole number is expected");
        *number = (double)count;
        return PH_OK;
    default:
        if (ph_parse_number(value, number))
            return fail(f, err, r->key, value,
                        strpbrk(value, "#;")
                            ? "a number is expected; a comment needs a separate line, also for GUBAS"
                            : "a number is expected");
        *number *= r->unit;
        return PH_OK;
    }
}

static ph_status read_line(reading *f, ph_error *err)
{
    char *key = f->lines.line, *end;
    if (*key == '#' || *key == ';')
        return PH_OK;
    if (*key == '[')
        return begin_section(f, err);
    if (*key == ' ' || *key == '\t')
        return ph_lines_fail(&f->lines, err,
                             "an indented line continues the value before it; begin it at the left", key);
    end = key + strcspn(key, ":=");
    if (!*end || end == key)
        return ph_lines_fail(&f->lines, err, "a line is \"key: value\" or \"[Section]\"", key);
    char *value = end + 1;
    value += strspn(value, " \t");
    while (end > key && strchr(" \t", end[-1]))
        end--;
    *end = '\0';
    const size_t i = f->section ? find_row(f->section, key) : ROWS;
    if (i == ROWS) {
        if (f->section)
            remark_unknown(f, key);
        return PH_OK;
    }
    if (!f->twice && f->seen[i] &&
        !strcmp(rows[i].key, solar_mass)) /* as in the branch Legacy: the last one counts */
        f->twice = f->lines.number;
    else if (f->seen[i])
        return ph_fail(err, PH_E_PARSE, "%s:%zu: %s was given in line %zu already", f->lines.path,
                       f->lines.number, rows[i].key, f->seen[i]);
    else
        f->seen[i] = f->lines.number;
    return read_value(f, &rows[i], value, err);
}

/* ---- The whole ----------------------------------------------------------------------------------------- */

/* Is the key needed? Flags have been read, or were found missing. */
static bool is_needed(const config *c, need what)
{
    const bool fahnestock = c->fahnestock != 0;
    switch (what) {
    case ALWAYS:
        return true;
    case STATE:
        return !fahnestock;
    case ANGLES_B:
        return !fahnestock && c->euler_b != 0;
    case MATRIX_B:
        return !fahnestock && c->euler_b == 0;
    case ANGLES_A:
        return !fahnestock && c->euler_a != 0;
    case MATRIX_A:
        return !fahnestock && c->euler_a == 0;
    case AXES_A:
        return c->shape[0] != PH_GUBAS_POLYHEDRON;
    case AXES_B:
        return c->shape[1] != PH_GUBAS_POLYHEDRON;
    case FILES_A:
        return c->shape[0] == PH_GUBAS_POLYHEDRON;
    case FILES_B:
        return c->shape[1] == PH_GUBAS_POLYHEDRON;
    case PLANET:
        return c->planet != 0;
    case SUN:
        return c->sun != 0;
    case HILL:
        return c->hill != 0;
    case TIDES:
        return c->tides != 0;
    case LIST:
        return c->of.interval == -1;
    case ADAPTIVE:
        return c->integrator == PH_GUBAS_RK78;
    default:
        return false;
    }
}

/* Of which of GUBAS's branches is the configuration, and what that changes. Only in master has "Sun Mass" a meaning: it is the
 * mass of the circular Sun, which in the others is "Solar Mass". Legacy has that key twice, once for each Sun; it was written for
 * Python 2, which takes the last one for both, as is done here. Perturbed-Model and 3-Body have no heliocentric orbit; they do
 * not turn B's angular velocity into A, and exchange the two matrices. */
static ph_status settle_branch(reading *f, ph_error *err)
{
    const size_t solar = find_row(forces, solar_mass), sun = find_row(forces, sun_mass);
    f->old = !f->seen[find_row(forces, helio)] && f->seen[solar] && !f->seen[sun];
    if (f->twice && f->seen[sun])
        return ph_fail(err, PH_E_PARSE, "%s:%zu: %s was given in line %zu already", f->lines.path, f->twice,
                       solar_mass, f->seen[solar]);
    if (f->seen[sun] || !f->seen[solar])
        return PH_OK;
    f->seen[sun] = f->seen[solar];
    f->c.of.hill_mass = f->c.of.sun.mass;
    const double *w = f->c.omega_b;
    if (f->twice)
        ph_gubas_say(
            &f->remarks,
            "%s: \"%s\" is there twice, as in GUBAS's branch Legacy; the last one, %g kg, counts, as with Python 2, "
            "both for the heliocentric orbit and for solar gravity. Python 3 refuses the file",
            f->lines.path, solar_mass, f->c.of.sun.mass);
    else if (f->old)
        ph_gubas_say(
            &f->remarks,
            "%s is a configuration of GUBAS's branch %s: \"%s\" is the mass of the Sun on a circle%s%s",
            f->lines.path, f->seen[find_row(forces, "Flyby")] ? "3-Body" : "Perturbed-Model", solar_mass,
            w[0] != 0 || w[1] != 0 || w[2] != 0
                ? "; that branch takes \"Secondary Angular Velocity\" in the axes of A, here it is in those of B, as its "
                  "comments say"
                : "",
            f->c.euler_a == 0 || f->c.euler_b == 0
                ? "; that branch exchanges the matrices \"B into A\" and \"A into N\", here each is what its name says"
                : "");
    return PH_OK;
}

static ph_status check_missing(const reading *f, ph_error *err)
{
    size_t absent = 0, example = 0;
    for (size_t i = 0; i < ROWS; i++) {
        if (f->seen[i])
            continue;
        if (is_needed(&f->c, rows[i].need))
            return ph_fail(err, PH_E_PARSE, "%s: [%s] has no %s", f->lines.path, rows[i].section,
                           rows[i].key);
        absent++;
        example = i;
    }
    if (absent && !f->old)
        ph_gubas_say(&f->remarks,
                     "%s lacks %zu keys that are not needed here, such as %s; GUBAS needs all of them",
                     f->lines.path, absent, rows[example].key);
    return PH_OK;
}

/* R <- Rx(a0) Ry(a1) Rz(a2), turning vectors. */
static void euler_matrix(const double a[3], double R[9])
{
    const double c1 = cos(a[0]), s1 = sin(a[0]), c2 = cos(a[1]), s2 = sin(a[1]), c3 = cos(a[2]),
                 s3 = sin(a[2]);
    const double made[9] = {c2 * c3,
                            -c2 * s3,
                            s2,
                            s1 * s2 * c3 + c1 * s3,
                            -s1 * s2 * s3 + c1 * c3,
                            -s1 * c2,
                            -c1 * s2 * c3 + s1 * s3,
                            c1 * s2 * s3 + s1 * c3,
                            c1 * c2};
    memcpy(R, made, sizeof made);
}

/* PH_E_RANGE where a number that is to be one of a few is another. */
static ph_status check_choice(const reading *f, const char *key, double value, double least, double most,
                              const char *right, ph_error *err)
{
    return value >= least && value <= most
               ? PH_OK
               : ph_fail(err, PH_E_RANGE, "%s: %s is %g; %s", f->lines.path, key, value, right);
}

static ph_status check_choices(const reading *f, ph_error *err)
{
    static const char shape[] = "0 is a sphere, 1 an ellipsoid, 2 a polyhedron",
                      order[] = "it must be from 0 to 8", toggle[] = "0 or 1 is expected";
    const config *c = &f->c;
    const struct {
        const char *key;
        double value, least, most;
        const char *right;
    } choices[] = {
        {"Primary Shape Flag", c->shape[0], 0, 2, shape},
        {"Secondary Shape Flag", c->shape[1], 0, 2, shape},
        {"Integrator Flag", c->integrator, 1, 4, "1 is RK4, 2 LGVI, 3 RK 7(8), 4 Adams-Bashforth-Moulton"},
        {"Primary Inertia Integral Truncation Order", c->order[0], 0, 8, order},
        {"Secondary Inertia Integral Truncation Order", c->order[1], 0, 8, order},
        {"Flyby", c->planet, 0, 1, toggle},
        {"Heliocentric Orbit", c->sun, 0, 1, toggle},
        {"Solar Gravity", c->hill, 0, 1, toggle},
        {"Tidal Torque", c->tides, 0, 1, toggle},
        {"Inertia Integral Generation Flag", c->generate, 0, 1, toggle},
        {"Post Processing", c->tables, 0, 1, toggle}};
    ph_status status = PH_OK;
    for (size_t i = 0; i < sizeof choices / sizeof choices[0] && !status; i++)
        status = check_choice(f, choices[i].key, choices[i].value, choices[i].least, choices[i].most,
                              choices[i].right, err);
    return status;
}

/* The members of the case that are not in the file in this form. */
static void assemble(config *c)
{
    ph_gubas_case *of = &c->of;
    for (size_t i = 0; i < 2; i++) {
        of->body[i].shape = (ph_gubas_shape)c->shape[i];
        of->body[i].order = (size_t)c->order[i];
        if (of->body[i].shape == PH_GUBAS_SPHERE) /* the first for all, as GUBAS */
            of->body[i].half_axes[1] = of->body[i].half_axes[2] = of->body[i].half_axes[0];
    }
    of->order = of->body[0].order > of->body[1].order ? of->body[0].order : of->body[1].order;
    of->asked_order = c->asked < 0 ? of->order : (size_t)c->asked;
    of->integrator = (ph_gubas_integrator)c->integrator;
    of->read_integrals = c->generate == 0;
    of->tables = c->tables != 0;
    of->planet.on = c->planet != 0;
    of->sun.on = c->sun != 0;
    of->hill = c->hill != 0;
    of->tides = c->tides != 0;
    of->hill_radius = c->orbit_radius * c->au;
    if (c->euler_b != 0)
        euler_matrix(c->angles_b, of->state.C);
    else
        memcpy(of->state.C, c->matrix_b, sizeof of->state.C);
    if (c->euler_a != 0)
        euler_matrix(c->angles_a, of->state.Cc);
    else
        memcpy(of->state.Cc, c->matrix_a, sizeof of->state.Cc);
    ph_apply3(of->state.C, c->omega_b, of->state.omega_b);
}

static ph_status read_pair(reading *f, ph_error *err)
{
    char system[2048], state[2048];
    ph_status status = ph_gubas_beside(&f->c.of, "systemdata_standard_MKS_units", system, sizeof system, err);
    if (!status)
        status = ph_gubas_beside(&f->c.of, "initstate_standard_MKS_units", state, sizeof state, err);
    return status ? status : ph_gubas_read_fahnestock(system, state, &f->c.of, err);
}

ph_status ph_gubas_read_config(const char *path, ph_gubas_case *of, ph_gubas_remark *remark, void *to,
                               ph_error *err)
{
    reading f = {.remarks = {remark, to}};
    for (size_t i = 0; i < ROWS; i++)
        if (rows[i].kind != TEXT)
            memcpy((char *)&f.c + rows[i].offset, &rows[i].initial, sizeof(double));
    ph_status status = ph_gubas_locate(path, &f.c.of, err);
    if (!status)
        status = ph_lines_open(&f.lines, path, err);
    if (status)
        return status;
    while (!status && ph_lines_next(&f.lines))
        status = read_line(&f, err);
    ph_lines_close(&f.lines);
    if (!status)
        status = settle_branch(&f, err);
    if (!status)
        status = check_missing(&f, err);
    if (!status)
        status = check_choices(&f, err);
    if (status)
        return status;
    assemble(&f.c);
    if (f.c.fahnestock != 0)
        status = read_pair(&f, err);
    if (!status)
        status = ph_gubas_check(path, &f.c.of, err);
    if (!status)
        *of = f.c.of;
    return status;
}
