/* SPDX-License-Identifier: BSD-3-Clause */
/* The settings of a call, from a dictionary of option and value. */
#ifndef DCPN_PYTHON_SETTINGS_H
#define DCPN_PYTHON_SETTINGS_H

#include "extension.h"

/* Starts with the defaults. Texts are borrowed from the dictionary. The library checks ranges and choices; -1, with an
 * exception set, where a value is of the wrong kind or there is no such setting. */
int dcpn_python_settings(PyObject *dictionary, dcpn_settings *settings);

/* A text of C, borrowed from the object; NULL, with an exception set, for what is no text or has a zero in it. */
const char *dcpn_python_text(PyObject *value, const char *what);

#endif
