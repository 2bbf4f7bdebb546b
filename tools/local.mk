# SPDX-License-Identifier: BSD-3-Clause
# The program.
bin_PROGRAMS = polhode
polhode_SOURCES = \
	tools/advise.c \
	tools/bench.c \
	tools/bench.h \
	tools/bodies.c \
	tools/bodies.h \
	tools/check.c \
	tools/judge.c \
	tools/judge.h \
	tools/console.c \
	tools/equilibria-figure.c \
	tools/equilibria-list.c \
	tools/equilibria-search.c \
	tools/equilibria-seeds.c \
	tools/equilibria-steady.c \
	tools/equilibria-words.c \
	tools/equilibria-write.c \
	tools/equilibria.c \
	tools/equilibria.h \
	tools/estimate.c \
	tools/export.c \
	tools/find-archive.c \
	tools/gubas.c \
	tools/info-sweep.c \
	tools/info-words.c \
	tools/info-work.c \
	tools/info.c \
	tools/info.h \
	tools/keys.c \
	tools/look-ahead.c \
	tools/main.c \
	tools/memory.c \
	tools/merge.c \
	tools/repair.c \
	tools/methods.c \
	tools/models.c \
	tools/momentum.h \
	tools/new.c \
	tools/options.c \
	tools/options.h \
	tools/program.h \
	tools/plot/buckets.c \
	tools/plot/buckets.h \
	tools/plot/curve.c \
	tools/plot/curve.h \
	tools/plot/ensemble-cells.c \
	tools/plot/ensemble-cells.h \
	tools/plot/ensemble-figures.c \
	tools/plot/ensemble-figures.h \
	tools/plot/ensemble-split.c \
	tools/plot/ensemble-split.h \
	tools/plot/ensemble.c \
	tools/plot/ensemble.h \
	tools/plot/errors.c \
	tools/plot/figures.c \
	tools/plot/figures.h \
	tools/plot/between.c \
	tools/plot/between.h \
	tools/plot/kept-scene.c \
	tools/plot/kept-scene.h \
	tools/plot/making.c \
	tools/plot/making.h \
	tools/plot/newton.c \
	tools/plot/pairs.c \
	tools/plot/pairs.h \
	tools/plot/phase.c \
	tools/plot/plot.c \
	tools/plot/section.c \
	tools/plot/series.c \
	tools/plot/trajectory.c \
	tools/plot/turning.c \
	tools/plot/turning.h \
	tools/plot/views.c \
	tools/plot/views.h \
	tools/progress.c \
	tools/report/figures.c \
	tools/report/figures.h \
	tools/report/page.c \
	tools/report/page.h \
	tools/report/report.c \
	tools/report/sweep.c \
	tools/report/sweep.h \
	tools/report/verdict.c \
	tools/report/verdict.h \
	tools/result.c \
	tools/resume.c \
	tools/run.c \
	tools/runs/archived-names.c \
	tools/runs/archived.c \
	tools/runs/archived.h \
	tools/runs/sweep.c \
	tools/runs/sweep.h \
	tools/runs/trend.c \
	tools/runs/trend.h \
	tools/session.c \
	tools/session.h \
	tools/settle.c \
	tools/source-csv.c \
	tools/source-events.c \
	tools/source-record.c \
	tools/source.c \
	tools/source.h \
	tools/sweep.c \
	tools/tail.c \
	tools/version.c \
	tools/view-members.c \
	tools/view-members.h \
	tools/view.c
polhode_CPPFLAGS = $(AM_CPPFLAGS)
polhode_CFLAGS = $(AM_CFLAGS) $(JSON_CFLAGS)
polhode_LDADD = libpolhode_bench.la libpolhode-io.la libpolhode.la $(JSON_LIBS)

# Sweeps on many machines: the only program that needs MPI.
polhode_mpi_SOURCES = \
	tools/console.c \
	tools/memory.c \
	tools/mpi/deal.c \
	tools/mpi/deal.h \
	tools/mpi/job.c \
	tools/mpi/job.h \
	tools/mpi/main.c \
	tools/mpi/sweep.c \
	tools/mpi/sweep.h \
	tools/options.c \
	tools/progress.c \
	tools/version.c
polhode_mpi_CPPFLAGS = $(AM_CPPFLAGS) $(MPI_CFLAGS)
polhode_mpi_CFLAGS = $(AM_CFLAGS) $(JSON_CFLAGS)
polhode_mpi_LDADD = libpolhode_bench.la libpolhode-io.la libpolhode.la $(JSON_LIBS) $(MPI_LIBS)
if MPI
bin_PROGRAMS += polhode-mpi
endif
