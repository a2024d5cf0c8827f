/* SPDX-License-Identifier: BSD-3-Clause */
/* The settings of a call, from a dictionary of option and value. */
#include "settings.h"

#include <string.h>

static const dcpn_setting *find(const char *option)
{
    for (size_t k = 0; k < dcpn_setting_count(); k++)
        if (strcmp(dcpn_setting_at(k)->option, option) == 0) return dcpn_setting_at(k);
    return NULL;
}

const char *dcpn_python_text(PyObject *value, const char *what)
{
    Py_ssize_t length;
    const char *text = PyUnicode_Check(value) ? PyUnicode_AsUTF8AndSize(value, &length) : NULL;
    if (text && strlen(text) == (size_t)length) return text;
    if (!PyErr_Occurred()) PyErr_Format(PyExc_TypeError, "%s: found %R, expected a text", what, value);
    return NULL;
}

static int set_field(const dcpn_setting *setting, PyObject *value, void *field)
{
    switch (setting->kind) {
    case DCPN_KIND_REAL: *(double *)field = PyFloat_AsDouble(value); break;
    case DCPN_KIND_COUNT: {
        PyObject *whole = PyNumber_Index(value);
        if (whole) *(int64_t *)field = PyLong_AsLongLong(whole);
        Py_XDECREF(whole);
        break;
    }
    case DCPN_KIND_FLAG: *(int *)field = PyObject_IsTrue(value); break;
    case DCPN_KIND_CHOICE: *(const char **)field = dcpn_python_text(value, setting->option); break;
    }
    return PyErr_Occurred() ? -1 : 0;
}

/* What PyFloat_AsDouble and others say does not name the setting. */
static int refuse(const dcpn_setting *setting, PyObject *value)
{
    static const char *const wanted[] = {"a number", "a whole number", "True or False", "a text"};
    PyErr_Clear();
    PyErr_Format(PyExc_TypeError, "--%s: found %R, expected %s", setting->option, value, wanted[setting->kind]);
    return -1;
}

static int set(dcpn_settings *settings, PyObject *key, PyObject *value)
{
    const char *option = PyUnicode_AsUTF8AndSize(key, NULL);
    if (!option) return -1;
    const dcpn_setting *setting = find(option);
    if (!setting) return PyErr_Format(PyExc_TypeError, "there is no setting called '%s'", option), -1;
    return set_field(setting, value, (char *)settings + setting->offset) == 0 ? 0 : refuse(setting, value);
}

int dcpn_python_settings(PyObject *dictionary, dcpn_settings *settings)
{
    PyObject *key, *value;
    Py_ssize_t place = 0;
    *settings = dcpn_settings_default();
    while (PyDict_Next(dictionary, &place, &key, &value))
        if (set(settings, key, value) < 0) return -1;
    return 0;
}
