/* SPDX-License-Identifier: BSD-3-Clause */
/* A path for libraries that open files themselves. */
#ifndef DCPN_SRC_CONTENT_PATH_H
#define DCPN_SRC_CONTENT_PATH_H

#include "data/content.h"

struct content_path {
    const char *path;
    char memory[40]; /* the path of a file in memory */
    int descriptor;  /* of that file; -1: the path is the user's */
};

/* The path of the content's own file, if it is plain; else that of a copy in memory. */
dcpn_status dcpn_content_path_open(const struct content *content, struct content_path *path);
void dcpn_content_path_close(struct content_path *path);

#endif
