# SPDX-License-Identifier: BSD-3-Clause
# The script that makes figures of pages interactive, as an array. figures.js is bundled by build.mjs from src/figures.
EXTRA_DIST += viewer/figures.js
viewer/figures.c: viewer/figures.js
	$(AM_V_GEN)$(MKDIR_P) viewer; { \
	echo '/* SPDX-License-Identifier: BSD-3-Clause */'; echo '/* Made from viewer/figures.js. */'; \
	echo '#include "viewer/figures.h"'; echo 'const char viewer_figures[] = {'; \
	od -An -v -to1 '$(srcdir)/viewer/figures.js' | sed "s/ *\\([0-7][0-7]*\\)/'\\\\\\1',/g"; \
	echo '};'; echo 'const size_t viewer_figures_size = sizeof viewer_figures;'; } > $@-t && mv $@-t $@
MOSTLYCLEANFILES = viewer/figures.c
