/* SPDX-License-Identifier: BSD-3-Clause */
/* Maximum likelihood on some columns and a constant: least squares, or logistic regression. */
#ifndef DCPN_SRC_LIKELIHOOD_H
#define DCPN_SRC_LIKELIHOOD_H

#include "matrix/matrix.h"

/* Rows with what is known of them. */
struct observed {
    dcpn_context *context;
    const dcpn_matrix *A;
    int is_logistic;
    const double *y;               /* 0 and 1 of classes */
    const double *weights, *offset; /* NULL: 1, 0 */
    double rows;                   /* with a weight above 0 */
};

struct likelihood_fit {
    const struct observed *of;
    int64_t count, size;     /* columns, and with the constant behind them */
    double *C;               /* centred and scaled, one after another */
    double *mean, *scale;    /* how */
    double *b;               /* coefficients of C */
    double *L;               /* L L' is the Hessian there */
    double *u, *r, *w;       /* scores, residuals and weights of rows there */
    double *step;
    double freedom, variance; /* of the noise: sum of w r^2 / freedom; 1 and infinite of classes */
};

/* Fits `count` distinct columns, which must be fewer than rows and independent. */
dcpn_status dcpn_likelihood_fit(const struct observed *of, const int64_t *columns, int64_t count,
                                struct likelihood_fit *fit);
void dcpn_likelihood_free(struct likelihood_fit *fit);
/* The estimate of the column at place k, and its standard error. */
void dcpn_likelihood_of(const struct likelihood_fit *fit, int64_t k, double *estimate, double *error);

#endif
