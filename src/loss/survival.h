/* SPDX-License-Identifier: BSD-3-Clause */
/* Times with their risk sets: who was under observation when an event happened. */
#ifndef DCPN_SRC_SURVIVAL_H
#define DCPN_SRC_SURVIVAL_H

#include <math.h>

#include "dcpn/extend.h"

/* An instant at which there were events, in one stratum. */
struct instant {
    double time;
    int64_t stratum;    /* its position among those that have events */
    int64_t begin, end; /* of the rows with an event then, in `events` */
    double weight;      /* of these */
    int64_t terms;      /* of the likelihood: 1 (Breslow), or one for each event of some weight (Efron) */
    int is_first;       /* of its stratum */
};

/* The scores u that x, scale, S and D are those of, with 1 / S and the sums that products with the Hessian need
 * (cox.c). */
struct known_scores {
    double *u, *inverse, *squares[3];
    int is_there, has_squares;
};

/* Row i is at risk at the instants entry[i] .. exit[i] - 1. */
struct survival {
    dcpn_context *context;
    int64_t rows, count; /* of instants, by stratum, and by time in each */
    struct instant *instants;
    int64_t *entry, *exit;
    int64_t *at;                               /* the instant of the row's own event; -1: it has none */
    int64_t *events;                           /* rows with an event, instant after instant */
    double *weight;                            /* of the rows, as given */
    double *x, *scale, *S, *D, *M, *N, *P, *R; /* space: of the rows x and scale, else one number more than instants */
    struct known_scores known;
    int is_efron;
    double *tree; /* where some rows enter late: of sums over ranges of instants, 2 for each; NULL: none does */
};

/* The rows that risk sets are made from. y is the time of each row, below 0 (-0 too) if it was censored then.
 * weights, start (the time from which the row was under observation) and strata may be NULL. The arrays are not
 * kept. */
struct survival_rows {
    int64_t rows;
    const double *y, *weights, *start, *strata;
    int is_efron;
};
dcpn_status dcpn_survival_new(dcpn_context *context, const struct survival_rows *given, struct survival **survival);
void dcpn_survival_free(struct survival *survival);

/* Sets each row to the sum of of_instants over the instants at which it is at risk. The arrays may not overlap. */
void dcpn_survival_gather(const struct survival *s, const double *of_instants, double *of_rows);
/* The reverse: sets each instant to the sum of of_rows over the rows at risk then. */
void dcpn_survival_scatter(const struct survival *s, const double *of_rows, double *of_instants);

/* cox.c: computes by how much the cumulative hazard of a row of score 0 grows at each instant. It is estimated from
 * rows with the scores u: the weight of the events over the sum at risk (Breslow), or the sum over the terms of the
 * likelihood (Efron). */
void dcpn_cox_hazards(struct survival *s, const double *u, double *hazards);

/* Does a row have an event? */
static inline int dcpn_survival_has_event(double y)
{
    return !signbit(y);
}

#endif
