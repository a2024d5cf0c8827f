/* SPDX-License-Identifier: BSD-3-Clause */
/* A comparison for people, as a table, and for programs, as JSON. */
#include "comparison.h"
#include "json.h"

#include <math.h>
#include <string.h>

static int is_regression(const struct comparison *comparison)
{
    for (size_t i = 0; i < comparison->count; i++)
        if (!isnan(comparison->contenders[i].mse)) return 1;
    return 0;
}

static double test_quality(const struct contender *contender)
{
    return isnan(contender->mse) ? contender->accuracy : contender->mse;
}

/* ---- The table ---- */

static void print_number(int width, int decimals, double number)
{
    if (isnan(number))
        printf("  %*s", width, "-");
    else if (decimals >= 0)
        printf("  %*.*f", width, decimals, number);
    else
        printf("  %*.*g", width, -decimals, number);
}

static int label_width(const struct comparison *comparison)
{
    size_t widest = strlen("algorithm");
    for (size_t i = 0; i < comparison->count; i++)
        if (strlen(comparison->contenders[i].label) > widest) widest = strlen(comparison->contenders[i].label);
    return (int)widest;
}

static void print_head(const struct comparison *comparison, int width)
{
    printf("%-*s  %9s  %10s  %10s  %16s  %12s  %8s", width, "algorithm", "time (s)", "passes", "iterations",
           "objective", "stationarity", "nnz");
    if (comparison->has_test) printf("  %9s", is_regression(comparison) ? "test MSE" : "accuracy");
    printf("  %11s  %12s  %s\n", "quality (s)", "quality pass", "outcome");
}

static void print_result(const struct comparison *comparison, const struct contender *contender)
{
    const dcpn_result *result = &contender->result;
    print_number(9, -4, result->time_s);
    print_number(10, 1, result->passes);
    printf("  %10lld", (long long)result->iterations);
    print_number(16, -10, result->objective);
    print_number(12, -3, result->stationarity);
    printf("  %8lld", (long long)result->nonzeros);
    if (comparison->has_test) print_number(9, -5, test_quality(contender));
    print_number(11, -4, contender->quality_time_s);
    print_number(12, 1, contender->quality_passes);
    printf("  %s\n", dcpn_outcome_name(result->outcome));
}

void dcpn_cli_comparison_print(const struct comparison *comparison)
{
    int width = label_width(comparison);
    print_head(comparison, width);
    for (size_t i = 0; i < comparison->count; i++) {
        const struct contender *contender = &comparison->contenders[i];
        printf("%-*s", width, contender->label);
        if (contender->state == DCPN_CLI_RAN)
            print_result(comparison, contender);
        else
            printf("  %s\n", contender->state == DCPN_CLI_REFUSED ? contender->refusal : "not run");
    }
    if (!isnan(comparison->best))
        printf("quality: until F <= (1 + %g) x %.10g, the best F of all; - means never\n", DCPN_CLI_QUALITY,
               comparison->best);
}

/* ---- JSON ---- */

static void print_setting_json(const dcpn_settings *settings, const dcpn_setting *setting, const char *separator)
{
    const void *field = (const char *)settings + setting->offset;
    switch (setting->kind) {
    case DCPN_KIND_REAL:
        dcpn_cli_json_number_member(stdout, separator, setting->option, *(const double *)field);
        break;
    case DCPN_KIND_COUNT:
        dcpn_cli_json_count_member(stdout, separator, setting->option, *(const int64_t *)field);
        break;
    case DCPN_KIND_CHOICE:
        dcpn_cli_json_text_member(stdout, separator, setting->option, *(const char *const *)field);
        break;
    case DCPN_KIND_FLAG:
        printf("%s\"%s\":%s", separator, setting->option, *(const int *)field ? "true" : "false");
        break;
    }
}

/* Prints the settings that all of them share. */
static void print_settings_json(const dcpn_settings *settings)
{
    const char *separator = ",\"settings\":{";
    for (size_t i = 0; i < dcpn_setting_count(); i++) {
        if (dcpn_cli_comparison_is_own(dcpn_setting_at(i))) continue;
        print_setting_json(settings, dcpn_setting_at(i), separator);
        separator = ",";
    }
    putchar('}');
}

static void print_array_json(const char *separator, const char *name, const double *numbers, size_t count)
{
    printf("%s\"%s\":[", separator, name);
    for (size_t i = 0; i < count; i++) {
        if (i) putchar(',');
        dcpn_cli_json_number(stdout, numbers[i]);
    }
    putchar(']');
}

static void print_curve_json(const struct curve *curve)
{
    print_array_json(",\"curve\":{", "time_s", curve->time_s, curve->count);
    print_array_json(",", "passes", curve->passes, curve->count);
    print_array_json(",", "objective", curve->objective, curve->count);
    putchar('}');
}

static void print_result_json(const struct comparison *comparison, const struct contender *contender, int with_curves)
{
    const dcpn_result *result = &contender->result;
    dcpn_cli_json_text_member(stdout, ",", "metric", result->metric);
    dcpn_cli_json_text_member(stdout, ",", "subsolver", result->subsolver);
    dcpn_cli_json_text_member(stdout, ",", "outcome", dcpn_outcome_name(result->outcome));
    dcpn_cli_json_number_member(stdout, ",", "time_s", result->time_s);
    dcpn_cli_json_number_member(stdout, ",", "passes", result->passes);
    dcpn_cli_json_count_member(stdout, ",", "iterations", result->iterations);
    dcpn_cli_json_count_member(stdout, ",", "inner_iterations", result->inner_iterations);
    dcpn_cli_json_number_member(stdout, ",", "objective", result->objective);
    dcpn_cli_json_number_member(stdout, ",", "stationarity", result->stationarity);
    dcpn_cli_json_number_member(stdout, ",", "stationarity_goal", result->stationarity_goal);
    dcpn_cli_json_count_member(stdout, ",", "nnz", result->nonzeros);
    dcpn_cli_json_number_member(stdout, ",", "quality_time_s", contender->quality_time_s);
    dcpn_cli_json_number_member(stdout, ",", "quality_passes", contender->quality_passes);
    if (comparison->has_test)
        dcpn_cli_json_number_member(stdout, ",", is_regression(comparison) ? "mse" : "accuracy",
                                    test_quality(contender));
    if (with_curves) print_curve_json(&contender->curve);
}

static void print_contender_json(const struct comparison *comparison, const struct contender *contender,
                                 int with_curves)
{
    dcpn_cli_json_text_member(stdout, "{", "name", contender->label);
    dcpn_cli_json_text_member(stdout, ",", "algorithm", contender->settings.algorithm);
    if (contender->state == DCPN_CLI_RAN)
        print_result_json(comparison, contender, with_curves);
    else
        dcpn_cli_json_text_member(stdout, ",", contender->state == DCPN_CLI_REFUSED ? "refused" : "outcome",
                                  contender->state == DCPN_CLI_REFUSED ? contender->refusal : "not-run");
    putchar('}');
}

void dcpn_cli_comparison_print_json(const struct cli *cli, const struct comparison *comparison, int with_curves)
{
    dcpn_cli_json_text_member(stdout, "{", "data", comparison->data_path);
    dcpn_cli_json_count_member(stdout, ",", "n", comparison->data->rows);
    dcpn_cli_json_count_member(stdout, ",", "p", comparison->data->features);
    dcpn_cli_json_count_member(stdout, ",", "threads", dcpn_context_threads(cli->context));
    dcpn_cli_json_number_member(stdout, ",", "read_s", comparison->read_s);
    print_settings_json(comparison->common);
    dcpn_cli_json_number_member(stdout, ",", "best_objective", comparison->best);
    dcpn_cli_json_number_member(stdout, ",", "quality_objective", (1.0 + DCPN_CLI_QUALITY) * comparison->best);
    fputs(",\"rows\":[", stdout);
    for (size_t i = 0; i < comparison->count; i++) {
        if (i) putchar(',');
        print_contender_json(comparison, &comparison->contenders[i], with_curves);
    }
    puts("]}");
}
