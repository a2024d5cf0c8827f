/* SPDX-License-Identifier: BSD-3-Clause */
/* Groups, counted. */
#include "info_groups.h"

#include "json.h"
#include "plural.h"

#include <stdlib.h>
#include <string.h>

int dcpn_cli_group_census(const struct cli *cli, const dcpn_groups *groups, int64_t features,
                          struct group_census *census)
{
    unsigned char *times = dcpn_cli_allocate(cli, features, 1);
    if (!times) return dcpn_status_exit_code(DCPN_MEMORY);
    memset(times, 0, (size_t)features);
    *census = (struct group_census){.count = groups->count, .smallest = groups->count ? INT64_MAX : 0};
    for (int64_t g = 0; g < groups->count; g++) {
        int64_t size = groups->start[g + 1] - groups->start[g];
        if (size < census->smallest) census->smallest = size;
        if (size > census->largest) census->largest = size;
        census->weighted += groups->weights && groups->weights[g] >= 0.0; /* not NaN */
        for (int64_t k = groups->start[g]; k < groups->start[g + 1]; k++)
            if (times[groups->member[k]] < 2) times[groups->member[k]]++;
    }
    for (int64_t j = 0; j < features; j++) {
        census->alone += times[j] == 0;
        census->shared += times[j] == 2;
    }
    free(times);
    return 0;
}

void dcpn_cli_group_census_print(const struct group_census *c)
{
    printf("groups        %lld of ", (long long)c->count);
    if (c->smallest < c->largest) printf("%lld to ", (long long)c->smallest);
    printf("%lld feature%s", (long long)c->largest, dcpn_cli_plural(c->largest));
    if (c->weighted)
        printf(", %lld with a weight of %s own", (long long)c->weighted, c->weighted == 1 ? "its" : "their");
    putchar('\n');
    if (c->alone)
        printf("%-13s %lld feature%s in none: each is a group of its own, of weight 1\n", "", (long long)c->alone,
               dcpn_cli_plural(c->alone));
    if (c->shared)
        printf("%-13s %lld feature%s in several: --grouping latent and sum take them, tree if they are nested\n", "",
               (long long)c->shared, dcpn_cli_plural(c->shared));
}

void dcpn_cli_group_census_json(const struct group_census *c)
{
    fputs(",\"groups\":", stdout);
    dcpn_cli_json_count_member(stdout, "{", "count", c->count);
    dcpn_cli_json_count_member(stdout, ",", "smallest", c->smallest);
    dcpn_cli_json_count_member(stdout, ",", "largest", c->largest);
    dcpn_cli_json_count_member(stdout, ",", "features_in_none", c->alone);
    dcpn_cli_json_count_member(stdout, ",", "features_in_several", c->shared);
    dcpn_cli_json_count_member(stdout, ",", "with_weights", c->weighted);
    putchar('}');
}

int64_t dcpn_cli_groups_in_use(const struct cli *cli, const dcpn_model *model)
{
    const dcpn_groups *groups = model->groups;
    unsigned char *used = dcpn_cli_allocate(cli, model->features, 1);
    int64_t count = 0;
    if (!used) return -1;
    memset(used, 0, (size_t)model->features);
    for (int64_t k = 0; k < model->nonzeros; k++) used[model->index[k] % model->features] = 1;
    for (int64_t g = 0; g < groups->count; g++) {
        int is_used = 0;
        for (int64_t k = groups->start[g]; k < groups->start[g + 1]; k++) is_used |= used[groups->member[k]];
        count += is_used;
    }
    free(used);
    return count;
}
