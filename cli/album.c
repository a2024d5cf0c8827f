/* SPDX-License-Identifier: BSD-3-Clause */
/* The figures of a report: their memory, and what those of lambda share. */
#include "album.h"

#include "plural.h"

#include <stdlib.h>
#include <string.h>

enum { MARK_LABEL = 80 };

void *dcpn_cli_album_allocate(struct album *album, int64_t count, size_t size)
{
    void **more = realloc(album->memory, (album->memory_count + 1) * sizeof *more);
    if (more) album->memory = more;
    void *memory = more ? dcpn_cli_allocate(album->cli, count, size) : NULL;
    if (memory) album->memory[album->memory_count++] = memory;
    return memory;
}

void dcpn_cli_album_free(struct album *album)
{
    for (size_t i = 0; i < album->memory_count; i++) free(album->memory[i]);
    free(album->memory);
}

struct picture *dcpn_cli_album_add(struct album *album, const char *id, const char *title)
{
    struct picture *picture = &album->pictures[album->count++];
    *picture = (struct picture){.id = id, .figure.title = title};
    return picture;
}

const struct picture *dcpn_cli_album_find(const struct album *album, const char *id)
{
    for (size_t i = 0; i < album->count; i++)
        if (strcmp(album->pictures[i].id, id) == 0) return &album->pictures[i];
    return NULL;
}

double *dcpn_cli_album_lambdas(struct album *album)
{
    const dcpn_path *path = &album->results->paths->paths[album->choice.path];
    double *lambdas = dcpn_cli_album_allocate(album, path->count, sizeof *lambdas);
    for (int64_t i = 0; lambdas && i < path->count; i++) lambdas[i] = path->points[i].lambda;
    return lambdas;
}

/* A model that was refitted has no lambda that was asked for. */
static void label_mark(const struct album *album, char label[MARK_LABEL], const char *words, int is_named,
                       struct choice choice)
{
    const dcpn_path *path = dcpn_cli_path_at(album->results, choice);
    int used = snprintf(label, MARK_LABEL, "%.20s%s%.20s: ", words, is_named ? ", " : "",
                        is_named ? path->settings.penalty : "");
    if (path->kind == DCPN_PATH_BY_SIZE) {
        int64_t features = dcpn_cli_features_at(album->results, choice);
        snprintf(label + used, (size_t)(MARK_LABEL - used), "%lld feature%s", (long long)features,
                 dcpn_cli_plural(features));
    } else {
        snprintf(label + used, (size_t)(MARK_LABEL - used), "\xCE\xBB = %.4g", path->points[choice.point].lambda);
    }
}

/* Does the figure need a mark at the model that is shown? It does if there is no cross-validation, or if the model is
 * another point than those that it chose. A single model needs none. */
static int needs_own_mark(const struct album *album, const struct figure *figure)
{
    return !album->results->model && figure->mark_count == 0;
}

static int is_same(struct choice a, struct choice b)
{
    return a.path == b.path && a.point == b.point;
}

enum { MOST_MARKS = DCPN_CLI_RULES + 1 };

/* Writes the names of the rules that have chosen this point, "min and gic"; 0: an earlier one of them has a mark. */
static int name_rules(const struct album *album, const struct choice chosen[MOST_MARKS], int rule, char words[20])
{
    const dcpn_cv *cv = album->results->cv;
    const char *names[MOST_MARKS] = {"min", "1se", cv ? cv->choice.rule : ""};
    int used = snprintf(words, 20, "%s", names[rule]);
    for (int k = 0; k < MOST_MARKS; k++) {
        if (k == rule || !is_same(chosen[k], chosen[rule])) continue;
        if (k < rule) return 0;
        int is_other = strcmp(names[k], names[0]) != 0 && strcmp(names[k], names[1]) != 0;
        if (k == DCPN_CLI_RULE_1SE || is_other)
            used += snprintf(words + used, (size_t)(20 - used), " and %s", names[k]);
    }
    return 1;
}

int dcpn_cli_album_mark_lambdas(struct album *album, struct figure *figure, int of_all_paths)
{
    const struct results *results = album->results;
    struct choice chosen[MOST_MARKS];
    struct figure_mark *marks = dcpn_cli_album_allocate(album, MOST_MARKS, sizeof *marks);
    char(*labels)[MARK_LABEL] = dcpn_cli_album_allocate(album, MOST_MARKS, sizeof *labels);
    if (!marks || !labels) return dcpn_status_exit_code(DCPN_MEMORY);
    for (int rule = 0; rule < MOST_MARKS; rule++)
        chosen[rule] = dcpn_cli_results_chosen(results, (enum results_rule)rule);
    for (int rule = 0; rule < MOST_MARKS; rule++) {
        char words[20];
        int is_here = chosen[rule].path == album->choice.path;
        if (chosen[rule].path < 0 || (!is_here && !of_all_paths) || !name_rules(album, chosen, rule, words)) continue;
        label_mark(album, labels[rule], words, !is_here, chosen[rule]);
        marks[figure->mark_count++] =
            (struct figure_mark){dcpn_cli_point_at(results, chosen[rule])->lambda, labels[rule]};
    }
    if (needs_own_mark(album, figure)) {
        label_mark(album, labels[0], "the model shown", 0, album->choice);
        marks[figure->mark_count++] =
            (struct figure_mark){dcpn_cli_point_at(results, album->choice)->lambda, labels[0]};
    }
    figure->marks = marks;
    return 0;
}
