# SPDX-License-Identifier: BSD-3-Clause
# Examples: installed as documents, and tried.
examplesdir = $(docdir)/examples
dist_examples_DATA = \
	examples/beads.c \
	examples/branching-pendulum.yaml \
	examples/cantilever.yaml \
	examples/cart-chain.yaml \
	examples/chain.yaml \
	examples/conical-pendulum.yaml \
	examples/double-spherical-pendulum.yaml \
	examples/driven-chain.yaml \
	examples/elastic-chain.yaml \
	examples/ellipsoid.c \
	examples/embed.c \
	examples/free-rigid-body.yaml \
	examples/hanging-cable.yaml \
	examples/heavy-top.yaml \
	examples/lagrangian.c \
	examples/poincare-section.yaml \
	examples/quadrotor-cable.yaml \
	examples/read_archive.py \
	examples/scenario.c

# Examples are built as a user would build them: against the installed headers and the library itself.
check_PROGRAMS += examples/beads examples/ellipsoid examples/embed examples/lagrangian
examples_beads_CPPFLAGS = -I$(top_srcdir)/include
examples_beads_LDADD = libpolhode.la
examples_ellipsoid_CPPFLAGS = -I$(top_srcdir)/include
examples_ellipsoid_LDADD = libpolhode.la
examples_embed_CPPFLAGS = -I$(top_srcdir)/include
examples_embed_LDADD = libpolhode.la
examples_lagrangian_CPPFLAGS = -I$(top_srcdir)/include
examples_lagrangian_LDADD = libpolhode.la
if IO
# no test by itself: tests/program/examples.sh gives it scenarios
EXTRA_PROGRAMS = examples/scenario
CLEANFILES = examples/scenario$(EXEEXT)
tests/program/examples.log: examples/scenario$(EXEEXT)
examples_scenario_CPPFLAGS = -I$(top_srcdir)/include
examples_scenario_LDADD = libpolhode-io.la libpolhode.la
endif
