/* SPDX-License-Identifier: BSD-3-Clause */
/* What a cross-validation says of rows that were held out: errors, the ROC curve and calibration, by weight. */
#include "held_out.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    MOST_DRAWN = 400, /* points of a curve: more are not seen */
    MOST_GROUPS = 10, /* of a calibration */
    ROWS_A_GROUP = 20
};

int dcpn_cli_held_out_at(const struct results *results, struct choice choice, struct held_out *found)
{
    const dcpn_cv *cv = results->cv;
    *found = (struct held_out){0};
    if (!cv || !cv->held_out) return 0;
    for (int rule = 0; rule <= DCPN_CLI_RULE_OWN && !found->rows; rule++) {
        struct choice chosen = dcpn_cli_results_chosen(results, (enum results_rule)rule);
        if (chosen.path == choice.path && chosen.point == choice.point)
            *found = (struct held_out){cv->held_out, cv->held_out->score[rule]};
    }
    return found->rows != NULL;
}

static int is_measured(const struct held_out *held, int64_t row)
{
    return !isnan(held->rows->label[row]) && !isnan(held->score[row]);
}

/* ---- numbers ---- */

struct confusion dcpn_cli_held_out_confusion(const struct held_out *held)
{
    struct confusion found = {0};
    for (int64_t i = 0; i < held->rows->rows; i++)
        if (is_measured(held, i))
            found.weight[held->rows->label[i] > 0.0][held->score[i] > 0.0] += held->rows->weight[i];
    return found;
}

struct held_out_fit dcpn_cli_held_out_fit(const struct held_out *held)
{
    const dcpn_held_out *rows = held->rows;
    double total = 0.0, mean = 0.0, spread = 0.0, error = 0.0;
    for (int64_t i = 0; i < rows->rows; i++) total += is_measured(held, i) ? rows->weight[i] : 0.0;
    for (int64_t i = 0; i < rows->rows; i++)
        mean += is_measured(held, i) ? rows->weight[i] * rows->label[i] / total : 0.0;
    for (int64_t i = 0; i < rows->rows; i++) {
        if (!is_measured(held, i)) continue;
        spread += rows->weight[i] * (rows->label[i] - mean) * (rows->label[i] - mean);
        error += rows->weight[i] * (rows->label[i] - held->score[i]) * (rows->label[i] - held->score[i]);
    }
    return (struct held_out_fit){spread > 0.0 ? 1.0 - error / spread : (double)NAN, sqrt(error / total)};
}

/* ---- rows by falling score ---- */

struct ranked {
    double score;
    int64_t row;
};

static int by_falling_score(const void *left, const void *right)
{
    const struct ranked *a = left, *b = right;
    if (a->score > b->score || a->score < b->score) return a->score > b->score ? -1 : 1;
    return (a->row > b->row) - (a->row < b->row);
}

/* Lists the rows that are measured, by falling score. The list is to be freed. NULL, which is said: memory is short. */
static struct ranked *rank_rows(const struct cli *cli, const struct held_out *held, int64_t *count)
{
    struct ranked *ranked = dcpn_cli_allocate(cli, held->rows->rows, sizeof *ranked);
    *count = 0;
    for (int64_t i = 0; ranked && i < held->rows->rows; i++)
        if (is_measured(held, i)) ranked[(*count)++] = (struct ranked){held->score[i], i};
    if (ranked) qsort(ranked, (size_t)*count, sizeof *ranked, by_falling_score);
    return ranked;
}

/* ---- curves ---- */

static int allocate_curve(const struct cli *cli, int64_t count, int with_deviation, struct curve *curve)
{
    *curve = (struct curve){0};
    curve->x = dcpn_cli_allocate(cli, count, sizeof *curve->x);
    curve->y = dcpn_cli_allocate(cli, count, sizeof *curve->y);
    if (with_deviation) curve->deviation = dcpn_cli_allocate(cli, count, sizeof *curve->deviation);
    return curve->x && curve->y && (curve->deviation || !with_deviation) ? 0 : dcpn_status_exit_code(DCPN_MEMORY);
}

void dcpn_cli_curve_free(struct curve *curve)
{
    free(curve->x);
    free(curve->y);
    free(curve->deviation);
    *curve = (struct curve){0};
}

/* Some of the points, evenly, with the first and the last. */
static void thin(struct curve *curve)
{
    int64_t count = curve->count;
    if (count <= MOST_DRAWN) return;
    for (int64_t k = 0; k < MOST_DRAWN; k++) {
        int64_t from = k * (count - 1) / (MOST_DRAWN - 1);
        curve->x[k] = curve->x[from];
        curve->y[k] = curve->y[from];
    }
    curve->count = MOST_DRAWN;
}

static void walk_roc(const struct held_out *held, const struct ranked *ranked, int64_t count, struct curve *curve)
{
    const dcpn_held_out *rows = held->rows;
    double of_class[2] = {0.0, 0.0}, passed[2] = {0.0, 0.0};
    for (int64_t k = 0; k < count; k++) of_class[rows->label[ranked[k].row] > 0.0] += rows->weight[ranked[k].row];
    curve->count = 1;
    for (int64_t k = 0; k < count; k++) {
        passed[rows->label[ranked[k].row] > 0.0] += rows->weight[ranked[k].row];
        if (k + 1 < count && ranked[k + 1].score == ranked[k].score) continue; /* ties are passed at once */
        curve->x[curve->count] = passed[0] / of_class[0];
        curve->y[curve->count++] = passed[1] / of_class[1];
    }
}

int dcpn_cli_held_out_roc(const struct cli *cli, const struct held_out *held, struct curve *curve)
{
    int64_t count = 0;
    int code = allocate_curve(cli, held->rows->rows + 1, 0, curve);
    struct ranked *ranked = code ? NULL : rank_rows(cli, held, &count);
    if (!ranked) return dcpn_status_exit_code(DCPN_MEMORY);
    walk_roc(held, ranked, count, curve);
    free(ranked);
    thin(curve);
    return 0;
}

/* The rows of one group: mean probability, share of positive rows and its standard error. */
static void add_group(const struct held_out *held, const struct ranked *ranked, int64_t count, struct curve *curve)
{
    const dcpn_held_out *rows = held->rows;
    double total = 0.0, predicted = 0.0, positive = 0.0;
    int64_t k = curve->count;
    for (int64_t i = 0; i < count; i++) {
        double weight = rows->weight[ranked[i].row];
        total += weight;
        predicted += weight / (1.0 + exp(-ranked[i].score));
        positive += weight * (rows->label[ranked[i].row] > 0.0);
    }
    if (!(total > 0.0)) return;
    double share = positive / total;
    curve->x[k] = predicted / total;
    curve->y[k] = share;
    curve->deviation[k] = sqrt(share * (1.0 - share) / (double)count);
    curve->count++;
}

int dcpn_cli_held_out_calibration(const struct cli *cli, const struct held_out *held, struct curve *curve)
{
    int64_t count = 0;
    int code = allocate_curve(cli, MOST_GROUPS, 1, curve);
    struct ranked *ranked = code ? NULL : rank_rows(cli, held, &count);
    if (!ranked) return dcpn_status_exit_code(DCPN_MEMORY);
    int64_t groups = count / ROWS_A_GROUP < MOST_GROUPS ? count / ROWS_A_GROUP : MOST_GROUPS;
    for (int64_t g = 0; g < groups; g++) {
        int64_t begin = g * count / groups;
        add_group(held, ranked + begin, (g + 1) * count / groups - begin, curve);
    }
    free(ranked);
    return 0;
}

int dcpn_cli_held_out_numbers(const struct cli *cli, const struct held_out *held, struct curve *curve)
{
    int code = allocate_curve(cli, held->rows->rows, 0, curve);
    if (code) return code;
    for (int64_t i = 0; i < held->rows->rows; i++) {
        if (!is_measured(held, i)) continue;
        curve->x[curve->count] = held->score[i];
        curve->y[curve->count++] = held->rows->label[i];
    }
    thin(curve);
    return 0;
}
