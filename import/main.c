/* SPDX-License-Identifier: BSD-3-Clause */
/* usage: dcpn-import FORMAT PATH NAME UNLABELLED LABEL-COLUMN LABELS-PATH
 *
 * Reads a MATLAB or HDF5 file for src/data/foreign_process.c, which starts this program and reads what it leaves in descriptor 3: a
 * NumPy archive, and the exit code 0; or a sentence, and the exit code 64 + status. Files can bring the libraries down
 * that read them; here they do no harm. NAME is what messages call the file; an empty LABEL-COLUMN or LABELS-PATH is
 * none. */
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "data/writers.h"
#include "import.h"

const char *const import_matrix_names[] = {"X", "A", "data", "features", "fea", NULL};

enum { RESULT = 3, REFUSED = 64, LEAST_SECONDS = 60, BYTES_PER_SECOND = 1 << 20 };

static const struct {
    const char *name;
    dcpn_status (*read)(const struct content *, const dcpn_read_options *, dcpn_dataset **);
} formats[] = {
#if DCPN_HAS_MATIO
    {"mat", import_mat},
#endif
#if DCPN_HAS_HDF5
    {"mat 7.3", import_mat73},
    {"h5ad", import_h5ad},
#endif
};

/* A file that makes its library run in circles ends with the processor time that it may use. */
static void restrict_process(size_t size)
{
    const rlim_t seconds = LEAST_SECONDS + size / BYTES_PER_SECOND;
    const struct rlimit no_core = {0, 0}, processor = {seconds, seconds};
    (void)setrlimit(RLIMIT_CORE, &no_core);
    (void)setrlimit(RLIMIT_CPU, &processor);
}

static dcpn_status send(const dcpn_dataset *dataset, const char *name)
{
    struct output_file file;
    DCPN_TRY(dcpn_output_straight(dataset->context, name, RESULT, &file));
    DCPN_TRY(dcpn_npz_put(&file, 0, dataset));
    return dcpn_output_commit(&file);
}

/* MATLAB files of version 7.3 are HDF5 files. */
static const char *exact_format(const char *format, const struct content *content)
{
    static const char start[] = "MATLAB 7.3";
    int is_73 = content->size >= sizeof start && memcmp(content->bytes, start, sizeof start - 1) == 0;
    return is_73 && strcmp(format, "mat") == 0 ? "mat 7.3" : format;
}

static dcpn_status read_content(const char *announced, const struct content *content, const dcpn_read_options *options)
{
    dcpn_dataset *dataset = NULL;
    const char *format = exact_format(announced, content);
    for (size_t k = 0; k < sizeof formats / sizeof *formats; k++) {
        if (strcmp(formats[k].name, format) != 0) continue;
        DCPN_TRY(formats[k].read(content, options, &dataset));
        dcpn_status status = send(dataset, content->name);
        dcpn_dataset_free(dataset);
        return status;
    }
    return dcpn_fail(
        content->context, DCPN_USAGE,
        "%s: this build of dcpn does not read %s: its library was not there; install %s and build it again, or "
        "save the data in another format",
        content->name, format, strcmp(format, "mat") == 0 ? "libmatio-dev" : "libhdf5-dev");
}

static dcpn_status import(dcpn_context *context, char **arguments)
{
    struct content content;
    const dcpn_read_options options = {
        .unlabelled = atoi(arguments[3]),
        .label_column = arguments[4][0] ? arguments[4] : NULL,
        .labels_path = arguments[5][0] ? arguments[5] : NULL,
    };
    DCPN_TRY(dcpn_content_open(context, arguments[1], &content));
    content.name = arguments[2];
    restrict_process(content.size);
    dcpn_status status = read_content(arguments[0], &content, &options);
    dcpn_content_close(&content);
    return status;
}

static int leave(dcpn_context *context, dcpn_status status)
{
    const char *sentence = dcpn_last_error(context);
    if (status == DCPN_OK) return 0;
    if (ftruncate(RESULT, 0) != 0 || pwrite(RESULT, sentence, strlen(sentence), 0) < 0) return 1;
    return REFUSED + (int)status;
}

int main(int argc, char **argv)
{
    dcpn_context *context = dcpn_context_new(NULL);
    if (argc != 7 || !context) return 1;
    int code = leave(context, import(context, argv + 1));
    dcpn_context_free(context);
    return code;
}
