/* SPDX-License-Identifier: BSD-3-Clause */
/* Survival curves of Cox's model: the hazard of a row of score 0, from the rows that the model was fitted to. */
#ifndef DCPN_HAZARD_H
#define DCPN_HAZARD_H

#include "base.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The rows as a fit had them (problem.h), and their scores by its model. Nothing is kept. */
typedef struct dcpn_hazard_rows {
    int64_t rows;
    const double *times;   /* below 0 (-0 too): censored then */
    const double *scores;  /* offsets included */
    const double *weights; /* NULL: 1 */
    const double *start;   /* from when on a row was under observation; NULL: always */
    const double *strata;  /* rows of different numbers are not compared; NULL: there is one stratum, of the number 0 */
    int is_efron;          /* how events at the same time counted in the fit */
} dcpn_hazard_rows;

typedef struct dcpn_hazard dcpn_hazard;

DCPN_API dcpn_status dcpn_hazard_new(dcpn_context *context, const dcpn_hazard_rows *given, dcpn_hazard **hazard);
DCPN_API void dcpn_hazard_free(dcpn_hazard *hazard);

/* The times of events, ascending within each stratum; a time is there once for each stratum that has it. NaN: there is
 * no such instant. */
DCPN_API int64_t dcpn_hazard_count(const dcpn_hazard *hazard);
DCPN_API double dcpn_hazard_time(const dcpn_hazard *hazard, int64_t instant);

/* The cumulative hazard of score 0 up to a time, events at the time included; NaN: the stratum has no events. */
DCPN_API double dcpn_hazard_until(const dcpn_hazard *hazard, double stratum, double time);
/* The probability that a row of this score has no event up to a time. NaN likewise. */
DCPN_API double dcpn_hazard_survival(const dcpn_hazard *hazard, double stratum, double time, double score);

#ifdef __cplusplus
}
#endif
#endif
