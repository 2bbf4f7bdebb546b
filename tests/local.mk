# SPDX-License-Identifier: BSD-3-Clause
# Tests. White-box programs link the libraries that hide nothing, and the kit of the tests. A new suite is one name in
# check_PROGRAMS (and, if it has more files than its own and the kit's, its _SOURCES).
AM_TESTS_ENVIRONMENT = \
	top_srcdir='$(abs_top_srcdir)'; top_builddir='$(abs_top_builddir)'; \
	CC='$(CC)'; CXX='$(CXX)'; NM='$(NM)'; DOXYGEN='$(DOXYGEN)'; SPHINX='$(SPHINX)'; MATHJAX='$(MATHJAX)'; MANUAL_LACKS='$(MANUAL_LACKS)'; PKG_CONFIG='$(PKG_CONFIG)'; POLHODE_SANITIZERS='$(SANITIZED)'; \
	POLHODE_PYTHON='$(PACKAGED_FOR)'; export POLHODE_PYTHON; \
	POLHODE_PAGES='$(dist_man_MANS) $(man_MANS)'; CK_DEFAULT_TIMEOUT=600; CK_TIMEOUT_MULTIPLIER=10; \
	: as many tests at once as there are cores leave none to threads of OpenBLAS, which wait in loops; \
	OPENBLAS_NUM_THREADS=1; OMP_NUM_THREADS=1; export OPENBLAS_NUM_THREADS OMP_NUM_THREADS; \
	DEPENDENCY_CFLAGS='$(AMD_CFLAGS) $(LAPACK_CFLAGS)'; DEPENDENCY_LIBS='$(LAPACK_LIBS) $(AMD_LIBS) $(SUNDIALS_LIBS)'; \
	POLHODE_CORE='$(libpolhode_internal_la_SOURCES)'; export DEPENDENCY_CFLAGS DEPENDENCY_LIBS POLHODE_CORE; \
	export top_srcdir top_builddir CC CXX NM DOXYGEN SPHINX MATHJAX MANUAL_LACKS PKG_CONFIG POLHODE_SANITIZERS POLHODE_PAGES CK_DEFAULT_TIMEOUT CK_TIMEOUT_MULTIPLIER;
if SANITIZERS
SANITIZED = yes
endif

check_PROGRAMS =
check_LTLIBRARIES =
if CHECK
check_LTLIBRARIES += libtestkit.la
libtestkit_la_SOURCES = \
	tests/kit/binaries.c \
	tests/kit/binaries.h \
	tests/kit/complexes.h \
	tests/kit/constrained.c \
	tests/kit/constrained.h \
	tests/kit/embeddings.c \
	tests/kit/embeddings.h \
	tests/kit/form.c \
	tests/kit/form.h \
	tests/kit/hostile.c \
	tests/kit/hostile.h \
	tests/kit/known.c \
	tests/kit/known.h \
	tests/kit/lagrangians.c \
	tests/kit/lagrangians.h \
	tests/kit/lagsystem.c \
	tests/kit/lagsystem.h \
	tests/kit/members.c \
	tests/kit/members.h \
	tests/kit/multipliers.c \
	tests/kit/multipliers.h \
	tests/kit/extremes.c \
	tests/kit/extremes.h \
	tests/kit/points.c \
	tests/kit/points.h \
	tests/kit/products.c \
	tests/kit/products.h \
	tests/kit/spaces.c \
	tests/kit/spaces.h \
	tests/kit/spinkit.c \
	tests/kit/spinkit.h \
	tests/kit/testkit.c \
	tests/kit/testkit.h \
	tests/kit/untried.c \
	tests/kit/untried.h
libtestkit_la_CFLAGS = $(AM_CFLAGS) $(CHECK_CFLAGS)
libtestkit_la_LIBADD = libpolhode_internal.la $(CHECK_LIBS) $(LAPACK_LIBS)

check_PROGRAMS += \
	tests/errata/check_embedded_errata \
	tests/errata/check_reduction_errata \
	tests/errata/check_sphere_errata \
	tests/laws/check_algebra \
	tests/laws/check_dense \
	tests/laws/check_elementary \
	tests/laws/check_elimination \
	tests/laws/check_embedding \
	tests/laws/check_embedding_points \
	tests/laws/check_embedding_refused \
	tests/laws/check_group \
	tests/laws/check_rotation \
	tests/laws/check_solver \
	tests/laws/check_space \
	tests/laws/check_space_points \
	tests/methods/check_bits \
	tests/methods/check_carried \
	tests/methods/check_chains \
	tests/methods/check_claims \
	tests/methods/check_compositions \
	tests/methods/check_contract \
	tests/methods/check_directed \
	tests/methods/check_discrete \
	tests/methods/check_dla \
	tests/methods/check_drifts \
	tests/methods/check_embedded_motion \
	tests/methods/check_ensemble \
	tests/methods/check_ensemble_formulas \
	tests/methods/check_forces \
	tests/methods/check_forms \
	tests/methods/check_gauss \
	tests/methods/check_general \
	tests/methods/check_general_embedded \
	tests/methods/check_general_long \
	tests/methods/check_general_parts \
	tests/methods/check_in_time \
	tests/methods/check_kepler_rotor \
	tests/methods/check_long \
	tests/methods/check_moser_veselov \
	tests/methods/check_multistep \
	tests/methods/check_parts \
	tests/methods/check_precision \
	tests/methods/check_product \
	tests/methods/check_reference \
	tests/methods/check_rk8 \
	tests/methods/check_roots \
	tests/methods/check_rotor_splitting \
	tests/methods/check_sparse_step \
	tests/methods/check_spin_claims \
	tests/methods/check_spin_contract \
	tests/methods/check_stepping \
	tests/methods/check_threads \
	tests/methods/check_trees \
	tests/methods/check_user_method \
	tests/methods/check_variational \
	tests/models/check_bloch \
	tests/models/check_body \
	tests/models/check_cables \
	tests/models/check_carts \
	tests/models/check_catalogue \
	tests/models/check_scenes \
	tests/models/check_scene_reading \
	tests/models/check_chain \
	tests/models/check_dipoles \
	tests/models/check_fluid \
	tests/models/check_gravitation \
	tests/models/check_models \
	tests/models/check_n_body \
	tests/models/check_oscillations \
	tests/models/check_particles \
	tests/models/check_refused \
	tests/models/check_rigid \
	tests/models/check_rod_shapes \
	tests/models/check_rods \
	tests/models/check_rolling \
	tests/models/check_spins \
	tests/models/check_texts \
	tests/models/check_trains \
	tests/models/check_vortices \
	tests/gravity/check_attraction \
	tests/gravity/check_central \
	tests/gravity/check_convergence \
	tests/gravity/check_description \
	tests/gravity/check_elements \
	tests/gravity/check_extents \
	tests/gravity/check_ensemble \
	tests/gravity/check_equations \
	tests/gravity/check_given \
	tests/gravity/check_gravitation_runs \
	tests/gravity/check_gravitation_step \
	tests/gravity/check_lanes \
	tests/gravity/check_mass \
	tests/gravity/check_pairs \
	tests/gravity/check_reference_binary \
	tests/gravity/check_tides \
	tests/reduction/check_chaplygin \
	tests/reduction/check_equilibria \
	tests/reduction/check_rotation \
	tests/reduction/check_routh \
	tests/reduction/check_steady \
	tests/run/check_columns \
	tests/run/check_companion_names \
	tests/run/check_companions \
	tests/run/check_dense \
	tests/run/check_encounters \
	tests/run/check_events \
	tests/run/check_events_failing \
	tests/run/check_events_methods \
	tests/run/check_motion \
	tests/run/check_link_forces \
	tests/run/check_pack \
	tests/run/check_run \
	tests/spins/check_midpoint_long \
	tests/spins/check_ensemble_spins \
	tests/spins/check_spherical_midpoint \
	tests/spins/check_spin_answers \
	tests/spins/check_spin_classes \
	tests/spins/check_spin_hessian \
	tests/expression/check_derivatives \
	tests/expression/check_formulas \
	tests/spins/check_spin_parts \
	tests/spins/check_spin_rates \
	tests/spins/check_spin_splitting \
	tests/spins/check_spin_system \
	tests/spins/check_splitting_long \
	tests/system/check_binding \
	tests/system/check_constraints \
	tests/system/check_derivatives \
	tests/system/check_derivatives_lagrangian \
	tests/system/check_derivatives_manifold \
	tests/system/check_kernels \
	tests/system/check_lagrangian \
	tests/system/check_multipliers \
	tests/system/check_nets \
	tests/system/check_nets_large \
	tests/system/check_nets_motion \
	tests/system/check_null \
	tests/system/check_rates \
	tests/system/check_state \
	tests/system/check_system \
	tests/system/check_tensions \
	tests/system/check_text
tests_methods_check_spin_claims_SOURCES = tests/methods/check_spin_claims.c tests/methods/claims.c tests/methods/claims.h \
	tests/methods/variants.c tests/methods/variants.h
tests_methods_check_spin_contract_SOURCES = tests/methods/check_spin_contract.c tests/methods/variants.c \
	tests/methods/variants.h
tests_methods_check_claims_SOURCES = tests/methods/check_claims.c tests/methods/claims.c tests/methods/claims.h \
	tests/methods/truth.c tests/methods/truth.h tests/methods/variants.c tests/methods/variants.h
tests_methods_check_in_time_SOURCES = tests/methods/check_in_time.c tests/methods/variants.c tests/methods/variants.h
tests_methods_check_threads_SOURCES = tests/methods/check_threads.c tests/methods/variants.c tests/methods/variants.h $(nets)
tests_methods_check_dla_SOURCES = tests/methods/check_dla.c tests/methods/truth.c tests/methods/truth.h
embedded = tests/laws/embedded.c tests/laws/embedded.h
tests_gravity_check_pairs_SOURCES = tests/gravity/check_pairs.c tests/gravity/clusters.h
tests_laws_check_embedding_SOURCES = tests/laws/check_embedding.c $(embedded)
tests_laws_check_embedding_points_SOURCES = tests/laws/check_embedding_points.c $(embedded)
tests_laws_check_embedding_refused_SOURCES = tests/laws/check_embedding_refused.c $(embedded)
mistakes = tests/system/mistakes.c tests/system/mistakes.h
tests_system_check_derivatives_SOURCES = tests/system/check_derivatives.c $(mistakes)
tests_system_check_derivatives_lagrangian_SOURCES = tests/system/check_derivatives_lagrangian.c $(mistakes)
tests_system_check_derivatives_manifold_SOURCES = tests/system/check_derivatives_manifold.c $(mistakes)
tests_reduction_check_equilibria_SOURCES = tests/reduction/check_equilibria.c tests/reduction/leaning.h
tests_reduction_check_rotation_SOURCES = tests/reduction/check_rotation.c tests/reduction/leaning.h
notes = tests/run/notes.c tests/run/notes.h
triple = tests/run/triple.c tests/run/triple.h
tests_run_check_link_forces_SOURCES = tests/run/check_link_forces.c tests/run/moving.h
tests_run_check_motion_SOURCES = tests/run/check_motion.c tests/run/moving.h
tests_run_check_companion_names_SOURCES = tests/run/check_companion_names.c $(triple)
tests_run_check_companions_SOURCES = tests/run/check_companions.c $(triple)
tests_run_check_events_SOURCES = tests/run/check_events.c $(notes)
tests_run_check_events_failing_SOURCES = tests/run/check_events_failing.c $(notes)
tests_run_check_events_methods_SOURCES = tests/run/check_events_methods.c $(notes)
nets = tests/system/nets.c tests/system/nets.h
tests_system_check_nets_SOURCES = tests/system/check_nets.c $(nets)
tests_system_check_nets_large_SOURCES = tests/system/check_nets_large.c $(nets)
tests_system_check_nets_motion_SOURCES = tests/system/check_nets_motion.c $(nets)
general = tests/methods/general.c tests/methods/general.h
tests_methods_check_general_SOURCES = tests/methods/check_general.c $(general)
tests_methods_check_general_embedded_SOURCES = tests/methods/check_general_embedded.c $(general)
tests_methods_check_general_long_SOURCES = tests/methods/check_general_long.c $(general)
rods = tests/models/rods.c tests/models/rods.h
tests_models_check_rods_SOURCES = tests/models/check_rods.c $(rods)
tests_models_check_rod_shapes_SOURCES = tests/models/check_rod_shapes.c $(rods)
tests_models_check_cables_SOURCES = tests/models/check_cables.c $(rods)
# built as a user would: with the installed headers, and the library itself
tests_methods_check_user_method_CPPFLAGS = -I$(top_srcdir)/include
tests_methods_check_user_method_CFLAGS = $(AM_CFLAGS) $(CHECK_CFLAGS)
tests_methods_check_user_method_LDADD = libpolhode.la $(CHECK_LIBS)
errata = tests/errata/errata.c tests/errata/errata.h
tests_errata_check_embedded_errata_SOURCES = tests/errata/check_embedded_errata.c $(errata)
tests_errata_check_reduction_errata_SOURCES = tests/errata/check_reduction_errata.c tests/errata/bundles.c \
	tests/errata/bundles.h $(errata)
tests_errata_check_sphere_errata_SOURCES = tests/errata/check_sphere_errata.c $(errata)

if IO
check_LTLIBRARIES += libtestkit_io.la
libtestkit_io_la_SOURCES = \
	tests/kit/disk.c \
	tests/kit/disk.h \
	tests/kit/iokit.c \
	tests/kit/iokit.h \
	tests/kit/recording.c \
	tests/kit/recording.h
libtestkit_io_la_CPPFLAGS = $(AM_CPPFLAGS) $(ARCHIVE_CFLAGS)
libtestkit_io_la_CFLAGS = $(AM_CFLAGS) $(CHECK_CFLAGS)
libtestkit_io_la_LIBADD = libpolhode_io_internal.la libtestkit.la $(ARCHIVE_LIBS)

check_PROGRAMS += \
	tests/archive/check_archive \
	tests/archive/check_dense_session \
	tests/archive/check_faults \
	tests/archive/check_large \
	tests/archive/check_null_io \
	tests/gravity/check_shape \
	tests/import/check_gubas_mistakes \
	tests/import/check_import \
	tests/archive/check_record \
	tests/archive/check_record_columns \
	tests/archive/check_record_damage \
	tests/archive/check_record_flips \
	tests/archive/check_record_events \
	tests/archive/check_record_pieces \
	tests/archive/check_record_resume \
	tests/archive/check_record_state \
	tests/archive/check_record_writers \
	tests/archive/check_rows \
	tests/archive/check_scene_text \
	tests/archive/check_session \
	tests/archive/check_size \
	tests/archive/check_spin_session \
	tests/archive/check_summary \
	tests/archive/check_table \
	tests/bench/check_ahead \
	tests/bench/check_between \
	tests/bench/check_bench \
	tests/bench/check_bench_advice \
	tests/bench/check_bench_front \
	tests/bench/check_bench_kinds \
	tests/bench/check_bench_roundoff \
	tests/bench/check_growth \
	tests/bench/check_promises \
	tests/bench/check_results \
	tests/bench/check_rivals \
	tests/bench/check_sweep \
	tests/bench/check_thin \
	tests/fuzz/check_corpora \
	tests/models/check_articulated \
	tests/program/check_survival \
	tests/scenario/check_bodies \
	tests/scenario/check_exact \
	tests/scenario/check_follows \
	tests/scenario/check_compiled \
	tests/scenario/check_formulas \
	tests/scenario/check_random \
	tests/scenario/check_recognised \
	tests/scenario/check_given \
	tests/scenario/check_kinds \
	tests/scenario/check_members \
	tests/scenario/check_scenario \
	tests/scenario/check_scenario_errors \
	tests/scenario/check_settle \
	tests/scenario/check_spin_scenarios \
	tests/sweep/check_sweep \
	tests/system/check_alloc \
	tests/system/check_alloc_refused \
	tests/system/check_domain_refused
tests_laws_check_elementary_CPPFLAGS = $(AM_CPPFLAGS) $(MPFR_CFLAGS)
tests_laws_check_elementary_LDADD = libtestkit.la $(MPFR_LIBS)
tests_archive_check_archive_LDADD = libtestkit_io.la
tests_archive_check_dense_session_LDADD = libtestkit_io.la
tests_archive_check_faults_CPPFLAGS = $(AM_CPPFLAGS) $(ARCHIVE_CFLAGS)
tests_archive_check_faults_LDADD = libtestkit_io.la $(ARCHIVE_LIBS)
tests_archive_check_large_LDADD = libtestkit_io.la
tests_archive_check_null_io_LDADD = libtestkit_io.la
tests_gravity_check_ensemble_SOURCES = tests/gravity/cases.c tests/gravity/cases.h tests/gravity/check_ensemble.c
tests_gravity_check_gravitation_step_SOURCES = tests/gravity/cases.c tests/gravity/cases.h tests/gravity/check_gravitation_step.c
tests_gravity_check_tides_SOURCES = tests/gravity/cases.c tests/gravity/cases.h \
	tests/gravity/check_tides.c
tests_gravity_check_gravitation_runs_SOURCES = tests/gravity/cases.c tests/gravity/cases.h \
	tests/gravity/check_gravitation_runs.c
tests_gravity_check_shape_LDADD = libtestkit_io.la
tests_import_check_import_LDADD = libtestkit_io.la
tests_archive_check_record_CPPFLAGS = $(AM_CPPFLAGS) $(ARCHIVE_CFLAGS)
tests_archive_check_record_LDADD = libtestkit_io.la $(ARCHIVE_LIBS)
tests_archive_check_record_columns_CPPFLAGS = $(AM_CPPFLAGS) $(ARCHIVE_CFLAGS)
tests_archive_check_record_columns_LDADD = libtestkit_io.la $(ARCHIVE_LIBS)
tests_archive_check_record_damage_CPPFLAGS = $(AM_CPPFLAGS) $(ARCHIVE_CFLAGS)
tests_archive_check_record_damage_LDADD = libtestkit_io.la $(ARCHIVE_LIBS)
tests_archive_check_record_flips_SOURCES = tests/archive/check_record_flips.c tests/archive/damage.c tests/archive/damage.h
tests_archive_check_record_flips_CPPFLAGS = $(AM_CPPFLAGS) $(ARCHIVE_CFLAGS)
tests_archive_check_record_flips_LDADD = libtestkit_io.la $(ARCHIVE_LIBS)
tests_archive_check_record_events_LDADD = libtestkit_io.la
tests_archive_check_record_pieces_CPPFLAGS = $(AM_CPPFLAGS) $(ARCHIVE_CFLAGS)
tests_archive_check_record_pieces_LDADD = libtestkit_io.la $(ARCHIVE_LIBS)
tests_archive_check_record_resume_CPPFLAGS = $(AM_CPPFLAGS) $(ARCHIVE_CFLAGS)
tests_archive_check_record_resume_LDADD = libtestkit_io.la $(ARCHIVE_LIBS)
tests_archive_check_record_state_LDADD = libtestkit_io.la
tests_archive_check_record_writers_LDADD = libtestkit_io.la
tests_archive_check_rows_CPPFLAGS = $(AM_CPPFLAGS) $(ARCHIVE_CFLAGS)
tests_archive_check_rows_LDADD = libtestkit_io.la $(ARCHIVE_LIBS)
tests_archive_check_scene_text_CPPFLAGS = $(AM_CPPFLAGS) $(ARCHIVE_CFLAGS)
tests_archive_check_scene_text_LDADD = libtestkit_io.la $(ARCHIVE_LIBS)
tests_archive_check_session_LDADD = libtestkit_io.la
tests_archive_check_size_LDADD = libtestkit_io.la
tests_archive_check_spin_session_LDADD = libtestkit_io.la
tests_archive_check_summary_LDADD = libtestkit_io.la
tests_archive_check_table_CPPFLAGS = $(AM_CPPFLAGS) $(HDF5_CFLAGS)
tests_archive_check_table_LDADD = libtestkit_io.la $(HDF5_LIBS)
tests_bench_check_ahead_LDADD = libpolhode_bench.la libtestkit_io.la
tests_bench_check_between_SOURCES = tests/bench/check_between.c tools/plot/between.c tools/plot/between.h
tests_bench_check_between_LDADD = libtestkit_io.la
tests_bench_check_bench_LDADD = libpolhode_bench.la libtestkit_io.la
tests_bench_check_bench_advice_LDADD = libpolhode_bench.la libtestkit_io.la
tests_bench_check_bench_front_LDADD = libpolhode_bench.la libtestkit_io.la
tests_bench_check_bench_kinds_LDADD = libpolhode_bench.la libtestkit_io.la
tests_bench_check_bench_roundoff_LDADD = libpolhode_bench.la libtestkit_io.la
tests_bench_check_growth_LDADD = libpolhode_bench.la libtestkit_io.la
tests_bench_check_promises_LDADD = libpolhode_bench.la libtestkit_io.la
tests_bench_check_results_LDADD = libpolhode_bench.la libtestkit_io.la
tests_bench_check_rivals_LDADD = libpolhode_bench.la libtestkit_io.la
tests_bench_check_sweep_LDADD = libpolhode_bench.la libtestkit_io.la
tests_bench_check_thin_LDADD = libpolhode_bench.la libtestkit_io.la
tests_fuzz_check_corpora_SOURCES = \
	tests/archive/damage.c \
	tests/archive/damage.h \
	tests/fuzz/archive.c \
	tests/fuzz/check_corpora.c \
	tests/fuzz/command.c \
	tests/fuzz/formula.c \
	tests/fuzz/fuzz.c \
	tests/fuzz/fuzz.h \
	tests/fuzz/grit.c \
	tests/fuzz/gubas.c \
	tests/fuzz/scenario.c \
	tests/fuzz/scene.c \
	tests/fuzz/shape.c \
	tests/fuzz/steps.c
# the program's own objects: tests/fuzz/command.c has its main
program_objects = $(filter-out tools/polhode-main.$(OBJEXT),$(polhode_OBJECTS))
tests_fuzz_check_corpora_CPPFLAGS = $(AM_CPPFLAGS) $(JSON_CFLAGS) $(ARCHIVE_CFLAGS)
tests_fuzz_check_corpora_LDADD = $(program_objects) libpolhode_bench.la libtestkit_io.la $(ARCHIVE_LIBS) $(JSON_LIBS)
tests_fuzz_check_corpora_DEPENDENCIES = $(program_objects) libpolhode_bench.la libtestkit_io.la
tests_models_check_articulated_LDADD = libtestkit_io.la
tests_program_check_survival_CPPFLAGS = $(AM_CPPFLAGS) $(ARCHIVE_CFLAGS)
tests_program_check_survival_LDADD = libtestkit_io.la $(ARCHIVE_LIBS)
suite_logs = tests/program/check_survival.log
tests_scenario_check_bodies_LDADD = libtestkit_io.la
tests_scenario_check_exact_LDADD = libtestkit_io.la
tests_scenario_check_follows_LDADD = libtestkit_io.la
tests_scenario_check_given_LDADD = libtestkit_io.la
tests_scenario_check_compiled_LDADD = libtestkit_io.la
tests_scenario_check_formulas_LDADD = libtestkit_io.la
tests_scenario_check_random_LDADD = libtestkit_io.la
tests_scenario_check_recognised_LDADD = libtestkit_io.la
tests_scenario_check_kinds_LDADD = libtestkit_io.la
tests_scenario_check_members_LDADD = libtestkit_io.la
tests_sweep_check_sweep_LDADD = libtestkit_io.la
tests_scenario_check_scenario_LDADD = libtestkit_io.la
tests_scenario_check_scenario_errors_LDADD = libtestkit_io.la
tests_scenario_check_settle_LDADD = libtestkit_io.la
tests_scenario_check_spin_scenarios_LDADD = libtestkit_io.la
# A sanitizer has its own malloc: there the linker redirects our calls, see tests/system/allocations.c.
if SANITIZERS
wrap_define = -DTEST_WRAP
wrap_link = -Wl,--wrap=malloc -Wl,--wrap=calloc -Wl,--wrap=realloc -Wl,--wrap=free -Wl,--wrap=strdup -Wl,--wrap=strndup -Wl,--wrap=realpath
endif
allocations = tests/system/allocations.c tests/system/allocations.h
tests_system_check_alloc_SOURCES = tests/system/check_alloc.c $(allocations)
tests_system_check_alloc_LDADD = libtestkit_io.la
tests_system_check_alloc_CPPFLAGS = $(AM_CPPFLAGS) $(wrap_define)
tests_system_check_alloc_LDFLAGS = $(AM_LDFLAGS) $(wrap_link)
tests_system_check_alloc_refused_SOURCES = tests/system/check_alloc_refused.c $(allocations)
tests_system_check_alloc_refused_LDADD = libtestkit_io.la
tests_system_check_alloc_refused_CPPFLAGS = $(AM_CPPFLAGS) $(wrap_define)
tests_system_check_alloc_refused_LDFLAGS = $(AM_LDFLAGS) $(wrap_link)
tests_system_check_domain_refused_SOURCES = tests/system/check_domain_refused.c $(allocations)
tests_system_check_domain_refused_LDADD = libtestkit_io.la
tests_system_check_domain_refused_CPPFLAGS = $(AM_CPPFLAGS) $(wrap_define)
tests_system_check_domain_refused_LDFLAGS = $(AM_LDFLAGS) $(wrap_link)
endif
endif
LDADD = libtestkit.la
# Tests and examples are compiled for the least time, and linked without libtool, whose script takes longer than the linker. For a
# debugger that shall see into the library: make PH_LDFLAGS_TESTS= tests/FOLDER/check_CONCEPT
tests/%.o tests/%.lo examples/%.o: private PH_OPTIMISE = $(PH_OPTIMISE_TESTS)
tests/%: private LINK = $(SHELL) '$(top_srcdir)/tests/kit/link.sh' '$(LIBTOOL)' \
	$(CCLD) $(AM_CFLAGS) $(CFLAGS) $(AM_LDFLAGS) $(PH_LDFLAGS_TESTS) $(LDFLAGS) -o $@

shell_tests = \
	tests/program/install.sh \
	tests/bench/advise.sh \
	tests/bench/ahead.sh \
	tests/bench/bench.sh \
	tests/bench/demo.sh \
	tests/bench/roundoff.sh \
	tests/bench/spins.sh \
	tests/documents/blocks.sh \
	tests/documents/evidence.sh \
	tests/documents/gallery.sh \
	tests/documents/man.sh \
	tests/documents/python.sh \
	tests/documents/readme.sh \
	tests/documents/tables.sh \
	tests/fuzz/fuzz.sh \
	tests/methods/compositions.sh \
	tests/methods/multistep.sh \
	tests/methods/nystroem.sh \
	tests/methods/runge-kutta.sh \
	tests/methods/splittings.sh \
	tests/methods/switches.sh \
	tests/program/accuracy.sh \
	tests/program/answers.sh \
	tests/program/bodies.sh \
	tests/program/cli.sh \
	tests/program/completion.sh \
	tests/program/encounters.sh \
	tests/program/equilibria.sh \
	tests/program/examples.sh \
	tests/program/export.sh \
	tests/program/gubas.sh \
	tests/program/formulas.sh \
	tests/program/links.sh \
	tests/program/mpi.sh \
	tests/program/members.sh \
	tests/program/new.sh \
	tests/program/plugin.sh \
	tests/program/progress.sh \
	tests/program/reduction.sh \
	tests/program/plot.sh \
	tests/program/plot-rare.sh \
	tests/program/plot-sweeps.sh \
	tests/program/plot-refused.sh \
	tests/program/plot-text.sh \
	tests/program/report.sh \
	tests/program/shapes.sh \
	tests/program/spins.sh \
	tests/program/sweep.sh \
	tests/program/torture.sh \
	tests/program/view.sh \
	tests/program/watch.sh \
	tests/python/declarations.sh \
	tests/python/examples.sh \
	tests/python/fuzz.sh \
	tests/python/import.sh \
	tests/python/suite.sh \
	tests/python/torture.sh \
	tests/python/types.sh \
	tests/viewer/viewer.sh
# what tests/python/suite.sh runs, and fuzz.sh
python_tests = \
	tests/python/fuzz.py \
	tests/python/test_analysis.py \
	tests/python/test_archives.py \
	tests/python/test_callbacks.py \
	tests/python/test_catalogue.py \
	tests/python/test_equations.py \
	tests/python/test_equilibria.py \
	tests/python/test_formulas.py \
	tests/python/test_gravity.py \
	tests/python/test_integrator.py \
	tests/python/test_lifetimes.py \
	tests/python/test_package.py \
	tests/python/test_runs.py \
	tests/python/test_scenario.py \
	tests/python/test_solve.py \
	tests/python/test_spins.py \
	tests/python/test_sweeps.py \
	tests/python/test_systems.py \
	tests/python/test_threads.py \
	tests/python/torture.py
# what reads the sources alone: nothing of it changes under sanitizers
source_tests = \
	tests/documents/doc.sh \
	tests/documents/words.sh \
	tests/source/compilers.sh \
	tests/source/dockerfile.sh \
	tests/source/format.sh \
	tests/source/headers.sh \
	tests/source/layout.sh \
	tests/source/circles.sh \
	tests/source/configured.sh \
	tests/source/symbols.sh
TEST_EXTENSIONS = .sh
LOG_COMPILER = $(SHELL) $(top_srcdir)/tests/kit/timed.sh
SH_LOG_COMPILER = $(LOG_COMPILER) $(SHELL)
# shell tests first: they are among the longest, and wait for others now and then
if SANITIZERS
TESTS = $(shell_tests) $(check_PROGRAMS)
else
TESTS = $(shell_tests) $(source_tests) $(check_PROGRAMS)
endif
# what runs the program; without Check there are no suites
program_logs = \
	tests/bench/advise.log \
	tests/bench/ahead.log \
	tests/bench/bench.log \
	tests/bench/roundoff.log \
	tests/bench/spins.log \
	tests/documents/blocks.log \
	tests/documents/evidence.log \
	tests/documents/gallery.log \
	tests/documents/man.log \
	tests/documents/python.log \
	tests/documents/readme.log \
	tests/documents/tables.log \
	tests/program/accuracy.log \
	tests/program/answers.log \
	tests/program/bodies.log \
	$(suite_logs) \
	tests/program/cli.log \
	tests/program/completion.log \
	tests/program/equilibria.log \
	tests/program/examples.log \
	tests/program/export.log \
	tests/program/links.log \
	tests/program/new.log \
	tests/program/plugin.log \
	tests/program/progress.log \
	tests/program/reduction.log \
	tests/program/shapes.log \
	tests/program/spins.log \
	tests/program/torture.log \
	tests/program/watch.log \
	tests/python/declarations.log \
	tests/python/examples.log \
	tests/python/fuzz.log \
	tests/python/import.log \
	tests/python/suite.log \
	tests/python/torture.log \
	tests/python/types.log \
	tests/viewer/viewer.log
$(program_logs) tests/program/install.log: all-am
# What tests/program/install.sh tries. It is installed before the first test that runs the program: libtool links the libraries
# again in the build tree for it, where nobody may use them then.
installed_copy =
if !SANITIZERS
installed_copy += $(if $(filter tests/program/install.sh,$(TESTS)),tests/program/installed.status)
endif
tests/program/installed.status: all-am
	@$(MKDIR_P) tests/program; rm -rf tests/program/installed; \
	$(MAKE) $(AM_MAKEFLAGS) -s install DESTDIR='$(abs_builddir)/tests/program/installed' > tests/program/installed.log.txt 2>&1; \
	echo $$? > $@
$(shell_tests:.sh=.log) $(source_tests:.sh=.log) tests/program/check_survival.log: | $(installed_copy)
EXTRA_DIST += \
	$(shell_tests) \
	$(python_tests) \
	$(source_tests) \
	tests/bench/bench_archive.py \
	tests/documents/julia.py \
	tests/documents/python.py \
	tests/bench/bench_files.py \
	tests/program/grow.py \
	tests/program/plot-sweeps.py \
	tests/program/plot.py \
	tests/program/report.py \
	tests/program/report-tables.py \
	tests/program/torture.py \
	tests/methods/compositions.py \
	tests/methods/multistep.py \
	tests/methods/nystroem.py \
	tests/methods/runge-kutta.py \
	tests/methods/splittings.py \
	tests/program/installcheck.sh \
	tests/analyzers/answered.txt \
	tests/analyzers/model.h \
	tests/analyzers/planted.c \
	tests/baseline/compare.py \
	tests/baseline/bits.txt \
	tests/baseline/files.txt \
	tests/baseline/instructions.txt \
	tests/baseline/motions.c \
	tests/baseline/mutants.txt \
	tests/baseline/symbols.txt \
	tests/budgets.txt \
	tests/kit/counted.sh \
	tests/kit/kit.sh \
	tests/kit/link.sh \
	tests/kit/timed.sh \
	tests/kit/torture.c \
	tests/kit/valgrind.sh \
	tests/kit/locales.sh \
	tests/kit/unseal.py \
	tests/kit/plots.sh \
	tests/kit/python.sh \
	tests/kit/untried.sh \
	tests/fuzz/corpus.py \
	tests/fuzz/corpus/archive \
	tests/fuzz/corpus/command \
	tests/fuzz/corpus/formula \
	tests/fuzz/corpus/grit \
	tests/fuzz/corpus/gubas \
	tests/fuzz/corpus/scenario \
	tests/fuzz/corpus/scene \
	tests/fuzz/corpus/shape \
	tests/fuzz/corpus/steps \
	tests/fuzz/words/command \
	tests/fuzz/words/formula \
	tests/fuzz/words/scenario \
	tests/coverage/floors.txt \
	tests/mutation/mutate.py \
	tests/mutation/mutations.txt \
	tests/source/floors.txt \
	.clang-format \
	.dockerignore \
	Dockerfile \
	.editorconfig \
	CONTRIBUTING.md \
	SECURITY.md \
	completion/_polhode \
	completion/polhode.bash \
	$(command_pages) \
	$(page_sources) \
	bench/data/roundoff.json \
	doc/architecture.md \
	doc/decisions.md \
	doc/glossary.md \
	scripts/check-abi \
	scripts/check-analyzers \
	scripts/check-bits \
	scripts/check-builds \
	scripts/check-coverage \
	scripts/check-fresh \
	scripts/demo \
	scripts/forms \
	scripts/setup.sh \
	scripts/test

# What has been installed, as its users see it.
installcheck-local:
	@$(AM_TESTS_ENVIRONMENT) bindir='$(DESTDIR)$(bindir)' libdir='$(DESTDIR)$(libdir)' \
	  includedir='$(DESTDIR)$(includedir)' pkgconfigdir='$(DESTDIR)$(pkgconfigdir)' \
	  mandir='$(DESTDIR)$(mandir)' completiondirs='$(COMPLETION_DIRS)' pyexecdir='$(DESTDIR)$(pyexecdir)' \
	  $(SHELL) '$(top_srcdir)/tests/program/installcheck.sh'

# Larger samples and 1.5e8 steps: some minutes; an hour of random calls of the Python package, and one of each target of tests/fuzz;
# what was the same before; analyzers, and what the tests execute.
check-long:
	POLHODE_CHECK_LONG=1 $(MAKE) $(AM_MAKEFLAGS) check
	$(MAKE) $(AM_MAKEFLAGS) check-baseline check-analyzers check-coverage

# Bits, files, symbols and instructions of a step against the tables of tests/baseline, and the tables again, from this build.
# BASELINE=bits takes one of them; what was made on another machine is skipped, and it is said.
BASELINE = bits files symbols instructions mutants
check-baseline: all-am
	python3 '$(top_srcdir)/tests/baseline/compare.py' . $(BASELINE) || test $$? -eq 77
baseline: all-am
	python3 '$(top_srcdir)/tests/baseline/compare.py' . --write $(BASELINE)

# What the slowest suites execute, counted by valgrind, against the table; and the table again, of the suites that took longest in
# the last make check.
check-budgets: $(check_PROGRAMS)
	@top_srcdir='$(abs_top_srcdir)' $(SHELL) '$(top_srcdir)/tests/kit/counted.sh' '$(top_srcdir)/tests/budgets.txt'
budgets: $(check_PROGRAMS)
	@top_srcdir='$(abs_top_srcdir)' $(SHELL) '$(top_srcdir)/tests/kit/counted.sh' --write '$(top_srcdir)/tests/budgets.txt'

# The same bits with other functions of the C library, other kernels of BLAS, other compilers and flags.
check-bits: all-am
	$(SHELL) '$(top_srcdir)/scripts/check-bits' .

# What analyzers and sanitizers find, and what the tests execute: CONTRIBUTING.md.
check-analyzers: all-am
	python3 '$(top_srcdir)/scripts/check-analyzers' .
check-coverage:
	python3 '$(top_srcdir)/scripts/check-coverage' .

# The same results by other compilers and levels, musl, 32 bits and big-endian: a table. ROWS takes some of them.
check-builds: all-am
	$(SHELL) '$(top_srcdir)/scripts/check-builds' . $(ROWS)

# The comparison of the methods on its default set of problems.
bench: all-am
	./polhode bench --force -o bench.out

# README's commands on a machine that has nothing, and the suite without what is optional: before a release, as root.
check-fresh:
	$(SHELL) '$(top_srcdir)/scripts/check-fresh'

# Faults made at random from the source, which some test must notice: tests/mutation/mutate.py. SEED repeats a sample,
# CHANGED=COMMIT takes the lines that have changed since then.
MUTANTS = 60
check-mutants:
	python3 '$(top_srcdir)/tests/mutation/mutate.py' mutants --sample $(MUTANTS) --seed "$${SEED-`date +%Y%m%d`}" $${CHANGED:+--changed "$$CHANGED"}

# The same suite under AddressSanitizer and UndefinedBehaviorSanitizer, in a separate build.
check-sanitizers:
	mkdir -p sanitizers
	cd sanitizers && '$(abs_top_srcdir)/configure' --quiet --enable-sanitizers --disable-shared --enable-static
	POLHODE_CHECK_SHORT=1 $(MAKE) $(AM_MAKEFLAGS) -C sanitizers check

# The unit tests in the short form under valgrind, and a run of the program.
check-valgrind: $(check_PROGRAMS)
	@top_srcdir='$(abs_top_srcdir)' $(SHELL) '$(top_srcdir)/tests/kit/valgrind.sh' --all '$(LIBTOOL)' $(check_PROGRAMS)
	@if test -x ./polhode; then $(SHELL) '$(top_srcdir)/tests/kit/valgrind.sh' '$(LIBTOOL)' polhode run --quiet --force \
	  -o valgrind.out '$(top_srcdir)/examples/double-spherical-pendulum.yaml' && rm -r valgrind.out; \
	  test ! -s valgrind.failed; fi
	@echo "valgrind found nothing"

.PHONY: baseline bench check-analyzers check-baseline check-bits check-builds check-coverage check-fresh check-long check-mutants check-sanitizers check-valgrind
