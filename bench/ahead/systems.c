/* SPDX-License-Identifier: BSD-3-Clause */
/* The systems on which it is asked who is ahead (ahead.h), with their end states. They move so far that errors grow by less than a
 * hundred, and that codes of general use need some hundred evaluations for the coarsest accuracy. Digits belong to the states in double
 * precision at which contenders begin. Where momenta of many bodies determine the velocities of a light one, as at the end of a chain,
 * double precision of a state is worth no more than about 1e-14 of that velocity. */
#include "ahead.h"
#include "digits.h"

#define QUADRUPLE                                                                                            \
    "Gauss collocation of order 16 in quadruple precision, two step sizes that agree to 20 digits"
#define EXTRAPOLATED                                                                                         \
    "extrapolation of order 36 with 72 digits, two step sizes that agree to 41 digits; rounded to double"
#define SERIES "Taylor series of order 36 in quadruple precision, 20 digits and more"
#define CHAIN(n, time_of, step_of, digits_of)                                                                \
    {                                                                                                        \
        .name = "chain-" #n,                                                                                 \
        .words = "a straight chain of " #n " links of 0.1 m that begins to fall and to turn",                \
        .scenario =                                                                                          \
            "model: chain-pendulum\nparameters: {masses: 0.1, lengths: 0.1, gravity: 9.81, links: " #n "}",  \
        .links = n, .time = time_of, .first_step = step_of, .digits = digits_of, .truth = QUADRUPLE          \
    }
#define BINARY(order, digits_of)                                                                             \
    {                                                                                                        \
        .name = "binary-" #order,                                                                            \
        .words = "the binary asteroid Didymos, potential of order " #order ", a day",                        \
        .scenario = "model: binary\nparameters: {order: " #order "}\ninitial: {preset: didymos}",            \
        .time = 86400, .first_step = 20000, .absolute = 1e-4, .digits = digits_of, .truth = EXTRAPOLATED     \
    }

/* clang-format off */
const ahead_case ahead_cases[AHEAD_SYSTEMS] = {
    {.name = "double-pendulum", .words = "double spherical pendulum, links of 9.81 m, swinging widely",
     .problem = "double-spherical-pendulum", .first_step = 1.5, .truth = SERIES},
    CHAIN(5, 2, 0.08, chain_5),
    CHAIN(20, 1, 0.12, chain_20),
    CHAIN(100, 0.5, 0.08, chain_100),
    {.name = "heavy-top", .words = "a heavy top, slow: it falls over",
     .scenario = "model: heavy-top\ninitial: {preset: slow}", .time = 10, .first_step = 0.5, .digits = heavy_top,
     .truth = QUADRUPLE},
    {.name = "free-body", .words = "a free rigid body, moments 0.6, 0.8, 1.0", .problem = "free-rigid-body", .first_step = 2,
     .truth = SERIES},
    {.name = "rigid-chain", .words = "ten rigid bodies on ball joints, let go from a curve",
     .scenario = "model: rigid-chain\nparameters: {bodies: 10}\ninitial: {preset: curved}", .time = 0.5, .first_step = 0.1,
     .digits = rigid_chain, .truth = QUADRUPLE},
    BINARY(2, binary_2),
    BINARY(4, binary_4),
    {.name = "spins", .words = "Heisenberg's ring of 16 spins, random directions",
     .scenario = "model: spin-chain\ninitial: {preset: random}", .time = 10, .first_step = 2, .digits = spins,
     .truth = QUADRUPLE},
};
/* clang-format on */
