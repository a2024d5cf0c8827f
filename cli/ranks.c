/* SPDX-License-Identifier: BSD-3-Clause */
/* Joining other ranks, and speaking for all of them. */
#include "ranks.h"

#include "ranks_module.h"

#include <dlfcn.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#ifndef DCPN_MULTIARCH
#define DCPN_MULTIARCH ""
#endif

static const struct dcpn_ranks_module *joined; /* NULL: this process is alone */

/* An engine, what it leaves in the environment of those that it starts, and its module. */
static const struct engine {
    const char *variable, *module;
} engines[] = {{"OMPI_COMM_WORLD_SIZE", "dcpn-openmpi.so"}, {"PMI_SIZE", "dcpn-mpich.so"}};

static const struct engine *find_engine(void)
{
    for (size_t k = 0; k < sizeof engines / sizeof *engines; k++)
        if (getenv(engines[k].variable)) return &engines[k];
    return NULL;
}

/* Opens a module that lies beside the command or where its package has put it, and nowhere else, so that others cannot
 * choose the file. */
static void *open_module(const char *name, char *found, size_t size)
{
    char command[PATH_MAX];
    ssize_t length = readlink("/proc/self/exe", command, sizeof command - 1);
    static const char *const places[] = {"", "../lib/dcpn/", "../lib/" DCPN_MULTIARCH "/dcpn/"};
    if (length <= 0) return NULL;
    command[length] = '\0';
    char *slash = strrchr(command, '/');
    slash[1] = '\0';
    for (size_t k = 0; k < sizeof places / sizeof *places; k++) {
        int needed = snprintf(found, size, "%s%s%s", command, places[k], name);
        if (needed > 0 && (size_t)needed < size && access(found, R_OK) == 0)
            return dlopen(found, RTLD_NOW | RTLD_GLOBAL);
    }
    return NULL;
}

static int join(struct cli *cli, const struct engine *engine)
{
    char path[2 * PATH_MAX] = "";
    dcpn_collective table;
    void *library = open_module(engine->module, path, sizeof path);
    const struct dcpn_ranks_module *module = library ? dlsym(library, DCPN_RANKS_MODULE_SYMBOL) : NULL;
    if (!module)
        return dcpn_cli_fail(
            cli, DCPN_USAGE,
            "found %s in the environment, so this is one of several ranks, but no module %s beside the command%s%s; "
            "build dcpn where this MPI is installed, or start it alone",
            engine->variable, engine->module, library || !*path ? "" : ": ", library || !*path ? "" : dlerror());
    if (module->version != DCPN_RANKS_MODULE_VERSION)
        return dcpn_cli_fail(cli, DCPN_USAGE, "%s: found version %d of a module, expected %d", path, module->version,
                             (int)DCPN_RANKS_MODULE_VERSION);
    if (module->begin(&table) != 0)
        return dcpn_cli_fail(cli, DCPN_PEER, "%s could not reach the other ranks", module->engine);
    joined = module;
    return dcpn_cli_check(cli, dcpn_context_set_collective(cli->context, &table));
}

int dcpn_cli_ranks_begin(struct cli *cli)
{
    const struct engine *engine = find_engine();
    int code = engine ? join(cli, engine) : 0;
    if (code || dcpn_context_rank(cli->context) == 0) return code;
    return freopen("/dev/null", "w", stdout) ? 0 : dcpn_status_exit_code(DCPN_IO);
}

void dcpn_cli_ranks_end(int code)
{
    int is_lone = code == dcpn_status_exit_code(DCPN_PEER) || code == dcpn_status_exit_code(DCPN_MEMORY);
    if (joined) joined->end(is_lone, code);
}

int dcpn_cli_has_ranks(const struct cli *cli)
{
    return dcpn_context_ranks(cli->context) > 1;
}

int dcpn_cli_ranks_place(const struct cli *cli, int64_t rows, int64_t *first, int64_t *all)
{
    int32_t ranks = dcpn_context_ranks(cli->context), me = dcpn_context_rank(cli->context);
    *first = 0;
    *all = rows;
    if (ranks == 1) return 0;
    int64_t *of_rank = calloc((size_t)ranks, sizeof *of_rank);
    if (!of_rank) return dcpn_status_exit_code(DCPN_MEMORY);
    of_rank[me] = rows;
    int code = dcpn_cli_check(cli, dcpn_ranks_largest_words(cli->context, of_rank, ranks));
    *all = 0;
    for (int32_t k = 0; k < ranks; k++) {
        if (k < me) *first += of_rank[k];
        *all += of_rank[k];
    }
    free(of_rank);
    return code;
}

static dcpn_status status_of_code(int code)
{
    static const dcpn_status statuses[] = {DCPN_IO,     DCPN_USAGE, DCPN_DATA,     DCPN_MODEL,
                                           DCPN_MEMORY, DCPN_PEER,  DCPN_CANCELLED};
    for (size_t k = 0; code && k < sizeof statuses / sizeof *statuses; k++)
        if (dcpn_status_exit_code(statuses[k]) == code) return statuses[k];
    return code ? DCPN_USAGE : DCPN_OK;
}

int dcpn_cli_ranks_agree(const struct cli *cli, int code)
{
    if (!dcpn_cli_has_ranks(cli)) return code;
    return dcpn_status_exit_code(dcpn_ranks_agree(cli->context, status_of_code(code)));
}

void dcpn_cli_ranks_print(const struct cli *cli, FILE *stream)
{
    int64_t messages, bytes;
    dcpn_context_traffic(cli->context, &messages, &bytes);
    if (messages)
        fprintf(stream, "ranks         %d, %lld messages of %.3g MB\n", (int)dcpn_context_ranks(cli->context),
                (long long)messages, 1e-6 * (double)bytes);
}

int dcpn_cli_ranks_refuse(const struct cli *cli, const struct rank_option *options)
{
    for (; options->name && dcpn_cli_has_ranks(cli); options++)
        if (options->is_given)
            return dcpn_cli_fail(
                cli, DCPN_USAGE,
                "--%s is not known to several ranks, each of which has some of the rows; leave it out, or run one "
                "process",
                options->name);
    return 0;
}
