/* SPDX-License-Identifier: BSD-3-Clause */
/* The methods of the catalogue, each with every word of its choices, and which systems they are to take: by
 * what a system is seen to be, not by what the methods say. */
#ifndef POLHODE_TESTS_VARIANTS_H
#define POLHODE_TESTS_VARIANTS_H

#include <stdbool.h>
#include <stddef.h>

#include "tests/kit/testkit.h"

enum { VARIANTS = 256 };

/* A method and the value of one choice, the others being the default. */
typedef struct variant {
    const ph_method *method;
    ph_setting setting; /* its value is `value` below */
    size_t n_settings;
    char name[80], value[32];
} variant;

/* v (VARIANTS) <- one variant of a method for each word of its choices, or the method itself if it has none.
 * A failed assertion where there are more. */
size_t variant_list(variant *v);

/* What it claims of this system, and the order that it says it has. */
unsigned variant_claims(const variant *v, const ph_system *system, int *order);

/* What systems differ in, as methods see it. */
typedef struct structure {
    bool links;   /* created from links that hang on one another, or from an inverse inertia */
    bool bodies;  /* on SO(3)^n, and the kinetic energy is the sum of those of rigid bodies: by its second
                         derivatives */
    bool free;    /* on products of SO(3) and R^d, and it is the sum of those of rigid bodies and points */
    bool varying; /* these depend on the configuration, or L is any */
    bool on_manifold; /* off the manifold the gradient of the potential is not that of its values */
    bool damped;      /* a force depends on the velocity: by calling it */
    bool constrained; /* has velocity constraints */
    bool gravitating; /* built from a description of bodies under mutual gravity */
    bool spins; /* on spheres as phase space; then `damped` is their own damping, and the others are false */
    bool declared; /* their whole energy is known by parts */
} structure;

structure structure_of(const ph_system *system);

/* Is it a method that steps spheres as phase space, and nothing else? */
bool variant_is_of_spins(const variant *v);

/* Should the method with this choice take a system like that? A method that is not named in variants.c takes
 * all. */
bool variant_should_take(const variant *v, const structure *s);

#endif
