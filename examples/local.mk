# SPDX-License-Identifier: BSD-3-Clause
# Examples: installed as documents, and tried.
examplesdir = $(docdir)/examples
dist_examples_DATA = \
	examples/beads.c \
	examples/binary-asteroid.yaml \
	examples/branching-pendulum.yaml \
	examples/cantilever.yaml \
	examples/cart-chain.yaml \
	examples/chain.yaml \
	examples/chaos-map.yaml \
	examples/collapse.yaml \
	examples/conical-pendulum.yaml \
	examples/double-spherical-pendulum.yaml \
	examples/drift-map.yaml \
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
	examples/quadrotor-feedback.c \
	examples/rattleback.yaml \
	examples/routh.yaml \
	examples/read_archive.py \
	examples/rolling-ball.yaml \
	examples/scenario.c \
	examples/session.c \
	examples/skate.c \
	examples/spin-wave.yaml \
	examples/spins.c \
	examples/top-fate.yaml \
	examples/uncertain-binary.yaml \
	examples/vortices.yaml
examplesgubasdir = $(examplesdir)/gubas
dist_examplesgubas_DATA = \
	examples/gubas/hou_config.cfg \
	examples/gubas/octahedron_faces.csv \
	examples/gubas/octahedron_vertices.csv
examplesgritdir = $(examplesdir)/grit
dist_examplesgrit_DATA = \
	examples/grit/init_system.json \
	examples/grit/target_time.json
examplespythondir = $(examplesdir)/python
dist_examplespython_DATA = \
	examples/python/animation.py \
	examples/python/binary_asteroid.py \
	examples/python/elastic_pendulum.py \
	examples/python/first_run.py \
	examples/python/fit_parameters.py \
	examples/python/journal.mplstyle \
	examples/python/notebooks.py \
	examples/python/poincare_section.py \
	examples/python/quadrotor.ipynb \
	examples/python/quadrotor.py \
	examples/python/rigid_body.py \
	examples/python/skyrmion.ipynb \
	examples/python/skyrmion.py \
	examples/python/work_precision.py
examplescmakedir = $(examplesdir)/cmake
dist_examplescmake_DATA = examples/cmake/CMakeLists.txt

# Examples are built as a user would build them: against the installed headers and the library itself.
check_PROGRAMS += examples/beads examples/ellipsoid examples/embed examples/lagrangian examples/skate examples/spins
examples_beads_CPPFLAGS = -I$(top_srcdir)/include
examples_beads_LDADD = libpolhode.la
examples_ellipsoid_CPPFLAGS = -I$(top_srcdir)/include
examples_ellipsoid_LDADD = libpolhode.la
examples_embed_CPPFLAGS = -I$(top_srcdir)/include
examples_embed_LDADD = libpolhode.la
examples_lagrangian_CPPFLAGS = -I$(top_srcdir)/include
examples_lagrangian_LDADD = libpolhode.la
examples_skate_CPPFLAGS = -I$(top_srcdir)/include
examples_skate_LDADD = libpolhode.la
examples_spins_CPPFLAGS = -I$(top_srcdir)/include
examples_spins_LDADD = libpolhode.la
if IO
# no tests by themselves: tests/program/examples.sh gives them scenarios and directories
archiving_examples = examples/quadrotor-feedback examples/scenario examples/session
EXTRA_PROGRAMS = $(archiving_examples)
CLEANFILES = $(archiving_examples)
tests/program/examples.log: $(archiving_examples)
examples_quadrotor_feedback_CPPFLAGS = -I$(top_srcdir)/include
examples_quadrotor_feedback_LDADD = libpolhode-io.la libpolhode.la
examples_scenario_CPPFLAGS = -I$(top_srcdir)/include
examples_scenario_LDADD = libpolhode-io.la libpolhode.la
examples_session_CPPFLAGS = -I$(top_srcdir)/include
examples_session_LDADD = libpolhode-io.la libpolhode.la
endif
