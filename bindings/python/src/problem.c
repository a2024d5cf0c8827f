/* SPDX-License-Identifier: BSD-3-Clause */
/* The problem of a call, from arrays of Python. */
#include "problem.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The library trusts the last start, and looks at the others. */
static int check_group_lengths(const struct borrowed *groups)
{
    const int64_t *starts = groups[GROUP_STARTS].entries;
    int64_t count = groups[GROUP_STARTS].count - 1;
    int is_good = count >= 0 && starts[count] == groups[GROUP_MEMBERS].count &&
                  (!groups[GROUP_WEIGHTS].is_held || groups[GROUP_WEIGHTS].count == count);
    for (int64_t k = 0; is_good && k < count; k++) is_good = starts[k] >= 0 && starts[k] <= starts[k + 1];
    return is_good ? 0 : (PyErr_SetString(PyExc_ValueError, "groups: found arrays whose lengths do not match"), -1);
}

static int borrow_groups(struct ingredients *all)
{
    PyObject *starts, *members, *weights;
    if (all->objects[GROUPS] == Py_None) return 0;
    if (!PyArg_ParseTuple(all->objects[GROUPS], "OOO|O!", &starts, &members, &weights, &PyList_Type,
                          &all->group_names)) return -1;
    if (dcpn_python_borrow(starts, "groups", DCPN_PYTHON_INT64, -1, &all->groups[GROUP_STARTS]) < 0 ||
        dcpn_python_borrow(members, "groups", DCPN_PYTHON_INT64, -1, &all->groups[GROUP_MEMBERS]) < 0 ||
        dcpn_python_borrow(weights, "group_weights", DCPN_PYTHON_DOUBLE, -1, &all->groups[GROUP_WEIGHTS]) < 0)
        return -1;
    return check_group_lengths(all->groups);
}

static int borrow_survival(struct ingredients *all, int64_t rows)
{
    PyObject *entry, *strata;
    if (all->objects[SURVIVAL] == Py_None) return 0;
    if (!PyArg_ParseTuple(all->objects[SURVIVAL], "OO", &entry, &strata)) return -1;
    if (dcpn_python_borrow(entry, "entry", DCPN_PYTHON_DOUBLE, rows, &all->survival[ENTRY]) < 0) return -1;
    return dcpn_python_borrow(strata, "strata", DCPN_PYTHON_DOUBLE, rows, &all->survival[STRATA]);
}

/* Are there several numbers a row? The first of all rows comes first, then the second. */
static int has_several(PyObject *numbers, int64_t rows)
{
    Py_ssize_t count = numbers == Py_None ? -1 : PyObject_Length(numbers);
    PyErr_Clear();
    return rows > 0 && count > rows && (int64_t)count % rows == 0;
}

static int borrow_all(struct ingredients *all, const struct data *data)
{
    static const char *const names[] = {"y", "sample_weight", "offset", "penalty_factors", "lower", "upper"};
    int64_t rows = dcpn_matrix_rows(data->matrix), columns = dcpn_matrix_columns(data->matrix);
    for (int k = 0; k < GROUPS; k++) {
        int may_be_several = k == LABELS || k == OFFSET;
        int64_t expected = may_be_several && has_several(all->objects[k], rows) ? -1 : k < FACTORS ? rows : columns;
        if (dcpn_python_borrow(all->objects[k], names[k], DCPN_PYTHON_DOUBLE, expected, &all->arrays[k]) < 0) return -1;
    }
    return borrow_groups(all) < 0 ? -1 : borrow_survival(all, rows);
}

static dcpn_status set(const struct ingredients *all, int64_t rows)
{
    const struct borrowed *arrays = all->arrays;
    dcpn_status status = dcpn_problem_set_weights(all->problem, arrays[WEIGHTS].entries);
    int64_t offsets = rows ? arrays[OFFSET].count / rows : 1;
    if (status == DCPN_OK) status = dcpn_problem_set_offsets(all->problem, offsets, arrays[OFFSET].entries);
    if (status == DCPN_OK) status = dcpn_problem_set_penalty_factors(all->problem, arrays[FACTORS].entries);
    if (status == DCPN_OK)
        status = dcpn_problem_set_bounds(all->problem, arrays[LOWER].entries, arrays[UPPER].entries);
    const struct borrowed *groups = all->groups;
    if (status == DCPN_OK && groups[GROUP_STARTS].is_held)
        status = dcpn_problem_set_groups(all->problem, groups[GROUP_STARTS].count - 1, groups[GROUP_STARTS].entries,
                                         groups[GROUP_MEMBERS].entries, groups[GROUP_WEIGHTS].entries);
    const struct borrowed *survival = all->survival;
    if (status == DCPN_OK && (survival[ENTRY].is_held || survival[STRATA].is_held))
        status = dcpn_problem_set_survival(all->problem, survival[ENTRY].entries, survival[STRATA].entries);
    return status;
}

int dcpn_python_problem(struct ingredients *all, struct call *call, const struct data *data)
{
    if (borrow_all(all, data) < 0) return -1;
    const double *labels = all->arrays[LABELS].entries;
    if (!labels && data->dataset) labels = data->dataset->labels;
    dcpn_status status = dcpn_problem_new(data->context, data->matrix, labels, &all->problem);
    int64_t rows = dcpn_matrix_rows(data->matrix), count = all->arrays[LABELS].count;
    if (status == DCPN_OK && count > rows && rows > 0)
        status = dcpn_problem_set_responses(all->problem, count / rows, labels);
    if (status == DCPN_OK) status = set(all, dcpn_matrix_rows(data->matrix));
    return dcpn_python_raises(call, status) ? -1 : 0;
}

/* ---- groups that results keep ---- */

/* Copies the names behind one another and says where each is; -1: one is no text. */
static int copy_names(PyObject *list, char **names, char *room)
{
    for (Py_ssize_t g = 0; g < PyList_Size(list); g++) {
        const char *name = PyUnicode_AsUTF8AndSize(PyList_GetItem(list, g), NULL);
        if (!name) return -1;
        names[g] = room;
        room = stpcpy(room, name) + 1;
    }
    return 0;
}

/* The bytes that the names take, zeros included; -1: one is no text. */
static Py_ssize_t size_of_names(PyObject *list)
{
    Py_ssize_t bytes = 0, size;
    for (Py_ssize_t g = 0; g < PyList_Size(list); g++, bytes += size + 1)
        if (!PyUnicode_AsUTF8AndSize(PyList_GetItem(list, g), &size)) return -1;
    return bytes;
}

dcpn_groups *dcpn_python_groups(const struct ingredients *all)
{
    const struct borrowed *from = all->groups;
    int64_t count = from[GROUP_STARTS].count - 1, members = from[GROUP_MEMBERS].count;
    if (!from[GROUP_STARTS].is_held || !all->group_names || PyList_Size(all->group_names) != count) return NULL;
    Py_ssize_t texts = size_of_names(all->group_names);
    size_t numbers = (size_t)(3 * count + members + 1) * 8;
    dcpn_groups *made = texts < 0 ? NULL : malloc(sizeof *made + numbers + (size_t)texts + 1);
    if (!made) return PyErr_Clear(), NULL;
    int64_t *start = (int64_t *)(void *)(made + 1);
    *made = (dcpn_groups){.count = count, .start = start, .member = start + count + 1};
    made->weights = (double *)(void *)(made->member + members);
    made->names = (char **)(void *)(made->weights + count);
    memcpy(made->start, from[GROUP_STARTS].entries, (size_t)(count + 1) * sizeof *start);
    memcpy(made->member, from[GROUP_MEMBERS].entries, (size_t)members * sizeof *start);
    const double *weights = from[GROUP_WEIGHTS].entries;
    for (int64_t g = 0; g < count; g++) made->weights[g] = weights ? weights[g] : (double)NAN;
    if (copy_names(all->group_names, made->names, (char *)(made->names + count)) == 0) return made;
    PyErr_Clear();
    free(made);
    return NULL;
}

void dcpn_python_problem_free(struct ingredients *all)
{
    dcpn_problem_free(all->problem);
    all->problem = NULL;
    for (int k = 0; k < GROUPS; k++) dcpn_python_release(&all->arrays[k]);
    for (int k = 0; k < GROUP_ARRAYS; k++) dcpn_python_release(&all->groups[k]);
    for (int k = 0; k < SURVIVAL_ARRAYS; k++) dcpn_python_release(&all->survival[k]);
}
