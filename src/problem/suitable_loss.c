/* SPDX-License-Identifier: BSD-3-Clause */
/* Which loss suits the labels of a data set, and whether a loss can take them, in the words of the data. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/context.h"
#include "dcpn/solver.h"
#include "loss/loss.h"

/* Measurements are more than two numbers of which at least one is no integer; numbers of classes are integers. */
static int are_measurements(const dcpn_dataset *data)
{
    int has_third = 0, has_fraction = 0;
    double first = NAN, second = NAN;
    for (int64_t i = 0; i < data->rows; i++) {
        double y = data->labels[i];
        if (isnan(y)) continue;
        if (isinf(y)) return 0;
        if (isnan(first)) first = second = y;
        if (second == first) second = y;
        has_third |= y != first && y != second;
        has_fraction |= y != floor(y);
    }
    return has_third && has_fraction;
}

enum { MOST_CLASSES = 1000 };

/* Adds a label to ascending ones, unless it is there; 0: it is no number of a class, or there is no room. */
static int note_label(double label, double *classes, int *count)
{
    int k = *count;
    if (!isfinite(label) || label != floor(label)) return 0;
    while (k > 0 && classes[k - 1] > label) k--;
    if (k > 0 && classes[k - 1] == label) return 1;
    if (*count == MOST_CLASSES) return 0;
    for (int i = (*count)++; i > k; i--) classes[i] = classes[i - 1];
    classes[k] = label;
    return 1;
}

/* Numbers that stand for classes: more than two whole ones, -1, 0 and +1 being two and none, and each of them twice in
 * the mean; others count or measure something. */
static int are_many_classes(const dcpn_dataset *data)
{
    double classes[MOST_CLASSES];
    int count = 0;
    if (data->label_names) return data->label_count > 2;
    if (dcpn_zero_is_no_label(data->labels, data->rows)) return 0;
    for (int64_t i = 0; i < data->rows; i++)
        if (!note_label(data->labels[i], classes, &count)) return 0;
    return count > 2 && data->rows >= 2 * (int64_t)count;
}

const char *dcpn_loss_for_labels(const dcpn_dataset *data)
{
    if (data && !data->label_names && are_measurements(data)) return "squared";
    return data && are_many_classes(data) ? "multinomial" : dcpn_settings_default().loss;
}

/* ---- can the loss take them? ---- */

static dcpn_status check_names(dcpn_context *context, const dcpn_dataset *data, const char *loss)
{
    char names[200] = "";
    size_t length = 0;
    if (!dcpn_loss_wants_classes(loss) && !dcpn_loss_takes_many_classes(loss))
        return dcpn_fail(context, DCPN_DATA,
                         "labels: found texts, like %s, expected numbers for --loss %s; a loss for classes, like "
                         "logistic, accepts them",
                         data->label_names[0], loss);
    if (strcmp(loss, dcpn_loss_ordinal.name) == 0 && !data->are_ordered)
        return dcpn_fail(context, DCPN_DATA,
                         "labels: found texts, like %s, whose order --loss ordinal needs; say it by --order A,B,C, or "
                         "give numbers in their place, 1, 2, 3 ...",
                         data->label_names[0]);
    if (data->are_ordered && strcmp(loss, dcpn_loss_ordinal.name) != 0)
        return dcpn_fail(context, DCPN_USAGE, "--order: it belongs to --loss ordinal, found --loss %s; leave it out",
                         loss);
    if (data->label_count == 2 || (data->label_count > 2 && dcpn_loss_takes_many_classes(loss))) return DCPN_OK;
    for (int64_t k = 0; k < data->label_count && length < sizeof names; k++)
        length += (size_t)snprintf(names + length, sizeof names - length, "%s%s", k ? ", " : "", data->label_names[k]);
    return dcpn_fail(
        context, DCPN_DATA,
        "labels: found %lld class%s (%s%s), expected two for --loss %s; --loss multinomial takes all of them, "
        "--positive CLASS one against the rest",
        (long long)data->label_count, data->label_count == 1 ? "" : "es", names, length < sizeof names ? "" : " ...",
        loss);
}

/* Counts the rows of the least and of the greatest label, which are the two classes if there are no others. Returns how
 * many rows have any label. */
static int64_t count_ends(const dcpn_dataset *data, double label[2], int64_t count[2])
{
    int64_t labelled = 0;
    int zero_is_none = !data->label_names && dcpn_zero_is_no_label(data->labels, data->rows);
    label[0] = HUGE_VAL;
    label[1] = -HUGE_VAL;
    for (int64_t i = 0; i < data->rows; i++) {
        double y = data->labels[i];
        if (isnan(y) || (zero_is_none && y == 0.0)) continue;
        if (y < label[0]) label[0] = y, count[0] = 0;
        if (y > label[1]) label[1] = y, count[1] = 0;
        for (int k = 0; k < 2; k++) count[k] += y == label[k];
        labelled++;
    }
    return labelled;
}

static dcpn_status refuse_rare(dcpn_context *context, const dcpn_dataset *data, double label)
{
    char number[40];
    snprintf(number, sizeof number, "%.10g", label);
    return dcpn_fail(context, DCPN_DATA,
                     "labels: the class %s has 1 row, expected at least 2, since a fold without it has one class; add "
                     "rows of that class, or fit without a cross-validation",
                     data->label_names ? data->label_names[(int64_t)label] : number);
}

dcpn_status dcpn_labels_check(dcpn_context *context, const dcpn_dataset *data, const char *loss)
{
    DCPN_NEED(context, context, data, loss);
    return data->label_names ? check_names(context, data, loss) : DCPN_OK;
}

dcpn_status dcpn_labels_check_folds(dcpn_context *context, const dcpn_dataset *data, const char *loss)
{
    double label[2];
    int64_t count[2] = {0, 0};
    DCPN_NEED(context, context, data, loss);
    DCPN_TRY(dcpn_labels_check(context, data, loss));
    if (!dcpn_loss_wants_classes(loss)) return DCPN_OK;
    int64_t labelled = count_ends(data, label, count);
    int rare = count[0] == 1 ? 0 : 1;
    if (count[rare] != 1 || !(label[0] < label[1]) || labelled > count[0] + count[1]) return DCPN_OK;
    return refuse_rare(context, data, label[rare]);
}
