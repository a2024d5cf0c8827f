/* SPDX-License-Identifier: BSD-3-Clause */
/* Models of coefficients that come from elsewhere. */
#include <math.h>

#include "base/context.h"
#include "base/vector.h"
#include "dcpn/dcpn.h"
#include "model/model.h"
#include "settings/registry.h"

struct arrays {
    int64_t features, count;
    const int64_t *index;
    const double *value;
    double intercept;
    const double *classes;
};

static dcpn_status check_index(dcpn_context *context, const struct arrays *a)
{
    for (int64_t k = 0; k < a->count; k++)
        if (a->index[k] < 0 || a->index[k] >= a->features || (k > 0 && a->index[k] <= a->index[k - 1]))
            return dcpn_fail(context, DCPN_DATA,
                             "model: found feature %lld as number %lld, expected ascending ones from 0 to %lld",
                             (long long)a->index[k], (long long)k, (long long)a->features - 1);
    return DCPN_OK;
}

static dcpn_status check(dcpn_context *context, const dcpn_settings *settings, const struct arrays *a)
{
    if (a->features < 1 || a->count < 0 || a->count > a->features)
        return dcpn_fail(context, DCPN_USAGE,
                         "model: found %lld coefficients of %lld features, expected at most all of them",
                         (long long)a->count, (long long)a->features);
    DCPN_TRY(dcpn_settings_check(context, settings));
    DCPN_TRY(check_index(context, a));
    if (!dcpn_all_finite(a->count, a->value) || !isfinite(a->intercept))
        return dcpn_fail(context, DCPN_DATA, "model: found a coefficient that is not finite, expected numbers");
    if (dcpn_find_loss(settings->loss)->shares || dcpn_find_loss(settings->loss)->targets == DCPN_ORDERED_CLASSES)
        return dcpn_fail(context, DCPN_USAGE, "model: the loss %s has several intercepts, and one is given",
                         settings->loss);
    if (!dcpn_loss_wants_classes(settings->loss) != !a->classes)
        return dcpn_fail(context, DCPN_USAGE, "model: found %s classes, expected %s for the loss %s",
                         a->classes ? "two" : "no", a->classes ? "none" : "two", settings->loss);
    if (a->classes && (!isfinite(a->classes[0]) || !isfinite(a->classes[1]) || a->classes[0] == a->classes[1]))
        return dcpn_fail(context, DCPN_DATA, "model: found the classes %g and %g, expected two different numbers",
                         a->classes[0], a->classes[1]);
    return DCPN_OK;
}

static int64_t count_nonzeros(const struct arrays *a)
{
    return dcpn_count_nonzeros(a->count, a->value);
}

dcpn_result dcpn_result_of_no_fit(int64_t nonzeros)
{
    return (dcpn_result){.outcome = DCPN_NOT_RUN,
                         .nonzeros = nonzeros,
                         .objective = NAN,
                         .loss_value = NAN,
                         .penalty_value = NAN,
                         .stationarity = NAN,
                         .stationarity_goal = NAN,
                         .passes = NAN,
                         .algorithm = "",
                         .metric = "",
                         .subsolver = ""};
}

static void fill(dcpn_model *model, const struct arrays *a)
{
    int64_t used = 0;
    model->features = a->features;
    model->intercept = a->intercept;
    for (int64_t k = 0; k < a->count; k++) {
        if (a->value[k] == 0.0) continue;
        model->index[used] = a->index[k];
        model->value[used++] = a->value[k];
    }
    model->nonzeros = used;
    model->fit = dcpn_result_of_no_fit(used);
}

dcpn_status dcpn_model_from_arrays(dcpn_context *context, const dcpn_settings *settings, int64_t features,
                                   int64_t count, const int64_t *index, const double *value, double intercept,
                                   const double *classes, dcpn_model **model)
{
    const dcpn_settings standard = dcpn_settings_default();
    const struct arrays arrays = {features, count, index, value, intercept, classes};
    DCPN_NEED(context, context, model);
    *model = NULL;
    if (count > 0) DCPN_NEED(context, index, value);
    if (!settings) settings = &standard;
    DCPN_TRY(check(context, settings, &arrays));
    dcpn_model *made;
    DCPN_TRY(dcpn_model_allocate(context, count_nonzeros(&arrays), &made));
    made->settings = *settings;
    fill(made, &arrays);
    dcpn_status status = dcpn_model_set_classes(made, classes ? 2 : 0, classes);
    if (status == DCPN_OK) status = dcpn_model_own_texts(made);
    if (status == DCPN_OK)
        *model = made;
    else
        dcpn_model_free(made);
    return status;
}
