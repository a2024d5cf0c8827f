/* SPDX-License-Identifier: BSD-3-Clause */
/* Files: input in blocks, and output that appears complete or not at all. */
#include "base/file.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/compress.h"

enum { OUTPUT_BUFFER = 1 << 16, MAX_LINKS = 40, MAX_ATTEMPTS = 1000, TEMPORARY_BASE = 200 };

static int is_standard_stream(const char *path)
{
    return path && strcmp(path, "-") == 0;
}

/* ---- Input --------------------------------------------------------------------------------------------------------*/

static dcpn_status refuse_input(struct input_file *file, const char *what)
{
    dcpn_input_close(file);
    return dcpn_fail(file->context, DCPN_IO, "%s: cannot be read: %s", file->name, what);
}

dcpn_status dcpn_input_open(dcpn_context *context, const char *path, struct input_file *file)
{
    struct stat about;
    int standard = is_standard_stream(path);
    *file = (struct input_file){.context = context, .descriptor = -1, .name = standard ? "standard input" : path};
    if (!path || !path[0]) return dcpn_fail(context, DCPN_IO, "(empty path): cannot be read: a file name is needed");
    file->descriptor = standard ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC);
    if (file->descriptor < 0 || fstat(file->descriptor, &about) != 0) return refuse_input(file, strerror(errno));
    if (S_ISDIR(about.st_mode)) return refuse_input(file, "it is a directory; give a file");
    return DCPN_OK;
}

dcpn_status dcpn_input_read(struct input_file *file, char *buffer, size_t capacity, size_t *length)
{
    *length = 0;
    while (*length < capacity) {
        ssize_t got = read(file->descriptor, buffer + *length, capacity - *length);
        if (got == 0) break;
        if (got > 0) *length += (size_t)got;
        if (got < 0 && errno != EINTR)
            return dcpn_fail(file->context, DCPN_IO, "%s: cannot be read: %s", file->name, strerror(errno));
    }
    return DCPN_OK;
}

void dcpn_input_close(struct input_file *file)
{
    if (file->descriptor > STDIN_FILENO) close(file->descriptor);
    file->descriptor = -1;
}

/* ---- Where output goes --------------------------------------------------------------------------------------------*/

/* Replaces the last part of path, or all of it if name is absolute; 0 if the result is too long. */
static int replace_last_part(char path[PATH_MAX], const char *name)
{
    char *slash = strrchr(path, '/');
    size_t kept = slash && name[0] != '/' ? (size_t)(slash + 1 - path) : 0;
    size_t length = strlen(name);
    if (kept + length >= PATH_MAX) return 0;
    memcpy(path + kept, name, length + 1);
    return 1;
}

/* The file behind the symbolic links at path, which need not exist; 0 with errno set if there is none. */
static int follow_links(const char *path, char target[PATH_MAX])
{
    target[0] = '\0';
    errno = ENAMETOOLONG;
    if (!replace_last_part(target, path)) return 0;
    for (int links = 0; links <= MAX_LINKS; links++) {
        char next[PATH_MAX];
        ssize_t length = readlink(target, next, sizeof next - 1);
        if (length < 0) return 1; /* no link, or nothing there */
        next[length] = '\0';
        errno = ENAMETOOLONG;
        if (!replace_last_part(target, next)) return 0;
    }
    errno = ELOOP;
    return 0;
}

static const char *why_not_created(int error)
{
    return error == ENOENT ? "its directory does not exist; make it first" : strerror(error);
}

static dcpn_status refuse_output(dcpn_context *context, const char *name, const char *what)
{
    return dcpn_fail(context, DCPN_IO, "%s: cannot be written: %s", name, what);
}

/* Finds the target, and whether it is to be written straight or replaced; mode is that of the file it replaces, 0 if
 * there is none. */
static dcpn_status examine(dcpn_context *context, const char *path, char target[PATH_MAX], int *straight, mode_t *mode)
{
    struct stat about;
    *straight = 0;
    *mode = 0;
    if (!path || !path[0]) return refuse_output(context, "(empty path)", "a file name is needed");
    if (!follow_links(path, target)) return refuse_output(context, path, strerror(errno));
    /* A link like /dev/stdout may lead to something without a name that could be followed, for example a pipe. */
    if (stat(path, &about) == 0 && !S_ISREG(about.st_mode)) strcpy(target, path);
    if (stat(target, &about) != 0) return errno == ENOENT ? DCPN_OK : refuse_output(context, path, strerror(errno));
    if (S_ISDIR(about.st_mode)) return refuse_output(context, path, "it is a directory; give a file name");
    if (faccessat(AT_FDCWD, target, W_OK, AT_EACCESS) != 0) return refuse_output(context, path, strerror(errno));
    *straight = !S_ISREG(about.st_mode);
    *mode = about.st_mode & (mode_t)07777;
    return DCPN_OK;
}

/* ".<name>.<process>-<attempt>" in the directory of target; 0 with errno set if that is too long. */
static int name_temporary(const char *target, int attempt, char temporary[PATH_MAX])
{
    const char *slash = strrchr(target, '/');
    const char *base = slash ? slash + 1 : target;
    int length = snprintf(temporary, PATH_MAX, "%.*s.%.*s.%lx-%d", (int)(base - target), target, TEMPORARY_BASE, base,
                          (long)getpid(), attempt);
    errno = ENAMETOOLONG;
    return length < PATH_MAX;
}

/* Gives a file without a name one; fails where there is a file of that name. */
static int link_to(int descriptor, const char *name)
{
    char here[40];
    snprintf(here, sizeof here, "/proc/self/fd/%d", descriptor);
    return linkat(AT_FDCWD, here, AT_FDCWD, name, AT_SYMLINK_FOLLOW);
}

/* A new file under the first such name that is free, or, with a descriptor, that file under it. open, unlike mkstemp,
 * lets the umask have its say. */
static int take_name(const char *target, int descriptor, char temporary[PATH_MAX])
{
    for (int attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
        if (!name_temporary(target, attempt, temporary)) return -1;
        int result = descriptor < 0 ? open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666)
                                    : link_to(descriptor, temporary);
        if (result >= 0 || errno != EEXIST) return result;
    }
    return -1;
}

/* Cuts the last part of a path off, so that its folder is left. */
static const char *folder_of(char *path)
{
    char *slash = strrchr(path, '/');
    if (slash) slash[slash == path] = '\0';
    return slash ? path : ".";
}

/* A file without a name, which is gone when the process is, however it ends; -1 where the file system has none. */
static int create_nameless(const char *target)
{
    char path[PATH_MAX];
    strcpy(path, target);
    return open(folder_of(path), O_TMPFILE | O_RDWR | O_CLOEXEC, 0666);
}

/* temporary is the name it has, empty if it has none yet. */
static int create_temporary(const char *target, mode_t mode, char temporary[PATH_MAX])
{
    if (!name_temporary(target, MAX_ATTEMPTS, temporary)) return -1;
    temporary[0] = '\0';
    int descriptor = create_nameless(target);
    if (descriptor < 0) descriptor = take_name(target, -1, temporary);
    if (descriptor >= 0 && mode) (void)fchmod(descriptor, mode); /* where modes exist */
    return descriptor;
}

/* ---- Output -------------------------------------------------------------------------------------------------------*/

static void release(struct output_file *file)
{
    if (file->descriptor >= 0) close(file->descriptor);
    dcpn_compressor_free(file->compressor);
    file->compressor = NULL;
    dcpn_free(file->context, file->buffer);
    dcpn_free(file->context, file->target);
    dcpn_free(file->context, file->temporary);
    file->descriptor = -1;
    file->buffer = file->target = file->temporary = NULL;
}

static void fail(struct output_file *file, const char *what)
{
    if (file->status == DCPN_OK) file->status = refuse_output(file->context, file->name, what);
}

static void open_replacement(struct output_file *file, const char *target, mode_t mode)
{
    file->target = dcpn_copy_text(file->context, target);
    file->temporary = file->target ? dcpn_allocate(file->context, PATH_MAX, 1) : NULL;
    if (!file->temporary) {
        file->status = DCPN_MEMORY;
        return;
    }
    file->descriptor = create_temporary(target, mode, file->temporary);
    if (file->descriptor < 0) fail(file, why_not_created(errno));
}

static void open_straight(struct output_file *file, const char *target)
{
    /* The copy of standard output is closed in its place, and tells of errors that only closing brings to light. */
    file->descriptor = target ? open(target, O_WRONLY | O_CLOEXEC) : fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 0);
    if (file->descriptor < 0) fail(file, strerror(errno));
}

dcpn_status dcpn_output_open(dcpn_context *context, const char *path, struct output_file *file)
{
    DCPN_TRY(dcpn_output_open_plain(context, path, file));
    file->status = dcpn_compressor_open(context, path, &file->compressor);
    if (file->status != DCPN_OK) dcpn_output_abandon(file);
    return file->status;
}

dcpn_status dcpn_output_open_plain(dcpn_context *context, const char *path, struct output_file *file)
{
    char target[PATH_MAX];
    int straight = 1;
    mode_t mode = 0;
    int standard = is_standard_stream(path);
    *file = (struct output_file){.context = context, .name = standard ? "standard output" : path, .descriptor = -1};
    if (!standard) file->status = examine(context, path, target, &straight, &mode);
    if (file->status == DCPN_OK && !(file->buffer = dcpn_allocate(context, OUTPUT_BUFFER, 1)))
        file->status = DCPN_MEMORY;
    if (file->status == DCPN_OK) {
        if (straight)
            open_straight(file, standard ? NULL : target);
        else
            open_replacement(file, target, mode);
    }
    if (file->status != DCPN_OK) release(file);
    return file->status;
}

dcpn_status dcpn_output_straight(dcpn_context *context, const char *name, int descriptor, struct output_file *file)
{
    *file = (struct output_file){.context = context, .name = name, .descriptor = descriptor};
    file->buffer = dcpn_allocate(context, OUTPUT_BUFFER, 1);
    return file->buffer ? DCPN_OK : DCPN_MEMORY;
}

static void write_all(struct output_file *file, const char *bytes, size_t length)
{
    while (length > 0 && file->status == DCPN_OK) {
        ssize_t done = write(file->descriptor, bytes, length);
        if (done < 0 && errno != EINTR) fail(file, strerror(errno));
        if (done <= 0) continue;
        bytes += done;
        length -= (size_t)done;
    }
}

static void put_compressed(void *user, const char *bytes, size_t length)
{
    write_all(user, bytes, length);
}

static void pass_on(struct output_file *file, const char *bytes, size_t length, int ends)
{
    if (!file->compressor) {
        write_all(file, bytes, length);
    } else if (file->status == DCPN_OK) {
        dcpn_status status = dcpn_compress(file->compressor, bytes, length, ends, put_compressed, file);
        if (file->status == DCPN_OK) file->status = status;
    }
}

static void flush(struct output_file *file, int ends)
{
    pass_on(file, file->buffer, file->used, ends);
    file->used = 0;
}

void dcpn_output_write(struct output_file *file, const char *bytes, size_t length)
{
    if (file->status != DCPN_OK || length == 0) return;
    if (length > OUTPUT_BUFFER - file->used) flush(file, 0);
    if (length > OUTPUT_BUFFER) {
        pass_on(file, bytes, length, 0);
    } else {
        memcpy(file->buffer + file->used, bytes, length);
        file->used += length;
    }
}

static void sync_bytes(struct output_file *file)
{
    if (file->status == DCPN_OK && fsync(file->descriptor) != 0) fail(file, strerror(errno));
}

static void copy_bytes(struct output_file *file, int from)
{
    struct input_file input = {.context = file->context, .name = file->name, .descriptor = from};
    size_t length = 1;
    if (lseek(from, 0, SEEK_SET) != 0) fail(file, strerror(errno));
    while (length > 0 && file->status == DCPN_OK) {
        file->status = dcpn_input_read(&input, file->buffer, OUTPUT_BUFFER, &length);
        write_all(file, file->buffer, length);
    }
}

/* A file that was made without a name may be unable to get one, for example because there is no /proc. Its bytes are
 * then copied to a file that has a name. */
static void copy_to_name(struct output_file *file)
{
    struct stat about;
    int nameless = file->descriptor, descriptor = take_name(file->target, -1, file->temporary);
    if (descriptor < 0) {
        file->temporary[0] = '\0';
        fail(file, strerror(errno));
        return;
    }
    file->descriptor = descriptor;
    if (fstat(nameless, &about) == 0) (void)fchmod(descriptor, about.st_mode & (mode_t)07777);
    copy_bytes(file, nameless);
    close(nameless);
    sync_bytes(file);
}

static void give_name(struct output_file *file)
{
    if (file->status != DCPN_OK || file->temporary[0]) return;
    file->has_name = link_to(file->descriptor, file->target) == 0;
    if (!file->has_name && take_name(file->target, file->descriptor, file->temporary) != 0) copy_to_name(file);
}

static void close_descriptor(struct output_file *file)
{
    if (close(file->descriptor) != 0) fail(file, strerror(errno));
    file->descriptor = -1;
}

/* Makes the new name survive a power cut, where the directory may be read and its file system can sync it. */
static void sync_directory(struct output_file *file)
{
    int directory = open(folder_of(file->target), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (directory < 0) return;
    if (fsync(directory) != 0 && errno != EINVAL) fail(file, strerror(errno));
    close(directory);
}

static void unlink_temporary(const struct output_file *file)
{
    if (file->temporary && file->temporary[0]) unlink(file->temporary);
}

static void rename_temporary(struct output_file *file)
{
    if (file->status == DCPN_OK && !file->has_name && rename(file->temporary, file->target) != 0)
        fail(file, strerror(errno));
    if (file->status == DCPN_OK)
        sync_directory(file);
    else if (file->has_name)
        unlink(file->target);
    else
        unlink_temporary(file);
}

dcpn_status dcpn_output_commit(struct output_file *file)
{
    flush(file, 1);
    if (file->temporary) sync_bytes(file);
    if (file->temporary) give_name(file);
    close_descriptor(file);
    if (file->temporary) rename_temporary(file);
    release(file);
    return file->status;
}

void dcpn_output_abandon(struct output_file *file)
{
    unlink_temporary(file);
    release(file);
}

dcpn_status dcpn_output_try(dcpn_context *context, const char *path)
{
    char target[PATH_MAX], temporary[PATH_MAX];
    int straight;
    mode_t mode;
    DCPN_NEED(context, context);
    if (is_standard_stream(path)) return DCPN_OK;
    DCPN_TRY(examine(context, path, target, &straight, &mode));
    if (straight) return DCPN_OK;
    int descriptor = create_temporary(target, mode, temporary);
    if (descriptor < 0) return refuse_output(context, path, why_not_created(errno));
    close(descriptor);
    if (temporary[0]) unlink(temporary);
    return DCPN_OK;
}
