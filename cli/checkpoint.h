/* SPDX-License-Identifier: BSD-3-Clause */
/* --checkpoint, --checkpoint-every and --resume, for every command whose work may be long. */
#ifndef DCPN_CLI_CHECKPOINT_H
#define DCPN_CLI_CHECKPOINT_H

#include "command.h"

struct checkpoint_options {
    const char *file; /* NULL: nothing is saved */
    int64_t every_s;
    int resume;
};

/* Rows of an option table; TO gives the offset of a field of the options, SAVED says what is saved. */
#define DCPN_CLI_CHECKPOINT_OPTIONS(TO, SAVED)                                                                         \
    {.name = "checkpoint",                                                                                             \
     .kind = DCPN_CLI_KIND_TEXT,                                                                                       \
     .offset = TO(file),                                                                                               \
     .argument = "FILE",                                                                                               \
     .help = "save " SAVED " there, for --resume",                                                                     \
     .advanced = 1},                                                                                                   \
        {.name = "checkpoint-every",                                                                                   \
         .kind = DCPN_CLI_KIND_WHOLE,                                                                                  \
         .offset = TO(every_s),                                                                                        \
         .argument = "SECONDS",                                                                                        \
         .default_text = "60",                                                                                         \
         .high = 1000000000,                                                                                           \
         .help = "how often; 0: after each iteration",                                                                 \
         .advanced = 1},                                                                                               \
    {                                                                                                                  \
        .name = "resume", .kind = DCPN_CLI_KIND_FLAG, .offset = TO(resume),                                            \
        .help = "go on from the checkpoint, if there is one: same settings but for limits, same final bytes",          \
        .advanced = 1                                                                                                  \
    }

/* Refuses options that have no meaning, and warns of options that nothing reads unless the command is quiet. Returns
 * the exit code. */
int dcpn_cli_checkpoint_check(const struct cli *cli, const struct checkpoint_options *options, int quiet);
/* The file to go on from; NULL: the work starts from the beginning. A job that may be killed is started with the same
 * words each time, so the first time there is nothing to resume, which is said unless the command is quiet. */
const char *dcpn_cli_checkpoint_resumed(const struct cli *cli, const struct checkpoint_options *options, int quiet);
/* The advice on how to go on, which follows the sentence that the work was interrupted. */
const char *dcpn_cli_checkpoint_advice(const struct checkpoint_options *options);

#endif
