/* SPDX-License-Identifier: BSD-3-Clause */
/* Questions to the findings of a result file: which point, which name, which order. */
#include "findings.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const struct finding *dcpn_cli_finding_at(const struct findings *findings, struct choice choice)
{
    return &findings->tracks[choice.track].points[choice.point];
}

const char *dcpn_cli_feature_name(const struct findings *findings, int64_t feature, const char *prefix,
                                  char room[DCPN_CLI_NAME_SIZE])
{
    if (findings->names && *findings->names[feature]) return findings->names[feature];
    snprintf(room, DCPN_CLI_NAME_SIZE, "%s%lld", prefix, (long long)(feature + findings->index_base));
    return room;
}

/* ---- Which point ---- */

/* The tracks of the penalty and of the theta, a or gamma that were asked for, or all. */
static int is_asked(const struct track *track, const struct choice_options *options)
{
    if (options->penalty && strcmp(track->penalty, options->penalty) != 0) return 0;
    double shape = options->shape ? strtod(options->shape, NULL) : 0.0;
    return !options->shape || fabs(track->value - shape) <= 1e-9 * fabs(shape);
}

static double distance(double lambda, double wanted)
{
    return lambda > 0.0 && wanted > 0.0 ? fabs(log(lambda / wanted)) : fabs(lambda - wanted);
}

static void find_nearest(const struct findings *findings, const struct choice_options *options, double wanted,
                         struct choice *choice)
{
    double nearest = INFINITY;
    for (int64_t t = 0; t < findings->track_count; t++) {
        const struct track *track = &findings->tracks[t];
        for (int64_t i = 0; i < track->count && is_asked(track, options); i++) {
            if (!(distance(track->points[i].lambda, wanted) < nearest)) continue;
            nearest = distance(track->points[i].lambda, wanted);
            *choice = (struct choice){t, i};
        }
    }
}

static int choose_lambda(const struct findings *findings, const struct choice_options *options, struct choice *choice)
{
    char *end;
    double wanted = strtod(options->lambda, &end);
    if (end == options->lambda || *end || !isfinite(wanted) || wanted < 0.0)
        return dcpn_cli_fail(findings->cli, DCPN_USAGE, "--lambda: found '%s', expected a number, at least 0",
                             options->lambda);
    find_nearest(findings, options, wanted, choice);
    if (choice->track < 0) return 0;
    double found = dcpn_cli_finding_at(findings, *choice)->lambda;
    if (fabs(found - wanted) > 1e-4 * wanted && !findings->cli->is_quiet)
        dcpn_cli_say(findings->cli, "the nearest lambda in %s is %.6g", findings->path, found);
    return 0;
}

/* Of a cross-validation: what the rule chose, among all paths or those of one penalty. */
static void choose_by_rule(const struct findings *findings, const struct choice_options *options, struct choice *choice)
{
    enum findings_rule rule = findings->rule;
    if (options->rule) rule = strcmp(options->rule, "1se") == 0 ? DCPN_CLI_RULE_1SE : DCPN_CLI_RULE_MIN;
    *choice = findings->chosen[rule];
    if (choice->track >= 0 && is_asked(&findings->tracks[choice->track], options)) return;
    *choice = (struct choice){-1, -1};
    for (int64_t t = findings->track_count; t-- > 0;)
        if (is_asked(&findings->tracks[t], options) && findings->tracks[t].best[rule] >= 0)
            *choice = (struct choice){t, findings->tracks[t].best[rule]};
}

/* Without a question: the only point, what the rule chose, or the end of the first path. */
static void choose_usual(const struct findings *findings, const struct choice_options *options, struct choice *choice)
{
    if (findings->kind == DCPN_CLI_CV_FILE) {
        choose_by_rule(findings, options, choice);
        return;
    }
    for (int64_t t = findings->track_count; t-- > 0;)
        if (is_asked(&findings->tracks[t], options) && findings->tracks[t].count)
            *choice = (struct choice){t, findings->tracks[t].count - 1};
}

int dcpn_cli_findings_choose(const struct findings *findings, const struct choice_options *options,
                             struct choice *choice)
{
    *choice = (struct choice){-1, -1};
    if (options->rule && options->lambda)
        return dcpn_cli_fail(findings->cli, DCPN_USAGE, "--lambda and --rule both choose; give one of them");
    if (options->rule && findings->kind != DCPN_CLI_CV_FILE)
        return dcpn_cli_fail(findings->cli, DCPN_USAGE,
                             "--rule: %s is no cross-validation; give --lambda, or run 'dcpn cv'", findings->path);
    int code = 0;
    if (options->lambda)
        code = choose_lambda(findings, options, choice);
    else
        choose_usual(findings, options, choice);
    if (code || choice->track >= 0) return code;
    if (options->penalty || options->shape)
        return dcpn_cli_fail(findings->cli, DCPN_USAGE, "%s: none of its %lld paths is of that penalty and shape",
                             findings->path, (long long)findings->track_count);
    return dcpn_cli_fail(findings->cli, DCPN_MODEL, "%s: no model is in it; its path has no points", findings->path);
}

/* ---- Order ---- */

struct sized {
    double size;
    int64_t position;
};

static int by_size(const void *left, const void *right)
{
    const struct sized *a = left, *b = right;
    if (a->size > b->size || a->size < b->size) return a->size > b->size ? -1 : 1;
    return (a->position > b->position) - (a->position < b->position);
}

double dcpn_cli_finding_weight(const struct findings *findings, const struct finding *finding, int64_t i)
{
    return finding->value[i] * (findings->deviation ? findings->deviation[finding->index[i]] : 1.0);
}

int64_t *dcpn_cli_finding_by_size(const struct findings *findings, const struct finding *finding)
{
    const struct cli *cli = findings->cli;
    struct sized *sized = dcpn_cli_allocate(cli, finding->nonzeros, sizeof *sized);
    int64_t *order = dcpn_cli_allocate(cli, finding->nonzeros, sizeof *order);
    if (!sized || !order) {
        free(sized);
        free(order);
        return NULL;
    }
    for (int64_t i = 0; i < finding->nonzeros; i++)
        sized[i] = (struct sized){fabs(dcpn_cli_finding_weight(findings, finding, i)), i};
    qsort(sized, (size_t)finding->nonzeros, sizeof *sized, by_size);
    for (int64_t i = 0; i < finding->nonzeros; i++) order[i] = sized[i].position;
    free(sized);
    return order;
}
