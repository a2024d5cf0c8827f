/* SPDX-License-Identifier: BSD-3-Clause */
/* What path and cv are asked: a problem, settings, and the options of a path. */
#ifndef DCPN_PYTHON_PATH_OPTIONS_H
#define DCPN_PYTHON_PATH_OPTIONS_H

#include "problem.h"

enum { MOST_PENALTIES = 32 };

struct path_request {
    struct ingredients problem;
    dcpn_settings settings;
    dcpn_path_options options;
    struct borrowed lambdas, values;
    const char *penalties[MOST_PENALTIES]; /* the texts are those of the list */
};

/* arguments: the objects for y, settings, weights, offset, factors, lower, upper, groups, survival, and a dictionary
 * with any of lambdas, n_lambdas, min_ratio, penalties, values, saturation. -1: an exception is set; free is due either
 * way. */
int dcpn_python_path_request(PyObject *arguments, struct path_request *request, struct call *call,
                             const struct data *data);
void dcpn_python_path_request_free(struct path_request *request);

#endif
