/* SPDX-License-Identifier: BSD-3-Clause */
/* Options on the command line that nothing reads. What reads a setting of a loss or penalty, the registries say. */
#include "unread.h"

#include <math.h>
#include <string.h>

static const char *const SHAPES[] = {"theta", "a", "gamma"};

static int is_among(const char *words, const char *word)
{
    size_t length = strlen(word);
    for (const char *at = words; at; at = strchr(at, ' ')) {
        at += *at == ' ';
        if (strcspn(at, " ") == length && strncmp(at, word, length) == 0) return 1;
    }
    return 0;
}

/* Does any part of this kind read the setting? If a name is given, only the part of that name is asked. */
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

/* Warns of a setting that neither chosen loss reads. The loss of rows without a label always counts, since only the
 * data tell whether there are any. */
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

/* ---- what depends on more than the loss and the penalty ---- */

static int is_worth_saying(const struct cli *cli, const char *option)
{
    return !cli->is_quiet && dcpn_cli_is_given(cli, option);
}

void dcpn_cli_warn_of_method(const struct cli *cli, const dcpn_settings *settings)
{
    const struct {
        const char *setting, *shown, *readers, *choice;
    } rows[] = {{"dc-max", "dc-max", "dca multi-stage", "dca or multi-stage"},
                {"nonmonotone", settings->nonmonotone ? "nonmonotone" : "no-nonmonotone", "gist sparsa", "gist"}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (is_worth_saying(cli, rows[i].setting) && !is_among(rows[i].readers, settings->algorithm))
            dcpn_cli_say(cli,
                         "warning: --%s: found with --algorithm %s, which does not read it; leave it out or choose %s",
                         rows[i].shown, settings->algorithm, rows[i].choice);
}

void dcpn_cli_warn_of_memory(const struct cli *cli, const char *metric)
{
    if (is_worth_saying(cli, "memory") && !is_among("lbfgs seeded-lbfgs", metric))
        dcpn_cli_say(cli,
                     "warning: --memory: found with the metric %s, which does not read it; leave it out or choose "
                     "--metric lbfgs or seeded-lbfgs",
                     metric);
}

static int all_have_labels(const dcpn_dataset *data)
{
    for (int64_t i = 0; i < data->rows; i++)
        if (isnan(data->labels[i])) return 0;
    return data->label_names || !dcpn_zero_is_no_label(data->labels, data->rows);
}

/* A parameter of another loss has been warned of before the data were read. */
static int is_of_unlabelled(const dcpn_settings *settings, const char *setting)
{
    if (is_among("unlabelled-loss unlabelled-weight balance annealing", setting)) return 1;
    return reads("unlabelled-loss", settings->unlabelled_loss, setting) && !reads("loss", settings->loss, setting);
}

void dcpn_cli_warn_of_labelled(const struct cli *cli, const dcpn_settings *settings, const dcpn_dataset *data)
{
    if (!all_have_labels(data)) return;
    for (size_t i = 0; i < dcpn_setting_count(); i++) {
        const dcpn_setting *setting = dcpn_setting_at(i);
        int is_off = strcmp(setting->option, "annealing") == 0 && !settings->annealing;
        if (is_worth_saying(cli, setting->option) && is_of_unlabelled(settings, setting->option))
            dcpn_cli_say(cli,
                         "warning: --%s%s: found with a label in every row; leave it out or give --unlabelled FILE",
                         is_off ? "no-" : "", setting->option);
    }
    if (is_worth_saying(cli, "unlabelled-weights"))
        dcpn_cli_say(cli, "warning: --unlabelled-weights: found with a label in every row; leave it out or give "
                          "--unlabelled FILE");
}

void dcpn_cli_warn_beside(const struct cli *cli, const char *option, const char *other, const char *does)
{
    if (is_worth_saying(cli, option))
        dcpn_cli_say(cli, "warning: --%s: found with %s, which %s; leave one of the two out", option, other, does);
}

void dcpn_cli_warn_beside_shapes(const struct cli *cli, const char *const *penalties, int64_t count)
{
    for (size_t i = 0; i < sizeof SHAPES / sizeof *SHAPES; i++)
        for (int64_t k = 0; k < count; k++) {
            if (!reads("penalty", penalties[k], SHAPES[i])) continue;
            dcpn_cli_warn_beside(cli, SHAPES[i], "--shapes", "says all of its values");
            break;
        }
}

const char *dcpn_cli_shape_of(const char *penalty)
{
    for (size_t i = 0; i < sizeof SHAPES / sizeof *SHAPES; i++)
        if (reads("penalty", penalty, SHAPES[i])) return SHAPES[i];
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
