/* SPDX-License-Identifier: BSD-3-Clause */
/* What is asked for on the command line, and what every experiment is handed. */
#ifndef DCPN_EXPERIMENTS_PLAN_H
#define DCPN_EXPERIMENTS_PLAN_H

#include "dcpn/dcpn.h"

struct plan {
    int quick;           /* training rows of the toy problems / 5 */
    const char *only;    /* the name of one part; NULL: all */
    const char *problem; /* only those whose name begins so; NULL: all */
    const char *rows;    /* of the real sets: "raw", "unit" or "both" */
    int raw_transductive; /* of those of the transductive table: as they are, instead of scaled to norm 1 */
    int64_t trials, threads;
    int64_t scale;       /* sizes of the toy problems are divided by it: for tests */
    int64_t max_passes;  /* of one fit; no clock decides where it ends */
    char *output, *data; /* folders */
};

struct lab {
    const struct plan *plan;
    dcpn_context *context;
};

/* Each regenerates its table and figures in plan->output, and returns 0 or an exit code after saying why. */
int dcpn_exp_toy(const struct lab *lab);
int dcpn_exp_real(const struct lab *lab);
int dcpn_exp_basin(const struct lab *lab);
int dcpn_exp_transductive_loss(const struct lab *lab);
int dcpn_exp_transductive_toy(const struct lab *lab);
int dcpn_exp_transductive_real(const struct lab *lab);
int dcpn_exp_url_shape(const struct lab *lab);

/* Is the problem of this name asked for? */
int dcpn_exp_selected(const struct plan *plan, const char *problem);

/* The file NAME in the folder of results; to be freed, NULL if memory is short. */
char *dcpn_exp_output_path(const struct lab *lab, const char *name);

#endif
