# SPDX-License-Identifier: BSD-3-Clause
# The program.
bin_PROGRAMS = polhode
polhode_SOURCES = \
	tools/arrays.c \
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
	tools/grit-scenario.c \
	tools/gubas-scenario.c \
	tools/gubas-tables.c \
	tools/gubas-text.c \
	tools/gubas-words.c \
	tools/gubas.c \
	tools/gubas.h \
	tools/info-words.c \
	tools/info-work.c \
	tools/info.c \
	tools/info.h \
	tools/keys.c \
	tools/look-ahead.c \
	tools/main.c \
	tools/methods.c \
	tools/models.c \
	tools/momentum.h \
	tools/new.c \
	tools/options.c \
	tools/options.h \
	tools/program.h \
	tools/plot/draw.c \
	tools/plot/draw.h \
	tools/plot/errors.c \
	tools/plot/figures.c \
	tools/plot/figures.h \
	tools/plot/phase.c \
	tools/plot/picture.c \
	tools/plot/picture.h \
	tools/plot/plot.c \
	tools/plot/rows.c \
	tools/plot/rows.h \
	tools/plot/series.c \
	tools/plot/trajectory.c \
	tools/progress.c \
	tools/report/archived.c \
	tools/report/archived.h \
	tools/report/figures.c \
	tools/report/figures.h \
	tools/report/page.c \
	tools/report/page.h \
	tools/report/report.c \
	tools/report/verdict.c \
	tools/report/verdict.h \
	tools/result.c \
	tools/resume.c \
	tools/run.c \
	tools/session.c \
	tools/session.h \
	tools/settle.c \
	tools/source-csv.c \
	tools/source-events.c \
	tools/source-record.c \
	tools/source.c \
	tools/source.h \
	tools/tail.c \
	tools/version.c \
	tools/view.c
polhode_CPPFLAGS = $(AM_CPPFLAGS)
polhode_CFLAGS = $(AM_CFLAGS) $(JSON_CFLAGS)
polhode_LDADD = libpolhode_bench.la libpolhode-io.la libpolhode.la $(JSON_LIBS)
