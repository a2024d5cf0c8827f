/* SPDX-License-Identifier: BSD-3-Clause */
/* Results to be shown: a model, paths, or a cross-validation, of a file or at hand. A model is a path of one point. */
#ifndef DCPN_CLI_RESULTS_H
#define DCPN_CLI_RESULTS_H

#include "command.h"

enum results_rule { DCPN_CLI_RULE_MIN, DCPN_CLI_RULE_1SE, DCPN_CLI_RULES, DCPN_CLI_RULE_OWN = DCPN_CLI_RULES };

struct choice {
    int64_t path, point; /* -1: none */
};

/* Results and what is known of them. All but the memory of a file is borrowed. If something is not known, numbers are
 * NaN, counts -1 and texts NULL. */
struct results {
    const struct cli *cli;
    const char *name;        /* of the file, for messages */
    dcpn_results *file;      /* NULL: results at hand */
    const dcpn_model *model; /* the only one; NULL: paths or a cross-validation */
    const dcpn_paths *paths;
    const dcpn_cv *cv;    /* NULL: none */
    dcpn_provenance from; /* how the data call things */
    const char *version;  /* of dcpn that made them */
    double time_s;
    dcpn_paths one; /* the model as a path of one point */
    dcpn_path path;
    dcpn_path_point point;
};

/* Reads a file of any kind; "-" is standard input. Returns the exit code; the results are to be freed in any case. */
int dcpn_cli_results_read(const struct cli *cli, const char *path, struct results *results);
/* The results of a file that was read, which they borrow. */
void dcpn_cli_results_of_file(const struct cli *cli, dcpn_results *file, struct results *results);
/* Makes results of a model at hand; name is that of the data. */
void dcpn_cli_results_of_model(const struct cli *cli, const dcpn_model *model, const dcpn_dataset *data,
                               const dcpn_provenance *from, struct results *results);
void dcpn_cli_results_of_paths(const struct cli *cli, const dcpn_paths *paths, const dcpn_cv *cv,
                               const dcpn_provenance *from, struct results *results);
void dcpn_cli_results_free(struct results *results);

/* Finds the point that is selected, which takes results of a file. If nothing is selected (NULL, or all zeros), it is
 * the only point, the one that the cross-validation chose, or the end of the first path. Returns the exit code. */
int dcpn_cli_results_choose(const struct results *results, const dcpn_selection *selection, struct choice *choice);
/* The point that a rule of the cross-validation has chosen. */
struct choice dcpn_cli_results_chosen(const struct results *results, enum results_rule rule);
const dcpn_path *dcpn_cli_path_at(const struct results *results, struct choice choice);
const dcpn_path_point *dcpn_cli_point_at(const struct results *results, struct choice choice);

/* The name of a path: its penalty, the value of its shape if several were fitted, and what kind of path it is. */
enum { DCPN_CLI_PATH_NAME_SIZE = 80 };
const char *dcpn_cli_path_name(const dcpn_path *path, char room[DCPN_CLI_PATH_NAME_SIZE]);
/* Does a searched path choose what the plain descents before it choose? It is then not shown by itself. */
int dcpn_cli_path_is_repeated(const dcpn_cv *cv, int64_t path);
/* Is the path left out of a list beside the path that is shown? It is if it is repeated in this way, or if it is what
 * the shown path repeats. */
int dcpn_cli_path_is_left_out(const struct results *results, int64_t path, int64_t shown);

/* The mean of a measure over the folds, and its standard error. */
struct measurement {
    double mean, se;
};
struct measurement dcpn_cli_measurement(const struct results *results, struct choice choice, int measure);
/* The number of fits within the folds that did not converge. */
int64_t dcpn_cli_unconverged_in_folds(const dcpn_cv *cv);
/* The share of the deviance that a point explains; NaN where there is none to explain. */
double dcpn_cli_explained(const dcpn_paths *paths, const dcpn_path_point *point);

/* What a feature (from 0) is called: by its name or, if it has none, by its number in the data behind the prefix. */
enum { DCPN_CLI_NAME_SIZE = 160 };
const char *dcpn_cli_feature_name(const struct results *results, int64_t feature, const char *prefix,
                                  char room[DCPN_CLI_NAME_SIZE]);
/* What a coefficient is called: with one score a row like its feature, else "CLASS: FEATURE". */
const char *dcpn_cli_coefficient_name(const struct results *results, int64_t number, const char *prefix,
                                      char room[DCPN_CLI_NAME_SIZE]);
/* The name of class number k. */
const char *dcpn_cli_class_name(const struct results *results, int64_t k, char room[DCPN_CLI_NAME_SIZE]);
/* The number of features in use. */
int64_t dcpn_cli_features_at(const struct results *results, struct choice choice);
/* The name of a feature; NULL: it has none. */
const char *dcpn_cli_given_name(const struct results *results, int64_t feature);

/* The coefficient at position k of a path per standard deviation of its column, which compares features of different
 * scales; as it is where deviations are not known. */
double dcpn_cli_weight(const struct results *results, const dcpn_path *path, int64_t k);
/* The positions of a point's coefficients, the largest such weight first. The list is to be freed. NULL, which is said:
 * memory is short. */
int64_t *dcpn_cli_by_size(const struct results *results, struct choice choice);

#endif
