/* SPDX-License-Identifier: BSD-3-Clause */
/* The structs behind the handles of solver.h, which only the project itself sees: they may grow in any version. */
#ifndef DCPN_LAYOUT_SOLVER_H
#define DCPN_LAYOUT_SOLVER_H

#include "../solver.h"

/* One field per line of settings.def. Texts are borrowed. */
struct dcpn_settings {
#define DCPN_REAL(FIELD, OPTION, DEFAULT, LOW, HIGH, HELP) double FIELD;
#define DCPN_COUNT(FIELD, OPTION, DEFAULT, LOW, HIGH, HELP) int64_t FIELD;
#define DCPN_FLAG(FIELD, OPTION, DEFAULT, HELP) int FIELD;
#define DCPN_CHOICE(FIELD, OPTION, DEFAULT, CHOICES, HELP) const char *FIELD;
#include "../settings.def"
#undef DCPN_REAL
#undef DCPN_COUNT
#undef DCPN_FLAG
#undef DCPN_CHOICE
};

dcpn_settings dcpn_settings_default(void);
/* The settings that `dcpn path` and `dcpn cv` start with, as is usual where lambda is chosen from the data: an
 * intercept, columns on one scale, and a lambda that does not depend on the number of rows. */
dcpn_settings dcpn_settings_for_paths(void);
/* Sets the field of an option ("max-iter") from text ("500"). The text of a choice is not copied. */
dcpn_status dcpn_settings_set(dcpn_context *context, dcpn_settings *settings, const char *option, const char *text);

struct dcpn_result {
    dcpn_outcome outcome;
    double objective;         /* F = loss_value + penalty_value, computed afresh from the final x */
    double loss_value;        /* f, the ridge term included */
    double penalty_value;     /* h */
    double stationarity;      /* max_j |smallest element of grad_j f + dh1_j - dh2_j|, from the final x */
    double stationarity_goal; /* what it was compared with: --tol times its scale */
    int64_t nonzeros;         /* coefficients that are not 0; the intercept does not count */
    int64_t
        escape; /* coefficients of which a move, of that one alone, lowers F for certain, by a bound on the curvature
                 * of the loss: 0 is more than stationarity says, but excludes none; -1: not known for this loss
                 * or penalty */
    int64_t untried; /* starts and moves of the search that its budget left out, or cut short */
    int64_t iterations, inner_iterations, line_search_trials;
    int64_t safeguards; /* times the metric had to be kept positive definite by other means than its formula */
    double passes;      /* entries of A touched / (2 entries of A) */
    double time_s;      /* of the run; of a solver's first one with what it took to make the solver */
    const char *algorithm, *metric, *subsolver; /* what was used, also when the setting was auto */
};

#endif
