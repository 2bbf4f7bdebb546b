/* SPDX-License-Identifier: BSD-3-Clause */
/* A node of a YAML document as text on one line: maps in braces, lists in brackets. */
#include "yaml.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void write_text(FILE *out, const yaml_node_t *node)
{
    const char *text = (const char *)node->data.scalar.value;
    if (node->data.scalar.style == YAML_PLAIN_SCALAR_STYLE && !strpbrk(text, ",[]{}\n") && *text) {
        fputs(text, out);
        return;
    }
    fputc('"', out);
    for (; *text; text++)
        fprintf(out, *text == '\n' ? "\\n" : strchr("\"\\", *text) ? "\\%c" : "%c", *text);
    fputc('"', out);
}

/* As deep as a document may be, which its survey has seen. */
static void write_node(FILE *out, ph_yaml *file, int index)
{
    const yaml_node_t *node = ph_yaml_node(file, index);
    if (node->type == YAML_SCALAR_NODE) {
        write_text(out, node);
    } else if (node->type == YAML_SEQUENCE_NODE) {
        fputc('[', out);
        for (const int *i = node->data.sequence.items.start; i < node->data.sequence.items.top; i++) {
            fputs(i > node->data.sequence.items.start ? ", " : "", out);
            write_node(out, file, *i);
        }
        fputc(']', out);
    } else {
        fputc('{', out);
        for (const yaml_node_pair_t *p = node->data.mapping.pairs.start; p < node->data.mapping.pairs.top;
             p++) {
            fputs(p > node->data.mapping.pairs.start ? ", " : "", out);
            write_node(out, file, p->key);
            fputs(": ", out);
            write_node(out, file, p->value);
        }
        fputc('}', out);
    }
}

char *ph_node_flow(ph_yaml *file, int node)
{
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    if (!out)
        return NULL;
    write_node(out, file, node);
    if (fclose(out)) {
        free(text);
        return NULL;
    }
    return text;
}
