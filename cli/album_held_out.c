/* SPDX-License-Identifier: BSD-3-Clause */
/* The figures of rows that were held out: ROC curve and calibration of two classes, predicted against true numbers. */
#include "album.h"
#include "held_out.h"
#include "label_text.h"

#include <math.h>
#include <string.h>

/* The album keeps what a figure borrows. */
static int keep_curve(struct album *album, const struct curve *curve, struct figure_series *series)
{
    double *numbers = dcpn_cli_album_allocate(album, 3 * curve->count, sizeof *numbers);
    size_t size = (size_t)curve->count * sizeof *numbers;
    if (!numbers) return dcpn_status_exit_code(DCPN_MEMORY);
    double *y = numbers + curve->count, *deviation = y + curve->count;
    memcpy(numbers, curve->x, size);
    memcpy(y, curve->y, size);
    if (curve->deviation) memcpy(deviation, curve->deviation, size);
    series->x = numbers;
    series->y = y;
    series->deviation = curve->deviation ? deviation : NULL;
    series->count = (size_t)curve->count;
    return 0;
}

/* A curve, and a straight line from one corner to another to compare it with. */
static int add(struct album *album, const char *id, const char *title, const struct curve *curve, enum figure_look look,
               double from, double to)
{
    struct figure_series *series = dcpn_cli_album_allocate(album, 2, sizeof *series);
    double *ends = dcpn_cli_album_allocate(album, 2, sizeof *ends);
    if (!series || !ends) return dcpn_status_exit_code(DCPN_MEMORY);
    ends[0] = from;
    ends[1] = to;
    series[0] = (struct figure_series){.name = "", .look = look};
    series[1] = (struct figure_series){.name = "", .count = 2, .x = ends, .y = ends, .look = DCPN_FIGURE_FAINT};
    int code = keep_curve(album, curve, &series[0]);
    if (code) return code;
    struct picture *picture = dcpn_cli_album_add(album, id, title);
    picture->is_small = 1;
    picture->figure.series = series;
    picture->figure.series_count = 2;
    return 0;
}

static struct picture *last_of(struct album *album)
{
    return &album->pictures[album->count - 1];
}

static double area_below(const struct curve *curve)
{
    double area = 0.0;
    for (int64_t k = 1; k < curve->count; k++)
        area += (curve->x[k] - curve->x[k - 1]) * (curve->y[k] + curve->y[k - 1]) / 2.0;
    return area;
}

static int add_roc(struct album *album, const struct held_out *held)
{
    struct curve curve;
    int code = dcpn_cli_held_out_roc(album->cli, held, &curve);
    if (!code) code = add(album, "roc", "ROC curve", &curve, DCPN_FIGURE_PLAIN, 0.0, 1.0);
    if (!code) {
        struct picture *picture = last_of(album);
        picture->heading = "On rows that were held out";
        picture->figure.x_label = "false alarms, share of the negative rows";
        picture->figure.y_label = "found, share of the positive rows";
        picture->figure.faint_label = "a coin";
        snprintf(picture->caption, sizeof picture->caption,
                 "What is found at each price in false alarms; the area below it is %.3g.", area_below(&curve));
    }
    dcpn_cli_curve_free(&curve);
    return code;
}

static int add_calibration(struct album *album, const struct held_out *held)
{
    struct curve curve;
    int code = dcpn_cli_held_out_calibration(album->cli, held, &curve);
    if (!code && curve.count >= 2) {
        code = add(album, "calibration", "Calibration", &curve, DCPN_FIGURE_DOTS, 0.0, 1.0);
        if (!code) {
            struct picture *picture = last_of(album);
            picture->figure.x_label = "predicted probability";
            picture->figure.y_label = "share that is positive";
            picture->figure.faint_label = "as predicted";
            snprintf(picture->caption, sizeof picture->caption,
                     "Rows in %lld groups by their predicted probability, with bars of one standard error.",
                     (long long)curve.count);
        }
    }
    dcpn_cli_curve_free(&curve);
    return code;
}

static int add_numbers(struct album *album, const struct held_out *held)
{
    struct curve curve;
    int code = dcpn_cli_held_out_numbers(album->cli, held, &curve);
    double low = INFINITY, high = -INFINITY;
    for (int64_t k = 0; !code && k < curve.count; k++) {
        low = fmin(low, fmax(curve.x[k], curve.y[k]));
        high = fmax(high, fmin(curve.x[k], curve.y[k]));
    }
    if (!code && curve.count)
        code = add(album, "predicted", "Predicted and true", &curve, DCPN_FIGURE_POINTS, low, high);
    if (!code && curve.count) {
        struct picture *picture = last_of(album);
        picture->heading = "On rows that were held out";
        picture->figure.x_label = "predicted";
        picture->figure.y_label = "true";
        picture->figure.faint_label = "as predicted";
        snprintf(picture->caption, sizeof picture->caption, "Each dot is a row%s.",
                 curve.count < held->rows->rows ? ", some of them" : "");
    }
    dcpn_cli_curve_free(&curve);
    return code;
}

int dcpn_cli_album_add_held_out(struct album *album)
{
    const dcpn_paths *paths = album->results->paths;
    struct held_out held;
    if (!dcpn_cli_held_out_at(album->results, album->choice, &held)) return 0;
    if (dcpn_cli_are_several(paths->scores, &paths->labels) || strcmp(paths->settings.loss, "cox") == 0) return 0;
    if (!paths->labels.count) return add_numbers(album, &held);
    int code = add_roc(album, &held);
    return code || strcmp(paths->settings.loss, "logistic") != 0 ? code : add_calibration(album, &held);
}
