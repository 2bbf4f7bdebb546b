/* SPDX-License-Identifier: BSD-3-Clause */
/* Members of a sweep in cells over two numbers, whose colours say what the members there have. A number with few values has a cell for
 * each, one with more at equal distances a cell for several, another one cells of equal width. */
#include "ensemble-cells.h"

#include "figures/utf8.h"

#include <math.h>
#include <stdlib.h>

enum { FEW_PANELS = 2 };

typedef struct grid_axis {
    const ensemble_column *of;
    double edges[ENSEMBLE_CELLS + 1]; /* (n + 1) */
    size_t n;
    bool log;
} grid_axis;

typedef struct cell {
    double sum, most;
    size_t members, finite, failed;
} cell;

typedef struct grid {
    const ensemble *e;
    grid_axis x, y;
    const ensemble_column *value;
    split split;
    cell *cells; /* (combinations x y.n x x.n) */
} grid;

static double stretch(const grid_axis *a, double value)
{
    return a->log ? log(value) : value;
}

static double shrink(const grid_axis *a, double place)
{
    return a->log ? exp(place) : place;
}

/* Are the values at equal distances? */
static bool is_even(const grid_axis *a, const ensemble_column *c)
{
    const double width = (stretch(a, c->most) - stretch(a, c->least)) / (double)(c->n - 1);
    for (size_t i = 1; i < c->n; i++)
        if (!(fabs(stretch(a, c->values[i]) - stretch(a, c->values[i - 1]) - width) < 0.01 * width))
            return false;
    return true;
}

/* Cells of `each` values; their edges are halfway between values, those at the ends as far outside. */
static void lay_values(grid_axis *a, const ensemble_column *c, size_t each)
{
    const double lone = c->log || c->values[0] == 0 ? 1 : 0.1 * fabs(c->values[0]);
    a->n = (c->n + each - 1) / each;
    for (size_t i = 0; i <= a->n; i++) {
        const size_t v = i < a->n ? i * each : c->n; /* the first value behind the edge */
        const double before = stretch(a, c->values[v ? v - 1 : 0]),
                     behind = stretch(a, c->values[v < c->n ? v : v - 1]);
        double half = (behind - before) / 2;
        if (c->n == 1)
            half = lone / 2;
        else if (!v)
            half = (stretch(a, c->values[1]) - behind) / 2;
        else if (v == c->n)
            half = (before - stretch(a, c->values[v - 2])) / 2;
        a->edges[i] = shrink(a, v ? before + half : behind - half);
    }
}

static void lay_axis(grid_axis *a, const ensemble_column *c, size_t most)
{
    *a = (grid_axis){.of = c, .n = most, .log = c->log};
    if (c->n <= most || (c->n <= ENSEMBLE_VALUES && is_even(a, c))) {
        lay_values(a, c, (c->n + most - 1) / most);
        return;
    }
    const double least = stretch(a, c->least), width = stretch(a, c->most) - least;
    for (size_t i = 0; i < a->n; i++)
        a->edges[i] = shrink(a, least + width * (double)i / (double)a->n);
    a->edges[a->n] = c->most;
}

/* The cell of a value; a->n: none. */
static size_t place(const grid_axis *a, double value)
{
    size_t from = 0, to = a->n;
    if (!axis_has(value, a->log) || value < a->edges[0] || value > a->edges[a->n])
        return a->n;
    while (to - from > 1) {
        const size_t middle = (from + to) / 2;
        if (value < a->edges[middle])
            to = middle;
        else
            from = middle;
    }
    return from;
}

static double middle_of(const grid_axis *a, size_t i)
{
    if (a->n == a->of->n)
        return a->of->values[i];
    return shrink(a, (stretch(a, a->edges[i]) + stretch(a, a->edges[i + 1])) / 2);
}

static void enter(grid *g, size_t i)
{
    const ensemble *e = g->e;
    const size_t x = place(&g->x, ensemble_value(e, g->x.of, i)),
                 y = place(&g->y, ensemble_value(e, g->y.of, i));
    const size_t at = split_of(&g->split, e, i);
    if (x == g->x.n || y == g->y.n || at == g->split.count)
        return;
    cell *c = &g->cells[(at * g->y.n + y) * g->x.n + x];
    const double value = g->value ? ensemble_value(e, g->value, i) : 1;
    if (ensemble_failed(e->table[i * e->width + ENSEMBLE_STATUS])) {
        c->failed++;
        return;
    }
    c->members++;
    if (isfinite(value)) {
        c->sum += value;
        c->most = c->finite++ ? fmax(c->most, value) : value;
    }
}

static double value_of(const grid *g, const cell *c)
{
    if (!g->value)
        return (double)c->members;
    if (!c->finite)
        return NAN;
    return g->value->error ? c->most : c->sum / (double)c->finite;
}

static void find_scale(picture *p, const grid *g)
{
    const size_t n = g->split.count * g->x.n * g->y.n;
    double least = INFINITY, most = -INFINITY, above = INFINITY;
    for (size_t i = 0; i < n; i++) {
        const double value = value_of(g, &g->cells[i]);
        if ((!g->value && !g->cells[i].members) || !isfinite(value))
            continue;
        least = fmin(least, value);
        most = fmax(most, value);
        above = value > 0 ? fmin(above, value) : above;
    }
    p->scale.log = (!g->value || g->value->error) && above < INFINITY && most >= 8 * above;
    p->scale.least = p->scale.log ? above : least <= most ? least : 0;
    p->scale.most = least <= most ? most : 1;
    if (g->value)
        ensemble_axis(g->e, g->value, p->scale.label, sizeof p->scale.label);
    else
        snprintf(p->scale.label, sizeof p->scale.label, "members in a cell");
}

/* The table of the numbers gets a row of the cell, the one that is drawn another. */
static ph_status put_cell(picture *p, const grid *g, size_t at, size_t y, size_t x, ph_error *err)
{
    const cell *c = &g->cells[(at * g->y.n + y) * g->x.n + x];
    double row[TABLE_COLUMNS] = {middle_of(&g->x, x), middle_of(&g->y, y)}, value = value_of(g, c);
    size_t n = 2;
    if (!c->members && !c->failed)
        return PH_OK;
    for (size_t k = 0; k < g->split.n; k++)
        row[n++] = split_value(&g->split, k, at);
    if (g->value)
        row[n++] = value;
    row[n++] = (double)c->members;
    row[n++] = (double)c->failed;
    ph_status status = table_add(p->tables, row, err);
    if (status || (!g->value && !c->members))
        return status;
    if (p->scale.log && value <= 0)
        value = p->scale.least;
    return table_add(p->curved,
                     (double[]){row[0], row[1], colour_shade(&p->scale, value), g->x.edges[x],
                                g->x.edges[x + 1], g->y.edges[y], g->y.edges[y + 1]},
                     err);
}

static ph_status fill_panel(picture *p, const grid *g, size_t at, bool *crossed, ph_error *err)
{
    panel *to = &p->panels[p->n++];
    table *t = p->curved;
    ph_status status = PH_OK;
    char label[sizeof to->x_label];
    ensemble_axis(g->e, g->x.of, label, sizeof label);
    if (g->split.count > 1) /* a letter, which the title explains: the words have no room at an axis */
        text_add(to->x_label, sizeof to->x_label, "(%c) ", (int)('a' + at));
    text_add(to->x_label, sizeof to->x_label, "%s", label);
    ensemble_axis(g->e, g->y.of, to->y_label, sizeof to->y_label);
    to->log_x = g->x.log;
    to->log_y = g->y.log;
    to->close = true;
    size_t from = t->rows;
    for (size_t y = 0; y < g->y.n && !status; y++)
        for (size_t x = 0; x < g->x.n && !status; x++)
            status = put_cell(p, g, at, y, x, err);
    if (t->rows > from)
        panel_add(to, (drawn){.of = t, .y = 1, .y2 = 2, .look = LOOK_CELLS, .from = from, .to = t->rows});
    from = t->rows;
    for (size_t i = 0; i < g->y.n * g->x.n && !status && g->value; i++) {
        const cell *c = &g->cells[at * g->y.n * g->x.n + i];
        if (c->failed > c->members)
            status = table_add(t,
                               (double[7]){middle_of(&g->x, i % g->x.n), middle_of(&g->y, i / g->x.n), NAN,
                                           NAN, NAN, NAN, NAN},
                               err);
    }
    if (t->rows > from)
        panel_add(
            to,
            (drawn){.of = t, .y = 1, .look = LOOK_CROSS, .run = ENSEMBLE_BLACK, .from = from, .to = t->rows});
    *crossed = *crossed || t->rows > from;
    return status;
}

static void say_cells(picture *p, const grid *g, bool crossed)
{
    size_t most = 0;
    for (size_t i = 0; i < g->split.count * g->y.n * g->x.n; i++)
        most = g->cells[i].members > most ? g->cells[i].members : most;
    if (g->value)
        picture_say(p, "%.60s%s over %.60s and %.60s", g->value->name, g->value->error ? " by its size" : "",
                    g->x.of->name, g->y.of->name);
    else
        picture_say(p, "How many members have which %.60s, over %.60s", g->y.of->name, g->x.of->name);
    text_add(p->words, sizeof p->words, ", %zu x %zu cells%s%s.", g->x.n, g->y.n,
             g->split.count > 1 ? " in each panel" : "",
             !g->value || most < 2 ? ""
             : g->value->error     ? ", of each the largest"
                                   : ", of each the mean");
    for (size_t at = 0; at < g->split.count && g->split.count > 1; at++) {
        char which[160];
        split_words(&g->split, g->e, at, which, sizeof which);
        text_add(p->title, sizeof p->title, "%s(%c) %s", at ? "; " : "", (int)('a' + at), which);
    }
    if (*p->title)
        picture_say(p, "%s.", p->title);
    if (crossed)
        picture_say(p, "Crosses: failed.");
    split_say(&g->split, g->e, g->x.of, g->y.of, p);
    ensemble_say(g->e, g->value ? g->value : g->y.of, p);
}

ph_status ensemble_cells(picture *p, const ensemble *e, const ensemble_column *x, const ensemble_column *y,
                         const ensemble_column *value, ph_error *err)
{
    grid g = {.e = e, .value = value};
    bool crossed = false;
    split_find(&g.split, e, x, y, PANELS_MOST);
    const size_t most = g.split.count > FEW_PANELS ? ENSEMBLE_CELLS / 2 : ENSEMBLE_CELLS;
    lay_axis(&g.x, x, most);
    lay_axis(&g.y, y, most);
    g.cells = calloc(g.split.count * g.x.n * g.y.n + 1, sizeof *g.cells);
    if (!g.cells)
        return ph_fail(err, PH_E_NO_MEMORY, "out of memory");
    for (size_t i = 0; i < e->n; i++)
        enter(&g, i);
    p->n_runs = 1;
    p->across = g.split.count <= 3 ? g.split.count : g.split.count == 4 ? 2 : 3;
    p->curved->columns = 7;
    p->cross = "failed";
    find_scale(p, &g);
    table_column(p->tables, x->name, x->unit);
    table_column(p->tables, y->name, y->unit);
    for (size_t k = 0; k < g.split.n; k++)
        table_column(p->tables, g.split.keys[k]->name, g.split.keys[k]->unit);
    if (value)
        table_column(p->tables, value->name, value->unit);
    table_column(p->tables, "members", NULL);
    table_column(p->tables, "failed", NULL);
    ph_status status = PH_OK;
    for (size_t at = 0; at < g.split.count && !status; at++)
        status = fill_panel(p, &g, at, &crossed, err);
    if (!status)
        say_cells(p, &g, crossed);
    free(g.cells);
    return status;
}
