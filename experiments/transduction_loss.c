/* SPDX-License-Identifier: BSD-3-Clause */
/* The paper's figure of the transductive loss with tau = 1: g1, g2, and T with its two convex parts. */
#include "plot/figure.h"
#include "speech.h"

#include <math.h>
#include <stdlib.h>

enum { POINTS = 241 };
static const double FAR = 6.0, TAU = 1.0;

static double g(double u)
{
    return u > 0.0 ? log1p(exp(-u)) : log1p(exp(u)) - u;
}

static double g1(double u)
{
    return (g(u) - g(u + TAU)) / TAU;
}

static double g2(double u)
{
    return g1(-u);
}

static double loss(double u)
{
    return 1.0 - g1(u) - g2(u);
}

static double convex_part(double u)
{
    return 1.0 + (g(u + TAU) + g(-u + TAU)) / TAU;
}

static double other_part(double u)
{
    return (g(u) + g(-u)) / TAU;
}

static int draw(const struct lab *lab, const char *name, const char *title, double (*const functions[])(double),
                const char *const *names, size_t count)
{
    double x[POINTS], y[3][POINTS];
    struct figure_series series[3];
    for (int i = 0; i < POINTS; i++) x[i] = FAR * (2.0 * i / (POINTS - 1) - 1.0);
    for (size_t k = 0; k < count; k++) {
        for (int i = 0; i < POINTS; i++) y[k][i] = functions[k](x[i]);
        series[k] =
            (struct figure_series){.name = names[k], .count = POINTS, .x = x, .y = y[k], .look = DCPN_FIGURE_PLAIN};
    }
    struct figure figure = {
        .title = title, .x_label = "score u", .y_label = "value", .series_count = count, .series = series};
    char *path = dcpn_exp_output_path(lab, name);
    int code = path ? dcpn_exp_check(lab, dcpn_figure_write(lab->context, path, &figure)) : 1;
    free(path);
    return code;
}

int dcpn_exp_transductive_loss(const struct lab *lab)
{
    double (*const parts[])(double) = {g1, g2, loss}, (*const split[])(double) = {loss, convex_part, other_part};
    static const char *const PARTS[] = {"g1(u)", "g2(u)", "T(u) = 1 - g1(u) - g2(u)"};
    static const char *const SPLIT[] = {"T(u) = T1(u) - T2(u)", "T1(u)", "T2(u)"};
    int code = draw(lab, "transductive-parts.svg", "The transductive loss and its parts, tau = 1", parts, PARTS, 3);
    return code ? code
                : draw(lab, "transductive-split.svg", "The transductive loss as a difference of convex functions",
                       split, SPLIT, 3);
}
