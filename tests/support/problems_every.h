/* SPDX-License-Identifier: BSD-3-Clause */
/* Every loss with every penalty, solved tightly. Include after cmocka.h. */
#ifndef DCPN_TESTS_PROBLEMS_EVERY_H
#define DCPN_TESTS_PROBLEMS_EVERY_H

#include <string.h>

#include "support/problems_naive.h"
#include "with_context.h"

enum { ROWS = 50, COLUMNS = 9 };

/* F at stationarity s is within s |x - x*|_1 of the minimum; with tol = 1e-10 that is far below 1e-9 of F here. */
static const double TIGHT = 1e-10, SAME = 1e-9;

static const char *const losses[] = {"squared", "logistic", "squared-hinge", "huber", "smooth-ramp", "poisson",
                                      "negative-binomial", "gamma", "quantile"};
static const char *const penalties[] = {"l1", "capped-l1", "scad", "mcp", "exponential", "log", "lp"};
#define FOR_EACH_LOSS for (size_t loss = 0; loss < sizeof losses / sizeof *losses; loss++)
#define FOR_EACH_PENALTY for (size_t penalty = 0; penalty < sizeof penalties / sizeof *penalties; penalty++)

static inline int convex(const dcpn_settings *settings)
{
    return strcmp(settings->penalty, "l1") == 0 && strcmp(settings->loss, "smooth-ramp") != 0;
}

static inline dcpn_settings base_settings(const char *loss, const char *penalty)
{
    dcpn_settings settings = problems_settings(loss, penalty, NULL, NULL);
    settings.lambda = strcmp(penalty, "lp") == 0 ? 0.2 : 1.5;
    settings.theta = 0.8;
    settings.tol = TIGHT;
    /* A loss with a flat tail and a penalty that is flat far out: without ridge F falls as x grows, for ever. */
    if (strcmp(loss, "smooth-ramp") == 0 && strcmp(penalty, "l1") != 0) settings.ridge = 0.1;
    return settings;
}

#endif
