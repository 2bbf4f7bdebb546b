/* SPDX-License-Identifier: BSD-3-Clause */
/* YAML files: reading one document with libyaml, and turning libyaml's complaints into messages with
 * a position. Nothing here walks the document recursively, so that no nesting can exhaust the stack. */
#include "yaml.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { DEEPEST = 32 };

struct ph_yaml {
    yaml_document_t document;
    char name[256];
};

/* ---- What libyaml found wrong ------------------------------------------------------------------- */

/* Line and column, from 1, of a byte; columns count characters. */
static void locate(const char *text, size_t length, size_t offset, size_t *line, size_t *column)
{
    *line = *column = 1;
    for (size_t i = 0; i < offset && i < length; i++) {
        if (text[i] == '\n') {
            ++*line;
            *column = 1;
        } else if (((unsigned char)text[i] & 0xc0) != 0x80) {
            ++*column;
        }
    }
}

static ph_status explain_reader(const yaml_parser_t *parser, const char *text, size_t length,
                                const char *name, ph_error *err)
{
    size_t line, column;
    locate(text, length, parser->problem_offset, &line, &column);
    if (parser->problem && strstr(parser->problem, "control character"))
        return ph_fail(err, PH_E_PARSE, "%s:%zu:%zu: a control character (code %d) stands here; take it out",
                       name, line, column, parser->problem_value);
    return ph_fail(err, PH_E_PARSE, "%s:%zu:%zu: this is not UTF-8 (%s); save the file as UTF-8", name, line,
                   column, parser->problem ? parser->problem : "invalid byte");
}

/* Does a tab stand among the blanks before this place of its line? */
static bool tab_before(const char *text, size_t length, const yaml_mark_t *mark)
{
    size_t line = 0, i = 0;
    while (i < length && line < mark->line)
        line += text[i++] == '\n';
    while (i < length && (text[i] == ' ' || text[i] == '\t'))
        if (text[i++] == '\t')
            return true;
    return false;
}

/* Was a list in brackets or a map in braces begun and not ended? */
static bool is_unclosed(const yaml_parser_t *parser)
{
    return parser->context && parser->problem && strstr(parser->context, "while parsing a flow") &&
           strstr(parser->problem, "did not find expected ',' or");
}

static ph_status explain(const yaml_parser_t *parser, const char *text, size_t length, const char *name,
                         ph_error *err)
{
    const yaml_mark_t *mark = &parser->problem_mark;
    /* libyaml fails without any error set only where memory was refused */
    if (parser->error == YAML_MEMORY_ERROR || parser->error == YAML_NO_ERROR)
        return ph_fail(err, PH_E_NO_MEMORY, "%s: out of memory", name);
    if (parser->error == YAML_READER_ERROR)
        return explain_reader(parser, text, length, name, err);
    if (tab_before(text, length, mark))
        return ph_fail(err, PH_E_PARSE, "%s:%zu:%zu: this line begins with a tab; YAML indents with spaces",
                       name, mark->line + 1, mark->column + 1);
    if (is_unclosed(parser))
        return ph_fail(
            err, PH_E_PARSE,
            "%s:%zu:%zu: the %s that begins here is not closed before line %zu, column %zu; \"%c\" or a comma "
            "is missing",
            name, parser->context_mark.line + 1, parser->context_mark.column + 1,
            strstr(parser->context, "mapping") ? "map" : "list", mark->line + 1, mark->column + 1,
            strstr(parser->context, "mapping") ? '}' : ']');
    const char *problem = parser->problem ? parser->problem : "it cannot be read";
    return ph_fail(err, PH_E_PARSE, "%s:%zu:%zu: this is not YAML: %s%s%s", name, mark->line + 1,
                   mark->column + 1, problem, parser->context ? " " : "",
                   parser->context ? parser->context : "");
}

/* ---- Reading ------------------------------------------------------------------------------------ */

static ph_status check_size(const char *text, size_t length, size_t longest, const char *name, ph_error *err)
{
    size_t line, column;
    const char *zero = length ? memchr(text, '\0', length) : NULL;
    if (length > longest)
        return ph_fail(err, PH_E_PARSE, "%s:1:1: the file is larger than %zu MiB; a scenario is a short text",
                       name, longest >> 20);
    if (zero) {
        locate(text, length, (size_t)(zero - text), &line, &column);
        return ph_fail(err, PH_E_PARSE, "%s:%zu:%zu: a zero byte stands here; this is not a text file", name,
                       line, column);
    }
    return PH_OK;
}

/* The name of an anchor or alias of the event; NULL: it has none. */
static const yaml_char_t *find_anchor(const yaml_event_t *event)
{
    switch (event->type) {
    case YAML_ALIAS_EVENT:
        return event->data.alias.anchor;
    case YAML_SCALAR_EVENT:
        return event->data.scalar.anchor;
    case YAML_SEQUENCE_START_EVENT:
        return event->data.sequence_start.anchor;
    case YAML_MAPPING_START_EVENT:
        return event->data.mapping_start.anchor;
    default:
        return NULL;
    }
}

/* Anchors and aliases have no use here, and libyaml's loader needs quadratic time for them. */
static ph_status refuse_anchor(const yaml_event_t *event, const char *name, ph_error *err)
{
    char shown[40];
    const yaml_char_t *anchor = find_anchor(event);
    const bool alias = event->type == YAML_ALIAS_EVENT;
    if (!anchor)
        return PH_OK;
    return ph_fail(
        err, PH_E_PARSE,
        "%s:%zu:%zu: \"%c%s\" is %s of YAML, which is not read here; write the value itself, or a text that "
        "begins with \"%c\" in quotes",
        name, event->start_mark.line + 1, event->start_mark.column + 1, alias ? '*' : '&',
        ph_text_show(shown, sizeof shown, (const char *)anchor), alias ? "an alias" : "an anchor",
        alias ? '*' : '&');
}

/* Handles one event of the survey: counts the depth of nesting and the documents. */
static ph_status survey_event(const yaml_event_t *event, int *depth, int *documents, const char *name,
                              ph_error *err)
{
    size_t line = event->start_mark.line + 1, column = event->start_mark.column + 1;
    if (event->type == YAML_SEQUENCE_START_EVENT || event->type == YAML_MAPPING_START_EVENT)
        ++*depth;
    if (event->type == YAML_SEQUENCE_END_EVENT || event->type == YAML_MAPPING_END_EVENT)
        --*depth;
    if (event->type == YAML_DOCUMENT_START_EVENT)
        ++*documents;
    if (*depth > DEEPEST)
        return ph_fail(err, PH_E_PARSE,
                       "%s:%zu:%zu: more than %d lists and maps inside each other; at most 4 have a meaning",
                       name, line, column, DEEPEST);
    if (*documents > 1)
        return ph_fail(err, PH_E_PARSE, "%s:%zu:%zu: a second document begins here; one file holds one", name,
                       line, column);
    return PH_OK;
}

/* Scans the whole text once before it is loaded: libyaml's loader needs quadratic time for deep nesting, and
 * stops after the first document. */
static ph_status survey(yaml_parser_t *parser, const char *text, size_t length, const char *name,
                        ph_error *err)
{
    int depth = 0, documents = 0;
    ph_status status = PH_OK;
    bool more = true;
    while (more && !status) {
        yaml_event_t event;
        if (!yaml_parser_parse(parser, &event))
            return explain(parser, text, length, name, err);
        status = refuse_anchor(&event, name, err);
        if (!status)
            status = survey_event(&event, &depth, &documents, name, err);
        more = event.type != YAML_STREAM_END_EVENT;
        yaml_event_delete(&event);
    }
    if (!status && !documents)
        status =
            ph_fail(err, PH_E_PARSE, "%s:1:1: the file is empty; a map of keys and values is expected", name);
    return status;
}

static ph_status load(yaml_parser_t *parser, ph_yaml *f, const char *text, size_t length, ph_error *err)
{
    if (!yaml_parser_load(parser, &f->document))
        return explain(parser, text, length, f->name, err);
    if (yaml_document_get_root_node(&f->document))
        return PH_OK;
    yaml_document_delete(&f->document);
    return ph_fail(err, PH_E_PARSE, "%s:1:1: the file is empty; a map of keys and values is expected",
                   f->name);
}

static ph_status start(yaml_parser_t *parser, const char *text, size_t length, ph_error *err)
{
    if (!yaml_parser_initialize(parser))
        return ph_fail(err, PH_E_NO_MEMORY, "out of memory");
    yaml_parser_set_encoding(parser, YAML_UTF8_ENCODING);
    yaml_parser_set_input_string(parser, (const unsigned char *)text, length);
    return PH_OK;
}

/* Parses the text twice: first to survey it, then to load it. */
static ph_status read_text(ph_yaml *f, const char *text, size_t length, ph_error *err)
{
    yaml_parser_t parser;
    ph_status status = PH_OK;
    for (int pass = 0; pass < 2 && !status; pass++) {
        if ((status = start(&parser, text, length, err)))
            break;
        status = pass ? load(&parser, f, text, length, err) : survey(&parser, text, length, f->name, err);
        yaml_parser_delete(&parser);
    }
    return status;
}

ph_status ph_yaml_parse(const char *text, size_t length, size_t longest, const char *name, ph_yaml **file,
                        ph_error *err)
{
    ph_yaml *f = malloc(sizeof *f);
    if (!f)
        return ph_fail(err, PH_E_NO_MEMORY, "out of memory");
    ph_text_show(f->name, sizeof f->name, name);
    /* the byte order mark of UTF-8 is skipped; other encodings are not supported */
    size_t skip = length >= 3 && !memcmp(text, "\xef\xbb\xbf", 3) ? 3 : 0;
    ph_status status = check_size(text + skip, length - skip, longest, f->name, err);
    if (!status)
        status = read_text(f, text + skip, length - skip, err);
    if (status)
        free(f);
    else
        *file = f;
    return status;
}

void ph_yaml_free(ph_yaml *file)
{
    if (!file)
        return;
    yaml_document_delete(&file->document);
    free(file);
}

ph_node ph_yaml_root(ph_yaml *file)
{
    return (ph_node){.file = file, .node = yaml_document_get_root_node(&file->document)};
}

yaml_node_t *ph_yaml_node(ph_yaml *file, int index)
{
    return yaml_document_get_node(&file->document, index);
}

int ph_yaml_index(const ph_yaml *file, const yaml_node_t *node)
{
    return (int)(node - file->document.nodes.start) + 1;
}

yaml_document_t *ph_yaml_document(ph_yaml *file)
{
    return &file->document;
}

const char *ph_yaml_name(const ph_yaml *file)
{
    return file->name;
}
