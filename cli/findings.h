/* SPDX-License-Identifier: BSD-3-Clause */
/* What a result file says: a model, a path of models, or a cross-validation. A model is a path of one point. */
#ifndef DCPN_CLI_FINDINGS_H
#define DCPN_CLI_FINDINGS_H

#include "command.h"

enum findings_kind { DCPN_CLI_MODEL_FILE, DCPN_CLI_PATH_FILE, DCPN_CLI_CV_FILE };
enum { DCPN_CLI_MOST_MEASURES = 8 };
enum findings_rule { DCPN_CLI_RULE_MIN, DCPN_CLI_RULE_1SE, DCPN_CLI_RULES };

struct measurement {
    double mean, se; /* NaN where not defined */
};

/* One lambda. Numbers that the file does not have are NaN, counts -1, texts NULL. */
struct finding {
    double lambda, intercept;
    int64_t nonzeros;
    int64_t *index; /* from 0, ascending */
    double *value;
    double objective, loss_value, penalty_value, stationarity, stationarity_goal;
    double deviance, deviance_explained, passes, time_s;
    int64_t iterations, inner_iterations;
    int locally_convex; /* 1, 0; -1: not known */
    const char *outcome;
    struct measurement measures[DCPN_CLI_MOST_MEASURES]; /* in the order of findings.measures */
};

/* The points of one penalty and one value of its varying parameter, lambda descending. */
struct track {
    const char *penalty, *varying, *ended;
    double value, lambda_max;
    int64_t count;
    struct finding *points;
    int64_t best[DCPN_CLI_RULES]; /* positions; -1: none */
};

struct choice {
    int64_t track, point; /* -1: none */
};

struct stability {
    int64_t subsamples, count, unconverged;
    double share, threshold, mean_selected, bound;
    int64_t *index; /* from 0 */
    double *frequency;
};

struct findings {
    const struct cli *cli;
    enum findings_kind kind;
    const char *path;        /* of the file, for messages; borrowed */
    char *text;              /* all of the file, which may be a pipe; NULL: not from a file */
    size_t length;           /* of the text */
    void *document;          /* the JSON behind the texts; NULL: not from JSON */
    const dcpn_model *model; /* the only one; NULL: path and cv */
    dcpn_model *own_model;   /* the same if it is freed with the findings */
    const char *made_by;     /* the version of dcpn; NULL: not known */
    const char **command;    /* its words; NULL: not known */
    size_t command_length;
    dcpn_settings settings; /* lambda and penalty are overruled by the points */
    int has_classes;
    double classes[2]; /* negative, positive */
    const char *class_names[2];
    int64_t features;
    int index_base;
    const char **names; /* one per feature; NULL: none */
    double *deviation;  /* of the columns, one per feature; NULL: not known, or they were not standardised */
    const char *data_file;
    int64_t rows, entries; /* -1: not known */
    int is_dense;          /* -1: not known */
    double weight, positives, null_deviance;
    double read_s, time_s;
    int64_t threads;
    struct track *tracks;
    int64_t track_count;
    int64_t folds, unconverged;
    const char *measures[DCPN_CLI_MOST_MEASURES];
    size_t measure_count, measure; /* the one that chooses */
    struct choice chosen[DCPN_CLI_RULES];
    enum findings_rule rule;
    struct stability stability; /* subsamples 0: none */
};

/* All of these return the exit code, and say what is wrong. The findings are to be freed in any case. path "-" is
 * standard input; a model of LIBLINEAR is read as a model. */
int dcpn_cli_findings_read(const struct cli *cli, const char *path, struct findings *findings);
/* The same from a text that is (or would be) in such a file. */
int dcpn_cli_findings_parse(const struct cli *cli, const char *path, const char *text, size_t length,
                            struct findings *findings);
/* The same from a model at hand and the data it was fitted to; both are borrowed. */
int dcpn_cli_findings_of_model(const struct cli *cli, const char *path, const dcpn_model *model,
                               const dcpn_dataset *data, struct findings *findings);
/* The model, or one of the many, in the file that was read; to be freed. */
int dcpn_cli_findings_model(const struct findings *findings, const dcpn_selection *selection, dcpn_model **model);
void dcpn_cli_findings_free(struct findings *findings);

/* Which point? Options that are not given are NULL or NaN. */
struct choice_options {
    const char *lambda, *rule, *penalty, *shape;
};
int dcpn_cli_findings_choose(const struct findings *findings, const struct choice_options *options,
                             struct choice *choice);
const struct finding *dcpn_cli_finding_at(const struct findings *findings, struct choice choice);

/* What a feature (from 0) is called: its name, or its number in the data behind the prefix. */
enum { DCPN_CLI_NAME_SIZE = 40 };
const char *dcpn_cli_feature_name(const struct findings *findings, int64_t feature, const char *prefix,
                                  char room[DCPN_CLI_NAME_SIZE]);

/* The i-th coefficient of a point per standard deviation of its column, which compares features of different scales; as
 * it is where deviations are not known. */
double dcpn_cli_finding_weight(const struct findings *findings, const struct finding *finding, int64_t i);
/* The positions of a point's coefficients, the largest such weight first; to be freed, NULL (said) if memory is short. */
int64_t *dcpn_cli_finding_by_size(const struct findings *findings, const struct finding *finding);

#endif
