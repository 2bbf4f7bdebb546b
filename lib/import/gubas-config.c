/* SPDX-License-Identifier: BSD-3-Clause */
/* GUBAS's configuration, hou_config.cfg: sections and lines "key: value" or "key = value", comments that
 * begin with # or ; , keys in any case, as Python's configparser reads them. Each key is a row here: its
 * section, the kind of its value, its unit in SI, and when it is needed. Source of the list: GUBAS's
 * hou_config_funcs.py. */
#define _POSIX_C_SOURCE 200809L
#include "gubas.h"

#include <polhode/kit/elementary.h>
#include <polhode/kit/text.h>
#include <polhode/kit/vector.h>

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

typedef struct row {
    const char *section;
    ph_gubas_value value;
    need need;
    double initial; /* of numbers */
} row;

static const char gravity[] = "Gravity Parameter", initial[] = "Initial Conditions",
                  settings[] = "Integration Settings", output[] = "Output Settings",
                  bodies[] = "Body Model Definitions", expansion[] = "Mutual Gravity Expansion Parameters",
                  forces[] = "Additional Forces and Perturbations", solar_mass[] = "Solar Mass",
                  sun_mass[] = "Sun Mass", helio[] = "Heliocentric Orbit";
static const char *const sections[] = {gravity, initial, settings, output, bodies, expansion, forces};
enum { SECTIONS = sizeof sections / sizeof sections[0] };

/* clang-format off */
#define NUMBER(section, name, need, member, unit) {section, {name, PH_GUBAS_NUMBER, PH_GUBAS_AT(member), unit, NULL}, need, 0}
#define FLAG(name, need, member) {initial, {name, PH_GUBAS_FLAG, PH_GUBAS_AT(member), 1, NULL}, need, 0}
#define WHOLE(section, name, need, member, range, initial) \
    {section, {name, PH_GUBAS_WHOLE, PH_GUBAS_AT(member), 1, range}, need, initial}
#define TEXT(section, name, need, member) {section, {name, PH_GUBAS_NAME(member), NULL}, need, 0}
#define THREE(x, y, z, need, member, k) \
    NUMBER(initial, x, need, member[k], 1), NUMBER(initial, y, need, member[k + 1], 1), \
    NUMBER(initial, z, need, member[k + 2], 1)
#define VECTOR(name, member) THREE(name " X", name " Y", name " Z", STATE, member, 0)
#define ANGLES(name, need, member) THREE(name " Euler 1 X", name " Euler 2 Y", name " Euler 3 Z", need, member, 0)
#define MATRIX(name, need, member) \
    THREE(name " (1,1)", name " (1,2)", name " (1,3)", need, member, 0), \
    THREE(name " (2,1)", name " (2,2)", name " (2,3)", need, member, 3), \
    THREE(name " (3,1)", name " (3,2)", name " (3,3)", need, member, 6)
#define BODY(word, i, axes, files) \
    WHOLE(bodies, word " Shape Flag", ALWAYS, shape[i], &ph_gubas_shapes, 0), \
    NUMBER(bodies, word " Semi-Major Axis", axes, of.body[i].half_axes[0], 1), \
    NUMBER(bodies, word " Semi-Intermediate Axis", axes, of.body[i].half_axes[1], 1), \
    NUMBER(bodies, word " Semi-Minor Axis", axes, of.body[i].half_axes[2], 1), \
    TEXT(bodies, word " Vertex File", files, body[i].vertices), \
    TEXT(bodies, word " Tetrahedron File", files, body[i].faces), \
    NUMBER(bodies, word " Density", STATE, of.body[i].density, 1000), \
    WHOLE(expansion, word " Inertia Integral Truncation Order", ALWAYS, order[i], &ph_gubas_orders, 0), \
    NUMBER(forces, word " Love Number", TIDES, of.body[i].love, 1), \
    NUMBER(forces, word " Reference Radius", TIDES, of.body[i].reference, 1), \
    NUMBER(forces, word " Tidal Lag Angle", TIDES, of.body[i].lag, 1)
#define ORBIT(mass_key, word, time_key, need, member) \
    NUMBER(forces, mass_key, need, of.member.mass, 1), \
    NUMBER(forces, word "Semimajor Axis", need, of.member.semimajor_axis, 1000), \
    NUMBER(forces, word "Eccentricity", need, of.member.eccentricity, 1), \
    NUMBER(forces, word "Inclination", need, of.member.inclination, 1), \
    NUMBER(forces, word "RAAN", need, of.member.node, 1), \
    NUMBER(forces, word "Argument of Periapsis", need, of.member.argument, 1), \
    NUMBER(forces, time_key, need, of.member.periapsis, 1)
static const row rows[] = {
    NUMBER(gravity, "G", STATE, of.G, 1),
    FLAG("Fahnestock Input File Flag", ALWAYS, fahnestock),
    VECTOR("Relative Position", of.state.r),
    VECTOR("Relative Velocity", of.state.v),
    VECTOR("Primary Angular Velocity", of.state.omega_a),
    VECTOR("Secondary Angular Velocity", omega_b),
    MATRIX("B into A", MATRIX_B, of.state.C),
    FLAG("B into A Euler Flag", STATE, euler_b),
    ANGLES("B into A", ANGLES_B, angles_b),
    MATRIX("A into N", MATRIX_A, of.state.Cc),
    FLAG("A into N Euler Flag", STATE, euler_a),
    ANGLES("A into N", ANGLES_A, angles_a),
    NUMBER(settings, "Start Time", ALWAYS, of.start, 1),
    NUMBER(settings, "Final Time", ALWAYS, of.end, 1),
    WHOLE(settings, "Integrator Flag", ALWAYS, integrator, &ph_gubas_integrators, 0),
    NUMBER(settings, "Fixed Time Step", ALWAYS, of.step, 1),
    NUMBER(settings, "Absolute Tolerance", ADAPTIVE, of.tolerance, 1),
    WHOLE(output, "Post Processing", NOWHERE, tables, &ph_gubas_toggle, 1),
    NUMBER(output, "Fixed Output Frequency", NOWHERE, of.interval, 1),
    TEXT(output, "Specified Time List Filename", LIST, times),
    TEXT(output, "Case Name", NOWHERE, name),
    WHOLE(bodies, "Inertia Integral Generation Flag", NOWHERE, generate, &ph_gubas_toggle, 1),
    BODY("Primary", 0, AXES_A, FILES_A),
    BODY("Secondary", 1, AXES_B, FILES_B),
    WHOLE(expansion, "Gravity Expansion Truncation Order", NOWHERE, asked, NULL, -1),
    WHOLE(forces, "Flyby", NOWHERE, planet, &ph_gubas_toggle, 0),
    WHOLE(forces, helio, NOWHERE, sun, &ph_gubas_toggle, 0),
    WHOLE(forces, "Solar Gravity", NOWHERE, hill, &ph_gubas_toggle, 0),
    WHOLE(forces, "Tidal Torque", NOWHERE, tides, &ph_gubas_toggle, 0),
    ORBIT("Planetary Mass", "", "Flyby Time", PLANET, planet),
    ORBIT(solar_mass, "Heliocentric ", "Time of periapsis passage", SUN, sun),
    NUMBER(forces, "Solar Orbit Radius", HILL, orbit_radius, 1),
    NUMBER(forces, "AU Definition", HILL, au, 1),
    NUMBER(forces, sun_mass, HILL, of.hill_mass, 1),
};
/* clang-format on */
enum { ROWS = sizeof rows / sizeof rows[0] };

typedef struct reading {
    ph_lines lines;
    ph_gubas_raw c;
    const char *section; /* one of ours, or NULL before the first and in an unknown one */
    size_t seen[ROWS];   /* line of each key; 0: not there */
    size_t twice;        /* line where "Solar Mass" is for a second time; 0: nowhere */
    bool old;            /* a configuration of Perturbed-Model or 3-Body */
    ph_remarks *words;
} reading;

/* ---- A line -------------------------------------------------------------------------------------------- */

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
    ph_remark(f->words, "%s:%zu: GUBAS has no section [%.60s], what is in it has no effect%s%s%s",
              f->lines.path, f->lines.number, name, meant ? "; did you mean [" : "", meant ? meant : "",
              meant ? "]?" : "");
    return PH_OK;
}

/* The row of the key in this section, ROWS if there is none. */
static size_t find_row(const char *section, const char *key)
{
    size_t i = 0;
    while (i < ROWS && (rows[i].section != section || strcasecmp(rows[i].value.name, key)))
        i++;
    return i;
}

static void remark_unknown(const reading *f, const char *key)
{
    const char *names[ROWS];
    for (size_t i = 0; i < ROWS; i++) {
        if (!strcasecmp(rows[i].value.name, key)) {
            ph_remark(f->words, "%s:%zu: %s belongs to [%s]; here GUBAS does not see it", f->lines.path,
                      f->lines.number, rows[i].value.name, rows[i].section);
            return;
        }
        names[i] = rows[i].section == f->section ? rows[i].value.name : NULL;
    }
    const char *meant = ph_suggest(key, names, ROWS);
    ph_remark(f->words, "%s:%zu: GUBAS has no key \"%.60s\", it has no effect%s%s%s", f->lines.path,
              f->lines.number, key, meant ? "; did you mean \"" : "", meant ? meant : "", meant ? "\"?" : "");
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
        !strcmp(rows[i].value.name, solar_mass)) /* as in the branch Legacy: the last one counts */
        f->twice = f->lines.number;
    else if (f->seen[i])
        return ph_fail(err, PH_E_PARSE, "%s:%zu: %s was given in line %zu already", f->lines.path,
                       f->lines.number, rows[i].value.name, f->seen[i]);
    else
        f->seen[i] = f->lines.number;
    return ph_gubas_take(&f->lines, &rows[i].value, value, &f->c, err);
}

/* ---- The whole ----------------------------------------------------------------------------------------- */

/* Is the key needed? Flags have been read, or were found missing. */
static bool is_needed(const ph_gubas_raw *c, need what)
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
        ph_remark(
            f->words,
            "%s: \"%s\" is there twice, as in GUBAS's branch Legacy; the last one, %g kg, counts, as with Python 2, "
            "both for the heliocentric orbit and for solar gravity. Python 3 refuses the file",
            f->lines.path, solar_mass, f->c.of.sun.mass);
    else if (f->old)
        ph_remark(
            f->words,
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
                           rows[i].value.name);
        absent++;
        example = i;
    }
    if (absent && !f->old)
        ph_remark(f->words, "%s lacks %zu keys that are not needed here, such as %s; GUBAS needs all of them",
                  f->lines.path, absent, rows[example].value.name);
    return PH_OK;
}

/* R <- Rx(a0) Ry(a1) Rz(a2), turning vectors. */
static void euler_matrix(const double a[3], double R[9])
{
    const double c1 = ph_cos(a[0]), s1 = ph_sin(a[0]), c2 = ph_cos(a[1]), s2 = ph_sin(a[1]),
                 c3 = ph_cos(a[2]), s3 = ph_sin(a[2]);
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

ph_status ph_gubas_read_config(const char *path, ph_gubas_case *of, ph_remarks *words, ph_error *err)
{
    reading f = {.words = words};
    ph_gubas_state *state = &f.c.of.state;
    for (size_t i = 0; i < ROWS; i++)
        if (rows[i].value.kind != PH_GUBAS_TEXT)
            memcpy((char *)&f.c + rows[i].value.offset, &rows[i].initial, sizeof(double));
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
    if (status)
        return status;
    ph_gubas_assemble(&f.c);
    if (f.c.euler_b != 0)
        euler_matrix(f.c.angles_b, state->C);
    if (f.c.euler_a != 0)
        euler_matrix(f.c.angles_a, state->Cc);
    ph_apply3(state->C, f.c.omega_b, state->omega_b);
    if (f.c.fahnestock != 0)
        status = ph_gubas_read_fahnestock(&f.c.of, err);
    if (!status)
        status = ph_gubas_check(&f.c.of, words, err);
    if (!status)
        *of = f.c.of;
    return status;
}
