/* SPDX-License-Identifier: BSD-3-Clause */
/* Labels and weights as the loss wants them: -1 and +1 for two classes of any two values, 0 for none, weights that sum
 * to 1 under --scale mean. */
#include <math.h>
#include <string.h>

#include "base/reduce.h"
#include "base/sort.h"
#include "base/vector.h"
#include "matrix/matrix.h"
#include "problem/distinct_labels.h"
#include "problem/targets.h"

int dcpn_has_label(const dcpn_problem *problem, int64_t row)
{
    double label = problem->y[row];
    return !isnan(label) && !(problem->zero_is_no_label && label == 0.0);
}

int dcpn_unlabelled_weigh_at_most(double times, const dcpn_problem *problem, const dcpn_settings *settings)
{
    double labelled = 0.0, unlabelled = 0.0;
    for (int64_t i = 0; i < dcpn_problem_rows(problem); i++)
        *(dcpn_has_label(problem, i) ? &labelled : &unlabelled) += problem->weights ? problem->weights[i] : 1.0;
    return settings->unlabelled_weight * unlabelled <= times * labelled;
}

static double weight_of(const dcpn_problem *problem, int64_t row)
{
    return problem->weights ? problem->weights[row] : 1.0;
}

/* The data that targets are made from, and the targets. */
struct making {
    const dcpn_problem *problem;
    const dcpn_settings *settings;
    const struct parts *parts;
    const dcpn_matrix *A;
    struct targets *made;
};

static int64_t count_runs(const dcpn_problem *problem)
{
    int64_t rows = dcpn_problem_rows(problem), runs = 1;
    for (int64_t i = 0; i < rows; i++) runs += dcpn_has_label(problem, i) != runs % 2;
    return runs;
}

static void fill_runs(const struct making *m)
{
    int64_t runs = 1, rows = dcpn_problem_rows(m->problem);
    m->made->runs[0] = 0;
    for (int64_t i = 0; i < rows; i++)
        if (dcpn_has_label(m->problem, i) != runs % 2) m->made->runs[runs++] = i;
}

/* Refuses weights that are above 0 in rows of one class alone: a loss with a tail then falls for ever. */
static dcpn_status check_class_weights(const struct making *m, const double *labels, int64_t rows)
{
    int weighs[2] = {0, 0};
    for (int64_t i = 0; i < rows; i++)
        if (dcpn_has_label(m->problem, i) && weight_of(m->problem, i) > 0.0)
            weighs[labels[i] == m->made->classes[1]] = 1;
    if (weighs[0] && weighs[1]) return DCPN_OK;
    return dcpn_fail(m->made->context, DCPN_DATA,
                     "weights: found 0 in all rows of the class %g, expected some above 0 in each class for --loss %s",
                     m->made->classes[weighs[0]], m->parts->loss->name);
}

/* ---- classes of all ranks ---- */

enum { NEGATIVE_ONE, ZERO, POSITIVE_ONE, ANOTHER, NONE, KINDS_OF_LABELS };

/* Finds which kinds of labels there are. */
static void find_kinds(const double *labels, int64_t rows, int64_t *kinds)
{
    for (int k = 0; k < KINDS_OF_LABELS; k++) kinds[k] = 0;
    for (int64_t i = 0; i < rows; i++) {
        int kind = isnan(labels[i])    ? NONE
                   : labels[i] == -1.0 ? NEGATIVE_ONE
                   : labels[i] == 0.0  ? ZERO
                   : labels[i] == 1.0  ? POSITIVE_ONE
                                       : ANOTHER;
        kinds[kind] = 1;
    }
}

static dcpn_status check_two(const struct making *m, const double *labels, int64_t rows)
{
    const double *classes = m->made->classes;
    for (int64_t i = 0; i < rows; i++)
        if (labels[i] != classes[0] && labels[i] != classes[1])
            return dcpn_fail(
                m->made->context, DCPN_DATA,
                "labels: found %g, %g and %g (row %lld of its part), expected two classes for --loss %s; one against "
                "the rest: --positive CLASS; for numbers use --loss squared or huber",
                classes[0], labels[i], classes[1], (long long)i + 1, m->parts->loss->name);
    return DCPN_OK;
}

/* A rank that finds a third class says so to the others. */
static dcpn_status check_classes(const struct making *m, const double *labels, int64_t rows)
{
    int64_t found[3] = {0, 0, 0}, *weighs = found; /* 2: another label */
    dcpn_status status = check_two(m, labels, rows);
    found[2] = status != DCPN_OK;
    for (int64_t i = 0; i < rows; i++)
        if (weight_of(m->problem, i) > 0.0) weighs[labels[i] == m->made->classes[1]] = 1;
    dcpn_ranks_max(m->made->context, found, 3);
    if (found[2]) return dcpn_ranks_agree(m->made->context, status);
    DCPN_TRY(dcpn_ranks_status(m->made->context));
    if (weighs[0] && weighs[1]) return DCPN_OK;
    return dcpn_fail(m->made->context, DCPN_DATA,
                     "weights: found 0 in all rows of the class %g, expected some above 0 in each class for --loss %s",
                     m->made->classes[weighs[0]], m->parts->loss->name);
}

static dcpn_status find_classes_of_all(const struct making *m, const double *labels, int64_t rows)
{
    dcpn_context *context = m->made->context;
    int64_t kinds[KINDS_OF_LABELS];
    find_kinds(labels, rows, kinds);
    struct extent range = dcpn_ranks_range(context, rows, labels, kinds, KINDS_OF_LABELS);
    DCPN_TRY(dcpn_ranks_status(context));
    if (kinds[NONE] || (kinds[NEGATIVE_ONE] && kinds[ZERO] && kinds[POSITIVE_ONE] && !kinds[ANOTHER]))
        return dcpn_fail(
            context, DCPN_USAGE,
            "--sums exact: rows without a label are not known to it, and on ranks there is no other way; leave "
            "them out");
    if (range.least == range.largest)
        return dcpn_fail(context, DCPN_DATA,
                         "labels: found the one class %g in all rows, expected two classes for --loss %s", range.least,
                         m->parts->loss->name);
    m->made->classes[0] = range.least;
    m->made->classes[1] = range.largest;
    m->made->class_count = 2;
    return check_classes(m, labels, rows);
}

/* The two values among the labels, ascending. */
static dcpn_status find_classes(const struct making *m, const double *labels, int64_t rows)
{
    m->made->classes = dcpn_allocate(m->made->context, 2, sizeof *m->made->classes);
    if (!m->made->classes) return DCPN_MEMORY;
    double *low = &m->made->classes[0], *high = &m->made->classes[1];
    *low = *high = 0.0;
    int64_t labelled = 0;
    if (m->parts->is_exact) return find_classes_of_all(m, labels, rows);
    for (int64_t i = 0; i < rows; i++) {
        double label = labels[i];
        if (!dcpn_has_label(m->problem, i)) continue;
        if (labelled++ == 0) *low = *high = label;
        if (label == *low || label == *high) continue;
        if (*low != *high)
            return dcpn_fail(
                m->made->context, DCPN_DATA,
                "labels: found %g, %g and %g (row %lld), expected two classes for --loss %s; all of them: --loss "
                "multinomial; one against the rest: --positive CLASS; for numbers use --loss squared or huber",
                *low, *high, label, (long long)i + 1, m->parts->loss->name);
        *(label < *low ? low : high) = label;
    }
    if (labelled == 0)
        return dcpn_fail(m->made->context, DCPN_DATA,
                         "labels: no row has one, expected two classes for --loss %s; label some rows of each",
                         m->parts->loss->name);
    if (*low == *high)
        return dcpn_fail(m->made->context, DCPN_DATA,
                         "labels: found the one class %g in all rows%s, expected two classes for --loss %s", *low,
                         labelled < rows ? " with a label" : "", m->parts->loss->name);
    m->made->class_count = 2;
    return check_class_weights(m, labels, rows);
}

/* The mean of the rows without a label; returns their weight. w is scratch. */
static double fill_mean_row(const struct making *m, int64_t rows)
{
    int64_t features = m->A->columns;
    double total = 0.0;
    for (int64_t i = 0; i < rows; i++)
        total += m->made->w[i] = dcpn_has_label(m->problem, i) ? 0.0 : weight_of(m->problem, i);
    dcpn_matrix_adjoint(m->A, m->made->w, m->made->mean_row);
    for (int64_t j = 0; j < features && total > 0.0; j++) m->made->mean_row[j] /= total;
    m->made->mean_row[features] = 1.0; /* of the intercept, if there is one */
    return total;
}

/* The last row asks that the mean score of the rows without a label be the mean of the labels -1 and +1. */
static void fill_balance(const struct making *m, int64_t rows)
{
    const double *offset = m->problem->offset;
    double unlabelled = fill_mean_row(m, rows), labelled = 0.0, sum = 0.0, shift = 0.0;
    for (int64_t i = 0; i < rows; i++) {
        double weight = weight_of(m->problem, i);
        if (offset) m->made->offset[i] = offset[i];
        if (dcpn_has_label(m->problem, i)) {
            labelled += weight;
            sum += weight * m->made->y[i];
        } else if (offset) {
            shift += weight * offset[i];
        }
    }
    if (offset) m->made->offset[rows] = unlabelled > 0.0 ? shift / unlabelled : 0.0;
    m->made->y[rows] = labelled > 0.0 ? sum / labelled : 0.0;
    m->made->w[rows] = m->settings->balance * m->settings->unlabelled_weight * unlabelled;
}

static dcpn_status fill_weights(const struct making *m, int64_t rows)
{
    double total = 0.0, others = m->settings->unlabelled_weight;
    for (int64_t i = 0; i < rows; i++) {
        int labelled = !m->parts->unlabelled || dcpn_has_label(m->problem, i);
        total += m->made->w[i] = weight_of(m->problem, i) * (labelled ? 1.0 : others);
    }
    if (m->parts->is_exact) total = dcpn_ranks_sum_of(m->made->context, rows, m->made->w);
    m->made->weight = total;
    if (m->problem->weights && dcpn_has_ranks(m->made->context) && !(total > 0.0)) /* each rank may have none */
        return dcpn_fail(m->made->context, DCPN_DATA, "weights: all are 0 on all ranks, expected at least one above 0");
    if (strcmp(m->settings->scale, "mean") == 0)
        for (int64_t i = 0; i < m->made->rows; i++) m->made->w[i] /= total;
    return DCPN_OK;
}

static dcpn_status refuse_unlabelled(const struct making *m)
{
    int64_t unlabelled = m->problem->unlabelled;
    if (!unlabelled) return DCPN_OK;
    return dcpn_fail(m->made->context, DCPN_DATA,
                     "labels: %lld row%s none, which --loss %s needs; leave such rows out, or use a loss of two "
                     "classes",
                     (long long)unlabelled, unlabelled == 1 ? " has" : "s have", m->parts->loss->name);
}

static dcpn_status check_numbers(const struct making *m, const double *labels, int64_t rows)
{
    const dcpn_loss_ops *loss = m->parts->loss;
    DCPN_TRY(refuse_unlabelled(m));
    for (int64_t i = 0; i < rows && loss->response.takes; i++)
        if (!loss->response.takes(labels[i]))
            return dcpn_fail(m->made->context, DCPN_DATA,
                             "labels: found %.10g in row %lld, expected %s for --loss %s; for any numbers use --loss "
                             "squared or huber",
                             labels[i], (long long)(i % dcpn_problem_rows(m->problem)) + 1,
                             loss->response.takes_what, loss->name);
    return DCPN_OK;
}

static dcpn_status fill_numbers(const struct making *m, const double *labels, int64_t rows)
{
    DCPN_TRY(dcpn_ranks_agree(m->made->context, check_numbers(m, labels, rows)));
    m->made->middle = 0.0;
    if (m->parts->loss->flat_far_out && m->settings->intercept)
        DCPN_TRY(dcpn_find_middle(m->made->context, m->problem, labels, &m->made->middle));
    for (int64_t i = 0; i < rows; i++) m->made->y[i] = labels[i] - m->made->middle;
    DCPN_TRY(fill_weights(m, rows));
    return DCPN_OK;
}

/* ---- times to events ---- */

static dcpn_status check_events(const struct making *m, const double *y, int64_t rows)
{
    int64_t events = 0;
    for (int64_t i = 0; i < rows; i++) {
        if (isnan(y[i]))
            return dcpn_fail(m->made->context, DCPN_DATA, "time of row %lld: found none, expected a number",
                             (long long)i + 1);
        events += dcpn_survival_has_event(y[i]) && weight_of(m->problem, i) > 0.0;
    }
    if (events) return DCPN_OK;
    return dcpn_fail(m->made->context, DCPN_DATA,
                     "times: found no event in %lld rows, expected some; a censored row has a time below 0",
                     (long long)rows);
}

static dcpn_status fill_survival(const struct making *m, const double *y, int64_t rows)
{
    const struct survival_rows given = {rows,
                                        y,
                                        m->problem->weights,
                                        m->problem->survival.start,
                                        m->problem->survival.strata,
                                        strcmp(m->settings->ties, "efron") == 0};
    DCPN_TRY(check_events(m, y, rows));
    DCPN_TRY(fill_weights(m, rows));
    dcpn_copy(rows, y, m->made->y);
    return dcpn_survival_new(m->made->context, &given, &m->made->survival);
}

/* ---- many classes ---- */

/* Refuses another number of offsets a row than one for each score; several responses may share one. */
static dcpn_status check_offsets(const struct making *m)
{
    int64_t columns = m->problem->offset_columns, scores = m->made->scores;
    if (!m->problem->offset || columns == scores || (columns == 1 && m->made->are_responses)) return DCPN_OK;
    return dcpn_fail(m->made->context, DCPN_DATA,
                     "offsets: found %lld a row, expected %lld%s", (long long)columns, (long long)scores,
                     scores > 1 ? ", one for each class or response; one that all classes share changes nothing" : "");
}

static void fill_offsets(const struct making *m, int64_t rows)
{
    const double *offset = m->problem->offset;
    for (int64_t k = 0; offset && k < m->made->scores; k++)
        dcpn_copy(rows, offset + (m->problem->offset_columns > 1 ? k * rows : 0), m->made->offset + k * rows);
}

static int are_ordered(const struct making *m)
{
    return m->parts->loss && m->parts->loss->targets == DCPN_ORDERED_CLASSES;
}

/* The labels there are on any rank, each once, ascending. */
static dcpn_status find_labels(const struct making *m)
{
    int64_t rows = dcpn_problem_rows(m->problem), count;
    struct targets *made = m->made;
    DCPN_TRY(dcpn_ranks_agree(made->context, refuse_unlabelled(m)));
    int64_t known = m->problem->classes.count;
    const double *from = known ? m->problem->classes.numbers : m->problem->y;
    DCPN_TRY(dcpn_distinct_labels_of_ranks(made->context, from, known ? known : rows, &made->classes, &count));
    if (count < 2)
        return dcpn_fail(made->context, DCPN_DATA,
                         "labels: found the one class %g in all rows, expected two or more for --loss %s",
                         made->classes[0], m->parts->loss->name);
    made->class_count = count;
    if (are_ordered(m))
        made->rows = 2 * rows + count - 2;
    else
        made->scores = count;
    return DCPN_OK;
}

/* Do some rows of the class weigh anything? In a fold a class may have no row. */
static dcpn_status check_weight_of_class(const struct making *m, int64_t k, int weighs)
{
    struct targets *made = m->made;
    if (m->problem->classes.count || dcpn_ranks_any(made->context, weighs) || dcpn_ranks_has_failed(made->context))
        return DCPN_OK;
    return dcpn_fail(made->context, DCPN_DATA,
                     "weights: found 0 in all rows of the class %g, expected some above 0 in each class for --loss %s",
                     made->classes[k], m->parts->loss->name);
}

/* Fills y with 1 in the class of each row, and repeats the weights for each class. */
static dcpn_status fill_many(const struct making *m, const double *labels, int64_t rows)
{
    struct targets *made = m->made;
    DCPN_TRY(fill_weights(m, rows));
    for (int64_t k = 0; k < made->scores; k++) {
        int weighs = 0;
        for (int64_t i = 0; i < rows; i++) {
            made->y[k * rows + i] = labels[i] == made->classes[k] ? 1.0 : 0.0;
            made->w[k * rows + i] = made->w[i];
            weighs |= made->y[k * rows + i] * made->w[i] > 0.0;
        }
        DCPN_TRY(check_weight_of_class(m, k, weighs));
    }
    fill_offsets(m, rows);
    return DCPN_OK;
}

/* Weights are those of the rows as given until the rows of the loss are made of them. */
static dcpn_status fill_ordered(const struct making *m, const double *labels, int64_t rows)
{
    struct targets *made = m->made;
    dcpn_fill(made->rows, 0.0, made->w);
    DCPN_TRY(fill_weights(m, rows));
    for (int64_t k = 0; k < made->class_count; k++) {
        int weighs = 0;
        for (int64_t i = 0; i < rows; i++) weighs |= labels[i] == made->classes[k] && made->w[i] > 0.0;
        DCPN_TRY(check_weight_of_class(m, k, weighs));
    }
    const struct ordered_labels given = {labels,  m->problem->offset, made->classes, rows,
                                         made->class_count, made->y,  made->w,       made->offset};
    return dcpn_ordered_rows_new(made->context, &given, &made->ordered);
}

/* ---- several responses ---- */

static int64_t responses_of(const struct making *m)
{
    return m->parts->loss && m->problem->responses.count > 1 ? m->problem->responses.count : 0;
}

/* Responses are called by their numbers, from 1. */
static dcpn_status number_responses(const struct making *m)
{
    struct targets *made = m->made;
    made->scores = made->class_count = responses_of(m);
    made->are_responses = 1;
    made->classes = dcpn_allocate(made->context, (size_t)made->scores, sizeof *made->classes);
    for (int64_t k = 0; made->classes && k < made->scores; k++) made->classes[k] = (double)k + 1.0;
    return made->classes ? DCPN_OK : DCPN_MEMORY;
}

/* Each response has the rows and the weights of one. */
static dcpn_status fill_responses(const struct making *m, int64_t rows)
{
    struct targets *made = m->made;
    DCPN_TRY(check_numbers(m, m->problem->responses.Y, made->scores * rows));
    DCPN_TRY(fill_weights(m, rows));
    dcpn_copy(made->scores * rows, m->problem->responses.Y, made->y);
    for (int64_t k = 1; k < made->scores; k++) dcpn_copy(rows, made->w, made->w + k * rows);
    fill_offsets(m, rows);
    return DCPN_OK;
}

static double sign_of(const struct making *m, int64_t row)
{
    if (!dcpn_has_label(m->problem, row)) return 0.0;
    return m->problem->y[row] == m->made->classes[1] ? 1.0 : -1.0;
}

static dcpn_status fill(const struct making *m)
{
    const double *labels = m->problem->y;
    int64_t rows = dcpn_problem_rows(m->problem);
    if (!m->parts->loss) return DCPN_OK;
    if (responses_of(m)) return fill_responses(m, rows);
    if (m->parts->loss->targets == DCPN_NUMBERS) return fill_numbers(m, labels, rows);
    if (m->parts->loss->targets == DCPN_MANY_CLASSES) return fill_many(m, labels, rows);
    if (are_ordered(m)) return fill_ordered(m, labels, rows);
    if (m->parts->loss->targets == DCPN_SURVIVAL) return fill_survival(m, labels, rows);
    DCPN_TRY(find_classes(m, labels, rows));
    for (int64_t i = 0; i < rows; i++) m->made->y[i] = sign_of(m, i);
    if (m->parts->unlabelled) fill_runs(m);
    if (m->parts->balance) fill_balance(m, rows);
    DCPN_TRY(fill_weights(m, rows));
    return DCPN_OK;
}

static dcpn_status allocate(const struct making *m)
{
    struct targets *made = m->made;
    if ((m->parts->loss && m->parts->loss->targets == DCPN_MANY_CLASSES) || are_ordered(m)) DCPN_TRY(find_labels(m));
    if (responses_of(m)) DCPN_TRY(number_responses(m));
    DCPN_TRY(check_offsets(m));
    size_t rows = m->parts->loss ? (size_t)(made->rows * made->scores) : 0,
           size = m->parts->balance ? (size_t)m->A->columns + 1 : 0;
    made->run_count = m->parts->unlabelled ? count_runs(m->problem) : 0;
    made->y = dcpn_allocate(made->context, rows, sizeof *made->y);
    made->w = dcpn_allocate(made->context, rows, sizeof *made->w);
    made->runs = made->run_count ? dcpn_allocate(made->context, (size_t)made->run_count, sizeof *made->runs) : NULL;
    made->mean_row = size ? dcpn_allocate(made->context, size, sizeof *made->mean_row) : NULL;
    int has_offset = are_ordered(m) || ((size || made->scores > 1) && m->problem->offset);
    made->offset = has_offset ? dcpn_allocate(made->context, rows, sizeof *made->offset) : NULL;
    int is_missing = !made->y || !made->w || (made->run_count && !made->runs) || (size && !made->mean_row) ||
                     (has_offset && !made->offset);
    return is_missing ? DCPN_MEMORY : DCPN_OK;
}

dcpn_status dcpn_targets_new(dcpn_context *context, const dcpn_problem *problem, const dcpn_settings *settings,
                             const struct parts *parts, const dcpn_matrix *A, struct targets *targets)
{
    struct making m = {problem, settings, parts, A, targets};
    *targets = (struct targets){.context = context, .rows = dcpn_problem_rows(problem) + parts->balance, .scores = 1};
    dcpn_status status = allocate(&m);
    if (status == DCPN_OK) status = fill(&m);
    if (status != DCPN_OK) dcpn_targets_free(targets);
    return status;
}

dcpn_status dcpn_targets_copy(const struct targets *from, struct targets *copy)
{
    size_t rows = (size_t)from->rows, runs = (size_t)from->run_count;
    *copy = *from;
    copy->survival = NULL;
    copy->mean_row = copy->offset = copy->classes = NULL; /* these do not change, and are those of the problem */
    copy->y = dcpn_allocate(from->context, rows, sizeof *copy->y);
    copy->w = dcpn_allocate(from->context, rows, sizeof *copy->w);
    copy->runs = from->runs ? dcpn_allocate(from->context, runs, sizeof *copy->runs) : NULL;
    if (!copy->y || !copy->w || (from->runs && !copy->runs)) {
        dcpn_targets_free(copy);
        return DCPN_MEMORY;
    }
    memcpy(copy->y, from->y, rows * sizeof *copy->y);
    memcpy(copy->w, from->w, rows * sizeof *copy->w);
    if (from->runs) memcpy(copy->runs, from->runs, runs * sizeof *copy->runs);
    return DCPN_OK;
}

void dcpn_targets_free(struct targets *targets)
{
    if (!targets->context) return;
    dcpn_free(targets->context, targets->y);
    dcpn_free(targets->context, targets->w);
    dcpn_free(targets->context, targets->runs);
    dcpn_free(targets->context, targets->mean_row);
    dcpn_free(targets->context, targets->offset);
    dcpn_free(targets->context, targets->classes);
    dcpn_ordered_rows_free(targets->context, &targets->ordered);
    dcpn_survival_free(targets->survival);
    *targets = (struct targets){0};
}
