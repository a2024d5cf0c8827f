/* SPDX-License-Identifier: BSD-3-Clause */
/* Models in the text format of LIBLINEAR: a few lines of "key value", then w, a line per feature with one number, or
 * one for each of many classes, and one more line for the bias if that is not negative. Those of many classes are
 * written alone, not read:
 *
 *     solver_type L1R_LR
 *     nr_class 2
 *     label 1 -1          the first one is predicted where the score is above 0; not in a regression
 *     nr_feature 13
 *     bias 1              a feature of this value is behind the others; -1: none
 *     w
 * */
#include "model/liblinear_model.h"

#include <limits.h>
#include <math.h>
#include <string.h>

#include "base/growing.h"
#include "base/number.h"
#include "data/names.h"
#include "model/model.h"
#include "model/model_file.h"
#include "settings/registry.h"

/* The loss that a solver of LIBLINEAR minimises; of the hinge loss, which dcpn has not, the one that scores alike. */
static const struct {
    const char *solver, *loss; /* NULL: not one vector of coefficients */
} solvers[] = {
    {"L1R_LR", "logistic"},
    {"L2R_LR", "logistic"},
    {"L2R_LR_DUAL", "logistic"},
    {"L1R_L2LOSS_SVC", "squared-hinge"},
    {"L2R_L2LOSS_SVC", "squared-hinge"},
    {"L2R_L2LOSS_SVC_DUAL", "squared-hinge"},
    {"L2R_L1LOSS_SVC_DUAL", "squared-hinge"},
    {"L2R_L2LOSS_SVR", "squared"},
    {"L2R_L2LOSS_SVR_DUAL", "squared"},
    {"L2R_L1LOSS_SVR_DUAL", "squared"},
    {"MCSVM_CS", NULL},
    {"ONECLASS_SVM", NULL},
};

int dcpn_is_liblinear(const char *head, size_t length)
{
    static const char first[] = "solver_type";
    return length > strlen(first) && memcmp(head, first, strlen(first)) == 0;
}

/* ---- Reading ------------------------------------------------------------------------------------------------------*/

struct liblinear {
    dcpn_context *context;
    const char *name;     /* of the file */
    const char *at, *end; /* what is not yet read */
    const char *loss;
    int64_t classes, features;
    double labels[2], bias;
    const char *w;
};

static dcpn_status refuse(const struct liblinear *file, const char *what, const char *expected)
{
    return dcpn_fail(file->context, DCPN_MODEL,
                     "%s: %s: expected %s, as in a model of LIBLINEAR for two classes or a regression",
                     file->name, what, expected);
}

/* The next word; its length is 0 at the end of the file. */
static const char *take_word(struct liblinear *file, size_t *length)
{
    while (file->at < file->end && strchr(" \t\r\n", *file->at)) file->at++;
    const char *word = file->at;
    while (file->at < file->end && *file->at && !strchr(" \t\r\n", *file->at)) file->at++;
    *length = (size_t)(file->at - word);
    return word;
}

static int is_word(const char *word, size_t length, const char *text)
{
    return strlen(text) == length && memcmp(word, text, length) == 0;
}

static dcpn_status take_number(struct liblinear *file, const char *what, double *number)
{
    size_t length;
    const char *word = take_word(file, &length);
    if (length == 0 || dcpn_parse_double(word, word + length, number) != word + length || !isfinite(*number))
        return refuse(file, what, "a number");
    return DCPN_OK;
}

static dcpn_status take_count(struct liblinear *file, const char *what, int64_t *count)
{
    double number;
    DCPN_TRY(take_number(file, what, &number));
    if (number < 0.0 || number > 1e15 || number != floor(number)) return refuse(file, what, "a count");
    *count = (int64_t)number;
    return DCPN_OK;
}

static dcpn_status take_solver(struct liblinear *file)
{
    size_t length;
    const char *word = take_word(file, &length);
    for (size_t k = 0; k < sizeof solvers / sizeof *solvers; k++) {
        if (!is_word(word, length, solvers[k].solver)) continue;
        file->loss = solvers[k].loss;
        if (file->loss) return DCPN_OK;
        return refuse(file, solvers[k].solver, "a solver with one vector of coefficients");
    }
    return refuse(file, "solver_type", "the name of a solver");
}

static dcpn_status take_labels(struct liblinear *file)
{
    if (file->classes != 2) return refuse(file, "nr_class", "2, before the labels");
    DCPN_TRY(take_number(file, "label", &file->labels[0]));
    return take_number(file, "label", &file->labels[1]);
}

/* The lines before w. */
static dcpn_status take_head(struct liblinear *file)
{
    for (;;) {
        size_t length;
        const char *key = take_word(file, &length);
        if (is_word(key, length, "w")) return DCPN_OK;
        if (is_word(key, length, "solver_type"))
            DCPN_TRY(take_solver(file));
        else if (is_word(key, length, "nr_class"))
            DCPN_TRY(take_count(file, "nr_class", &file->classes));
        else if (is_word(key, length, "label"))
            DCPN_TRY(take_labels(file));
        else if (is_word(key, length, "nr_feature"))
            DCPN_TRY(take_count(file, "nr_feature", &file->features));
        else if (is_word(key, length, "bias"))
            DCPN_TRY(take_number(file, "bias", &file->bias));
        else
            return refuse(file, "a line before w", "solver_type, nr_class, label, nr_feature or bias");
    }
}

static dcpn_status check_head(const struct liblinear *file)
{
    const dcpn_loss_ops *loss = file->loss ? dcpn_find_loss(file->loss) : NULL;
    if (!loss) return refuse(file, "solver_type", "it before w");
    if (file->features < 0) return refuse(file, "nr_feature", "it before w");
    if (file->classes != 2) return refuse(file, "nr_class", "2");
    if (loss->targets == DCPN_CLASSES && file->labels[0] == file->labels[1])
        return refuse(file, "label", "two different ones");
    return DCPN_OK;
}

/* Reads one number per feature into the model. model NULL: only counts those that are not 0. */
static dcpn_status take_coefficients(struct liblinear *file, int64_t *nonzeros, dcpn_model *model)
{
    *nonzeros = 0;
    for (int64_t j = 0; j < file->features; j++) {
        double value;
        DCPN_TRY(take_number(file, "w", &value));
        if (value == 0.0) continue;
        if (model) {
            model->index[*nonzeros] = j;
            model->value[*nonzeros] = value;
        }
        ++*nonzeros;
    }
    return DCPN_OK;
}

static dcpn_status take_rest(struct liblinear *file, dcpn_model *model)
{
    double bias_value = 0.0;
    size_t length;
    if (file->bias >= 0.0) DCPN_TRY(take_number(file, "w", &bias_value));
    take_word(file, &length);
    if (length) return refuse(file, "w", "one number per feature, and no more");
    model->intercept = file->bias >= 0.0 ? file->bias * bias_value : 0.0;
    model->settings.intercept = file->bias >= 0.0;
    return DCPN_OK;
}

static dcpn_status fill_model(const struct liblinear *file, dcpn_model *model)
{
    int has_classes = dcpn_find_loss(file->loss)->targets == DCPN_CLASSES;
    const double classes[] = {file->labels[1], file->labels[0]};
    model->settings.loss = file->loss;
    model->settings.penalty = "l1";
    model->settings.lambda = 0.0; /* the file does not say it */
    model->features = file->features;
    model->index_base = 1;
    model->fit = dcpn_result_of_no_fit(model->nonzeros);
    return dcpn_model_set_classes(model, has_classes ? 2 : 0, classes);
}

static dcpn_status make_model(struct liblinear *file, dcpn_model **model)
{
    int64_t nonzeros;
    dcpn_model *made;
    DCPN_TRY(take_head(file));
    DCPN_TRY(check_head(file));
    const char *w = file->at;
    DCPN_TRY(take_coefficients(file, &nonzeros, NULL));
    DCPN_TRY(dcpn_model_allocate(file->context, nonzeros, &made));
    file->at = w;
    dcpn_status status = take_coefficients(file, &nonzeros, made);
    if (status == DCPN_OK) status = take_rest(file, made);
    if (status == DCPN_OK) status = fill_model(file, made);
    if (status == DCPN_OK) status = dcpn_model_own_texts(made);
    if (status == DCPN_OK)
        *model = made;
    else
        dcpn_model_free(made);
    return status;
}

dcpn_status dcpn_liblinear_parse(dcpn_context *context, const char *name, const char *text, size_t size,
                                 dcpn_model **model)
{
    struct liblinear file = {
        .context = context, .name = name, .at = text, .end = text + size, .features = -1, .bias = -1.0};
    return make_model(&file, model);
}

/* ---- Writing ------------------------------------------------------------------------------------------------------*/

/* LIBLINEAR computes probabilities of logistic models only, and of many classes others than softmax does: then the
 * solver is the one that has a score for each class and no probabilities. */
static const char *solver_of(const dcpn_model *model)
{
    if (model->scores > 1) return "MCSVM_CS";
    if (!model->labels.count) return "L2R_L2LOSS_SVR";
    return strcmp(model->settings.loss, "logistic") == 0 ? "L1R_LR" : "L1R_L2LOSS_SVC";
}

static int is_int(double label)
{
    return label >= INT_MIN && label <= INT_MAX && label == floor(label);
}

/* Are the names of the classes, if they have names, numbers? --positive leaves numbers as their texts. */
static int names_are_numbers(const dcpn_model *model)
{
    double label;
    for (int64_t k = 0; model->labels.names && k < model->labels.count; k++)
        if (!dcpn_word_number(dcpn_word_of(model->labels.names[k]), 0, &label)) return 0;
    return 1;
}

/* A label as the data have it; where classes are no numbers, 0, 1, ... stand for them. */
static double label_of(const dcpn_model *model, int64_t k)
{
    double label = model->labels.numbers[k];
    if (model->labels.names && names_are_numbers(model))
        (void)dcpn_word_number(dcpn_word_of(model->labels.names[k]), 0, &label);
    return label;
}

static void append_line(struct text *text, double value, const char *end)
{
    dcpn_text_append_number(text, value);
    dcpn_text_append(text, end);
}

/* The positive one of two classes comes first. */
static void append_labels(struct text *text, const dcpn_model *model)
{
    if (!model->labels.count) return;
    dcpn_text_append(text, "label");
    for (int64_t k = 0; k < model->labels.count; k++) {
        int64_t turned = model->scores > 1 ? k : 1 - k;
        dcpn_text_append(text, " ");
        dcpn_text_append_integer(text, (int64_t)label_of(model, turned));
    }
    dcpn_text_append(text, "\n");
}

/* A line for a feature, with a number for each score; next: of each score, its next coefficient. */
static void append_feature(struct text *text, const dcpn_model *model, int64_t j, int64_t *next)
{
    for (int64_t k = 0; k < model->scores; k++) {
        int is_used = next[k] < model->nonzeros && model->index[next[k]] == k * model->features + j;
        append_line(text, is_used ? model->value[next[k]] : 0.0, k + 1 < model->scores ? " " : "\n");
        next[k] += is_used;
    }
}

static void append_intercepts(struct text *text, const dcpn_model *model)
{
    for (int64_t k = 0; k < model->scores; k++)
        append_line(text, model->intercepts ? model->intercepts[k] : model->intercept,
                    k + 1 < model->scores ? " " : "\n");
}

static void append_model(struct text *text, const dcpn_model *model, int64_t *next)
{
    int has_intercept = model->settings.intercept || model->intercept != 0.0;
    int64_t found = 0;
    dcpn_text_append(text, "solver_type ");
    dcpn_text_append(text, solver_of(model));
    dcpn_text_append(text, "\nnr_class ");
    dcpn_text_append_integer(text, model->scores > 1 ? model->labels.count : 2);
    dcpn_text_append(text, "\n");
    append_labels(text, model);
    dcpn_text_append(text, "nr_feature ");
    dcpn_text_append_integer(text, model->features);
    dcpn_text_append(text, has_intercept ? "\nbias 1\nw\n" : "\nbias -1\nw\n");
    for (int64_t k = 0; k < model->scores; k++) {
        while (found < model->nonzeros && model->index[found] < k * model->features) found++;
        next[k] = found;
    }
    for (int64_t j = 0; j < model->features; j++) append_feature(text, model, j, next);
    if (has_intercept) append_intercepts(text, model);
}

/* Says what is lost because the format has no place for it. */
static void say_what_is_lost(const dcpn_model *model, const char *path)
{
    if (names_are_numbers(model)) return;
    for (int64_t k = 0; k < model->labels.count; k++)
        dcpn_log(model->context, DCPN_LOG_NOTE, "%s: the class %s is written as the label %lld", path,
                 model->labels.names[k], (long long)k);
}

static dcpn_status check_labels(const dcpn_model *model)
{
    for (int64_t k = 0; k < model->labels.count; k++)
        if (!is_int(label_of(model, k)))
            return dcpn_fail(
                model->context, DCPN_USAGE,
                "LIBLINEAR knows only whole numbers as labels, and the model has %g; fit it with such labels",
                label_of(model, k));
    return DCPN_OK;
}

dcpn_status dcpn_model_write_liblinear(const dcpn_model *model, const char *path)
{
    DCPN_NEED(NULL, model);
    struct text text = {.context = model->context};
    char *lines;
    if (model->labels.are_responses)
        return dcpn_fail(model->context, DCPN_USAGE,
                         "LIBLINEAR knows one response, and the model has %lld; fit one at a time",
                         (long long)model->labels.count);
    if (model->labels.are_ordered)
        return dcpn_fail(model->context, DCPN_USAGE,
                         "LIBLINEAR knows no order of classes; fit --loss multinomial, or keep this model as it is");
    DCPN_TRY(check_labels(model));
    int64_t *next = dcpn_allocate(model->context, (size_t)model->scores, sizeof *next);
    if (!next) return DCPN_MEMORY;
    say_what_is_lost(model, path);
    append_model(&text, model, next);
    dcpn_free(model->context, next);
    DCPN_TRY(dcpn_text_give(&text, &lines));
    dcpn_status status = dcpn_write_text(model->context, path, lines, text.length);
    dcpn_free(model->context, lines);
    return status;
}
