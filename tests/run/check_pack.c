/* SPDX-License-Identifier: BSD-3-Clause */
/* States and monitors as bytes: a packed state continues in another system object and another integrator with
 * the bits of an uninterrupted motion, for every method in every form on every model that it supports; bytes
 * that are no valid state, or one of another system, change nothing. */
#include "tests/kit/hostile.h"

static const double h = 0.01;

/* The bytes of a state as a program in another process finds them: a copy that nothing else shares. */
static unsigned char *packed(const ph_state *state)
{
    unsigned char *bytes = malloc(ph_state_packed_size(state));
    ph_state_pack(state, bytes);
    return bytes;
}

/* Takes `before` steps, then `after` steps with the other integrator, and compares with all steps by the
 * first. */
static void go_on_elsewhere(const char *label, ph_integrator *it, ph_state *state, ph_integrator *other,
                            ph_state *fresh, int64_t before, int64_t after)
{
    ck_assert_msg(!ph_integrator_step(it, state, before), "%s: %s", label, ph_integrator_message(it));
    TK_MEMORY unsigned char *bytes = packed(state);
    ck_assert_msg(!ph_state_unpack(fresh, bytes, ph_state_packed_size(state), tk_err), "%s: %s", label,
                  tk_err->message);
    ck_assert_msg(hk_same(state, fresh), "%s: not the same state", label);
    ck_assert_msg(state->kind != fresh->kind, "%s: the two systems are one", label);
    tk_ok(ph_integrator_step(it, state, after));
    tk_ok(ph_integrator_step(other, fresh, after));
    ck_assert_msg(hk_same(state, fresh), "%s: other bits", label);
}

TEST_EACH(hostile_systems_go_on, hk_cases() * HK_FLAVOURS)
{
    static const hk_flavour flavours[] = {HK_PLAIN, HK_FREE, HK_PUSHED, HK_DAMPED, HK_DIFFERENCED};
    hk_case c;
    hk_user users[2] = {{0}, {0}};
    ph_integrator *it[2];
    ph_state *state[2];
    ph_system *system[2];
    hk_case_at((size_t)_i / HK_FLAVOURS, &c);
    for (int j = 0; j < 2; j++) {
        system[j] = hk_system(&users[j], hk_flavour_for(&c, flavours[_i % HK_FLAVOURS]));
        hk_create(&c, system[j], _i % 2 ? h : -h, &it[j], &state[j]);
    }
    go_on_elsewhere(c.label, it[0], state[0], it[1], state[1], 37, 40);
    go_on_elsewhere(c.label, it[1], state[1], it[0], state[0], 3, 10);
    for (int j = 0; j < 2; j++) {
        tk_end(it[j], state[j]);
        ph_system_free(system[j]);
    }
}

/* A model of the catalogue, and a state of the method at its first preset: 0 where the method does not take
 * it. */
static int start(const ph_model *model, const hk_case *c, ph_system **system, ph_integrator **it,
                 ph_state **state)
{
    /* the third body of the first preset is in the barycentre of the two before it */
    if (!strcmp(model->name, "n-body") && strstr(c->label, "hierarchy=listed"))
        return 0;
    *system = tk_model(model->name);
    ph_status status = ph_integrator_create(*system, c->method, 0.001, c->settings, c->n, it, tk_err);
    if (status) {
        ck_assert_msg(status == PH_E_UNSUPPORTED, "%s, %s: %s", model->name, c->label, tk_err->message);
        ph_system_free(*system);
        return 0;
    }
    const ph_space *space = ph_system_space(*system);
    TK_MEMORY double *z = calloc(ph_space_ambient(space), sizeof *z),
                     *v = calloc(ph_space_ambient(space), sizeof *v);
    tk_preset(model->name, NULL, 0, NULL, z, v);
    tk_ok(ph_state_create(*it, state, tk_err));
    tk_ok(ph_state_set_velocity(*it, *state, 0.25, z, v, PH_PROJECT, tk_err));
    return 1;
}

TEST_EACH(models_go_on, hk_all_cases())
{
    hk_case c;
    size_t taken = 0;
    char label[200];
    hk_case_at((size_t)_i, &c);
    for (size_t m = 0; m < ph_models(); m++) {
        ph_integrator *it[2];
        ph_state *state[2];
        ph_system *system[2];
        const ph_model *model = ph_model_at(m);
        if (!start(model, &c, &system[0], &it[0], &state[0]))
            continue;
        ck_assert(start(model, &c, &system[1], &it[1], &state[1]));
        snprintf(label, sizeof label, "%s, %s", model->name, c.label);
        go_on_elsewhere(label, it[0], state[0], it[1], state[1], 7, 9);
        for (int j = 0; j < 2; j++) {
            tk_end(it[j], state[j]);
            ph_system_free(system[j]);
        }
        taken++;
    }
    ck_assert_uint_gt(taken, 0);
}

/* The clock continues, too: after a change of the step size its base is not the start. */
TEST(the_clock_goes_on)
{
    hk_case c;
    hk_user user = {0};
    hk_case_at(0, &c);
    TK_OWN(ph_system) *system = hk_system(&user, HK_PLAIN);
    TK_BEGIN(it, state, hk_create, &c, system, 0.1);
    tk_ok(ph_integrator_step(it, state, 3));
    tk_ok(ph_integrator_set_step_size(it, 0.03));
    tk_ok(ph_integrator_step(it, state, 5));
    TK_MAKE(ph_state, other, ph_state_create(it, &other, NULL));
    TK_MEMORY unsigned char *bytes = packed(state);
    tk_ok(ph_state_unpack(other, bytes, ph_state_packed_size(state), NULL));
    ck_assert_int_eq(other->k, 8);
    ck_assert_int_eq(other->k_base, 3);
    ck_assert_double_eq(other->t_base, state->t_base);
    ck_assert_double_eq(other->h, 0.03);
    tk_ok(ph_integrator_step(it, other, 1000));
    ck_assert_double_eq(other->t, state->t_base + 1005 * 0.03);
}

/* The bytes are what the header says, read without the library. */
TEST(layout_of_a_state)
{
    double z[3] = {1, -0.0, 0x1p-1074}, p[2] = {-2.5, 3}, carry[1] = {NAN};
    ph_state state = {.t = 0.1,
                      .k = 258,
                      .z = z,
                      .p = p,
                      .carry = carry,
                      .nz = 3,
                      .np = 2,
                      .ncarry = 1,
                      .t_base = 0.5,
                      .h = -0.25,
                      .k_base = 1,
                      .kind = 77};
    unsigned char bytes[72 + 8 * 6];
    static const unsigned char tenth[8] = {0x9a, 0x99, 0x99, 0x99, 0x99, 0x99, 0xb9, 0x3f},
                               one[8] = {0, 0, 0, 0, 0, 0, 0xf0, 0x3f}, least[8] = {1},
                               minus[8] = {0, 0, 0, 0, 0, 0, 0, 0x80}, k[8] = {2, 1};
    ck_assert_uint_eq(ph_state_packed_size(&state), sizeof bytes);
    ph_state_pack(&state, bytes);
    ck_assert(!memcmp(bytes, "phstate1", 8));
    for (int i = 0; i < 3; i++)
        ck_assert_uint_eq(bytes[8 + 8 * i], 3 - i);
    ck_assert(!memcmp(bytes + 32, tenth, 8));
    ck_assert(!memcmp(bytes + 56, k, 8));
    ck_assert_uint_eq(bytes[64], 1);
    ck_assert(!memcmp(bytes + 72, one, 8) && !memcmp(bytes + 80, minus, 8) && !memcmp(bytes + 88, least, 8));
    ck_assert_uint_eq(bytes[sizeof bytes - 1] & 0x7f, 0x7f); /* NaN in the carry is left to the method */
    z[0] = p[1] = 0;
    state.t = 9;
    tk_ok(ph_state_unpack(&state, bytes, sizeof bytes, NULL));
    ck_assert(z[0] == 1 && signbit(z[1]) && z[2] == 0x1p-1074 && p[0] == -2.5 && p[1] == 3 &&
              isnan(carry[0]));
    ck_assert(state.t == 0.1 && state.t_base == 0.5 && state.h == -0.25 && state.k == 258 &&
              state.k_base == 1 && state.kind == 77);
}

/* A part equals that part of the whole, and no other byte is written. */
TEST_EACH(parts_of_it, 2)
{
    double z[2] = {1, 2}, p[3] = {3, 4, 5}, carry[1] = {6};
    const ph_state state = {
        .t = 0.5, .k = 7, .z = z, .p = p, .carry = carry, .nz = 2, .np = 3, .ncarry = (size_t)_i};
    const size_t words = ph_state_packed_size(&state) / 8;
    unsigned char all[8 * 15], part[8 * 15 + 1];
    ph_state_pack(&state, all);
    for (size_t first = 0; first <= words; first++)
        for (size_t n = 0; first + n <= words; n++) {
            memset(part, 0x77, sizeof part);
            ph_state_pack_part(&state, first, n, part);
            ck_assert(!memcmp(part, all + 8 * first, 8 * n));
            ck_assert_uint_eq(part[8 * n], 0x77);
        }
}

TEST(bytes_that_are_none)
{
    hk_case c;
    hk_user user = {0};
    ph_error err = {PH_OK, ""};
    hk_case_at(0, &c);
    TK_OWN(ph_system) *system = hk_system(&user, HK_PLAIN), *pendulum = tk_model("spherical-pendulum");
    TK_BEGIN(it, state, hk_create, &c, system, h);
    tk_ok(ph_integrator_step(it, state, 4));
    TK_OWN(ph_state) *before = hk_clone(it, state);
    const size_t size = ph_state_packed_size(state);
    TK_MEMORY unsigned char *good = packed(state), *bad = malloc(size + 8);
    tk_ok(ph_integrator_step(it, state, 4));
    tk_ok(ph_state_copy(before, state));
    static const struct {
        size_t at; /* a double or a count of the packed state becomes ... */
        double value;
        int64_t count; /* ... this, or, where value is 0, this */
        ph_status status;
    } spoilt[] = {{32, NAN, 0, PH_E_NOT_FINITE},
                  {40, INFINITY, 0, PH_E_NOT_FINITE},
                  {48, -INFINITY, 0, PH_E_NOT_FINITE},
                  {72, NAN, 0, PH_E_NOT_FINITE},
                  {72 + 8 * (HK_NZ - 1), INFINITY, 0, PH_E_NOT_FINITE},
                  {72 + 8 * HK_NZ, NAN, 0, PH_E_NOT_FINITE},
                  {72 + 8 * (2 * HK_NZ - 1), NAN, 0, PH_E_NOT_FINITE},
                  {8, 0, HK_NZ + 1, PH_E_SIZE},
                  {16, 0, HK_NZ - 1, PH_E_SIZE},
                  {24, 0, INT64_MAX, PH_E_SIZE},
                  {56, 0, -1, PH_E_RANGE},
                  {64, 0, 5, PH_E_RANGE},
                  {64, 0, -1, PH_E_RANGE},
                  {0, 0, 1, PH_E_PARSE}};
    for (size_t i = 0; i < sizeof spoilt / sizeof spoilt[0]; i++) {
        memcpy(bad, good, size);
        uint64_t word = (uint64_t)spoilt[i].count;
        if (spoilt[i].value != 0)
            memcpy(&word, &spoilt[i].value, 8);
        for (int b = 0; b < 8; b++)
            bad[spoilt[i].at + b] = (unsigned char)(word >> (8 * b));
        err.message[0] = '\0';
        ph_status status = ph_state_unpack(state, bad, size, &err);
        ck_assert_msg(status == spoilt[i].status && err.message[0], "row %zu: %s: %s", i,
                      ph_status_name(status), err.message);
        ck_assert(hk_same(state, before));
    }
    for (size_t n = 0; n < size; n += n < 80 ? 1 : 8)
        ck_assert_int_eq(ph_state_unpack(state, good, n, NULL), n < 72 ? PH_E_PARSE : PH_E_SIZE);
    memcpy(bad, good, size);
    memset(bad + size, 0, 8);
    ck_assert_int_eq(ph_state_unpack(state, bad, size + 8, NULL), PH_E_SIZE);
    ck_assert(hk_same(state, before));
    tk_ok(ph_state_unpack(state, good, size, NULL));
    ck_assert(!hk_same(state, before) && state->k == 4);
    /* another system's */
    TK_BEGIN(small, one, hk_create, &c, pendulum, h);
    ck_assert_int_eq(ph_state_unpack(one, good, size, &err), PH_E_SIZE);
    ck_assert_ptr_nonnull(strstr(err.message, "6, 6"));
}

/* ---- Monitors ----------------------------------------------------------------------------------- */

static bool same_summary(const ph_monitor *a, const ph_monitor *b)
{
    ph_summary x, y;
    memset(&x, 0, sizeof x);
    memset(&y, 0, sizeof y);
    ph_monitor_summary(a, &x);
    ph_monitor_summary(b, &y);
    return !memcmp(&x, &y, sizeof x);
}

static void see(ph_monitor *m, const ph_state *state)
{
    tk_ok(ph_monitor_see(m, state, NULL));
}

/* In two parts, and in one, planned for the longer time from the start or later. */
TEST_EACH(monitors_go_on, 6)
{
    hk_case c;
    hk_user user = {0};
    TK_OWN(ph_monitor) *whole = NULL, *part = NULL, *next = NULL, *longer = NULL;
    double times[40], errors[40];
    ph_measures m;
    hk_case_at(0, &c);
    TK_OWN(ph_system) *system = hk_system(&user, _i ? HK_DAMPED : HK_PLAIN);
    TK_BEGIN(it, state, hk_create, &c, system, h);
    TK_MAKE(ph_diagnostics, d, ph_diagnostics_create(system, &d, tk_err));
    const double t0 = state->t, t1 = t0 + 40 * 5 * h, t2 = t0 + 80 * 5 * h;
    tk_ok(ph_monitor_create(d, t0, t1, &whole, tk_err));
    tk_ok(ph_monitor_create(d, t0, t1, &part, tk_err));
    tk_ok(ph_monitor_create(d, 0, 1, &next, tk_err));
    tk_ok(ph_monitor_create(d, t0, t2, &longer, tk_err));
    size_t size = ph_monitor_packed_size(part);
    ck_assert_uint_eq(size, 192 + 24);
    unsigned char bytes[192 + 24], again[192 + 24];
    double first = 0;
    for (int i = 0; i < 40; i++) {
        see(whole, state);
        see(longer, state);
        if (i == _i % 3 * 17) { /* also before anything was seen */
            ph_monitor_pack(part, bytes);
            ck_assert(!memcmp(bytes, "phmonit2", 8) && bytes[8] == 1 && bytes[16] == i);
            tk_ok(ph_monitor_unpack(next, bytes, size, tk_err));
            ck_assert(same_summary(part, next));
            ph_summary seen, alone;
            size_t maps;
            ph_monitor_summary(part, &seen);
            tk_ok(ph_monitor_unpack_summary(bytes, size, &alone, &maps, tk_err));
            ck_assert(!memcmp(&seen, &alone, sizeof seen) && maps == 1);
        }
        tk_ok(ph_monitor_see(i < _i % 3 * 17 ? part : next, state, &m));
        first = i ? first : m.energy;
        times[i] = state->t;
        errors[i] = m.energy - first;
        tk_ok(ph_integrator_step(it, state, 5));
    }
    ck_assert(same_summary(whole, next));
    ph_monitor_pack(whole, bytes);
    ph_monitor_pack(next, again);
    ck_assert(!memcmp(bytes, again, sizeof bytes));
    ph_monitor_replan(next, t2);
    for (int i = 1; i < 40; i++)
        ph_monitor_recall(next, times[i], errors[i]);
    ck_assert(!same_summary(whole, longer));
    for (int i = 0; i < 40; i++) {
        see(next, state);
        see(longer, state);
        tk_ok(ph_integrator_step(it, state, 5));
    }
    ck_assert(same_summary(longer, next));
    /* bytes that are none change nothing */
    ph_summary none;
    size_t maps;
    tk_returns(ph_monitor_unpack_summary(bytes, size - 8, &none, &maps, tk_err), PH_E_SIZE);
    tk_returns(ph_monitor_unpack_summary(bytes, 100, &none, &maps, tk_err), PH_E_PARSE);
    tk_returns(ph_monitor_unpack_summary(NULL, 0, &none, &maps, tk_err), PH_E_PARSE);
    tk_returns(ph_monitor_unpack(next, bytes, size - 8, tk_err), PH_E_SIZE);
    tk_returns(ph_monitor_unpack(next, bytes, 100, tk_err), PH_E_PARSE);
    bytes[8] = 2;
    tk_returns(ph_monitor_unpack(next, bytes, size, tk_err), PH_E_SIZE);
    bytes[8] = 1;
    bytes[23] = 0x80;
    tk_returns(ph_monitor_unpack(next, bytes, size, tk_err), PH_E_RANGE);
    bytes[0] = 'x';
    tk_returns(ph_monitor_unpack(next, bytes, size, tk_err), PH_E_PARSE);
    ck_assert(same_summary(longer, next));
}

/* With velocity constraints a monitor keeps one more number. An earlier version's bytes are without it: it is
 * unknown then, whatever follows. Bytes with it are not those of a system without such constraints. */
TEST(monitors_of_velocity_constraints)
{
    enum { SIZE = 192 + 8 };
    TK_OWN(ph_system) *disk = tk_model("rolling-disk"), *pendulum = tk_model("spherical-pendulum");
    double z[11], v[11];
    TK_OWN(ph_diagnostics) *d = NULL, *other = NULL;
    TK_OWN(ph_monitor) *m = NULL, *next = NULL, *plain = NULL;
    ph_summary before, after;
    ph_measures seen;
    size_t maps;
    tk_preset("rolling-disk", NULL, 0, NULL, z, v);
    TK_START(it, state, disk, "dla", NULL, 0.01, z, v);
    tk_ok(ph_diagnostics_create(disk, &d, NULL));
    tk_ok(ph_diagnostics_create(pendulum, &other, NULL));
    tk_ok(ph_monitor_create(d, 0, 1, &m, NULL));
    tk_ok(ph_monitor_create(d, 0, 2, &next, NULL));
    tk_ok(ph_monitor_create(other, 0, 1, &plain, NULL));
    const size_t size = SIZE + 24 * ph_system_symmetries(disk);
    unsigned char bytes[SIZE + 24 * 4];
    ck_assert_uint_le(size, sizeof bytes);
    ck_assert_uint_eq(ph_monitor_packed_size(m), size);
    state->p[0] += 0.1; /* off the constraint */
    tk_ok(ph_monitor_see(m, state, &seen));
    state->p[0] -= 0.1;
    see(m, state);
    ph_monitor_summary(m, &before);
    ck_assert(before.velocity_constraint_error_max == seen.velocity_constraint_error);
    ck_assert_double_gt(before.velocity_constraint_error_max, 1e-4);
    ph_monitor_pack(m, bytes);
    ck_assert_mem_eq(bytes, "phmonit3", 8);
    tk_ok(ph_monitor_unpack_summary(bytes, size, &after, &maps, tk_err));
    ck_assert(!memcmp(&before, &after, sizeof before) && maps == ph_system_symmetries(disk));
    tk_ok(ph_monitor_unpack(next, bytes, size, tk_err));
    see(next, state);
    ph_monitor_summary(next, &after);
    ck_assert(after.velocity_constraint_error_max == before.velocity_constraint_error_max);
    tk_returns(ph_monitor_unpack(next, bytes, size - 8, tk_err), PH_E_SIZE);
    bytes[8] = (unsigned char)ph_system_symmetries(pendulum); /* and the size that follows from it */
    tk_returns(ph_monitor_unpack(plain, bytes, SIZE + 24 * ph_system_symmetries(pendulum), tk_err),
               PH_E_SIZE);
    bytes[8] = (unsigned char)maps;
    memcpy(bytes, "phmonit2", 8);
    tk_returns(ph_monitor_unpack(next, bytes, size, tk_err), PH_E_SIZE);
    tk_ok(ph_monitor_unpack(next, bytes, size - 8, tk_err));
    see(next, state);
    ph_monitor_pack(next, bytes);
    tk_ok(ph_monitor_unpack(m, bytes, size, tk_err));
    ph_monitor_summary(m, &after);
    ck_assert_double_nan(after.velocity_constraint_error_max);
    ck_assert(after.energy_error_max == before.energy_error_max && after.outputs == 3);
}

/* Where earlier errors are unknown, so are the tenths of a changed plan that contain them, whatever outputs
 * follow; the largest error of the run is known, and so are the later tenths. */
TEST_EACH(errors_that_are_lost, 2)
{
    enum { SEEN = 25, LATER = 75 };
    hk_case c;
    hk_user user = {0};
    TK_OWN(ph_monitor) *whole = NULL, *part = NULL;
    ph_summary all, rest, before;
    unsigned char bytes[192 + 24];
    double times[SEEN], first = 0, largest = 0;
    ph_measures m;
    hk_case_at(0, &c);
    TK_OWN(ph_system) *system = hk_system(&user, _i ? HK_DAMPED : HK_PLAIN);
    TK_BEGIN(it, state, hk_create, &c, system, h);
    TK_MAKE(ph_diagnostics, d, ph_diagnostics_create(system, &d, NULL));
    const double t0 = state->t;
    tk_ok(ph_monitor_create(d, t0, t0 + SEEN * 5 * h, &part, NULL));
    tk_ok(ph_monitor_create(d, t0, t0 + (SEEN + LATER) * 5 * h, &whole, NULL));
    for (int i = 0; i < SEEN; i++) {
        see(whole, state);
        tk_ok(ph_monitor_see(part, state, &m));
        first = i ? first : m.energy;
        largest = fmax(largest, fabs(m.energy - first));
        times[i] = state->t;
        tk_ok(ph_integrator_step(it, state, 5));
    }
    ph_monitor_replan(part, t0 + (SEEN + LATER) * 5 * h);
    for (int i = 1; i < SEEN; i++)
        ph_monitor_recall(part, times[i], NAN);
    ph_monitor_summary(part, &before);
    ph_monitor_pack(part, bytes);
    tk_ok(ph_monitor_unpack(part, bytes, sizeof bytes, NULL));
    for (int i = 0; i < LATER; i++) {
        see(whole, state);
        tk_ok(ph_monitor_see(part, state, &m));
        largest = fmax(largest, fabs(m.energy - first));
        tk_ok(ph_integrator_step(it, state, 5));
    }
    ph_monitor_summary(whole, &all);
    ph_monitor_summary(part, &rest);
    ck_assert(before.energy_error_max > 0 && rest.energy_error_max == largest / rest.energy_scale);
    ck_assert(rest.energy_error_max == all.energy_error_max);
    ck_assert(rest.energy_error_final == all.energy_error_final);
    for (size_t i = 0; i < 10; i++) { /* 2.5 of them were seen */
        if (i < 3)
            ck_assert(isnan(rest.energy_error_tenths[i]) && !isnan(all.energy_error_tenths[i]));
        else
            ck_assert(rest.energy_error_tenths[i] == all.energy_error_tenths[i]);
    }
    ck_assert(isnan(rest.energy_error_max_first_tenth));
}

int main(void)
{
    return tk_run("pack");
}
