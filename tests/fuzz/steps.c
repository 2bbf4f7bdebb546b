/* SPDX-License-Identifier: BSD-3-Clause */
/* The numerical interface: any model of the catalogue, parameters, method, options, step size and state. Whatever comes of it,
 * nothing that is not finite stands behind PH_OK; a step that fails leaves every bit of the state; several steps at once, other
 * kernels, members of an ensemble and integrators that have failed before give the bits of single steps of a fresh integrator.
 * fuzz: lib/method lib/system lib/solve lib/kinds/linkage integrators/shared integrators/runge-kutta; 1000 inputs of at most 256 bytes */
#include "fuzz.h"

#include <float.h>

enum { LARGEST = 64, SETTINGS = 16, PARAMETERS = 16, NUMBERS = 8, MEMBERS = 9, OPERATIONS = 4 };

/* What the bytes describe. */
typedef struct plan {
    const ph_model *model;
    const char *preset;
    ph_parameter_value value[PARAMETERS];
    double number[PARAMETERS][NUMBERS];
    size_t values;
    const ph_method *method;
    ph_setting setting[SETTINGS];
    char text[SETTINGS][32];
    size_t settings;
    double h, t;
    double z[LARGEST], zdot[LARGEST];
} plan;

static void choose_parameters(plan *c, fuzz_bytes *b)
{
    c->model = ph_model_at(fuzz_choose(b, ph_models()));
    c->preset = c->model->presets[fuzz_choose(b, c->model->n_presets)].name;
    for (size_t i = 0; i < c->model->n_parameters && c->values < PARAMETERS; i++) {
        const ph_parameter *p = &c->model->parameters[i];
        double *x = c->number[c->values];
        if (p->kind == PH_PARAMETER_BODIES || fuzz_byte(b) < 192)
            continue;
        size_t n = ph_parameter_numbers(p->kind);
        if (p->kind == PH_PARAMETER_PER_LINK || p->kind == PH_PARAMETER_PER_BODY)
            n = 1 + fuzz_choose(b, 4);
        for (size_t k = 0; k < n; k++)
            x[k] = p->kind == PH_PARAMETER_COUNT ? (double)fuzz_choose(b, 7) : fuzz_number(b);
        c->value[c->values++] = (ph_parameter_value){p->name, x, n};
    }
}

static void choose_option(plan *c, const ph_option *o, fuzz_bytes *b)
{
    char *text = c->text[c->settings];
    size_t words = 1;
    for (const char *s = o->choices; s && *s; s++)
        words += *s == ' ';
    if (o->type == PH_OPTION_CHOICE) {
        const char *word = o->choices;
        for (size_t i = fuzz_choose(b, words); i > 0; i--)
            word = strchr(word, ' ') + 1;
        snprintf(text, sizeof c->text[0], "%.*s", (int)strcspn(word, " "), word);
    } else if (!strcmp(o->name, "max-iterations")) { /* so that no step takes long */
        snprintf(text, sizeof c->text[0], "%zu", 1 + fuzz_choose(b, 256));
    } else if (o->type == PH_OPTION_COUNT) {
        snprintf(text, sizeof c->text[0], "%zu", fuzz_choose(b, 16));
    } else {
        snprintf(text, sizeof c->text[0], "%.17g", fuzz_number(b));
    }
    c->setting[c->settings++] = (ph_setting){o->name, text};
}

static void choose_method(plan *c, fuzz_bytes *b)
{
    c->method = ph_method_at(fuzz_choose(b, ph_methods()));
    for (size_t i = 0; i < c->method->n_options && c->settings < SETTINGS; i++)
        if (!strcmp(c->method->options[i].name, "max-iterations") || fuzz_byte(b) >= 160)
            choose_option(c, &c->method->options[i], b);
    c->h = fuzz_byte(b) < 128 ? 0.01 * (1 + (double)fuzz_byte(b)) : fuzz_number(b);
    c->t = fuzz_byte(b) < 224 ? 0 : fuzz_number(b);
}

static void tell(const plan *c)
{
    printf("model %s, preset %s\n", c->model->name, c->preset);
    for (size_t i = 0; i < c->values; i++)
        for (size_t k = 0; k < c->value[i].n; k++)
            printf("    %s[%zu]: %.17g\n", c->value[i].name, k, c->value[i].values[k]);
    printf("method %s, h = %.17g s, t = %.17g s\n", c->method->name, c->h, c->t);
    for (size_t i = 0; i < c->settings; i++)
        printf("    %s: %s\n", c->setting[i].name, c->setting[i].value);
}

static void tell_state(const char *what, ph_status status, const ph_integrator *it, const ph_state *s)
{
    if (!fuzz_tells)
        return;
    printf("%s: %s %s; t = %.17g s, k = %lld\n    z", what, ph_status_name(status), ph_integrator_message(it),
           s->t, (long long)s->k);
    for (size_t i = 0; i < s->nz; i++)
        printf(" %.17g", s->z[i]);
    printf("\n    p");
    for (size_t i = 0; i < s->np; i++)
        printf(" %.17g", s->p[i]);
    printf("\n    carry");
    for (size_t i = 0; i < s->ncarry; i++)
        printf(" %.17g", s->carry[i]);
    printf("\n");
}

/* ---- States as bytes ------------------------------------------------------------------------------------- */

typedef struct packed {
    size_t size;
    unsigned char bytes[72 + 8 * 4096];
} packed;

static bool pack(const ph_state *state, packed *to)
{
    to->size = ph_state_packed_size(state);
    if (to->size > sizeof to->bytes)
        return false;
    ph_state_pack(state, to->bytes);
    return true;
}

static void check_same(const packed *a, const packed *b, const char *what)
{
    ck_assert_uint_eq(a->size, b->size);
    for (size_t i = 0; i < a->size; i += 8)
        ck_assert_msg(!memcmp(a->bytes + i, b->bytes + i, 8), "%s: word %zu of the packed state is another",
                      what, i / 8);
}

/* A fault that is open: the kernel of `variational` for rows of links keeps its guess of the multipliers in the carry, and a step that
 * fails leaves another guess there. What the carry says of the motion is in z and p, which are compared. */
static void check_failed(const plan *c, const packed *before, packed *after, const ph_state *state)
{
    const size_t carry = 72 + 8 * (state->nz + state->np);
    if (!strcmp(c->method->name, "variational"))
        memcpy(after->bytes + carry, before->bytes + carry, after->size - carry);
    check_same(after, before, "a step that failed");
}

static bool judge_step(ph_status status, const ph_integrator *it, const ph_state *state)
{
    ph_error err = {.status = status};
    tell_state("step", status, it, state);
    snprintf(err.message, sizeof err.message, "%s", ph_integrator_message(it));
    fuzz_finite(&state->t, 1);
    fuzz_finite(state->z, state->nz);
    fuzz_finite(state->p, state->np);
    return fuzz_judge(status, &err);
}

/* ---- What is done ---------------------------------------------------------------------------------------- */

typedef struct motion {
    ph_integrator *it;
    ph_state *state;
    packed now;
} motion;

static void drop_motion(motion *m)
{
    ph_integrator_free(m->it);
    ph_state_free(m->state);
}

static bool begin(const plan *c, const ph_system *system, double h, motion *m)
{
    ph_error err = {PH_OK, ""};
    return fuzz_judge(ph_integrator_create(system, c->method, h, c->setting, c->settings, &m->it, &err),
                      &err) &&
           fuzz_judge(ph_state_create(m->it, &m->state, &err), &err);
}

/* Steps at once, and one by one by the other integrator. */
static void step_both(const plan *c, motion *m, motion *other, int64_t n)
{
    tk_ok(ph_state_copy(other->state, m->state));
    const ph_status status = ph_integrator_step(m->it, m->state, n);
    (void)judge_step(status, m->it, m->state);
    if (n < 0) {
        ck_assert_int_eq(status, PH_E_RANGE);
        return;
    }
    ph_status single = PH_OK;
    for (int64_t k = 0; k < n && !single; k++) {
        pack(other->state, &other->now);
        single = ph_integrator_step(other->it, other->state, 1);
        if (!judge_step(single, other->it, other->state)) {
            packed after;
            pack(other->state, &after);
            check_failed(c, &other->now, &after, other->state);
        }
    }
    pack(m->state, &m->now);
    pack(other->state, &other->now);
    ck_assert_msg(status == single, "%s at once, %s one by one", ph_status_name(status),
                  ph_status_name(single));
    check_same(&m->now, &other->now, "steps one by one, with other kernels");
}

/* Members that begin like a state alone move like it. */
static void step_members(const motion *m, motion *alone)
{
    TK_OWN(ph_ensemble) *ensemble = NULL;
    ph_error err = {PH_OK, ""};
    const size_t nz = m->state->nz, np = m->state->np;
    double z[LARGEST * MEMBERS], p[LARGEST * MEMBERS];
    for (size_t k = 0; k < nz * MEMBERS; k++)
        z[k] = m->state->z[k / MEMBERS];
    for (size_t k = 0; k < np * MEMBERS; k++)
        p[k] = m->state->p[k / MEMBERS];
    if (!fuzz_judge(ph_ensemble_create(m->it, MEMBERS, &ensemble, &err), &err) ||
        !fuzz_judge(ph_ensemble_set(ensemble, m->state->t, z, p, PH_STRICT, &err), &err) ||
        !fuzz_judge(
            ph_state_set(alone->it, alone->state, m->state->t, m->state->z, m->state->p, PH_STRICT, &err),
            &err))
        return;
    const ph_status status = ph_integrator_step(alone->it, alone->state, 2),
                    all = ph_ensemble_step(ensemble, 2);
    (void)judge_step(status, alone->it, alone->state);
    /* a time that is not finite: of all steps; iterations are counted otherwise in lanes */
    if (all == PH_E_RANGE || strstr(ph_integrator_message(alone->it), "(max-iterations)"))
        return;
    ck_assert_msg(status == all, "%s alone, %s together", ph_status_name(status), ph_status_name(all));
    ph_ensemble_get(ensemble, z, p);
    for (size_t k = 0; k < nz * MEMBERS; k++)
        ck_assert_msg(z[k] == alone->state->z[k / MEMBERS], "member %zu, coordinate %zu: %.17g, alone %.17g",
                      k % MEMBERS, k / MEMBERS, z[k], alone->state->z[k / MEMBERS]);
    for (size_t k = 0; k < np * MEMBERS; k++)
        ck_assert(p[k] == alone->state->p[k / MEMBERS]);
}

/* Whatever has happened to an integrator, a good step has the bits of one to which nothing has. */
static void step_again(const plan *c, const ph_system *system, motion *m)
{
    TK_ENDS(drop_motion) motion fresh = {.it = NULL};
    if (ph_integrator_set_step_size(m->it, 0.01) || !begin(c, system, 0.01, &fresh))
        return;
    tk_ok(ph_state_copy(fresh.state, m->state));
    const ph_status status = ph_integrator_step(m->it, m->state, 1);
    ck_assert_int_eq(status, ph_integrator_step(fresh.it, fresh.state, 1));
    (void)judge_step(status, m->it, m->state);
    pack(m->state, &m->now);
    pack(fresh.state, &fresh.now);
    memcpy(fresh.now.bytes + 32, m->now.bytes + 32, 40); /* the clock was re-based by the one */
    check_same(&m->now, &fresh.now, "an integrator that has failed");
}

static void operate(const plan *c, const ph_system *system, fuzz_bytes *b)
{
    TK_ENDS(drop_motion) motion m = {.it = NULL};
    TK_ENDS(drop_motion) motion other = {.it = NULL};
    ph_error err = {PH_OK, ""};
    const int kernels = (int)fuzz_choose(b, TK_KERNELS);
    tk_kernels(TK_WIDE);
    if (!begin(c, system, c->h, &m))
        return;
    tk_kernels(kernels);
    const bool has = begin(c, system, c->h, &other);
    tk_kernels(TK_WIDE);
    ck_assert(has);
    if (!pack(m.state, &m.now) || m.state->np > LARGEST ||
        !fuzz_judge(ph_state_set_velocity(m.it, m.state, c->t, c->z, c->zdot, PH_PROJECT, &err), &err))
        return;
    fuzz_finite(m.state->z, m.state->nz);
    fuzz_finite(m.state->p, m.state->np);
    for (int i = 0; i < OPERATIONS && b->at < b->end; i++) {
        const unsigned what = fuzz_byte(b);
        if (what < 160)
            step_both(c, &m, &other, (int64_t)(what % 5) - 1);
        else if (what < 192)
            step_members(&m, &other);
        else {
            const double h = fuzz_number(b);
            const ph_status one = ph_integrator_set_step_size(m.it, h),
                            two = ph_integrator_set_step_size(other.it, h);
            ck_assert_int_eq(one, two);
        }
    }
    step_again(c, system, &m);
}

FUZZ_TARGET(steps)
{
    fuzz_bytes b = {data, data + size};
    TK_MEMORY plan *c = calloc(1, sizeof *c);
    TK_OWN(ph_system) *system = NULL;
    ph_error err = {PH_OK, ""};
    choose_parameters(c, &b);
    choose_method(c, &b);
    if (fuzz_tells)
        tell(c);
    if (!fuzz_judge(ph_model_build_for(c->model, c->preset, c->value, c->values, &system, &err), &err))
        return FUZZ_TAKEN;
    const size_t nz = ph_space_ambient(ph_system_space(system));
    if (nz > LARGEST)
        return FUZZ_USELESS;
    if (!fuzz_judge(ph_model_preset(c->model, c->value, c->values, c->preset, nz, c->z, c->zdot, &err), &err))
        return FUZZ_TAKEN;
    fuzz_finite(c->z, nz);
    fuzz_finite(c->zdot, nz);
    for (size_t i = fuzz_choose(&b, 4); i > 0; i--) {
        double *x = fuzz_byte(&b) % 2 ? c->z : c->zdot;
        const size_t at = fuzz_choose(&b, nz);
        x[at] = fuzz_number(&b);
    }
    operate(c, system, &b);
    return FUZZ_TAKEN;
}
