/* SPDX-License-Identifier: BSD-3-Clause */
/* Options of paths and cross-validations that the library keeps: a block that begins with them, and copies of the
 * arrays and texts that were given. */
#include <stddef.h>
#include <string.h>

#include "base/context.h"
#include "base/vector.h"
#include "dcpn/handles.h"

enum kind { REAL, COUNT, FLAG, TEXT, REALS, COUNTS, TEXTS };

/* A row for each member; an array has its length beside it. */
struct member {
    const char *name;
    enum kind kind;
    size_t offset, length;
};

#define MEMBER(NAME, KIND) {#NAME, KIND, offsetof(dcpn_cv_options, NAME), 0}
#define OF_PATH(NAME, KIND) {#NAME, KIND, offsetof(dcpn_cv_options, path.NAME), 0}
#define ARRAY_OF_PATH(NAME, KIND, LENGTH)                                                                              \
    {#NAME, KIND, offsetof(dcpn_cv_options, path.NAME), offsetof(dcpn_cv_options, path.LENGTH)}

static const struct member members[] = {
    ARRAY_OF_PATH(lambdas, REALS, lambda_count), ARRAY_OF_PATH(penalties, TEXTS, penalty_count),
    ARRAY_OF_PATH(values, REALS, value_count), OF_PATH(lambda_count, COUNT), OF_PATH(min_ratio, REAL),
    OF_PATH(is_twofold, FLAG), OF_PATH(is_by_size, FLAG), OF_PATH(features_kept, COUNT), OF_PATH(least_noise, REAL),
    OF_PATH(saturation, REAL),
    {"path_most_features", COUNT, offsetof(dcpn_cv_options, path.most_features), 0}, OF_PATH(convexity_limit, COUNT),
    OF_PATH(checkpoint, TEXT), OF_PATH(checkpoint_every_s, REAL), OF_PATH(resume, TEXT), MEMBER(folds, COUNT),
    MEMBER(repeats, COUNT), {"fold_of", COUNTS, offsetof(dcpn_cv_options, fold_of), 0},
    MEMBER(seed, COUNT), MEMBER(is_unstratified, FLAG),
    MEMBER(measure, TEXT), MEMBER(rule, TEXT), MEMBER(most_features, COUNT), MEMBER(compares, FLAG),
    MEMBER(relaxes, FLAG), MEMBER(subsamples, COUNT), MEMBER(share, REAL), MEMBER(threshold, REAL),
    MEMBER(patience, COUNT),
};

enum { MEMBERS = sizeof members / sizeof *members };

struct held_options {
    dcpn_cv_options options; /* first: the caller has a pointer to it */
    dcpn_context *context;
    void *copies[MEMBERS]; /* of arrays and texts */
};

static struct held_options *held(dcpn_cv_options *options)
{
    return (struct held_options *)(void *)options;
}

dcpn_status dcpn_cv_options_new(dcpn_context *context, dcpn_cv_options **options)
{
    DCPN_NEED(context, context, options);
    struct held_options *made = dcpn_allocate(context, 1, sizeof *made);
    *options = NULL;
    if (!made) return DCPN_MEMORY;
    memset(made, 0, sizeof *made);
    made->context = context;
    *options = &made->options;
    return DCPN_OK;
}

void dcpn_cv_options_free(dcpn_cv_options *options)
{
    if (!options) return;
    dcpn_context *context = held(options)->context;
    for (int k = 0; k < MEMBERS; k++) dcpn_free(context, held(options)->copies[k]);
    dcpn_free(context, options);
}

const dcpn_path_options *dcpn_cv_options_path(const dcpn_cv_options *options)
{
    return options ? &options->path : NULL;
}

dcpn_status dcpn_cv_options_set_observer(dcpn_cv_options *options, dcpn_path_observer *observer, void *user)
{
    DCPN_NEED(NULL, options);
    options->path.observer = observer;
    options->path.user = user;
    return DCPN_OK;
}

static int find(const char *name)
{
    for (int k = 0; k < MEMBERS; k++)
        if (strcmp(members[k].name, name) == 0) return k;
    return -1;
}

/* The place of the member, whose kind is one of the two; NULL: refused. */
static void *place_of(dcpn_cv_options *options, const char *name, enum kind one, enum kind other)
{
    static const char *const kinds[] = {"a number",         "a whole number",           "0 or 1", "a text",
                                        "an array of numbers", "an array of whole numbers", "an array of texts"};
    int k = find(name);
    if (k >= 0 && (members[k].kind == one || members[k].kind == other)) return (char *)options + members[k].offset;
    if (k < 0)
        (void)dcpn_fail(held(options)->context, DCPN_USAGE, "there is no option called '%s'", name);
    else
        (void)dcpn_fail(held(options)->context, DCPN_USAGE, "%s: expected %s, found %s", name, kinds[members[k].kind],
                        kinds[one]);
    return NULL;
}

/* Keeps the copy in the place of an earlier one. */
static void keep(dcpn_cv_options *options, int k, void *copy, int64_t length)
{
    const struct member *member = &members[k];
    dcpn_free(held(options)->context, held(options)->copies[k]);
    held(options)->copies[k] = copy;
    memcpy((char *)options + member->offset, &copy, sizeof copy);
    if (member->length) *(int64_t *)(void *)((char *)options + member->length) = length;
}

/* ---- numbers and texts ---- */

dcpn_status dcpn_cv_options_set_real(dcpn_cv_options *options, const char *member, double value)
{
    DCPN_NEED(NULL, options);
    DCPN_NEED(held(options)->context, member);
    double *place = place_of(options, member, REAL, REAL);
    if (!place) return DCPN_USAGE;
    *place = value;
    return DCPN_OK;
}

dcpn_status dcpn_cv_options_set_count(dcpn_cv_options *options, const char *member, int64_t value)
{
    DCPN_NEED(NULL, options);
    DCPN_NEED(held(options)->context, member);
    void *place = place_of(options, member, COUNT, FLAG);
    if (!place) return DCPN_USAGE;
    if (place == (void *)&options->path.lambda_count) keep(options, find("lambdas"), NULL, 0);
    if (members[find(member)].kind == COUNT)
        *(int64_t *)place = value;
    else
        *(int *)place = value != 0;
    return DCPN_OK;
}

dcpn_status dcpn_cv_options_set_text(dcpn_cv_options *options, const char *member, const char *text)
{
    DCPN_NEED(NULL, options);
    DCPN_NEED(held(options)->context, member, text);
    if (!place_of(options, member, TEXT, TEXT)) return DCPN_USAGE;
    char *copy = dcpn_copy_text(held(options)->context, text);
    if (!copy) return DCPN_MEMORY;
    keep(options, find(member), copy, 0);
    return DCPN_OK;
}

/* ---- arrays ---- */

static dcpn_status set_array(dcpn_cv_options *options, const char *member, enum kind kind, const void *numbers,
                             int64_t count)
{
    dcpn_context *context = held(options)->context;
    if (!place_of(options, member, kind, kind)) return DCPN_USAGE;
    if (count < 1)
        return dcpn_fail(context, DCPN_USAGE, "%s: found %lld numbers, expected at least 1", member, (long long)count);
    void *copy = dcpn_allocate(context, (size_t)count, sizeof(double));
    if (!copy) return DCPN_MEMORY;
    memcpy(copy, numbers, (size_t)count * sizeof(double));
    keep(options, find(member), copy, count);
    return DCPN_OK;
}

_Static_assert(sizeof(double) == sizeof(int64_t), "arrays of both are copied alike");

dcpn_status dcpn_cv_options_set_reals(dcpn_cv_options *options, const char *member, const double *values, int64_t count)
{
    DCPN_NEED(NULL, options);
    DCPN_NEED(held(options)->context, member, values);
    return set_array(options, member, REALS, values, count);
}

dcpn_status dcpn_cv_options_set_counts(dcpn_cv_options *options, const char *member, const int64_t *values,
                                       int64_t count)
{
    DCPN_NEED(NULL, options);
    DCPN_NEED(held(options)->context, member, values);
    return set_array(options, member, COUNTS, values, count);
}

dcpn_status dcpn_cv_options_set_texts(dcpn_cv_options *options, const char *member, const char *const *texts,
                                      int64_t count)
{
    DCPN_NEED(NULL, options);
    DCPN_NEED(held(options)->context, member, texts);
    if (!place_of(options, member, TEXTS, TEXTS)) return DCPN_USAGE;
    DCPN_TRY(dcpn_need_texts(held(options)->context, member, texts, count));
    char **copy = dcpn_copy_texts(held(options)->context, texts, count);
    if (!copy) return DCPN_MEMORY;
    keep(options, find(member), copy, count);
    return DCPN_OK;
}
