# SPDX-License-Identifier: BSD-3-Clause
# The comparisons behind `polhode bench`: a library, so that tests can have it.
noinst_LTLIBRARIES += libpolhode_bench.la
libpolhode_bench_la_SOURCES = \
	bench/advice/advice.c \
	bench/advice/advice.h \
	bench/advice/parts.h \
	bench/advice/search.c \
	bench/archiving/archiving.c \
	bench/archiving/archiving.h \
	bench/archiving/files.c \
	bench/common/contender.c \
	bench/common/contender.h \
	bench/common/contenders.def \
	bench/common/curve.c \
	bench/common/curve.h \
	bench/common/describe.c \
	bench/common/family.c \
	bench/common/family.h \
	bench/common/ladder.c \
	bench/common/ladder.h \
	bench/common/meter.c \
	bench/common/meter.h \
	bench/common/problem.h \
	bench/common/problems.c \
	bench/common/problems.def \
	bench/common/series.c \
	bench/common/series.h \
	bench/common/surroundings.h \
	bench/common/timing.c \
	bench/common/timing.h \
	bench/common/trial.c \
	bench/common/trial.h \
	bench/compare/caption.c \
	bench/compare/comparison.c \
	bench/compare/comparison.h \
	bench/compare/csv.c \
	bench/compare/figures.c \
	bench/compare/figures.h \
	bench/compare/html.c \
	bench/compare/json.c \
	bench/compare/page-tables.c \
	bench/compare/page-tables.h \
	bench/compare/report.h \
	bench/compare/table.c \
	bench/compare/words.c \
	bench/peers/files.c \
	bench/peers/page.c \
	bench/peers/peers.c \
	bench/peers/peers.h \
	bench/peers/report.h \
	bench/peers/words.c \
	bench/report/builder.c \
	bench/report/builder.h \
	bench/report/file.c \
	bench/report/file.h \
	bench/report/gnuplot.c \
	bench/report/gnuplot.h \
	bench/report/graph.c \
	bench/report/graph.h \
	bench/report/key.c \
	bench/report/key.h \
	bench/report/markup.c \
	bench/report/markup.h \
	bench/report/page.c \
	bench/report/page.h \
	bench/report/style.h \
	bench/report/utf8.c \
	bench/report/utf8.h \
	bench/roundoff/files.c \
	bench/roundoff/member.c \
	bench/roundoff/page.c \
	bench/roundoff/problems.c \
	bench/roundoff/read.c \
	bench/roundoff/report.h \
	bench/roundoff/roundoff.c \
	bench/roundoff/roundoff.def \
	bench/roundoff/roundoff.h \
	bench/roundoff/words.c \
	bench/scaling/files.c \
	bench/scaling/page.c \
	bench/scaling/report.h \
	bench/scaling/scaling.c \
	bench/scaling/scaling.h \
	bench/scaling/words.c
libpolhode_bench_la_CPPFLAGS = $(AM_CPPFLAGS)
libpolhode_bench_la_CFLAGS = $(AM_CFLAGS) $(JSON_CFLAGS)
libpolhode_bench_la_LIBADD = $(JSON_LIBS)
