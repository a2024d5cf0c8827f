/* SPDX-License-Identifier: BSD-3-Clause */
/* usage: dcpn-import FORMAT NAME LABELS LABEL-COLUMN MEMORY
 *
 * Reads a MATLAB or HDF5 file for src/data/foreign_process.c, which starts this program with the file in descriptor 4
 * and reads what it leaves in descriptor 3: a NumPy archive, and the exit code 0; or a sentence, and the exit code
 * 64 + status. Files can bring the libraries down that read them, or ask them for more than they should; here they do
 * no harm, because this program may not do more than that. NAME is what messages call the file. LABELS is "needed",
 * "optional", or "elsewhere", which leaves those of the file alone; an empty LABEL-COLUMN is none. MEMORY is the limit
 * in bytes, 0 that of the machine. */
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "confine.h"
#include "data/labels.h"
#include "data/writers.h"
#include "import.h"

const char *const import_matrix_names[] = {"X", "A", "data", "features", "fea", NULL};

enum { RESULT = 3, INPUT = 4, UNSAID = 1, REFUSED = 64 };

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

/* The whole file, which has a size: src/data/foreign_process.c gives no other. */
static dcpn_status map_input(struct content *content)
{
    struct stat about;
    void *bytes = MAP_FAILED;
    if (fstat(INPUT, &about) == 0 && S_ISREG(about.st_mode) && about.st_size > 0)
        bytes = mmap(NULL, (size_t)about.st_size, PROT_READ, MAP_PRIVATE, INPUT, 0);
    if (bytes == MAP_FAILED)
        return dcpn_fail(content->context, DCPN_IO, "%s: cannot be read: it cannot be mapped", content->name);
    content->plain_path = "/proc/self/fd/4"; /* for matio, which wants a name */
    content->bytes = bytes;
    content->is_mapped = 1;
    content->size = (size_t)about.st_size;
    return DCPN_OK;
}

static dcpn_status import(dcpn_context *context, char **arguments)
{
    struct content content = {.context = context, .name = arguments[1]};
    const dcpn_read_options options = {
        .unlabelled = strcmp(arguments[2], "needed") != 0,
        .labels_path = strcmp(arguments[2], "elsewhere") == 0 ? "elsewhere" : NULL,
        .table.label_column = arguments[3][0] ? arguments[3] : NULL,
    };
    size_t memory = (size_t)strtoull(arguments[4], NULL, 10);
    DCPN_TRY(map_input(&content));
    dcpn_context_set_memory_limit(context, memory);
    import_limit(content.size, memory);
    dcpn_status status = read_content(arguments[0], &content, &options);
    dcpn_content_close(&content);
    return status;
}

dcpn_status import_leave_labels(const struct content *content, dcpn_dataset *dataset)
{
    return dcpn_labels_elsewhere(content, &(const dcpn_read_options){.unlabelled = 1}, NULL, dataset);
}

static int leave(dcpn_context *context, dcpn_status status)
{
    const char *sentence = dcpn_last_error(context);
    if (status == DCPN_OK) return 0;
    if (ftruncate(RESULT, 0) != 0 || pwrite(RESULT, sentence, strlen(sentence), 0) < 0) return UNSAID;
    return REFUSED + (int)status;
}

int main(int argc, char **argv)
{
    import_leave_alone(INPUT + 1);
    dcpn_context *context = dcpn_context_new(NULL);
    if (argc != 6 || !context) return 1;
    dcpn_context_set_option_prefix(context, "--");
    int code = leave(context, import(context, argv + 1));
    dcpn_context_free(context);
    return code;
}
