/* SPDX-License-Identifier: BSD-3-Clause */
/* Runs a fuzz target on files, and on those in folders: replay PATH... A build without libFuzzer can do this. */
#include "fuzz.h"

#include <dirent.h>
#include <string.h>
#include <sys/stat.h>

static int ran;

static void run_file(const char *path)
{
    struct stat about;
    FILE *file = fopen(path, "rb");
    DCPN_FUZZ_CHECK(file && fstat(fileno(file), &about) == 0);
    size_t size = (size_t)about.st_size;
    uint8_t *bytes = malloc(size ? size : 1); /* exactly: a read beyond the end is seen by a sanitizer */
    DCPN_FUZZ_CHECK(bytes && fread(bytes, 1, size, file) == size);
    fclose(file);
    LLVMFuzzerTestOneInput(bytes, size);
    free(bytes);
    ran++;
}

static void run_folder(const char *path, DIR *folder)
{
    struct dirent *entry;
    while ((entry = readdir(folder))) {
        char name[4096];
        if (entry->d_name[0] == '.') continue;
        snprintf(name, sizeof name, "%s/%s", path, entry->d_name);
        run_file(name);
    }
}

int main(int argc, char **argv)
{
    for (int k = 1; k < argc; k++) {
        DIR *folder = opendir(argv[k]);
        if (folder) {
            run_folder(argv[k], folder);
            closedir(folder);
        } else {
            run_file(argv[k]);
        }
    }
    fprintf(stderr, "%d inputs\n", ran);
    return ran > 0 ? 0 : 1;
}
