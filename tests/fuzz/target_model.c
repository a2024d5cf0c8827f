/* SPDX-License-Identifier: BSD-3-Clause */
/* The readers of models, given any bytes: a model file, one out of a path or a cross-validation, one of LIBLINEAR. */
#include "fuzz.h"

#include <math.h>
#include <string.h>

#include "model/model.h"

static void check(const dcpn_model *model)
{
    DCPN_FUZZ_CHECK(model->nonzeros >= 0 && model->features >= 0 && isfinite(model->intercept));
    for (int64_t k = 0; k < model->nonzeros; k++) {
        DCPN_FUZZ_CHECK(model->index[k] >= 0 && model->index[k] < model->features && isfinite(model->value[k]));
        DCPN_FUZZ_CHECK(k == 0 || model->index[k] > model->index[k - 1]);
    }
    if (model->has_classes) dcpn_model_label(model, 1.0);
}

static void parse(const uint8_t *bytes, size_t size, const dcpn_selection *selection)
{
    dcpn_context *context = dcpn_fuzz_context();
    dcpn_model *model = NULL;
    char *json = NULL;
    dcpn_status status = dcpn_model_parse(context, "input", (const char *)bytes, size, selection, &model);
    DCPN_FUZZ_CHECK((status == DCPN_OK) == (model != NULL));
    DCPN_FUZZ_CHECK(status == DCPN_OK || dcpn_last_error(context)[0]);
    if (model) {
        check(model);
        DCPN_FUZZ_CHECK(dcpn_model_fit_json(model, &json) == DCPN_OK);
        DCPN_FUZZ_CHECK(dcpn_model_write(model, "/dev/null") == DCPN_OK);
    }
    dcpn_free(context, json);
    dcpn_model_free(model);
    dcpn_context_free(context);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    static const dcpn_selection at = {.has_lambda = 1, .lambda = 0.75}, by_rule = {.rule = "1se"};
    parse(bytes, size, NULL);
    parse(bytes, size, &at);
    parse(bytes, size, &by_rule);
    return 0;
}
