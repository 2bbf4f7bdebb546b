# SPDX-License-Identifier: BSD-3-Clause
# Figures of the program and of its comparisons, in the library of the latter (bench/local.mk).
libpolhode_bench_la_SOURCES += \
	figures/axes.c \
	figures/axes.h \
	figures/data.c \
	figures/data.h \
	figures/draw.c \
	figures/draw.h \
	figures/embed.c \
	figures/embed.h \
	figures/gnuplot.c \
	figures/gnuplot.h \
	figures/guide.c \
	figures/guide.h \
	figures/labels.c \
	figures/labels.h \
	figures/panel.c \
	figures/picture.c \
	figures/picture.h \
	figures/polhode.c \
	figures/polhode.h \
	figures/script.c \
	figures/svg.c \
	figures/svg.h \
	figures/text.c \
	figures/thin.c \
	figures/thin.h \
	figures/utf8.c \
	figures/utf8.h
