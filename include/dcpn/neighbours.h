/* SPDX-License-Identifier: BSD-3-Clause */
/* Graphs of variables that need not be Gaussian, one variable at a time: which others does each need to be
 * explained? */
#ifndef DCPN_NEIGHBOURS_H
#define DCPN_NEIGHBOURS_H

#include "handles.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Each variable in turn is the label of a fit to all others: by logistic loss if it takes two values (if all do, this
 * is the Ising model), else by squared loss. Two variables are joined if their two fits keep each other, or one of them
 * does. The fits have an intercept and take the mean of the losses over the rows (--scale mean). They are paths down a
 * grid of lambdas, or one lambda, with the penalty, shape, ridge, tolerance and limits of the settings; each ends at
 * the lambda with the least EBIC. They read the data where they are; with standardised columns one copy, which is there
 * for all of them. */
typedef enum dcpn_neighbour_rule {
    DCPN_NEIGHBOURS_AND, /* both fits keep the other variable */
    DCPN_NEIGHBOURS_OR   /* one of them does */
} dcpn_neighbour_rule;

/* Zeros stand for the defaults. */
typedef struct dcpn_neighbour_options {
    dcpn_neighbour_rule rule;
    int two_values;        /* a variable with more than two values is refused */
    const double *weights; /* of the rows; NULL: 1 */
    const double *lambdas; /* descending; NULL: a grid for each variable */
    int64_t lambda_count;  /* 0: 30 */
    double min_ratio;      /* least lambda / largest one of a grid; 0: 0.05 */
    double gamma;          /* of EBIC, 0 to 1; negative: 0, like BIC; 0: 0.5 */
    int64_t reserved[8]; /* 0: room for members of later versions */
} dcpn_neighbour_options;

/* The fits and the edges. */
typedef struct dcpn_neighbours dcpn_neighbours;

DCPN_API dcpn_status dcpn_neighbours_fit(dcpn_context *context, const dcpn_matrix *X, const dcpn_settings *settings,
                                         const dcpn_neighbour_options *options, dcpn_neighbours **neighbours);
DCPN_API void dcpn_neighbours_free(dcpn_neighbours *neighbours);
/* "variables", "edges", "rule", "penalty", "time_s". 0: there is no such field. */
DCPN_API int dcpn_neighbours_get(const dcpn_neighbours *neighbours, const char *field, dcpn_value *value);
/* Fields of the fit of one variable to all others: "loss" (logistic: the greater one of its values against the other;
 * or squared), "lambda", "ebic", "intercept", "low", "high" and "mean" of the variable in the rows of the fit, and the
 * fields of the result. 0: there is no such variable or field. */
DCPN_API int dcpn_neighbours_get_of_fit(const dcpn_neighbours *neighbours, int64_t variable, const char *field,
                                        dcpn_value *value);
/* How many coefficients a fit has that are not 0, and where they are, on the scale of the data, and their variables,
 * ascending. */
DCPN_API int64_t dcpn_neighbours_coefficients(const dcpn_neighbours *neighbours, int64_t variable,
                                              const int64_t **index, const double **value);
/* An edge, first < second; they are ordered by first, then by second. Its weight is the root of the product of the two
 * coefficients, with their sign: of two Gaussian variables the partial correlation, of two that are 0 or 1 the
 * logarithm of their odds ratio given the others; their mean where one is 0, or their signs differ. 0: there is no such
 * edge. */
DCPN_API int dcpn_neighbours_edge(const dcpn_neighbours *neighbours, int64_t edge, int64_t *first, int64_t *second,
                                  double *weight);
/* Names of the variables, which are copied, for files and pictures. NULL: they have none. */
DCPN_API dcpn_status dcpn_neighbours_set_names(dcpn_neighbours *neighbours, const char *const *names);

/* Each NaN among rows x variables numbers, row by row, becomes what its own fit expects of it given the others of its
 * row: of two values a mean of them, weighed by their probabilities. Where several are missing in a row, they take
 * turns until none changes (the mean field), from the means on, none beyond the values that the fits have seen. */
DCPN_API dcpn_status dcpn_neighbours_fill(const dcpn_neighbours *neighbours, int64_t rows, double *values);

/* JSON (docs/file-formats.md); "-" is standard output or input. */
DCPN_API dcpn_status dcpn_neighbours_write(const dcpn_neighbours *neighbours, const char *path);
/* Does a file begin as such graphs do? 0 for what can be read but once. */
DCPN_API int dcpn_neighbours_begin(dcpn_context *context, const char *path);
/* The fits have what the file has: loss, lambda, EBIC, values, coefficients, objective, certificate, outcome. */
DCPN_API dcpn_status dcpn_neighbours_read(dcpn_context *context, const char *path, dcpn_neighbours **neighbours);

#ifdef __cplusplus
}
#endif

#ifdef DCPN_LAYOUTS /* within the project */
#include "layout/neighbours.h"
#endif
#endif
