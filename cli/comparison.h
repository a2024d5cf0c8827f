/* SPDX-License-Identifier: BSD-3-Clause */
/* A comparison: several methods on one problem, and what each of them did. */
#ifndef DCPN_CLI_COMPARISON_H
#define DCPN_CLI_COMPARISON_H

#include "training.h"

/* Objective against work, point by point: one for the start and one for each iteration. */
struct curve {
    double *time_s, *passes, *objective;
    size_t count, capacity;
};

enum contender_state { DCPN_CLI_NOT_RUN, DCPN_CLI_REFUSED, DCPN_CLI_RAN };

struct contender {
    const char *label; /* as the user wrote it */
    dcpn_settings settings;
    enum contender_state state;
    char refusal[512];
    dcpn_result result;
    struct curve curve;
    double accuracy, mse;                  /* on the test data; NaN if not known */
    double quality_time_s, quality_passes; /* until F is near the best one; NaN: never */
};

struct comparison {
    struct contender *contenders;
    size_t count;
    char *words; /* the memory behind labels and settings */
    const char *data_path;
    const dcpn_dataset *data;
    const dcpn_settings *common;
    double read_s;
    int has_test;
    double best; /* the least F that any of them has seen; NaN: none ran */
};

/* F counts as good as the best from (1 + this) times the best on. */
#define DCPN_CLI_QUALITY 1e-4

/* Makes the contenders of "name[:option=value]*,...": set-ups and algorithms, each with the common settings. Those that
 * the problem does not allow are refused in their own line; all else that is wrong is said. The exit code. */
int dcpn_cli_comparison_enter(const struct cli *cli, struct comparison *comparison, const char *list);
void dcpn_cli_comparison_free(struct comparison *comparison);

/* May a contender have the setting to itself? The problem and the rule that ends a run are the same for all. */
int dcpn_cli_comparison_is_own(const dcpn_setting *setting);

/* Adds a point; returns 0 if memory is short. */
int dcpn_cli_curve_add(struct curve *curve, const dcpn_progress *progress);

/* Finds the best objective, and when each one came near it. */
void dcpn_cli_comparison_judge(struct comparison *comparison);

void dcpn_cli_comparison_print(const struct comparison *comparison);
void dcpn_cli_comparison_print_json(const struct cli *cli, const struct comparison *comparison, int with_curves);
/* Draw F - best F against time and against passes, or try whether the files can be written. They return the exit
 * code. */
int dcpn_cli_comparison_try_figures(const struct cli *cli, const char *prefix);
int dcpn_cli_comparison_draw(const struct cli *cli, const struct comparison *comparison, const char *prefix);

#endif
