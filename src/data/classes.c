/* SPDX-License-Identifier: BSD-3-Clause */
/* Two classes made of the labels of a data set, one of them against the other or against all others; labels in an order
 * that somebody says; and the labels of other data as numbers of such classes. */
#include <math.h>
#include <string.h>

#include "base/context.h"
#include "base/growing.h"
#include "data/dataset.h"
#include "data/names.h"

enum { MOST_NAMED = 8 /* classes in a message */ };
static const char NOT[] = "not "; /* X are all but X */

static int is_called(const dcpn_dataset *dataset, double label, const char *name)
{
    double number;
    if (dataset->label_names) return strcmp(dataset->label_names[(int64_t)label], name) == 0;
    return dcpn_word_number(dcpn_word_of(name), 0, &number) && number == label;
}

static void append_label(const dcpn_dataset *dataset, double label, struct text *text)
{
    if (dataset->label_names)
        dcpn_text_append(text, dataset->label_names[(int64_t)label]);
    else
        dcpn_text_append_number(text, label);
}

static int is_among(const double *labels, int count, double label)
{
    for (int k = 0; k < count; k++)
        if (labels[k] == label) return 1;
    return 0;
}

/* The first few different labels, in the order of the rows. Returns how many. */
static int find_different(const dcpn_dataset *dataset, double *found, int most)
{
    int count = 0;
    for (int64_t i = 0; i < dataset->rows && count < most; i++)
        if (!isnan(dataset->labels[i]) && !is_among(found, count, dataset->labels[i]))
            found[count++] = dataset->labels[i];
    return count;
}

static dcpn_status refuse_unknown(const dcpn_dataset *dataset, const char *positive)
{
    double found[MOST_NAMED + 1];
    int count = find_different(dataset, found, MOST_NAMED + 1);
    struct text text = {.context = dataset->context};
    char *names;
    dcpn_text_append(&text, count > 0 ? "" : "none");
    for (int k = 0; k < count && k < MOST_NAMED; k++) {
        if (k > 0) dcpn_text_append(&text, ", ");
        append_label(dataset, found[k], &text);
    }
    if (count > MOST_NAMED) dcpn_text_append(&text, " ...");
    DCPN_TRY(dcpn_text_give(&text, &names));
    dcpn_status status = dcpn_fail(dataset->context, DCPN_DATA,
                                   "labels: found %s, expected some rows of the class '%s'", names, positive);
    dcpn_free(dataset->context, names);
    return status;
}

/* "not X", or what the one other class is called; and what the positive one is. */
static dcpn_status make_names(const dcpn_dataset *dataset, double other, int has_others, double chosen, char ***names)
{
    dcpn_context *context = dataset->context;
    struct text negative = {.context = context}, positive = {.context = context};
    char *first = NULL, *second = NULL;
    if (has_others) dcpn_text_append(&negative, NOT);
    append_label(dataset, has_others ? chosen : other, &negative);
    append_label(dataset, chosen, &positive);
    dcpn_status status = dcpn_text_give(&negative, &first), also = dcpn_text_give(&positive, &second);
    if (status == DCPN_OK) status = also;
    if (status == DCPN_OK) {
        const struct word words[2] = {dcpn_word_of(first), dcpn_word_of(second)};
        *names = dcpn_names_copy(context, words, 2, 0);
        status = *names ? DCPN_OK : DCPN_MEMORY;
    }
    dcpn_free(context, first);
    dcpn_free(context, second);
    return status;
}

dcpn_status dcpn_dataset_set_positive(dcpn_dataset *dataset, const char *positive)
{
    DCPN_NEED(NULL, dataset);
    DCPN_NEED(dataset->context, dataset->context, positive);
    DCPN_TRY(dcpn_dataset_check(dataset));
    double chosen = NAN, other = NAN;
    int has_others = 0;
    char **names;
    for (int64_t i = 0; i < dataset->rows; i++) {
        double label = dataset->labels[i];
        if (isnan(label)) continue;
        if (is_called(dataset, label, positive))
            chosen = label;
        else if (isnan(other))
            other = label;
        else
            has_others |= label != other;
    }
    if (isnan(chosen)) return refuse_unknown(dataset, positive);
    if (isnan(other))
        return dcpn_fail(dataset->context, DCPN_DATA,
                         "labels: found the one class '%s' in all rows, expected another one, too", positive);
    DCPN_TRY(make_names(dataset, other, has_others, chosen, &names));
    for (int64_t i = 0; i < dataset->rows; i++)
        if (!isnan(dataset->labels[i])) dataset->labels[i] = dataset->labels[i] == chosen ? 1.0 : 0.0;
    dcpn_free(dataset->context, dataset->label_names);
    dataset->label_names = names;
    dataset->label_count = 2;
    dataset->are_ordered = 0;
    return DCPN_OK;
}

/* ---- The same classes in other data ---- */

static int is_rest(char *const *names, int64_t count)
{
    size_t length = sizeof NOT - 1;
    return count == 2 && strncmp(names[0], NOT, length) == 0 && strcmp(names[0] + length, names[1]) == 0;
}

static int64_t class_of(const dcpn_dataset *dataset, double label, char *const *names, int64_t count)
{
    for (int64_t k = 0; k < count; k++)
        if (is_called(dataset, label, names[k])) return k;
    return is_rest(names, count) ? 0 : -1;
}

dcpn_status dcpn_dataset_match_classes(dcpn_dataset *dataset, char *const *names, int64_t count, int64_t *stranger)
{
    DCPN_NEED(NULL, dataset);
    DCPN_NEED(dataset->context, dataset->context, names, stranger);
    DCPN_TRY(dcpn_dataset_check(dataset));
    DCPN_TRY(dcpn_need_texts(dataset->context, "names of the classes", (const char *const *)names, count));
    *stranger = -1;
    for (int64_t i = 0; i < dataset->rows && *stranger < 0; i++)
        if (!isnan(dataset->labels[i]) && class_of(dataset, dataset->labels[i], names, count) < 0) *stranger = i;
    for (int64_t i = 0; i < dataset->rows && *stranger < 0; i++)
        if (!isnan(dataset->labels[i]))
            dataset->labels[i] = (double)class_of(dataset, dataset->labels[i], names, count);
    return DCPN_OK;
}

/* ---- labels in an order ---- */

static dcpn_status check_order(dcpn_dataset *dataset, const char *const *names, int64_t count, double *number)
{
    for (int64_t k = 0; k < dataset->label_count; k++) number[k] = NAN;
    for (int64_t k = 0; k < count; k++) {
        int64_t l = 0;
        while (l < dataset->label_count && strcmp(dataset->label_names[l], names[k]) != 0) l++;
        if (l == dataset->label_count) return refuse_unknown(dataset, names[k]);
        if (!isnan(number[l]))
            return dcpn_fail(dataset->context, DCPN_USAGE, "order of the labels: found '%s' twice, expected it once",
                             names[k]);
        number[l] = (double)k;
    }
    for (int64_t l = 0; l < dataset->label_count; l++)
        if (isnan(number[l]))
            return dcpn_fail(dataset->context, DCPN_USAGE,
                             "order of the labels: found no place for '%s', expected all %lld labels",
                             dataset->label_names[l], (long long)dataset->label_count);
    return DCPN_OK;
}

static dcpn_status take_order(dcpn_dataset *dataset, const double *number)
{
    int64_t count = dataset->label_count;
    struct word *words = dcpn_allocate(dataset->context, (size_t)count, sizeof *words);
    for (int64_t l = 0; words && l < count; l++) words[(int64_t)number[l]] = dcpn_word_of(dataset->label_names[l]);
    char **ordered = words ? dcpn_names_copy(dataset->context, words, count, 0) : NULL;
    dcpn_free(dataset->context, words);
    if (!ordered) return DCPN_MEMORY;
    for (int64_t i = 0; i < dataset->rows; i++)
        if (!isnan(dataset->labels[i])) dataset->labels[i] = number[(int64_t)dataset->labels[i]];
    dcpn_free(dataset->context, dataset->label_names);
    dataset->label_names = ordered;
    dataset->are_ordered = 1;
    return DCPN_OK;
}

dcpn_status dcpn_dataset_order_classes(dcpn_dataset *dataset, const char *const *names, int64_t count)
{
    DCPN_NEED(NULL, dataset);
    DCPN_NEED(dataset->context, dataset->context, names);
    DCPN_TRY(dcpn_dataset_check(dataset));
    DCPN_TRY(dcpn_need_texts(dataset->context, "names of the classes", names, count));
    if (!dataset->label_names)
        return dcpn_fail(dataset->context, DCPN_USAGE,
                         "order of the labels: found numbers, whose order is known, expected texts; leave it out");
    double *number = dcpn_allocate(dataset->context, (size_t)dataset->label_count, sizeof *number);
    if (!number) return DCPN_MEMORY;
    dcpn_status status = check_order(dataset, names, count, number);
    if (status == DCPN_OK) status = take_order(dataset, number);
    dcpn_free(dataset->context, number);
    return status;
}
