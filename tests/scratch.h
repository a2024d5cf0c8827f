/* SPDX-License-Identifier: BSD-3-Clause */
/* A directory of its own for a test program that writes files. Include after cmocka.h. */
#ifndef DCPN_TESTS_SCRATCH_H
#define DCPN_TESTS_SCRATCH_H

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Makes a directory and enters it; leave_scratch removes it with all its files. */
static inline int enter_scratch(void **state)
{
    char *path = strdup("dcpn-test-XXXXXX");
    *state = path;
    return path && mkdtemp(path) && chdir(path) == 0 ? 0 : -1;
}

static inline int leave_scratch(void **state)
{
    DIR *directory = opendir(".");
    struct dirent *entry;
    while (directory && (entry = readdir(directory)))
        if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0) remove(entry->d_name);
    if (directory) closedir(directory);
    int status = chdir("..") == 0 ? rmdir(*state) : -1;
    free(*state);
    return status;
}

static inline void put_bytes(const char *path, const char *bytes, size_t length)
{
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, length, file), length);
    assert_int_equal(fclose(file), 0);
}

static inline void put_text(const char *path, const char *text)
{
    put_bytes(path, text, strlen(text));
}

/* The whole file, to be freed. */
static inline char *get_text_of(const char *path)
{
    size_t capacity = 1 << 20;
    char *text = malloc(capacity);
    FILE *file = fopen(path, "rb");
    assert_non_null(text);
    assert_non_null(file);
    size_t length = fread(text, 1, capacity - 1, file);
    text[length] = '\0';
    fclose(file);
    return text;
}

static inline int files_here(void)
{
    DIR *directory = opendir(".");
    int count = -2; /* . and .. */
    assert_non_null(directory);
    while (readdir(directory)) count++;
    closedir(directory);
    return count;
}

static inline void assert_contains(const char *text, const char *fragment)
{
    if (!strstr(text, fragment)) fail_msg("\"%s\" does not contain \"%s\"", text, fragment);
}

#endif
