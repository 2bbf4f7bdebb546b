/* SPDX-License-Identifier: BSD-3-Clause */
/* Words and numbers: the list of statuses, the error record, names that were nearly right, and numbers read
 * strictly. */
#include "tests/kit/points.h"
#include "tests/kit/testkit.h"

#include <polhode/kit/text.h>
#include <polhode/version.h>

/* ---- Statuses and errors ------------------------------------------------------------------------ */

TEST(every_status_has_a_name_and_a_text)
{
    for (int i = 0; i < PH_STATUS_COUNT; i++) {
        const char *name = ph_status_name((ph_status)i), *text = ph_status_text((ph_status)i);
        ck_assert_int_eq(strncmp(name, i ? "PH_E_" : "PH_OK", i ? 5 : 6), 0);
        ck_assert_uint_gt(strlen(text), 5);
        for (int j = 0; j < i; j++) {
            ck_assert_str_ne(name, ph_status_name((ph_status)j));
            ck_assert_str_ne(text, ph_status_text((ph_status)j));
        }
    }
    ck_assert_str_eq(ph_status_name(PH_E_NO_SOLUTION), "PH_E_NO_SOLUTION");
    ck_assert_int_eq(PH_OK, 0);
    for (int i = 0; i < 4; i++) {
        const int none[] = {PH_STATUS_COUNT, -1, 1000000, INT32_MIN};
        ck_assert_str_eq(ph_status_name((ph_status)none[i]), "unknown status");
        ck_assert_str_eq(ph_status_text((ph_status)none[i]), "unknown status");
    }
    ck_assert_str_eq(ph_version(), PH_VERSION);
}

TEST(errors_are_filled)
{
    ph_error err;
    memset(&err, 'x', sizeof err);
    ck_assert_int_eq(ph_fail(&err, PH_E_RANGE, "mass %d is %g kg", 3, -0.5), PH_E_RANGE);
    ck_assert_int_eq(err.status, PH_E_RANGE);
    ck_assert_str_eq(err.message, "mass 3 is -0.5 kg");
    ck_assert_int_eq(ph_fail(NULL, PH_E_IO, "%s", "nobody listens"), PH_E_IO);
    ph_fail(&err, PH_E_PARSE, "%s", "two\nlines\r\nand more");
    ck_assert_ptr_null(strpbrk(err.message, "\r\n"));
}

/* A message of any length is cut at the end of its room and not a byte beyond. */
TEST(long_messages_are_cut)
{
    struct {
        ph_error err;
        char guard[64];
    } room;
    char text[1200];
    size_t most = sizeof room.err.message - 1, lengths[] = {0, 1, most - 1, most, most + 1, sizeof text - 1};
    memset(&room, '#', sizeof room);
    for (size_t i = 0; i < sizeof lengths / sizeof lengths[0]; i++) {
        memset(text, 'a' + (int)i, sizeof text);
        text[lengths[i]] = '\0';
        ph_fail(&room.err, PH_E_IO, "%s", text);
        ck_assert_uint_eq(strlen(room.err.message), lengths[i] < most ? lengths[i] : most);
        ck_assert_int_eq(strncmp(room.err.message, text, most), 0);
    }
    for (size_t i = 0; i < sizeof room.guard; i++)
        ck_assert_int_eq(room.guard[i], '#');
}

/* Of a character of several bytes that does not fit nothing stays, of the others all. */
TEST(messages_are_cut_between_characters)
{
    static const char *const characters[] = {"\xc3\xa4", "\xe2\x82\xac", "\xf0\x9f\x98\x80"};
    ph_error err;
    char text[1200];
    size_t most = sizeof err.message - 1;
    for (int i = 0; i < 3; i++)
        for (size_t fit = 0; fit < strlen(characters[i]); fit++) { /* so many of its bytes would */
            memset(text, 'a', most);
            strcpy(text + most - fit, characters[i]);
            strcat(text, "and more");
            ph_fail(&err, PH_E_IO, "%s", text);
            ck_assert_uint_eq(strlen(err.message), most - fit);
            ck_assert_uint_eq(strspn(err.message, "a"), most - fit);
        }
}

TEST(control_characters_are_replaced)
{
    ph_error err;
    for (int c = 1; c < 0x80; c++) {
        ph_fail(&err, PH_E_IO, "<%c>", c);
        ck_assert_int_eq(err.message[1], c < 0x20 || c == 0x7f ? '?' : c);
    }
}

/* ---- Suggestions -------------------------------------------------------------------------------- */

static const char *const names[] = {"variational", NULL, "rk4", "rk4-projected", "mass", "masses", "g"};
enum { NAMES = sizeof names / sizeof names[0] };

static const struct {
    const char *word, *suggested; /* NULL: none */
} suggestions[] = {
    {"variational", "variational"},
    {"variatonal", "variational"},   /* one missing */
    {"variattional", "variational"}, /* one too many */
    {"variationbl", "variational"},  /* exchanged */
    {"vairational", "variational"},  /* swapped */
    {"VARIATIONAL", "variational"},  /* case does not count */
    {"rk4_projected", "rk4-projected"},
    {"varational-", "variational"},
    {"vrtonl", NULL}, /* five letters of eleven */
    {"rk5", "rk4"},
    {"rk", "rk4"},
    {"rrk5", NULL}, /* two letters of three */
    {"kr4", "rk4"}, /* a swap is one change */
    {"k4r", NULL},
    {"mas", "mass"},
    {"massse", "masses"},
    {"h", "g"}, /* one letter is always allowed */
    {"", "g"},
    {"leapfrog", NULL},
    {"projected", "rk4-projected"}, /* a part between hyphens */
    {"Projecteds", "rk4-projected"},
    {"project", NULL},
    {"4", "g"},
    {"a-name-that-is-longer-than-any-that-is-in-the-list-and-than-sixty-three-letters", NULL},
};

TEST_EACH(near_names_are_suggested, sizeof suggestions / sizeof suggestions[0])
{
    const char *got = ph_suggest(suggestions[_i].word, names, NAMES), *want = suggestions[_i].suggested;
    ck_assert_msg(got == want || (got && want && !strcmp(got, want)), "\"%s\": %s, not %s",
                  suggestions[_i].word, got ? got : "none", want ? want : "none");
    ck_assert_ptr_null(ph_suggest(suggestions[_i].word, names, 0));
}

TEST(unknown_names)
{
    ph_error err = {PH_OK, ""};
    const char *many[200];
    ck_assert_int_eq(ph_fail_unknown(&err, "method", "rk5", names, NAMES), PH_E_UNKNOWN);
    ck_assert_int_eq(err.status, PH_E_UNKNOWN);
    ck_assert_str_eq(err.message, "unknown method \"rk5\"; did you mean \"rk4\"?");
    ph_fail_unknown(&err, "method", "leapfrog", names, NAMES);
    ck_assert_str_eq(
        err.message,
        "unknown method \"leapfrog\"; available: variational, rk4, rk4-projected, mass, masses, g");
    ph_fail_unknown(&err, "method", "leapfrog", names, 0);
    ck_assert_str_eq(err.message, "unknown method \"leapfrog\"; none is available");
    ck_assert_int_eq(ph_fail_unknown(NULL, "method", "leapfrog", names, NAMES), PH_E_UNKNOWN);
    for (size_t i = 0; i < 200; i++)
        many[i] = "rk4-projected";
    ph_fail_unknown(&err, "method", "leapfrog", many, 200); /* cut after a whole name, and it says so */
    const char *last = strstr(err.message, " and ");
    size_t left_out = 0, listed = 0;
    for (const char *at = err.message; (at = strstr(at, "rk4-projected")); at++)
        listed++;
    ck_assert_ptr_nonnull(last);
    ck_assert_int_eq(strncmp(last - 13, "rk4-projected", 13), 0);
    ck_assert_int_eq(sscanf(last, " and %zu more", &left_out), 1);
    ck_assert_uint_eq(listed + left_out, 200);
}

/* ---- Numbers ------------------------------------------------------------------------------------ */

static const struct {
    const char *text;
    ph_status status;
    double value;
} numbers[] = {
    {"0.1", PH_OK, 0.1},
    {"-1e-3", PH_OK, -1e-3},
    {"7", PH_OK, 7},
    {"+7.", PH_OK, 7},
    {".5", PH_OK, 0.5},
    {"1E6", PH_OK, 1e6},
    {"1e+06", PH_OK, 1e6},
    {"-0", PH_OK, -0.0},
    {"007", PH_OK, 7},
    {"1.7976931348623157e308", PH_OK, 1.7976931348623157e308},
    {"4.9406564584124654e-324", PH_OK, 4.9406564584124654e-324},
    {"0.8660254037844386", PH_OK, 0.8660254037844386},
    {"1e-3x", PH_E_PARSE, 0},
    {"0x10", PH_E_PARSE, 0},
    {"", PH_E_PARSE, 0},
    {" 1", PH_E_PARSE, 0},
    {"1 ", PH_E_PARSE, 0},
    {"1\n", PH_E_PARSE, 0},
    {".", PH_E_PARSE, 0},
    {"+", PH_E_PARSE, 0},
    {"e5", PH_E_PARSE, 0},
    {"1e", PH_E_PARSE, 0},
    {"1e+", PH_E_PARSE, 0},
    {"1e1.5", PH_E_PARSE, 0},
    {"1,5", PH_E_PARSE, 0},
    {"1.2.3", PH_E_PARSE, 0},
    {"--1", PH_E_PARSE, 0},
    {"1_000", PH_E_PARSE, 0},
    {"1d0", PH_E_PARSE, 0},
    {"\xd9\xa3", PH_E_PARSE, 0}, /* a digit in another script */
    {"nanx", PH_E_PARSE, 0},
    {"nan", PH_E_NOT_FINITE, 0},
    {"-NaN", PH_E_NOT_FINITE, 0},
    {"inf", PH_E_NOT_FINITE, 0},
    {"+Infinity", PH_E_NOT_FINITE, 0},
    {".inf", PH_E_NOT_FINITE, 0},
    {"1e309", PH_E_NOT_FINITE, 0},
    {"-1e99999999999999999999", PH_E_NOT_FINITE, 0},
};

TEST_EACH(numbers_are_read_strictly, sizeof numbers / sizeof numbers[0])
{
    double value = 42;
    ph_status status = ph_parse_number(numbers[_i].text, &value), want = numbers[_i].status;
    ck_assert_msg(status == want, "\"%s\": %s", numbers[_i].text, ph_status_name(status));
    ck_assert_double_eq(value, want ? 42 : numbers[_i].value); /* untouched where there is none */
    ck_assert_int_eq(signbit(value) != 0, !want && signbit(numbers[_i].value) != 0);
}

/* Digits beyond count are refused rather than cut, and 17 of them return the same bits. */
TEST(numbers_of_many_digits)
{
    char text[300];
    double value = 42;
    tk_random r = {17};
    memset(text, '1', sizeof text);
    text[100] = '\0';
    tk_ok(ph_parse_number(text, &value));
    ck_assert_double_eq_tol(value / 1.1111111111111111e99, 1, 1e-15);
    /* 127 characters are the most: one more has no room for the end of the text */
    text[100] = '1';
    text[127] = '\0';
    tk_ok(ph_parse_number(text, &value));
    ck_assert_double_eq_tol(value / 1.1111111111111111e126, 1, 1e-15);
    text[127] = '1';
    text[128] = '\0';
    ck_assert_int_eq(ph_parse_number(text, &value), PH_E_PARSE);
    text[128] = '1';
    text[299] = '\0';
    ck_assert_int_eq(ph_parse_number(text, &value), PH_E_PARSE);
    for (int i = 0; i < 2000; i++) {
        double sign = i % 2 ? -1 : 1, sent = sign * tk_log_uniform(&r, 1e-307, 1e308);
        snprintf(text, sizeof text, "%.17g", sent);
        tk_ok(ph_parse_number(text, &value));
        ck_assert_double_eq(value, sent);
    }
}

/* Another decimal point at home, be it of one byte or of two, changes nothing here; not even in the longest number that
 * is read, of 127 characters. */
TEST_EACH(numbers_in_other_locales, points())
{
    double value = 0;
    char text[200];
    point_set(_i);
    tk_ok(ph_parse_number("1.5", &value));
    ck_assert_double_eq(value, 1.5);
    tk_ok(ph_parse_number("-.125e1", &value));
    ck_assert_double_eq(value, -1.25);
    tk_ok(ph_parse_number("12e-1", &value));
    ck_assert_double_eq(value, 1.2);
    snprintf(text, sizeof text, "0.%0125d", 0);
    ck_assert_uint_eq(strlen(text), 127);
    text[2] = '5';
    text[126] = '9';
    tk_ok(ph_parse_number(text, &value));
    ck_assert_double_eq(value, 0.5);
    ck_assert_int_eq(ph_parse_number("1,5", &value), PH_E_PARSE);
    /* clang-format off */
    ck_assert_int_eq(ph_parse_number("1\xd9\xab" "5", &value), PH_E_PARSE);
    /* clang-format on */
    point_reset();
}

static const struct {
    const char *text;
    ph_status status;
    int64_t value;
} counts[] = {
    {"0", PH_OK, 0},
    {"-3", PH_OK, -3},
    {"1e6", PH_OK, 1000000},
    {"1.5e1", PH_OK, 15},
    {"10.0", PH_OK, 10},
    {"9007199254740991", PH_OK, 9007199254740991},
    {"-9007199254740991", PH_OK, -9007199254740991},
    {"9007199254740993", PH_E_RANGE, 0}, /* strtod would make it ...992 */
    {"9007199254740994", PH_E_RANGE, 0},
    {"1e300", PH_E_RANGE, 0},
    {"1e400", PH_E_RANGE, 0},
    {"inf", PH_E_RANGE, 0},
    {"nan", PH_E_RANGE, 0},
    {"1.5", PH_E_PARSE, 0},
    {"1e-1", PH_E_PARSE, 0},
    {"ten", PH_E_PARSE, 0},
    {"", PH_E_PARSE, 0},
    {"1e3x", PH_E_PARSE, 0},
};

TEST_EACH(counts_are_whole, sizeof counts / sizeof counts[0])
{
    int64_t value = 42;
    ph_status status = ph_parse_count(counts[_i].text, &value);
    ck_assert_msg(status == counts[_i].status, "\"%s\": %s", counts[_i].text, ph_status_name(status));
    ck_assert_int_eq(value, status ? 42 : counts[_i].value);
}

TEST(numbers_are_shown)
{
    ph_numbers shown;
    double v[20];
    ck_assert_str_eq(ph_show_numbers(&shown, "()", (double[]){1, -0.1}, 2), "(1, -0.10000000000000001)");
    ck_assert_str_eq(ph_show_numbers(&shown, "[]", (double[]){1e300}, 1), "[1.0000000000000001e+300]");
    ck_assert_str_eq(ph_show_numbers(&shown, "[]", NULL, 0), "[]");
    for (int i = 0; i < 20; i++)
        v[i] = -0x1.fffffffffffffp-1000; /* 24 characters and ", " each */
    for (size_t n = 1; n <= 20; n++) {
        const char *text = ph_show_numbers(&shown, "[]", v, n);
        const size_t all = n < 9 ? n : 9;
        ck_assert_uint_eq(strlen(text), 26 * all + (n > 9 ? 5 : 0));
        ck_assert_str_eq(text + strlen(text) - 2, n > 9 ? ".]" : "1]");
    }
}

/* ---- UTF-8 -------------------------------------------------------------------------------------- */

/* Valid sequences, among them the first and the last of each length, and those around the surrogates; then what
 * the standard (RFC 3629, section 3; Unicode, table 3-7) excludes, of which the first byte is replaced alone. */
static const struct {
    const char *bytes;
    unsigned code;
    size_t length;
} sequences[] = {{"a", 'a', 1},
                 {"\x7f", 0x7f, 1},
                 {"\xc2\x80", 0x80, 2},
                 {"\xdf\xbf", 0x7ff, 2},
                 {"\xe0\xa0\x80", 0x800, 3},
                 {"\xed\x9f\xbf", 0xd7ff, 3},
                 {"\xee\x80\x80", 0xe000, 3},
                 {"\xef\xbf\xbf", 0xffff, 3},
                 {"\xf0\x90\x80\x80", 0x10000, 4},
                 {"\xf4\x8f\xbf\xbf", 0x10ffff, 4},
                 {"", 0, 1},
                 {"\x80", 0xfffd, 1},             /* continues nothing */
                 {"\xc3", 0xfffd, 1},             /* cut short */
                 {"\xe2\x82", 0xfffd, 1},         /* likewise */
                 {"\xe2\x82z", 0xfffd, 1},        /* not continued */
                 {"\xc1\xbf", 0xfffd, 1},         /* overlong: 0x7f */
                 {"\xe0\x9f\xbf", 0xfffd, 1},     /* 0x7ff */
                 {"\xf0\x8f\xbf\xbf", 0xfffd, 1}, /* 0xffff */
                 {"\xed\xa0\x80", 0xfffd, 1},     /* surrogates */
                 {"\xed\xbf\xbf", 0xfffd, 1},
                 {"\xf4\x90\x80\x80", 0xfffd, 1}, /* beyond the last */
                 {"\xf8\x88\x80\x80\x80", 0xfffd, 1},
                 {"\xff", 0xfffd, 1}};

TEST_EACH(utf8_is_read_strictly, sizeof sequences / sizeof sequences[0])
{
    size_t n = 0;
    ck_assert_uint_eq(ph_utf8_next(sequences[_i].bytes, &n), sequences[_i].code);
    ck_assert_uint_eq(n, sequences[_i].length);
}

int main(void)
{
    return tk_run("text");
}
