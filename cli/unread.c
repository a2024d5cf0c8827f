/* SPDX-License-Identifier: BSD-3-Clause */
/* Settings on the command line that nothing reads. What reads them stands in the registries. */
#include "unread.h"

#include <string.h>

static int is_among(const char *words, const char *word)
{
    size_t length = strlen(word);
    for (const char *at = words; at; at = strchr(at, ' ')) {
        at += *at == ' ';
        if (strcspn(at, " ") == length && strncmp(at, word, length) == 0) return 1;
    }
    return 0;
}

/* Does a part of this kind read the setting, or, if a name is given, that part? */
static int reads(const char *kind, const char *name, const char *setting)
{
    dcpn_part part;
    for (size_t i = 0; dcpn_part_at(kind, i, &part); i++)
        if ((!name || strcmp(part.name, name) == 0) && is_among(part.settings, setting)) return 1;
    return 0;
}

/* "capped-l1 or log" */
static void list_readers(const char *kind, const char *setting, char *text, size_t size)
{
    dcpn_part part;
    size_t used = 0;
    text[0] = '\0';
    for (size_t i = 0; dcpn_part_at(kind, i, &part); i++) {
        if (!is_among(part.settings, setting) || used >= size) continue;
        used += (size_t)snprintf(text + used, size - used, "%s%s", used ? " or " : "", part.name);
    }
}

static void warn(const struct cli *cli, const char *setting, const char *kind, const char *chosen)
{
    char readers[200];
    list_readers(kind, setting, readers, sizeof readers);
    dcpn_cli_say(cli, "warning: --%s: found with --%s %s, which does not read it; leave it out or choose %s", setting,
                 kind, chosen, readers);
}

static void look_at_penalties(const struct cli *cli, const char *setting, const char *const *penalties, int64_t count)
{
    if (!reads("penalty", NULL, setting)) return;
    for (int64_t k = 0; k < count; k++)
        if (reads("penalty", penalties[k], setting)) return;
    warn(cli, setting, "penalty", penalties[count - 1]);
}

/* Which rows have no label only the data tell: their loss counts always. */
static void look_at_losses(const struct cli *cli, const char *setting, const dcpn_settings *settings)
{
    int of_rows = reads("loss", NULL, setting), of_unlabelled = reads("unlabelled-loss", NULL, setting);
    if (!of_rows && !of_unlabelled) return;
    if (reads("loss", settings->loss, setting) || reads("unlabelled-loss", settings->unlabelled_loss, setting)) return;
    if (of_rows)
        warn(cli, setting, "loss", settings->loss);
    else
        warn(cli, setting, "unlabelled-loss", settings->unlabelled_loss);
}

static void look_at_stop(const struct cli *cli, const char *setting, const dcpn_settings *settings)
{
    if (strcmp(setting, "relative-tol") != 0 || strcmp(settings->stop, "relative-change") == 0) return;
    dcpn_cli_say(cli,
                 "warning: --relative-tol: found with --stop %s, which reads --tol; leave it out or give "
                 "--stop relative-change",
                 settings->stop);
}

void dcpn_cli_warn_of_unread(const struct cli *cli, const dcpn_settings *settings, const char *const *penalties,
                             int64_t count)
{
    for (size_t i = 0; i < dcpn_setting_count() && !cli->is_quiet; i++) {
        const char *setting = dcpn_setting_at(i)->option;
        if (!(cli->given >> i & 1)) continue;
        look_at_penalties(cli, setting, penalties, count);
        look_at_losses(cli, setting, settings);
        look_at_stop(cli, setting, settings);
    }
}

const char *dcpn_cli_shape_of(const char *penalty)
{
    static const char *const shapes[] = {"theta", "a", "gamma"};
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++)
        if (reads("penalty", penalty, shapes[i])) return shapes[i];
    return NULL;
}

int dcpn_cli_refuse_shapes(const struct cli *cli, const char *const *penalties, int64_t count)
{
    for (int64_t k = 0; k < count; k++)
        if (dcpn_cli_shape_of(penalties[k])) return 0;
    return dcpn_cli_fail(cli, DCPN_USAGE,
                         "--shapes: found with --penalty %s, which has no theta, a or gamma; leave it out",
                         penalties[count - 1]);
}
