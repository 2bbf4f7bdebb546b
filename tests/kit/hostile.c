/* SPDX-License-Identifier: BSD-3-Clause */
/* Hostile users: see hostile.h. */
#include "hostile.h"

#include "complexes.h"

/* ---- The callbacks ------------------------------------------------------------------------------ */

static const double inertia[4] = {2, 0.5, 0.5, 1};
/* Two links with just that inertia. */
static const double lengths[HK_SPHERES] = {0.5, 1}, masses[HK_SPHERES] = {7, 1};
static const ph_linkage linkage = {.length = lengths, .mass = masses};
static const double weight[3 * HK_SPHERES] = {0.3, -0.2, 2, 0, 0.5, 1};
static const double coupling = 0.7, damping = 0.05;

/* Count the call; if it is the one to go wrong, spoil v (n) and return the status. */
static ph_status meddle(hk_user *u, hk_callback which, double *v, size_t n)
{
    if (u->which != which)
        return PH_OK;
    u->calls++;
    if (!u->at || (u->always ? u->calls < u->at : u->calls != u->at))
        return PH_OK;
    if (u->how == HK_FAIL)
        return u->status;
    v[n / 2] = u->how == HK_NAN ? NAN : -INFINITY;
    return PH_OK;
}

/* U = sum w_i.q_i + k q_1.q_2 */
static ph_status potential(void *user, const double *z, double *U)
{
    *U = coupling * ph_dot3(z, z + 3);
    for (size_t i = 0; i < HK_NZ; i++)
        *U += weight[i] * z[i];
    return meddle(user, HK_POTENTIAL, U, 1);
}

static ph_status gradient(void *user, const double *z, double *dU)
{
    for (size_t i = 0; i < HK_NZ; i++)
        dU[i] = weight[i] + coupling * z[(i + 3) % HK_NZ];
    return meddle(user, HK_GRADIENT, dU, HK_NZ);
}

static ph_status push(void *user, double t, const double *z, const double *zdot, double *f)
{
    (void)zdot;
    for (size_t i = 0; i < HK_NZ; i++)
        f[i] = 0.2 * sin(3 * t + (double)i) * (1 + z[i]);
    return meddle(user, HK_FORCE, f, HK_NZ);
}

/* f = -c (1 + v.v) v */
static ph_status damp(void *user, double t, const double *z, const double *v, double *f)
{
    double square = ph_dot3(v, v) + ph_dot3(v + 3, v + 3);
    (void)t, (void)z;
    for (size_t i = 0; i < HK_NZ; i++)
        f[i] = -damping * (1 + square) * v[i];
    return meddle(user, HK_FORCE, f, HK_NZ);
}

static ph_status damp_dv(void *user, double t, const double *z, const double *v, double *dfdv)
{
    double square = ph_dot3(v, v) + ph_dot3(v + 3, v + 3);
    (void)t, (void)z;
    for (size_t i = 0; i < HK_NZ; i++)
        for (size_t j = 0; j < HK_NZ; j++)
            dfdv[i * HK_NZ + j] = -damping * ((i == j ? 1 + square : 0) + 2 * v[i] * v[j]);
    return meddle(user, HK_FORCE_DV, dfdv, (size_t)HK_NZ * HK_NZ);
}

static ph_status generator(void *user, const double *z, double *xi)
{
    (void)z;
    for (size_t i = 0; i < HK_NZ; i++)
        xi[i] = i % 3 == 2;
    return meddle(user, HK_GENERATOR, xi, HK_NZ);
}

/* m_ij = inertia_ij (1 + sin(k.q)/4) */
static double swell(const double *z, double *slope)
{
    double phase = 0;
    for (size_t i = 0; i < HK_NZ; i++)
        phase += weight[i] * z[i];
    *slope = 0.25 * cos(phase);
    return 1 + 0.25 * sin(phase);
}

static ph_status inertia_at(void *user, const double *z, double *M)
{
    double slope, factor = swell(z, &slope);
    for (size_t i = 0; i < 4; i++)
        M[i] = factor * inertia[i];
    return meddle(user, HK_INERTIA, M, 4);
}

static ph_status inertia_dz(void *user, const double *z, double *dM)
{
    double slope;
    swell(z, &slope);
    for (size_t i = 0; i < 4; i++)
        for (size_t k = 0; k < HK_NZ; k++)
            dM[i * HK_NZ + k] = slope * weight[k] * inertia[i];
    return meddle(user, HK_INERTIA_DZ, dM, (size_t)4 * HK_NZ);
}

static double block(size_t i, size_t j)
{
    return i % 3 == j % 3 ? inertia[2 * (i / 3) + j / 3] : 0;
}

static ph_status ambient_at(void *user, const double *z, double *MM)
{
    double slope, factor = swell(z, &slope);
    for (size_t i = 0; i < (size_t)HK_NZ * HK_NZ; i++)
        MM[i] = factor * block(i / HK_NZ, i % HK_NZ);
    return meddle(user, HK_INERTIA, MM, (size_t)HK_NZ * HK_NZ);
}

static ph_status ambient_dz(void *user, const double *z, double *dMM)
{
    double slope;
    swell(z, &slope);
    for (size_t i = 0; i < (size_t)HK_NZ * HK_NZ; i++)
        for (size_t k = 0; k < HK_NZ; k++)
            dMM[i * HK_NZ + k] = slope * weight[k] * block(i / HK_NZ, i % HK_NZ);
    return meddle(user, HK_INERTIA_DZ, dMM, (size_t)HK_NZ * HK_NZ * HK_NZ);
}

/* L = 1/2 v.MM v + (v.v)^2/20 - U */
static double complex evaluate(const double complex *z, const double complex *v)
{
    double complex L = 0, square = 0;
    for (size_t i = 0; i < HK_NZ; i++) {
        L -= weight[i] * z[i] + (i < 3 ? coupling * z[i] * z[i + 3] : 0);
        square += v[i] * v[i];
        for (size_t j = 0; j < HK_NZ; j++)
            L += 0.5 * block(i, j) * v[i] * v[j];
    }
    return L + square * square / 20;
}

static ph_status lagrangian(void *user, double t, const double *z, const double *zdot, double *L)
{
    (void)t;
    double complex x[HK_NZ], v[HK_NZ];
    for (size_t i = 0; i < HK_NZ; i++) {
        x[i] = z[i];
        v[i] = zdot[i];
    }
    *L = creal(evaluate(x, v));
    return meddle(user, HK_LAGRANGIAN, L, 1);
}

static ph_status lagrangian_complex(void *user, double t, const double *z, const double *zdot, double *L)
{
    (void)t;
    double complex x[HK_NZ], v[HK_NZ], value;
    for (size_t i = 0; i < HK_NZ; i++) {
        x[i] = CMPLX(z[2 * i], z[2 * i + 1]);
        v[i] = CMPLX(zdot[2 * i], zdot[2 * i + 1]);
    }
    value = evaluate(x, v);
    L[0] = creal(value);
    L[1] = cimag(value);
    return meddle(user, HK_LAGRANGIAN_COMPLEX, L, 2);
}

static ph_status lagrangian_gradient(void *user, double t, const double *z, const double *zdot, double *Lz,
                                     double *Lv)
{
    (void)t;
    double square = ph_dot3(zdot, zdot) + ph_dot3(zdot + 3, zdot + 3);
    for (size_t i = 0; i < HK_NZ; i++) {
        Lz[i] = -(weight[i] + coupling * z[(i + 3) % HK_NZ]);
        Lv[i] = square * zdot[i] / 5;
        for (size_t j = 0; j < HK_NZ; j++)
            Lv[i] += block(i, j) * zdot[j];
    }
    return meddle(user, HK_LAGRANGIAN_GRADIENT, Lv, HK_NZ);
}

static ph_status lagrangian_hessian(void *user, double t, const double *z, const double *zdot, double *Lzz,
                                    double *Lvz, double *Lvv)
{
    (void)t;
    double square = ph_dot3(zdot, zdot) + ph_dot3(zdot + 3, zdot + 3);
    (void)z;
    for (size_t i = 0; i < HK_NZ; i++)
        for (size_t j = 0; j < HK_NZ; j++) {
            Lzz[i * HK_NZ + j] = (i + 3) % HK_NZ == j ? -coupling : 0;
            Lvz[i * HK_NZ + j] = 0;
            Lvv[i * HK_NZ + j] = block(i, j) + ((i == j ? square : 0) + 2 * zdot[i] * zdot[j]) / 5;
        }
    return meddle(user, HK_LAGRANGIAN_HESSIAN, Lvv, (size_t)HK_NZ * HK_NZ);
}

static void count_free(void *user)
{
    ((hk_user *)user)->freed++;
}

void hk_arm(hk_user *u, hk_callback which, hk_how how, ph_status status, int64_t at, bool always)
{
    *u = (hk_user){
        .which = which, .how = how, .status = status, .at = at, .always = always, .freed = u->freed};
}

void hk_behave(hk_user *u)
{
    u->at = 0;
}

bool hk_went_wrong(const hk_user *u)
{
    return u->at && u->calls >= u->at;
}

/* ---- The system --------------------------------------------------------------------------------- */

const char *hk_flavour_name(hk_flavour flavour)
{
    static const char *const names[] = {"plain", "free",   "pushed",      "damped",     "differenced", "m(q)",
                                        "MM(z)", "L, all", "L, gradient", "L, complex", "L alone"};
    return names[flavour];
}

bool hk_has(hk_flavour flavour, hk_callback which)
{
    switch (which) {
    case HK_POTENTIAL:
    case HK_GRADIENT:
        return flavour != HK_FREE && flavour < HK_GENERAL;
    case HK_FORCE:
        return flavour >= HK_PUSHED;
    case HK_FORCE_DV:
        return flavour == HK_DAMPED;
    case HK_INERTIA:
    case HK_INERTIA_DZ:
        return flavour == HK_VARYING || flavour == HK_VARYING_AMBIENT;
    case HK_LAGRANGIAN:
        return flavour >= HK_GENERAL && flavour != HK_COMPLEX;
    case HK_LAGRANGIAN_COMPLEX:
        return flavour == HK_COMPLEX;
    case HK_LAGRANGIAN_GRADIENT:
        return flavour == HK_GENERAL || flavour == HK_GRADED;
    case HK_LAGRANGIAN_HESSIAN:
        return flavour == HK_GENERAL;
    default:
        return true;
    }
}

ph_space *hk_space(void)
{
    ph_space *space = NULL;
    tk_ok(ph_space_create_power(&(ph_factor){.kind = PH_FACTOR_S2}, HK_SPHERES, &space, NULL));
    return space;
}

void hk_define(ph_system_definition *d, hk_user *user, hk_flavour flavour)
{
    static const ph_symmetry symmetry = {"Jz", "about e3", "kg m^2/s", {0, 0, 0}, generator};
    *d = (ph_system_definition){.inertia = flavour < HK_FLAVOURS ? inertia : NULL,
                                .symmetries = &symmetry,
                                .n_symmetries = 1,
                                .user = user,
                                .user_free = count_free};
    if (hk_has(flavour, HK_GRADIENT)) {
        d->potential = potential;
        d->gradient = gradient;
    }
    if (hk_has(flavour, HK_FORCE))
        d->force = flavour == HK_PUSHED ? push : damp;
    if (hk_has(flavour, HK_FORCE_DV))
        d->force_dv = damp_dv;
    d->force_ignores_velocity = flavour == HK_PUSHED;
    if (hk_has(flavour, HK_INERTIA)) {
        d->inertia_at = flavour == HK_VARYING ? inertia_at : NULL;
        d->ambient_inertia_at = flavour == HK_VARYING ? NULL : ambient_at;
        d->inertia_dz = flavour == HK_VARYING ? inertia_dz : ambient_dz;
    }
    d->lagrangian = hk_has(flavour, HK_LAGRANGIAN) ? lagrangian : NULL;
    d->lagrangian_complex = hk_has(flavour, HK_LAGRANGIAN_COMPLEX) ? lagrangian_complex : NULL;
    d->lagrangian_gradient = hk_has(flavour, HK_LAGRANGIAN_GRADIENT) ? lagrangian_gradient : NULL;
    d->lagrangian_hessian = hk_has(flavour, HK_LAGRANGIAN_HESSIAN) ? lagrangian_hessian : NULL;
}

ph_system *hk_system(hk_user *user, hk_flavour flavour)
{
    ph_system_definition d;
    TK_OWN(ph_space) *space = hk_space();
    hk_define(&d, user, flavour);
    d.space = space;
    if (d.inertia) { /* as links, so that every form takes it */
        d.inertia = NULL;
        d.linkage = &linkage;
    }
    return tk_defined(&d);
}

void hk_start(double speed, double *z, double *zdot)
{
    static const double q[HK_NZ] = {0.6, 0, -0.8, 0, 0.28, -0.96}, v[HK_NZ] = {0, 1, 0, 0.5, 0.96, 0.28};
    for (size_t i = 0; i < HK_NZ; i++) {
        z[i] = q[i];
        zdot[i] = speed * v[i];
    }
}

/* ---- The cases ---------------------------------------------------------------------------------- */

static size_t count_words(const char *words)
{
    size_t n = 0;
    for (; *words; words += strspn(words, " ")) {
        n++;
        words += strcspn(words, " ");
    }
    return n;
}

/* Its k-th option with words; NULL beyond the last. */
static const ph_option *choice(const ph_method *m, size_t k)
{
    for (size_t i = 0; i < m->n_options; i++)
        if (m->options[i].type == PH_OPTION_CHOICE && !k--)
            return &m->options[i];
    return NULL;
}

/* Every word of the first option with words, and the others as they are; then every word but the first of the
 * others, and the first option takes turns. */
static size_t variants(const ph_method *m)
{
    size_t n = choice(m, 0) ? count_words(choice(m, 0)->choices) : 1;
    for (size_t k = 1; choice(m, k); k++)
        n += count_words(choice(m, k)->choices) - 1;
    return n;
}

/* Called before any test runs, where nothing can be asserted. */
static bool takes_hostile_systems(const ph_method *m)
{
    const ph_factor spheres[HK_SPHERES] = {{.kind = PH_FACTOR_S2}, {.kind = PH_FACTOR_S2}};
    TK_OWN(ph_space) *space = NULL;
    bool taken = !ph_space_create(spheres, HK_SPHERES, &space, NULL);
    ph_system_definition d = {.space = space, .inertia = inertia};
    TK_OWN(ph_system) *system = NULL;
    taken = taken && !ph_system_create(&d, &system, NULL) && (!m->supports || !m->supports(system, NULL));
    return taken;
}

/* Cases of the methods that take the hostile systems, or of those that do not. */
static size_t count_cases(bool hostile)
{
    size_t n = 0;
    for (size_t i = 0; i < ph_methods(); i++)
        n += takes_hostile_systems(ph_method_at(i)) == hostile ? variants(ph_method_at(i)) : 0;
    return n;
}

size_t hk_cases(void)
{
    return count_cases(true);
}

size_t hk_all_cases(void)
{
    return count_cases(true) + count_cases(false);
}

/* settings[n] <- the word at this position. */
static void add_word(hk_case *c, const ph_option *option, size_t position)
{
    const char *word = option->choices;
    for (; position; position--) {
        word += strcspn(word, " ");
        word += strspn(word, " ");
    }
    ck_assert_uint_lt(c->n, sizeof c->settings / sizeof c->settings[0]);
    snprintf(c->words[c->n], sizeof c->words[0], "%.*s", (int)strcspn(word, " "), word);
    c->settings[c->n] = (ph_setting){option->name, c->words[c->n]};
    size_t used = strlen(c->label);
    snprintf(c->label + used, sizeof c->label - used, " %s=%s", option->name, c->words[c->n]);
    c->n++;
}

void hk_case_at(size_t i, hk_case *c)
{
    size_t first = hk_cases(), m = 0;
    bool hostile = i < first;
    *c = (hk_case){0};
    for (i -= hostile ? 0 : first;; m++) {
        size_t n = takes_hostile_systems(ph_method_at(m)) == hostile ? variants(ph_method_at(m)) : 0;
        if (i < n)
            break;
        i -= n;
    }
    c->method = ph_method_at(m);
    snprintf(c->label, sizeof c->label, "%s", c->method->name);
    const ph_option *leading = choice(c->method, 0), *other = NULL;
    const size_t words = leading ? count_words(leading->choices) : 1;
    if (leading)
        add_word(c, leading, i % words);
    for (size_t k = 1, left = i - words; i >= words && !other; k++) {
        const size_t n = count_words(choice(c->method, k)->choices) - 1;
        if (left >= n) {
            left -= n;
            continue;
        }
        other = choice(c->method, k);
        add_word(c, other, left + 1);
    }
    if (c->method->claims & PH_CLAIM_ADAPTIVE) { /* few calls a step */
        c->settings[c->n++] = (ph_setting){"rtol", "1e-6"};
        c->settings[c->n++] = (ph_setting){"atol", "1e-6"};
    }
    ck_assert_uint_le(c->n, sizeof c->settings / sizeof c->settings[0]);
}

static int stride(void)
{
    return tk_short() ? 3 : 1;
}

int hk_pairs(void)
{
    return ((int)hk_cases() * HK_FLAVOURS + stride() - 1) / stride();
}

hk_flavour hk_pair_at(int i, hk_case *c)
{
    const int pair = i * stride();
    hk_case_at((size_t)(pair / HK_FLAVOURS), c);
    return (hk_flavour)(pair % HK_FLAVOURS);
}

hk_flavour hk_flavour_for(const hk_case *c, hk_flavour flavour)
{
    hk_user user = {0};
    if (!hk_has(flavour, HK_FORCE) || !c->method->supports)
        return flavour;
    TK_OWN(ph_system) *system = hk_system(&user, flavour);
    const bool refused = c->method->supports(system, NULL);
    return refused ? HK_PUSHED : flavour;
}

void hk_create(const hk_case *c, const ph_system *system, double h, ph_integrator **it, ph_state **state)
{
    ph_error err = {PH_OK, ""};
    double z[HK_NZ], zdot[HK_NZ];
    hk_start(0.7, z, zdot);
    ck_assert_msg(!ph_integrator_create(system, c->method, h, c->settings, c->n, it, &err), "%s: %s",
                  c->label, err.message);
    ck_assert_msg(!ph_state_create(*it, state, &err), "%s: %s", c->label, err.message);
    if ((*state)->nz == HK_NZ)
        ck_assert_msg(!ph_state_set_velocity(*it, *state, 0.25, z, zdot, PH_PROJECT, &err), "%s: %s",
                      c->label, err.message);
}

/* ---- States ------------------------------------------------------------------------------------- */

bool hk_same(const ph_state *a, const ph_state *b)
{
    return !memcmp(&a->t, &b->t, sizeof a->t) && a->k == b->k && a->nz == b->nz && a->np == b->np &&
           a->ncarry == b->ncarry && !memcmp(a->z, b->z, a->nz * sizeof *a->z) &&
           !memcmp(a->p, b->p, a->np * sizeof *a->p) &&
           (!a->ncarry || !memcmp(a->carry, b->carry, a->ncarry * sizeof *a->carry));
}

ph_state *hk_clone(const ph_integrator *it, const ph_state *state)
{
    ph_state *copy = NULL;
    tk_ok(ph_state_create(it, &copy, NULL));
    tk_ok(ph_state_copy(copy, state));
    return copy;
}

int64_t hk_calls(ph_integrator *it, const ph_state *state, hk_user *user, int64_t n)
{
    TK_OWN(ph_state) *counted = hk_clone(it, state);
    hk_arm(user, HK_GRADIENT, HK_FAIL, PH_E_CALLBACK, 0, false); /* counts */
    tk_ok(ph_integrator_step(it, counted, n));
    return user->calls;
}
