/* SPDX-License-Identifier: BSD-3-Clause */
/* The table of a report about the features that are chosen most often on shares of the rows. */
#include "page.h"

#include <math.h>
#include <stdlib.h>

struct selection {
    int64_t number; /* of a feature, or of a group */
    double frequency;
};

static int by_frequency(const void *left, const void *right)
{
    const struct selection *a = left, *b = right;
    if (a->frequency > b->frequency || a->frequency < b->frequency) return a->frequency > b->frequency ? -1 : 1;
    return (a->number > b->number) - (a->number < b->number);
}

/* The groups that were counted, if the file names them; NULL: it is features that are shown. */
static const dcpn_groups *counted_groups(const struct page *page)
{
    const dcpn_groups *groups = page->results->from.groups;
    return groups && groups->count == page->results->cv->stability->groups ? groups : NULL;
}

static void explain_stability(const struct page *page, int64_t stable)
{
    const dcpn_stability *stability = page->results->cv ? page->results->cv->stability : NULL;
    const char *what = counted_groups(page) ? "group" : "feature";
    fprintf(page->out,
            "<p>How often a %s is chosen in %lld fits, each to a random share of the rows (%.3g). %lld %s%s the "
            "threshold of %.3g",
            what, (long long)stability->subsamples, stability->share, (long long)stable, what,
            stable == 1 ? " reaches" : "s reach", stability->threshold);
    if (isfinite(stability->bound))
        fprintf(page->out, "; of these at most %.3g are wrong, in expectation (Meinshausen and B\xC3\xBChlmann)",
                stability->bound);
    if (isfinite(stability->sharper_bound))
        fprintf(page->out, ", and %.3g by pairs of shares (Shah and Samworth)", stability->sharper_bound);
    fputs(".</p>\n", page->out);
    if (stability->unconverged)
        fprintf(page->out, "<p class=\"warning\" role=\"note\">%lld of these fits did not converge.</p>\n",
                (long long)stability->unconverged);
}

static void print_selection(const struct page *page, const struct selection *selection)
{
    char room[DCPN_CLI_NAME_SIZE];
    fputs("<tr>", page->out);
    const dcpn_groups *groups = counted_groups(page);
    dcpn_cli_page_name(page, groups ? groups->names[selection->number]
                                    : dcpn_cli_feature_name(page->results, selection->number, "", room));
    fprintf(page->out,
            "<td class=\"number\">%.0f&nbsp;%%</td><td class=\"bar\"><i class=\"share%s\" style=\"width:%.1f%%\"></i>"
            "</td></tr>\n",
            100.0 * selection->frequency, selection->frequency < page->results->cv->stability->threshold ? " weak" : "",
            100.0 * selection->frequency);
}

int dcpn_cli_page_stability(const struct page *page)
{
    const dcpn_stability *stability = page->results->cv ? page->results->cv->stability : NULL;
    if (!stability) return 0;
    int is_by_group = counted_groups(page) != NULL;
    int64_t count = is_by_group ? stability->groups : stability->count, stable = 0;
    struct selection *sorted = dcpn_cli_allocate(page->cli, count, sizeof *sorted);
    if (!sorted) return dcpn_status_exit_code(DCPN_MEMORY);
    for (int64_t i = 0; i < count; i++) {
        sorted[i] = is_by_group ? (struct selection){i, stability->group_frequency[i]}
                                : (struct selection){stability->index[i], stability->frequency[i]};
        stable += sorted[i].frequency >= stability->threshold;
    }
    qsort(sorted, (size_t)count, sizeof *sorted, by_frequency);
    int64_t shown = stable > DCPN_CLI_PAGE_SHOWN ? stable : DCPN_CLI_PAGE_SHOWN;
    dcpn_cli_page_begin_section(page, "stability", "Stability");
    explain_stability(page, stable);
    fputs(is_by_group ? "<table class=\"model\">\n<caption>The groups chosen most often</caption>\n<thead><tr><th "
                        "scope=\"col\">group</th><th scope=\"col\" class=\"number\">chosen</th><td "
                        "class=\"bar\"></td></tr></thead>\n"
                        "<tbody>\n"
                      : "<table class=\"model\">\n<caption>The features chosen most often</caption>\n<thead><tr><th "
                        "scope=\"col\">feature</th><th scope=\"col\" class=\"number\">chosen</th><td "
                        "class=\"bar\"></td></tr></thead>\n"
                        "<tbody>\n",
          page->out);
    for (int64_t i = 0; i < count && i < shown && i < DCPN_CLI_PAGE_MOST; i++) print_selection(page, &sorted[i]);
    dcpn_cli_page_end_table(page);
    fputs("</section>\n", page->out);
    free(sorted);
    return 0;
}
