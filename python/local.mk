# SPDX-License-Identifier: BSD-3-Clause
# The Python package: its files, a module of C that cffi makes from the headers, and _config.py. `make python` makes it in python/ of the
# build directory, where it can be imported: PYTHONPATH=BUILD/python. What is installed is linked again and has its own _config.py.
python_files = \
	python/polhode/__init__.py \
	python/polhode/_analysis.py \
	python/polhode/_callbacks.py \
	python/polhode/_catalogue.py \
	python/polhode/_core.py \
	python/polhode/_derivatives.py \
	python/polhode/_equations.py \
	python/polhode/_equilibria.py \
	python/polhode/_diagnostics.py \
	python/polhode/_events.py \
	python/polhode/_formulas.py \
	python/polhode/_gravity.py \
	python/polhode/_integrator.py \
	python/polhode/_mass.py \
	python/polhode/_plot.py \
	python/polhode/_polhode.pyi \
	python/polhode/_program.py \
	python/polhode/_record.py \
	python/polhode/_reduction.py \
	python/polhode/_rotations.py \
	python/polhode/_run.py \
	python/polhode/_scenario.py \
	python/polhode/_session.py \
	python/polhode/_solve.py \
	python/polhode/_space.py \
	python/polhode/_spins.py \
	python/polhode/_sweep.py \
	python/polhode/_system.py \
	python/polhode/_tables.py \
	python/polhode/_view.py \
	python/polhode/py.typed
python_build = \
	python/declarations.py \
	python/generate.py \
	python/pyproject.toml \
	python/setup.py \
	python/polhode/_config.py.in
EXTRA_DIST += $(python_build) python/probe.py python/_polhode.c

# Where cffi is not, the one that came with the sources serves; members that headers have gained do no harm.
python/_polhode.c: python/declarations.py python/generate.py $(polhodeinclude_HEADERS) $(polhodedomain_HEADERS) $(polhodekit_HEADERS)
	$(AM_V_GEN)$(MKDIR_P) python; \
	if test '$(PYTHON_CFFI)' = yes; then \
	  $(PYTHON) '$(srcdir)/python/generate.py' '$(srcdir)/include' $@; \
	elif test -f '$(srcdir)/'$@; then \
	  echo "no cffi: $@ stays as it was distributed"; cat '$(srcdir)/'$@ > $@-t && mv $@-t $@; \
	else \
	  echo "$@ cannot be made: it takes a Python with cffi (Debian: python3-cffi) when configure is run"; false; \
	fi

if PYTHON_PACKAGE
PACKAGED_FOR = $(PYTHON)
polhodepyexecdir = $(pyexecdir)/polhode
dist_polhodepyexec_DATA = $(python_files)
nodist_polhodepyexec_DATA = python/installed/_config.py

polhodepyexec_LTLIBRARIES = python/_polhode.la
nodist_python__polhode_la_SOURCES = python/_polhode.c
python__polhode_la_CPPFLAGS = -I$(top_srcdir)/include $(PYTHON_CPPFLAGS) -DPy_LIMITED_API=0x03090000
python__polhode_la_CFLAGS = -std=gnu11 $(PH_OPTIMISE_TESTS)
python__polhode_la_LDFLAGS = $(AM_LDFLAGS) -module -avoid-version -shrext .abi3.so -export-symbols-regex '^PyInit_'
python__polhode_la_LIBADD = libpolhode-io.la libpolhode.la
python__polhode_la_LIBTOOLFLAGS = --tag=disable-static

# libtool has given it the path to the libraries of this directory; for what is installed it is linked again.
python/polhode/_polhode.abi3.so: python/_polhode.la
	$(AM_V_GEN)$(MKDIR_P) python/polhode && cp python/.libs/_polhode.abi3.so $@-t && mv $@-t $@
python/polhode/_config.py: python/polhode/_config.py.in Makefile
	$(AM_V_GEN)$(MKDIR_P) python/polhode && \
	$(SED) 's|@PROGRAM@|$(abs_builddir)/polhode$(EXEEXT)|' '$(srcdir)/python/polhode/_config.py.in' > $@-t && mv $@-t $@
python/installed/_config.py: python/polhode/_config.py.in Makefile
	$(AM_V_GEN)$(MKDIR_P) python/installed && \
	$(SED) 's|@PROGRAM@|$(bindir)/polhode$(EXEEXT)|' '$(srcdir)/python/polhode/_config.py.in' > $@-t && mv $@-t $@
# The list may have changed with the Makefile; what the files say is seen through the links.
python/linked.stamp: Makefile
	$(AM_V_GEN)$(MKDIR_P) python/polhode && \
	if test '$(srcdir)' != .; then \
	  find python/polhode -type l -exec rm -f {} + && \
	  for file in $(python_files); do $(LN_S) '$(abs_srcdir)/'$$file $$file || exit 1; done; \
	fi && echo > $@
python_made = python/polhode/_polhode.abi3.so python/polhode/_config.py python/linked.stamp
python: $(python_made)
all-local: $(python_made)

# It is linked again when it is installed, with the libraries that are. (Named outright, automake would leave out its own rule.)
python_installs = install-polhodepyexecLTLIBRARIES
$(python_installs): install-libLTLIBRARIES
install-exec-hook:
	rm -f '$(DESTDIR)$(polhodepyexecdir)/_polhode.la'
# the last line of make install
install-data-hook:
	@test -n '$(DESTDIR)' || $(PYTHON) -c 'import sys; sys.exit("$(pyexecdir)" not in sys.path)' || \
	  echo "For import polhode in Python: export PYTHONPATH='$(pyexecdir)'"
uninstall-hook:
	rm -f '$(DESTDIR)$(polhodepyexecdir)/_polhode.abi3.so'
	rm -rf '$(DESTDIR)$(polhodepyexecdir)/__pycache__'
	rmdir '$(DESTDIR)$(polhodepyexecdir)' 2> /dev/null || :
else
python:
	@echo "There is no Python package in this build: configure says why."; false
endif
.PHONY: python clean-python
clean-python:
	rm -rf python/mypy python/linked.stamp python/installed python/polhode/__pycache__ python/__pycache__
	rm -f python/polhode/_polhode.abi3.so python/polhode/_config.py
	test '$(srcdir)' = . || rm -rf python/polhode python/_polhode.c
MAINTAINERCLEANFILES += python/_polhode.c
