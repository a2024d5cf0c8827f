/* SPDX-License-Identifier: BSD-3-Clause */
/* Text <-> number: correctly rounded, exact both ways, whatever the locale. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/number.h"

static double parse(const char *text)
{
    double value = -77.0;
    const char *end = text + strlen(text);
    if (dcpn_parse_double(text, end, &value) != end) fail_msg("%s was not read to its end", text);
    return value;
}

static uint64_t bits(double value)
{
    uint64_t result;
    memcpy(&result, &value, sizeof result);
    return result;
}

/* Hexadecimal constants: the expected values owe nothing to a decimal conversion. */
static const struct {
    const char *text;
    double value;
} known[] = {
    {"0", 0.0},
    {"-0", -0.0},
    {"+1", 1.0},
    {"1.", 1.0},
    {".5", 0.5},
    {"007.50", 7.5},
    {"1e0", 1.0},
    {"1E+2", 100.0},
    {"25e-2", 0.25},
    {"0.1", 0x1.999999999999ap-4},
    {"1e22", 0x1.0f0cf064dd592p+73},
    {"1e23", 0x1.52d02c7e14af6p+76},
    {"9007199254740993", 0x1p53}, /* half way: to even */
    {"9007199254740993.00000000000000000001", 0x1.0000000000001p53},
    {"9007199254740992.99999999999999999999", 0x1p53},
    {"9007199254740995", 0x1.0000000000002p53},
    {"1.7976931348623157e308", 0x1.fffffffffffffp1023},
    {"1.7976931348623158e308", 0x1.fffffffffffffp1023},
    {"1.7976931348623159e308", INFINITY},
    {"2e308", INFINITY},
    {"-1e400", -INFINITY},
    {"1e99999999999999999999", INFINITY},
    {"2.2250738585072011e-308", 0x0.fffffffffffffp-1022},
    {"4.9406564584124654e-324", 0x1p-1074},
    {"2.4703282292062327e-324", 0.0},
    {"2.4703282292062328e-324", 0x1p-1074},
    {"1e-99999999999999999999", 0.0},
    {"0e99999999999999999999", 0.0},
    {"123456789012345678901234567890", 0x1.8ee90ff6c373ep+96},
};

static void test_known_values(void **state)
{
    (void)state;
    for (size_t k = 0; k < sizeof known / sizeof *known; k++)
        if (bits(parse(known[k].text)) != bits(known[k].value))
            fail_msg("%s gave %a, expected %a", known[k].text, parse(known[k].text), known[k].value);
}

/* 1 + 2^-53 has 54 significant digits; a digit far behind decides to which side it goes. */
static void test_long_digit_strings(void **state)
{
    enum { ZEROS = 5000 };
    static char text[ZEROS + 100];
    (void)state;
    strcpy(text, "1.00000000000000011102230246251565404236316680908203125");
    assert_true(parse(text) == 1.0);
    size_t length = strlen(text);
    memset(text + length, '0', ZEROS);
    strcpy(text + length + ZEROS, "1");
    assert_true(parse(text) == 0x1.0000000000001p0);

    memset(text, '0', ZEROS); /* 0.000...01e5000 */
    text[1] = '.';
    snprintf(text + ZEROS, 20, "1e%d", ZEROS - 1);
    assert_true(parse(text) == 1.0);

    memset(text, '0', ZEROS); /* 1000...0e-5000 */
    text[0] = '1';
    snprintf(text + ZEROS, 20, "e-%d", ZEROS - 1);
    assert_true(parse(text) == 1.0);
}

static void test_stops_where_the_number_ends(void **state)
{
    static const struct {
        const char *text;
        int read; /* -1: no number */
    } cases[] = {{"1 2", 1},   {"1:2", 1},       {"1,5", 1},  {"1e", 1},   {"1e+", 1}, {"1e5x", 3},
                 {"1.5.2", 3}, {"0x10", 1},      {"", -1},    {"-", -1},   {".", -1},  {"+.e1", -1},
                 {"e5", -1},   {"abc", -1},      {" 1", -1},  {"--1", -1}, {"nan", 3}, {"-NaN(1)", 4},
                 {"inf", 3},   {"+Infinity", 9}, {"infi", 3}, {"in", -1}};
    (void)state;
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        double value;
        const char *after = dcpn_parse_double(cases[k].text, cases[k].text + strlen(cases[k].text), &value);
        int read = after ? (int)(after - cases[k].text) : -1;
        if (read != cases[k].read)
            fail_msg("'%s': %d characters read, expected %d", cases[k].text, read, cases[k].read);
    }
    double value;
    const char digits[] = "12345";
    assert_ptr_equal(dcpn_parse_double(digits, digits + 2, &value), digits + 2);
    assert_true(value == 12.0);
}

static void test_words_and_overflow_differ(void **state)
{
    const char *word = "-inf", *digits = "1e999", *point = "1.";
    (void)state;
    assert_true(isnan(parse("nan")));
    assert_true(parse(word) == -HUGE_VAL);
    assert_true(dcpn_is_number_word(word, word + 4));
    assert_false(dcpn_is_number_word(digits, digits + 5));
    assert_false(dcpn_is_number_word(point, point + 2));
}

static void test_integers(void **state)
{
    static const struct {
        const char *text;
        int64_t value;
        int read;
    } cases[] = {{"0", 0, 1},
                 {"+12:", 12, 3},
                 {"-7.5", -7, 2},
                 {"9223372036854775807", INT64_MAX, 19},
                 {"9223372036854775808", INT64_MAX, 19},
                 {"-9223372036854775808", INT64_MIN, 20},
                 {"-99999999999999999999999 ", INT64_MIN, 24}};
    int64_t value;
    const char *none = "x";
    (void)state;
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        const char *after = dcpn_parse_integer(cases[k].text, cases[k].text + strlen(cases[k].text), &value);
        assert_ptr_equal(after, cases[k].text + cases[k].read);
        assert_true(value == cases[k].value);
    }
    assert_null(dcpn_parse_integer(none, none + 1, &value));
    assert_null(dcpn_parse_integer(none, none, &value));
}

static void test_format(void **state)
{
    static const struct {
        double value;
        const char *text;
    } cases[] = {{0.0, "0"},
                 {-0.0, "-0.0"},
                 {1.0, "1"},
                 {-12.0, "-12"},
                 {0.1, "0.1"},
                 {123456.75, "123456.75"},
                 {1e14, "100000000000000"},
                 {1e15, "1e15"},
                 {1e300, "1e300"},
                 {-1.5e-7, "-1.5e-7"},
                 {1e-5, "0.00001"},
                 {100.5, "100.5"},
                 {0.1 + 0.2, "0.30000000000000004"},
                 {1.0 / 3.0, "0.3333333333333333"},
                 {0x1p-1074, "4.94065645841247e-324"},
                 {INFINITY, "inf"},
                 {-INFINITY, "-inf"},
                 {NAN, "nan"}};
    char text[DCPN_NUMBER_LENGTH];
    (void)state;
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        assert_int_equal(dcpn_format_double(text, cases[k].value), strlen(cases[k].text));
        assert_string_equal(text, cases[k].text);
    }
}

static uint64_t next_random(uint64_t *seed)
{
    *seed ^= *seed << 13;
    *seed ^= *seed >> 7;
    *seed ^= *seed << 17;
    return *seed;
}

static void test_round_trip(void **state)
{
    uint64_t seed = 88172645463325252u;
    char text[DCPN_NUMBER_LENGTH];
    (void)state;
    for (int k = 0; k < 200000; k++) {
        uint64_t random = next_random(&seed);
        double value;
        memcpy(&value, &random, sizeof value);
        if (isfinite(value)) {
            assert_in_range(dcpn_format_double(text, value), 1, 24);
            if (bits(parse(text)) != bits(value)) fail_msg("%a was written as %s", value, text);
        }
    }
}

/* The C library, in its C locale, is the witness; digits and exponents around the fast path. */
static void test_agrees_with_strtod(void **state)
{
    uint64_t seed = 1234567;
    (void)state;
    for (int k = 0; k < 200000; k++) {
        char text[80];
        uint64_t mantissa = next_random(&seed) >> (next_random(&seed) % 60);
        int exponent = (int)(next_random(&seed) % 60) - 30;
        snprintf(text, sizeof text, "%llu.%03de%d", (unsigned long long)mantissa, (int)(next_random(&seed) % 1000),
                 exponent);
        if (bits(parse(text)) != bits(strtod(text, NULL))) fail_msg("%s gave %a", text, parse(text));
    }
}

static void test_locale_does_not_matter(void **state)
{
    static const char *const names[] = {"de_DE.UTF-8", "fr_FR.UTF-8", "de_DE.utf8", "fr_FR.utf8", "ps_AF.UTF-8"};
    char text[DCPN_NUMBER_LENGTH];
    int found = 0;
    (void)state;
    for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
        if (!setlocale(LC_NUMERIC, names[k])) continue;
        found = 1;
        assert_true(parse("123456789.123456789e-30") == 0x1.2a800d1ab50afp-73);
        dcpn_format_double(text, 0.30000000000000004);
        assert_string_equal(text, "0.30000000000000004");
    }
    setlocale(LC_NUMERIC, "C");
    if (!found) skip();
}

static void assert_as_strtod(const char *text)
{
    double expected = strtod(text, NULL); /* of the C library, which rounds correctly */
    if (bits(parse(text)) != bits(expected)) fail_msg("%s gave %a, expected %a", text, parse(text), expected);
}

static void test_random_decimals(void **state)
{
    uint64_t seed = 2463534242u;
    char text[80];
    (void)state;
    for (int k = 0; k < 300000; k++) {
        int count = 1 + (int)(next_random(&seed) % 25), point = (int)(next_random(&seed) % 26), length = 0;
        if (next_random(&seed) % 2) text[length++] = '-';
        for (int i = 0; i < count; i++) {
            if (i == point) text[length++] = '.';
            text[length++] = (char)('0' + next_random(&seed) % 10 * (next_random(&seed) % 4 > 0));
        }
        text[length] = '\0';
        if (next_random(&seed) % 2)
            snprintf(text + length, sizeof text - (size_t)length, "e%d", (int)(next_random(&seed) % 181) - 90);
        assert_as_strtod(text);
    }
}

/* Numbers half way between two doubles, and the ones right beside them. */
static void test_ties(void **state)
{
    uint64_t seed = 362436069u;
    char text[80];
    (void)state;
    for (int k = 0; k < 100000; k++) {
        int shift = 1 + (int)(next_random(&seed) % 11);
        uint64_t significand = UINT64_C(1) << 52 | next_random(&seed) >> 12;
        uint64_t half_way = significand << shift | UINT64_C(1) << (shift - 1);
        for (int beside = -1; beside <= 1; beside++) {
            snprintf(text, sizeof text, "%llu", (unsigned long long)half_way + (unsigned long long)beside);
            assert_as_strtod(text);
        }
        if (shift > 3) continue; /* n + 1/2, 1/4 or 1/8 in decimals */
        uint64_t whole = significand >> (shift + 9), eighths = (significand >> 9) << 3 >> shift & 7;
        snprintf(text, sizeof text, "%llu.%03llu", (unsigned long long)whole, (unsigned long long)eighths * 125);
        assert_as_strtod(text);
        snprintf(text, sizeof text, "%llu5e-%d", (unsigned long long)(significand >> 3), shift);
        assert_as_strtod(text);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_known_values),
        cmocka_unit_test(test_long_digit_strings),
        cmocka_unit_test(test_stops_where_the_number_ends),
        cmocka_unit_test(test_words_and_overflow_differ),
        cmocka_unit_test(test_integers),
        cmocka_unit_test(test_format),
        cmocka_unit_test(test_random_decimals),
        cmocka_unit_test(test_ties),
        cmocka_unit_test(test_round_trip),
        cmocka_unit_test(test_agrees_with_strtod),
        cmocka_unit_test(test_locale_does_not_matter),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
