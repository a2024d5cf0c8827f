/* SPDX-License-Identifier: BSD-3-Clause */
/* The reader of results, given any bytes: a model, paths, a cross-validation, a model of LIBLINEAR; and a model out of
 * what it read. */
#include "fuzz.h"

#include <math.h>
#include <string.h>

#include "dcpn/results.h"

static void check(const dcpn_model *model)
{
    DCPN_FUZZ_CHECK(model->nonzeros >= 0 && model->features >= 0 && isfinite(model->intercept));
    for (int64_t k = 0; k < model->nonzeros; k++) {
        DCPN_FUZZ_CHECK(model->index[k] >= 0 && model->index[k] < model->features * model->scores);
        DCPN_FUZZ_CHECK(isfinite(model->value[k]));
        DCPN_FUZZ_CHECK(k == 0 || model->index[k] > model->index[k - 1]);
    }
    if (model->labels.count) dcpn_model_label(model, 1.0);
}

static void look_at_model(dcpn_results *results, const dcpn_selection *selection)
{
    dcpn_model *model = NULL;
    char *json = NULL;
    dcpn_status status = dcpn_results_model(results, selection, &model);
    DCPN_FUZZ_CHECK((status == DCPN_OK) == (model != NULL));
    if (model) {
        check(model);
        DCPN_FUZZ_CHECK(dcpn_model_fit_json(model, &json) == DCPN_OK);
        DCPN_FUZZ_CHECK(dcpn_model_write(model, "/dev/null") == DCPN_OK);
    }
    dcpn_free(results->context, json);
    dcpn_model_free(model);
}

/* What was read can be written, and what was written can be read. */
static void write_again(const dcpn_results *results)
{
    dcpn_results *again = NULL;
    char *json = NULL;
    if (!results->paths) return;
    dcpn_status status = results->cv ? dcpn_cv_json(results->cv, &results->provenance, results->folds_file, &json)
                                     : dcpn_paths_json(results->paths, &results->provenance, &json);
    DCPN_FUZZ_CHECK(status == DCPN_OK);
    DCPN_FUZZ_CHECK(dcpn_results_parse(results->context, "again", json, strlen(json), &again) == DCPN_OK);
    dcpn_results_free(again);
    dcpn_free(results->context, json);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    static const dcpn_selection none = {0}, at = {.has_lambda = 1, .lambda = 0.75}, by_rule = {.rule = "1se"};
    dcpn_context *context = dcpn_fuzz_context();
    dcpn_results *results = NULL;
    dcpn_status status = dcpn_results_parse(context, "input", (const char *)bytes, size, &results);
    DCPN_FUZZ_CHECK((status == DCPN_OK) == (results != NULL));
    DCPN_FUZZ_CHECK(status == DCPN_OK || dcpn_last_error(context)[0]);
    if (results) {
        write_again(results);
        look_at_model(results, &at);
        look_at_model(results, &by_rule);
        look_at_model(results, &none);
    }
    dcpn_results_free(results);
    dcpn_context_free(context);
    return 0;
}
