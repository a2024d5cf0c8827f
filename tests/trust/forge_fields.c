/* SPDX-License-Identifier: BSD-3-Clause */
/* Tells one lie after another to the reader of a file of results, each under a checksum that is right: every field is
 * gone, of another type, another number, and every list longer, shorter or in another order. Prints "KIND PLACE LIE"
 * for each that is taken; what is taken can be written, and read again as the same, and what is refused is refused in
 * one sentence that names the file. fields.py says which may be taken.
 *
 * usage: trust_forge_fields FILE */
#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "dcpn/dcpn.h"
#include "model/model_json.h"

enum { DEEPEST = 12, PLACE = 400, ENDS = 2 };

static dcpn_context *context;
static const char *kind;
static json_t *root;
static long told, taken;

static void stop(const char *what, const char *place, const char *lie)
{
    fprintf(stderr, "%s, %s, %s: %s: %s\n", kind, place, lie, what, dcpn_last_error(context));
    exit(1);
}

/* ---- reading, writing and using, by kinds ---- */

static char *text_of_file(const char *path)
{
    json_t *tree = json_load_file(path, JSON_DECODE_ANY, NULL);
    char *text = tree ? json_dumps(tree, JSON_COMPACT | JSON_SORT_KEYS | JSON_REAL_PRECISION(17)) : NULL;
    json_decref(tree);
    return text;
}

/* What a use of the file comes to: numbers, or a refusal. */
static int are_finite(dcpn_status status, const double *numbers, int64_t count)
{
    for (int64_t k = 0; status == DCPN_OK && k < count; k++)
        if (!isfinite(numbers[k])) return 0;
    return 1;
}

static double *halves(int64_t count)
{
    double *numbers = malloc((size_t)(count + 1) * sizeof *numbers);
    for (int64_t k = 0; numbers && k < count; k++) numbers[k] = 0.5;
    return numbers;
}

static int use_graph(const dcpn_graphs *graphs)
{
    int64_t count = dcpn_graphs_variables(graphs);
    double *row = halves(count);
    row[0] = (double)NAN;
    int is_fine = are_finite(dcpn_graphs_fill(graphs, dcpn_graphs_chosen(graphs), 1, row), row, count);
    free(row);
    return is_fine;
}

static int use_neighbours(const dcpn_neighbours *neighbours)
{
    double *row = halves(neighbours->variables);
    row[0] = (double)NAN;
    int is_fine = are_finite(dcpn_neighbours_fill(neighbours, 1, row), row, neighbours->variables);
    free(row);
    return is_fine;
}

static int use_completion(const dcpn_completion *completion)
{
    const int64_t place = 0;
    double value = 0.0;
    return are_finite(dcpn_completion_values(completion, 1, &place, &place, &value), &value, 1);
}

static int use_factors(const dcpn_factors *factors)
{
    double *row = halves(factors->length), *codes = halves(factors->atoms);
    dcpn_matrix *X = NULL;
    dcpn_status status = dcpn_matrix_dense(context, 1, factors->length, row, DCPN_FLOAT64, DCPN_ROW_MAJOR,
                                           factors->length, DCPN_BORROW, &X);
    if (status == DCPN_OK) status = dcpn_factors_codes(factors, X, codes);
    int is_fine = are_finite(status, codes, factors->atoms);
    dcpn_matrix_free(X);
    free(row);
    free(codes);
    return is_fine;
}

/* Any of the models, on a row. */
static int use_results(dcpn_results *results)
{
    dcpn_model *model = NULL;
    dcpn_matrix *X = NULL;
    double label, probability;
    if (dcpn_results_model(results, NULL, &model) != DCPN_OK) return 1;
    double *row = halves(model->features), *scores = halves(model->scores);
    dcpn_status status = dcpn_matrix_dense(context, 1, model->features, row, DCPN_FLOAT64, DCPN_ROW_MAJOR,
                                           model->features, DCPN_BORROW, &X);
    if (status == DCPN_OK) status = dcpn_model_scores(model, X, NULL, scores);
    if (status == DCPN_OK) status = dcpn_model_labels(model, scores, 1, &label);
    if (status == DCPN_OK && model->scores == 1) dcpn_model_probability(model, scores[0], &probability);
    dcpn_matrix_free(X);
    dcpn_model_free(model);
    free(row);
    free(scores);
    return 1;
}

#define BY_FILE(NAME, TYPE, READ, WRITE, USE, FREE)                                                                    \
    static dcpn_status NAME(const char *path, const char *again)                                                       \
    {                                                                                                                  \
        TYPE *read = NULL;                                                                                             \
        dcpn_status status = READ(context, path, &read);                                                               \
        if (status == DCPN_OK && (WRITE(read, again) != DCPN_OK || !USE(read))) status = DCPN_MEMORY;                  \
        FREE(read);                                                                                                    \
        return status;                                                                                                 \
    }
BY_FILE(graph, dcpn_graphs, dcpn_graphs_read, dcpn_graphs_write, use_graph, dcpn_graphs_free)
BY_FILE(neighbours, dcpn_neighbours, dcpn_neighbours_read, dcpn_neighbours_write, use_neighbours, dcpn_neighbours_free)
BY_FILE(completion, dcpn_completion, dcpn_completion_read, dcpn_completion_write, use_completion, dcpn_completion_free)
BY_FILE(factors, dcpn_factors, dcpn_factors_read, dcpn_factors_write, use_factors, dcpn_factors_free)

static dcpn_status write_results(const dcpn_results *read, const char *again)
{
    if (read->model) return dcpn_model_write(read->model, again);
    if (read->cv) return dcpn_cv_write(read->cv, &read->provenance, read->folds_file, again);
    return dcpn_paths_write(read->paths, &read->provenance, again);
}
BY_FILE(results, dcpn_results, dcpn_results_read, write_results, use_results, dcpn_results_free)

static dcpn_status (*reader(void))(const char *, const char *)
{
    if (strcmp(kind, "dcpn-graph") == 0) return graph;
    if (strcmp(kind, "dcpn-neighbours") == 0) return neighbours;
    if (strcmp(kind, "dcpn-completion") == 0) return completion;
    return strcmp(kind, "dcpn-factors") == 0 ? factors : results;
}

/* ---- one lie ---- */

static void judge(const char *place, const char *lie)
{
    char digits[DCPN_CHECKSUM_LENGTH];
    dcpn_json_checksum(root, digits);
    json_object_set_new(root, "checksum", json_string(digits));
    if (json_dump_file(root, "lie.json", JSON_COMPACT | JSON_REAL_PRECISION(17)) != 0) stop("no file", place, lie);
    told++;
    dcpn_status status = reader()("lie.json", "again.json");
    if (status == DCPN_OK) {
        char *once = text_of_file("again.json");
        if (reader()("again.json", "more.json") != DCPN_OK) stop("cannot be read again", place, lie);
        char *twice = text_of_file("more.json");
        if (!once || !twice || strcmp(once, twice) != 0) stop("is another when read again", place, lie);
        free(once);
        free(twice);
        printf("%s %s %s\n", kind, place, lie);
        taken++;
    } else if (status != DCPN_MODEL && status != DCPN_DATA) {
        stop("cannot be written, or gives what is no number", place, lie);
    } else if (strncmp(dcpn_last_error(context), "lie.json", 8) != 0 || strchr(dcpn_last_error(context), '\n')) {
        stop("is no sentence", place, lie);
    }
}

/* Puts the new value, which is taken over, in the place of the one at the end of the way; NULL: takes that away.
 * Returns what was there. */
static json_t *put(json_t *inside, const char *key, size_t at, json_t *value)
{
    json_t *old = json_is_array(inside) ? json_array_get(inside, at) : json_object_get(inside, key);
    json_incref(old);
    if (json_is_array(inside))
        value ? json_array_set_new(inside, at, value) : json_array_remove(inside, at);
    else
        value ? json_object_set_new(inside, key, value) : json_object_del(inside, key);
    return old;
}

static void restore(json_t *inside, const char *key, size_t at, json_t *old, int is_gone)
{
    if (!json_is_array(inside))
        json_object_set_new(inside, key, old);
    else if (is_gone)
        json_array_insert_new(inside, at, old);
    else
        json_array_set_new(inside, at, old);
}

static void tell(json_t *inside, const char *key, size_t at, json_t *value, const char *place, const char *lie)
{
    int is_gone = !value;
    json_t *old = put(inside, key, at, value),
           *now = json_is_array(inside) ? json_array_get(inside, at) : json_object_get(inside, key);
    if (is_gone || !json_equal(old, now)) judge(place, lie);
    restore(inside, key, at, old, is_gone);
}

static json_t *changed_list(const json_t *list, const char *lie)
{
    json_t *copy = json_deep_copy(list), *last = json_array_get(copy, json_array_size(copy) - 1);
    if (strcmp(lie, "longer") == 0)
        json_array_append_new(copy, last ? json_deep_copy(last) : json_integer(0));
    else if (strcmp(lie, "shorter") == 0)
        json_array_remove(copy, json_array_size(copy) - 1);
    else
        for (size_t k = 0, n = json_array_size(list); k < n; k++)
            json_array_set_new(copy, k, json_deep_copy(json_array_get(list, n - 1 - k)));
    return copy;
}

static void tell_all(json_t *inside, const char *key, size_t at, const char *place)
{
    static const struct {
        const char *name;
        double number;
    } numbers[] = {{"-1", -1}, {"0", 0},         {"1", 1},         {"0.5", 0.5},
                   {"3", 3},   {"2^40", 0x1p40}, {"1e308", 1e308}, {"1e-320", 1e-320}};
    static const char *const lists[] = {"longer", "shorter", "reversed"};
    const json_t *there = json_is_array(inside) ? json_array_get(inside, at) : json_object_get(inside, key);
    int is_list = json_is_array(there);
    tell(inside, key, at, NULL, place, "gone");
    tell(inside, key, at, json_null(), place, "null");
    tell(inside, key, at, json_true(), place, "true");
    tell(inside, key, at, json_string("x"), place, "text");
    tell(inside, key, at, json_array(), place, "list");
    tell(inside, key, at, json_object(), place, "object");
    for (size_t k = 0; k < sizeof numbers / sizeof *numbers; k++) {
        double number = numbers[k].number;
        tell(inside, key, at,
             number == floor(number) && fabs(number) < 0x1p53 ? json_integer((json_int_t)number) : json_real(number),
             place, numbers[k].name);
    }
    for (size_t k = 0; is_list && k < sizeof lists / sizeof *lists; k++) {
        json_t *list = json_is_array(inside) ? json_array_get(inside, at) : json_object_get(inside, key);
        if (json_array_size(list) > 0) tell(inside, key, at, changed_list(list, lists[k]), place, lists[k]);
    }
}

/* ---- all places ---- */

static void walk(json_t *value, const char *place, int depth)
{
    char inner[PLACE];
    if (depth > DEEPEST) return;
    for (size_t k = 0, n = json_array_size(value); json_is_array(value) && k < n; k++) {
        if (k >= ENDS && k + ENDS < n) continue; /* the first and the last ones */
        snprintf(inner, sizeof inner, "%s[]", place);
        tell_all(value, NULL, k, inner);
        walk(json_array_get(value, k), inner, depth + 1);
    }
    if (!json_is_object(value)) return;
    json_t *keys = json_deep_copy(value);
    const char *key;
    json_t *unused;
    json_object_foreach(keys, key, unused)
    {
        snprintf(inner, sizeof inner, "%s%s%s", place, *place ? "." : "", key);
        if (strcmp(inner, "checksum") == 0 || strcmp(inner, "format") == 0) continue;
        tell_all(value, key, 0, inner);
        walk(json_object_get(value, key), inner, depth + 1);
    }
    json_decref(keys);
}

int main(int argc, char **argv)
{
    context = dcpn_context_new(NULL);
    root = argc == 2 ? json_load_file(argv[1], 0, NULL) : NULL;
    if (!context || !root) return 2;
    kind = strdup(json_string_value(json_object_get(root, "format")));
    walk(root, "", 0);
    fprintf(stderr, "%s: %ld lies, %ld taken\n", kind, told, taken);
    json_decref(root);
    dcpn_context_free(context);
    return 0;
}
