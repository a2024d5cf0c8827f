/* SPDX-License-Identifier: BSD-3-Clause */
/* The real data sets, and how they are read. */
#include "real_sets.h"

#include "speech.h"

#include <errno.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

const struct real_set dcpn_exp_real_sets[REAL_SETS] = {
    {"la2", 31472, "la2", 0},       {"reviews", 18483, "sports", 0},    {"classic", 41681, "classic", 0},
    {"ohscal", 11465, "ohscal", 0}, {"rcv1-sub", 47236, "real-sim", 1}, {"imdb-unigram", 38909, "real-sim", 0},
};

static int is_asked_for(const struct plan *plan, const struct real_problem *problem)
{
    const char *kind = problem->unit_rows ? "unit" : "raw";
    if (problem->unit_rows && problem->set->is_unit) return 0;
    return (strcmp(plan->rows, "both") == 0 || strcmp(plan->rows, kind) == 0) && dcpn_exp_selected(plan, problem->name);
}

size_t dcpn_exp_real_problems(const struct plan *plan, struct real_problem problems[REAL_PROBLEMS])
{
    size_t count = 0;
    for (int i = 0; i < REAL_PROBLEMS; i++) {
        struct real_problem *problem = &problems[count];
        problem->set = &dcpn_exp_real_sets[i % REAL_SETS];
        problem->unit_rows = i >= REAL_SETS;
        snprintf(problem->name, sizeof problem->name, "%s%s", problem->set->name, problem->unit_rows ? "-unit" : "");
        if (is_asked_for(plan, problem)) count++;
    }
    return count;
}

static int read_file(const struct lab *lab, const struct real_set *set, const char *path, dcpn_dataset **data)
{
    dcpn_read_options options = {.features = set->features, .indexing = DCPN_INDEX_FROM_1};
    return dcpn_exp_check(lab, dcpn_read_libsvm(lab->context, path, &options, data));
}

/* Starts xz -dc with its output in the pipe; 0 or an error number. */
static int start_xz(const char *path, const int ends[2], pid_t *child)
{
    char xz[] = "xz", decompress[] = "-dc", no_more_options[] = "--", *file = strdup(path);
    char *arguments[] = {xz, decompress, no_more_options, file, NULL};
    posix_spawn_file_actions_t actions;
    if (!file) return ENOMEM;
    int error = posix_spawn_file_actions_init(&actions);
    if (!error) {
        error = posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
        if (!error) error = posix_spawn_file_actions_addclose(&actions, ends[0]);
        if (!error) error = posix_spawn_file_actions_addclose(&actions, ends[1]);
        if (!error) error = posix_spawnp(child, xz, &actions, NULL, arguments, environ);
        posix_spawn_file_actions_destroy(&actions);
    }
    free(file);
    return error;
}

static int read_compressed(const struct lab *lab, const struct real_set *set, const char *path, dcpn_dataset **data)
{
    int ends[2], outcome = 0;
    pid_t child;
    char pipe_path[32];
    if (pipe(ends) != 0) return dcpn_exp_fail("%s: %s", path, strerror(errno));
    int error = start_xz(path, ends, &child);
    close(ends[1]);
    snprintf(pipe_path, sizeof pipe_path, "/dev/fd/%d", ends[0]);
    int code = error ? dcpn_exp_fail("xz could not be run: %s; install it, or unpack %s", strerror(error), path)
                     : read_file(lab, set, pipe_path, data);
    close(ends[0]);
    if (error || waitpid(child, &outcome, 0) < 0 || outcome == 0 || code) return code;
    dcpn_dataset_free(*data);
    *data = NULL;
    return dcpn_exp_fail("%s: xz could not unpack it", path);
}

/* NAME.libsvm or NAME.libsvm.xz, whichever is there; NULL: neither. To be freed. */
static char *find_file(const struct plan *plan, const struct real_set *set, const char *ending)
{
    char *path = NULL;
    if (asprintf(&path, "%s/%s%s", plan->data, set->name, ending) < 0) return NULL;
    if (access(path, F_OK) == 0) return path;
    free(path);
    return NULL;
}

static int is_present(const struct plan *plan, const struct real_set *set)
{
    char *plain = find_file(plan, set, ".libsvm"), *compressed = find_file(plan, set, ".libsvm.xz");
    int present = plain || compressed;
    free(plain);
    free(compressed);
    return present;
}

size_t dcpn_exp_keep_present(const struct plan *plan, size_t count, struct real_problem *problems)
{
    size_t kept = 0;
    for (size_t i = 0; i < count; i++) {
        const struct real_set *set = problems[i].set;
        if (is_present(plan, set))
            problems[kept++] = problems[i];
        else
            dcpn_exp_say("%s is left out: found neither %s.libsvm nor %s.libsvm.xz in %s; DCPN_DATA names the folder",
                         problems[i].name, set->name, set->name, plan->data);
    }
    return kept;
}

int dcpn_exp_read(const struct lab *lab, const struct real_problem *problem, dcpn_dataset **data)
{
    const struct real_set *set = problem->set;
    char *plain = find_file(lab->plan, set, ".libsvm"), *compressed = find_file(lab->plan, set, ".libsvm.xz");
    int code;
    *data = NULL;
    dcpn_exp_at_work("%s: reading", problem->name);
    if (plain)
        code = read_file(lab, set, plain, data);
    else if (compressed)
        code = read_compressed(lab, set, compressed, data);
    else
        code = dcpn_exp_fail("%s: its file is no longer in %s", problem->name, lab->plan->data);
    free(compressed);
    free(plain);
    return code;
}
