/* SPDX-License-Identifier: BSD-3-Clause */
/* What can be chosen: the settings, the parts and the outcomes, as lists of dictionaries. */
#include "own.h"

static int append(PyObject *list, PyObject *item)
{
    int status = item ? PyList_Append(list, item) : -1;
    Py_XDECREF(item);
    return status;
}

static PyObject *finish(PyObject *list, int is_whole)
{
    if (is_whole) return list;
    Py_XDECREF(list);
    return NULL;
}

static PyObject *value_of(const dcpn_setting *s, const dcpn_settings *settings)
{
    const void *field = (const char *)settings + s->offset;
    switch (s->kind) {
    case DCPN_KIND_REAL: return PyFloat_FromDouble(*(const double *)field);
    case DCPN_KIND_COUNT: return PyLong_FromLongLong(*(const int64_t *)field);
    case DCPN_KIND_FLAG: return PyBool_FromLong(*(const int *)field);
    default: return PyUnicode_FromString(*(const char *const *)field);
    }
}

/* The default is that of paths: what is usual where lambda is chosen from the data. */
static PyObject *describe_setting(const dcpn_setting *s)
{
    static const char *const kinds[] = {"real", "count", "flag", "choice"};
    const dcpn_settings defaults = dcpn_settings_for_paths();
    return Py_BuildValue("{s:s,s:s,s:s,s:N,s:z,s:d,s:d,s:s}", "group", s->group, "option", s->option, "kind",
                         kinds[s->kind], "default", value_of(s, &defaults), "choices", s->choices, "low", s->low,
                         "high", s->high, "help", s->help);
}

static PyObject *settings(PyObject *module, PyObject *none)
{
    PyObject *list = PyList_New(0);
    int is_whole = list != NULL;
    (void)module, (void)none;
    for (size_t k = 0; is_whole && k < dcpn_setting_count(); k++)
        is_whole = append(list, describe_setting(dcpn_setting_at(k))) == 0;
    return finish(list, is_whole);
}

static PyObject *parts(PyObject *module, PyObject *kind)
{
    const char *word = PyUnicode_AsUTF8AndSize(kind, NULL);
    dcpn_part p;
    (void)module;
    if (!word) return NULL;
    PyObject *list = PyList_New(0);
    int is_whole = list != NULL;
    for (size_t k = 0; is_whole && dcpn_part_at(word, k, &p); k++)
        is_whole = append(list, Py_BuildValue("{s:s,s:s,s:z,s:z}", "name", p.name, "formula", p.formula, "settings",
                                              p.settings, "note", p.note)) == 0;
    return finish(list, is_whole);
}

static PyObject *outcomes(PyObject *module, PyObject *none)
{
    static const dcpn_outcome all[] = {
#define DCPN_OUTCOME(NAME, TEXT, MEANING) DCPN_##NAME,
#include <dcpn/outcomes.def>
#undef DCPN_OUTCOME
    };
    PyObject *list = PyList_New(0);
    int is_whole = list != NULL;
    (void)module, (void)none;
    for (size_t k = 0; is_whole && k < sizeof all / sizeof *all; k++)
        is_whole = append(list, Py_BuildValue("{s:s,s:s,s:i}", "name", dcpn_outcome_name(all[k]), "meaning",
                                              dcpn_outcome_meaning(all[k]), "converged",
                                              dcpn_has_converged(all[k]))) == 0;
    return finish(list, is_whole);
}

static PyObject *loss_wants_classes(PyObject *module, PyObject *loss)
{
    const char *word = PyUnicode_AsUTF8AndSize(loss, NULL);
    (void)module;
    return word ? PyBool_FromLong(dcpn_loss_wants_classes(word)) : NULL;
}

int dcpn_python_add_registries(PyObject *module)
{
    static PyMethodDef functions[] = {
        {"settings", settings, METH_NOARGS, "The rows of settings.def, in their order."},
        {"parts", parts, METH_O, "The parts of a kind: loss, penalty, metric, subsolver, algorithm and others."},
        {"outcomes", outcomes, METH_NOARGS, "How a run can end, by the number of the outcome."},
        {"minimize", dcpn_python_minimize, METH_VARARGS, "A run on functions of Python's own, as a dictionary."},
        {"loss_wants_classes", loss_wants_classes, METH_O, "Does the loss of that name want two classes?"},
        {0},
    };
    return PyModule_AddFunctions(module, functions);
}
