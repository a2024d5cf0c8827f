/* SPDX-License-Identifier: BSD-3-Clause */
/* The type Kept: a model, paths or a cross-validation as the library has them, to be written, drawn and read again. */
#include "kept.h"

#include "results.h"

#include <stdlib.h>
#include <string.h>

struct kept {
    PyObject_HEAD PyObject *home;
    dcpn_context *context;
    struct results_kept results;
};

const char dcpn_python_kept_busy[] = "the data of these results are in use by another thread; wait for it";

static PyTypeObject *kept_type; /* made once, with the module */

/* ---- making and freeing ---- */

static void free_results(const struct results_kept *r)
{
    free(r->groups);
    if (r->file) {
        dcpn_results_free(r->file);
        return;
    }
    dcpn_model_free(r->model);
    dcpn_paths_free(r->paths);
    dcpn_cv_free(r->cv);
}

static void destroy(PyObject *self)
{
    struct kept *kept = (struct kept *)self;
    PyTypeObject *type = Py_TYPE(self);
    freefunc release = (freefunc)PyType_GetSlot(type, Py_tp_free);
    free_results(&kept->results);
    Py_XDECREF(kept->home);
    release(self);
    Py_DECREF(type);
}

static PyObject *make(PyObject *home, const struct results_kept *results)
{
    allocfunc allocate = (allocfunc)PyType_GetSlot(kept_type, Py_tp_alloc);
    struct kept *kept = (struct kept *)allocate(kept_type, 0);
    if (!kept) return free_results(results), NULL;
    kept->home = Py_NewRef(home);
    kept->context = dcpn_python_home_of(home)->context;
    kept->results = *results;
    return (PyObject *)kept;
}

PyObject *dcpn_python_keep(const struct data *data, const struct results_kept *results)
{
    return make(data->home, results);
}

/* ---- names ---- */

/* Texts of a list, borrowed; *array stays NULL for None. -1: an exception is set. */
static int take_texts(PyObject *list, int64_t expected, const char ***array)
{
    if (list == Py_None) return 0;
    Py_ssize_t count = PyList_Size(list);
    if (count < 0) return -1;
    if (count != (Py_ssize_t)expected)
        return PyErr_Format(PyExc_ValueError, "names: found %zd, expected %lld", count, (long long)expected), -1;
    *array = PyMem_Malloc(sizeof **array * (size_t)(count ? count : 1));
    if (!*array) return PyErr_NoMemory(), -1;
    for (Py_ssize_t k = 0; k < count; k++) {
        (*array)[k] = PyUnicode_AsUTF8AndSize(PyList_GetItem(list, k), NULL);
        if (!(*array)[k]) return -1;
    }
    return 0;
}

/* How Python calls things: features, classes, the labels. All None: as the results themselves say. */
struct names {
    const char **features, **classes, *label;
};

static int take_names(const struct kept *kept, PyObject *tuple, struct names *names)
{
    const struct results_kept *r = &kept->results;
    const dcpn_paths *paths = r->cv ? r->cv->paths : r->paths;
    PyObject *features, *classes;
    if (!PyArg_ParseTuple(tuple, "OOz", &features, &classes, &names->label)) return -1;
    if (take_texts(features, r->model ? r->model->features : paths->features, &names->features) < 0) return -1;
    return take_texts(classes, r->model ? r->model->labels.count : paths->labels.count, &names->classes);
}

/* ---- texts ---- */

static dcpn_status text_of(const struct kept *kept, const struct names *names, char **text)
{
    const struct results_kept *r = &kept->results;
    dcpn_provenance from = r->file ? r->file->provenance : (dcpn_provenance){0};
    if (names->features) from.feature_names = names->features;
    if (names->classes) from.class_names = names->classes;
    if (names->label) from.label_name = names->label;
    if (r->groups) from.groups = r->groups;
    if (r->cv) return dcpn_cv_json(r->cv, &from, r->file ? r->file->folds_file : NULL, text);
    if (r->paths) return dcpn_paths_json(r->paths, &from, text);
    int has_names = names->features || names->classes || names->label || r->groups;
    if (!r->groups) from.groups = r->model->groups;
    dcpn_status status = has_names ? dcpn_model_set_provenance(r->model, &from) : DCPN_OK;
    return status == DCPN_OK ? dcpn_model_json(r->model, text) : status;
}

/* Work with the text of results: writes it, or its page, or hands it over. */
enum purpose { TO_TEXT, TO_FILE, TO_PAGE };

static PyObject *deliver(struct kept *kept, PyObject *tuple, enum purpose purpose, const char *path, const char *title)
{
    struct names names = {0};
    struct call call;
    char *text = NULL;
    PyObject *found = NULL;
    if (take_names(kept, tuple, &names) == 0 &&
        dcpn_python_enter(kept->home, dcpn_python_kept_busy, &call, Py_None) == 0) {
        dcpn_status status = text_of(kept, &names, &text);
        if (status == DCPN_OK && purpose == TO_FILE) status = dcpn_write_text(kept->context, path, text, strlen(text));
        if (status == DCPN_OK && purpose == TO_PAGE) status = dcpn_python_page(kept->context, title, text, path);
        if (!dcpn_python_raises(&call, status))
            found = purpose == TO_TEXT ? PyUnicode_FromString(text) : Py_NewRef(Py_None);
        dcpn_free(kept->context, text);
        dcpn_python_leave(kept->home, &call);
    }
    PyMem_Free(names.features);
    PyMem_Free(names.classes);
    return found;
}

static PyObject *save(PyObject *self, PyObject *arguments)
{
    PyObject *names;
    const char *path;
    if (!PyArg_ParseTuple(arguments, "sO!", &path, &PyTuple_Type, &names)) return NULL;
    return deliver((struct kept *)self, names, TO_FILE, path, NULL);
}

static PyObject *report(PyObject *self, PyObject *arguments)
{
    PyObject *names;
    const char *path, *title;
    if (!PyArg_ParseTuple(arguments, "ssO!", &path, &title, &PyTuple_Type, &names)) return NULL;
    return deliver((struct kept *)self, names, TO_PAGE, path, title);
}

/* For pickle and copy: the text, and how to read it. */
static PyObject *reduce(PyObject *self, PyObject *none)
{
    PyObject *nothing = Py_BuildValue("(OOO)", Py_None, Py_None, Py_None), *found = NULL;
    PyObject *text = nothing ? deliver((struct kept *)self, nothing, TO_TEXT, NULL, NULL) : NULL;
    PyObject *parse = text ? PyObject_GetAttrString((PyObject *)kept_type, "parse") : NULL;
    if (parse) found = Py_BuildValue("O(O)", parse, text);
    (void)none;
    Py_XDECREF(parse);
    Py_XDECREF(text);
    Py_XDECREF(nothing);
    return found;
}

/* ---- reading ---- */

/* Reads a file, or the text of one where there is a text. */
static PyObject *read_results(const char *path, const char *text, Py_ssize_t size)
{
    dcpn_results *file = NULL;
    struct call call;
    PyObject *home = dcpn_python_home_new(1), *found = NULL;
    if (!home) return NULL;
    dcpn_context *context = dcpn_python_home_of(home)->context;
    if (dcpn_python_begin(&call, context, Py_None) == 0) {
        dcpn_status status = text ? dcpn_results_parse(context, "results", text, (size_t)size, &file)
                                  : dcpn_results_read(context, path, &file);
        int raises = dcpn_python_raises(&call, status);
        dcpn_python_end(&call);
        const struct results_kept all = {.model = raises ? NULL : file->model,
                                         .paths = raises || file->cv ? NULL : file->paths,
                                         .cv = raises ? NULL : file->cv,
                                         .file = file};
        if (!raises) found = make(home, &all);
    }
    Py_DECREF(home);
    return found;
}

static PyObject *read_file(PyObject *type, PyObject *arguments)
{
    const char *path;
    (void)type;
    return PyArg_ParseTuple(arguments, "s", &path) ? read_results(path, NULL, 0) : NULL;
}

static PyObject *parse(PyObject *type, PyObject *arguments)
{
    const char *text;
    Py_ssize_t size;
    (void)type;
    return PyArg_ParseTuple(arguments, "s#", &text, &size) ? read_results(NULL, text, size) : NULL;
}

/* ---- contents ---- */

static PyObject *texts(const char *const *words, int64_t count)
{
    if (!words) return Py_NewRef(Py_None);
    PyObject *list = PyList_New((Py_ssize_t)count);
    for (int64_t k = 0; list && k < count; k++) {
        PyObject *word = PyUnicode_FromString(words[k] ? words[k] : "");
        if (!word || PyList_SetItem(list, (Py_ssize_t)k, word) < 0) Py_CLEAR(list);
    }
    return list;
}

/* All settings by their options. */
static PyObject *settings_of(const dcpn_settings *settings)
{
    PyObject *all = PyDict_New();
    const dcpn_setting *s;
    for (size_t k = 0; all && (s = dcpn_setting_at(k)); k++) {
        dcpn_value value;
        if (!dcpn_settings_get(settings, s->option, &value)) continue;
        PyObject *item = value.kind == DCPN_KIND_REAL     ? PyFloat_FromDouble(value.real)
                         : value.kind == DCPN_KIND_CHOICE ? Py_BuildValue("z", value.text)
                         : value.kind == DCPN_KIND_FLAG   ? PyBool_FromLong((long)value.count)
                                                          : PyLong_FromLongLong(value.count);
        if (!item || PyDict_SetItemString(all, s->option, item) < 0) Py_CLEAR(all);
        Py_XDECREF(item);
    }
    return all;
}

static PyObject *model_contents(const dcpn_model *m)
{
    int64_t scores = m->scores;
    return Py_BuildValue("{s:L,s:L,s:N,s:N,s:N,s:d,s:N,s:N,s:N,s:N,s:N}", "features", (long long)m->features, "scores",
                         (long long)scores, "indices", dcpn_python_integers(m->index, m->nonzeros), "values",
                         dcpn_python_doubles(m->value, m->nonzeros), "intercepts",
                         dcpn_python_doubles(m->intercepts ? m->intercepts : &m->intercept,
                                             dcpn_intercept_count(scores, &m->labels)), "lambda",
                         m->settings.lambda, "settings", settings_of(&m->settings), "result",
                         dcpn_python_result(&m->fit), "classes",
                         dcpn_python_doubles(m->labels.numbers, m->labels.count), "class_names",
                         texts((const char *const *)m->labels.names, m->labels.count), "names_in_use",
                         texts((const char *const *)m->table.names, m->nonzeros));
}

static PyObject *paths_contents(const dcpn_results *file, PyObject *found, const char *kind)
{
    const dcpn_paths *p = file->paths;
    const dcpn_provenance *from = &file->provenance;
    return Py_BuildValue("{s:N,s:N,s:N,s:N,s:N}", kind, found, "settings", settings_of(&p->settings), "classes",
                         dcpn_python_doubles(p->labels.numbers, p->labels.count), "class_names",
                         texts(from->class_names, p->labels.count), "names", texts(from->feature_names, p->features));
}

static PyObject *contents(PyObject *self, PyObject *none)
{
    const struct results_kept *r = &((struct kept *)self)->results;
    (void)none;
    if (!r->file) return PyErr_SetString(PyExc_ValueError, "these results were not read from a file"), NULL;
    if (r->cv) return paths_contents(r->file, dcpn_python_cv_result(r->cv), "cv");
    if (r->paths) return paths_contents(r->file, dcpn_python_paths(r->paths), "paths");
    return model_contents(r->model);
}

int dcpn_python_add_kept(PyObject *module)
{
    static PyMethodDef methods[] = {
        {"save", save, METH_VARARGS, "save(path, names): writes the file that the command would."},
        {"report", report, METH_VARARGS, "report(path, title, names): writes the page."},
        {"contents", contents, METH_NOARGS, "What a file has, as a dictionary."},
        {"read", read_file, METH_VARARGS | METH_CLASS, "read(path): reads a file of results."},
        {"parse", parse, METH_VARARGS | METH_CLASS, "parse(text): reads the text of one."},
        {"__reduce__", reduce, METH_NOARGS, "For pickle and copy."},
        {0},
    };
    static PyType_Slot slots[] = {{Py_tp_methods, methods}, {Py_tp_dealloc, (void *)destroy}, {0, NULL}};
    static PyType_Spec spec = {.name = "dcpn._core.Kept",
                               .basicsize = sizeof(struct kept),
                               .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION,
                               .slots = slots};
    if (!kept_type) kept_type = (PyTypeObject *)PyType_FromModuleAndSpec(module, &spec, NULL);
    return kept_type ? PyModule_AddType(module, kept_type) : -1;
}
