/* SPDX-License-Identifier: BSD-3-Clause */
/* The real data sets: reading them, 80/20 splits, and the hyperparameters of each. */
#ifndef DCPN_EXPERIMENTS_REAL_SETS_H
#define DCPN_EXPERIMENTS_REAL_SETS_H

#include "csv.h"
#include "plan.h"
#include "trial.h"

struct real_set {
    const char *name;
    int64_t features;       /* declared: it can exceed the largest index used */
    const char *stands_for; /* the paper's set */
    int is_unit;            /* its rows have norm 1 already */
};

enum { REAL_SETS = 6, REAL_PROBLEMS = 2 * REAL_SETS };
extern const struct real_set dcpn_exp_real_sets[REAL_SETS];

/* A set with its rows as they are, or scaled to norm 1. */
struct real_problem {
    const struct real_set *set;
    int unit_rows;
    char name[DCPN_EXP_TEXT_SIZE]; /* "la2", "la2-unit" */
};

/* Lists the sets that the plan asks for; a unit problem of a set whose rows have norm 1 already is left out. */
size_t dcpn_exp_real_problems(const struct plan *plan, struct real_problem problems[REAL_PROBLEMS]);

/* Keeps those whose file is in plan->data and returns how many they are; the others are said to be left out. */
size_t dcpn_exp_keep_present(const struct plan *plan, size_t count, struct real_problem *problems);

/* Reads NAME.libsvm, or NAME.libsvm.xz through xz, from plan->data. Returns 0, or 1 after saying why. */
int dcpn_exp_read(const struct lab *lab, const struct real_problem *problem, dcpn_dataset **data);

/* Four rows of five, drawn by seed, and the fifth. The labels are -1 and +1. */
struct split {
    dcpn_matrix *train, *test;
    double *train_labels, *test_labels;
};
int dcpn_exp_split(const struct lab *lab, const struct real_problem *problem, const dcpn_dataset *data, uint64_t seed,
                   struct split *split);
void dcpn_exp_split_free(struct split *split);
struct task dcpn_exp_split_task(const struct real_problem *problem, const struct split *split, int64_t trial);

/* The rule: of lambda in {0.2, 2} and theta in {0.2, 2}, the pair with the best test rate of GIST on the split of seed
 * 0, which is no trial; of equals, the larger lambda, then the larger theta. The fits are kept in grid.csv. */
int dcpn_exp_choose(const struct lab *lab, const struct real_problem *problem, const dcpn_dataset *data, double *lambda,
                    double *theta);

#endif
