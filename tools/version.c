/* SPDX-License-Identifier: BSD-3-Clause */
/* polhode --version: which version this is, how it was built, with which optional libraries, and where to turn. */
#include "program.h"

#include "bench/common/surroundings.h"

#include "config.h"

#include <stdio.h>
#include <string.h>

/* What the program was configured with. */
typedef struct optional_row {
    const char *key, *library, *use;
    bool there;
} optional_row;

/* Not defined by config.h: without it. */
#ifndef HAVE_SUNDIALS
#define HAVE_SUNDIALS 0
#endif
#ifndef HAVE_AMD
#define HAVE_AMD 0
#endif
#ifndef HAVE_LIBDEFLATE
#define HAVE_LIBDEFLATE 0
#endif
#ifndef HAVE_LIBARCHIVE
#define HAVE_LIBARCHIVE 0
#endif
#ifndef HAVE_HDF5
#define HAVE_HDF5 0
#endif

static const optional_row optionals[] = {
    {"sundials", "SUNDIALS", "methods arkode and cvode", HAVE_SUNDIALS},
    {"amd", "SuiteSparse AMD", "less fill in nets", HAVE_AMD},
    {"libdeflate", "libdeflate", "fast checksums; otherwise zlib", HAVE_LIBDEFLATE},
    {"libarchive", "libarchive", "export to .npz", HAVE_LIBARCHIVE},
    {"hdf5", "HDF5", "export to HDF5", HAVE_HDF5}};
enum { OPTIONALS = sizeof optionals / sizeof optionals[0] };

/* What the processor and POLHODE_KERNELS allow at this moment. */
static const char *kernels_now(void)
{
    const unsigned k = ph_kernels();
    if (k & PH_KERNEL_AVX2)
        return k & PH_KERNEL_AVX512 ? "AVX-512 and AVX2" : "AVX2";
    return k & PH_KERNEL_AVX ? "AVX" : "plain";
}

static int print_words(const char *build, const char *algebra)
{
    printf("polhode %s\nLicence: BSD-3-Clause. There is no warranty.\n\n", ph_version());
    printf("  %-16s %s\n", "build", build);
    printf("  %-16s %s\n", "LAPACK and BLAS", *algebra ? algebra : "not known");
    printf("  %-16s %s\n", "kernels", kernels_now());
    for (size_t i = 0; i < OPTIONALS; i++)
        printf("  %-16s %s (%s)\n", optionals[i].library, optionals[i].there ? "yes" : "no",
               optionals[i].use);
    printf("\nHomepage: %s\nReport bugs to: %s\n", PACKAGE_URL, PACKAGE_BUGREPORT);
    return EXIT_OK;
}

static int print_json(const char *build, const char *algebra)
{
    builder b = {0};
    json_object *o = build_object(&b), *with = build_object(&b);
    build_add(&b, o, "version", build_text(&b, ph_version()));
    build_add(&b, o, "licence", build_text(&b, "BSD-3-Clause"));
    build_add(&b, o, "build", build_text(&b, build));
    build_add(&b, o, "linear_algebra", build_text(&b, *algebra ? algebra : NULL));
    build_add(&b, o, "kernels", build_text(&b, kernels_now()));
    for (size_t i = 0; i < OPTIONALS; i++)
        build_add(&b, with, optionals[i].key, build_flag(&b, optionals[i].there));
    build_add(&b, o, "libraries", with);
    build_add(&b, o, "homepage", build_text(&b, PACKAGE_URL));
    build_add(&b, o, "bugs", build_text(&b, PACKAGE_BUGREPORT));
    return print_document(&b, o);
}

int print_version(int argc, char **argv)
{
    char build[512], algebra[256] = "";
    const bool json = argc == 1 && !strcmp(argv[0], "--json");
    if (argc && !json)
        return complain(EXIT_INPUT, "--version takes --json or nothing, not \"%s\"", argv[argc - 1]);
    ph_archive_build(build, sizeof build);
    surroundings_algebra(algebra, sizeof algebra);
    return json ? print_json(build, algebra) : print_words(build, algebra);
}

void print_addresses(void)
{
    printf("Report bugs to %s. Homepage: %s\n", PACKAGE_BUGREPORT, PACKAGE_URL);
}
