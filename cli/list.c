/* SPDX-License-Identifier: BSD-3-Clause */
/* dcpn list: the parts, their formulas, and which of them work together. */
#include "command.h"
#include "json.h"
#include "suggestion.h"

#include <stdlib.h>
#include <string.h>

struct list_options {
    int json;
};

#define TO(FIELD) offsetof(struct list_options, FIELD)

static const struct cli_option options_of_list[] = {
    DCPN_CLI_FLAG("json", 0, TO(json), "print one JSON object"),
    DCPN_CLI_END,
};

static const struct registry {
    const char *plural, *kind, *notation;
} registries[] = {{"losses", "loss", "of a row with score u and label y (-1 or +1 for two classes)"},
                  {"unlabelled-losses", "unlabelled-loss", "of a row with score u and no label"},
                  {"penalties", "penalty", "of a coefficient, t = |x_j|"},
                  {"groupings", "grouping", "of the coefficients x_g of a group, where there are groups"},
                  {"metrics", "metric", "H_k"},
                  {"subsolvers", "subsolver", "of min_d 1/2 d'Hd + v'd + h1(x + d)"},
                  {"algorithms", "algorithm", "of min F"},
                  {"presets", "preset", "settings that belong together"}};

enum { REGISTRIES = sizeof registries / sizeof registries[0], MOST_REFUSALS = 32, REFUSAL_LENGTH = 400 };

/* "theta" or "p eps" as options */
static void print_settings(const char *names)
{
    printf("  %-20s with", "");
    for (size_t length; *names; names += length, names += strspn(names, " ")) {
        length = strcspn(names, " ");
        printf(" --%.*s", (int)length, names);
    }
    putchar('\n');
}

/* Is it the registry of algorithms? Their note is the reference, which stands in the table of approaches instead. */
static int is_algorithms(const struct registry *registry)
{
    return strcmp(registry->kind, "algorithm") == 0;
}

static void print_parts(const struct registry *registry)
{
    dcpn_part part;
    printf("%s (--%s) %s\n", registry->plural, registry->kind, registry->notation);
    for (size_t i = 0; dcpn_part_at(registry->kind, i, &part); i++) {
        printf("  %-20s %s\n", part.name, part.formula ? part.formula : "");
        if (part.note && !is_algorithms(registry)) printf("  %-20s %s\n", "", part.note);
        if (part.settings) print_settings(part.settings);
    }
}

/* ---- The paper's table of related approaches: what each method asks of the parts of F = f1 - f2 + h1 - h2 ---- */

static int name_width(const char *kind)
{
    size_t widest = 0;
    dcpn_part part;
    for (size_t i = 0; dcpn_part_at(kind, i, &part); i++)
        if (strlen(part.name) > widest) widest = strlen(part.name);
    return (int)widest;
}

static int metric_width(void)
{
    size_t widest = strlen("metric");
    dcpn_part part;
    for (size_t i = 0; dcpn_part_at("algorithm", i, &part); i++)
        if (strlen(part.H) > widest) widest = strlen(part.H);
    return (int)widest;
}

static void print_approaches(void)
{
    int name = name_width("algorithm"), metric = metric_width(), option = name + (int)strlen("--algorithm ");
    dcpn_part part;
    printf("related approaches, F = f1 - f2 + h1 - h2: cvx convex, ncvx not necessarily, - not there\n");
    printf("  %-*s  %-4s  %-4s  %-4s  %-4s  %-*s  %-*s  %s\n", name, "approach", "f1", "f2", "h1", "h2", metric,
           "metric", option, "switch", "reference");
    for (size_t i = 0; dcpn_part_at("algorithm", i, &part); i++)
        printf("  %-*s  %-4s  %-4s  %-4s  %-4s  %-*s  --algorithm %-*s  %s\n", name, part.name, part.f1, part.f2,
               part.h1, part.h2, metric, part.H, name, part.name, part.note ? part.note : "");
}

static void print_approach_json(const dcpn_part *part)
{
    dcpn_cli_json_text_member(stdout, ",", "f1", part->f1);
    dcpn_cli_json_text_member(stdout, ",", "f2", part->f2);
    dcpn_cli_json_text_member(stdout, ",", "h1", part->h1);
    dcpn_cli_json_text_member(stdout, ",", "h2", part->h2);
    dcpn_cli_json_text_member(stdout, ",", "metric", part->H);
    printf(",\"switch\":\"--algorithm %s\"", part->name);
    dcpn_cli_json_text_member(stdout, ",", "reference", part->note);
}

static void print_registry(const struct registry *registry)
{
    print_parts(registry);
    if (is_algorithms(registry)) print_approaches();
}

static void print_parts_json(const struct registry *registry, const char *separator)
{
    dcpn_part part;
    fputs(separator, stdout);
    dcpn_cli_json_text(stdout, registry->plural);
    fputs(":[", stdout);
    for (size_t i = 0; dcpn_part_at(registry->kind, i, &part); i++) {
        dcpn_cli_json_text_member(stdout, i ? ",{" : "{", "name", part.name);
        dcpn_cli_json_text_member(stdout, ",", "formula", part.formula);
        dcpn_cli_json_text_member(stdout, ",", "settings", part.settings);
        dcpn_cli_json_text_member(stdout, ",", "note", part.note);
        if (is_algorithms(registry)) print_approach_json(&part);
        putchar('}');
    }
    putchar(']');
}

/* ---- Which combinations exist: every one is asked ---- */

struct refusals {
    char sentence[MOST_REFUSALS][REFUSAL_LENGTH];
    int count;
};

static void remember(struct refusals *refusals, const char *sentence)
{
    for (int i = 0; i < refusals->count; i++)
        if (strcmp(refusals->sentence[i], sentence) == 0) return;
    if (refusals->count < MOST_REFUSALS)
        snprintf(refusals->sentence[refusals->count++], REFUSAL_LENGTH, "%s", sentence);
}

/* The number of losses and penalties that were tried with a metric and a subsolver, and of those that work with
 * them. */
struct support {
    int works, asked;
};

static void ask(const struct cli *cli, const dcpn_settings *settings, struct support *support,
                struct refusals *refusals)
{
    support->asked++;
    if (dcpn_combination_check(cli->context, settings) == DCPN_OK)
        support->works++;
    else
        remember(refusals, dcpn_last_error(cli->context));
}

static struct support ask_all(const struct cli *cli, const char *metric, const char *subsolver, int majorize,
                              struct refusals *refusals)
{
    struct support support = {0, 0};
    dcpn_settings settings = dcpn_settings_default();
    dcpn_part loss, penalty;
    settings.metric = metric;
    settings.subsolver = subsolver;
    settings.majorize = majorize;
    for (size_t i = 0; dcpn_part_at("loss", i, &loss); i++) {
        for (size_t j = 0; dcpn_part_at("penalty", j, &penalty); j++) {
            settings.loss = loss.name;
            settings.penalty = penalty.name;
            ask(cli, &settings, &support, refusals);
        }
    }
    return support;
}

static const char *verdict(struct support support)
{
    return support.works == support.asked ? "yes" : support.works ? "some" : "no";
}

static void print_support_matrix(const struct cli *cli, int majorize, struct refusals *refusals)
{
    dcpn_part metric, subsolver;
    printf("combinations%s: metric x subsolver, over all losses and penalties\n", majorize ? " with --majorize" : "");
    printf("  %-20s", "");
    for (size_t j = 0; dcpn_part_at("subsolver", j, &subsolver); j++) printf(" %-19s", subsolver.name);
    putchar('\n');
    for (size_t i = 0; dcpn_part_at("metric", i, &metric); i++) {
        printf("  %-20s", metric.name);
        for (size_t j = 0; dcpn_part_at("subsolver", j, &subsolver); j++)
            printf(" %-19s", verdict(ask_all(cli, metric.name, subsolver.name, majorize, refusals)));
        putchar('\n');
    }
}

static void print_combinations(const struct cli *cli, struct refusals *refusals)
{
    print_support_matrix(cli, 0, refusals);
    print_support_matrix(cli, 1, refusals);
    if (refusals->count) printf("refused, with these words\n");
    for (int i = 0; i < refusals->count; i++) printf("  %s\n", refusals->sentence[i]);
}

static void print_support_json(const struct cli *cli, int majorize, const char *separator, struct refusals *refusals)
{
    dcpn_part metric, subsolver;
    for (size_t i = 0; dcpn_part_at("metric", i, &metric); i++) {
        for (size_t j = 0; dcpn_part_at("subsolver", j, &subsolver); j++) {
            struct support support = ask_all(cli, metric.name, subsolver.name, majorize, refusals);
            dcpn_cli_json_text_member(stdout, i || j ? ",{" : separator, "metric", metric.name);
            dcpn_cli_json_text_member(stdout, ",", "subsolver", subsolver.name);
            printf(",\"majorize\":%s", majorize ? "true" : "false");
            dcpn_cli_json_text_member(stdout, ",", "works", verdict(support));
            putchar('}');
        }
    }
}

static void print_combinations_json(const struct cli *cli, struct refusals *refusals)
{
    fputs(",\"combinations\":[", stdout);
    print_support_json(cli, 0, "{", refusals);
    print_support_json(cli, 1, ",{", refusals);
    fputs("],\"refusals\":[", stdout);
    for (int i = 0; i < refusals->count; i++) {
        fputs(i ? "," : "", stdout);
        dcpn_cli_json_text(stdout, refusals->sentence[i]);
    }
    putchar(']');
}

/* ---- The formats of data ---- */

static const char formats[] = "formats";

static void print_formats(void)
{
    dcpn_format format;
    printf("formats (--format) of data, plain or compressed by gzip, zstd or xz; 'dcpn convert' writes them\n");
    for (size_t i = 0; dcpn_format_at(i, &format); i++)
        printf("  %-20s %s (%s)%s\n", format.name, format.summary, format.extensions,
               format.is_writable ? "" : ", read only");
}

static void print_formats_json(const char *separator)
{
    dcpn_format format;
    printf("%s\"%s\":[", separator, formats);
    for (size_t i = 0; dcpn_format_at(i, &format); i++) {
        dcpn_cli_json_text_member(stdout, i ? ",{" : "{", "name", format.name);
        dcpn_cli_json_text_member(stdout, ",", "summary", format.summary);
        dcpn_cli_json_text_member(stdout, ",", "extensions", format.extensions);
        printf(",\"writable\":%s}", format.is_writable ? "true" : "false");
    }
    putchar(']');
}

static int list_formats(int json)
{
    if (!json) print_formats();
    if (json) print_formats_json("{");
    if (json) puts("}");
    return 0;
}

static int list_all(const struct cli *cli, int json)
{
    struct refusals *refusals = dcpn_cli_allocate(cli, 1, sizeof *refusals);
    if (!refusals) return dcpn_status_exit_code(DCPN_MEMORY);
    for (size_t i = 0; i < REGISTRIES; i++) {
        if (json)
            print_parts_json(&registries[i], i ? "," : "{");
        else
            print_registry(&registries[i]);
    }
    if (json)
        print_combinations_json(cli, refusals);
    else
        print_combinations(cli, refusals);
    if (json)
        print_formats_json(",");
    else
        print_formats();
    if (json) puts("}");
    free(refusals);
    return 0;
}

static int list_one(const struct cli *cli, const char *plural, int json)
{
    struct suggestion suggestion = {.wanted = plural, .length = strlen(plural)};
    dcpn_cli_suggestion_consider(&suggestion, formats);
    if (strcmp(plural, formats) == 0) return list_formats(json);
    for (size_t i = 0; i < REGISTRIES; i++) {
        dcpn_cli_suggestion_consider(&suggestion, registries[i].plural);
        if (strcmp(registries[i].plural, plural) != 0) continue;
        if (json)
            print_parts_json(&registries[i], "{");
        else
            print_registry(&registries[i]);
        if (json) puts("}");
        return 0;
    }
    return dcpn_cli_fail(
        cli, DCPN_USAGE,
        "found '%s', expected losses, unlabelled-losses, penalties, metrics, subsolvers, algorithms, presets or "
        "formats%s%s%s",
        plural, suggestion.best ? "; did you mean " : "", suggestion.best ? suggestion.best : "",
        suggestion.best ? "?" : "");
}

static int list(struct cli *cli, int argc, char **argv)
{
    struct list_options options;
    int code = dcpn_cli_parse(cli, argc, argv, &options, NULL);
    if (code != DCPN_CLI_GO_ON) return code;
    return cli->argument_count ? list_one(cli, cli->arguments[0], options.json) : list_all(cli, options.json);
}

const struct cli_command dcpn_cli_list = {
    .name = "list",
    .arguments = "[losses|penalties|algorithms|presets|formats|...] [OPTIONS]",
    .summary = "Lists the parts with their formulas, and what works together",
    .details = "The algorithms come with the paper's table of related approaches.",
    .examples = {"dcpn list", "dcpn list penalties", "dcpn list --json"},
    .options = options_of_list,
    .words = "losses unlabelled-losses penalties metrics subsolvers algorithms presets formats",
    .fewest = 0,
    .most = 1,
    .run = list,
};
