/* SPDX-License-Identifier: BSD-3-Clause */
/* Arrays of numbers that pass between Python and C: borrowed by the buffer protocol on the way in, new on the way
 * out. */
#ifndef DCPN_PYTHON_ARRAYS_H
#define DCPN_PYTHON_ARRAYS_H

#include "extension.h"

/* What an entry of a borrowed array is; 0 bytes: none of those that dcpn reads. */
typedef enum dcpn_python_number {
    DCPN_PYTHON_DOUBLE = 1,
    DCPN_PYTHON_FLOAT,
    DCPN_PYTHON_INT32,
    DCPN_PYTHON_INT64
} dcpn_python_number;
/* 0, with ValueError set, if the entries are something else. */
int dcpn_python_number_of(const Py_buffer *buffer, const char *what, dcpn_python_number *number);

/* A borrowed array of one dimension without gaps, or nothing where Python gave None. */
struct borrowed {
    Py_buffer buffer;
    int is_held;
    const void *entries; /* NULL: there is none */
    int64_t count;
};
/* -1, with an exception set, unless the object is None or an array of such numbers; expected: how many, -1: any
 * number. */
int dcpn_python_borrow(PyObject *object, const char *what, dcpn_python_number number, int64_t expected,
                       struct borrowed *array);
void dcpn_python_release(struct borrowed *array);

/* New bytearrays of numbers, which NumPy takes as they are; NULL, with an exception set, if memory is short. */
PyObject *dcpn_python_doubles(const double *numbers, int64_t count);
PyObject *dcpn_python_integers(const int64_t *numbers, int64_t count);
/* One field, a double or an int64_t, of each of `count` structs of so many bytes. */
PyObject *dcpn_python_field(const void *structs, int64_t count, size_t size, size_t offset);

#endif
