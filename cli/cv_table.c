/* SPDX-License-Identifier: BSD-3-Clause */
/* What the rules min and 1se choose on each path of a cross-validation. */
#include "cv_table.h"

#include <math.h>

#include "path_work.h"
#include "plural.h"
#include "results.h"

static void print_point(FILE *stream, const dcpn_cv *cv, const char *rule, int64_t path, int64_t point)
{
    const dcpn_path_point *at = &cv->paths->paths[path].points[point];
    int64_t k = (cv->first[path] + point) * DCPN_MEASURES;
    fprintf(stream, "  %-4s %12.6g %9lld", rule, at->lambda,
            (long long)dcpn_paths_count_features(cv->paths, path, point));
    for (int m = 0; m < cv->measured.count; m++)
        if (isnan(cv->mean[k + m])) /* the AUC of folds of one row, say */
            fprintf(stream, "  %10s    %-9s", "-", "");
        else
            fprintf(stream, "  %10.4g +- %-9.2g", cv->mean[k + m], cv->se[k + m]);
    fputc('\n', stream);
}

/* The number of lambdas of a path that all folds have reached: a fold ends when it has been worse than its best for
 * long. */
static int64_t reached_by_all(const dcpn_cv *cv, int64_t path)
{
    for (int64_t at = cv->first[path]; at < cv->first[path + 1]; at++)
        for (int64_t f = 0; f < cv->folds; f++)
            if (cv->outcome[at * cv->folds + f] == DCPN_NOT_RUN && cv->outcome[f] != DCPN_NOT_RUN)
                return at - cv->first[path];
    return cv->first[path + 1] - cv->first[path];
}

void dcpn_cli_cv_print_table(FILE *stream, const dcpn_cv *cv)
{
    fprintf(stream, "  %-4s %12s %9s", "rule", "lambda", "features");
    for (int m = 0; m < cv->measured.count; m++) fprintf(stream, "  %10s    %-9s", cv->measured.names[m], "");
    fputc('\n', stream);
    for (int64_t v = 0; v < cv->paths->count; v++) {
        if (dcpn_cli_path_is_repeated(cv, v)) continue;
        dcpn_cli_path_print_title(stream, &cv->paths->paths[v]);
        if (v + 1 < cv->paths->count && dcpn_cli_path_is_repeated(cv, v + 1)) fputs(" and search", stream);
        int64_t lambdas = cv->paths->paths[v].count, reached = reached_by_all(cv, v);
        fprintf(stream, ", %lld %s%s", (long long)lambdas,
                cv->paths->paths[v].kind == DCPN_PATH_BY_SIZE ? "model" : "lambda", dcpn_cli_plural(lambdas));
        if (reached < lambdas) fprintf(stream, ", folds end after %lld (past their best for long)", (long long)reached);
        fputc('\n', stream);
        if (cv->best[v] < 0) continue;
        print_point(stream, cv, "min", v, cv->best[v]);
        print_point(stream, cv, "1se", v, cv->one_se[v]);
    }
}
