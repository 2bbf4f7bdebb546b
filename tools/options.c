/* SPDX-License-Identifier: BSD-3-Clause */
/* The options of a command, read, and its help, written: both from the rows of bench/common/command.h. */
#include "options.h"
#include "program.h"

#include <float.h>
#include <getopt.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const option_row help_row = {"help", 'h', NULL, OPTION_FLAG, 0, .text = "this text"};

static bool is_operand(const option_row *o)
{
    return o->kind == OPTION_OPERAND || o->kind == OPTION_ARCHIVE || o->kind == OPTION_OPERANDS;
}

/* ---- Help ------------------------------------------------------------------------------------------ */

enum { LINE = 79, TEXT_COLUMN = 23, SUMMARY_COLUMN = 6, EXIT_COLUMN = 7 };

/* The words of the text as lines: the first continues at `column`, the others begin at `indent`. */
static void put_wrapped(const char *text, size_t column, size_t indent)
{
    bool broken = false; /* by the end of a line in the text */
    for (bool first = true; *text; first = false) {
        const size_t n = strcspn(text, " \n");
        if (!first && (broken || column + 1 + n > LINE))
            column = (size_t)printf("\n%*s", (int)indent, "") - 1;
        else if (!first)
            column += (size_t)printf(" ");
        column += (size_t)printf("%.*s", (int)n, text);
        broken = text[n] == '\n';
        text += n + (text[n] != '\0');
    }
    putchar('\n');
}

/* "polhode bench [PROBLEM | FILE]... [OPTION]...", "polhode export FILE -o FILE [OPTION]..." */
static void put_usage(const command_row *c)
{
    const char *before = " [";
    printf("%s %s", c->program ? c->program : "polhode", c->name);
    for (const option_row *o = c->options; o->name; o++)
        if (o->kind == OPTION_OPERANDS) {
            printf("%s%s%s", before, o->name, o[1].kind == OPTION_OPERANDS ? "" : "]...");
            before = " | ";
        } else if (is_operand(o)) {
            printf(o->required ? " %s" : " [%s]", o->name);
        } else if (o->required) {
            printf(" -%c %s", o->letter, o->argument);
        }
    printf(" [OPTION]...\n");
}

void print_command(const command_row *c)
{
    printf("  ");
    put_usage(c);
    printf("%*s", SUMMARY_COLUMN, "");
    put_wrapped(c->summary, SUMMARY_COLUMN, SUMMARY_COLUMN);
}

/* The usage of the command, its other form, and that of those whose names begin with its own: "bench",
 * "bench scaling". */
static void put_usages(const command_row *c, const command_row *(*command_at)(size_t i))
{
    const size_t n = strlen(c->name);
    const command_row *other;
    printf("Usage: ");
    put_usage(c);
    if (c->form)
        printf("  or:  polhode %s %s [OPTION]...\n", c->name, c->form);
    for (size_t i = 0; (other = command_at(i)); i++)
        if (!strncmp(other->name, c->name, n) && other->name[n] == ' ') {
            printf("  or:  ");
            put_usage(other);
        }
}

static void put_option(const option_row *o)
{
    char letter[] = "    ";
    int n;
    if (o->letter)
        memcpy(letter, (const char[]){'-', (char)o->letter, ','}, 3);
    if (is_operand(o))
        n = printf("  %s", o->name);
    else
        n = printf("  %s--%s%s%s", letter, o->name, o->argument ? " " : "", o->argument ? o->argument : "");
    printf("%s%*s", n + 2 > TEXT_COLUMN ? "\n" : "", n + 2 > TEXT_COLUMN ? TEXT_COLUMN : TEXT_COLUMN - n, "");
    put_wrapped(o->text, TEXT_COLUMN, TEXT_COLUMN);
}

void print_exits(const exit_row *exits)
{
    printf("\nExit status:\n");
    for (const exit_row *e = exits; e->text; e++) {
        printf("  %-*d", EXIT_COLUMN - 2, e->status);
        put_wrapped(e->text, EXIT_COLUMN, EXIT_COLUMN);
    }
}

void print_help(const command_row *c, const command_row *(*command_at)(size_t i))
{
    put_usages(c, command_at);
    put_wrapped(c->about, 0, 0);
    putchar('\n');
    for (const option_row *o = c->options; o->name; o++)
        put_option(o);
    put_option(&help_row);
    if (c->notes) {
        putchar('\n');
        put_wrapped(c->notes, 0, 0);
    }
    print_exits(c->exits);
}

/* ---- Room for lists -------------------------------------------------------------------------------- */

typedef union item {
    const char *text;
    double number;
} item;

static bool is_list(const option_row *o)
{
    return o->kind == OPTION_TEXTS || o->kind == OPTION_LIST || o->kind == OPTION_POSITIVE_TIMES;
}

/* Items that one list can have: so many words the command line has, with what commas separate. */
static size_t count_words(int argc, char **argv)
{
    size_t n = 0;
    for (int i = 0; i < argc; i++) {
        n++;
        for (const char *s = argv[i]; *s; s++)
            n += *s == ',';
    }
    return n;
}

/* Where the items of this list begin in the block of arguments; with the last row, where the block ends. */
static size_t find_items(const command_row *c, const option_row *row, size_t words)
{
    size_t at = (c->size + sizeof(item) - 1) / sizeof(item) * sizeof(item);
    for (const option_row *o = c->options; o != row; o++)
        at += is_list(o) ? words * sizeof(item) : 0;
    return at;
}

void *arguments_create(const command_row *c, int argc, char **argv)
{
    const option_row *end = c->options;
    while (end->name)
        end++;
    void *arguments = calloc(1, find_items(c, end, count_words(argc, argv)));
    if (arguments && c->defaults)
        memcpy(arguments, c->defaults, c->size);
    return arguments;
}

/* ---- Values ---------------------------------------------------------------------------------------- */

static ph_status read_number(const option_row *o, const char *text, double *value, ph_error *err)
{
    static const struct {
        double least;
        const char *words;
    } kinds[] = {[OPTION_NUMBER] = {-DBL_MAX, "a number"},
                 [OPTION_POSITIVE] = {DBL_TRUE_MIN, "a positive number"},
                 [OPTION_TIME] = {-DBL_MAX, "a number of seconds"},
                 [OPTION_DURATION] = {0, "a number of seconds, at least 0"},
                 [OPTION_POSITIVE_TIME] = {DBL_TRUE_MIN, "a positive number of seconds"},
                 [OPTION_POSITIVE_TIMES] = {DBL_TRUE_MIN, "a positive number of seconds"}};
    if (!ph_parse_number(text, value) && *value >= kinds[o->kind].least)
        return PH_OK;
    return ph_fail(err, PH_E_INVALID, "--%s must be %s, not \"%s\"", o->name, kinds[o->kind].words, text);
}

static ph_status read_whole(const option_row *o, const char *text, int64_t *value, ph_error *err)
{
    char bounds[80];
    if (!ph_parse_count(text, value) && (double)*value >= o->least && !(o->most && (double)*value > o->most))
        return PH_OK;
    if (o->most)
        snprintf(bounds, sizeof bounds, " from %g to %g", o->least, o->most);
    else
        snprintf(bounds, sizeof bounds, ", at least %g", o->least);
    return ph_fail(err, PH_E_INVALID, "--%s must be a whole number%s, not \"%s\"", o->name, bounds, text);
}

static ph_status add_item(const option_row *o, char *text, item *items, void *member, ph_error *err)
{
    option_texts *texts = member;
    option_numbers *numbers = member;
    const char **words = &items->text;
    double *values = &items->number;
    if (o->kind == OPTION_LIST) {
        char *rest = NULL;
        *texts = (option_texts){words, 0};
        for (char *word = strtok_r(text, ",", &rest); word; word = strtok_r(NULL, ",", &rest))
            words[texts->n++] = word;
        return texts->n ? PH_OK : ph_fail(err, PH_E_INVALID, "--%s names nothing", o->name);
    }
    const size_t n = o->kind == OPTION_TEXTS ? texts->n : numbers->n;
    if (o->most && (double)n >= o->most)
        return ph_fail(err, PH_E_INVALID, "--%s may be given %g times at most", o->name, o->most);
    if (o->kind == OPTION_POSITIVE_TIMES) {
        *numbers = (option_numbers){values, n + 1};
        return read_number(o, text, &values[n], err);
    }
    *texts = (option_texts){words, n + 1};
    words[n] = text;
    return PH_OK;
}

static ph_status take_value(const option_row *o, char *text, item *items, void *member, ph_error *err)
{
    switch (o->kind) {
    case OPTION_FLAG:
        *(bool *)member = true;
        return PH_OK;
    case OPTION_TEXT:
        *(const char **)member = text;
        return *text ? PH_OK : ph_fail(err, PH_E_INVALID, "--%s is empty", o->name);
    case OPTION_WHOLE:
        return read_whole(o, text, member, err);
    case OPTION_TEXTS:
    case OPTION_LIST:
    case OPTION_POSITIVE_TIMES:
        return add_item(o, text, items, member, err);
    default:
        return read_number(o, text, member, err);
    }
}

/* ---- The command line ------------------------------------------------------------------------------ */

enum { OPTIONS_MOST = 32, FIRST = 256 }; /* getopt returns FIRST + the row for a long option, or a letter */

static void add_to_getopt(struct option *list, char *letters, const option_row *o, int value)
{
    *list = (struct option){o->name, o->argument ? required_argument : no_argument, NULL, value};
    if (o->letter)
        sprintf(letters + strlen(letters), "%c%s", o->letter, o->argument ? ":" : "");
}

/* What getopt could not read, `word`: an unknown option, one without its value, or with one that it does not
 * take. */
static ph_status explain_option(const struct option *list, int got, const char *word, ph_error *err)
{
    const char *names[OPTIONS_MOST + 1] = {NULL};
    char name[64];
    size_t n = 0, matches = 0;
    const bool is_long = !strncmp(word, "--", 2);
    for (; list[n].name; n++)
        names[n] = list[n].name;
    if (got == ':')
        return ph_fail(err, PH_E_INVALID, "option %.60s needs a value", word);
    if (!is_long)
        return ph_fail(err, PH_E_UNKNOWN, "unknown option -%c", optopt);
    snprintf(name, sizeof name, "%.*s", (int)strcspn(word + 2, "="), word + 2);
    for (size_t i = 0; i < n; i++) {
        if (!strcmp(names[i], name))
            return ph_fail(err, PH_E_INVALID, "option --%s takes no value", name);
        matches += !strncmp(names[i], name, strlen(name));
    }
    if (matches > 1)
        return ph_fail(err, PH_E_UNKNOWN, "option --%s is ambiguous: it begins %zu options", name, matches);
    const char *near = ph_suggest(name, names, n);
    bool sets = false;
    for (size_t i = 0; i < n; i++)
        sets = sets || !strcmp(names[i], "set");
    if (!near && sets)
        return ph_fail(err, PH_E_UNKNOWN,
                       "unknown option --%s; if it is a key of the scenario: --set %s=VALUE", name, name);
    return near ? ph_fail(err, PH_E_UNKNOWN, "unknown option --%s; did you mean --%s?", name, near)
                : ph_fail(err, PH_E_UNKNOWN, "unknown option --%s", name);
}

/* The options, up to --help. Operands are then from argv[optind] on. */
static ph_status read_options(const command_row *c, int argc, char **argv, void *arguments, bool *help,
                              ph_error *err)
{
    struct option list[OPTIONS_MOST + 1] = {{0}};
    char letters[2 * OPTIONS_MOST + 2] = ":";
    const size_t words = count_words(argc, argv);
    size_t n = 0;
    int got;
    opterr = 0; /* explain_option has the words */
    for (int i = 0; i < OPTIONS_MOST - 1 && c->options[i].name; i++)
        if (!is_operand(&c->options[i]))
            add_to_getopt(&list[n++], letters, &c->options[i], FIRST + i);
    add_to_getopt(&list[n], letters, &help_row, help_row.letter);
    while ((got = getopt_long(argc, argv, letters, list, NULL)) != -1) {
        size_t i = 0;
        if (got == '?' || got == ':')
            return explain_option(list, got, argv[optind - 1], err);
        if ((*help = got == help_row.letter))
            return PH_OK;
        while (got < FIRST ? c->options[i].letter != got : i != (size_t)(got - FIRST))
            i++;
        const option_row *o = &c->options[i];
        item *items = (item *)(void *)((char *)arguments + find_items(c, o, words));
        ph_status status = take_value(o, optarg, items, (char *)arguments + o->offset, err);
        if (status)
            return status;
    }
    return PH_OK;
}

static ph_status take_operands(const command_row *c, int n, char **operands, void *arguments, ph_error *err)
{
    for (const option_row *o = c->options; o->name; o++) {
        void *member = (char *)arguments + o->offset;
        if (o->kind == OPTION_OPERANDS) {
            *(option_texts *)member = (option_texts){(const char *const *)operands, (size_t)n};
            return PH_OK;
        }
        if (!is_operand(o))
            continue;
        if (n > 1 || (!n && o->required))
            return ph_fail(err, PH_E_INVALID, "%s takes one %s%s, not %d", c->name, o->argument,
                           o->required ? "" : " at most", n);
        *(const char **)member = n ? operands[0] : NULL;
        return PH_OK;
    }
    return n ? ph_fail(err, PH_E_INVALID, "%s takes options only, not \"%s\"", c->name, operands[0]) : PH_OK;
}

ph_status arguments_read(const command_row *c, int argc, char **argv, void *arguments, bool *help,
                         ph_error *err)
{
    *help = false;
    ph_status status = read_options(c, argc, argv, arguments, help, err);
    if (status || *help)
        return status;
    status = take_operands(c, argc - optind, argv + optind, arguments, err);
    for (const option_row *o = c->options; o->name && !status; o++)
        if (o->required && !*(const char **)(void *)((char *)arguments + o->offset))
            status =
                ph_fail(err, PH_E_INVALID, "%s needs -%c %s: %s", c->name, o->letter, o->argument, o->text);
    return status;
}
