/* SPDX-License-Identifier: BSD-3-Clause */
/* Arrays of numbers that pass between Python and C. */
#include "arrays.h"

#include <string.h>

/* Native byte order and alignment alone: '=', '<' and '>' stand for others, and '@' for them. */
int dcpn_python_number_of(const Py_buffer *buffer, const char *what, dcpn_python_number *number)
{
    const char *format = buffer->format ? buffer->format : "B";
    if (*format == '@') format++;
    int is_one = format[0] && !format[1];
    if (is_one && format[0] == 'd')
        *number = DCPN_PYTHON_DOUBLE;
    else if (is_one && format[0] == 'f')
        *number = DCPN_PYTHON_FLOAT;
    else if (is_one && strchr("ilqn", format[0]) && buffer->itemsize == sizeof(int32_t))
        *number = DCPN_PYTHON_INT32;
    else if (is_one && strchr("ilqn", format[0]) && buffer->itemsize == sizeof(int64_t))
        *number = DCPN_PYTHON_INT64;
    else
        return PyErr_Format(PyExc_ValueError, "%s: found numbers of the type '%s', expected float64, float32, int32 or "
                            "int64 in the byte order of the machine", what, format), 0;
    return 1;
}

static const char *name_of(dcpn_python_number number)
{
    static const char *const names[] = {"", "float64", "float32", "int32", "int64"};
    return names[number];
}

static int check(const struct borrowed *array, const char *what, dcpn_python_number number, int64_t expected)
{
    dcpn_python_number found;
    if (array->buffer.ndim != 1)
        return PyErr_Format(PyExc_ValueError, "%s: found %d dimensions, expected 1", what, array->buffer.ndim), -1;
    if (!dcpn_python_number_of(&array->buffer, what, &found)) return -1;
    if (found != number)
        return PyErr_Format(PyExc_ValueError, "%s: found numbers of the type %s, expected %s", what, name_of(found),
                            name_of(number)), -1;
    if (expected >= 0 && array->count != expected)
        return PyErr_Format(PyExc_ValueError, "%s: found %lld numbers, expected %lld", what, (long long)array->count,
                            (long long)expected), -1;
    return 0;
}

int dcpn_python_borrow(PyObject *object, const char *what, dcpn_python_number number, int64_t expected,
                       struct borrowed *array)
{
    *array = (struct borrowed){0};
    if (object == Py_None) return 0;
    if (PyObject_GetBuffer(object, &array->buffer, PyBUF_C_CONTIGUOUS | PyBUF_FORMAT) < 0) return -1;
    array->is_held = 1;
    array->entries = array->buffer.buf;
    array->count = array->buffer.itemsize ? array->buffer.len / array->buffer.itemsize : 0;
    if (check(array, what, number, expected) == 0) return 0;
    dcpn_python_release(array);
    return -1;
}

void dcpn_python_release(struct borrowed *array)
{
    if (array->is_held) PyBuffer_Release(&array->buffer);
    *array = (struct borrowed){0};
}

PyObject *dcpn_python_doubles(const double *numbers, int64_t count)
{
    return PyByteArray_FromStringAndSize((const char *)numbers, (Py_ssize_t)((size_t)count * sizeof *numbers));
}

PyObject *dcpn_python_integers(const int64_t *numbers, int64_t count)
{
    return PyByteArray_FromStringAndSize((const char *)numbers, (Py_ssize_t)((size_t)count * sizeof *numbers));
}

PyObject *dcpn_python_field(const void *structs, int64_t count, size_t size, size_t offset)
{
    enum { NUMBER = sizeof(double) };
    PyObject *array = PyByteArray_FromStringAndSize(NULL, (Py_ssize_t)((size_t)count * NUMBER));
    char *to = array ? PyByteArray_AsString(array) : NULL;
    const char *from = (const char *)structs + offset;
    for (int64_t k = 0; array && k < count; k++) memcpy(to + (size_t)k * NUMBER, from + (size_t)k * size, NUMBER);
    return array;
}
