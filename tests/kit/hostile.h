/* SPDX-License-Identifier: BSD-3-Clause */
/* Hostile users: two links, a system on (S^2)^2, whose callbacks go wrong on demand at their n-th call, and the list of
 * cases that the contract is tried on: every method of the catalogue with every word of each of its choice
 * options. */
#ifndef POLHODE_TESTS_HOSTILE_H
#define POLHODE_TESTS_HOSTILE_H

#include "testkit.h"

enum { HK_SPHERES = 2, HK_NZ = 3 * HK_SPHERES };

typedef enum hk_callback {
    HK_POTENTIAL,
    HK_GRADIENT,
    HK_FORCE,
    HK_FORCE_DV,
    HK_GENERATOR,
    HK_INERTIA, /* by pairs or in full, whichever there is */
    HK_INERTIA_DZ,
    HK_LAGRANGIAN,
    HK_LAGRANGIAN_COMPLEX,
    HK_LAGRANGIAN_GRADIENT,
    HK_LAGRANGIAN_HESSIAN,
    HK_CALLBACKS
} hk_callback;
typedef enum hk_how { HK_FAIL, HK_NAN, HK_INF, HK_HOWS } hk_how;

/* The user data of the callbacks. If all zeros, no callback fails. */
typedef struct hk_user {
    hk_callback which; /* the callback that goes wrong, ... */
    hk_how how;        /* ... in what way, ... */
    ph_status status;  /* ... for HK_FAIL with what status, ... */
    int64_t at;        /* ... and at which of its calls from now; 0: never */
    bool always;       /* also at all later calls */
    int64_t calls;     /* calls of that callback from now */
    int freed;         /* calls of user_free */
} hk_user;

typedef enum hk_flavour {
    HK_PLAIN,       /* conservative, U not linear in q */
    HK_FREE,        /* U = 0: no potential, no gradient */
    HK_PUSHED,      /* with a force of t and q only */
    HK_DAMPED,      /* with a force of the velocity and its derivative */
    HK_DIFFERENCED, /* the same force, derivative by differences */
    HK_FLAVOURS,
    /* other kinds of Lagrangian, with the force of the velocity */
    HK_VARYING = HK_FLAVOURS, /* inertia by pairs that depends on the configuration */
    HK_VARYING_AMBIENT,       /* the same in full */
    HK_GENERAL,               /* L that is not quadratic in the velocity, with all its derivatives, ... */
    HK_GRADED,                /* ... its gradient, ... */
    HK_COMPLEX,               /* ... for complex arguments, ... */
    HK_VALUED,                /* ... alone */
    HK_EVERY
} hk_flavour;

const char *hk_flavour_name(hk_flavour flavour);
bool hk_has(hk_flavour flavour, hk_callback which);

void hk_define(ph_system_definition *d, hk_user *user, hk_flavour flavour); /* all but the space */
ph_system *hk_system(hk_user *user, hk_flavour flavour);
ph_space *hk_space(void);

/* The at-th call from now of the callback goes wrong; hk_behave: none does. */
void hk_arm(hk_user *user, hk_callback which, hk_how how, ph_status status, int64_t at, bool always);
void hk_behave(hk_user *user);
bool hk_went_wrong(const hk_user *user);

/* A start off every symmetry, moving at about `speed` [1/s]. */
void hk_start(double speed, double *z, double *zdot);

/* The cases. */
typedef struct hk_case {
    const ph_method *method;
    ph_setting settings[5]; /* (n): choice options, and loose tolerances of an adaptive method */
    size_t n;
    char words[4][32]; /* memory behind settings */
    char label[120];   /* "rk4 form=q-omega" */
} hk_case;

size_t hk_cases(void);     /* of the methods that take the hostile systems: they come first */
size_t hk_all_cases(void); /* of all methods */
/* How often n steps from the state call the gradient; the state is unchanged. */
int64_t hk_calls(ph_integrator *it, const ph_state *state, hk_user *user, int64_t n);
void hk_case_at(size_t i, hk_case *c);
/* Pairs of a case and one of the HK_FLAVOURS that have an inertia, and the i-th of them: all; in the short
 * form each third, so that every case has one or two of the five, in turn. */
int hk_pairs(void);
hk_flavour hk_pair_at(int i, hk_case *c);
/* The flavour; a method that refuses forces of the velocity has one of time alone instead. */
hk_flavour hk_flavour_for(const hk_case *c, hk_flavour flavour);
void hk_create(const hk_case *c, const ph_system *system, double h, ph_integrator **it, ph_state **state);

/* The same bits in t, k, z, p and carry? */
bool hk_same(const ph_state *a, const ph_state *b);
ph_state *hk_clone(const ph_integrator *it, const ph_state *state);

#endif
