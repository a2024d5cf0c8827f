/* SPDX-License-Identifier: BSD-3-Clause */
/* Text <-> number. Up to 19 digits are converted by decimal.c. Where that is not enough the C library converts, but
 * never sees or chooses a decimal point, the one thing in which locales differ: strtod gets "digits e exponent", and of
 * the output of %e only the digits are used. */
#include "base/number.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/decimal.h"

/* Two doubles and the number half way between them differ within 767 significant digits; what comes after can only
 * break a tie, and one non-zero digit does that as well as all of them. */
enum { MAX_DIGITS = 770, SHORT_DIGITS = 19 };

/* The decimal literal digits * 10^exponent. */
struct decimal {
    int count; /* significant digits kept */
    int tail;  /* a non-zero digit was not kept */
    int64_t exponent;
    char digits[MAX_DIGITS + 1];
};

static int is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static const char *skip_sign(const char *text, const char *end, int *negative)
{
    *negative = text < end && *text == '-';
    return text < end && (*text == '-' || *text == '+') ? text + 1 : text;
}

static void add_digit(struct decimal *decimal, char digit, int after_point)
{
    if (decimal->count == 0 && digit == '0') { /* leading zeros */
        decimal->exponent -= after_point;
    } else if (decimal->count < MAX_DIGITS) {
        decimal->digits[decimal->count++] = digit;
        decimal->exponent -= after_point;
    } else {
        decimal->tail |= digit != '0';
        decimal->exponent += !after_point;
    }
}

/* digits [. digits], with at least one digit; NULL: no number starts here. */
static const char *scan_digits(const char *text, const char *end, struct decimal *decimal)
{
    int any = 0;
    for (; text < end && is_digit(*text); text++, any = 1) add_digit(decimal, *text, 0);
    if (text < end && *text == '.')
        for (text++; text < end && is_digit(*text); text++, any = 1) add_digit(decimal, *text, 1);
    return any ? text : NULL;
}

/* e [sign] digits; anything else is left unread. */
static const char *scan_exponent(const char *text, const char *end, int64_t *sum)
{
    int64_t exponent;
    if (text == end || (*text != 'e' && *text != 'E')) return text;
    const char *after = dcpn_parse_integer(text + 1, end, &exponent);
    if (!after) return text;
    if (exponent > INT64_MAX / 4) exponent = INT64_MAX / 4;
    if (exponent < INT64_MIN / 4) exponent = INT64_MIN / 4;
    *sum += exponent;
    return after;
}

static double convert(const struct decimal *decimal)
{
    char text[MAX_DIGITS + 16];
    int64_t exponent = decimal->exponent;
    if (exponent > 9999) exponent = 9999; /* far beyond overflow, and underflow, of MAX_DIGITS digits */
    if (exponent < -9999) exponent = -9999;
    memcpy(text, decimal->digits, (size_t)decimal->count);
    /* A digit more divides the unit of the last place by ten. */
    if (decimal->tail) text[decimal->count] = '1';
    snprintf(text + decimal->count + decimal->tail, 16, "e%d", (int)exponent - decimal->tail);
    return strtod(text, NULL);
}

static const char *match_word(const char *text, const char *end, const char *word)
{
    for (; *word; word++, text++)
        if (text == end || (*text | 0x20) != *word) return NULL;
    return text;
}

static const char *scan_word(const char *text, const char *end, double *value)
{
    static const struct {
        const char *word;
        double value;
    } words[] = {{"infinity", INFINITY}, {"inf", INFINITY}, {"nan", NAN}};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        const char *after = match_word(text, end, words[i].word);
        if (!after) continue;
        *value = words[i].value;
        return after;
    }
    return NULL;
}

/* A number of any length. */
static const char *parse_long(const char *text, const char *end, double *value)
{
    struct decimal decimal;
    decimal.count = decimal.tail = 0;
    decimal.exponent = 0;
    const char *after = scan_digits(text, end, &decimal);
    if (!after) return scan_word(text, end, value);
    after = scan_exponent(after, end, &decimal.exponent);
    *value = decimal.count == 0 ? 0.0 : convert(&decimal);
    return after;
}

/* digits [. digits] [exponent] with at most SHORT_DIGITS digits; NULL: it is something else, or must be looked at more
 * closely. */
static const char *parse_short(const char *text, const char *end, double *value)
{
    uint64_t mantissa = 0;
    int64_t exponent = 0, digits;
    const char *start = text, *point;
    for (; text < end && is_digit(*text); text++) mantissa = 10 * mantissa + (uint64_t)(*text - '0');
    digits = text - start;
    if (text < end && *text == '.') {
        for (point = ++text; text < end && is_digit(*text); text++) mantissa = 10 * mantissa + (uint64_t)(*text - '0');
        exponent = point - text;
        digits -= exponent;
    }
    for (; digits > SHORT_DIGITS && (*start == '0' || *start == '.'); start++) digits -= *start == '0';
    if (digits < 1 || digits > SHORT_DIGITS) return NULL;
    text = scan_exponent(text, end, &exponent);
    if (mantissa == 0)
        *value = 0.0;
    else if (!dcpn_decimal_to_double(mantissa, exponent, value))
        return NULL;
    return text;
}

const char *dcpn_parse_double(const char *text, const char *end, double *value)
{
    int negative;
    text = skip_sign(text, end, &negative);
    const char *after = parse_short(text, end, value);
    if (!after) after = parse_long(text, end, value);
    if (after && negative) *value = -*value;
    return after;
}

int dcpn_is_number_word(const char *text, const char *end)
{
    return end > text && !is_digit(end[-1]) && end[-1] != '.';
}

const char *dcpn_parse_integer(const char *text, const char *end, int64_t *value)
{
    int negative;
    int64_t sum = 0; /* built on the side of its sign: INT64_MIN has no positive twin */
    text = skip_sign(text, end, &negative);
    if (text == end || !is_digit(*text)) return NULL;
    for (; text < end && is_digit(*text); text++) {
        int digit = negative ? '0' - *text : *text - '0';
        if (__builtin_mul_overflow(sum, 10, &sum) || __builtin_add_overflow(sum, digit, &sum)) {
            sum = negative ? INT64_MIN : INT64_MAX;
            while (text < end && is_digit(*text)) text++;
            break;
        }
    }
    *value = sum;
    return text;
}

/* The significant digits and the decimal exponent of the first of them, from "d?ddde[+-]xx" with any decimal point. */
static int split_digits(const char *text, char digits[DCPN_NUMBER_LENGTH], int *exponent)
{
    int count = 0;
    for (; *text != 'e'; text++)
        if (is_digit(*text)) digits[count++] = *text;
    *exponent = atoi(text + 1);
    while (count > 1 && digits[count - 1] == '0') count--;
    return count;
}

static int is_plain(int exponent)
{
    return exponent >= -5 && exponent < 15;
}

/* "ddd", "ddd.ddd" or "0.000ddd" */
static int write_plain(char *buffer, const char *digits, int count, int exponent)
{
    int length = 0;
    for (int place = exponent > 0 ? exponent : 0; place > exponent - count || place >= 0; place--) {
        int k = exponent - place;
        if (place == -1) buffer[length++] = '.';
        buffer[length++] = k < 0 || k >= count ? '0' : digits[k];
    }
    buffer[length] = '\0';
    return length;
}

/* "de-300" or "d.ddde20" */
static int write_scientific(char *buffer, const char *digits, int count, int exponent)
{
    return snprintf(buffer, DCPN_NUMBER_LENGTH - 1, "%c%s%.*se%d", digits[0], count > 1 ? "." : "", count - 1,
                    digits + 1, exponent);
}

static int write_special(char buffer[DCPN_NUMBER_LENGTH], double value)
{
    const char *text = isnan(value)     ? "nan"
                       : isinf(value)   ? (value < 0 ? "-inf" : "inf")
                       : signbit(value) ? "-0.0"
                                        : "0";
    return snprintf(buffer, DCPN_NUMBER_LENGTH, "%s", text);
}

static int write_with_precision(char buffer[DCPN_NUMBER_LENGTH], double value, int precision)
{
    char scientific[2 * DCPN_NUMBER_LENGTH], digits[DCPN_NUMBER_LENGTH];
    int exponent, sign = value < 0;
    snprintf(scientific, sizeof scientific, "%.*e", precision - 1, fabs(value));
    int count = split_digits(scientific, digits, &exponent);
    if (sign) buffer[0] = '-';
    return sign + (is_plain(exponent) ? write_plain : write_scientific)(buffer + sign, digits, count, exponent);
}

/* Whole numbers of at most 15 digits, which both forms write alike. */
static int write_whole(char buffer[DCPN_NUMBER_LENGTH], int64_t whole)
{
    char reversed[DCPN_NUMBER_LENGTH];
    int count = 0, length = 0;
    if (whole < 0) buffer[length++] = '-';
    for (uint64_t rest = (uint64_t)(whole < 0 ? -whole : whole); rest; rest /= 10)
        reversed[count++] = (char)('0' + rest % 10);
    while (count) buffer[length++] = reversed[--count];
    buffer[length] = '\0';
    return length;
}

int dcpn_format_double(char buffer[DCPN_NUMBER_LENGTH], double value)
{
    enum { FEWEST_DIGITS = 15, MOST_DIGITS = 17 };
    if (!isfinite(value) || value == 0) return write_special(buffer, value);
    if (fabs(value) < 1e15 && value == (double)(int64_t)value) return write_whole(buffer, (int64_t)value);
    for (int digits = FEWEST_DIGITS;; digits++) {
        double back;
        int length = write_with_precision(buffer, value, digits);
        if (digits == MOST_DIGITS) return length;
        dcpn_parse_double(buffer, buffer + length, &back);
        if (back == value) return length;
    }
}
