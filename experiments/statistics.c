/* SPDX-License-Identifier: BSD-3-Clause */
/* The trials of one problem, summed up, and written as rows of the paper's tables. */
#include "statistics.h"

#include "speech.h"
#include "wilcoxon.h"

#include <errno.h>
#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

static const double SIGNIFICANT = 0.001;

/* The numbers of one problem, trial by trial. */
struct sample {
    int trials;
    double rate[METHOD_COUNT][DCPN_EXP_MOST_PAIRS], time_s[METHOD_COUNT][DCPN_EXP_MOST_PAIRS];
    double objective[METHOD_COUNT][DCPN_EXP_MOST_PAIRS], nonzeros[METHOD_COUNT][DCPN_EXP_MOST_PAIRS];
    double passes[METHOD_COUNT][DCPN_EXP_MOST_PAIRS];
    int cut[METHOD_COUNT]; /* fits that ended at the limit of passes */
};

static void collect(const struct csv *csv, const char *problem, int64_t trials, struct sample *sample)
{
    memset(sample, 0, sizeof *sample);
    for (int64_t trial = 1; trial <= trials; trial++) {
        if (!dcpn_exp_csv_find(csv, problem, trial, NULL)) continue;
        for (int m = 0; m < METHOD_COUNT; m++) {
            const struct row *row = dcpn_exp_csv_find(csv, problem, trial, dcpn_exp_methods[m].name);
            sample->rate[m][sample->trials] = row->rate;
            sample->time_s[m][sample->trials] = row->time_s;
            sample->objective[m][sample->trials] = row->objective;
            sample->nonzeros[m][sample->trials] = (double)row->nonzeros;
            sample->passes[m][sample->trials] = row->passes;
            sample->cut[m] += strcmp(row->outcome, dcpn_exp_cut) == 0;
        }
        sample->trials++;
    }
}

static double mean(int count, const double *values)
{
    double sum = 0.0;
    for (int i = 0; i < count; i++) sum += values[i];
    return sum / count;
}

static double deviation(int count, const double *values)
{
    double center = mean(count, values), sum = 0.0;
    for (int i = 0; i < count; i++) sum += (values[i] - center) * (values[i] - center);
    return count > 1 ? sqrt(sum / (count - 1)) : 0.0;
}

/* The mean over the trials of (F_GIST - F_method) / F_GIST, in percent: negative where the method ends higher. */
static double relative_difference(const struct sample *sample, int method)
{
    double sum = 0.0;
    for (int i = 0; i < sample->trials; i++) {
        double gist = sample->objective[METHOD_GIST][i];
        sum += 100.0 * (gist - sample->objective[method][i]) / gist;
    }
    return sum / sample->trials;
}

/* With the paper's digits; more for times below a second. */
static void write_mean(FILE *stream, int bold, int is_time, int count, const double *values)
{
    const char *mark = bold ? "**" : "";
    int digits = is_time && mean(count, values) < 1.0 ? 4 : 2;
    fprintf(stream, " %s%.*f ± %.*f%s |", mark, digits, mean(count, values), is_time ? digits : 1,
            deviation(count, values), mark);
}

/* Three methods of the paper and ours. Of GIST and DC-PN, the better one is bold where the two differ significantly. */
static void write_means(FILE *stream, int trials, double (*values)[DCPN_EXP_MOST_PAIRS], int are_times)
{
    int differ = dcpn_exp_wilcoxon(trials, values[METHOD_GIST], values[METHOD_DCPN]) < SIGNIFICANT;
    int lower = mean(trials, values[METHOD_DCPN]) < mean(trials, values[METHOD_GIST]) ? METHOD_DCPN : METHOD_GIST;
    int best = are_times ? lower : METHOD_DCPN + METHOD_GIST - lower;
    for (int m = 0; m < METHOD_COUNT; m++) write_mean(stream, differ && m == best, are_times, trials, values[m]);
}

static void write_rule(FILE *stream, const char *headings)
{
    fputs("|", stream);
    for (const char *c = headings; *c; c++)
        if (*c == '|') fputs("---|", stream);
    fputs("\n", stream);
}

static void write_headings(FILE *stream, const char *first, const char *rest)
{
    char headings[512];
    snprintf(headings, sizeof headings, " %s |%s", first, rest);
    fprintf(stream, "|%s\n", headings);
    write_rule(stream, headings);
}

static void write_paper_line(FILE *stream, struct sample *sample)
{
    write_means(stream, sample->trials, sample->rate, 0);
    write_means(stream, sample->trials, sample->time_s, 1);
    fprintf(stream, " %.3f |\n", relative_difference(sample, METHOD_DCPN));
}

static double time_ratio(const struct sample *sample, int slow, int fast)
{
    return mean(sample->trials, sample->time_s[slow]) / mean(sample->trials, sample->time_s[fast]);
}

static void write_four(FILE *stream, int trials, double (*values)[DCPN_EXP_MOST_PAIRS])
{
    for (int m = 0; m < METHOD_COUNT; m++) fprintf(stream, "%s%.0f", m ? " / " : " ", mean(trials, values[m]));
    fputs(" |", stream);
}

static void write_further_line(FILE *stream, struct sample *sample)
{
    fprintf(stream, " %d | %.2f | %.2f | %.2f |", sample->trials, time_ratio(sample, METHOD_GIST, METHOD_DCPN),
            time_ratio(sample, METHOD_DCA, METHOD_GIST), time_ratio(sample, METHOD_GIST, METHOD_DEFAULT));
    fprintf(stream, " %.2g | %.2g |",
            dcpn_exp_wilcoxon(sample->trials, sample->rate[METHOD_GIST], sample->rate[METHOD_DCPN]),
            dcpn_exp_wilcoxon(sample->trials, sample->time_s[METHOD_GIST], sample->time_s[METHOD_DCPN]));
    fprintf(stream, " %.3f | %.3f |", relative_difference(sample, METHOD_DCA),
            relative_difference(sample, METHOD_DEFAULT));
    write_four(stream, sample->trials, sample->nonzeros);
    write_four(stream, sample->trials, sample->passes);
    for (int m = 0; m < METHOD_COUNT; m++) fprintf(stream, "%s%d", m ? " / " : " ", sample->cut[m]);
    fputs(" |\n", stream);
}

static void write_table(FILE *stream, const struct csv *csv, int64_t trials, const struct table_line *lines,
                        size_t count, struct sample *sample, void (*write)(FILE *, struct sample *))
{
    for (size_t i = 0; i < count; i++) {
        collect(csv, lines[i].problem, trials, sample);
        if (sample->trials == 0) continue;
        fprintf(stream, "| %s |", lines[i].cells);
        write(stream, sample);
    }
}

void dcpn_exp_write_tables(FILE *stream, const struct csv *csv, int64_t trials, const char *first_headings,
                           const struct table_line *lines, size_t count)
{
    struct sample *sample = dcpn_exp_allocate(1, sizeof *sample);
    if (!sample) return;
    fputs("\nMean ± standard deviation of the class. rate (%), of the time (s), and the relative difference of the "
          "objectives.\n\n",
          stream);
    write_headings(stream, first_headings,
                   " rate DCA | rate GIST | rate DC-PN | rate default | time DCA | time GIST | time DC-PN |"
                   " time default | Rel. diff (%) |");
    write_table(stream, csv, trials, lines, count, sample, write_paper_line);
    fputs("\nFour numbers are those of DCA / GIST / DC-PN / default.\n\n", stream);
    write_headings(stream, first_headings,
                   " trials | time GIST : DC-PN | time DCA : GIST | time GIST : default | p of the rates |"
                   " p of the times | Rel. diff DCA (%) | Rel. diff default (%) | features kept | passes | cut |");
    write_table(stream, csv, trials, lines, count, sample, write_further_line);
    free(sample);
}

static char *temporary_of(const char *path)
{
    char *temporary = NULL;
    return asprintf(&temporary, "%s.part", path) < 0 ? NULL : temporary;
}

FILE *dcpn_exp_markdown_begin(const struct lab *lab, const char *name, char **path)
{
    *path = dcpn_exp_output_path(lab, name);
    char *temporary = *path ? temporary_of(*path) : NULL;
    FILE *stream = temporary ? fopen(temporary, "w") : NULL;
    if (!stream) {
        dcpn_exp_say("%s: %s", temporary ? temporary : name, strerror(errno));
        free(*path);
    }
    free(temporary);
    return stream;
}

int dcpn_exp_markdown_end(const struct lab *lab, FILE *stream, char *path)
{
    (void)lab;
    char *temporary = temporary_of(path);
    int bad = ferror(stream);
    if (fclose(stream) != 0 || bad || !temporary || rename(temporary, path) != 0)
        bad = dcpn_exp_fail("%s could not be written: %s", path, strerror(errno));
    free(temporary);
    free(path);
    return bad;
}
