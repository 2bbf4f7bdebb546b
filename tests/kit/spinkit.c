/* SPDX-License-Identifier: BSD-3-Clause */
/* Problems on spheres as phase space. */
#include "spinkit.h"

#define A 1. / 3, 2. / 3, 2. / 3
#define B -2. / 7, 3. / 7, 6. / 7
#define C 4. / 9, -8. / 9, 1. / 9
#define D -6. / 11, -2. / 11, -9. / 11
#define E 2. / 3, -2. / 3, 1. / 3
#define F 3. / 7, 6. / 7, -2. / 7

static ph_system *create(const ph_spins *spins, void *user, void (*user_free)(void *))
{
    const ph_system_definition d = {.spins = spins, .user = user, .user_free = user_free};
    ph_system *system = NULL;
    ph_error err;
    const ph_status status = ph_system_create(&d, &system, &err);
    ck_assert_msg(!status, "%s", err.message);
    return system;
}

static ph_system *create_vortices(void)
{
    static const double strengths[] = {1, -0.5, 0.75, 1.25}, one = 1;
    const ph_bonds all = {.kind = PH_BOND_VORTICES, .all_pairs = true, .c = &one, .uniform = true};
    return create(&(ph_spins){.n = 4, .strengths = strengths, .bonds = &all, .n_bonds = 1}, NULL, NULL);
}

ph_system *sk_ring(size_t n)
{
    static const double one = 1;
    TK_MEMORY uint32_t *first = malloc(n * sizeof *first);
    TK_MEMORY uint32_t *second = malloc(n * sizeof *second);
    for (size_t i = 0; i < n; i++) {
        first[i] = (uint32_t)i;
        second[i] = (uint32_t)((i + 1) % n);
    }
    const ph_bonds ring = {
        .kind = PH_BOND_EXCHANGE, .n = n, .first = first, .second = second, .c = &one, .uniform = true};
    ph_system *system = create(&(ph_spins){.n = n, .bonds = &ring, .n_bonds = 1}, NULL, NULL);
    return system;
}

static ph_system *create_ring(void)
{
    return sk_ring(6);
}

static ph_system *create_chain(void)
{
    static const double strengths[] = {1, 2, -1, 1, 0.5}, J = 1, more = 1 * (0.6 - 1), K = 0.2,
                        field[] = {0, 0, 0.3};
    static const uint32_t first[] = {0, 1, 2, 3}, second[] = {1, 2, 3, 4};
    const ph_bonds bonds[] = {
        {.kind = PH_BOND_EXCHANGE, .n = 4, .first = first, .second = second, .c = &J, .uniform = true},
        {.kind = PH_BOND_AXIAL,
         .n = 4,
         .first = first,
         .second = second,
         .c = &more,
         .uniform = true,
         .axis = {0, 0, 1}}};
    const ph_anisotropy easy = {.axis = {0, 0, 1}, .K = &K, .uniform = true};
    return create(&(ph_spins){.n = 5,
                              .strengths = strengths,
                              .bonds = bonds,
                              .n_bonds = 2,
                              .field = field,
                              .field_is_uniform = true,
                              .anisotropies = &easy,
                              .n_anisotropies = 1},
                  NULL, NULL);
}

/* s' = Omega x s is the energy Omega . s: B = -Omega. */
static ph_status drive(void *user, double t, double *field, double *rate)
{
    (void)user;
    field[0] = -0.4 * cos(t);
    field[1] = 0;
    field[2] = -1;
    if (rate) {
        rate[0] = 0.4 * sin(t);
        rate[1] = rate[2] = 0;
    }
    return PH_OK;
}

static ph_system *create_driven(void)
{
    return create(&(ph_spins){.n = 1, .control = drive}, NULL, NULL);
}

static ph_system *create_damped(void)
{
    static const double field[] = {0, 0, 1}, lambda = 0.1;
    return create(&(ph_spins){.n = 1, .field = field, .field_is_uniform = true, .damping = &lambda}, NULL,
                  NULL);
}

const sk_problem sk_problems[SK_PROBLEMS] = {
    [SK_VORTICES] = {"four vortices",
                     4,
                     20,
                     {A, B, C, D},
                     {0.3233580157584825252254034486, -0.4400626923905400467902263857,
                      0.8377257429557276617458853430, -0.7144080115032800670858080125,
                      0.4996925903551331204161438712, 0.4898249771541936975585536442,
                      -0.8082285065596697411663684389, 0.5834692899753174222953268343,
                      -0.0795629866208203521017441663, 0.0426519888922059621873396017,
                      -0.1514011371774584145318041967, -0.9875517725693734780732792780},
                     create_vortices},
    [SK_RING] =
        {"ring of six",
         6,
         5,
         {A, B, C, D, E, F},
         {-0.3133810871645092585064663154, -0.9282213694099707024807229593, -0.2004928516887047419282021227,
          0.3028633844300653849097226057, 0.8337755780745531782505479348, -0.4616189508436705261910154681,
          0.9276014141688838392981654779, -0.0355833096941064904834191509, -0.3718728875611935960334584982,
          -0.4223244157881871187847636755, 0.7777080005973353403375787936, 0.4656311347365653775744792491,
          -0.2604555430154403656686351651, -0.0767038573424647221454846849, 0.9624341163847626791399855931,
          0.8075432892162293657938241142, -0.3559678272181315962634927181, 0.4702773033301051653025691112},
         create_ring},
    [SK_CHAIN] =
        {"chain of five",
         5,
         5,
         {A, B, C, D, E},
         {0.4821289172433275771669399543, 0.7026046449935769781028348619, 0.5233530548217199940079409439,
          0.0595237066407123171269325766, 0.9981752640349301124554337301, 0.0101523699966055194140377649,
          0.1337637644119597743301913143, 0.5774644117292019718334447933, -0.8053832060060530141640707841,
          -0.0984297789600367270756808700, -0.9874145720094549531124169532, 0.1237903130186817577580761769,
          -0.6205263434206388895097569532, 0.7281978471478799615207374165, 0.2909896089729050427203253670},
         create_chain},
    [SK_DRIVEN] = {"driven Bloch vector",
                   1,
                   20,
                   {0, 0, 1},
                   {-0.7219337273527729383963418962, 0.3434638384803179849701365515,
                    -0.6007031587788582164231454887},
                   create_driven},
    [SK_DAMPED] = {"damped spin",
                   1,
                   20,
                   {2. / 7, 3. / 7, -6. / 7},
                   {0.77718379870364916145106074029, -0.13152974158193545102117694166,
                    0.61537408956825198812372349868},
                   create_damped},
};

/* ---- Random systems ------------------------------------------------------------------------------------- */

/* f = exp(x/2) + x^3/5 */
static ph_status bond(void *user, double x, double *f)
{
    (void)user;
    f[0] = exp(0.5 * x) + x * x * x / 5;
    f[1] = 0.5 * exp(0.5 * x) + 3 * x * x / 5;
    f[2] = 0.25 * exp(0.5 * x) + 6 * x / 5;
    return PH_OK;
}

/* A cubic potential of neighbours: sum_i (w . s_i)^2 (w . s_i+1), for the number of spins in `user`. */
static const double w[3] = {0.3, -0.2, 0.5};
static double along(const double *s)
{
    return w[0] * s[0] + w[1] * s[1] + w[2] * s[2];
}

static ph_status potential(void *user, const double *z, double *U)
{
    const size_t n = *(const size_t *)user;
    *U = 0;
    for (size_t i = 0; i < n; i++)
        *U += along(z + 3 * i) * along(z + 3 * i) * along(z + 3 * ((i + 1) % n));
    return PH_OK;
}

static ph_status gradient(void *user, const double *z, double *dU)
{
    const size_t n = *(const size_t *)user;
    memset(dU, 0, 3 * n * sizeof *dU);
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < 3; k++) {
            dU[3 * i + k] += 2 * along(z + 3 * i) * along(z + 3 * ((i + 1) % n)) * w[k];
            dU[3 * ((i + 1) % n) + k] += along(z + 3 * i) * along(z + 3 * i) * w[k];
        }
    return PH_OK;
}

/* pairs: without functions and vortices. */
static ph_system *create_random(size_t n, bool declared, bool control, bool pairs, bool damped, tk_random *r)
{
    enum { KINDS = 4 };
    static const double core_c = 0.7;
    const size_t m = n > 1 ? n - 1 : 0;
    TK_MEMORY uint32_t *first = malloc((m + 1) * sizeof *first);
    TK_MEMORY uint32_t *second = malloc((m + 1) * sizeof *second);
    TK_MEMORY double *numbers = malloc((6 + 2 * KINDS + 4) * (n + 1) * sizeof *numbers);
    double *next = numbers;
    double *strengths = next, *field = next + n, *K = next + 4 * n, *moments = next + 5 * n;
    ph_bonds bonds[KINDS + 1];
    next += 6 * n;
    for (size_t i = 0; i < n; i++) {
        strengths[i] = (tk_uniform(r, 0, 1) < 0.3 ? -1 : 1) * tk_uniform(r, 0.5, 2);
        K[i] = tk_uniform(r, -0.5, 0.5);
        moments[i] = tk_uniform(r, 0.5, 1);
        for (size_t k = 0; k < 3; k++)
            field[3 * i + k] = tk_uniform(r, -0.5, 0.5);
    }
    for (size_t k = 0; k < m; k++) { /* a tree: each spin with an earlier one */
        first[k] = (uint32_t)(k + 1);
        second[k] = (uint32_t)(tk_uniform(r, 0, 1) * (double)(k + 1));
    }
    for (size_t g = 0; g < KINDS; g++) {
        static const ph_bond_kind kinds[KINDS] = {PH_BOND_EXCHANGE, PH_BOND_AXIAL, PH_BOND_TWIST,
                                                  PH_BOND_FUNCTION};
        double *c = next;
        next += n;
        for (size_t k = 0; k < m; k++)
            c[k] = tk_uniform(r, -1, 1);
        bonds[g] = (ph_bonds){.kind = kinds[g], .n = m, .first = first, .second = second, .c = c};
        bonds[g].function = kinds[g] == PH_BOND_FUNCTION ? bond : NULL;
        tk_unit(r, bonds[g].axis);
    }
    bonds[KINDS] =
        (ph_bonds){.kind = PH_BOND_VORTICES, .all_pairs = true, .c = &core_c, .uniform = true, .core = 0.2};
    ph_anisotropy easy = {.K = K};
    tk_unit(r, easy.axis);
    size_t *user = malloc(sizeof *user);
    *user = n;
    const ph_spins spins = {.n = n,
                            .strengths = strengths,
                            .bonds = bonds,
                            .damping = damped ? moments : NULL,
                            .n_bonds = !m      ? 0
                                       : pairs ? KINDS - 1
                                               : KINDS + 1,
                            .field = field,
                            .anisotropies = &easy,
                            .n_anisotropies = 1,
                            .control = control ? drive : NULL,
                            .moments = moments};
    const ph_system_definition d = {.spins = &spins,
                                    .potential = declared ? NULL : potential,
                                    .gradient = declared ? NULL : gradient,
                                    .user = user,
                                    .user_free = free};
    ph_system *system = NULL;
    ph_error err;
    const ph_status status = ph_system_create(&d, &system, &err);
    ck_assert_msg(!status, "%s", err.message);
    return system;
}

ph_system *sk_random(size_t n, bool declared, bool control, tk_random *r)
{
    return create_random(n, declared, control, false, false, r);
}

ph_system *sk_magnet(size_t n, bool control, bool damped, tk_random *r)
{
    return create_random(n, true, control, true, damped, r);
}

void sk_random_spins(tk_random *r, size_t n, double *z)
{
    for (size_t i = 0; i < n; i++)
        tk_unit(r, z + 3 * i);
}

double sk_omega(const ph_system *system, const double *z, const double *u, const double *v)
{
    const ph_spins *is = ph_system_spins(system);
    double sum = 0;
    for (size_t i = 0; i < is->n; i++) {
        double c[3];
        ph_cross3(u + 3 * i, v + 3 * i, c);
        sum += (is->strengths ? is->strengths[i] : 1) * ph_dot3(z + 3 * i, c);
    }
    return sum;
}

/* ---- Motions -------------------------------------------------------------------------------------------- */

ph_integrator *sk_bind(const ph_system *system, const char *method, double h, const ph_setting *settings,
                       size_t n)
{
    ph_error err;
    ph_integrator *it = NULL;
    const ph_method *found = ph_method_find(method, &err);
    ck_assert_msg(found != NULL, "%s", err.message);
    const ph_status status = ph_integrator_create(system, found, h, settings, n, &it, &err);
    ck_assert_msg(!status, "%s", err.message);
    return it;
}

ph_state *sk_state(const ph_integrator *it, const double *z)
{
    ph_error err;
    ph_state *state = NULL;
    double none[1] = {0};
    ck_assert(!ph_state_create(it, &state, &err));
    const ph_status status = ph_state_set(it, state, 0, z, none, PH_STRICT, &err);
    ck_assert_msg(!status, "%s", err.message);
    return state;
}

double sk_error(const sk_problem *p, const char *method, const ph_setting *settings, size_t n, int64_t steps)
{
    TK_OWN(ph_system) *system = p->create();
    TK_OWN(ph_integrator) *it = sk_bind(system, method, p->T / (double)steps, settings, n);
    TK_OWN(ph_state) *state = sk_state(it, p->start);
    const ph_status status = ph_integrator_step(it, state, steps);
    double error = 0;
    ck_assert_msg(!status, "%s: %s", p->name, ph_integrator_message(it));
    for (size_t k = 0; k < 3 * p->n; k++)
        error = fmax(error, fabs(state->z[k] - p->end[k]));
    return error;
}

ph_system *sk_model(const char *model, const char *preset, const ph_parameter_value *values, size_t n,
                    double *z)
{
    ph_error err = {PH_OK, ""};
    ph_system *system = NULL;
    const ph_model *found = ph_model_find(model, &err);
    ck_assert_msg(found != NULL, "%s", err.message);
    ck_assert_msg(!ph_model_build_for(found, preset, values, n, &system, &err), "%s", err.message);
    const size_t nz = ph_space_ambient(ph_system_space(system));
    TK_MEMORY double *zdot = malloc(nz * sizeof *zdot);
    ck_assert_msg(!ph_model_preset(found, values, n, preset, nz, z, zdot, &err), "%s", err.message);
    return system;
}

void sk_move(const ph_system *system, const char *method, double T, int64_t steps, double *z)
{
    TK_OWN(ph_integrator) *it = sk_bind(system, method, T / (double)steps, NULL, 0);
    TK_OWN(ph_state) *state = sk_state(it, z);
    const ph_status status = ph_integrator_step(it, state, steps);
    ck_assert_msg(!status, "%s", ph_integrator_message(it));
    memcpy(z, state->z, state->nz * sizeof *z);
}

void sk_turn(const double *axis, double angle, double *s)
{
    double c[3], along = ph_dot3(axis, s);
    ph_cross3(axis, s, c);
    for (size_t k = 0; k < 3; k++)
        s[k] = cos(angle) * s[k] + sin(angle) * c[k] + (1 - cos(angle)) * along * axis[k];
}
