/* SPDX-License-Identifier: BSD-3-Clause */
/* The structs behind the handles of model.h, which only the project itself sees: they may grow in any version. */
#ifndef DCPN_LAYOUT_MODEL_H
#define DCPN_LAYOUT_MODEL_H

#include "../model.h"

/* The classes of labels, or several responses. */
typedef struct dcpn_classes {
    int64_t count;   /* 0: labels are numbers of a regression loss */
    double *numbers; /* with one score the negative class, then the positive one; else one for each score, ascending */
    char **names;    /* of classes that are texts, whose numbers are 0, 1, ...; NULL: they are numbers */
    int are_responses; /* they are no classes, but responses, one for each score: 1, 2, ..., or names */
    int are_ordered;   /* a row has one score; intercept k, of one fewer than there are classes, and the score make the
                        * log odds of a class above class k */
} dcpn_classes;

/* How many intercepts there are: one for each score, or for each boundary between ordered classes. */
int64_t dcpn_intercept_count(int64_t scores, const dcpn_classes *labels);

/* How the table that a model was fitted to calls and codes its columns. */
typedef struct dcpn_model_table {
    char **names;              /* of the features in index; NULL: none. One block of memory */
    char *label_name;          /* of the labels' column; NULL: not known */
    double *fill;              /* what the features in index count as where they are missing; NULL: they must not be */
    dcpn_category *categories; /* columns of categories, and their levels; NULL: none */
    int64_t category_count;
} dcpn_model_table;

/* How a model was made. */
typedef struct dcpn_model_making {
    int threads;
    double read_s;        /* what reading the data took */
    const char **command; /* the words of the command line; NULL: not known. One block of memory, texts included */
    int64_t command_length;
} dcpn_model_making;

struct dcpn_model {
    dcpn_context *context;
    dcpn_settings settings; /* texts owned by the model */
    int64_t features, nonzeros;
    int index_base; /* added to index when the model is written: the numbers of the input file */
    int64_t scores; /* of a row: 1, or one for each of many classes */
    int64_t *index; /* of the non-zero coefficients, ascending; k features + j is feature j of score k, both from 0 */
    double *value;
    double intercept;   /* of the first score */
    double *intercepts; /* all of them (dcpn_intercept_count); NULL: there is one */
    double shape_unit;  /* in which the settings give theta, a or gamma (dcpn_raw_shape); 0: they are raw */
    dcpn_classes labels;
    dcpn_model_table table;
    dcpn_groups *groups; /* of features, as the penalty had them; NULL: none, or not known */
    int has_offset;      /* had rows of the fit an offset other than 0? Other rows then want one, too */
    int64_t rows;        /* of the data it was fitted to */
    dcpn_result fit;
    dcpn_model_making making;
    char *texts; /* the memory behind the texts of settings and fit */
};

#endif
