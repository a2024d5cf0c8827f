/* SPDX-License-Identifier: BSD-3-Clause */
/* The figures of a report: their memory, and what those of lambda share. */
#include "album.h"

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

static void label_mark(char label[MARK_LABEL], const char *words, const char *penalty, double lambda)
{
    snprintf(label, MARK_LABEL, "%s%s%.20s: \xCE\xBB = %.4g", words, penalty ? ", " : "", penalty ? penalty : "",
             lambda);
}

/* Without a cross-validation, or for another point than its own: the one that is shown. */
static int needs_own_mark(const struct album *album, const struct figure *figure)
{
    return !album->results->model && figure->mark_count == 0;
}

int dcpn_cli_album_mark_lambdas(struct album *album, struct figure *figure, int of_all_paths)
{
    static const char *const words[DCPN_CLI_RULES] = {"min", "1se"};
    const struct results *results = album->results;
    const struct choice chosen[] = {dcpn_cli_results_chosen(results, DCPN_CLI_RULE_MIN),
                                    dcpn_cli_results_chosen(results, DCPN_CLI_RULE_1SE)};
    struct figure_mark *marks = dcpn_cli_album_allocate(album, DCPN_CLI_RULES, sizeof *marks);
    char(*labels)[MARK_LABEL] = dcpn_cli_album_allocate(album, DCPN_CLI_RULES, sizeof *labels);
    if (!marks || !labels) return dcpn_status_exit_code(DCPN_MEMORY);
    int are_same = chosen[0].path == chosen[1].path && chosen[0].point == chosen[1].point;
    for (int rule = 0; rule < DCPN_CLI_RULES - are_same; rule++) {
        int is_here = chosen[rule].path == album->choice.path;
        if (chosen[rule].path < 0 || (!is_here && !of_all_paths)) continue;
        double lambda = dcpn_cli_point_at(results, chosen[rule])->lambda;
        label_mark(labels[rule], are_same ? "min and 1se" : words[rule],
                   is_here ? NULL : dcpn_cli_path_at(results, chosen[rule])->settings.penalty, lambda);
        marks[figure->mark_count++] = (struct figure_mark){lambda, labels[rule]};
    }
    if (needs_own_mark(album, figure)) {
        double lambda = dcpn_cli_point_at(results, album->choice)->lambda;
        label_mark(labels[0], "the model shown", NULL, lambda);
        marks[figure->mark_count++] = (struct figure_mark){lambda, labels[0]};
    }
    figure->marks = marks;
    return 0;
}
