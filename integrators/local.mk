# SPDX-License-Identifier: BSD-3-Clause
# The methods: parts of libpolhode.
libpolhode_internal_la_SOURCES += \
	integrators/catalogue.def \
	integrators/galerkin/curve.c \
	integrators/galerkin/curve.h \
	integrators/galerkin/derivatives.c \
	integrators/galerkin/galerkin.c \
	integrators/galerkin/galerkin.h \
	integrators/galerkin/gauss.c \
	integrators/galerkin/solve.c \
	integrators/galerkin/turns.h \
	integrators/moser-veselov/axes.c \
	integrators/moser-veselov/branch.c \
	integrators/moser-veselov/moser-veselov.c \
	integrators/moser-veselov/moser-veselov.h \
	integrators/moser-veselov/rigid.h \
	integrators/moser-veselov/series.c \
	integrators/multistep/coefficients.c \
	integrators/multistep/few-step.h \
	integrators/multistep/few.c \
	integrators/multistep/multistep.c \
	integrators/multistep/multistep.h \
	integrators/multistep/start.c \
	integrators/multistep/tangent.c \
	integrators/multistep/tensions.c \
	integrators/multistep/window.c \
	integrators/multistep/window.h \
	integrators/runge-kutta/cf4.c \
	integrators/runge-kutta/rk4-projected.c \
	integrators/runge-kutta/rk4.c \
	integrators/runge-kutta/rkmk4.c \
	integrators/shared/carry.c \
	integrators/shared/carry.h \
	integrators/shared/compositions.c \
	integrators/shared/compositions.h \
	integrators/shared/discrete-exponential.c \
	integrators/shared/discrete-families.h \
	integrators/shared/discrete-lagrangian.c \
	integrators/shared/discrete-lagrangian.h \
	integrators/shared/discrete-normalised.c \
	integrators/shared/few.h \
	integrators/shared/increments.c \
	integrators/shared/increments.h \
	integrators/shared/lanes.h \
	integrators/shared/methods.h \
	integrators/shared/tensions.c \
	integrators/shared/tensions.h \
	integrators/shared/twofold.h \
	integrators/variational/articulated-solve.c \
	integrators/variational/articulated.c \
	integrators/variational/articulated.h \
	integrators/variational/bodies.c \
	integrators/variational/chain-elimination.h \
	integrators/variational/chain.c \
	integrators/variational/chain.h \
	integrators/variational/composition.c \
	integrators/variational/few-steps.h \
	integrators/variational/few.c \
	integrators/variational/general.c \
	integrators/variational/groups.c \
	integrators/variational/groups.h \
	integrators/variational/links.h \
	integrators/variational/multipliers.c \
	integrators/variational/product.c \
	integrators/variational/spheres.c \
	integrators/variational/stages.h \
	integrators/variational/tree.c \
	integrators/variational/tree.h \
	integrators/variational/variational.c \
	integrators/variational/variational.h
if SUNDIALS
libpolhode_internal_la_SOURCES += \
	integrators/sundials/arkode.c \
	integrators/sundials/cvode.c \
	integrators/sundials/sundials.c \
	integrators/sundials/sundials.h
endif
