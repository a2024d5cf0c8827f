/* SPDX-License-Identifier: BSD-3-Clause */
/* The structs behind the handles of inference.h, which only the project itself sees: they may grow in any version. */
#ifndef DCPN_LAYOUT_INFERENCE_H
#define DCPN_LAYOUT_INFERENCE_H

#include "../inference.h"

struct dcpn_knockoffs {
    dcpn_context *context;
    const char *kind, *statistic, *distance;
    double fdr;
    int64_t copies, draws;
    int is_lenient;
    uint64_t seed;
    int64_t rows, features;
    dcpn_knockoff_law law;
    double lambda;     /* where coefficients were compared, in the mean; NaN: where features enter */
    double threshold;  /* of win with one draw, else of evidence; infinite: no feature is chosen */
    double *win;       /* of each feature: by how much it beats its copies, in the mean; below 0: it loses by so much */
    double *frequency; /* share of the draws that choose the feature, each by itself */
    double *evidence;  /* mean over draws of 1 / (false ones expected among those that a draw chooses), 0 in others */
    int64_t count;     /* chosen ones */
    int64_t *index;    /* ascending, from 0 */
    double time_s;
};

typedef struct dcpn_interval {
    int64_t feature;
    double estimate, error; /* and its standard error */
    double low, high;
    double statistic, p_value; /* of the coefficient being 0, two-sided */
    int64_t beside;            /* features that it was adjusted for */
} dcpn_interval;

struct dcpn_intervals {
    dcpn_context *context;
    const char *method, *loss;
    double level;
    int64_t rows, features;
    double deviation; /* of the noise, of the fit of the labels; NaN of logistic loss */
    int64_t selected; /* features in the sparse fit of the labels; -1: there was none */
    int64_t count;
    dcpn_interval *of;
    double time_s;
};

#endif
