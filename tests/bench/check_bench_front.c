/* SPDX-License-Identifier: BSD-3-Clause */
/* What is shown of a comparison first, judged by trials whose errors and times are made up: the headline says the
 * ratios that were put in, and flatters nobody. And the pictures of the page, drawn from known data. */
#include "bench/compare/front.h"
#include "figures/data.h"
#include "figures/polhode.h"
#include "figures/svg.h"

#include <json-c/json.h>

#include "tests/kit/testkit.h"

/* ---- Made-up comparisons ------------------------------------------------------------------------------ */

static const char pendulum[] =
    "polhode: 1\nmodel: spherical-pendulum\nparameters: {mass: 1, length: 1, gravity: 9.81}\n"
    "initial: {q: [[1, 0, 0]], qdot: [[0, 1.5, 0.5]]}\n"
    "method: variational\nstep: 0.1\nduration: 1000\n";

enum { YARDSTICK, HIGH, LOW, ADAPTIVE, CONTENDERS };

typedef struct fable {
    problem problem;
    contender contenders[CONTENDERS];
    ladder ladders[CONTENDERS];
    trial trials[CONTENDERS];
    comparison c;
} fable;

static void made_up(trial *t, const contender *who, trial_basis basis, double error, double cpu)
{
    *t = (trial){.contender = who,
                 .basis = basis,
                 .group = 0.1,
                 .h = basis == SAME_STEP ? 0.1 : 0.05,
                 .steps = 100,
                 .steps_done = 100,
                 .cpu_seconds = cpu};
    t->summary.energy_error_max = error;
    t->summary.energy_error_max_first_tenth = basis == SAME_STEP ? error / 10 : error;
    t->summary.energy_error_max_last_tenth = error;
    t->energy = curve_start(0.1);
    curve_enter(&t->energy, 1000, error);
}

static void open_fable(fable *f)
{
    static const char *const labels[] = {"rk4-projected", "multistep:order=6", "variational", "gauss"};
    ph_error err;
    ph_scenario *scenario;
    ck_assert_msg(ph_scenario_parse(pendulum, strlen(pendulum), "text", &scenario, &err) == PH_OK, "%s",
                  err.message);
    *f = (fable){.problem = {.name = "fable", .title = "A fable", .horizon = 1000, .steps = {0.1}}};
    for (size_t i = 0; i < CONTENDERS; i++) {
        ck_assert_msg(contender_parse(&f->contenders[i], labels[i], &err) == PH_OK, "%s", err.message);
        f->ladders[i] = (ladder){.contender = &f->contenders[i], .verified = 1};
    }
    f->contenders[LOW].details_only = 1;
    made_up(&f->trials[YARDSTICK], &f->contenders[YARDSTICK], SAME_STEP, 1.8e-5, 0.18);
    made_up(&f->trials[HIGH], &f->contenders[HIGH], SAME_CPU, 2.5e-10, 0.2);
    made_up(&f->trials[LOW], &f->contenders[LOW], SAME_CPU, 1e-11, 0.2);
    made_up(&f->trials[ADAPTIVE], &f->contenders[ADAPTIVE], OWN_STEPS, 2e-9, 3.4);
    f->c = (comparison){.problem = &f->problem,
                        .scenario = scenario,
                        .contenders = f->contenders,
                        .n_contenders = CONTENDERS,
                        .ladders = f->ladders,
                        .trials = f->trials,
                        .n_trials = CONTENDERS};
}

static void headline_is(const fable *f, const char *expected)
{
    front shown;
    ck_assert(front_choose(&shown, &f->c));
    char *text = front_headline(&shown), *lines = front_table(&shown), *subline = front_subline(&shown);
    ck_assert(text && lines && subline);
    printf("%s\n%s%s\n\n", text, lines, subline);
    ck_assert_str_eq(text, expected);
    free(text);
    free(lines);
    free(subline);
}

static void close_fable(fable *f)
{
    ph_scenario_free(f->c.scenario);
}

TEST(a_headline_has_the_two_numbers)
{
    fable f;
    front shown;
    open_fable(&f);
    headline_is(&f, "72 000 times less energy error than projected RK4 at the same CPU time, "
                    "and less than gauss in 1/17 of its time");
    ck_assert(front_choose(&shown, &f.c));
    ck_assert_double_eq_tol(shown.error_ratio, 72000, 1e-6);
    ck_assert_double_eq_tol(shown.time_ratio, 17, 1e-12);
    /* the yardstick first, the adaptive one last; what belongs to the details is not there, however good */
    ck_assert_int_eq((int)shown.n, 3);
    ck_assert_ptr_eq(shown.lines[0], &f.trials[YARDSTICK]);
    ck_assert_ptr_eq(shown.lines[1], &f.trials[HIGH]);
    ck_assert_ptr_eq(shown.lines[2], &f.trials[ADAPTIVE]);
    /* nearly the same error; much less; a cheaper one */
    f.trials[ADAPTIVE].summary.energy_error_max = 2.4e-10;
    headline_is(&f, "72 000 times less energy error than projected RK4 at the same CPU time, "
                    "and as little as gauss in 1/17 of its time");
    f.trials[ADAPTIVE].summary.energy_error_max = 2.5e-11;
    headline_is(&f, "72 000 times less energy error than projected RK4 at the same CPU time; "
                    "gauss has 10 times less error in 17 times the time");
    f.trials[ADAPTIVE].summary.energy_error_max = 5e-10;
    f.trials[ADAPTIVE].cpu_seconds = 0.1;
    headline_is(&f, "72 000 times less energy error than projected RK4 at the same CPU time; "
                    "gauss has 2.0 times the error in 0.5 times the time");
    f.c.n_trials = ADAPTIVE;
    f.trials[HIGH].summary.energy_error_max = 1.8e-5 / 1.4e6;
    headline_is(&f, "1.4 million times less energy error than projected RK4 at the same CPU time");
    f.trials[HIGH].summary.energy_error_max = 2e-15;
    headline_is(&f,
                "Energy error at rounding (2.0e-15), where projected RK4 has 1.8e-05 at the same CPU time");
    close_fable(&f);
}

TEST(a_headline_does_not_flatter)
{
    static const char none[] =
        "No method here has a smaller energy error than projected RK4 at the same CPU time";
    fable f;
    open_fable(&f);
    f.ladders[HIGH].verified = 0;
    f.ladders[LOW].verified = 0;
    headline_is(&f, none);
    f.ladders[HIGH].verified = 1;
    f.trials[HIGH].status = PH_E_DIVERGED;
    headline_is(&f, none);
    f.trials[HIGH].status = PH_OK;
    f.trials[HIGH].summary.energy_error_max = 2e-5;
    headline_is(&f, none);
    f.trials[YARDSTICK].status = PH_E_DIVERGED;
    f.c.n_trials = ADAPTIVE;
    headline_is(
        &f, "multistep, order 6 runs to the end with an energy error of 2.0e-05; projected RK4, at the same "
            "CPU time, does not");
    front shown;
    f.trials[YARDSTICK].steps_done = 0; /* interrupted before it */
    ck_assert(!front_choose(&shown, &f.c));
    close_fable(&f);
}

/* A problem whose large step costs the reference contender more than smaller ones would: what is compared, and said, is
 * the same step, whatever there is at the same CPU time. */
TEST(a_headline_says_the_same_step)
{
    fable f;
    front shown;
    trial same[5];
    open_fable(&f);
    f.problem.at_same_step = 1;
    made_up(&same[0], &f.contenders[YARDSTICK], SAME_STEP, 4.4e-2, 0.09);
    made_up(&same[1], &f.contenders[HIGH], SAME_STEP, 2e-15, 0.11);
    made_up(&same[2], &f.contenders[HIGH], SAME_STEP, 3e-15, 0.07);
    made_up(&same[3], &f.contenders[HIGH], SAME_CPU, 1e-16, 0.09);
    made_up(&same[4], &f.contenders[ADAPTIVE], OWN_STEPS, 2e-9, 0.7);
    f.c.trials = same;
    f.c.n_trials = 5;
    headline_is(
        &f, "Energy error at rounding (3.0e-15), where projected RK4 has 4.4e-02 at the same step of 0.1 s, "
            "and less than gauss in 1/10 of its time");
    ck_assert(front_choose(&shown, &f.c));
    ck_assert_ptr_eq(shown.best, &same[2]); /* of two at rounding the cheaper one */
    ck_assert_int_eq((int)shown.n, 4);
    for (size_t i = 0; i < shown.n; i++)
        ck_assert_ptr_ne(shown.lines[i], &same[3]);
    char *subline = front_subline(&shown);
    ck_assert_ptr_nonnull(strstr(subline, "They take 0.07 s and 0.09 s of CPU time for 1000 s of motion."));
    free(subline);
    same[1].summary.energy_error_max = 1e-6; /* above rounding the error decides, whatever it costs */
    same[2].summary.energy_error_max = 2e-6;
    headline_is(&f, "44 000 times less energy error than projected RK4 at the same step of 0.1 s; "
                    "gauss has 500 times less error in 6.4 times the time");
    same[1].summary.energy_error_max = same[2].summary.energy_error_max = 5e-2;
    headline_is(&f, "No method here has a smaller energy error than projected RK4 at the same step of 0.1 s");
    close_fable(&f);
}

TEST(no_more_lines_than_a_reader_can_follow)
{
    fable f;
    front shown;
    trial many[8];
    open_fable(&f);
    made_up(&many[0], &f.contenders[YARDSTICK], SAME_STEP, 1e-5, 1);
    for (size_t i = 1; i < 7; i++) /* the smallest error last */
        made_up(&many[i], &f.contenders[HIGH], SAME_CPU, pow(10, -5 - (double)i), 1);
    made_up(&many[7], &f.contenders[ADAPTIVE], OWN_STEPS, 1e-9, 1);
    f.c.trials = many;
    f.c.n_trials = 8;
    ck_assert(front_choose(&shown, &f.c));
    ck_assert_int_eq((int)shown.n, FRONT_LINES);
    ck_assert_ptr_eq(shown.best, &many[6]);
    for (size_t i = 1; i + 1 < FRONT_LINES; i++)
        ck_assert_ptr_eq(shown.lines[i], &many[7 - i]);
    ck_assert_ptr_eq(shown.lines[FRONT_LINES - 1], &many[7]);
    close_fable(&f);
}

/* ---- Pictures ------------------------------------------------------------------------------------------ */

static char *drawn_text(void (*draw)(FILE *f, const void *what), const void *what)
{
    char *text = NULL;
    size_t length;
    FILE *f = open_memstream(&text, &length);
    ck_assert_ptr_nonnull(f);
    draw(f, what);
    ck_assert_int_eq(fclose(f), 0);
    return text;
}

static size_t count(const char *text, const char *what)
{
    size_t n = 0;
    for (const char *at = text; (at = strstr(at, what)); at += strlen(what))
        n++;
    return n;
}

static void draw_polhode(FILE *f, const void *p)
{
    polhode_draw(f, p, "a path & more");
}

/* Every point of every path is in the square of the picture. */
static void is_inside(const char *svg)
{
    for (const char *at = svg; (at = strpbrk(at, "ML")); at++) {
        double x, y;
        if (sscanf(at + 1, "%lf %lf", &x, &y) == 2)
            ck_assert_msg(x >= 0 && x <= 400 && y >= 0 && y <= 400, "%.40s", at);
    }
}

TEST_EACH(a_polhode_is_drawn_for_every_body, 4)
{
    static const double tensors[][9] = {
        {0.6, 0, 0, 0, 0.8, 0, 0, 0, 1.0},              /* three moments */
        {1, 0, 0, 0, 1, 0, 0, 0, 0.5},                  /* two equal ones */
        {1, 0, 0, 0, 1, 0, 0, 0, 1},                    /* a ball */
        {2, 0.3, -0.2, 0.3, 1.5, 0.1, -0.2, 0.1, 1.2}}; /* no principal axes */
    enum { N = 200 };
    double ring[3 * N];
    for (size_t i = 0; i < N; i++) {
        ring[3 * i] = 0.3 * cos(0.1 * (double)i);
        ring[3 * i + 1] = 0.3 * sin(0.1 * (double)i);
        ring[3 * i + 2] = sqrt(1 - 0.09);
    }
    const polhode_line line = {"a ring", "#0b57a4", ring, N};
    polhode p = {.start = ring, .lines = &line, .n = 1};
    memcpy(p.J, tensors[_i], sizeof p.J);
    char *svg = drawn_text(draw_polhode, &p);
    ck_assert_uint_eq(count(svg, "h0"), N); /* a dot for each, in front or behind */
    ck_assert_uint_eq(count(svg, "a path &amp; more"), 1);
    ck_assert_uint_eq(count(svg, "nan") + count(svg, "inf"), 0);
    is_inside(svg);
    free(svg);
}

/* ---- Curves of a picture */

static picture *drawing;

static void open_drawing(const char *x_label, const char *y_label, bool log)
{
    drawing = calloc(1, sizeof *drawing);
    ck_assert_ptr_nonnull(drawing);
    panel *at = drawing->panels;
    drawing->n = 1;
    at->log_x = at->log_y = log;
    snprintf(at->x_label, sizeof at->x_label, "%s", x_label);
    snprintf(at->y_label, sizeof at->y_label, "%s", y_label);
}

static void close_drawing(void)
{
    picture_free(drawing);
    free(drawing);
}

static void add(drawn one, const char *name, const double *x, const double *y, size_t n)
{
    ph_error err;
    tk_ok(picture_add(drawing, 0, one, x, y, n, &err));
    if (name)
        picture_label(drawing, one.run, "%s", name);
}

static void draw_curves(FILE *f, const void *p)
{
    svg_panel(f, p, 0, false, "two curves");
}

TEST(curves_are_drawn_where_they_can_be)
{
    static const double x[] = {1, 10, 100, 1000}, rising[] = {1e-9, 1e-8, 1e-7, 1e-6},
                        flat[] = {0, NAN, 1e-9, 1e-9};
    open_drawing("time", "error", true);
    add((drawn){.run = 0}, "rising", x, rising, 4);
    add((drawn){.run = 1, .dashes = 1}, "flat", x, flat, 4); /* 0 and NaN have no logarithm */
    char *svg = drawn_text(draw_curves, drawing);
    ck_assert_uint_eq(count(svg, "class=\"name\""), 2);
    ck_assert_uint_eq(count(svg, "nan") + count(svg, "inf"), 0);
    ck_assert_uint_eq(count(svg, "stroke-dasharray"), 1);
    free(svg);
    ck_assert(!picture_is_empty(drawing));
    drawing->panels->n = 0;
    add((drawn){.run = 0}, "flat", x, flat, 2);
    ck_assert(picture_is_empty(drawing));
    close_drawing();
}

/* Dots, a band, pieces that are shaded, bars, a line with dots, crosses, and a guide that is longer than the axes: each in its form, no number
 * that is none; numbers at the axes are few digits, and their label says what of. */
TEST(curves_of_every_look)
{
    static const double x[] = {1, 2, 3, NAN, 4, 5}, y[] = {1e-4, 3e-4, 2e-4, NAN, 1e-4, 1e-4};
    static const double third[] = {2e-4, 4e-4, 3e-4, NAN, 2e-4, 2e-4}, shade[] = {0, 0, 0, NAN, 1, 1};
    static const double far[] = {1e-2, 1e2}, high[] = {1e-6, 1e-2};
    table three = {.columns = 4}, *t = &three;
    ph_error err;
    for (size_t i = 0; i < 6; i++)
        tk_ok(table_add(t, (double[]){x[i], y[i], third[i], shade[i]}, &err));
    for (int log = 0; log < 2; log++) {
        open_drawing("t", "error", log);
        panel *at = drawing->panels;
        for (int k = 0; k < 6; k++)
            panel_add(at, (drawn){.of = t,
                                  .x = 0,
                                  .y = 1,
                                  .y2 = k == 1 ? 2 : 3,
                                  .width = 0.5,
                                  .run = (size_t)k,
                                  .look = (drawn_look[]){LOOK_DOTS, LOOK_BAND, LOOK_SHADES, LOOK_BARS,
                                                         LOOK_MARKED, LOOK_CROSS}[k]});
        if (log)
            at->curves[3].look = LOOK_LINE; /* bars begin at 0 */
        picture_label(drawing, 0, "dots");
        picture_label(drawing, 1, "band");
        drawing->guide_name = "guide";
        if (log)
            add((drawn){.look = LOOK_GUIDE}, NULL, far, high, 2);
        char *svg = drawn_text(draw_curves, drawing);
        ck_assert_uint_eq(count(svg, "h0"), 2 * 5); /* dots, and those of the line */
        ck_assert_uint_eq(count(svg, "m-5 -5"), 5);
        ck_assert_uint_eq(count(svg, "Z"), 2); /* the pieces of the band */
        /* of the light piece, and of bars; the dark piece has none */
        ck_assert_uint_eq(count(svg, "stroke-opacity"), log ? 1 : 2);
        ck_assert_uint_eq(count(svg, "class=\"name\""), log ? 3 : 2);
        ck_assert_uint_eq(count(svg, "nan") + count(svg, "inf") + count(svg, ">1e-") + count(svg, ">0.000"),
                          0);
        ck_assert_uint_eq(count(svg, "[10\xe2\x81\xbb\xe2\x81\xb4]"), log ? 0 : 1);
        free(svg);
        close_drawing();
    }
    free(t->values);
}

/* The text of the one element of data; it holds no markup. */
static json_object *data_of(char *element)
{
    static const char before[] = "<script type=\"application/json\" class=\"data\">";
    char *end = strstr(element, "</script>");
    ck_assert(!strncmp(element, before, sizeof before - 1) && end);
    *end = '\0';
    ck_assert_ptr_null(strpbrk(element + sizeof before - 1, "<>"));
    json_object *o = json_tokener_parse(element + sizeof before - 1);
    ck_assert_ptr_nonnull(o);
    free(element);
    return o;
}

static json_object *at(json_object *o, const char *key, size_t i)
{
    json_object *list;
    ck_assert(json_object_object_get_ex(o, key, &list));
    return json_object_array_get_idx(list, i);
}

static void put_curves_data(FILE *f, const void *p)
{
    data_panel(f, p, 0, false);
}

TEST(curves_are_given_as_data_to_the_last_bit)
{
    static const char hostile[] = "</script><b>\"\\ & \xff\n";
    static const double x[] = {0, 10, 100, 1000}, y[] = {1, 1.0 / 3, NAN, 1e-300 / 3};
    open_drawing("time [s]", "error", true);
    add((drawn){.dashes = 1}, hostile, x, y, 4);
    json_object *o = data_of(drawn_text(put_curves_data, drawing)), *l = at(o, "lines", 0);
    ck_assert_uint_eq(json_object_array_length(json_object_object_get(l, "x")),
                      3); /* x = 0 has no logarithm */
    ck_assert(json_object_get_double(at(l, "y", 0)) == 1.0 / 3);
    ck_assert_ptr_null(at(l, "y", 1));
    ck_assert(json_object_get_double(at(l, "y", 2)) == 1e-300 / 3);
    ck_assert_int_eq(json_object_get_int(at(l, "dashes", 1)), 5);
    ck_assert_str_eq(json_object_get_string(json_object_object_get(l, "label")),
                     "</script><b>\"\\ & \xef\xbf\xbd\n");
    json_object_put(o);
    close_drawing();
}

static void put_polhode_data(FILE *f, const void *p)
{
    static const char *const titles[] = {"a ring"};
    polhode_data(f, p, titles);
}

/* At the start the momentum has length 1 and lies on the ellipsoid, whatever the axes of the body. */
TEST(a_polhode_is_given_on_its_ellipsoid)
{
    const double start[] = {0.9, 1.2, -2.0};
    const polhode_line line = {NULL, "#0b57a4", start, 1};
    const polhode p = {
        .J = {2, 0.3, -0.2, 0.3, 1.5, 0.1, -0.2, 0.1, 1.2}, .start = start, .lines = &line, .n = 1};
    json_object *o = data_of(drawn_text(put_polhode_data, &p)), *l = at(o, "lines", 0);
    double level = 0, length = 0;
    for (size_t i = 0; i < 3; i++) {
        const double c = json_object_get_double(at(l, "points", i)),
                     a = json_object_get_double(at(o, "half", i));
        level += c * c / (a * a);
        length += c * c;
    }
    ck_assert(fabs(level - 1) < 1e-3 && fabs(length - 1) < 1e-3); /* points have four digits */
    ck_assert_str_eq(json_object_get_string(json_object_object_get(l, "label")), "a ring");
    json_object_put(o);
}

int main(void)
{
    return tk_run("what is shown first");
}
