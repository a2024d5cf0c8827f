/* SPDX-License-Identifier: BSD-3-Clause */
/* How sure one may be: features chosen at a promised rate of false ones, and intervals of coefficients. */
#ifndef DCPN_INFERENCE_H
#define DCPN_INFERENCE_H

#include "handles.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- knockoffs ---- */

/* Knockoffs (Barber and Candes 2015; Candes, Fan, Janson and Lv 2018): each feature x_j gets copies that depend on the
 * other features as it does, but were made without the labels. A feature that adds nothing to the others is as likely
 * to lose against its copies as to win, so that those that lose say how many of those that win are false.
 *
 * "gaussian": the rows are drawn from a normal law, whose mean and covariance are estimated from them. Any loss, any
 * number of rows. "fixed": the features are what they are, and the labels are a linear function of them with normal
 * noise of one variance; the loss is squared and there are more rows than features. */
typedef struct dcpn_knockoff_options {
    double fdr;            /* the expected share of false features among the chosen, at most; 0: 0.1 */
    const char *kind;      /* "gaussian" or "fixed"; NULL: gaussian */
    const char *statistic; /* "coefficient": how large it is at one lambda; "entry": the lambda where it enters; NULL:
                            * coefficient */
    const char *distance;  /* of copies from what they copy: "mvr" or "equal"; NULL: mvr */
    int64_t copies;        /* of each feature; 0: as many as fdr wants (docs/inference.md) */
    int64_t draws;         /* of copies, whose choices are put together; 0: 5 */
    int is_lenient;        /* the threshold counts no loser more than there are */
    uint64_t seed;         /* of the copies and the folds */
    int64_t folds;         /* of the choice of lambda; 0: 10 */
    dcpn_path_observer *observer;
    void *user;
    int64_t reserved[8]; /* 0: room for members of later versions */
} dcpn_knockoff_options;

/* The law of the copies. */
typedef struct dcpn_knockoff_law {
    double shrinkage;   /* weight of the identity in the correlations */
    int64_t extra_rows; /* "fixed" with fewer rows than features and copies: rows of zeros that were added */
    int64_t constant;   /* features that do not vary, and have no copies */
    double correlation; /* the mean of those of a feature and its copy */
} dcpn_knockoff_law;

/* What was chosen, by how much. */
typedef struct dcpn_knockoffs dcpn_knockoffs;

/* Chooses features: those that win by the threshold, or with several draws, each at half the rate, those of the most
 * evidence (docs/inference.md). The settings say the loss and the penalty of the fits, whose lambda is chosen by
 * cross-validation, and by AIC where the features are fixed, since folds would break what is promised there. Groups,
 * bounds, penalty factors, rows without a label and more features than fit in memory are refused. */
DCPN_API dcpn_status dcpn_knockoffs_run(dcpn_context *context, const dcpn_problem *problem,
                                        const dcpn_settings *settings, const dcpn_knockoff_options *options,
                                        dcpn_knockoffs **knockoffs);
DCPN_API void dcpn_knockoffs_free(dcpn_knockoffs *knockoffs);
/* "kind", "statistic", "distance"; "fdr", "copies", "draws", "is_lenient", "seed"; "rows", "features"; "count" of
 * chosen ones; "lambda" where coefficients were compared, in the mean (NaN: where features enter); "threshold" of win
 * with one draw, else of evidence (infinite: no feature is chosen); "shrinkage", "extra_rows", "constant",
 * "correlation" of the law; "time_s". 0: there is no such field. */
DCPN_API int dcpn_knockoffs_get(const dcpn_knockoffs *knockoffs, const char *field, dcpn_value *value);
/* How many features are chosen, and which, ascending from 0. */
DCPN_API int64_t dcpn_knockoffs_chosen(const dcpn_knockoffs *knockoffs, const int64_t **index);
/* A number of each feature: "win", by how much it beats its copies, in the mean, below 0: it loses by so much;
 * "frequency", the share of the draws that choose it, each by itself; "evidence", the mean over draws of 1 / (false
 * ones expected among those that a draw chooses), 0 in others. NULL: there is no such measure. */
DCPN_API const double *dcpn_knockoffs_measure(const dcpn_knockoffs *knockoffs, const char *measure);

/* The copies alone, for a statistic of your own: copy k of feature j has its value of row i in
 * to[i + rows * (j + columns * k)]. "fixed" needs as many rows as there are features, copies and a constant. */
DCPN_API dcpn_status dcpn_knockoff_copies(dcpn_context *context, const dcpn_matrix *X,
                                          const dcpn_knockoff_options *options, double *to, dcpn_knockoff_law *law);
/* The least t > 0 with (1 + losers beyond t) / copies <= fdr * winners beyond t; infinite if there is none. */
DCPN_API double dcpn_knockoff_threshold(const double *win, int64_t count, int64_t copies, double fdr, int is_lenient);

/* ---- intervals ---- */

/* Intervals for the coefficients of chosen features, in a linear or logistic model of all features.
 *
 * "full": least squares, or maximum likelihood, on all features; exact for normal noise. "debiased" (Zhang and Zhang
 * 2014; van de Geer et al. 2014): a sparse fit, whose residuals are then compared with what the other features leave of
 * this one. "double" (Belloni, Chernozhukov and Hansen 2014): least squares, or maximum likelihood, on the feature,
 * those that a sparse fit of the labels uses, and those that a sparse fit of the feature itself uses. */
typedef struct dcpn_interval_options {
    const int64_t *features; /* from 0, distinct; NULL: all of them */
    int64_t count;
    double level;       /* share of intervals that hold the coefficient; 0: 0.95 */
    const char *method; /* "full", "double" or "debiased"; NULL: full where there are rows enough (docs/inference.md) */
    uint64_t seed;      /* of folds */
    int64_t folds;      /* of the choices of lambda; 0: 10 */
    dcpn_path_observer *observer;
    void *user;
    int64_t reserved[8]; /* 0: room for members of later versions */
} dcpn_interval_options;

/* An interval for each feature asked for. */
typedef struct dcpn_intervals dcpn_intervals;

/* The settings say the loss, squared or logistic, and the penalty of the sparse fit of the labels. Groups, bounds, rows
 * without a label and features that do not vary are refused. */
DCPN_API dcpn_status dcpn_intervals_run(dcpn_context *context, const dcpn_problem *problem,
                                        const dcpn_settings *settings, const dcpn_interval_options *options,
                                        dcpn_intervals **intervals);
DCPN_API void dcpn_intervals_free(dcpn_intervals *intervals);
/* "method", "loss", "level", "rows", "features"; "deviation" of the noise, of the fit of the labels (NaN of logistic
 * loss); "selected" features in the sparse fit of the labels (-1: there was none); "count" of intervals; "time_s". 0:
 * there is no such field. */
DCPN_API int dcpn_intervals_get(const dcpn_intervals *intervals, const char *field, dcpn_value *value);
/* "feature"; "estimate" and "error", its standard error; "low", "high"; "statistic" and "p_value" of the coefficient
 * being 0, two-sided; "beside", the features that it was adjusted for. 0: there is no such interval or field. */
DCPN_API int dcpn_intervals_get_of(const dcpn_intervals *intervals, int64_t interval, const char *field,
                                   dcpn_value *value);

#ifdef __cplusplus
}
#endif

#ifdef DCPN_LAYOUTS /* within the project */
#include "layout/inference.h"
#endif
#endif
