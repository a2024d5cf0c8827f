/* SPDX-License-Identifier: BSD-3-Clause */
/* Formats whose libraries a damaged file can bring down: a program of its own reads them, dcpn-import, and whatever
 * happens to it, here a data set or a refusal comes back. The data set comes as a NumPy archive in memory, and is read
 * like any other file. */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "data/format.h"

enum { RESULT = 3, INPUT = 4, UNSAID = 1, REFUSED = 64 };

/* ---- Where the program is -----------------------------------------------------------------------------------------*/

static int is_program(char path[PATH_MAX], const char *folder, int length, const char *below)
{
    int written = snprintf(path, PATH_MAX, "%.*s/%sdcpn-import", length, folder, below);
    return written < PATH_MAX && access(path, X_OK) == 0;
}

/* Is the program beside the file or, if the file is in bin, lib or a folder of lib, where it is installed? Writes its
 * path. */
static int is_near(char path[PATH_MAX], const char *file)
{
    static const char *const below[] = {"", "../libexec/dcpn/", "../../libexec/dcpn/"};
    const char *slash = strrchr(file, '/');
    for (size_t k = 0; slash && k < sizeof below / sizeof *below; k++)
        if (is_program(path, file, (int)(slash - file), below[k])) return 1;
    return 0;
}

/* The variable DCPN_LIBEXEC names its folder; else it is found from the running program, or from the shared library. */
static int find_program(char path[PATH_MAX])
{
    char self[PATH_MAX];
    Dl_info library;
    const char *folder = getenv("DCPN_LIBEXEC");
    if (folder) return is_program(path, folder, (int)strlen(folder), "");
    ssize_t length = readlink("/proc/self/exe", self, sizeof self - 1);
    self[length > 0 ? length : 0] = '\0';
    if (is_near(path, self)) return 1;
    return dladdr(&dcpn_format_mat, &library) != 0 && library.dli_fname && is_near(path, library.dli_fname);
}

/* ---- Running it ---------------------------------------------------------------------------------------------------*/

struct exchange {
    const struct content *content;
    const dcpn_read_options *options;
    const char *format;
    int result, input; /* files: one in memory, and the content */
};

static dcpn_status refuse(const struct content *content, const char *reason)
{
    return dcpn_fail(content->context, DCPN_IO, "%s: cannot be read: %s", content->name, reason);
}

static int write_all(int descriptor, const char *bytes, size_t length)
{
    while (length > 0) {
        ssize_t done = write(descriptor, bytes, length);
        if (done < 0 && errno != EINTR) return 0;
        if (done <= 0) continue;
        bytes += done;
        length -= (size_t)done;
    }
    return 1;
}

/* The plain file that the content was read from, if it is still what it was; what has its name by now may be a pipe. */
static int open_again(const struct content *content)
{
    struct stat about;
    int descriptor = open(content->plain_path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    if (descriptor < 0) return -1;
    if (fstat(descriptor, &about) == 0 && S_ISREG(about.st_mode) && about.st_size == (off_t)content->size)
        return descriptor;
    close(descriptor);
    errno = ESTALE;
    return -1;
}

/* A file without a name: in memory, for which older C libraries have no function, or else on the disk. */
static int open_unnamed(void)
{
#ifdef SYS_memfd_create
    enum { CLOSE_ON_EXEC = 1 }; /* MFD_CLOEXEC */
    int in_memory = (int)syscall(SYS_memfd_create, "dcpn", CLOSE_ON_EXEC);
    if (in_memory >= 0 || errno != ENOSYS) return in_memory;
#endif
    char path[] = "/tmp/dcpn-XXXXXX";
    int descriptor = mkostemp(path, O_CLOEXEC);
    if (descriptor >= 0) (void)unlink(path);
    return descriptor;
}

/* Prepares the files of the exchange. A content that is no plain file is given to the program as a file in memory. */
static int prepare(struct exchange *exchange)
{
    const struct content *content = exchange->content;
    exchange->result = open_unnamed();
    if (exchange->result < 0) return 0;
    exchange->input = content->plain_path ? open_again(content) : open_unnamed();
    if (exchange->input < 0) return 0;
    return content->plain_path || write_all(exchange->input, content->bytes, content->size);
}

/* Makes a copy of a descriptor that is in nobody's way. The limit of descriptors may lie below the least number for
 * one, which the system calls an invalid argument. */
static int copy_upwards(int descriptor)
{
    int copy = fcntl(descriptor, F_DUPFD_CLOEXEC, INPUT + 1);
    if (copy < 0 && errno == EINVAL) errno = EMFILE;
    return copy;
}

/* Describes the new process: its standard streams lead nowhere, and its signals are as a new program expects them,
 * whatever this one does with them. */
static int describe_child(int result, int input, posix_spawn_file_actions_t *actions, posix_spawnattr_t *attributes)
{
    sigset_t none, all;
    int error = 0;
    sigemptyset(&none);
    sigfillset(&all);
    for (int k = 0; !error && k < 3; k++) error = posix_spawn_file_actions_addopen(actions, k, "/dev/null", O_RDWR, 0);
    if (!error) error = posix_spawn_file_actions_adddup2(actions, result, RESULT);
    if (!error) error = posix_spawn_file_actions_adddup2(actions, input, INPUT);
    if (!error) error = posix_spawnattr_setsigmask(attributes, &none);
    if (!error) error = posix_spawnattr_setsigdefault(attributes, &all);
    if (!error) error = posix_spawnattr_setflags(attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
    return error;
}

static int spawn_with(int result, int input, const char *program, char *const *arguments, pid_t *child)
{
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    int error = posix_spawn_file_actions_init(&actions);
    if (error) return error;
    error = posix_spawnattr_init(&attributes);
    if (!error) {
        error = describe_child(result, input, &actions, &attributes);
        if (!error) error = posix_spawn(child, program, &actions, &attributes, arguments, environ);
        posix_spawnattr_destroy(&attributes);
    }
    posix_spawn_file_actions_destroy(&actions);
    return error;
}

static int spawn(const struct exchange *exchange, const char *program, char *const *arguments, pid_t *child)
{
    int error, result = copy_upwards(exchange->result);
    if (result < 0) return errno;
    int input = copy_upwards(exchange->input);
    error = input < 0 ? errno : spawn_with(result, input, program, arguments, child);
    close(result);
    if (input >= 0) close(input);
    return error;
}

static const char *labels_in_words(const dcpn_read_options *options)
{
    return options->labels_path ? "elsewhere" : options->unlabelled ? "optional" : "needed";
}

static dcpn_status run(const struct exchange *exchange, int *outcome)
{
    const struct content *content = exchange->content;
    const dcpn_read_options *options = exchange->options;
    char program[PATH_MAX], memory[32];
    const char *const arguments[] = {"dcpn-import",
                                     exchange->format,
                                     content->name,
                                     labels_in_words(options),
                                     options->table.label_column ? options->table.label_column : "",
                                     memory,
                                     NULL};
    pid_t child;
    if (!find_program(program))
        return dcpn_fail(
            content->context, DCPN_USAGE,
            "%s: found a file of the format %s, which this build of dcpn does not read: its program dcpn-import is not "
            "there; install %s and build it again, or save the data in another format",
            content->name, exchange->format, strcmp(exchange->format, "mat") == 0 ? "libmatio-dev" : "libhdf5-dev");
    snprintf(memory, sizeof memory, "%zu", content->context->account->memory_limit);
    int error = spawn(exchange, program, (char *const *)(uintptr_t)arguments, &child);
    if (error) return refuse(content, strerror(error));
    while (waitpid(child, outcome, 0) < 0)
        if (errno != EINTR) {
            *outcome = 0; /* the host program does not wait for its children: the result will tell */
            break;
        }
    return DCPN_OK;
}

/* ---- What it tells ------------------------------------------------------------------------------------------------*/

static dcpn_status repeat_refusal(const struct exchange *exchange, int code)
{
    char sentence[DCPN_ERROR_LENGTH] = "";
    if (pread(exchange->result, sentence, sizeof sentence - 1, 0) < 0)
        return refuse(exchange->content, strerror(errno));
    return dcpn_fail(exchange->content->context, (dcpn_status)(code - REFUSED), "%s", sentence);
}

/* Reads the archive that the program has made. What the options say of labels within the file, the program has done;
 * labels in a second file are read here. */
static dcpn_status read_archive(const struct exchange *exchange, dcpn_dataset **dataset)
{
    const dcpn_read_options *options = exchange->options;
    const dcpn_read_options here = {.indexing = options->indexing,
                                    .features = options->features,
                                    .at_least = options->at_least,
                                    .value_type = options->value_type,
                                    .storage = options->storage,
                                    .labels_path = options->labels_path,
                                    .unlabelled = options->unlabelled || !options->labels_path};
    off_t size = lseek(exchange->result, 0, SEEK_END);
    struct content archive = {
        .context = exchange->content->context, .name = exchange->content->name, .size = (size_t)size};
    void *mapped = size > 0 ? mmap(NULL, archive.size, PROT_READ, MAP_PRIVATE, exchange->result, 0) : MAP_FAILED;
    if (mapped == MAP_FAILED) return refuse(exchange->content, "nothing came of it");
    archive.bytes = mapped;
    dcpn_status status = dcpn_format_npz.read(&archive, &here, dataset);
    dcpn_content_close(&archive);
    return status;
}

/* Refuses the file and says how the program ended, if it ended with neither data nor a refusal. */
static dcpn_status refuse_end(const struct exchange *exchange, int outcome)
{
    const struct content *content = exchange->content;
    if (WIFEXITED(outcome) && WEXITSTATUS(outcome) == UNSAID)
        return refuse(content,
                      "the program that reads it could not write its answer; is there a limit on the size of files?");
    switch (WIFSIGNALED(outcome) ? WTERMSIG(outcome) : 0) {
    case SIGINT:
    case SIGTERM:
    case SIGHUP:
        return refuse(content, "the program that reads it was interrupted");
    case SIGXCPU:
    case SIGALRM:
    case SIGKILL:
        return dcpn_fail(content->context, DCPN_DATA,
                         "%s: found something that keeps the library which reads %s busy for longer than it may; the "
                         "file is damaged",
                         content->name, exchange->format);
    default:
        return dcpn_fail(content->context, DCPN_DATA,
                         "%s: found something that brings down the library which reads %s; the file is damaged",
                         content->name, exchange->format);
    }
}

static dcpn_status exchange_files(struct exchange *exchange, dcpn_dataset **dataset)
{
    int outcome = 0;
    if (!prepare(exchange)) return refuse(exchange->content, strerror(errno));
    DCPN_TRY(run(exchange, &outcome));
    int code = WIFEXITED(outcome) ? WEXITSTATUS(outcome) : -1;
    if (code > REFUSED && code <= REFUSED + DCPN_MEMORY) return repeat_refusal(exchange, code);
    if (code == 0) return read_archive(exchange, dataset);
    return refuse_end(exchange, outcome);
}

static dcpn_status read_apart(const struct content *content, const dcpn_read_options *options, const char *format,
                              dcpn_dataset **dataset)
{
    struct exchange exchange = {.content = content, .options = options, .format = format, .result = -1, .input = -1};
    *dataset = NULL;
    dcpn_status status = exchange_files(&exchange, dataset);
    if (exchange.result >= 0) close(exchange.result);
    if (exchange.input >= 0) close(exchange.input);
    return status;
}

/* ---- The formats --------------------------------------------------------------------------------------------------*/

static dcpn_status read_mat(const struct content *content, const dcpn_read_options *options, dcpn_dataset **dataset)
{
    return read_apart(content, options, "mat", dataset);
}

static dcpn_status read_h5ad(const struct content *content, const dcpn_read_options *options, dcpn_dataset **dataset)
{
    return read_apart(content, options, "h5ad", dataset);
}

/* Both "MATLAB 5.0 MAT-file" and "MATLAB 7.3 MAT-file". */
static int sniff_mat(const char *bytes, size_t size)
{
    return size >= 128 && memcmp(bytes, "MATLAB ", 7) == 0 && memcmp(bytes + 10, " MAT-file", 9) == 0 ? 100 : 0;
}

/* HDF5 allows 512, 1024, 2048 ... bytes of something else before its first bytes. */
static int sniff_h5ad(const char *bytes, size_t size)
{
    enum { FARTHEST = 1 << 16 };
    for (size_t at = 0; at <= FARTHEST && at + 8 <= size; at = at ? 2 * at : 512)
        if (memcmp(bytes + at, "\x89HDF\r\n\x1a\n", 8) == 0) return 100;
    return 0;
}

const struct format dcpn_format_mat = {
    .name = "mat",
    .extensions = ".mat",
    .summary = "MATLAB file with a matrix X and labels y",
    .sniff = sniff_mat,
    .read = read_mat,
    .names_labels = 1,
};

const struct format dcpn_format_h5ad = {
    .name = "h5ad",
    .extensions = ".h5ad",
    .summary = "AnnData file (HDF5): X, with labels from a column of obs",
    .sniff = sniff_h5ad,
    .read = read_h5ad,
    .names_labels = 1,
};
