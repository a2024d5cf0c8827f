/* SPDX-License-Identifier: BSD-3-Clause */
/* The problem of a call: labels, weights, offset, factors and bounds, borrowed from arrays of Python. */
#ifndef DCPN_PYTHON_PROBLEM_H
#define DCPN_PYTHON_PROBLEM_H

#include "data.h"

enum ingredient { LABELS, WEIGHTS, OFFSET, FACTORS, LOWER, UPPER, GROUPS, SURVIVAL, INGREDIENTS };
enum { GROUP_STARTS, GROUP_MEMBERS, GROUP_WEIGHTS, GROUP_ARRAYS };
enum { ENTRY, STRATA, SURVIVAL_ARRAYS };

struct ingredients {
    PyObject *objects[INGREDIENTS]; /* as they came; borrowed */
    struct borrowed arrays[GROUPS];
    struct borrowed groups[GROUP_ARRAYS]; /* from a tuple of three arrays, as dcpn_problem_set_groups takes them, */
    PyObject *group_names;                /* and of a list of texts; borrowed. NULL: there is none */
    struct borrowed survival[SURVIVAL_ARRAYS]; /* from a tuple of two, as dcpn_problem_set_survival takes them */
    dcpn_problem *problem;
};

/* -1: an exception is set; dcpn_python_problem_free is due either way. */
int dcpn_python_problem(struct ingredients *all, struct call *call, const struct data *data);
/* A copy of the groups for files, which free() frees; NULL: there are none, or they have no names. */
dcpn_groups *dcpn_python_groups(const struct ingredients *all);
void dcpn_python_problem_free(struct ingredients *all);

#endif
