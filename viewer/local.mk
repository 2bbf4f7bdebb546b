# SPDX-License-Identifier: BSD-3-Clause
# The viewer, a page of one file. viewer.html is bundled from src/ and from the packages of package-lock.json, and is
# part of the sources, so that nobody needs Node to build the program: `make viewer` bundles it again, which each change below src/ needs.
viewer_sources = \
	viewer/build.mjs \
	viewer/film.mjs \
	viewer/package.json \
	viewer/package-lock.json

EXTRA_DIST += $(viewer_sources) viewer/src viewer/test

if IO
dist_pkgdata_DATA = viewer/viewer.html
# As bytes in the program: read by the assembler, or where that cannot be, which takes longer, as an array.
polhode_SOURCES += viewer/page.h
nodist_polhode_SOURCES = viewer/page.c
CLEANFILES += viewer/page.c
viewer/page.c: viewer/viewer.html
	$(AM_V_GEN)$(MKDIR_P) viewer; page='$(srcdir)/viewer/viewer.html'; test -f "$$page" || page=viewer/viewer.html; \
	{ echo '#include "viewer/page.h"'; \
	  if test '$(INCBIN)' = yes; then \
	      echo '__asm__(".section .rodata\n.globl viewer_page\n.type viewer_page, %object\n"'; \
	      echo '        "viewer_page:\n.incbin \"'"$$page"'\"\n.previous\n");'; \
	  else \
	      echo 'const unsigned char viewer_page[] = {'; \
	      od -An -v -tu1 "$$page" | sed 's/[0-9][0-9]*/&,/g'; \
	      echo '};'; \
	  fi; \
	  echo "const size_t viewer_page_size = `wc -c < "$$page"`;"; } > $@-t && mv $@-t $@
endif

viewer:
	cd '$(srcdir)/viewer' && npm ci --no-audit --no-fund --ignore-scripts && node build.mjs
.PHONY: viewer
