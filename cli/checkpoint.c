/* SPDX-License-Identifier: BSD-3-Clause */
/* --checkpoint, --checkpoint-every and --resume. */
#include "checkpoint.h"

#include "distinct.h"

#include <unistd.h>

int dcpn_cli_checkpoint_check(const struct cli *cli, const struct checkpoint_options *options, int quiet)
{
    if (dcpn_cli_is_standard_stream(options->file))
        return dcpn_cli_fail(cli, DCPN_USAGE, "--checkpoint: found -, expected the name of a file");
    if (options->resume && !options->file)
        return dcpn_cli_fail(cli, DCPN_USAGE, "--resume needs --checkpoint, the file to go on from");
    if (!options->file && dcpn_cli_is_given(cli, "checkpoint-every") && !quiet)
        dcpn_cli_say(
            cli, "warning: --checkpoint-every: found without --checkpoint, the file that is written so often; leave it "
                 "out or give that file");
    return 0;
}

static int exists(const struct checkpoint_options *options)
{
    return options->file && access(options->file, F_OK) == 0;
}

/* The first rank looks; the others need not have the file. */
static int exists_for_all(const struct cli *cli, const struct checkpoint_options *options)
{
    int64_t is_there = dcpn_context_rank(cli->context) == 0 && exists(options);
    return dcpn_ranks_largest_words(cli->context, &is_there, 1) == DCPN_OK && is_there;
}

const char *dcpn_cli_checkpoint_resumed(const struct cli *cli, const struct checkpoint_options *options, int quiet)
{
    if (!options->resume) return NULL;
    if (exists_for_all(cli, options)) return options->file;
    if (!quiet) dcpn_cli_say(cli, "there is no %s yet: from the start", options->file);
    return NULL;
}

const char *dcpn_cli_checkpoint_advice(const struct checkpoint_options *options)
{
    if (!options->file) return "";
    return exists(options) ? "; --resume goes on"
                           : "; no checkpoint was written, since the step under way was cut short";
}
