/* SPDX-License-Identifier: BSD-3-Clause */
/* The module dcpn._core: everything that Python has of the library. */
#include "extension.h"
#include "kept_matrix.h"

static int fill_module(PyObject *module)
{
    if (PyModule_AddStringConstant(module, "version", dcpn_version()) < 0) return -1;
    if (dcpn_python_add_registries(module) < 0) return -1;
    if (dcpn_python_add_kept(module) < 0 || dcpn_python_add_kept_matrix(module) < 0) return -1;
    return dcpn_python_add_data(module);
}

PyMODINIT_FUNC PyInit__core(void);

PyMODINIT_FUNC PyInit__core(void)
{
    static PyModuleDef_Slot slots[] = {{Py_mod_exec, (void *)fill_module}, {0, NULL}};
    static struct PyModuleDef definition = {
        .m_base = PyModuleDef_HEAD_INIT,
        .m_name = "dcpn._core",
        .m_doc = "The C library dcpn: data, fits, paths, cross-validation and the registries.",
        .m_slots = slots,
    };
    return PyModuleDef_Init(&definition);
}
