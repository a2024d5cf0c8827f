/* SPDX-License-Identifier: BSD-3-Clause */
/* A comparison: who takes part, and how they did. */
#include "comparison.h"

#include "suggestion.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Names that stand for an algorithm with options; any algorithm's own name will do too. */
static const struct set_up {
    const char *name, *words;
} set_ups[] = {{"paper", "dcpn:metric=lbfgs:subsolver=forward-backward:curvature=f1:global=off"}};

enum { SET_UPS = sizeof set_ups / sizeof set_ups[0] };

int dcpn_cli_comparison_is_own(const dcpn_setting *setting)
{
    const char *group = NULL;
    for (size_t i = 0; i < dcpn_setting_count() && !group; i++)
        if (strcmp(dcpn_setting_at(i)->option, "algorithm") == 0) group = dcpn_setting_at(i)->group;
    return strcmp(setting->group, group) == 0 || strcmp(setting->option, "dc-max") == 0;
}

static const dcpn_setting *find_own_setting(const char *name)
{
    for (size_t i = 0; i < dcpn_setting_count(); i++) {
        const dcpn_setting *setting = dcpn_setting_at(i);
        if (strcmp(setting->option, name) == 0) return dcpn_cli_comparison_is_own(setting) ? setting : NULL;
    }
    return NULL;
}

static int is_algorithm(const char *name)
{
    dcpn_part part;
    for (size_t i = 0; dcpn_part_at("algorithm", i, &part); i++)
        if (strcmp(part.name, name) == 0) return 1;
    return 0;
}

static int refuse_name(const struct cli *cli, const char *name)
{
    struct suggestion suggestion = {.wanted = name, .length = strlen(name)};
    dcpn_part part;
    for (size_t i = 0; i < SET_UPS; i++) dcpn_cli_suggestion_consider(&suggestion, set_ups[i].name);
    for (size_t i = 0; dcpn_part_at("algorithm", i, &part); i++) dcpn_cli_suggestion_consider(&suggestion, part.name);
    if (suggestion.best)
        return dcpn_cli_fail(cli, DCPN_USAGE, "--algorithms: unknown entry '%s'; did you mean %s?", name,
                             suggestion.best);
    return dcpn_cli_fail(cli, DCPN_USAGE,
                         "--algorithms: unknown entry '%s'; expected paper or a name of 'dcpn list algorithms'", name);
}

static int refuse_option(const struct cli *cli, const char *label, const char *name)
{
    struct suggestion suggestion = {.wanted = name, .length = strlen(name)};
    for (size_t i = 0; i < dcpn_setting_count(); i++) {
        const dcpn_setting *setting = dcpn_setting_at(i);
        if (strcmp(setting->option, name) == 0)
            return dcpn_cli_fail(cli, DCPN_USAGE, "--algorithms: %s: %s is the same for all; give --%s beside the list",
                                 label, name, name);
        if (dcpn_cli_comparison_is_own(setting)) dcpn_cli_suggestion_consider(&suggestion, setting->option);
    }
    return dcpn_cli_fail(cli, DCPN_USAGE, "--algorithms: %s: unknown option '%s'%s%s%s", label, name,
                         suggestion.best ? "; did you mean " : "", suggestion.best ? suggestion.best : "",
                         suggestion.best ? "?" : "");
}

/* Sets one "option=value" of a contender. The text is cut in place and has to stay. */
static int set_option(const struct cli *cli, struct contender *contender, char *word)
{
    char *value = strchr(word, '=');
    if (value) *value++ = '\0';
    if (strcmp(word, "algorithm") == 0)
        return dcpn_cli_fail(cli, DCPN_USAGE, "--algorithms: %s: an entry begins with its algorithm; leave '%s=' out",
                             contender->label, word);
    if (!find_own_setting(word)) return refuse_option(cli, contender->label, word);
    if (!value)
        return dcpn_cli_fail(cli, DCPN_USAGE, "--algorithms: %s: found '%s', expected %s=VALUE", contender->label, word,
                             word);
    if (dcpn_settings_set(cli->context, &contender->settings, word, value) == DCPN_OK) return 0;
    return dcpn_cli_fail(cli, DCPN_USAGE, "--algorithms: %s: %s", contender->label, dcpn_last_error(cli->context));
}

/* "name:option=value:...", cut in place. */
static int set_all(const struct cli *cli, struct contender *contender, char *words)
{
    char *rest = words, *name = strsep(&rest, ":");
    if (!is_algorithm(name)) return refuse_name(cli, name);
    contender->settings.algorithm = name;
    int code = 0;
    while (rest && !code) code = set_option(cli, contender, strsep(&rest, ":"));
    return code;
}

/* Replaces the name of a set-up by the words that it stands for. */
static char *spell_out(const char *entry, char *words)
{
    size_t length = strcspn(entry, ":");
    for (size_t i = 0; i < SET_UPS; i++) {
        if (strlen(set_ups[i].name) != length || memcmp(set_ups[i].name, entry, length) != 0) continue;
        strcpy(words, set_ups[i].words);
        return strcat(words, entry + length);
    }
    return strcpy(words, entry);
}

static int enter(const struct cli *cli, const struct comparison *comparison, struct contender *contender, char *words)
{
    contender->settings = *comparison->common;
    contender->accuracy = contender->mse = contender->quality_time_s = contender->quality_passes = NAN;
    int code = set_all(cli, contender, spell_out(contender->label, words));
    if (code || dcpn_combination_check(cli->context, &contender->settings) == DCPN_OK) return code;
    contender->state = DCPN_CLI_REFUSED;
    snprintf(contender->refusal, sizeof contender->refusal, "%s", dcpn_last_error(cli->context));
    return 0;
}

int dcpn_cli_comparison_enter(const struct cli *cli, struct comparison *comparison, const char *list)
{
    size_t length = strlen(list), entries = 1, longest = 0;
    for (size_t i = 0; i < length; i++) entries += list[i] == ',';
    for (size_t i = 0; i < SET_UPS; i++) longest += strlen(set_ups[i].words);
    size_t room = length + longest + 1; /* for the words of one entry */
    comparison->contenders = dcpn_cli_allocate(cli, (int64_t)entries, sizeof *comparison->contenders);
    comparison->words = dcpn_cli_allocate(cli, (int64_t)(entries + 1), room);
    if (!comparison->contenders || !comparison->words) return dcpn_status_exit_code(DCPN_MEMORY);
    char *labels = strcpy(comparison->words, list);
    int code = 0;
    while (labels && !code) {
        struct contender *contender = &comparison->contenders[comparison->count++];
        contender->label = strsep(&labels, ",");
        code = enter(cli, comparison, contender, comparison->words + comparison->count * room);
    }
    return code;
}

void dcpn_cli_comparison_free(struct comparison *comparison)
{
    for (size_t i = 0; i < comparison->count; i++) {
        free(comparison->contenders[i].curve.time_s);
        free(comparison->contenders[i].curve.passes);
        free(comparison->contenders[i].curve.objective);
    }
    free(comparison->contenders);
    free(comparison->words);
}

/* ---- Curves ---- */

static int grow(double **array, size_t capacity)
{
    double *larger = realloc(*array, capacity * sizeof *larger);
    if (larger) *array = larger;
    return larger != NULL;
}

int dcpn_cli_curve_add(struct curve *curve, const dcpn_progress *progress)
{
    if (curve->count == curve->capacity) {
        size_t capacity = curve->capacity ? 2 * curve->capacity : 256;
        if (!grow(&curve->time_s, capacity) || !grow(&curve->passes, capacity) || !grow(&curve->objective, capacity))
            return 0;
        curve->capacity = capacity;
    }
    curve->time_s[curve->count] = progress->time_s;
    curve->passes[curve->count] = progress->passes;
    curve->objective[curve->count++] = progress->objective;
    return 1;
}

static double least_of(const struct curve *curve)
{
    double least = NAN;
    for (size_t i = 0; i < curve->count; i++) least = fmin(least, curve->objective[i]);
    return least;
}

static void find_quality(struct contender *contender, double goal)
{
    const struct curve *curve = &contender->curve;
    for (size_t i = 0; i < curve->count; i++) {
        if (!(curve->objective[i] <= goal)) continue;
        contender->quality_time_s = curve->time_s[i];
        contender->quality_passes = curve->passes[i];
        return;
    }
}

void dcpn_cli_comparison_judge(struct comparison *comparison)
{
    comparison->best = NAN;
    for (size_t i = 0; i < comparison->count; i++)
        comparison->best = fmin(comparison->best, least_of(&comparison->contenders[i].curve));
    for (size_t i = 0; i < comparison->count; i++)
        find_quality(&comparison->contenders[i], (1.0 + DCPN_CLI_QUALITY) * comparison->best);
}
