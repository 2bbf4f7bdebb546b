# SPDX-License-Identifier: BSD-3-Clause
# ---- Manual pages: the program's from its own help, the library's by hand. A dist has them all; where neither
# help2man nor made pages are, configure says so and the program's are left out.
dist_man_MANS = doc/man/polhode.3
command_pages = \
	doc/man/polhode.1 \
	doc/man/polhode-bench.1 \
	doc/man/polhode-bench-ahead.1 \
	doc/man/polhode-bench-archive.1 \
	doc/man/polhode-bench-binary.1 \
	doc/man/polhode-bench-ensembles.1 \
	doc/man/polhode-bench-formulas.1 \
	doc/man/polhode-bench-nonholonomic.1 \
	doc/man/polhode-bench-peers.1 \
	doc/man/polhode-bench-roundoff.1 \
	doc/man/polhode-bench-scaling.1 \
	doc/man/polhode-bench-spins.1 \
	doc/man/polhode-bench-vortices.1 \
	doc/man/polhode-check.1 \
	doc/man/polhode-equilibria.1 \
	doc/man/polhode-export.1 \
	doc/man/polhode-gubas.1 \
	doc/man/polhode-info.1 \
	doc/man/polhode-keys.1 \
	doc/man/polhode-merge.1 \
	doc/man/polhode-repair.1 \
	doc/man/polhode-methods.1 \
	doc/man/polhode-models.1 \
	doc/man/polhode-plot.1 \
	doc/man/polhode-report.1 \
	doc/man/polhode-resume.1 \
	doc/man/polhode-new.1 \
	doc/man/polhode-run.1 \
	doc/man/polhode-sweep.1 \
	doc/man/polhode-tail.1 \
	doc/man/polhode-view.1
page_sources = \
	doc/man/page.awk \
	doc/man/page.sh \
	doc/man/polhode-bench.h2m \
	doc/man/polhode-check.h2m \
	doc/man/polhode-resume.h2m \
	doc/man/polhode-export.h2m \
	doc/man/polhode-info.h2m \
	doc/man/polhode-run.h2m \
	doc/man/polhode-sweep.h2m \
	doc/man/polhode-tail.h2m \
	doc/man/polhode.h2m
man_MANS =
if COMMAND_PAGES
man_MANS += $(command_pages)
if MPI
man_MANS += doc/man/polhode-mpi.1
endif
endif
# Made anew when the sources of the help have changed, not whenever there is a new program: that one is only run.
$(command_pages): $(page_sources) $(polhode_SOURCES) include/polhode/version.h | $(bin_PROGRAMS)
	$(AM_V_GEN)$(MKDIR_P) doc/man; page=`basename $@ .1`; \
	if test '$(HELP2MAN)' != no && test -n '$(bin_PROGRAMS)'; then \
	  HELP2MAN='$(HELP2MAN)' $(SHELL) '$(top_srcdir)/doc/man/page.sh' $$page ./polhode$(EXEEXT) $(PACKAGE_VERSION) > $@-t; \
	elif test -f '$(srcdir)/'$@; then \
	  echo "no help2man: $@ stays as it was distributed"; cat '$(srcdir)/'$@ > $@-t; \
	else \
	  echo "$@ cannot be made: it takes the program and help2man"; false; \
	fi && mv $@-t $@ || { rm -f $@-t; exit 1; }
doc/man/polhode-mpi.1: $(page_sources) $(polhode_mpi_SOURCES) include/polhode/version.h | $(bin_PROGRAMS)
	$(AM_V_GEN)$(MKDIR_P) doc/man; HELP2MAN='$(HELP2MAN)' $(SHELL) '$(top_srcdir)/doc/man/page.sh' polhode-mpi ./polhode-mpi$(EXEEXT) $(PACKAGE_VERSION) > $@-t && \
	  mv $@-t $@ || { rm -f $@-t; exit 1; }
# made pages of a build directory are results; those of a source directory came with it
clean-local: clean-python
	rm -rf tests/program/installed tests/program/installed.status tests/program/installed.log.txt
	test '$(srcdir)' = . || rm -f $(command_pages) doc/man/polhode-mpi.1
	rm -rf doc/html doc/xml doc/doctrees mutants
MAINTAINERCLEANFILES = $(command_pages)

# ---- The manual as HTML: doc/html/index.html
doc: html
html-local: $(bin_PROGRAMS) doc/api/Doxyfile doc/sphinx/conf.py
	@if test -n '$(MANUAL_LACKS)'; then \
	  echo "The manual takes what is not there:$(MANUAL_LACKS) (names of Debian packages). Install it and run configure again."; \
	  exit 1; \
	fi
	$(AM_V_GEN)DOXYGEN='$(DOXYGEN)' SPHINX='$(SPHINX)' MATHJAX='$(MATHJAX)' \
	  POLHODE='$(if $(bin_PROGRAMS),$(abs_top_builddir)/polhode$(EXEEXT))' $(SHELL) '$(top_srcdir)/doc/sphinx/manual.sh' '$(top_srcdir)/doc' '$(abs_top_builddir)/doc'
	@echo "The manual: doc/html/index.html"
.PHONY: doc

# The tables of the manual that follow from tables of the program, and the pages that follow from the Python package, written into the
# sources again.
if PYTHON_PACKAGE
python_pages = PYTHONPATH=python $(PYTHON) '$(srcdir)/doc/python-reference.py' '$(srcdir)/doc' '$(srcdir)/include/polhode'
else
python_pages = @echo "The pages about the Python package stay as they are: there is none in this build."
endif
tables: $(bin_PROGRAMS) $(python_made)
	python3 '$(srcdir)/doc/tables.py' ./polhode$(EXEEXT) '$(srcdir)/doc'
	$(python_pages)
.PHONY: tables

# The measured tables of doc/evidence, or those of TABLES, with numbers of this machine.
evidence: $(bin_PROGRAMS)
	python3 -B '$(srcdir)/doc/evidence/measure.py' ./polhode$(EXEEXT) $(TABLES)
.PHONY: evidence

# ---- Its sources, which are installed as they are: Markdown that can be read without it
dist_doc_DATA = \
	CHANGELOG.md \
	CITATION.cff \
	LICENSE \
	README.md \
	doc/index.md \
	doc/install.md \
	doc/reliability.md \
	doc/start.md \
	doc/formulas.md \
	doc/start-python.md \
	doc/tutorial.md \
	doc/changes.md
dochowtodir = $(docdir)/howto
dist_dochowto_DATA = \
	doc/howto/index.md \
	doc/howto/choose-a-method-and-step.md \
	doc/howto/own-lagrangian.md \
	doc/howto/own-manifold.md \
	doc/howto/plugin.md \
	doc/howto/forces-and-control.md \
	doc/howto/events-and-sections.md \
	doc/howto/files-of-others.md \
	doc/howto/from-gubas-and-grit.md \
	doc/howto/long-runs-and-resume.md \
	doc/howto/plots.md \
	doc/howto/report.md \
	doc/howto/see-a-run.md \
	doc/howto/julia.md \
	doc/howto/matlab.md \
	doc/howto/results-in-numpy-julia-matlab.md \
	doc/howto/python-examples.md \
	doc/howto/reduction.md \
	doc/howto/spins.md \
	doc/howto/sweeps.md \
	doc/howto/clusters.md \
	doc/howto/relative-equilibria.md \
	doc/howto/binary-asteroids.md \
	doc/howto/velocity-constraints.md \
	doc/howto/embed.md
doctheorydir = $(docdir)/theory
dist_doctheory_DATA = \
	doc/theory/index.md \
	doc/theory/continuous.md \
	doc/theory/discrete.md \
	doc/theory/manifolds.md \
	doc/theory/gravity.md \
	doc/theory/phase-spheres.md \
	doc/theory/nonholonomic.md \
	doc/theory/chaplygin.md \
	doc/theory/reduction.md \
	doc/theory/rounding.md \
	doc/theory/errata.md
docreferencedir = $(docdir)/reference
dist_docreference_DATA = \
	doc/reference/index.md \
	doc/reference/api.md \
	doc/reference/archive.md \
	doc/reference/columns.md \
	doc/reference/export.md \
	doc/reference/formulas.md \
	doc/reference/methods.md \
	doc/reference/models.md \
	doc/reference/program.md \
	doc/reference/python.md \
	doc/reference/python-names.md \
	doc/reference/scenario.md \
	doc/reference/scenes.md \
	doc/reference/versions.md
docevidencedir = $(docdir)/evidence
dist_docevidence_DATA = \
	doc/evidence/index.md \
	doc/evidence/bench.md \
	doc/evidence/accuracy.md \
	doc/evidence/binaries.md \
	doc/evidence/long-time.md \
	doc/evidence/reliability.md \
	doc/evidence/rounding.md \
	doc/evidence/scaling.md \
	doc/evidence/speed.md \
	doc/evidence/spins.md \
	doc/evidence/measure.py \
	doc/evidence/ranks.py \
	doc/evidence/runs.py \
	doc/evidence/accuracy.py \
	doc/evidence/binaries.py \
	doc/evidence/long_time.py \
	doc/evidence/reliability.py \
	doc/evidence/speed.py \
	doc/evidence/spins.py \
	doc/evidence/gravity.c \
	doc/evidence/lagrangian.c \
	doc/evidence/spins.c \
	doc/evidence/measured.json \
	doc/evidence/roundoff.svg
docfiguresdir = $(docdir)/doc/figures
dist_docfigures_DATA = doc/figures/front.py doc/figures/front.svg doc/figures/readme.json doc/figures/viewer.gif
# README.md is above doc/, index.md is in it: each finds the picture where it says
docfrontdir = $(docdir)/figures
dist_docfront_DATA = doc/figures/front.svg doc/figures/python.py \
	doc/figures/python-animation.png \
	doc/figures/python-binary_asteroid.png \
	doc/figures/python-elastic_pendulum.png \
	doc/figures/python-first_run.png \
	doc/figures/python-fit_parameters.png \
	doc/figures/python-poincare_section.png \
	doc/figures/python-quadrotor.png \
	doc/figures/python-rigid_body.png \
	doc/figures/python-skyrmion.png \
	doc/figures/python-work_precision.png
docgallerydir = $(docdir)/gallery
dist_docgallery_DATA = \
	doc/gallery/index.md \
	doc/gallery/make.py \
	doc/gallery/draw.py \
	doc/gallery/views.py \
	doc/gallery/beats.svg \
	doc/gallery/beats.yaml \
	doc/gallery/cable.svg \
	doc/gallery/chaos-map.svg \
	doc/gallery/collapse.svg \
	doc/gallery/double-pendulum.svg \
	doc/gallery/drift-map.svg \
	doc/gallery/flip.svg \
	doc/gallery/flip.yaml \
	doc/gallery/nutation.svg \
	doc/gallery/nutation.yaml \
	doc/gallery/particles.svg \
	doc/gallery/particles.yaml \
	doc/gallery/quadrotor.svg \
	doc/gallery/rattleback.svg \
	doc/gallery/rope.svg \
	doc/gallery/spring.svg \
	doc/gallery/spring.yaml \
	doc/gallery/hoop.svg \
	doc/gallery/hoop.yaml \
	doc/gallery/mirror.svg \
	doc/gallery/mirror.yaml \
	doc/gallery/bodies.svg \
	doc/gallery/bodies.yaml \
	doc/gallery/disk.svg \
	doc/gallery/disk.yaml \
	doc/gallery/spins.svg \
	doc/gallery/spins.yaml \
	doc/gallery/section.svg \
	doc/gallery/section.yaml \
	doc/gallery/top-fate.svg \
	doc/gallery/whip.svg \
	doc/gallery/whip.yaml
docapidir = $(docdir)/reference/api
dist_docapi_DATA = \
	doc/reference/api/basics.md \
	doc/reference/api/reduction.md \
	doc/reference/api/gravity.md \
	doc/reference/api/files.md \
	doc/reference/api/methods.md \
	doc/reference/api/own-methods.md \
	doc/reference/api/runs.md \
	doc/reference/api/formulas.md \
	doc/reference/api/spins.md \
	doc/reference/api/systems.md
EXTRA_DIST = \
	doc/api/header.awk \
	doc/python-reference.py \
	doc/tables.py \
	doc/sphinx/manual.sh \
	doc/sphinx/static/polhode.css
