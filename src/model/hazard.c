/* SPDX-License-Identifier: BSD-3-Clause */
/* Survival by Cox's model. A row of score u survives time t with the probability
 *     S(t) = exp(-H(t) exp(u)),  H(t) = sum over the instants g of its stratum up to t of dH_g
 * H being the cumulative hazard of score 0 in the rows of the fit: dH_g is that of dcpn_cox_hazards. */
#include <math.h>

#include "base/context.h"
#include "dcpn/hazard.h"
#include "loss/survival.h"

struct dcpn_hazard {
    dcpn_context *context;
    struct survival *rows;
    double *cumulative; /* of score 0, at each instant */
    double *strata;     /* which number each stratum has that has events; NULL: there is one */
    int64_t stratum_count;
};

static dcpn_status check(dcpn_context *context, const dcpn_hazard_rows *given)
{
    int64_t events = 0;
    for (int64_t i = 0; i < given->rows; i++) {
        const double numbers[] = {given->times[i], given->scores[i], given->weights ? given->weights[i] : 1.0,
                                  given->start ? given->start[i] : 0.0, given->strata ? given->strata[i] : 0.0};
        for (size_t k = 0; k < sizeof numbers / sizeof *numbers; k++)
            if (!isfinite(numbers[k]))
                return dcpn_fail(context, DCPN_DATA, "hazard: row %lld: found %g, expected a finite number",
                                 (long long)i + 1, numbers[k]);
        if (numbers[2] < 0.0)
            return dcpn_fail(context, DCPN_DATA, "hazard: row %lld: found the weight %g, expected 0 or more",
                             (long long)i + 1, numbers[2]);
        events += dcpn_survival_has_event(given->times[i]) && numbers[2] > 0.0;
    }
    if (events) return DCPN_OK;
    return dcpn_fail(context, DCPN_DATA, "hazard: found no event in %lld rows, expected some", (long long)given->rows);
}

static void accumulate(dcpn_hazard *h, const dcpn_hazard_rows *given)
{
    const struct survival *s = h->rows;
    for (int64_t g = 0; g < s->count; g++) {
        if (!s->instants[g].is_first) h->cumulative[g] += h->cumulative[g - 1];
        if (s->instants[g].is_first) h->stratum_count++;
        h->strata[s->instants[g].stratum] = given->strata ? given->strata[s->events[s->instants[g].begin]] : 0.0;
    }
}

dcpn_status dcpn_hazard_new(dcpn_context *context, const dcpn_hazard_rows *given, dcpn_hazard **hazard)
{
    DCPN_NEED(context, context, given, hazard);
    *hazard = NULL;
    const double *times = given->times, *scores = given->scores;
    DCPN_NEED(context, times, scores);
    DCPN_TRY(dcpn_need_size(context, "rows", given->rows));
    DCPN_TRY(check(context, given));
    dcpn_hazard *made = dcpn_allocate(context, 1, sizeof *made);
    if (!made) return DCPN_MEMORY;
    *made = (dcpn_hazard){.context = context};
    const struct survival_rows rows = {given->rows,  times,         given->weights,
                                       given->start, given->strata, given->is_efron};
    dcpn_status status = dcpn_survival_new(context, &rows, &made->rows);
    int64_t count = status == DCPN_OK ? made->rows->count : 0;
    if (status == DCPN_OK) {
        made->cumulative = dcpn_allocate(context, (size_t)count, sizeof *made->cumulative);
        made->strata = dcpn_allocate(context, (size_t)count, sizeof *made->strata);
        if (!made->cumulative || !made->strata) status = DCPN_MEMORY;
    }
    if (status != DCPN_OK) {
        dcpn_hazard_free(made);
        return status;
    }
    dcpn_cox_hazards(made->rows, scores, made->cumulative);
    accumulate(made, given);
    *hazard = made;
    return DCPN_OK;
}

void dcpn_hazard_free(dcpn_hazard *hazard)
{
    if (!hazard) return;
    dcpn_survival_free(hazard->rows);
    dcpn_free(hazard->context, hazard->cumulative);
    dcpn_free(hazard->context, hazard->strata);
    dcpn_free(hazard->context, hazard);
}

int64_t dcpn_hazard_count(const dcpn_hazard *hazard)
{
    return hazard ? hazard->rows->count : 0;
}

double dcpn_hazard_time(const dcpn_hazard *hazard, int64_t instant)
{
    if (!hazard || instant < 0 || instant >= hazard->rows->count) return (double)NAN;
    return hazard->rows->instants[instant].time;
}

/* The stratum's position; -1: there is no event in it. */
static int64_t find_stratum(const dcpn_hazard *hazard, double stratum)
{
    int64_t low = 0, high = hazard->stratum_count;
    while (low < high) {
        int64_t middle = low + (high - low) / 2;
        if (hazard->strata[middle] < stratum)
            low = middle + 1;
        else
            high = middle;
    }
    return low < hazard->stratum_count && hazard->strata[low] == stratum ? low : -1;
}

/* The last instant of the stratum at or before the time has what has come together up to then. */
double dcpn_hazard_until(const dcpn_hazard *hazard, double stratum, double time)
{
    if (!hazard) return (double)NAN;
    const struct instant *instants = hazard->rows->instants;
    int64_t position = find_stratum(hazard, stratum), low = 0, high = hazard->rows->count;
    if (position < 0) return (double)NAN;
    while (low < high) {
        int64_t middle = low + (high - low) / 2;
        int is_before = instants[middle].stratum < position ||
                        (instants[middle].stratum == position && instants[middle].time <= time);
        if (is_before)
            low = middle + 1;
        else
            high = middle;
    }
    return low > 0 && instants[low - 1].stratum == position ? hazard->cumulative[low - 1] : 0.0;
}

double dcpn_hazard_survival(const dcpn_hazard *hazard, double stratum, double time, double score)
{
    double of_zero = dcpn_hazard_until(hazard, stratum, time);
    return of_zero > 0.0 ? exp(-exp(log(of_zero) + score)) : of_zero == 0.0 ? 1.0 : (double)NAN;
}
