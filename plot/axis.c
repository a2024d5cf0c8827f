/* SPDX-License-Identifier: BSD-3-Clause */
/* An axis of a figure: its range, and its ticks at numbers that people like. */
#include "axis.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define MINUS "\xE2\x88\x92"
#define TIMES "\xC3\x97"
#define LARGEST 1e250

void dcpn_figure_axis_begin(struct figure_axis *axis, int is_log)
{
    *axis = (struct figure_axis){.is_log = is_log, .is_empty = 1, .low = INFINITY, .high = -INFINITY};
}

int dcpn_figure_axis_takes(const struct figure_axis *axis, double value)
{
    return axis->is_log ? value >= 1.0 / LARGEST && value <= LARGEST : fabs(value) <= LARGEST;
}

int dcpn_figure_axis_shows(const struct figure_axis *axis, double value)
{
    return dcpn_figure_axis_takes(axis, value) && value >= axis->low && value <= axis->high;
}

void dcpn_figure_axis_include(struct figure_axis *axis, double value)
{
    if (!dcpn_figure_axis_takes(axis, value)) return;
    axis->low = fmin(axis->low, value);
    axis->high = fmax(axis->high, value);
    axis->is_empty = 0;
}

void dcpn_figure_axis_raise(struct figure_axis *axis, double share)
{
    double more = share / (1.0 - share);
    if (axis->is_empty) return;
    if (axis->is_log)
        axis->high *= pow(axis->high / axis->low, more);
    else
        axis->high += more * (axis->high > axis->low ? axis->high - axis->low : fabs(axis->high));
}

/* ---- The range ---- */

static void widen_log(struct figure_axis *axis)
{
    double decades = log10(axis->high) - log10(axis->low);
    double factor = decades > 1e-9 ? pow(10.0, 0.03 * decades) : 2.0;
    axis->low /= factor;
    axis->high *= factor;
}

/* Adds a margin. An axis that is nearly at 0 begins there; a single value stands in the middle. */
static void widen_linear(struct figure_axis *axis)
{
    double size = fmax(fabs(axis->low), fabs(axis->high)), span = axis->high - axis->low;
    double margin = span > 1e-9 * size ? 0.04 * span : size > 0.0 ? 0.1 * size : 1.0;
    int from_zero = axis->low >= 0.0 && axis->low <= 0.3 * axis->high && axis->high > 0.0;
    axis->low = from_zero ? 0.0 : axis->low - margin;
    axis->high += margin;
}

/* ---- Labels ---- */

static void write_number(char *text, int decimals, double value)
{
    snprintf(text, FIGURE_LABEL_SIZE, "%s%.*f", value < 0.0 ? MINUS : "", decimals < 0 ? 0 : decimals, fabs(value));
}

static void write_exponent(struct figure_tick *tick, int exponent)
{
    write_number(tick->exponent, 0, exponent);
}

/* place: the decimal place of the last digit that counts, 2 for hundreds, -1 for tenths. */
static void write_label(struct figure_tick *tick, double largest, int place)
{
    if (fabs(tick->value) <= 0.0) {
        strcpy(tick->label, "0");
    } else if (largest < 1e6 && place >= -6) {
        write_number(tick->label, -place, tick->value);
    } else {
        int exponent = (int)floor(log10(fabs(tick->value)) + 1e-12);
        write_number(tick->label, exponent - place, tick->value / pow(10.0, exponent));
        strncat(tick->label, TIMES "10", FIGURE_LABEL_SIZE - strlen(tick->label) - 1);
        write_exponent(tick, exponent);
    }
}

static struct figure_tick *add_tick(struct figure_axis *axis, double value)
{
    if (axis->tick_count == FIGURE_MOST_TICKS || !(value >= axis->low && value <= axis->high)) return NULL;
    struct figure_tick *tick = &axis->ticks[axis->tick_count++];
    *tick = (struct figure_tick){.value = value};
    return tick;
}

/* ---- Ticks ---- */

/* 1, 2 or 5 times a power of ten. */
static double nice_step(double least)
{
    double power = pow(10.0, floor(log10(least)));
    double digit = least / power;
    return power * (digit <= 1.0 ? 1.0 : digit <= 2.0 ? 2.0 : digit <= 5.0 ? 5.0 : 10.0);
}

static void choose_linear_ticks(struct figure_axis *axis, int labels)
{
    double step = nice_step((axis->high - axis->low) / labels), first = ceil(axis->low / step);
    double largest = fmax(fabs(axis->low), fabs(axis->high));
    int place = (int)floor(log10(step) + 1e-9);
    for (int i = 0; i <= 2 * labels; i++) {
        struct figure_tick *tick = add_tick(axis, (first + i) * step);
        if (tick) write_label(tick, largest, place);
    }
}

static void choose_decades(struct figure_axis *axis, int first, int last, int labels)
{
    int stride = (last - first) / labels + 1, plain = first >= -3 && last <= 4;
    for (int d = first - 1; d <= last; d++) {
        struct figure_tick *tick = d % stride == 0 ? add_tick(axis, pow(10.0, d)) : NULL;
        if (tick && plain) write_number(tick->label, -d, tick->value);
        if (tick && !plain) strcpy(tick->label, "10"), write_exponent(tick, d);
        for (int digit = 2; digit <= 9 && last - first < 7; digit++) add_tick(axis, digit * pow(10.0, d));
    }
}

/* Within two or three decades: 1, 2, 5, 10, 20, ... */
static int choose_digits(struct figure_axis *axis, int first, int last)
{
    int labelled = 0;
    for (int d = first - 1; d <= last; d++) {
        for (int digit = 1; digit <= 9; digit++) {
            struct figure_tick *tick = add_tick(axis, digit * pow(10.0, d));
            if (!tick || (digit != 1 && digit != 2 && digit != 5)) continue;
            write_label(tick, axis->high, d);
            labelled++;
        }
    }
    return labelled;
}

static void choose_log_ticks(struct figure_axis *axis, int labels)
{
    int first = (int)ceil(log10(axis->low)), last = (int)floor(log10(axis->high));
    if (last - first >= 2) {
        choose_decades(axis, first, last, labels);
    } else if (choose_digits(axis, first, last) < 3) {
        axis->tick_count = 0;
        choose_linear_ticks(axis, labels);
    }
}

void dcpn_figure_axis_finish(struct figure_axis *axis, int labels)
{
    if (axis->is_empty) {
        axis->low = axis->is_log ? 1.0 : 0.0;
        axis->high = axis->is_log ? 10.0 : 1.0;
    } else if (axis->is_log) {
        widen_log(axis);
    } else {
        widen_linear(axis);
    }
    if (axis->is_log)
        choose_log_ticks(axis, labels);
    else
        choose_linear_ticks(axis, labels);
}

double dcpn_figure_axis_share(const struct figure_axis *axis, double value)
{
    if (axis->is_log) return (log(value) - log(axis->low)) / (log(axis->high) - log(axis->low));
    return (value - axis->low) / (axis->high - axis->low);
}
