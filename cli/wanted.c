/* SPDX-License-Identifier: BSD-3-Clause */
#include "wanted.h"

#include <stdlib.h>
#include <string.h>

struct use {
    int64_t feature, place;
};

static int by_feature(const void *left, const void *right)
{
    const struct use *a = left, *b = right;
    if (a->feature != b->feature) return a->feature > b->feature ? 1 : -1;
    return (a->place > b->place) - (a->place < b->place);
}

/* Lists the features that the model uses. A model with one score a row uses each feature once, so its own lists will
 * do. */
int dcpn_cli_wanted_of(const struct cli *cli, const dcpn_model *model, struct wanted *wanted)
{
    *wanted = (struct wanted){.count = model->nonzeros, .names = model->table.names, .fill = model->table.fill};
    if (model->scores == 1 || !model->table.names) return 0;
    int64_t count = model->nonzeros;
    struct use *uses = dcpn_cli_allocate(cli, count, sizeof *uses);
    char *memory = dcpn_cli_allocate(cli, count, sizeof *wanted->names + sizeof *wanted->fill);
    wanted->memory = memory;
    if (!uses || !memory) {
        free(uses);
        return dcpn_status_exit_code(DCPN_MEMORY);
    }
    wanted->names = (char **)(void *)memory;
    wanted->fill = model->table.fill ? (double *)(void *)(wanted->names + count) : NULL;
    wanted->count = 0;
    for (int64_t k = 0; k < count; k++) uses[k] = (struct use){model->index[k] % model->features, k};
    qsort(uses, (size_t)count, sizeof *uses, by_feature);
    for (int64_t k = 0; k < count; k++) {
        if (k > 0 && uses[k].feature == uses[k - 1].feature) continue;
        wanted->names[wanted->count] = model->table.names[uses[k].place];
        if (wanted->fill) wanted->fill[wanted->count] = model->table.fill[uses[k].place];
        wanted->count++;
    }
    free(uses);
    return 0;
}

void dcpn_cli_wanted_free(struct wanted *wanted)
{
    free(wanted->memory);
}

const char *dcpn_cli_given_to_fit(const dcpn_model *model, const char *option)
{
    size_t length = strlen(option);
    for (int64_t i = model->making.command_length; i-- > 0;) {
        const char *word = model->making.command[i], *rest = word + length;
        if (strncmp(word, option, length) != 0) continue;
        if (*rest == '=') return rest + 1;
        if (*rest == '\0' && i + 1 < model->making.command_length) return model->making.command[i + 1];
    }
    return NULL;
}
