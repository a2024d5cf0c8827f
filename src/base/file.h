/* SPDX-License-Identifier: BSD-3-Clause */
/* Files: input in blocks, and output that appears complete or not at all. */
#ifndef DCPN_SRC_FILE_H
#define DCPN_SRC_FILE_H

#include "base/context.h"

struct input_file {
    dcpn_context *context;
    const char *name; /* for messages: the path, borrowed, or "standard input" */
    int descriptor;
};

/* path "-" is standard input. */
dcpn_status dcpn_input_open(dcpn_context *context, const char *path, struct input_file *file);
/* Reads until the buffer is full or the input ends; *length is 0 only at the end of the file. */
dcpn_status dcpn_input_read(struct input_file *file, char *buffer, size_t capacity, size_t *length);
void dcpn_input_close(struct input_file *file);

/* A regular file is written in the directory of its path without a name, so that nothing of it stays if the process is
 * killed, and gets its own name by commit: at once where nothing has it, else over a temporary one, which only a kill
 * between the two leaves behind; where the file system has no such files (NFS) it has the temporary name from the
 * start. Symbolic links are followed. What is not a regular file (a pipe, /dev/null, standard output for the path "-")
 * is written straight. The first error sticks, later calls do nothing, and commit returns it. Every opened output is
 * ended by commit or abandon. A path that ends in .gz, .zst or .xz has it compressed. */
struct compressor;
struct output_file {
    dcpn_context *context;
    const char *name;         /* for messages, borrowed */
    char *target, *temporary; /* NULL: written straight; temporary is empty while the file has no name */
    char *buffer;
    size_t used;
    int descriptor;
    int has_name;                  /* its own, not the temporary one */
    struct compressor *compressor; /* NULL: plain */
    dcpn_status status;
};

dcpn_status dcpn_output_open(dcpn_context *context, const char *path, struct output_file *file);
/* Opens an output that is never compressed, whatever its path ends in. */
dcpn_status dcpn_output_open_plain(dcpn_context *context, const char *path, struct output_file *file);
/* An output that goes straight to a descriptor, which commit closes. */
dcpn_status dcpn_output_straight(dcpn_context *context, const char *name, int descriptor, struct output_file *file);
void dcpn_output_write(struct output_file *file, const char *bytes, size_t length);
dcpn_status dcpn_output_commit(struct output_file *file);
void dcpn_output_abandon(struct output_file *file);

#endif
