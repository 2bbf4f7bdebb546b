/* SPDX-License-Identifier: BSD-3-Clause */
/* A tape as C: each instruction is a line, in the order of the tape, with a variable for what it computes, so that a
 * compiler that fuses and reorders nothing makes the bits of the interpreter. */
#include "instructions.h"

#include <math.h>
#include <stdlib.h>

#define FUNCTION_OF(op, name, f) .op = f,
const ph_tape_functions ph_tape_elementary = {PH_FUNCTION_LIST(FUNCTION_OF) PH_PAIR_LIST(FUNCTION_OF)};

void ph_tape_write_head(FILE *to)
{
    fputs("typedef struct{"
#define ONE(op, name, f) "double(*" #op ")(double);"
#define TWO(op, name, f) "double(*" #op ")(double,double);"
          PH_FUNCTION_LIST(ONE) PH_PAIR_LIST(TWO)
#undef ONE
#undef TWO
              "}F;\n"
              "typedef struct{double t,dt;const double*z,*v,*dz;double*const*o;}P;\n",
          to);
}

enum { UNWRITTEN = UINT32_MAX };

/* The name of what is in a register: writer is the instruction that wrote it last. */
static void write_name(const ph_tape *tape, const uint32_t *writer, size_t reg, FILE *to)
{
    const size_t leaf = reg - tape->n_known, nz = tape->nz;
    if (writer[reg] != UNWRITTEN)
        fprintf(to, "r%u", writer[reg]);
    else if (reg < tape->n_known)
        fprintf(to, "k[%zu]", reg);
    else if (leaf < 2)
        fputs(leaf ? "p->dt" : "p->t", to);
    else
        fprintf(to, "%s[%zu]", leaf < 2 + nz ? "z" : leaf < 2 + 2 * nz ? "v" : "d", (leaf - 2) % nz);
}

/* A pattern with a, b, c for the names of operands. */
static void write_operation(const ph_tape *tape, const uint32_t *writer, const instruction *i, FILE *to)
{
    static const char *const patterns[OPERATIONS] = {[PH_OP_ADD] = "a+b",
                                                     [PH_OP_SUB] = "a-b",
                                                     [PH_OP_MUL] = "a*b",
                                                     [PH_OP_DIV] = "a/b",
                                                     [PH_OP_NEG] = "-a",
#define ONE(op, name, f) [PH_OP_##op] = "f->" #op "(a)",
#define TWO(op, name, f) [PH_OP_##op] = "f->" #op "(a,b)",
                                                     PH_FUNCTION_LIST(ONE) PH_PAIR_LIST(TWO)
#undef ONE
#undef TWO
                                                         [MULTIPLY_ADD] = "a*b+c",
                                                     [MULTIPLY_SUB] = "a*b-c",
                                                     [SUB_MULTIPLY] = "c-a*b"};
    const unsigned op = i->op % OPERATIONS;                     /* without its run */
    const char *exact = op == PH_OP_SQRT  ? "__builtin_sqrt(a)" /* the same everywhere: no call */
                        : op == PH_OP_ABS ? "__builtin_fabs(a)"
                                          : NULL;
    for (const char *c = exact ? exact : patterns[op]; *c; c++) {
        const bool in_word = exact && c[1] != ')';
        if (!in_word && *c >= 'a' && *c <= 'c')
            write_name(tape, writer, *c == 'a' ? i->a : *c == 'b' ? i->b : i->c, to);
        else
            putc(*c, to);
    }
}

/* Values go to their places in `part`: line by line where these are few, zeros among them. Else zeros are written at once, and values
 * that are known beforehand by a loop, as constant matrices have very many. */
static void write_results(const ph_tape *tape, const uint32_t *writer, size_t part, size_t length, bool adds,
                          FILE *to)
{
    enum { FEW = 64 };
    const char *plus = adds ? "+" : "";
    const result *first = tape->results, *end = first + tape->n_results;
    size_t known = 0, zeros = 0;
    while (first < end && first->at < part * length)
        first++;
    for (const result *i = first; length > FEW && i < end && i->at < (part + 1) * length; i++)
        if (i->from < tape->n_known)
            fprintf(to, "%s{%zu,%u}", known++ ? "," : "static const int q[][2]={", i->at % length, i->from);
    if (known)
        fputs("};\n", to);
    if (length > FEW && !adds && tape->n_results < tape->n)
        fprintf(to, "__builtin_memset(o,0,%zu);\n", length * sizeof(double));
    if (known)
        fprintf(to, "for(int i=0;i<%zu;i++)o[q[i][0]]%s=k[q[i][1]];\n", known, plus);
    for (const result *i = first; i < end && i->at < (part + 1) * length; i++) {
        const size_t at = i->at % length;
        for (; length <= FEW && !adds && zeros < at; zeros++)
            fprintf(to, "o[%zu]=0;\n", zeros);
        zeros = at + 1;
        if (length > FEW && i->from < tape->n_known)
            continue;
        fprintf(to, "o[%zu]%s=", at, plus);
        write_name(tape, writer, i->from, to);
        fputs(";\n", to);
    }
    for (; length <= FEW && !adds && zeros < length; zeros++)
        fprintf(to, "o[%zu]=0;\n", zeros);
}

ph_status ph_tape_write(const ph_tape *tape, unsigned number, size_t parts, bool adds, FILE *to)
{
    const size_t length = tape->n / parts;
    uint32_t *writer = malloc(tape->registers * sizeof *writer);
    if (!writer)
        return PH_E_NO_MEMORY;
    for (size_t i = 0; i < tape->registers; i++)
        writer[i] = UNWRITTEN;
    fprintf(to,
            "void f%u(const F*f,const double*restrict k,const P*restrict p)\n{\n"
            "const double*restrict z=p->z,*restrict v=p->v,*restrict d=p->dz;\n",
            number);
    for (size_t i = 0; i + 1 < tape->length; i++) {
        fprintf(to, "const double r%zu=", i);
        write_operation(tape, writer, &tape->code[i], to);
        fputs(";\n", to);
        writer[tape->code[i].to] = (uint32_t)i;
    }
    for (size_t part = 0; part < parts; part++) {
        fprintf(to, "{double*restrict o=p->o[%zu];\n%s", part, parts > 1 ? "if(o){\n" : "");
        write_results(tape, writer, part, length, adds, to);
        fputs(parts > 1 ? "}}\n" : "}\n", to);
    }
    fputs("}\n", to);
    free(writer);
    return PH_OK;
}
