/* SPDX-License-Identifier: BSD-3-Clause */
/* dcpn info of what was fitted: a model, the one that a cross-validation chose, or the paths in a file. */
#include "info_model.h"

#include "coefficients.h"
#include "info_groups.h"
#include "json.h"
#include "label_text.h"
#include "plural.h"
#include "reading.h"
#include "results.h"

#include <math.h>
#include <stdlib.h>

enum { SHOWN_COEFFICIENTS = 10, NAME_COLUMNS = 60, SHOWN_CLASSES = 20 };

/* ---- Models ---- */

static int64_t shown_coefficients(const dcpn_model *model)
{
    return model->nonzeros < SHOWN_COEFFICIENTS ? model->nonzeros : SHOWN_COEFFICIENTS;
}

/* A model of LIBLINEAR does not say how it was fitted, nor to what. */
static int knows_its_fit(const dcpn_model *model)
{
    return model->rows > 0;
}

/* Features in use, and the intercept of each class. */
static void print_many_json(const dcpn_model *model)
{
    dcpn_cli_json_count_member(stdout, ",", "features_used", dcpn_model_count_features(model));
    int are_responses = model->labels.are_responses;
    fputs(are_responses ? ",\"responses\":[" : ",\"classes\":[", stdout);
    for (int64_t k = 0; k < model->labels.count; k++) {
        char text[40];
        dcpn_cli_json_text_member(stdout, k ? ",{" : "{", are_responses ? "response" : "class",
                                  dcpn_cli_label_text(model->labels.names, model->labels.numbers[k], text));
        if (k < dcpn_intercept_count(model->scores, &model->labels))
            dcpn_cli_json_number_member(stdout, ",", "intercept",
                                        model->intercepts ? model->intercepts[k] : model->intercept);
        putchar('}');
    }
    putchar(']');
}

static void print_model_json(const dcpn_model *model, const struct coefficient *largest)
{
    dcpn_cli_json_text_member(stdout, "{", "kind", "model");
    dcpn_cli_json_text_member(stdout, ",", "loss", model->settings.loss);
    if (knows_its_fit(model)) {
        dcpn_cli_json_text_member(stdout, ",", "penalty", model->settings.penalty);
        dcpn_cli_json_number_member(stdout, ",", "lambda", model->settings.lambda);
    }
    if (model->table.label_name) dcpn_cli_json_text_member(stdout, ",", "label", model->table.label_name);
    if (knows_its_fit(model)) dcpn_cli_json_count_member(stdout, ",", "rows", model->rows);
    dcpn_cli_json_count_member(stdout, ",", "features", model->features);
    dcpn_cli_json_count_member(stdout, ",", "nnz", model->nonzeros);
    dcpn_cli_json_count_member(stdout, ",", "index_base", model->index_base);
    if (!dcpn_cli_are_several(model->scores, &model->labels))
        dcpn_cli_json_number_member(stdout, ",", "intercept", model->intercept);
    else
        print_many_json(model);
    dcpn_cli_json_text_member(stdout, ",", "outcome", dcpn_outcome_name(model->fit.outcome));
    if (knows_its_fit(model)) {
        dcpn_cli_json_number_member(stdout, ",", "objective", model->fit.objective);
        dcpn_cli_json_number_member(stdout, ",", "stationarity", model->fit.stationarity);
    }
    fputs(",\"largest\":[", stdout);
    for (int64_t i = 0; i < shown_coefficients(model); i++) {
        dcpn_cli_json_count_member(stdout, i ? ",{" : "{", "feature", largest[i].number);
        if (largest[i].name) dcpn_cli_json_text_member(stdout, ",", "name", largest[i].name);
        dcpn_cli_json_number_member(stdout, ",", "value", largest[i].value);
        putchar('}');
    }
    puts("]}");
}

static void print_class(const dcpn_model *model, const char *before, int64_t k)
{
    char text[40];
    fputs(before, stdout);
    dcpn_cli_print_name(stdout, dcpn_cli_label_text(model->labels.names, model->labels.numbers[k], text), NAME_COLUMNS);
}

static void print_coefficients(const dcpn_model *model, const struct coefficient *largest)
{
    if (model->settings.intercept && !dcpn_cli_are_several(model->scores, &model->labels))
        printf("intercept     %.10g\n", model->intercept);
    for (int64_t k = 0; k < model->labels.count - 1 && model->labels.are_ordered; k++) {
        print_class(model, k ? "              above " : "log odds      above ", k);
        printf(": the score %+.10g\n", model->intercepts ? model->intercepts[k] : model->intercept);
    }
    for (int64_t i = 0; i < shown_coefficients(model); i++) {
        printf("%-13s %lld%s", i ? "" : "largest", (long long)largest[i].number, largest[i].name ? " " : "");
        dcpn_cli_print_name(stdout, largest[i].name ? largest[i].name : "", NAME_COLUMNS);
        if (model->scores > 1) print_class(model, " of ", largest[i].score);
        printf(": %.10g\n", largest[i].value);
    }
}

static void print_label(const char *name)
{
    fputs("label         ", stdout);
    dcpn_cli_print_name(stdout, name, NAME_COLUMNS);
    putchar('\n');
}

static void print_classes(const dcpn_model *model)
{
    int64_t shown = model->labels.count < SHOWN_CLASSES ? model->labels.count : SHOWN_CLASSES;
    const char *title = model->labels.are_responses ? "responses     " : "classes       ";
    for (int64_t k = 0; k < shown; k++)
        print_class(model, k == 0 ? title : k + 1 < model->labels.count ? ", " : " and ", k);
    if (shown < model->labels.count) printf(" and %lld more", (long long)(model->labels.count - shown));
    putchar('\n');
}

static void print_origin(const dcpn_model *model)
{
    const char *features = dcpn_cli_plural(model->features);
    printf("model         loss %s", model->settings.loss);
    if (knows_its_fit(model))
        printf(", penalty %s, lambda %.10g\nfitted to     %lld row%s, ", model->settings.penalty,
               model->settings.lambda, (long long)model->rows, dcpn_cli_plural(model->rows));
    else
        printf(", of LIBLINEAR, which does not say how it was fitted\nmade for      ");
    printf("%lld feature%s, numbered from %d\n", (long long)model->features, features, model->index_base);
}

static void print_fit(const dcpn_result *fit)
{
    printf("objective     %.10g  (loss %.6g + penalty %.6g)\n", fit->objective, fit->loss_value, fit->penalty_value);
    printf("stationarity  %.3g  (goal %.3g)\n", fit->stationarity, fit->stationarity_goal);
    printf("outcome       %s: %s\n", dcpn_outcome_name(fit->outcome), dcpn_outcome_meaning(fit->outcome));
}

static void print_groups(const struct cli *cli, const dcpn_model *model)
{
    int64_t used = model->groups ? dcpn_cli_groups_in_use(cli, model) : -1;
    if (used < 0) return;
    printf("groups        %lld of %lld in use, --grouping %s\n", (long long)used, (long long)model->groups->count,
           model->settings.grouping);
}

static void print_model(const struct cli *cli, const dcpn_model *model, const struct coefficient *largest)
{
    print_origin(model);
    if (model->table.label_name) print_label(model->table.label_name);
    if (model->labels.count) print_classes(model);
    if (knows_its_fit(model)) print_fit(&model->fit);
    printf("features      %lld of %lld kept", (long long)dcpn_model_count_features(model), (long long)model->features);
    if (model->scores > 1)
        printf(", %lld coefficients of %lld %s", (long long)model->nonzeros, (long long)model->scores,
               model->labels.are_responses ? "responses" : "classes");
    putchar('\n');
    print_groups(cli, model);
    print_coefficients(model, largest);
}

/* ---- Paths ---- */

/* The extent of a path, which has at least one point. */
struct extent {
    double first, last;   /* lambda */
    int64_t fewest, most; /* features kept */
};

static struct extent measure(const dcpn_paths *paths, const dcpn_path *path)
{
    struct extent extent = {path->points[0].lambda, path->points[path->count - 1].lambda, INT64_MAX, 0};
    for (int64_t k = 0; k < path->count; k++) {
        int64_t kept = dcpn_paths_count_features(paths, path - paths->paths, k);
        if (kept < extent.fewest) extent.fewest = kept;
        if (kept > extent.most) extent.most = kept;
    }
    return extent;
}

static void print_path(const dcpn_paths *paths, const dcpn_path *path, const char *head)
{
    printf("%-13s %s", head, path->settings.penalty);
    if (path->varying) printf(", %s %.6g", path->varying, path->value);
    if (path->count == 0) {
        puts(": no lambda");
        return;
    }
    struct extent extent = measure(paths, path);
    printf(": %lld lambda%s from %.6g to %.6g, %lld to %lld features kept\n", (long long)path->count,
           dcpn_cli_plural(path->count), extent.first, extent.last, (long long)extent.fewest, (long long)extent.most);
}

static void print_paths(const struct results *results)
{
    printf("paths         loss %s, %lld feature%s, numbered from %d\n", results->paths->settings.loss,
           (long long)results->paths->features, dcpn_cli_plural(results->paths->features), results->from.index_base);
    for (int64_t t = 0; t < results->paths->count; t++)
        print_path(results->paths, &results->paths->paths[t], t ? "" : "penalty");
    printf("look at       'dcpn report' draws %s, 'dcpn coef --lambda L' prints one model\n",
           results->paths->count > 1 ? "one of them (--penalty, --shape)" : "it");
}

static void print_paths_json(const struct results *results)
{
    dcpn_cli_json_text_member(stdout, "{", "kind", "path");
    dcpn_cli_json_text_member(stdout, ",", "loss", results->paths->settings.loss);
    dcpn_cli_json_count_member(stdout, ",", "features", results->paths->features);
    dcpn_cli_json_count_member(stdout, ",", "index_base", results->from.index_base);
    fputs(",\"paths\":[", stdout);
    for (int64_t t = 0; t < results->paths->count; t++) {
        const dcpn_path *path = &results->paths->paths[t];
        struct extent extent =
            path->count ? measure(results->paths, path) : (struct extent){(double)NAN, (double)NAN, 0, 0};
        dcpn_cli_json_text_member(stdout, t ? ",{" : "{", "penalty", path->settings.penalty);
        dcpn_cli_json_number_member(stdout, ",", "value", path->varying ? path->value : (double)NAN);
        dcpn_cli_json_count_member(stdout, ",", "lambdas", path->count);
        dcpn_cli_json_number_member(stdout, ",", "lambda_first", extent.first);
        dcpn_cli_json_number_member(stdout, ",", "lambda_last", extent.last);
        dcpn_cli_json_count_member(stdout, ",", "nnz_min", extent.fewest);
        dcpn_cli_json_count_member(stdout, ",", "nnz_max", extent.most);
        putchar('}');
    }
    puts("]}");
}

int dcpn_cli_describe_model(const struct cli *cli, const char *path, int json)
{
    const dcpn_selection by_rule = {0};
    struct results results;
    dcpn_model *model = NULL;
    struct coefficients table = {0};
    int code = dcpn_cli_results_read(cli, path, &results);
    if (!code && !results.model && !results.cv) /* many models, none of them chosen */
        (json ? print_paths_json : print_paths)(&results);
    else if (!code)
        code = dcpn_cli_check(cli, dcpn_results_model(results.file, &by_rule, &model));
    if (model) code = dcpn_cli_coefficients_gather(cli, NULL, model, 0, &table);
    if (model && !code) {
        dcpn_cli_coefficients_sort(&table, "size");
        json ? print_model_json(model, table.rows) : print_model(cli, model, table.rows);
    }
    dcpn_cli_coefficients_free(&table);
    dcpn_model_free(model);
    dcpn_cli_results_free(&results);
    return code;
}
