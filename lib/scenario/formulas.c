/* SPDX-License-Identifier: BSD-3-Clause */
/* model as a map: a system of formulas (polhode/domain/formula.h). What a message is about is its first word, so that
 * it gets the position of that key. */
#include "parts.h"

#include <polhode/domain/formula.h>
#include <polhode/kit/text.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    SPACE,
    PARAMETERS,
    WHERE,
    KINETIC,
    POTENTIAL,
    LAGRANGIAN,
    ENERGY,
    STRENGTHS,
    DAMPING,
    FORCES,
    DISSIPATION,
    CONSTRAINTS,
    SYMMETRIES,
    COLUMNS,
    SCENE,
    COMPILE,
    FORMULA_KEYS
};
enum { LONGEST_NAME = 64 };
static const ph_scenario_key formula_keys[FORMULA_KEYS] = {
    [SPACE] =
        {"space", "a map of kinds by name", NULL,
         "The factors of the configuration space, as in {r: R1, q: S2}: R1, R2, ..., S1, S2, SO3 or spin, each with [n] for n "
         "of them. A coordinate that is no length is {in: R1, unit: rad}."},
    [PARAMETERS] =
        {"parameters", "a map", "none",
         "Numbers, lists and matrices by name, with or without a unit: 9.81 m/s^2, \"[0.1, 0.2] kg\", \"[[2, 0], [0, 3]] kg m^2\"."},
    [WHERE] =
        {"where", "a map of formulas", "none",
         "Abbreviations by name, each by those before it: p, or entries of a list, p[0] and p[i=1..n]."},
    [KINETIC] = {"kinetic", "a formula, J", NULL, "The kinetic energy."},
    [POTENTIAL] = {"potential", "a formula, J", "0", "The potential energy, which may depend on t."},
    [LAGRANGIAN] = {"lagrangian", "a formula, J", NULL, "L, in place of these two."},
    [ENERGY] = {"energy", "a formula", NULL, "The energy of spins, in place of them."},
    [STRENGTHS] = {"strengths", "a formula or a list", "1",
                   "For spins a number or parameter, or a list with one for each, Γ in Γ ds/dt = ∂H/∂s × s."},
    [DAMPING] = {"damping", "a formula or a list", "0",
                 "Likewise: λ of Landau, Lifshitz and Gilbert, which adds λ s × (s × ∂H/∂s) to ds/dt."},
    [FORCES] =
        {"forces", "a list of maps", "none",
         "Forces {at: place, force: vector}, moments on a body {on: B, moment: vector} in its frame, torques on a "
         "direction {on: q, torque: vector} in space."},
    [DISSIPATION] = {"dissipation", "a formula, W", "none", "Rayleigh's function D: the force is −dD/dż."},
    [CONSTRAINTS] = {"constraints", "a list of equations", "none", "On velocities, linear in them."},
    [SYMMETRIES] =
        {"symmetries", "a list", "none",
         "rotation about e3, translation along e1 and the like; or {name: L, unit: kg m^2/s, generator: {q: e3}}, by formulas."},
    [COLUMNS] =
        {"columns", "a map of formulas", "none",
         "Numbers, vectors and matrices by name, which `output.columns`, figures and events may name; they may contain "
         "velocities, t, abs, min, max, atan2 and angle."},
    [SCENE] = {"scene", "a map", "none", "What is drawn: `model.scene` below."},
    [COMPILE] = {
        "compile", "auto, never or always", "auto",
        "Whether the formulas are compiled by a C compiler: `auto` does so for runs that would take more than about a second "
        "without, if there is one; `always` fails without one. The bits are the same."}};
enum { POINTS, LINES, BODIES, SCENE_KEYS };
static const ph_scenario_key scene_keys[SCENE_KEYS] = {
    [POINTS] =
        {"points", "a map of formulas", "none",
         "Places of masses by name, p: \"p[i=1..n]\" for those of a list. Their coordinates are the columns `position1x`, ..., by number."},
    [LINES] = {"lines", "a list of lists of names", "what follows from the rest",
               "Lines from point to point, as in [[origin, bob]]."},
    [BODIES] = {
        "bodies", "a map of names of points", "none",
        "Where bodies are drawn, as in {B: bob}: factors SO3, by their frame and the ellipsoid of their moments."}};
const ph_scenario_map ph_formula_scene_keys = {"model.scene", scene_keys, SCENE_KEYS};
const ph_scenario_map ph_formula_keys = {"model", formula_keys, FORMULA_KEYS};

/* What scenarios of formulas have as their model: a name and no presets. */
static const ph_model of_formulas = {
    .name = "formulas", .summary = "a system of formulas", .reference = "the scenario"};

/* What is read, until the system is created: arrays whose texts are the document's. */
typedef struct source {
    ph_formula_definition d;
    struct block {
        struct block *next;
        double room[];
    } * blocks;
} source;

/* Zeros, as long as the source; NULL: no memory, which *err says. */
static void *take(source *s, size_t n, size_t size, ph_error *err)
{
    struct block *block = calloc(1, sizeof *block + (n + 1) * size);
    if (!block) {
        ph_fail(err, PH_E_NO_MEMORY, "out of memory");
        return NULL;
    }
    block->next = s->blocks;
    s->blocks = block;
    return block->room;
}

/* ---- Values of parameters ------------------------------------------------------------------------- */

/* numbers <- those at *c, a number, or a list or a matrix of them, whose shape p gets; *c moves behind them. */
static bool take_numbers(const char **c, unsigned depth, ph_formula_parameter *p, double *numbers, size_t *n)
{
    char word[64];
    *c += strspn(*c, " ");
    if (**c != '[') {
        const size_t length = strcspn(*c, depth ? " ,]" : " ");
        snprintf(word, sizeof word, "%.*s", (int)length, *c);
        if ((*n && p->rank != depth) || length >= sizeof word || ph_parse_number(word, &numbers[*n]))
            return false;
        p->rank = depth;
        *c += length;
        ++*n;
        return true;
    }
    size_t entries = 0;
    do {
        ++*c;
        if (depth > 1 || !take_numbers(c, depth + 1, p, numbers, n))
            return false;
        entries++;
        *c += strspn(*c, " ");
    } while (**c == ',');
    if (depth && p->columns > 1 && p->columns != entries)
        return false;
    *(depth ? &p->columns : &p->rows) = entries;
    return *(*c)++ == ']' && (depth || *n == p->rows * p->columns);
}

/* p <- of "9.81 m/s^2", "[0.1, 0.2] kg", "[[2, 0], [0, 3]] kg m^2". */
static ph_status split_unit(const ph_node *at, const char *text, ph_formula_parameter *p, double *numbers,
                            ph_error *err)
{
    const char *c = text;
    size_t n = 0;
    if (!take_numbers(&c, 0, p, numbers, &n))
        return ph_node_fail(
            at, err, PH_E_PARSE,
            "is \"%.60s%s\"; a number, a list or a matrix is expected, with a unit behind it or "
            "without one: 9.81 m/s^2, [0.1, 0.2] kg, [[2, 0], [0, 3]] kg m^2",
            text, strlen(text) > 60 ? "..." : "");
    p->unit = c + strspn(c, " ");
    return PH_OK;
}

static ph_status read_parameter(source *s, const ph_node *value, ph_formula_parameter *p, ph_error *err)
{
    const char *text;
    size_t n = 1, columns = 1;
    p->rows = p->columns = 1;
    if (!ph_node_is_list(value)) {
        ph_status status = ph_node_text(value, "a number, a list or a matrix", &text, err);
        if (status)
            return status;
        for (const char *c = text; *c; c++)
            n += *c == ',';
        double *numbers = take(s, n, sizeof *numbers, err);
        p->values = numbers;
        return numbers ? split_unit(value, text, p, numbers, err) : PH_E_NO_MEMORY;
    }
    ph_status status = ph_node_list(value, "a list of numbers", &n, err);
    ph_node row = ph_node_item(value, 0);
    p->rank = ph_node_is_list(&row) ? 2 : 1;
    p->rows = n;
    for (size_t i = 0; i < n && p->rank == 1 && !status; i++) {
        const ph_node item = ph_node_item(value, i);
        double number;
        if (ph_node_is_scalar(&item) && !ph_node_text(&item, "", &text, NULL) &&
            ph_parse_number(text, &number) && strchr(text, ' '))
            return ph_node_fail(value, err, PH_E_PARSE,
                                "has \"%.40s\" in a list; a list has one unit, behind it, and all in quotes: "
                                "\"[0.1, 0.2] kg\"",
                                text);
    }
    if (!status && p->rank == 2)
        status = ph_node_list(&row, "a row of numbers", &columns, err);
    double *numbers = status ? NULL : take(s, n * columns, sizeof *numbers, err);
    p->columns = columns;
    p->values = numbers;
    if (!numbers)
        return status ? status : PH_E_NO_MEMORY;
    if (p->rank == 1)
        return ph_node_numbers(value, "a list of numbers", numbers, n, err);
    for (size_t i = 0; i < n && !status; i++) {
        row = ph_node_item(value, i);
        status = ph_node_numbers(&row, "a row of numbers", numbers + i * columns, columns, err);
    }
    return status;
}

/* ---- Lists and maps of texts ---------------------------------------------------------------------- */

static ph_status read_lines(source *s, const ph_node *map, const char *expected,
                            const ph_formula_line **lines, size_t *n, ph_error *err)
{
    ph_node key, value;
    *n = 0;
    ph_status status = map->node ? ph_node_map(map, expected, n, err) : PH_OK;
    ph_formula_line *line = status ? NULL : take(s, *n, sizeof *line, err);
    if (!line)
        return status ? status : PH_E_NO_MEMORY;
    *lines = line;
    for (size_t i = 0; i < *n && !status; i++, line++) {
        line->name = ph_node_entry(map, i, &key, &value);
        const ph_node in = ph_node_find(&value, "in"), unit = ph_node_find(&value, "unit");
        status = ph_node_text(in.node ? &in : &value, "a formula (quoted, where it begins with [)",
                              &line->text, err);
        if (!status && unit.node)
            status = ph_node_text(&unit, "a unit", &line->unit, err);
    }
    return status;
}

static ph_status read_texts(source *s, const ph_node *list, const char *expected, const char *const **texts,
                            size_t *n, ph_error *err)
{
    *n = 0;
    ph_status status = list->node ? ph_node_list(list, expected, n, err) : PH_OK;
    const char **to = status ? NULL : take(s, *n, sizeof *to, err);
    if (!to)
        return status ? status : PH_E_NO_MEMORY;
    *texts = to;
    for (size_t i = 0; i < *n && !status; i++) {
        const ph_node item = ph_node_item(list, i);
        status = ph_node_text(&item, "a text", &to[i], err);
    }
    return status;
}

/* *text <- a formula; of a list of them that of a vector. */
static ph_status read_vector(source *s, const ph_node *at, const char **text, ph_error *err)
{
    const char *entry;
    size_t n, length = 2;
    if (!ph_node_is_list(at))
        return ph_node_text(at, "a formula or a list", text, err);
    ph_status status = ph_node_list(at, "a list", &n, err);
    for (size_t i = 0; i < n && !status; i++) {
        const ph_node item = ph_node_item(at, i);
        status = ph_node_text(&item, "a number or a formula", &entry, err);
        length += status ? 0 : strlen(entry) + 2;
    }
    char *to = status ? NULL : take(s, length, 1, err);
    if (!to)
        return status ? status : PH_E_NO_MEMORY;
    *text = to;
    *to++ = '[';
    for (size_t i = 0; i < n; i++) {
        const ph_node item = ph_node_item(at, i);
        ph_node_text(&item, "", &entry, NULL);
        to += sprintf(to, "%s%s", i ? ", " : "", entry);
    }
    *to = ']';
    return PH_OK;
}

static ph_status read_force(const ph_node *at, ph_formula_force *force, ph_error *err)
{
    enum { AT, FORCE, ON, MOMENT, TORQUE, FORCE_KEYS };
    static const ph_scenario_key keys[FORCE_KEYS] = {
        [AT] = {"at", "a formula, m", NULL, "Where a force acts."},
        [FORCE] = {"force", "a formula, N", NULL, "The force."},
        [ON] = {"on", "the name of a factor", NULL, "What a moment or a torque acts on."},
        [MOMENT] = {"moment", "a formula, N m", NULL, "In the frame of the body."},
        [TORQUE] = {"torque", "a formula, N m", NULL, "In space."}};
    static const ph_scenario_map map = {"model.forces[i]", keys, FORCE_KEYS};
    ph_node values[FORCE_KEYS];
    const char **to[FORCE_KEYS] = {[AT] = &force->at,
                                   [FORCE] = &force->force,
                                   [ON] = &force->on,
                                   [MOMENT] = &force->moment,
                                   [TORQUE] = &force->torque};
    ph_status status = ph_node_keys(at, "a map, as in {at: p, force: F*e1},", &map, values, err);
    for (size_t i = 0; i < FORCE_KEYS && !status; i++)
        if (values[i].node)
            status = ph_node_text(&values[i], "a formula", to[i], err);
    return status;
}

/* [[origin, bob], [p]] -> texts with spaces between the names. */
static ph_status read_scene(source *s, const ph_node *at, ph_error *err)
{
    ph_node values[SCENE_KEYS], item;
    ph_status status = at->node ? ph_node_keys(at, "a map with points, lines and bodies",
                                               &ph_formula_scene_keys, values, err)
                                : PH_OK;
    if (status || !at->node)
        return status;
    status = read_lines(s, &values[POINTS], "a map of formulas", &s->d.points, &s->d.n_points, err);
    status = status ? status
                    : read_lines(s, &values[BODIES], "a map of names of points", &s->d.bodies, &s->d.n_bodies,
                                 err);
    if (!status && values[LINES].node)
        status = ph_node_list(&values[LINES], "a list of lines", &s->d.n_lines, err);
    const char **lines = status ? NULL : take(s, s->d.n_lines, sizeof *lines, err);
    s->d.lines = lines;
    status = status || lines ? status : PH_E_NO_MEMORY;
    for (size_t i = 0; i < s->d.n_lines && !status; i++) {
        const ph_node line = ph_node_item(&values[LINES], i);
        size_t n = 1; /* a name alone is that of a list */
        if (!ph_node_is_scalar(&line))
            status = ph_node_list(&line, "a list of names of points", &n, err);
        char *to = status ? NULL : take(s, n, LONGEST_NAME + 1, err);
        lines[i] = to;
        status = status || to ? status : PH_E_NO_MEMORY;
        for (size_t k = 0; k < n && !status; k++) {
            const char *name;
            item = ph_node_is_scalar(&line) ? line : ph_node_item(&line, k);
            status = ph_node_text(&item, "the name of a point", &name, err);
            if (!status && strlen(name) >= LONGEST_NAME)
                status =
                    ph_node_fail(&item, err, PH_E_PARSE, "is longer than %d characters", LONGEST_NAME - 1);
            to += status ? 0 : sprintf(to, "%s ", name);
        }
    }
    return status;
}

/* Texts, and maps {name: Lz, unit: kg m^2/s, generator: {x: ..}}. */
static ph_status read_symmetries(source *s, const ph_node *list, ph_error *err)
{
    enum { NAME, UNIT, GENERATOR, SYMMETRY_KEYS };
    static const ph_scenario_key keys[SYMMETRY_KEYS] = {
        [NAME] = {"name", "a name", NULL, "Of the momentum map, which is a column."},
        [UNIT] = {"unit", "a unit", "none", "Of the momentum map."},
        [GENERATOR] = {"generator", "a map of formulas by factor", NULL, "The generator."}};
    static const ph_scenario_map map = {"model.symmetries[i]", keys, SYMMETRY_KEYS};
    size_t n = 0;
    ph_status status = list->node ? ph_node_list(list, "a list", &n, err) : PH_OK;
    const char **texts = status ? NULL : take(s, n, sizeof *texts, err);
    ph_formula_generator *to = texts ? take(s, n, sizeof *to, err) : NULL;
    if (!to)
        return status ? status : PH_E_NO_MEMORY;
    s->d.symmetries = texts;
    s->d.generators = to;
    for (size_t i = 0; i < n && !status; i++) {
        const ph_node item = ph_node_item(list, i);
        ph_node values[SYMMETRY_KEYS];
        if (!ph_node_is_map(&item)) {
            status = ph_node_text(&item, "a text, or a map with name and generator,",
                                  &texts[s->d.n_symmetries++], err);
            continue;
        }
        status = ph_node_keys(&item, "a map", &map, values, err);
        if (!status && (!values[NAME].node || !values[GENERATOR].node))
            status = ph_node_fail(
                &item, err, PH_E_PARSE,
                "is a symmetry without name or generator, as in {name: Lz, generator: {x: cross(e3, x)}}");
        status = status ? status : ph_node_text(&values[NAME], "a name", &to->name, err);
        if (!status && values[UNIT].node)
            status = ph_node_text(&values[UNIT], "a unit", &to->unit, err);
        status = status ? status
                        : read_lines(s, &values[GENERATOR], "a map of formulas by factor", &to->of, &to->n_of,
                                     err);
        to++, s->d.n_generators++;
    }
    return status;
}

/* What events ask for: formulas, or names of columns. */
static ph_status read_events(source *s, const ph_node *events, ph_error *err)
{
    if (ph_node_is_list(events))
        ph_node_list(events, "", &s->d.n_events, NULL);
    const char **to = take(s, s->d.n_events, sizeof *to, err);
    ph_status status = to ? PH_OK : PH_E_NO_MEMORY;
    s->d.events = to;
    for (size_t i = 0; i < s->d.n_events && !status; i++) {
        const ph_node event = ph_node_item(events, i), when = ph_node_find(&event, "when");
        if (ph_node_is_scalar(&when))
            status = ph_node_text(&when, "a formula", &to[i], err);
    }
    return status;
}

/* ---- The map ------------------------------------------------------------------------------------ */

static ph_status read_all(source *s, const ph_node *values, const ph_node *events, ph_error *err)
{
    ph_node key, value;
    ph_formula_definition *d = &s->d;
    const ph_node *parameters = &values[PARAMETERS], *forces = &values[FORCES];
    ph_status status = read_lines(s, &values[SPACE], "a map, as in {q: S2}", &d->space, &d->n_space, err);
    if (!status && parameters->node)
        status = ph_node_map(parameters, "a map of parameters", &d->n_parameters, err);
    ph_formula_parameter *p = status ? NULL : take(s, d->n_parameters, sizeof *p, err);
    status = status || p ? status : PH_E_NO_MEMORY;
    d->parameters = p;
    for (size_t i = 0; i < d->n_parameters && !status; i++) {
        p[i].name = ph_node_entry(parameters, i, &key, &value);
        status = read_parameter(s, &value, &p[i], err);
    }
    status =
        status ? status : read_lines(s, &values[WHERE], "a map of formulas", &d->where, &d->n_where, err);
    const char **energies[] = {&d->kinetic, &d->potential, &d->lagrangian, &d->energy};
    for (size_t i = 0; i < sizeof energies / sizeof energies[0] && !status; i++)
        if (values[KINETIC + i].node)
            status = ph_node_text(&values[KINETIC + i], "a formula", energies[i], err);
    if (!status && values[STRENGTHS].node)
        status = read_vector(s, &values[STRENGTHS], &d->strengths, err);
    if (!status && values[DAMPING].node)
        status = read_vector(s, &values[DAMPING], &d->damping, err);
    if (!status && values[DISSIPATION].node)
        status = ph_node_text(&values[DISSIPATION], "a formula", &d->dissipation, err);
    if (!status && forces->node)
        status = ph_node_list(forces, "a list of forces", &d->n_forces, err);
    ph_formula_force *force = status ? NULL : take(s, d->n_forces, sizeof *force, err);
    status = status || force ? status : PH_E_NO_MEMORY;
    d->forces = force;
    for (size_t i = 0; i < d->n_forces && !status; i++) {
        value = ph_node_item(forces, i);
        status = read_force(&value, &force[i], err);
    }
    status = status ? status
                    : read_texts(s, &values[CONSTRAINTS], "a list of equations", &d->constraints,
                                 &d->n_constraints, err);
    status = status ? status : read_symmetries(s, &values[SYMMETRIES], err);
    status = status ? status
                    : read_lines(s, &values[COLUMNS], "a map of formulas", &d->columns, &d->n_columns, err);
    status = status ? status : read_events(s, events, err);
    return status ? status : read_scene(s, &values[SCENE], err);
}

static ph_status read_compile(const ph_node *at, ph_compile_when *when, ph_error *err)
{
    static const char *const words[] = {
        [PH_COMPILE_AUTO] = "auto", [PH_COMPILE_NEVER] = "never", [PH_COMPILE_ALWAYS] = "always"};
    const char *text;
    ph_status status = ph_node_text(at, "auto, never or always", &text, err);
    for (size_t i = 0; i < sizeof words / sizeof words[0] && !status; i++)
        if (!strcmp(text, words[i])) {
            *when = (ph_compile_when)i;
            return PH_OK;
        }
    return status
               ? status
               : ph_node_fail(at, err, PH_E_UNKNOWN, "is \"%.60s\"; auto, never or always is expected", text);
}

/* "where p, column 7: ..." is about the key `where`, entry p; "forces: number 2" about its second entry; what ph_spins says
 * about one spin is about their list. */
static ph_node find_blamed(const ph_node *model, const ph_node *events, const char *message)
{
    char word[64];
    size_t number;
    ph_node at = *model;
    if (sscanf(message, "events: number %zu", &number) == 1) {
        at = ph_node_item(events, number - 1);
        message = "when";
    }
    message = !strncmp(message, "the strength of spin", 20)  ? "strengths"
              : !strncmp(message, "the damping of spin", 19) ? "damping"
                                                             : message;
    if (!strncmp(message, "points", 6) || !strncmp(message, "lines", 5) || !strncmp(message, "bodies", 6)) {
        const ph_node scene = ph_node_find(model, "scene");
        at = scene.node ? scene : at;
    }
    for (int level = 0; level < 2; level++) {
        const size_t length = strcspn(message, " ,:");
        memcpy(word, message, length < sizeof word ? length : 0);
        word[length < sizeof word ? length : 0] = '\0';
        message += length + strspn(message + length, ": ");
        ph_node in = ph_node_find(&at, word);
        if (ph_node_is_list(&at) && !strcmp(word, "number"))
            in = ph_node_item(&at, strtoul(message, NULL, 10) - 1);
        if (!in.node)
            break;
        at = in;
    }
    at.path[0] = '\0'; /* the message says it */
    return at;
}

ph_status ph_read_formulas(ph_reading *r, const ph_node *model, const ph_node *parameters, ph_error *err)
{
    ph_node values[FORMULA_KEYS];
    ph_status status =
        ph_node_keys(model, "the name of a model or a map of formulas", &ph_formula_keys, values, err);
    if (!status && parameters->node)
        status =
            ph_node_fail(parameters, err, PH_E_PARSE,
                         "are those of models of the catalogue; formulas have theirs in model.parameters");
    if (!status && !values[SPACE].node)
        status = ph_node_fail(model, err, PH_E_PARSE,
                              "has no space; give the factors by name, as in space: {q: S2}");
    if (!status && values[COMPILE].node)
        status = read_compile(&values[COMPILE], &r->scenario->compile, err);
    if (status)
        return status;
    source s = {.blocks = NULL};
    status = read_all(&s, values, &r->events, err);
    if (!status) {
        r->scenario->model = &of_formulas;
        status = ph_formula_system_create(&s.d, &r->scenario->system, &r->scenario->found, err);
        if (status && err) {
            const ph_node blamed = find_blamed(model, &r->events, err->message);
            ph_node_blame(&blamed, err, status);
        }
    }
    for (struct block *next; s.blocks; s.blocks = next) {
        next = s.blocks->next;
        free(s.blocks);
    }
    return status;
}
