/* SPDX-License-Identifier: BSD-3-Clause */
/* Ensembles: a scenario with the key `ensemble` stands for many, its members, in which some values are
 * replaced. Part of libpolhode-io.
 *
 * Member i, from 0, depends on the text of the ensemble and on i alone. The text is parsed once; a member is
 * made by putting its values into the parsed document, which is then read as any scenario is, so that
 * messages have file, line, column and key:
 *
 *     ph_members_open(text, length, "map.yaml", &members, &err);
 *     for (int64_t i = 0; i < ph_members_count(members); i++) {
 *         ph_scenario *member;
 *         ph_status status = ph_members_make(members, i, &member, &err);
 *         ...
 *         ph_scenario_free(member);
 *     }
 *     ph_members_free(members);
 *
 * A ph_members belongs to one thread at a time; any number of them may be open. */
#ifndef POLHODE_MEMBERS_H
#define POLHODE_MEMBERS_H

#include <stddef.h>
#include <stdint.h>

#include <polhode/scenario.h>
#include <polhode/status.h>

PH_BEGIN_DECLS

/** The members of an ensemble. */
typedef struct ph_members ph_members;

/** Read the key `ensemble` of a scenario's text (length bytes); a scenario without it has one member, itself.
 * Free with ph_members_free. The members themselves are read when they are made.
 *   path   stands for the file in messages; paths in the text are relative to its directory
 * PH_E_PARSE, PH_E_RANGE and PH_E_SIZE (what is wrong in the text), PH_E_IO (a file of members),
 * PH_E_NO_MEMORY. */
PH_API ph_status ph_members_open(const char *text, size_t length, const char *path, ph_members **members,
                                 ph_error *err);
/** Free; NULL is allowed. Its members must have been freed. */
PH_API void ph_members_free(ph_members *members);

/** How many members, at least 1 and at most 2^53. */
PH_API int64_t ph_members_count(const ph_members *members);
/** How many numbers vary from member to member. */
PH_API size_t ph_members_columns(const ph_members *members);
/** The j-th of them, as "parameters.m2" or "initial.q[0][1]"; owned by members. Where the values of a key are
 * not numbers, it is the index of the value among those that the ensemble lists. */
PH_API const char *ph_members_column(const ph_members *members, size_t j);
/** What an index in column j stands for, "rk4" or "{name: variational, order: 4}"; NULL where the column is
 * of numbers, and where there is no such index. Owned by members. */
PH_API const char *ph_members_word(const ph_members *members, size_t j, double value);
/** values (ph_members_columns) <- the numbers of member i. PH_E_RANGE: there is no such member. */
PH_API ph_status ph_members_values(ph_members *members, int64_t i, double *values, ph_error *err);

/** *member <- member i, read and checked. Free with ph_scenario_free, before the ensemble. Where neither the
 * model nor its parameters, nor the preset or reduction, vary, all members have the same system, which the
 * ensemble owns; ph_scenario_text is empty. PH_E_RANGE: there is no such member; the errors of
 * ph_scenario_load. */
PH_API ph_status ph_members_make(ph_members *members, int64_t i, ph_scenario **member, ph_error *err);
/** *text <- member i as a scenario without `ensemble`, all else as it was written, comments included; free
 * with free. It is read as ph_members_make reads the member, to the last bit. The errors of
 * ph_members_make, and of ph_scenario_edit; PH_E_UNSUPPORTED: the state is moved from a
 * preset with a body that is too long to be written. */
PH_API ph_status ph_members_text(ph_members *members, int64_t i, char **text, ph_error *err);

PH_END_DECLS
#endif
